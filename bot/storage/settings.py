"""Which servers want a table of honour, which season they had last, and what was played in one.

Used by the store: each function is the inside of one transaction.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import ColumnElement, Table, and_, case, func, or_, select, update
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.rating.tallies import span_of
from bot.storage import schema
from bot.storage.score_schema import guilds


class Amount(NamedTuple):
    """How much of a game was played: rounds, and matches to their end."""

    rounds: int = 0
    matches: int = 0


async def honours_channel(connection: AsyncConnection, guild_id: int) -> int | None:
    """The channel for a server's table of honour."""
    query = select(guilds.c.honours_channel_id).where(guilds.c.guild_id == guild_id)
    found: int | None = await connection.scalar(query)
    return found


async def choose_channel(
    connection: AsyncConnection, guild_id: int, channel_id: int | None, over: str
) -> None:
    """Keep a server's choice; `over` is the last season that is over.

    Who had no channel so far is not honoured for that one any more.
    """
    statement = insert(guilds).values(
        guild_id=guild_id, honours_channel_id=channel_id, honoured=over
    )
    new = guilds.c.honours_channel_id.is_(None)
    honoured = case((new, statement.excluded.honoured), else_=guilds.c.honoured)
    await connection.execute(
        statement.on_conflict_do_update(
            index_elements=["guild_id"],
            set_={
                "honours_channel_id": statement.excluded.honours_channel_id,
                "honoured": honoured,
            },
        )
    )


async def to_honour(connection: AsyncConnection, season: str) -> dict[int, int]:
    """The channels of the servers that have not been honoured for this season, by server."""
    query = select(guilds.c.guild_id, guilds.c.honours_channel_id).where(
        guilds.c.honours_channel_id.is_not(None), _before(season)
    )
    rows = await connection.execute(query.order_by(guilds.c.guild_id))
    return {row.guild_id: row.honours_channel_id for row in rows}


async def honour(connection: AsyncConnection, guild_id: int, season: str) -> bool:
    """Note that a server is honoured for a season; `False` if it was already."""
    statement = update(guilds).where(guilds.c.guild_id == guild_id, _before(season))
    result = await connection.execute(statement.values(honoured=season))
    return result.rowcount == 1


async def take_back(connection: AsyncConnection, guild_id: int, season: str) -> None:
    """A server was not honoured for this season after all."""
    statement = update(guilds).where(guilds.c.guild_id == guild_id, guilds.c.honoured == season)
    await connection.execute(statement.values(honoured=None))


def _before(season: str) -> ColumnElement[bool]:
    """The condition that a server has been honoured at most for seasons before this one."""
    return or_(guilds.c.honoured.is_(None), guilds.c.honoured < season)


async def amounts(connection: AsyncConnection, guild_id: int, season: str) -> dict[str, Amount]:
    """How much of each game was played on a server in a season; rated or not."""
    rounds = await _number(connection, schema.rounds, guild_id, season)
    finished = schema.matches.c.reason == "finished"
    matches = await _number(connection, schema.matches, guild_id, season, finished)
    return {name: Amount(number, matches.get(name, 0)) for name, number in rounds.items()}


async def _number(
    connection: AsyncConnection,
    table: Table,
    guild_id: int,
    season: str,
    *where: ColumnElement[bool],
) -> dict[str, int]:
    """How many rows of rounds or matches belong to a server and a season, by game."""
    begin, end = span_of(season)
    here = and_(schema.tables.c.guild_id == guild_id, *where)
    query = (
        select(table.c.variant, func.count().label("number"))
        .join_from(schema.tables, table, table.c.table_id == schema.tables.c.id)
        .where(here, table.c.ended_at >= begin, table.c.ended_at < end)
        .group_by(table.c.variant)
    )
    return {row.variant: row.number for row in await connection.execute(query)}
