"""Ratings and leaderboards in the database: entries, places, and what people chose about them.

Used by the store: each function is (a part of) the inside of one transaction.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from typing import Any, Literal, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, Row, Table, and_, bindparam, delete, func, select, tuple_
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.rating.ledger import Ledger, Line, Person, persons
from bot.rating.ratings import Rating
from bot.rating.tallies import EVER, LAST_DAYS, LATELY, WORLD, Tally, day_of, season_of
from bot.records import MatchRecord, RoundRecord
from bot.storage import schema, score_schema

Order: TypeAlias = Literal["rating", "wins", "win_rate", "points", "calls"]
_LATELY_FROM = "lately-from"
_AT_ONCE = 5000
_OLD_AT_ONCE = 1000


class Wanted(NamedTuple):
    """What somebody has chosen: to be on no leaderboard, to be on the one of all servers."""

    hidden: bool = False
    worldwide: bool = False

    def listed(self, scope: int) -> bool:
        """Whether others find him on the leaderboards of this scope."""
        return not self.hidden and (self.worldwide or scope != WORLD)


class Board(NamedTuple):
    """Which leaderboard: of a server or `WORLD`, a game, a period, ordered by what."""

    scope: int
    variant: str
    period: str
    order: Order

    @property
    def here(self) -> ColumnElement[bool]:
        """The condition that a line belongs to it."""
        lines = score_schema.standings.c
        here = lines.scope == self.scope, lines.variant == self.variant
        return and_(*here, lines.period == self.period)

    @property
    def value(self) -> ColumnElement[Any]:
        """The column that decides."""
        return score_schema.standings.c[f"by_{self.order}"]


class Place(NamedTuple):
    """A line of a leaderboard: `place` counts from 1, equal values have the same; who stands there.

    `value` is what decides the place: a rating, a number of wins, a rate from 0 to 1, or points (in
    a game of places: percent); `None`, with place 0, for who is not listed.
    """

    place: int
    user_id: int
    name: str
    value: float | None
    tally: Tally
    rating: float


class Leaders(NamedTuple):
    """A part of a leaderboard, and how many lines the whole of it has."""

    size: int
    places: tuple[Place, ...]


Ended: TypeAlias = RoundRecord | MatchRecord


async def enter(connection: AsyncConnection, ended: Sequence[tuple[int, Ended]]) -> None:
    """Enter rounds and matches, each with its server, in the order in which they count."""
    ledger = Ledger(await _lately_from(connection))
    await _fill_in(connection, ledger, ended)
    enter_all(ledger, ended)
    await write(connection, ledger)


def enter_all(ledger: Ledger, ended: Iterable[tuple[int, Ended]]) -> None:
    """Enter rounds and matches in books that hold all they need."""
    for guild_id, record in ended:
        if isinstance(record, RoundRecord):
            ledger.add_round(guild_id, record)
        else:
            ledger.add_match(guild_id, record)


async def _fill_in(
    connection: AsyncConnection, ledger: Ledger, ended: Sequence[tuple[int, Ended]]
) -> None:
    """What is stored of everybody whom these rounds and matches concern."""
    who = {
        person
        for guild_id, record in ended
        for scope in (guild_id, WORLD)
        for person in persons(scope, record)
    }
    ratings, lines, tallies = score_schema.ratings, score_schema.standings, score_schema.tallies
    for row in await _rows(connection, ratings, who):
        person = _person(row)
        ledger.ratings[person] = Rating(row.mu, row.sigma)
        ledger.rounds[person] = row.rounds
    periods = {EVER, LATELY, *(season_of(record.ended_at) for _, record in ended)}
    days = {day_of(record.ended_at) for _, record in ended}
    for row in await _rows(connection, lines, who, lines.c.period.in_(periods)):
        line = Line(_person(row), row.period)
        ledger.lines[line], ledger.shown[line] = _tally(row), row.rating
    for row in await _rows(connection, tallies, who, tallies.c.day.in_(days)):
        ledger.tallies[_person(row), row.day] = _tally(row)


async def write(connection: AsyncConnection, ledger: Ledger) -> None:
    """Store everything that the books hold."""
    await _put(
        connection,
        score_schema.ratings,
        (
            {**who._asdict(), **rating._asdict(), "rounds": ledger.rounds[who]}
            for who, rating in ledger.ratings.items()
        ),
    )
    await _put(
        connection,
        score_schema.rating_days,
        (
            {**who._asdict(), "day": day, **rating._asdict()}
            for (who, day), rating in ledger.rating_days.items()
        ),
    )
    await _put(
        connection,
        score_schema.tallies,
        (
            {**who._asdict(), "day": day, **tally._asdict()}
            for (who, day), tally in ledger.tallies.items()
        ),
    )
    wanted = await _wanted(connection, {line.person.user_id for line in ledger.lines})
    await _put(
        connection,
        score_schema.standings,
        (
            _line_row(line, tally, ledger.shown[line], wanted)
            for line, tally in ledger.lines.items()
        ),
    )


def _line_row(
    line: Line, tally: Tally, rating: float, wanted: dict[int, Wanted]
) -> dict[str, object]:
    values = tally.values(rating)
    if not wanted.get(line.person.user_id, Wanted()).listed(line.person.scope):
        values = dict.fromkeys(values)
    row = {**line.person._asdict(), "period": line.period, **tally._asdict()}
    return {**row, "rating": rating, **values}


async def _put(
    connection: AsyncConnection, table: Table, rows: Iterable[dict[str, object]]
) -> None:
    """Insert rows, in place of those with the same key."""
    statement = insert(table)
    changed = {c.name: statement.excluded[c.name] for c in table.columns if not c.primary_key}
    statement = statement.on_conflict_do_update(
        index_elements=list(table.primary_key), set_=changed
    )
    left = iter(rows)
    while batch := list(islice(left, _AT_ONCE)):
        await connection.execute(statement, batch)


async def _rows(
    connection: AsyncConnection, table: Table, who: Iterable[Person], *where: ColumnElement[bool]
) -> list[Row[Any]]:
    """The rows of a table that belong to these people."""
    users = defaultdict(list)
    for scope, variant, user_id in who:
        users[scope, variant].append(user_id)
    found: list[Row[Any]] = []
    for (scope, variant), all_users in users.items():  # SQLite finds no index for tuples
        here = table.c.scope == scope, table.c.variant == variant
        left = iter(all_users)
        while some := list(islice(left, _AT_ONCE)):
            query = select(table).where(*here, table.c.user_id.in_(some), *where)
            found += (await connection.execute(query)).all()
    return found


def _person(row: Row[Any]) -> Person:
    return Person(row.scope, row.variant, row.user_id)


def _tally(row: Row[Any]) -> Tally:
    return Tally(*(getattr(row, name) for name in Tally._fields))


# --- the last thirty days ------------------------------------------------------------------------


async def _lately_from(connection: AsyncConnection) -> int:
    """The first day that still belongs to `LATELY`; before the first look at it, the first ever."""
    query = select(schema.app_state.c.value).where(schema.app_state.c.key == _LATELY_FROM)
    return int(await connection.scalar(query) or 0)


async def is_lately(connection: AsyncConnection, today: int) -> bool:
    """Whether `LATELY` is what it should be on this day."""
    return await _lately_from(connection) >= today - LAST_DAYS + 1


async def move_on(connection: AsyncConnection, today: int) -> bool:
    """Take some of what belongs to the last thirty days no more off them; whether that was all."""
    first = today - LAST_DAYS + 1
    tallies, lines = score_schema.tallies, score_schema.standings
    key = tuple_(*tallies.primary_key)
    query = select(tallies).where(tallies.c.day < first).order_by(*tallies.primary_key)
    rows = (await connection.execute(query.limit(_OLD_AT_ONCE))).all()
    old: dict[Person, Tally] = {}
    for row in rows:
        old[_person(row)] = old.get(_person(row), Tally()).plus(_tally(row))
    wanted = await _wanted(connection, {person.user_id for person in old})
    changed, gone = [], []
    for row in await _rows(connection, lines, old, lines.c.period == LATELY):
        line = Line(_person(row), LATELY)
        left = _tally(row).plus(old[line.person], -1)
        changed.append(_line_row(line, left, row.rating, wanted))
        if left == Tally():
            gone.append({f"{name}_": value for name, value in line.person._asdict().items()})
    await _put(connection, lines, changed)
    if gone:
        here = (lines.c[name] == bindparam(f"{name}_") for name in Person._fields)
        emptied = delete(lines).where(*here, lines.c.period == LATELY)
        await connection.execute(emptied, gone)
    if len(rows) == _OLD_AT_ONCE:
        last = tuple_(*(getattr(rows[-1], column.name) for column in tallies.primary_key))
        await connection.execute(delete(tallies).where(key <= last))
        return False
    await connection.execute(delete(tallies).where(tallies.c.day < first))
    await _set_lately_from(connection, first)
    return True


async def _set_lately_from(connection: AsyncConnection, first: int) -> None:
    """Remember with which day `LATELY` begins."""
    statement = insert(schema.app_state).values(key=_LATELY_FROM, value=str(first))
    await connection.execute(
        statement.on_conflict_do_update(
            index_elements=["key"], set_={"value": statement.excluded.value}
        )
    )


# --- leaderboards --------------------------------------------------------------------------------


async def leaders(connection: AsyncConnection, board: Board, first: int, number: int) -> Leaders:
    """So many lines of a leaderboard, from the `first` on, which counts from 0."""
    value, lines = board.value, score_schema.standings
    there = board.here, value.is_not(None)
    counting = select(func.count()).select_from(lines).where(*there)
    size = int((await connection.execute(counting)).scalar_one())
    number = max(0, min(number, size - first))
    from_above = 2 * first <= size  # what is skipped has to be walked through
    order = (value.desc(), lines.c.user_id.desc()) if from_above else (value, lines.c.user_id)
    skipped = first if from_above else size - first - number
    users = select(lines.c.user_id).where(*there).order_by(*order).limit(number).offset(skipped)
    query = select(lines).where(board.here, lines.c.user_id.in_(users))
    query = query.order_by(value.desc(), lines.c.user_id.desc())
    rows = (await connection.execute(query)).all() if number else []
    called = await names(connection, board.scope, [row.user_id for row in rows])
    places: list[Place] = []
    for row in rows:
        worth = float(getattr(row, value.name))
        if places and worth == places[-1].value:
            place = places[-1].place
        elif places:
            place = first + len(places) + 1
        else:
            place = first + 1 - await _equals_before(connection, board, row.user_id, worth)
        name = called.get(row.user_id, "")
        places.append(Place(place, row.user_id, name, worth, _tally(row), row.rating))
    return Leaders(size, tuple(places))


async def own_place(connection: AsyncConnection, board: Board, user_id: int) -> Place | None:
    """Somebody's own line; place 0 if he is not on this leaderboard, `None` if there is no line."""
    lines = score_schema.standings
    query = select(lines).where(board.here, lines.c.user_id == user_id)
    row = (await connection.execute(query)).first()
    if row is None:
        return None
    worth = getattr(row, board.value.name)
    place = 0 if worth is None else await _place(connection, board, worth)
    name = (await names(connection, board.scope, [user_id])).get(user_id, "")
    return Place(place, user_id, name, worth, _tally(row), row.rating)


async def names(connection: AsyncConnection, scope: int, users: Collection[int]) -> dict[int, str]:
    """What people are called in a scope, as far as that is known."""
    called = score_schema.names
    query = select(called).where(called.c.scope == scope, called.c.user_id.in_(users))
    return {row.user_id: row.name for row in await connection.execute(query)}


async def _equals_before(
    connection: AsyncConnection, board: Board, user_id: int, worth: float
) -> int:
    """How many people stand before somebody with the same value."""
    lines = score_schema.standings
    same = board.here, board.value == worth, lines.c.user_id > user_id
    query = select(func.count()).select_from(lines).where(*same)
    return int((await connection.execute(query)).scalar_one())


async def _place(connection: AsyncConnection, board: Board, worth: float) -> int:
    lines = score_schema.standings
    query = select(func.count()).select_from(lines).where(board.here, board.value > worth)
    return 1 + int((await connection.execute(query)).scalar_one())


async def ratings_of(
    connection: AsyncConnection, scope: int, variant: str, users: Iterable[int]
) -> dict[int, Rating]:
    """The ratings of these people, as far as they have one."""
    people = {Person(scope, variant, user_id) for user_id in users}
    rows = await _rows(connection, score_schema.ratings, people)
    return {row.user_id: Rating(row.mu, row.sigma) for row in rows}


async def public_ratings_of(
    connection: AsyncConnection, scope: int, variant: str, users: Collection[int]
) -> dict[int, Rating]:
    """The ratings of those who are not hidden, as far as they have one."""
    chosen = await _wanted(connection, users)
    shown = [user_id for user_id in users if not chosen.get(user_id, Wanted()).hidden]
    return await ratings_of(connection, scope, variant, shown)


async def rating_days(
    connection: AsyncConnection, scope: int, variant: str, user_id: int
) -> list[tuple[int, Rating]]:
    """Somebody's rating at the end of each day on which he played, oldest first."""
    days = score_schema.rating_days
    query = select(days.c.day, days.c.mu, days.c.sigma).where(
        days.c.scope == scope, days.c.variant == variant, days.c.user_id == user_id
    )
    rows = await connection.execute(query.order_by(days.c.day))
    return [(row.day, Rating(row.mu, row.sigma)) for row in rows]


# --- what people want ----------------------------------------------------------------------------


async def _wanted(connection: AsyncConnection, users: Collection[int]) -> dict[int, Wanted]:
    """What these people have chosen, as far as they have."""
    people = score_schema.people
    left, found = iter(users), {}
    while some := list(islice(left, _AT_ONCE)):
        for row in await connection.execute(select(people).where(people.c.user_id.in_(some))):
            found[row.user_id] = Wanted(row.hidden, row.worldwide)
    return found


async def wanted(connection: AsyncConnection, user_id: int) -> Wanted:
    """What somebody has chosen."""
    return (await _wanted(connection, [user_id])).get(user_id, Wanted())


async def choose(connection: AsyncConnection, user_id: int, chosen: Wanted, name: str) -> None:
    """Keep what somebody of this name has chosen; from now on the leaderboards follow it."""
    own = {"user_id": user_id, **chosen._asdict()}
    await _put(connection, score_schema.people, [own])
    if chosen.worldwide:
        await _put(
            connection, score_schema.names, [{"scope": WORLD, "user_id": user_id, "name": name}]
        )
    lines = score_schema.standings
    rows = await connection.execute(select(lines).where(lines.c.user_id == user_id))
    await _put(
        connection,
        lines,
        [
            _line_row(Line(_person(row), row.period), _tally(row), row.rating, {user_id: chosen})
            for row in rows
        ],
    )


async def begin_anew(connection: AsyncConnection, ledger: Ledger) -> None:
    """Put these books in place of everything that is derived."""
    for name in ("ratings", "rating_days", "standings", "tallies"):
        table: Table = getattr(score_schema, name)
        await connection.execute(delete(table))
    await _set_lately_from(connection, ledger.lately_from)
    await write(connection, ledger)
