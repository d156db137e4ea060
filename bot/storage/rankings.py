"""Queries of ratings and leaderboards, and the channels of monthly rankings."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, case, func, or_, select, update

from bot.ids import ChannelId, GuildId, UserId
from bot.score_records import (
    Board,
    BoardPage,
    Day,
    LeaderboardLine,
    Leaders,
    Period,
    Preferences,
    Rating,
    Scope,
    ScoreRules,
    Variant,
)
from bot.storage import score_rows, score_schema, statements
from bot.storage.database import Database


class RankingStore:
    """Store of ratings and leaderboards, which change with commits of tables."""

    def __init__(self, database: Database, rules: ScoreRules) -> None:
        self._database = database
        self._rules = rules

    async def page(self, board: Board, number: int, size: int, reader: UserId) -> BoardPage:
        """Return one page of a leaderboard, with the line of its reader.

        `number` counts from 0; numbers after the last page return the last page. `size` is the
        number of lines per page. All data are from one snapshot.
        """
        return await self._database.read(_page, board, number, size, reader)

    async def leaders(self, board: Board, first: int, number: int) -> Leaders:
        """Return at most `number` lines of a leaderboard from line `first`, counted from 0."""

        def leaders(connection: Connection) -> Leaders:
            return _leaders(connection, board, _listed_count(connection, board), first, number)

        return await self._database.read(leaders)

    async def move_window(self, first: Day) -> None:
        """Remove days before `first` from the leaderboards of the last thirty days."""

        def move_some(connection: Connection) -> bool:
            done = score_rows.first_recent_day(connection) >= first
            return done or score_rows.expire_tallies(connection, first, self._rules)

        done = await self._database.read(score_rows.first_recent_day) >= first
        while not done:  # in small steps, so that no move waits for long
            done = await self._database.write_alone("counting the last thirty days", move_some)

    async def ratings(
        self, scope: Scope, variant: Variant, users: Collection[UserId]
    ) -> dict[UserId, Rating]:
        """Return the ratings of these users; users without a rating are left out."""
        return await self._database.read(read_ratings, scope, variant, users)

    async def public_ratings(
        self, scope: Scope, variant: Variant, users: Collection[UserId]
    ) -> dict[UserId, Rating]:
        """Return the ratings of these users; hidden users are left out."""

        def ratings(connection: Connection) -> dict[UserId, Rating]:
            chosen = score_rows.read_preferences(connection, users)
            shown = [user for user in users if not chosen.get(user, Preferences()).hidden]
            return read_ratings(connection, scope, variant, shown)

        return await self._database.read(ratings)

    async def names(self, scope: Scope, users: Collection[UserId]) -> dict[UserId, str]:
        """Return the known names of users on a server, or on all servers together."""
        return await self._database.read(_names, scope, users)


def _page(
    connection: Connection, board: Board, number: int, size: int, reader: UserId
) -> BoardPage:
    """Return one page of a leaderboard; see `RankingStore.page`."""
    lines = _listed_count(connection, board)
    number = min(number, max(0, (lines - 1) // size))
    return BoardPage(
        number,
        _leaders(connection, board, lines, number * size, size),
        read_line(connection, board, reader),
        score_rows.read_preferences(connection, [reader]).get(reader, Preferences()),
    )


def _is_on_board(board: Board) -> ColumnElement[bool]:
    """Return the condition that a line belongs to a leaderboard, listed or not."""
    lines = score_schema.standings.c
    return and_(
        lines.scope == board.scope, lines.variant == board.variant, lines.period == board.period
    )


def _sort_column(board: Board) -> ColumnElement[Any]:
    """Return the column that decides the places."""
    return score_schema.standings.c[f"by_{board.order}"]


def _count(connection: Connection, *where: ColumnElement[bool]) -> int:
    """Return the number of lines that fulfil all these conditions."""
    query = select(func.count()).select_from(score_schema.standings).where(*where)
    return int(connection.execute(query).scalar_one())


def _listed_count(connection: Connection, board: Board) -> int:
    """Return the number of listed users."""
    return _count(connection, _is_on_board(board), _sort_column(board).is_not(None))


def _leaders(connection: Connection, board: Board, size: int, first: int, number: int) -> Leaders:
    """Return at most `number` lines of a leaderboard with `size` lines, from `first`."""
    here, value, lines = _is_on_board(board), _sort_column(board), score_schema.standings
    number = max(0, min(number, size - first))
    if not number:
        return Leaders(size, ())
    # OFFSET scans the rows that it skips, so the query begins at the nearer end.
    from_above = 2 * first <= size
    order = (value.desc(), lines.c.user_id.desc()) if from_above else (value, lines.c.user_id)
    skipped = first if from_above else size - first - number
    users = select(lines.c.user_id).where(here, value.is_not(None))
    users = users.order_by(*order).limit(number).offset(skipped)

    query = select(lines).where(here, lines.c.user_id.in_(users))
    query = query.order_by(value.desc(), lines.c.user_id.desc())
    rows = connection.execute(query).all()
    names = _names(connection, board.scope, [row.user_id for row in rows])

    shown: list[LeaderboardLine] = []
    for row in rows:
        sort_key = float(getattr(row, value.name))
        if shown and sort_key == shown[-1].value:
            place = shown[-1].place
        elif shown:
            place = first + len(shown) + 1
        else:  # users with the same value may be on the previous page
            place = (
                first + 1 - _count(connection, here, value == sort_key, _comes_before(row.user_id))
            )
        name = names.get(row.user_id, "")
        tally = score_rows.tally_of(row)
        shown.append(LeaderboardLine(place, row.user_id, name, sort_key, tally, row.rating))
    return Leaders(size, tuple(shown))


def _comes_before(user_id: UserId) -> ColumnElement[bool]:
    """Return the condition that a line comes before this user's among equal values."""
    return score_schema.standings.c.user_id > user_id


def read_line(connection: Connection, board: Board, user_id: UserId) -> LeaderboardLine | None:
    """Return a user's line, with place 0 if they are not listed; `None` if they have no line."""
    here, value, lines = _is_on_board(board), _sort_column(board), score_schema.standings
    row = connection.execute(select(lines).where(here, lines.c.user_id == user_id)).first()
    if row is None:
        return None
    sort_key = getattr(row, value.name)
    place = 0 if sort_key is None else 1 + _count(connection, here, value > sort_key)
    name = _names(connection, board.scope, [user_id]).get(user_id, "")
    return LeaderboardLine(place, user_id, name, sort_key, score_rows.tally_of(row), row.rating)


def _names(connection: Connection, scope: Scope, users: Collection[UserId]) -> dict[UserId, str]:
    names = score_schema.names
    query = select(names).where(names.c.scope == scope, names.c.user_id.in_(users))
    return {row.user_id: row.name for row in connection.execute(query)}


def read_ratings(
    connection: Connection, scope: Scope, variant: Variant, users: Collection[UserId]
) -> dict[UserId, Rating]:
    """Return the ratings of these users; users without a rating are left out."""
    ratings = score_schema.ratings
    query = select(ratings).where(
        ratings.c.scope == scope, ratings.c.variant == variant, ratings.c.user_id.in_(users)
    )
    return {row.user_id: Rating(row.mu, row.sigma) for row in connection.execute(query)}


def read_rating_days(
    connection: Connection, scope: Scope, variant: Variant, user_id: UserId
) -> list[tuple[Day, Rating]]:
    """Return a user's ratings at the end of each day of play, oldest first."""
    days = score_schema.rating_days
    query = select(days.c.day, days.c.mu, days.c.sigma).where(
        days.c.scope == scope, days.c.variant == variant, days.c.user_id == user_id
    )
    rows = connection.execute(query.order_by(days.c.day))
    return [(row.day, Rating(row.mu, row.sigma)) for row in rows]


_guilds = score_schema.guilds
_SAVING = "saving a setting"
_MARKING = "marking a monthly ranking"


class MonthlyRankingStore:
    """Channel and last posted season of the monthly ranking of each server."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def channel(self, guild_id: GuildId) -> ChannelId | None:
        """Return the channel that a server has chosen for its monthly ranking, if any."""
        query = select(_guilds.c.honours_channel_id).where(_guilds.c.guild_id == guild_id)
        found: ChannelId | None = await self._database.read(
            lambda connection: connection.scalar(query)
        )
        return found

    async def choose_channel(
        self, guild_id: GuildId, channel_id: ChannelId | None, last_season: Period
    ) -> None:
        """Store the channel of a server's monthly rankings, or `None` for no rankings.

        `last_season` is the last season that has ended. If the server had no channel so far, this
        season is marked as posted, so that the first ranking is that of the current season.
        """
        row = {"guild_id": guild_id, "honours_channel_id": channel_id, "honoured": last_season}
        had_no_channel = _guilds.c.honours_channel_id.is_(None)
        honoured = case((had_no_channel, last_season), else_=_guilds.c.honoured)
        statement = statements.upsert(_guilds, {"honoured": honoured})
        await self._database.write(_SAVING, lambda connection: connection.execute(statement, row))

    async def due_servers(self, season: Period) -> dict[GuildId, ChannelId]:
        """Return the channels, by server, where no ranking of this season is posted yet."""
        query = select(_guilds.c.guild_id, _guilds.c.honours_channel_id).where(
            _guilds.c.honours_channel_id.is_not(None), _posted_before(season)
        )
        query = query.order_by(_guilds.c.guild_id)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.guild_id: row.honours_channel_id for row in rows}

    async def mark_posted(self, guild_id: GuildId, season: Period) -> bool:
        """Mark a season as posted in a server; return False if it was marked already."""
        due = update(_guilds).where(_guilds.c.guild_id == guild_id, _posted_before(season))
        statement = due.values(honoured=season)
        number = await self._database.write(
            _MARKING, lambda connection: connection.execute(statement).rowcount
        )
        return number == 1

    async def unmark_posted(self, guild_id: GuildId, season: Period) -> None:
        """Remove the mark of a season whose ranking could not be posted."""
        here = _guilds.c.guild_id == guild_id, _guilds.c.honoured == season
        statement = update(_guilds).where(*here).values(honoured=None)
        await self._database.write(_MARKING, lambda connection: connection.execute(statement))


def _posted_before(season: Period) -> ColumnElement[bool]:
    """Return the SQL condition that the last posted season is before this one."""
    return or_(_guilds.c.honoured.is_(None), _guilds.c.honoured < season)
