"""Rebuild of all derived rows from the actions, while tables may be played.

First, the rounds and the match of each table are derived again. If they differ from the stored
ones, the table is changed in a transaction of its own. Then ratings and leaderboards are computed
from all rounds and matches into temporary tables. One short transaction replaces the stored ones,
and enters results that have ended since. A rebuild that is killed has changed no rating.

It may run in another process than the bot. Meanwhile the bot may add rounds and matches. Code that
rewrites stored rows must call `derivation.note_rewrite`, which makes the rebuild start again.
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
_ROUNDS_AT_ONCE = 1000
_MATCHES_AT_ONCE = 500
_UNKNOWN_ORDINAL = 2**31 - 1
"""Ordinal of rounds until `_number_rounds` sets it."""
_ROUND_TABLES = (schema.round_seats, schema.round_scores, schema.rounds)
_MATCH_TABLES = (schema.match_seats, schema.match_scores, schema.matches)
DERIVED = (*_ROUND_TABLES, *_MATCH_TABLES)
"""Database tables derived from the actions of a table; children of foreign keys first."""
_INVALID_VALUES = (ArithmeticError, TypeError, ValueError)
"""Errors of records for invalid stored values."""
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
"""Statement that numbers all rounds 1, 2, 3, ... in counting order."""


class Derived(NamedTuple):
    """Rounds and match that follow from the actions of a table."""

    rounds: tuple[RoundRecord, ...]
    match: MatchRecord | None


Derive: TypeAlias = Callable[
    [TableRecord, list[ActionRecord], list[SeatChangeRecord]], Derived | None
]
"""Function that derives rounds and match; `None` if the actions cannot be replayed."""


class RebuildResult(NamedTuple):
    """Result of a rebuild."""

    rounds: int
    """Number of rounds."""
    matches: int
    """Number of ended matches."""
    skipped: tuple[TableId, ...]
    """Tables whose results could not be derived, and were left unchanged."""
    first_recent_day: Day
    """First of the last thirty days; earlier days must still be removed from leaderboards."""


class _Rewritten(StorageError):
    """Stored rows were rewritten after they were read; the rebuild starts again."""


async def rebuild(
    database: Database, derive: Derive, number: int, first_recent_day: Day, rules: ScoreRules
) -> RebuildResult:
    """Rebuild rounds and matches of all tables, then ratings and leaderboards.

    `derive` derives the results of one table, and `number` is the version of this derivation.
    `first_recent_day` is the first of the last thirty days.
    """
    while True:
        try:
            return await _try_rebuild(database, derive, number, first_recent_day, rules)
        except _Rewritten:
            continue


async def _try_rebuild(
    database: Database, derive: Derive, number: int, first_recent_day: Day, rules: ScoreRules
) -> RebuildResult:
    """Try a rebuild; raise `_Rewritten` if rows are rewritten meanwhile."""
    rewrites, ids = await database.read(_begin)
    skipped = [id_ for id_ in ids if not await _derive_table(database, derive, id_, rewrites)]
    await _number_rounds(database)
    new = _NewBooks(Books(first_recent_day))
    while await database.read(_enter_new_results, new, rules):
        pass  # each pass enters the results that have ended during the previous one

    def replace_scores(connection: Connection, listed: Mapping[UserId, Preferences]) -> Day:
        derivation.set_version(connection, number)  # the first write takes the lock
        _check_not_rewritten(connection, rewrites)
        latest = score_rows.first_recent_day(connection)
        score_rows.replace_scores(connection, first_recent_day, listed, rules)
        for ended in _new_results(connection, new):
            score_rows.enter(connection, ended, rules)
        return latest

    latest = await database.write_prepared(
        _DOING, partial(score_rows.prepare_scores, books=new.books, rules=rules), replace_scores
    )
    first_day = max(latest, first_recent_day)
    return RebuildResult(new.rounds, len(new.matches), tuple(skipped), first_day)


def _begin(connection: Connection) -> tuple[Count, Sequence[TableId]]:
    """Return the number of rewrites, and the ids of all tables."""
    query = select(schema.tables.c.id).order_by(schema.tables.c.id)
    return derivation.rewrite_count(connection), connection.scalars(query).all()


# --- rounds and matches --------------------------------------------------------------------------


async def _derive_table(
    database: Database, derive: Derive, table_id: TableId, rewrites: Count
) -> bool:
    """Derive rounds and match of a table; return False if that is impossible."""
    table_data = await database.read(_read_table, table_id)
    if table_data is None:
        return False
    tables, actions, seat_changes, stored = table_data
    if not tables or not actions:
        return True
    derived = derive(tables[0], actions, seat_changes)
    if derived is None:
        return False
    if derived == stored.derived:
        return True

    def replace(connection: Connection) -> None:
        _check_not_rewritten(connection, rewrites)
        _replace(connection, table_id, stored, derived)

    await database.write_alone(_DOING, replace)
    return True


def _read_table(
    connection: Connection, table_id: TableId
) -> tuple[list[TableRecord], list[ActionRecord], list[SeatChangeRecord], _Stored] | None:
    """Return a table, its actions, seat changes and derived rows; `None` if a value is invalid."""
    try:
        tables = rows.read_tables(connection, schema.tables.c.id == table_id)
        actions = rows.read_actions(connection, table_id, 0)
        seat_changes = rows.read_seat_changes(connection, table_id)
    except _INVALID_VALUES:
        return None
    return tables, actions, seat_changes, _read_stored(connection, table_id)


class _Stored(NamedTuple):
    """Stored rounds and match of a table."""

    numbers: frozenset[RoundNumber]
    """Numbers of the rounds."""
    match: bool
    """True if an ended match is stored."""
    derived: Derived | None
    """The records; `None` if a stored value is invalid."""


def _read_stored(connection: Connection, table_id: TableId) -> _Stored:
    """Return the stored rounds and match of a table."""
    of_rounds = schema.rounds.c.table_id == table_id
    numbers = frozenset(connection.scalars(select(schema.rounds.c.number).where(of_rounds)))
    of_match = schema.matches.c.table_id == table_id
    match = connection.scalar(select(schema.matches.c.table_id).where(of_match)) is not None
    try:
        rounds = rows.read_rounds(connection, of_rounds)
        matches = rows.read_matches(connection, [table_id])
    except _INVALID_VALUES:
        return _Stored(numbers, match, None)
    return _Stored(numbers, match, Derived(tuple(rounds.values()), matches.get(table_id)))


def _replace(connection: Connection, table_id: TableId, stored: _Stored, derived: Derived) -> None:
    """Replace the stored rounds and match of a table by derived ones, keeping their ordinals.

    A round or match that has ended meanwhile is neither in `stored` nor in `derived`, and stays.
    """
    rounds = schema.rounds
    query = select(rounds.c.number, rounds.c.ordinal).where(rounds.c.table_id == table_id)
    ordinals = {row.number: row.ordinal for row in connection.execute(query)}
    numbers = stored.numbers | {round_.number for round_ in derived.rounds}
    for table in _ROUND_TABLES:
        is_replaced = table.c.table_id == table_id, table.c.number.in_(numbers)
        connection.execute(delete(table).where(*is_replaced))
    if stored.match or derived.match is not None:
        for table in _MATCH_TABLES:
            connection.execute(delete(table).where(table.c.table_id == table_id))
    commits.insert_ended(
        connection,
        [(table_id, ended) for ended in (*derived.rounds, derived.match) if ended is not None],
        [ordinals.get(round_.number) or _UNKNOWN_ORDINAL for round_ in derived.rounds],
    )


def _check_not_rewritten(connection: Connection, rewrites: Count) -> None:
    if derivation.rewrite_count(connection) != rewrites:
        raise _Rewritten


async def _number_rounds(database: Database) -> None:
    """Number the rounds in counting order, if some have no ordinal yet."""
    place = schema.rounds.c.ordinal
    unknown = select(place).where(or_(place < 1, place >= _UNKNOWN_ORDINAL)).limit(1)
    if await database.read(lambda connection: connection.scalar(unknown)) is not None:
        await database.write_alone(_DOING, lambda connection: connection.execute(_NUMBER))


# --- ratings and leaderboards --------------------------------------------------------------------


@dataclass
class _NewBooks:
    """Recomputed ratings and totals, with the progress of their computation."""

    books: Books
    """Ratings and totals from the rounds and matches entered so far."""
    last: Ordinal = 0
    """Ordinal of the last round entered."""
    rounds: int = 0
    """Number of rounds entered."""
    matches: set[TableId] = field(default_factory=set)
    """Tables whose match is entered."""


def _enter_new_results(connection: Connection, new: _NewBooks, rules: ScoreRules) -> bool:
    """Enter all results that are missing in the new books; return whether there were any."""
    any_entered = False
    for ended in _new_results(connection, new):
        any_entered = True
        rules.enter(new.books, ended)
    return any_entered


def _new_results(connection: Connection, new: _NewBooks) -> Iterator[list[Ended]]:
    """Yield the rounds and matches missing in the new books, in counting order, in batches.

    All yielded results are marked as entered in `new`. A match comes before the next round that
    ended after it.
    """
    matches = _new_matches(connection, new.matches)
    new.matches |= {table_id for table_id, _ in matches}
    remaining_matches = [ended_match for _, ended_match in matches]  # the earliest at the end
    for rounds in _new_rounds(connection, new):
        batch: list[Ended] = []
        for ended_round in rounds:
            _, round_record = ended_round
            while remaining_matches:
                _, match_record = remaining_matches[-1]
                if match_record.ended_at >= round_record.ended_at:
                    break
                batch.append(remaining_matches.pop())
            batch.append(ended_round)
        yield batch
    if remaining_matches:
        yield remaining_matches[::-1]


def _new_rounds(connection: Connection, new: _NewBooks) -> Iterator[list[Ended]]:
    """Yield the rounds after `new.last` with their servers, in counting order, in batches."""
    rounds, tables = schema.rounds, schema.tables
    last = connection.scalar(select(func.max(rounds.c.ordinal))) or 0
    while new.last < last:
        in_batch = rounds.c.ordinal.between(new.last + 1, new.last + _ROUNDS_AT_ONCE)
        query = (
            select(rounds.c.table_id, rounds.c.number, tables.c.guild_id)
            .join(tables, tables.c.id == rounds.c.table_id)
            .where(in_batch)
            .order_by(rounds.c.ordinal)
        )
        keys: Sequence[tuple[TableId, RoundNumber, GuildId]]
        keys = [tuple(row) for row in connection.execute(query)]
        records = rows.read_rounds(connection, in_batch)
        new.last = min(last, new.last + _ROUNDS_AT_ONCE)
        new.rounds += len(keys)
        yield [(guild_id, records[table_id, number]) for table_id, number, guild_id in keys]


def _new_matches(connection: Connection, without: set[TableId]) -> list[tuple[TableId, Ended]]:
    """Return ended matches with table and server, the last first, except at `without` tables."""
    matches, tables = schema.matches, schema.tables
    query = select(matches.c.table_id, tables.c.guild_id).join(
        tables, tables.c.id == matches.c.table_id
    )
    order = matches.c.ended_at.desc(), matches.c.table_id.desc()
    all_rows = connection.execute(query.order_by(*order)).all()
    keys = [(row.table_id, row.guild_id) for row in all_rows if row.table_id not in without]
    ended: list[tuple[TableId, Ended]] = []
    for first in range(0, len(keys), _MATCHES_AT_ONCE):
        batch = keys[first : first + _MATCHES_AT_ONCE]
        records = rows.read_matches(connection, [table_id for table_id, _ in batch])
        ended += [(table_id, (guild_id, records[table_id])) for table_id, guild_id in batch]
    return ended
