"""Derives everything anew from the actions: rounds, matches, ratings and leaderboards.

Used by the store, inside one transaction: either all of it is new, or all is as it was.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import datetime
from typing import NamedTuple, TypeAlias

from sqlalchemy import delete, func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.rating.ledger import Ledger
from bot.rating.tallies import LAST_DAYS, day_of
from bot.records import (
    ActionRecord,
    MatchRecord,
    RoundRecord,
    SittingRecord,
    TableRecord,
)
from bot.storage import commits, history, rankings, schema, score_schema

_AT_ONCE = 1000
_UNKNOWN = 2**31 - 1
_DERIVED = (
    schema.round_seats,
    schema.round_scores,
    schema.rounds,
    schema.match_seats,
    schema.match_scores,
    schema.matches,
)
_NUMBER = text(
    """UPDATE rounds SET ordinal = place FROM (SELECT table_id AS t, number AS n,
row_number() OVER (ORDER BY ordinal, ended_at, table_id, number) AS place FROM rounds)
WHERE t = rounds.table_id AND n = rounds.number"""
)


class Derived(NamedTuple):
    """What follows from the actions of a table."""

    rounds: tuple[RoundRecord, ...]
    match: MatchRecord | None


Derive: TypeAlias = Callable[[TableRecord, list[ActionRecord], list[SittingRecord]], Derived | None]
"""What follows from a table's actions; `None` if they cannot be played again."""


class Rebuilt(NamedTuple):
    """What a rebuild found, and the tables that it had to leave as they were."""

    rounds: int
    matches: int
    left: tuple[int, ...]


async def is_needed(connection: AsyncConnection) -> bool:
    """Whether there are rated rounds for people, but no ratings."""
    rounds, seats = schema.rounds, schema.round_seats
    counted = select(rounds.c.table_id).where(
        rounds.c.rated,
        seats.c.table_id == rounds.c.table_id,
        seats.c.number == rounds.c.number,
        seats.c.counts_for.is_not(None),
    )
    if await connection.scalar(select(score_schema.ratings.c.scope).limit(1)) is not None:
        return False
    return await connection.scalar(counted.limit(1)) is not None


async def rebuild(connection: AsyncConnection, derive: Derive, now: datetime) -> Rebuilt:
    """Derive rounds and matches of all tables anew, then ratings and leaderboards as of `now`."""
    left = []
    ids = (await connection.execute(select(schema.tables.c.id).order_by("id"))).scalars().all()
    for table_id in ids:
        (record,) = await history.read_tables(connection, schema.tables.c.id == table_id)
        if not record.seq:
            continue
        actions = await history.read_actions(connection, table_id, 0)
        derived = derive(record, actions, await history.read_sittings(connection, table_id))
        if derived is None:
            left.append(table_id)
        else:
            await _replace(connection, table_id, derived)
    await connection.execute(_NUMBER)
    ledger = Ledger(day_of(now) - LAST_DAYS + 1)
    rounds = 0
    ended = [entry async for entry in _matches(connection)]
    matches = len(ended)
    async for guild_id, round_ in _rounds(connection):
        while ended and ended[-1][1].ended_at < round_.ended_at:
            ledger.add_match(*ended.pop())
        ledger.add_round(guild_id, round_)
        rounds += 1
    while ended:
        ledger.add_match(*ended.pop())
    await rankings.begin_anew(connection, ledger)
    return Rebuilt(rounds, matches, tuple(left))


async def _replace(connection: AsyncConnection, table_id: int, derived: Derived) -> None:
    """Put what follows from a table's actions in place of what was stored, in the same order."""
    rounds = schema.rounds
    query = select(rounds.c.number, rounds.c.ordinal).where(rounds.c.table_id == table_id)
    ordinals = {row.number: row.ordinal for row in await connection.execute(query)}
    for table in _DERIVED:
        await connection.execute(delete(table).where(table.c.table_id == table_id))
    await commits.insert_ended(
        connection,
        [(table_id, ended) for ended in (*derived.rounds, derived.match) if ended is not None],
        [ordinals.get(round_.number) or _UNKNOWN for round_ in derived.rounds],
    )


async def _rounds(connection: AsyncConnection) -> AsyncIterator[tuple[int, RoundRecord]]:
    """All rounds with their servers, in the order in which they count."""
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
        found = await history.read_rounds_where(connection, some)
        for row in order:
            yield row.guild_id, found[row.table_id, row.number]


async def _matches(connection: AsyncConnection) -> AsyncIterator[tuple[int, MatchRecord]]:
    """All matches that are over with their servers, the last one first."""
    matches, tables = schema.matches, schema.tables
    query = select(matches.c.table_id, tables.c.guild_id).join(
        tables, tables.c.id == matches.c.table_id
    )
    order = matches.c.ended_at.desc(), matches.c.table_id.desc()
    for row in (await connection.execute(query.order_by(*order))).all():
        found = await history.read_matches(connection, [row.table_id])
        yield row.guild_id, found[row.table_id]
