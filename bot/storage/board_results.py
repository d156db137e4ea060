"""Queries that compare results on a board: of everyone, and of the members of a server."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, case, func, select

from bot.board_records import Comparison, MemberResult, SoloRound
from bot.ids import BoardId, GuildId
from bot.storage import schema, score_schema
from bot.storage.database import Database

_rounds = schema.solo_rounds.c


class BoardResultStore:
    """Store of finished rounds that count, by board."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def compare(self, own: SoloRound, guild_id: GuildId | None = None) -> Comparison:
        """Return the comparison of a finished round with all others of its board.

        With `guild_id`, compare only those of people who open the deal of the day there.
        """
        conditions = [*_counting(own.board_id), _rounds.user_id != own.user_id]
        if guild_id is not None:
            conditions.append(_opens_in(guild_id))
        points = _rounds.points
        counts = (
            func.count().filter(condition)
            for condition in (points < own.points, points == own.points, points > own.points)
        )
        query = select(*counts).where(*conditions)
        row = await self._database.read(lambda connection: connection.execute(query).one())
        return Comparison(row[0], row[1], row[2])

    async def of_server(self, board_id: BoardId, guild_id: GuildId) -> tuple[MemberResult, ...]:
        """Return the results of people who open the deal of the day in a server, best first.

        People who are listed nowhere are left out.
        """
        people = score_schema.people.c
        hidden = select(people.user_id).where(people.hidden)
        listed = _opens_in(guild_id), _rounds.user_id.not_in(hidden)
        name = case((_rounds.guild_id == guild_id, _rounds.name), else_="")
        query = (
            select(_rounds.user_id, name, _rounds.points, _rounds.call, _rounds.call_made)
            .where(*_counting(board_id), *listed)
            .order_by(_rounds.points.desc(), _rounds.id)
        )
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return tuple(MemberResult(*row) for row in rows)


def _counting(board_id: BoardId) -> list[ColumnElement[Any]]:
    """Return the conditions of finished rounds of a board that count."""
    return [_rounds.board_id == board_id, ~_rounds.practice, _rounds.ended_at.is_not(None)]


def _opens_in(guild_id: GuildId) -> ColumnElement[bool]:
    """Return the condition of people who open the deal of the day in this server."""
    servers = schema.daily_servers.c
    return _rounds.user_id.in_(select(servers.user_id).where(servers.guild_id == guild_id))
