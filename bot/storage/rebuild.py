"""Derives everything anew from the actions: rounds, matches, ratings and leaderboards.

It happens inside one transaction: either all of it is new, or all is as it was.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import NamedTuple, TypeAlias

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ids import TableId
from bot.records import ActionRecord, MatchRecord, RoundRecord, SeatChangeRecord, TableRecord
from bot.score_records import Books, Day, Ended, ScoreRules
from bot.storage import books, commits, rows, schema

_AT_ONCE = 1000
_UNKNOWN = 2**31 - 1
DERIVED = (
    schema.round_seats,
    schema.round_scores,
    schema.rounds,
    schema.match_seats,
    schema.match_scores,
    schema.matches,
)
"""What is derived from the actions of a table; rows that refer to others come first."""
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


class Rebuilt(NamedTuple):
    """What a rebuild found, and the tables that it had to leave as they were."""

    rounds: int
    matches: int
    left: tuple[TableId, ...]


async def rebuild(
    connection: AsyncConnection, derive: Derive, first_recent_day: Day, rules: ScoreRules
) -> Rebuilt:
    """Derive rounds and matches of all tables anew, then ratings and leaderboards by these rules.

    `first_recent_day` is the first of the last thirty days.
    """
    left = await _derive_all(connection, derive)
    await connection.execute(_NUMBER)
    new = Books(first_recent_day)
    rounds = 0
    matches = [entry async for entry in _matches(connection)]
    number = len(matches)
    async for some in _rounds(connection):
        rounds += len(some)
        ended: list[Ended] = []
        for guild_id, round_ in some:
            while matches and matches[-1][1].ended_at < round_.ended_at:
                ended.append(matches.pop())
            ended.append((guild_id, round_))
        rules.enter(new, ended)
    rules.enter(new, matches[::-1])
    await books.replace_all(connection, new, rules)
    return Rebuilt(rounds, number, tuple(left))


async def _derive_all(connection: AsyncConnection, derive: Derive) -> list[TableId]:
    """Derive rounds and match of each table anew; the tables that were left as they are."""
    left = []
    ids = (await connection.execute(select(schema.tables.c.id).order_by("id"))).scalars().all()
    for table_id in ids:
        try:
            (record,) = await rows.read_tables(connection, schema.tables.c.id == table_id)
            actions = await rows.read_actions(connection, table_id, 0)
            seat_changes = await rows.read_seat_changes(connection, table_id)
        except (ArithmeticError, TypeError, ValueError):  # a value that no record takes
            left.append(table_id)
            continue
        if not actions:
            continue
        derived = derive(record, actions, seat_changes)
        if derived is None:
            left.append(table_id)
        else:
            await _replace(connection, table_id, derived)
    return left


async def _replace(connection: AsyncConnection, table_id: TableId, derived: Derived) -> None:
    """Put what follows from a table's actions in place of what was stored, in the same order."""
    rounds = schema.rounds
    query = select(rounds.c.number, rounds.c.ordinal).where(rounds.c.table_id == table_id)
    ordinals = {row.number: row.ordinal for row in await connection.execute(query)}
    for table in DERIVED:
        await connection.execute(delete(table).where(table.c.table_id == table_id))
    await commits.insert_ended(
        connection,
        [(table_id, ended) for ended in (*derived.rounds, derived.match) if ended is not None],
        [ordinals.get(round_.number) or _UNKNOWN for round_ in derived.rounds],
    )


async def _rounds(connection: AsyncConnection) -> AsyncIterator[list[Ended]]:
    """All rounds with their servers, in the order in which they count, some at a time."""
    rounds, tables = schema.rounds, schema.tables
    last = await connection.scalar(select(func.max(rounds.c.ordinal))) or 0
    for first in range(0, last, _AT_ONCE):
        some = rounds.c.ordinal.between(first + 1, first + _AT_ONCE)
        query = (
            select(rounds.c.table_id, rounds.c.number, tables.c.guild_id)
            .join(tables, tables.c.id == rounds.c.table_id)
            .where(some)
            .order_by(rounds.c.ordinal)
        )
        order = (await connection.execute(query)).all()
        found = await rows.read_rounds(connection, some)
        yield [(row.guild_id, found[row.table_id, row.number]) for row in order]


async def _matches(connection: AsyncConnection) -> AsyncIterator[Ended]:
    """All matches that are over with their servers, the last one first."""
    matches, tables = schema.matches, schema.tables
    query = select(matches.c.table_id, tables.c.guild_id).join(
        tables, tables.c.id == matches.c.table_id
    )
    order = matches.c.ended_at.desc(), matches.c.table_id.desc()
    for row in (await connection.execute(query.order_by(*order))).all():
        found = await rows.read_matches(connection, [row.table_id])
        yield row.guild_id, found[row.table_id]
