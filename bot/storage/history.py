"""Store of finished rounds and ended matches, derived from actions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Select, Table, and_, func, select, union

from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.records import Count, MatchRecord, RoundNumber, RoundRecord, Seq, TableRecord
from bot.score_records import Amount, Day, PlayerStatistics, Scope, ScoreRules, Variant
from bot.storage import careers, check, derivation, rebuild, rows, schema, statements
from bot.storage.check import ComparisonResult
from bot.storage.database import Database
from bot.storage.ended_matches import EndedQuery
from bot.storage.rebuild import Derive, RebuildResult


class HistoryStore:
    """Store of finished rounds and ended matches; all derived from actions."""

    def __init__(self, database: Database, rules: ScoreRules) -> None:
        self._database = database
        self._rules = rules

    async def last_table(self, channel_id: ChannelId) -> TableRecord | None:
        """Return the newest table of a channel with a finished round, or `None`."""
        tables, rounds = schema.tables.alias(), schema.rounds
        played = select(rounds.c.table_id).where(rounds.c.table_id == tables.c.id).exists()
        of_channel = select(tables.c.id).where(tables.c.channel_id == channel_id, played)
        newest = of_channel.order_by(tables.c.id.desc()).limit(1).scalar_subquery()
        found = await self._database.read(rows.read_tables, schema.tables.c.id == newest)
        return found[0] if found else None

    async def last_table_of(self, user_id: UserId) -> TableRecord | None:
        """Return the newest table with a finished round of this person, or `None`."""
        seats = schema.round_seats.alias()
        newest = select(func.max(seats.c.table_id)).where(seats.c.user_id == user_id)
        table = schema.tables.c.id == newest.scalar_subquery()
        found = await self._database.read(rows.read_tables, table)
        return found[0] if found else None

    async def rounds(self, table_id: TableId) -> list[RoundRecord]:
        """Return the table's finished rounds, by number; [] if unknown."""
        found = await self._database.read(rows.round_rows, schema.rounds.c.table_id == table_id)
        built = await self._database.build_records(rows.round_records, found, len(found.seats))
        return list(built.values())

    async def finished_rounds(self, table_id: TableId) -> Count:
        """Return the number of finished rounds of the table; they are numbered from 1."""
        number = select(func.count()).where(schema.rounds.c.table_id == table_id)
        return await self._database.read(lambda connection: connection.scalars(number).one())

    async def round_ends(self, table_id: TableId) -> dict[RoundNumber, Seq]:
        """Return the seq of the last action of each finished round, by round number.

        Actions after the end of a round may still have its number, such as one that ends the match.
        They are left out, because their time is later.
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

    async def took_part(self, table_id: TableId, user_id: UserId) -> bool:
        """Return whether this person sat in the table's match at any time."""
        found = union(
            *(
                select(t.c.table_id).where(t.c.table_id == table_id, t.c.user_id == user_id)
                for t in (schema.match_seats, schema.round_seats, schema.seat_changes)
            )
        )
        return await self._database.read(lambda connection: connection.scalar(found)) is not None

    async def match(self, table_id: TableId) -> MatchRecord | None:
        """Return the table's match if it has ended, otherwise `None`."""
        return (await self.matches([table_id])).get(table_id)

    async def matches(self, table_ids: Collection[TableId]) -> dict[TableId, MatchRecord]:
        """Return the ended matches of these tables, by table."""
        return await self._database.read(rows.read_matches, table_ids)

    async def ended(self, query: EndedQuery) -> list[TableId]:
        """Return the tables of ended matches; see `EndedQuery`."""

        def select_tables(connection: Connection) -> list[TableId]:
            of_backend = replace(query, lateral=statements.requires_lateral(connection))
            return list(connection.scalars(of_backend.select_ids()))

        return await self._database.read(select_tables)

    async def ended_since(self, guild_id: GuildId, begin: datetime) -> Sequence[TableId]:
        """Return the tables of a server whose matches have ended since this time."""
        matches = schema.matches
        query = (
            select(matches.c.table_id)
            .join(schema.tables, schema.tables.c.id == matches.c.table_id)
            .where(schema.tables.c.guild_id == guild_id, matches.c.ended_at >= begin)
        )
        return await self._database.read(lambda connection: connection.scalars(query).all())

    async def played(
        self, scope: Scope, user_id: UserId, variant: Variant | None = None
    ) -> PlayerStatistics | None:
        """Return a person's rounds and matches in one game in a scope, or `None`.

        Without a `variant` it is the game of which they have played most rounds.
        """
        return await self._database.read(
            careers.read_statistics, scope, user_id, variant, self._rules
        )

    async def amounts(
        self, guild_id: GuildId, begin: datetime, end: datetime
    ) -> dict[Variant, Amount]:
        """Return the numbers of rounds and matches by game on a server in a period.

        Unrated rounds and matches are included. `end` itself is not part of the period.
        """
        finished = schema.matches.c.reason == "finished"
        of_rounds = _count_by_game(schema.rounds, guild_id, begin, end)
        of_matches = _count_by_game(schema.matches, guild_id, begin, end, finished)

        def count(connection: Connection) -> list[dict[Variant, int]]:
            return [
                {row.variant: row.number for row in connection.execute(query)}
                for query in (of_rounds, of_matches)
            ]

        rounds, matches = await self._database.read(count)
        return {name: Amount(number, matches.get(name, 0)) for name, number in rounds.items()}

    async def is_outdated(self, number: int) -> bool:
        """Return whether stored results were derived by another version than `number`."""
        doing = "looking how figures were derived"
        return await self._database.write_alone(doing, derivation.is_outdated, number)

    async def rebuild(self, derive: Derive, number: int, first_recent_day: Day) -> RebuildResult:
        """Derive rounds, matches, ratings and leaderboards again from all actions.

        Tables may be played meanwhile. `number` is the version of the derivation.
        """
        rules = self._rules
        return await rebuild.rebuild(self._database, derive, number, first_recent_day, rules)

    async def compare(self, derive: Derive, number: int) -> ComparisonResult:
        """Rebuild a copy of a database; return how its stored results differed.

        `number` is the version of the derivation. The copy also keeps the previous rows.
        """
        return await check.compare(self._database, derive, number, self._rules)

    async def missing_objects(self) -> list[tuple[str, str]]:
        """Return missing tables, columns, indexes and triggers, by kind and name."""
        return await self._database.read(check.missing_objects)


def _count_by_game(
    table: Table, guild_id: GuildId, begin: datetime, end: datetime, *where: ColumnElement[bool]
) -> Select[tuple[str, int]]:
    """Return the SELECT of the number of rounds or matches in a period, by game."""
    here = and_(schema.tables.c.guild_id == guild_id, *where)
    return (
        select(table.c.variant, func.count().label("number"))
        .join_from(schema.tables, table, table.c.table_id == schema.tables.c.id)
        .where(here, table.c.ended_at >= begin, table.c.ended_at < end)
        .group_by(table.c.variant)
    )
