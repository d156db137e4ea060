"""Rounds and matches that are over, who took part in them, and what they add up to."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Select, Table, and_, func, select, union

from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.records import Count, MatchRecord, RoundNumber, RoundRecord, Seq, TableRecord
from bot.score_records import Amount, Day, PlayerStatistics, ScoreRules, Variant
from bot.storage import careers, check, derivation, rebuild, rows, schema, statements
from bot.storage.check import Compared
from bot.storage.database import Database
from bot.storage.ended_matches import EndedQuery
from bot.storage.rebuild import Derive, RebuildResult


class HistoryStore:
    """Finished rounds and ended matches; all of it is derived from the actions of tables."""

    def __init__(self, database: Database, rules: ScoreRules) -> None:
        self._database = database
        self._rules = rules

    async def last_table(self, channel_id: ChannelId) -> TableRecord | None:
        """The newest table of a channel with a finished round, or None."""
        tables, rounds = schema.tables.alias(), schema.rounds
        played = select(rounds.c.table_id).where(rounds.c.table_id == tables.c.id).exists()
        of_channel = select(tables.c.id).where(tables.c.channel_id == channel_id, played)
        newest = of_channel.order_by(tables.c.id.desc()).limit(1).scalar_subquery()
        found = await self._database.read(rows.read_tables, schema.tables.c.id == newest)
        return found[0] if found else None

    async def rounds(self, table_id: TableId) -> list[RoundRecord]:
        """The table's finished rounds, by number; [] if unknown."""
        found = await self._database.read(rows.round_rows, schema.rounds.c.table_id == table_id)
        built = await self._database.built(rows.rounds_of, found, len(found.seats))
        return list(built.values())

    async def finished_rounds(self, table_id: TableId) -> Count:
        """How many rounds of the table are finished; they are numbered from 1 on."""
        number = select(func.count()).where(schema.rounds.c.table_id == table_id)
        return await self._database.read(lambda connection: connection.scalars(number).one())

    async def round_ends(self, table_id: TableId) -> dict[RoundNumber, Seq]:
        """By number of the table's finished rounds the seq of the action that ended it.

        Later actions that still belong to the round (one that ends the match) are told by their
        time.
        """
        actions, rounds = schema.actions, schema.rounds
        own = (rounds.c.table_id == actions.c.table_id) & (rounds.c.number == actions.c.round)
        query = (
            select(actions.c.round, func.max(actions.c.seq).label("seq"))
            .join(rounds, own & (actions.c.at <= rounds.c.ended_at))
            .where(actions.c.table_id == table_id)
            .group_by(actions.c.round)
        )
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.round: row.seq for row in found}

    async def sat(self, table_id: TableId, user_id: UserId) -> bool:
        """Whether this person sat in the match of this table, be it for a moment."""
        found = union(
            *(
                select(t.c.table_id).where(t.c.table_id == table_id, t.c.user_id == user_id)
                for t in (schema.match_seats, schema.round_seats, schema.seat_changes)
            )
        )
        return await self._database.read(lambda connection: connection.scalar(found)) is not None

    async def match(self, table_id: TableId) -> MatchRecord | None:
        """The table's match if it has ended, else None."""
        return (await self.matches([table_id])).get(table_id)

    async def matches(self, table_ids: Collection[TableId]) -> dict[TableId, MatchRecord]:
        """The matches of these tables that have ended, by table."""
        return await self._database.read(rows.read_matches, table_ids)

    async def ended(self, query: EndedQuery) -> list[TableId]:
        """The tables of matches that are over; see `EndedQuery`."""

        def select_tables(connection: Connection) -> list[TableId]:
            exact = replace(query, lateral=statements.requires_lateral(connection))
            return list(connection.scalars(exact.selected()))

        return await self._database.read(select_tables)

    async def played(
        self, guild_id: GuildId, user_id: UserId, variant: Variant | None = None
    ) -> PlayerStatistics | None:
        """All rounds and matches of a person on a server in one game, `None` if there are none.

        Without a `variant` it is the game of which they have most rounds.
        """
        return await self._database.read(
            careers.read_played, guild_id, user_id, variant, self._rules
        )

    async def amounts(
        self, guild_id: GuildId, begin: datetime, end: datetime
    ) -> dict[Variant, Amount]:
        """How much of each game was played on a server between two moments, rated or not."""
        finished = schema.matches.c.reason == "finished"
        of_rounds = _number(schema.rounds, guild_id, begin, end)
        of_matches = _number(schema.matches, guild_id, begin, end, finished)

        def count(connection: Connection) -> list[dict[Variant, int]]:
            return [
                {row.variant: row.number for row in connection.execute(query)}
                for query in (of_rounds, of_matches)
            ]

        rounds, matches = await self._database.read(count)
        return {name: Amount(number, matches.get(name, 0)) for name, number in rounds.items()}

    async def is_outdated(self, number: int) -> bool:
        """Whether rounds, ratings and leaderboards were not derived by the derivation `number`."""
        doing = "looking how figures were derived"
        return await self._database.write_alone(doing, derivation.is_outdated, number)

    async def rebuild(self, derive: Derive, number: int, first_recent_day: Day) -> RebuildResult:
        """Derive rounds, matches, ratings and leaderboards anew from the actions of all tables.

        Tables may be played meanwhile. `number` is that of the derivation.
        """
        rules = self._rules
        return await rebuild.rebuild(self._database, derive, number, first_recent_day, rules)

    async def compare(self, derive: Derive, number: int) -> Compared:
        """What is stored otherwise than it follows from the actions; for a copy of a database.

        `number` is that of the derivation. Afterwards the copy is as after a rebuild, and holds
        more.
        """
        return await check.compare(self._database, derive, number, self._rules)

    async def missing_parts(self) -> list[tuple[str, str]]:
        """What the database has lost: kind and name of tables, columns, indexes and triggers."""
        return await self._database.read(check.missing_parts)


def _number(
    table: Table, guild_id: GuildId, begin: datetime, end: datetime, *where: ColumnElement[bool]
) -> Select[tuple[str, int]]:
    """How many rows of rounds or matches belong to a server and a time, by game."""
    here = and_(schema.tables.c.guild_id == guild_id, *where)
    return (
        select(table.c.variant, func.count().label("number"))
        .join_from(schema.tables, table, table.c.table_id == schema.tables.c.id)
        .where(here, table.c.ended_at >= begin, table.c.ended_at < end)
        .group_by(table.c.variant)
    )
