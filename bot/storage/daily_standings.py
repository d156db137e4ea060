"""Store of standings in the deal of the day, computed when a day is over."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from itertools import pairwise
from typing import Any, get_args

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    and_,
    case,
    func,
    literal,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert  # as SQLite understands it, too

from bot.ids import GuildId, UserId
from bot.score_records import WORLD, Period, Preferences, Scope
from bot.standings.daily_standings import (
    FEWEST_DAYS,
    DailyLeaders,
    DailyLine,
    Span,
    Standing,
    is_within_chance,
    period_of,
)
from bot.standings.match_points import match_points
from bot.storage import schema, score_rows, score_schema, statements
from bot.storage.boards import day_number, day_numbered
from bot.storage.database import Database

_boards, _rounds, _servers = schema.boards, schema.solo_rounds, schema.daily_servers
_standings, _people, _names = (
    score_schema.daily_standings,
    score_schema.people,
    score_schema.names,
)
_CLOSED = "daily-closed"
"""Key of the last day whose match points are stored."""
MOST_LINES = 1000
"""Largest number of lines that are returned at once."""


class DailyStandingStore:
    """Store of match points by day, week and month."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def close_days(self, today: date) -> None:
        """Store the match points of all days before `today` that have none yet.

        Several processes may do so at the same time: each day is closed once.
        """

        def close_next(connection: Connection) -> bool:
            day = _next_open_day(connection, today)
            if day is not None:
                _close(connection, day)
            return day is not None

        while await self._database.read(_next_open_day, today) is not None:
            await self._database.write_alone("storing match points", close_next)

    async def page(
        self, scope: Scope, period: Period, number: int, size: int, reader: UserId
    ) -> DailyLeaders:
        """Return one page of a leaderboard, with the line of its reader.

        `number` counts from 0; numbers after the last page return the last page. `size` is the
        number of lines per page.
        """
        return await self._database.read(_page, scope, period, number, size, reader)

    async def lines(self, scope: Scope, period: Period) -> Sequence[DailyLine]:
        """Return the lines of a leaderboard, at most `MOST_LINES`."""
        return await self._database.read(_lines, scope, period, 0, MOST_LINES)

    async def best(self, guild_id: GuildId, period: Period, most: int) -> Sequence[DailyLine]:
        """Return the people in the first place on a server, at most `most`."""
        lines = (await self.page(guild_id, period, 0, most, UserId(0))).lines
        return [line for line in lines if line.place == 1]

    async def played_days(
        self, user_id: UserId, version: int
    ) -> tuple[frozenset[date], frozenset[date]]:
        """Return the days whose deal a person has finished, and those of updates of the computers.

        On the day of an update its deal cannot be played any more. `version` is the current one of
        the computers.
        """

        def read(connection: Connection) -> tuple[frozenset[date], frozenset[date]]:
            row = _rounds.c
            own = select(_boards.c.day).join(_rounds, row.board_id == _boards.c.id)
            own = own.where(row.user_id == user_id, ~row.practice, row.ended_at.is_not(None))
            versions = select(_boards.c.day, _boards.c.version).order_by(_boards.c.day)
            versions = versions.where(_boards.c.day.is_not(None), _boards.c.version.is_not(None))
            days = [*connection.execute(versions), (None, version)]
            updated = (day for (day, own), (_, later) in pairwise(days) if own != later)
            played = connection.scalars(own.where(_boards.c.day.is_not(None)))
            return frozenset(map(day_numbered, played)), frozenset(map(day_numbered, updated))

        return await self._database.read(read)


# --- the end of a day ----------------------------------------------------------------------------


def _next_open_day(connection: Connection, today: date) -> int | None:
    """Return the first day before `today` that was played and is not closed yet."""
    closed = select(schema.app_state.c.value).where(schema.app_state.c.key == _CLOSED)
    last = int(connection.scalar(closed) or 0)
    days = select(func.min(_boards.c.day)).where(
        _boards.c.day > last, _boards.c.day < day_number(today), _boards.c.version.is_not(None)
    )
    first: int | None = connection.scalar(days)
    return first


def _close(connection: Connection, day: int) -> None:
    """Store the match points of a day, and add them to the standings."""
    board = connection.execute(select(_boards).where(_boards.c.day == day)).one()
    row = _rounds.c
    counted = and_(
        row.board_id == board.id,
        ~row.practice,
        row.ended_at.is_not(None),
        row.version == board.version,
    )
    scores = match_points(connection.scalars(select(row.points).where(counted)))
    if scores is not None:
        own = case(scores.by_points, value=row.points)
        connection.execute(update(_rounds).where(counted).values(match_points=own))
        for span in get_args(Span):
            _add(connection, period_of(day_numbered(day), span), counted, scores.chance)
    closed = {"key": _CLOSED, "value": str(day)}
    connection.execute(statements.upsert(schema.app_state), closed)


def _add(
    connection: Connection, period: Period, counted: ColumnElement[bool], chance: float
) -> None:
    """Add the match points of these rounds to the standings of a period."""
    points = _rounds.c.match_points
    values = (literal(period), _rounds.c.user_id, literal(1), points, points * points)
    names = ["period", "user_id", *Standing._fields]
    new = insert(_standings).from_select(names, select(*values, literal(chance)).where(counted))
    sums = {name: _standings.c[name] + new.excluded[name] for name in Standing._fields}
    added = new.on_conflict_do_update(index_elements=list(_standings.primary_key), set_=sums)
    connection.execute(added)
    listed = _standings.c.period == period, _standings.c.days >= FEWEST_DAYS
    means = update(_standings).where(*listed)
    connection.execute(means.values(mean=_standings.c.total / _standings.c.days))


# --- leaderboards --------------------------------------------------------------------------------


def _page(
    connection: Connection,
    scope: Scope,
    period: Period,
    number: int,
    size: int,
    reader: UserId,
) -> DailyLeaders:
    """Return one page of a leaderboard; see `DailyStandingStore.page`."""
    row, listed = _standings.c, _listed(scope, period)
    of_reader = (row.period == period, row.user_id == reader)
    found = connection.execute(select(_standings).where(*of_reader)).one_or_none()
    own_mean = 0.0 if found is None else found.mean or 0.0
    counts = func.count(), func.count().filter(row.mean > own_mean)
    count, better = connection.execute(select(*counts).where(*listed)).one()
    own = None
    if found is not None:
        is_listed = connection.scalar(select(row.user_id).where(*listed, *of_reader)) is not None
        own = DailyLine(1 + better if is_listed else 0, reader, "", _standing(found))
    number = min(number, max(0, (count - 1) // size))
    # One line more, because the mark of the last one depends on it.
    lines = _lines(connection, scope, period, number * size, size + 1)[:size]
    chosen = score_rows.read_preferences(connection, [reader]).get(reader, Preferences())
    return DailyLeaders(number, count, tuple(lines), own, chosen)


def _listed(scope: Scope, period: Period) -> list[ColumnElement[bool]]:
    """Return the conditions of the lines that are listed."""
    row, of_person = _standings.c, _people.c.user_id == _standings.c.user_id
    conditions = [row.period == period, row.mean.is_not(None)]
    if scope == WORLD:
        joined = select(_people).where(of_person, ~_people.c.hidden, _people.c.worldwide)
        return [*conditions, joined.exists()]
    hidden = select(_people).where(of_person, _people.c.hidden)
    opens = (_servers.c.guild_id == scope, _servers.c.user_id == row.user_id)
    return [*conditions, select(_servers).where(*opens).exists(), ~hidden.exists()]


def _lines(
    connection: Connection, scope: Scope, period: Period, first: int, number: int
) -> list[DailyLine]:
    """Return at most `number` lines from line `first`, counted from 0."""
    mean, listed = _standings.c.mean, _listed(scope, period)
    query = select(_standings).where(*listed).order_by(mean.desc(), _standings.c.user_id.desc())
    rows = connection.execute(query.limit(number).offset(first)).all()
    names = _names_of(connection, scope, [row.user_id for row in rows])
    standings = [_standing(row) for row in rows]
    leads = [is_within_chance(*pair) for pair in pairwise(standings)]
    lines: list[DailyLine] = []
    for row, standing, lead in zip(rows, standings, [*leads, False], strict=False):
        if lines and standing.mean == lines[-1].standing.mean:
            place = lines[-1].place
        elif lines or not first:
            place = first + len(lines) + 1
        else:  # people with the same mean may be on the previous page
            better = select(func.count()).where(*listed, mean > row.mean)
            place = 1 + connection.execute(better).scalar_one()
        lines.append(DailyLine(place, row.user_id, names.get(row.user_id, ""), standing, lead))
    return lines


def _names_of(connection: Connection, scope: Scope, users: Collection[UserId]) -> dict[UserId, str]:
    """Return names on a server: those of tables, or else of deals of the day."""
    them = statements.select_numbers(users)
    rounds = select(_rounds.c.user_id, _rounds.c.name).order_by(_rounds.c.id)
    rounds = rounds.where(_rounds.c.guild_id == scope, _rounds.c.user_id.in_(them))
    at_tables = select(_names.c.user_id, _names.c.name)
    at_tables = at_tables.where(_names.c.scope == scope, _names.c.user_id.in_(them))
    rows = [*connection.execute(rounds), *connection.execute(at_tables)]
    return {row.user_id: row.name for row in rows}


def _standing(row: Row[Any]) -> Standing:
    return Standing(*(getattr(row, name) for name in Standing._fields))
