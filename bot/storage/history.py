"""Reads stored tables, actions, rounds and matches back into records. Used by the store.

Each call reads inside one transaction of its caller, so that it sees one state of the database.
"""

from collections import defaultdict
from collections.abc import Collection
from typing import TypeVar

from pydantic import BaseModel
from sqlalchemy import ColumnElement, Table, TextClause, func, select, text, union
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.records import (
    ActionRecord,
    EndedMatch,
    MatchRecord,
    MatchScore,
    MatchSeat,
    RoundRecord,
    RoundScore,
    RoundSeat,
    SeatRecord,
    SittingRecord,
    TableRecord,
)
from bot.storage import schema

_R = TypeVar("_R", bound=BaseModel)
_Condition = ColumnElement[bool] | TextClause

IS_OPEN = text(schema.OPEN)

_SEQ = (
    select(func.coalesce(func.max(schema.actions.c.seq), 0))
    .where(schema.actions.c.table_id == schema.tables.c.id)
    .scalar_subquery()
    .label("seq")
)


async def read_tables(connection: AsyncConnection, condition: _Condition) -> list[TableRecord]:
    """The tables that fulfil the condition, by id, each with its seats."""
    query = select(schema.tables, _SEQ).where(condition).order_by(schema.tables.c.id)
    tables = (await connection.execute(query)).mappings().all()
    ids = select(schema.tables.c.id).where(condition)
    seats = await _parts(
        connection, schema.seats, SeatRecord, "table_id", schema.seats.c.table_id.in_(ids)
    )
    return [TableRecord(**table, seats=tuple(seats[table["id"]])) for table in tables]


async def read_actions(
    connection: AsyncConnection, table_id: int, after: int
) -> list[ActionRecord]:
    """The table's actions whose seq is greater than `after`, in order."""
    actions = schema.actions
    where = (actions.c.table_id == table_id) & (actions.c.seq > after)
    parts = await _parts(connection, actions, ActionRecord, "table_id", where)
    return parts[table_id]


async def read_sittings(connection: AsyncConnection, table_id: int) -> list[SittingRecord]:
    """Who had which seat of the table's match from when on, in order."""
    where = schema.sittings.c.table_id == table_id
    parts = await _parts(connection, schema.sittings, SittingRecord, "table_id", where)
    return parts[table_id]


async def read_sat(
    connection: AsyncConnection, table_ids: Collection[int], user_id: int
) -> set[int]:
    """Those of these tables in whose match this person sat, be it for a moment."""
    found = union(
        *(
            select(t.c.table_id).where(t.c.table_id.in_(table_ids), t.c.user_id == user_id)
            for t in (schema.match_seats, schema.round_seats, schema.sittings)
        )
    )
    return set(await connection.scalars(found))


async def read_round_ends(connection: AsyncConnection, table_id: int) -> dict[int, int]:
    """By number of the table's finished rounds the seq of the action that ended it.

    Later actions that still belong to the round (one that ends the match) are told by their time.
    """
    actions, rounds = schema.actions, schema.rounds
    own = (rounds.c.table_id == actions.c.table_id) & (rounds.c.number == actions.c.round)
    query = (
        select(actions.c.round, func.max(actions.c.seq).label("seq"))
        .join(rounds, own & (actions.c.at <= rounds.c.ended_at))
        .where(actions.c.table_id == table_id)
        .group_by(actions.c.round)
    )
    return {row.round: row.seq for row in await connection.execute(query)}


async def read_rounds(connection: AsyncConnection, table_id: int) -> list[RoundRecord]:
    """The table's finished rounds, by number."""
    found = await read_rounds_where(connection, schema.rounds.c.table_id == table_id)
    return list(found.values())


async def read_rounds_where(
    connection: AsyncConnection, where: _Condition
) -> dict[tuple[int, int], RoundRecord]:
    """The finished rounds that fulfil the condition, by table and number."""
    rounds, scores, seats = schema.rounds, schema.round_scores, schema.round_seats
    names = ("number", "ended_at", "result", "variant", "rated")
    query = select(rounds.c.table_id, *(rounds.c[name] for name in names)).where(where)
    found = (await connection.execute(query.order_by(*rounds.primary_key))).all()
    scores_of = await _of_rounds(connection, scores, RoundScore, where)
    seats_of = await _of_rounds(connection, seats, RoundSeat, where)
    records = {}
    for table_id, number, *values in found:
        key = table_id, number
        records[key] = RoundRecord(
            number=number,
            **dict(zip(names[1:], values, strict=True)),
            scores=tuple(scores_of[key]),
            seats=tuple(seats_of[key]),
        )
    return records


async def _of_rounds(
    connection: AsyncConnection, table: Table, record: type[_R], where: _Condition
) -> dict[tuple[int, int], list[_R]]:
    """The rows that belong to the rounds which fulfil the condition, as records."""
    rounds, names = schema.rounds, list(record.model_fields)
    query = (
        select(table.c.table_id, table.c.number, *(table.c[name] for name in names))
        .join(
            rounds,
            (rounds.c.table_id == table.c.table_id) & (rounds.c.number == table.c.number),
        )
        .where(where)
        .order_by(*table.primary_key)
    )
    parts: dict[tuple[int, int], list[_R]] = defaultdict(list)
    for table_id, number, *values in await connection.execute(query):
        parts[table_id, number].append(record(**dict(zip(names, values, strict=True))))
    return parts


async def read_matches(
    connection: AsyncConnection, table_ids: Collection[int]
) -> dict[int, MatchRecord]:
    """The matches of these tables that have ended, by table."""
    matches, scores, seats = schema.matches, schema.match_scores, schema.match_seats
    names = ("table_id", "variant", "ended_at", "reason", "rounds", "rated")
    columns = (matches.c[name] for name in names)
    query = select(*columns).where(matches.c.table_id.in_(table_ids))
    rows = (await connection.execute(query)).mappings().all()
    scores_of = await _parts(
        connection, scores, MatchScore, "table_id", scores.c.table_id.in_(table_ids)
    )
    seats_of = await _parts(
        connection, seats, MatchSeat, "table_id", seats.c.table_id.in_(table_ids)
    )
    found = {}
    for row in rows:
        values = dict(row)
        at = values.pop("table_id")
        found[at] = MatchRecord(**values, scores=tuple(scores_of[at]), seats=tuple(seats_of[at]))
    return found


async def read_ended(
    connection: AsyncConnection,
    guild_id: int,
    *,
    user_id: int | None,
    channel_id: int | None,
    beyond: int | None,
    newer: bool,
    limit: int,
) -> list[EndedMatch]:
    """Matches that have ended, away from the table `beyond`.

    Going to `newer` ones the next one is the first, else the newest. With `user_id` only those in
    which this person sat, be it for one round.
    """
    tables = schema.tables
    ended = tables.join(schema.matches, schema.matches.c.table_id == tables.c.id)
    where = (tables.c.channel_id, tables.c.parent_channel_id)
    query = select(tables.c.id.label("table_id"), *where).select_from(ended)
    query = query.where(tables.c.guild_id == guild_id)
    if channel_id is not None:
        query = query.where(tables.c.channel_id == channel_id)
    if user_id is not None:
        sat = (schema.match_seats, schema.round_seats)
        there = (select(t.c.table_id).where(t.c.user_id == user_id) for t in sat)
        query = query.where(tables.c.id.in_(union(*there)))
    if beyond is not None:
        query = query.where(tables.c.id > beyond if newer else tables.c.id < beyond)
    query = query.order_by(tables.c.id if newer else tables.c.id.desc()).limit(limit)
    return [EndedMatch(**row) for row in (await connection.execute(query)).mappings()]


async def _parts(
    connection: AsyncConnection, table: Table, record: type[_R], owner: str, where: _Condition
) -> dict[int, list[_R]]:
    """The rows of a table as records, in the order of their key, grouped by the owner's number."""
    names = list(record.model_fields)
    query = select(table.c[owner].label("owner_"), *(table.c[name] for name in names))
    query = query.where(where).order_by(*table.primary_key)
    parts: dict[int, list[_R]] = defaultdict(list)
    for owner_id, *values in await connection.execute(query):
        parts[owner_id].append(record(**dict(zip(names, values, strict=True))))
    return parts
