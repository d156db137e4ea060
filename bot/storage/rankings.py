"""Ratings and leaderboards: places, pages, ratings through time, names."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, and_, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ids import UserId
from bot.score_records import (
    Board,
    BoardPage,
    Day,
    LeaderboardLine,
    Leaders,
    Preferences,
    Rating,
    Scope,
    ScoreRules,
    Variant,
)
from bot.storage import score_rows, score_schema
from bot.storage.database import Database


class RankingStore:
    """Ratings and leaderboards as they stand; commits of tables change them."""

    def __init__(self, database: Database, rules: ScoreRules) -> None:
        self._database = database
        self._rules = rules

    async def page(self, board: Board, number: int, size: int, reader: UserId) -> BoardPage:
        """One page of a leaderboard, counted from 0, of `size` lines each, for its reader.

        All of it is from one moment. A page behind the end is the last one.
        """
        async with self._database.reading() as connection:
            lines = await _size(connection, board)
            number = min(number, max(0, (lines - 1) // size))
            return BoardPage(
                number,
                await _leaders(connection, board, lines, number * size, size),
                await read_line(connection, board, reader),
                (await score_rows.read_preferences(connection, [reader])).get(
                    reader, Preferences()
                ),
            )

    async def leaders(self, board: Board, first: int, number: int) -> Leaders:
        """At most `number` lines of a leaderboard, from line `first` on, which counts from 0."""
        async with self._database.reading() as connection:
            lines = await _size(connection, board)
            return await _leaders(connection, board, lines, first, number)

    async def move_window(self, first: Day) -> None:
        """Take what is older than the day `first` off the leaderboards of the last thirty days."""
        async with self._database.reading() as connection:
            done = await score_rows.first_recent_day(connection) >= first
        while not done:  # bit by bit, so that no move has to wait for long
            async with self._database.changing("counting the last thirty days") as connection:
                done = await score_rows.first_recent_day(connection) >= first
                done = done or await score_rows.move_on(connection, first, self._rules)

    async def ratings(
        self, scope: Scope, variant: Variant, users: Collection[UserId]
    ) -> dict[UserId, Rating]:
        """The ratings of these people, as far as they have one."""
        async with self._database.reading() as connection:
            return await read_ratings(connection, scope, variant, users)

    async def public_ratings(
        self, scope: Scope, variant: Variant, users: Collection[UserId]
    ) -> dict[UserId, Rating]:
        """The ratings of those of these people whose rating others may see."""
        async with self._database.reading() as connection:
            chosen = await score_rows.read_preferences(connection, users)
            shown = [user for user in users if not chosen.get(user, Preferences()).hidden]
            return await read_ratings(connection, scope, variant, shown)

    async def names(self, scope: Scope, users: Collection[UserId]) -> dict[UserId, str]:
        """What people are called on a server (or on all together), as far as that is known."""
        async with self._database.reading() as connection:
            return await _names(connection, scope, users)


def _here(board: Board) -> ColumnElement[bool]:
    """The condition that a line belongs to a leaderboard, listed or not."""
    lines = score_schema.standings.c
    return and_(
        lines.scope == board.scope, lines.variant == board.variant, lines.period == board.period
    )


def _value(board: Board) -> ColumnElement[Any]:
    """The column that decides the places."""
    return score_schema.standings.c[f"by_{board.order}"]


async def _count(connection: AsyncConnection, *where: ColumnElement[bool]) -> int:
    """How many lines fulfil all these conditions."""
    query = select(func.count()).select_from(score_schema.standings).where(*where)
    return int((await connection.execute(query)).scalar_one())


async def _size(connection: AsyncConnection, board: Board) -> int:
    """How many people are listed."""
    return await _count(connection, _here(board), _value(board).is_not(None))


async def _leaders(
    connection: AsyncConnection, board: Board, size: int, first: int, number: int
) -> Leaders:
    """At most `number` lines of a leaderboard of this size, from line `first` on."""
    here, value, lines = _here(board), _value(board), score_schema.standings
    number = max(0, min(number, size - first))
    if not number:
        return Leaders(size, ())
    from_above = 2 * first <= size  # what is skipped has to be walked through
    order = (value.desc(), lines.c.user_id.desc()) if from_above else (value, lines.c.user_id)
    skipped = first if from_above else size - first - number
    users = select(lines.c.user_id).where(here, value.is_not(None))
    users = users.order_by(*order).limit(number).offset(skipped)
    query = select(lines).where(here, lines.c.user_id.in_(users))
    query = query.order_by(value.desc(), lines.c.user_id.desc())
    rows = (await connection.execute(query)).all()
    called = await _names(connection, board.scope, [row.user_id for row in rows])
    shown: list[LeaderboardLine] = []
    for row in rows:
        worth = float(getattr(row, value.name))
        if shown and worth == shown[-1].value:
            place = shown[-1].place
        elif shown:
            place = first + len(shown) + 1
        else:  # people with the same value may stand on the page before
            place = first + 1 - await _count(connection, here, value == worth, _before(row.user_id))
        name = called.get(row.user_id, "")
        tally = score_rows.tally_of(row)
        shown.append(LeaderboardLine(place, row.user_id, name, worth, tally, row.rating))
    return Leaders(size, tuple(shown))


def _before(user_id: UserId) -> ColumnElement[bool]:
    """The condition of standing before this person among those with the same value."""
    return score_schema.standings.c.user_id > user_id


async def read_line(
    connection: AsyncConnection, board: Board, user_id: UserId
) -> LeaderboardLine | None:
    """A person's line; place 0 if they are not listed, `None` if there is no line."""
    here, value, lines = _here(board), _value(board), score_schema.standings
    row = (await connection.execute(select(lines).where(here, lines.c.user_id == user_id))).first()
    if row is None:
        return None
    worth = getattr(row, value.name)
    place = 0 if worth is None else 1 + await _count(connection, here, value > worth)
    name = (await _names(connection, board.scope, [user_id])).get(user_id, "")
    return LeaderboardLine(place, user_id, name, worth, score_rows.tally_of(row), row.rating)


async def _names(
    connection: AsyncConnection, scope: Scope, users: Collection[UserId]
) -> dict[UserId, str]:
    called = score_schema.names
    query = select(called).where(called.c.scope == scope, called.c.user_id.in_(users))
    return {row.user_id: row.name for row in await connection.execute(query)}


async def read_ratings(
    connection: AsyncConnection, scope: Scope, variant: Variant, users: Collection[UserId]
) -> dict[UserId, Rating]:
    """The ratings of these people, as far as they have one."""
    ratings = score_schema.ratings
    query = select(ratings).where(
        ratings.c.scope == scope, ratings.c.variant == variant, ratings.c.user_id.in_(users)
    )
    return {row.user_id: Rating(row.mu, row.sigma) for row in await connection.execute(query)}


async def read_rating_days(
    connection: AsyncConnection, scope: Scope, variant: Variant, user_id: UserId
) -> list[tuple[Day, Rating]]:
    """A person's rating at the end of each day on which they played, oldest first."""
    days = score_schema.rating_days
    query = select(days.c.day, days.c.mu, days.c.sigma).where(
        days.c.scope == scope, days.c.variant == variant, days.c.user_id == user_id
    )
    rows = await connection.execute(query.order_by(days.c.day))
    return [(row.day, Rating(row.mu, row.sigma)) for row in rows]
