"""Derives everything anew from the actions, while tables may be played: `HistoryStore.rebuild`.

First the rounds and the match of each table: a table whose rounds are right already is left alone,
each other one is changed in a transaction of its own. From the rounds follow the ratings and
leaderboards. They are computed beside those that are shown, and take their place in one short
transaction, together with what has ended since. A rebuild that is killed has changed no rating.

It may run in another process than the bot. Rounds and matches that end meanwhile are only added;
whoever rewrites what is stored must say so (`derivation.note_rewrite`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple, TypeAlias

from sqlalchemy import Connection, delete, func, or_, select, update

from bot.ids import GuildId, TableId, UserId
from bot.records import (
    ActionRecord,
    Count,
    MatchRecord,
    Ordinal,
    RoundNumber,
    RoundRecord,
    SeatChangeRecord,
    TableRecord,
)
from bot.score_records import Books, Day, Ended, Preferences, ScoreRules
from bot.storage import commits, derivation, rows, schema, score_rows
from bot.storage.database import Database
from bot.storage.errors import StorageError

_DOING = "deriving everything anew"
_AT_ONCE = 1000
_MATCHES_AT_ONCE = 500
_UNKNOWN = 2**31 - 1
_OF_ROUNDS = (schema.round_seats, schema.round_scores, schema.rounds)
_OF_MATCHES = (schema.match_seats, schema.match_scores, schema.matches)
DERIVED = (*_OF_ROUNDS, *_OF_MATCHES)
"""What is derived from the actions of a table; rows that refer to others come first."""
_NO_RECORDS = (ArithmeticError, TypeError, ValueError)
"""What is raised for a value that no record takes."""
_rounds_in_order = select(
    schema.rounds.c.table_id,
    schema.rounds.c.number,
    func.row_number()
    .over(
        order_by=(
            schema.rounds.c.ordinal,
            schema.rounds.c.ended_at,
            schema.rounds.c.table_id,
            schema.rounds.c.number,
        )
    )
    .label("place"),
).subquery("in_order")
_NUMBER = (
    update(schema.rounds)
    .values(ordinal=_rounds_in_order.c.place)
    .where(
        schema.rounds.c.table_id == _rounds_in_order.c.table_id,
        schema.rounds.c.number == _rounds_in_order.c.number,
    )
)
"""Numbers all rounds 1, 2, 3 ... in the order in which they count."""


class Derived(NamedTuple):
    """What follows from the actions of a table."""

    rounds: tuple[RoundRecord, ...]
    match: MatchRecord | None


Derive: TypeAlias = Callable[
    [TableRecord, list[ActionRecord], list[SeatChangeRecord]], Derived | None
]
"""What follows from a table's actions; `None` if they cannot be played again."""


class RebuildResult(NamedTuple):
    """What a rebuild found."""

    rounds: int
    """The number of rounds."""
    matches: int
    """The number of matches that are over."""
    left: tuple[TableId, ...]
    """The tables that it had to leave as they were."""
    first_recent_day: Day
    """The first of the last thirty days: the leaderboards must move on to it, if they have not."""


class _Rewritten(StorageError):
    """Something that was read has been rewritten; nothing of this try is put in place."""


async def rebuild(
    database: Database, derive: Derive, number: int, first_recent_day: Day, rules: ScoreRules
) -> RebuildResult:
    """Derive rounds and matches of all tables anew, then ratings and leaderboards by these rules.

    `number` is that of the derivation, `first_recent_day` the first of the last thirty days.
    """
    while True:
        try:
            return await _rebuilt(database, derive, number, first_recent_day, rules)
        except _Rewritten:
            continue


async def _rebuilt(
    database: Database, derive: Derive, number: int, first_recent_day: Day, rules: ScoreRules
) -> RebuildResult:
    """One try of `rebuild`. Raises `_Rewritten`."""
    rewrites, ids = await database.read(_begin)
    left = [id_ for id_ in ids if not await _derive_table(database, derive, id_, rewrites)]
    await _number_rounds(database)
    new = _Entered(Books(first_recent_day))
    while await database.read(_enter_further, new, rules):
        pass  # what has ended meanwhile is less each time

    def put_in_place(connection: Connection, listed: Mapping[UserId, Preferences]) -> Day:
        derivation.note(connection, number)  # the first write takes the lock
        _check_not_rewritten(connection, rewrites)
        latest = score_rows.first_recent_day(connection)
        score_rows.put_in_place(connection, first_recent_day, listed, rules)
        for ended in _further(connection, new):
            score_rows.enter(connection, ended, rules)
        return latest

    latest = await database.write_prepared(
        _DOING, partial(score_rows.prepare, books=new.books, rules=rules), put_in_place
    )
    return RebuildResult(new.rounds, len(new.matches), tuple(left), max(latest, first_recent_day))


def _begin(connection: Connection) -> tuple[Count, Sequence[TableId]]:
    """Read how often something was rewritten, and the numbers of all tables."""
    query = select(schema.tables.c.id).order_by(schema.tables.c.id)
    return derivation.rewrites(connection), connection.scalars(query).all()


# --- rounds and matches --------------------------------------------------------------------------


async def _derive_table(
    database: Database, derive: Derive, table_id: TableId, rewrites: Count
) -> bool:
    """Derive rounds and match of a table anew; `False` if it had to be left as it is."""
    found = await database.read(_read_table, table_id)
    if found is None:
        return False
    tables, actions, seat_changes, stored = found
    if not tables or not actions:
        return True
    derived = derive(tables[0], actions, seat_changes)
    if derived is None or derived == stored.derived:
        return derived is not None

    def replace(connection: Connection) -> None:
        _check_not_rewritten(connection, rewrites)
        _replace(connection, table_id, stored, derived)

    await database.write_alone(_DOING, replace)
    return True


def _read_table(
    connection: Connection, table_id: TableId
) -> tuple[list[TableRecord], list[ActionRecord], list[SeatChangeRecord], _Stored] | None:
    """Read a table and what is derived from it; `None` if no record takes a value of the table."""
    try:
        tables = rows.read_tables(connection, schema.tables.c.id == table_id)
        actions = rows.read_actions(connection, table_id, 0)
        seat_changes = rows.read_seat_changes(connection, table_id)
    except _NO_RECORDS:
        return None
    return tables, actions, seat_changes, _read_stored(connection, table_id)


class _Stored(NamedTuple):
    """What is stored of the rounds and the match of a table."""

    numbers: frozenset[RoundNumber]
    """The numbers of the rounds."""
    match: bool
    """Whether there is a match that is over."""
    derived: Derived | None
    """All of it; `None` if there are values that no record takes."""


def _read_stored(connection: Connection, table_id: TableId) -> _Stored:
    """What is stored of the rounds and the match of a table."""
    of_rounds = schema.rounds.c.table_id == table_id
    numbers = frozenset(connection.scalars(select(schema.rounds.c.number).where(of_rounds)))
    of_match = schema.matches.c.table_id == table_id
    match = connection.scalar(select(schema.matches.c.table_id).where(of_match)) is not None
    try:
        rounds = rows.read_rounds(connection, of_rounds)
        matches = rows.read_matches(connection, [table_id])
    except _NO_RECORDS:
        return _Stored(numbers, match, None)
    return _Stored(numbers, match, Derived(tuple(rounds.values()), matches.get(table_id)))


def _replace(connection: Connection, table_id: TableId, stored: _Stored, derived: Derived) -> None:
    """Put what follows from a table's actions in place of what was stored, in the same order.

    A round or match that has ended meanwhile is neither in the one nor in the other, and stays.
    """
    rounds = schema.rounds
    query = select(rounds.c.number, rounds.c.ordinal).where(rounds.c.table_id == table_id)
    ordinals = {row.number: row.ordinal for row in connection.execute(query)}
    numbers = stored.numbers | {round_.number for round_ in derived.rounds}
    for table in _OF_ROUNDS:
        here = table.c.table_id == table_id, table.c.number.in_(numbers)
        connection.execute(delete(table).where(*here))
    if stored.match or derived.match is not None:
        for table in _OF_MATCHES:
            connection.execute(delete(table).where(table.c.table_id == table_id))
    commits.insert_ended(
        connection,
        [(table_id, ended) for ended in (*derived.rounds, derived.match) if ended is not None],
        [ordinals.get(round_.number) or _UNKNOWN for round_ in derived.rounds],
    )


def _check_not_rewritten(connection: Connection, rewrites: Count) -> None:
    if derivation.rewrites(connection) != rewrites:
        raise _Rewritten


async def _number_rounds(database: Database) -> None:
    """Number the rounds in the order in which they count, if some have no number of their own."""
    place = schema.rounds.c.ordinal
    unknown = select(place).where(or_(place < 1, place >= _UNKNOWN)).limit(1)
    if await database.read(lambda connection: connection.scalar(unknown)) is not None:
        await database.write_alone(_DOING, lambda connection: connection.execute(_NUMBER))


# --- ratings and leaderboards --------------------------------------------------------------------


@dataclass
class _Entered:
    """The new books, and what is entered there."""

    books: Books
    last: Ordinal = 0
    """The number of the last round, in the order in which they count."""
    rounds: int = 0
    matches: set[TableId] = field(default_factory=set)


def _enter_further(connection: Connection, new: _Entered, rules: ScoreRules) -> bool:
    """Enter what has ended and is not in the new books yet; whether there was anything."""
    found = False
    for ended in _further(connection, new):
        found = True
        rules.enter(new.books, ended)
    return found


def _further(connection: Connection, new: _Entered) -> Iterator[list[Ended]]:
    """All that has ended and is not in the new books yet, in the order in which it counts.

    It comes some at a time, and is taken to be entered then.
    """
    matches = _matches(connection, new.matches)
    new.matches |= {table_id for table_id, _ in matches}
    for some in _rounds(connection, new):
        ended: list[Ended] = []
        for entry in some:
            while matches and matches[-1][1][1].ended_at < entry[1].ended_at:
                ended.append(matches.pop()[1])
            ended.append(entry)
        yield ended
    if matches:
        yield [entry for _, entry in matches[::-1]]


def _rounds(connection: Connection, new: _Entered) -> Iterator[list[Ended]]:
    """The further rounds with their servers, in the order in which they count, some at a time."""
    rounds, tables = schema.rounds, schema.tables
    last = connection.scalar(select(func.max(rounds.c.ordinal))) or 0
    while new.last < last:
        some = rounds.c.ordinal.between(new.last + 1, new.last + _AT_ONCE)
        query = (
            select(rounds.c.table_id, rounds.c.number, tables.c.guild_id)
            .join(tables, tables.c.id == rounds.c.table_id)
            .where(some)
            .order_by(rounds.c.ordinal)
        )
        order: Sequence[tuple[TableId, RoundNumber, GuildId]]
        order = [tuple(row) for row in connection.execute(query)]
        found = rows.read_rounds(connection, some)
        new.last = min(last, new.last + _AT_ONCE)
        new.rounds += len(order)
        yield [(guild_id, found[table_id, number]) for table_id, number, guild_id in order]


def _matches(connection: Connection, without: set[TableId]) -> list[tuple[TableId, Ended]]:
    """All matches that are over but those, by table, with their servers; the last one first."""
    matches, tables = schema.matches, schema.tables
    query = select(matches.c.table_id, tables.c.guild_id).join(
        tables, tables.c.id == matches.c.table_id
    )
    order = matches.c.ended_at.desc(), matches.c.table_id.desc()
    found = connection.execute(query.order_by(*order)).all()
    further = [(row.table_id, row.guild_id) for row in found if row.table_id not in without]
    ended: list[tuple[TableId, Ended]] = []
    for first in range(0, len(further), _MATCHES_AT_ONCE):
        some = further[first : first + _MATCHES_AT_ONCE]
        read = rows.read_matches(connection, [table_id for table_id, _ in some])
        ended += [(table_id, (guild_id, read[table_id])) for table_id, guild_id in some]
    return ended
