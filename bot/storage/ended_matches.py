"""Queries for one page of the ended matches that a person may see.

Even if a server has very many matches, a query reads only a few of each channel that the person
sees, and at most `MOST_OWN` of their own. It never scans matches that they cannot see.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Select,
    Table,
    and_,
    exists,
    or_,
    select,
    true,
    union,
)

from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.storage import schema, statements

MOST_OWN = 2000
"""Largest number of a person's own matches that are searched, nearest to the page first."""


_SEAT_TABLES = (schema.match_seats, schema.round_seats, schema.seat_changes)
"""Database tables with the people who sat at a table."""


@dataclass(frozen=True, slots=True)
class Sight:
    """Channels and threads of a server that a person sees, as far as the bot knows them now.

    The bot knows no archived or deleted threads. A thread that the bot has opened is visible to
    everyone who sees its parent channel. Other unknown threads and deleted channels are visible
    only to people who played there.
    """

    asker_id: UserId
    """Id of the person."""
    seen: frozenset[ChannelId]
    """Channels and threads that they see."""
    known: frozenset[ChannelId]
    """All existing channels and threads that the bot knows."""


@dataclass(frozen=True, slots=True)
class EndedQuery:
    """Query for ended matches."""

    guild_id: GuildId
    """Id of the server."""
    sight: Sight
    """Restriction to matches that this person may see."""
    user_id: UserId | None = None
    """Restriction to matches in which this user sat, even for one round."""
    channel_id: ChannelId | None = None
    """Restriction to one channel."""
    beyond: TableId | None = None
    """Restriction to tables before this one, or after it if `newer`."""
    newer: bool = False
    """True for the oldest matches after `beyond`, False for the newest before it."""
    limit: int = 100
    """Largest number of matches."""

    lateral: bool = False
    """True to use LATERAL; see `statements.requires_lateral`."""

    def select_ids(self) -> Select[tuple[TableId]]:
        """Return the SELECT of table ids, nearest to `beyond` first."""
        if self.user_id is not None:
            sat = self._tables_with_seat(self.user_id, schema.match_seats, schema.round_seats)
            tables = schema.tables.alias()
            of_user = select(tables.c.id).join_from(sat, tables, tables.c.id == sat.c.table_id)
            of_user = of_user.where(*self._conditions(tables), self._visible(tables))
            return self._nearest(of_user, tables.c.id)
        parts = [self._in_seen_channels()]
        if self.channel_id not in self.sight.known:
            parts += [self._in_unknown_threads(), self._own_in_deleted_channels()]
        together = union(*parts).subquery()
        return self._nearest(select(together.c.id), together.c.id)

    # --- partial queries -----------------------------------------------------------------------

    def _in_seen_channels(self) -> Select[tuple[TableId]]:
        """Select the nearest matches of each channel and thread that the person sees."""
        wanted = {self.channel_id} if self.channel_id is not None else self.sight.seen
        return self._nearest_of_each(self.sight.seen & wanted, "channel_id")

    def _in_unknown_threads(self) -> Select[tuple[TableId]]:
        """Select the nearest matches in unknown threads of each visible channel.

        If the query is restricted to one channel, select only those in this unknown thread.
        """
        if self.channel_id is None:
            return self._nearest_of_each(self.sight.seen, "parent_channel_id", unknown_threads=True)
        tables = schema.tables.alias()
        in_thread = select(tables.c.id).where(
            *self._conditions(tables), self._in_unknown_thread(tables)
        )
        # SQLite forbids ORDER BY and LIMIT in a part of a UNION, but not in its subquery.
        return self._nearest(in_thread, tables.c.id).subquery().select()

    def _own_in_deleted_channels(self) -> Select[tuple[TableId]]:
        """Select the person's own matches in channels that are not known any more."""
        sat = self._tables_with_seat(self.sight.asker_id, *_SEAT_TABLES)
        tables = schema.tables.alias()
        own = select(tables.c.id).join_from(sat, tables, tables.c.id == sat.c.table_id)
        return own.where(*self._conditions(tables), self._in_deleted_channel(tables))

    def _nearest_of_each(
        self, channels: Collection[ChannelId], column: str, *, unknown_threads: bool = False
    ) -> Select[tuple[TableId]]:
        """Select the nearest matches of each of these channels, up to the limit in each.

        `column` is compared with the ids of the channels: ``channel_id`` or ``parent_channel_id``.
        With `unknown_threads`, only matches in unknown threads are selected.
        """
        listed = statements.number_rows(channels)
        tables, in_channel = schema.tables.alias(), schema.tables.alias()
        is_match = in_channel.c[column] == listed.c.value, *self._conditions(in_channel)
        matches = select(in_channel.c.id).where(*is_match)
        if unknown_threads:
            matches = matches.where(self._in_unknown_thread(in_channel))
        nearest = self._nearest(matches, in_channel.c.id)
        if self.lateral:
            of_each = nearest.lateral()
            return select(of_each.c.id).join_from(listed, of_each, true())
        nearest = nearest.correlate(listed)
        return select(tables.c.id).join_from(listed, tables, tables.c.id.in_(nearest))

    def _tables_with_seat(self, user_id: UserId, *seat_tables: Table) -> Any:
        """Select the nearest tables with a row for a person in one of these database tables."""
        parts = (
            select(seats.c.table_id).where(seats.c.user_id == user_id, *self._beyond(seats))
            for seats in seat_tables
        )
        sat = union(*parts)
        (table_id,) = sat.selected_columns
        return sat.order_by(self._direction(table_id)).limit(MOST_OWN).subquery()

    # --- conditions and order ------------------------------------------------------------------

    def _conditions(self, tables: FromClause) -> list[ColumnElement[bool]]:
        """Return all conditions of the query but the visibility."""
        matches = schema.matches.alias()
        # `+ 0` prevents SQLite 3.46 from using the index of servers and reading a whole server.
        guild = tables.c.guild_id if self.lateral else tables.c.guild_id + 0
        conditions = [
            guild == self.guild_id,
            exists().where(matches.c.table_id == tables.c.id),
            *self._beyond(tables, "id"),
        ]
        if self.channel_id is not None:
            conditions.append(tables.c.channel_id == self.channel_id)
        return conditions

    def _beyond(self, rows: FromClause, column: str = "table_id") -> list[ColumnElement[bool]]:
        """Return the condition that a table is on the wanted side of `beyond`."""
        if self.beyond is None:
            return []
        table_id = rows.c[column]
        return [table_id > self.beyond if self.newer else table_id < self.beyond]

    def _visible(self, tables: FromClause) -> ColumnElement[bool]:
        """Return the condition that the person may see the table."""
        seen = tables.c.channel_id.in_(statements.select_numbers(self.sight.seen))
        sat = or_(
            *(
                exists().where(
                    seats.c.table_id == tables.c.id, seats.c.user_id == self.sight.asker_id
                )
                for seats in (seat_table.alias() for seat_table in _SEAT_TABLES)
            )
        )
        return or_(
            seen, self._in_unknown_thread(tables), and_(self._in_deleted_channel(tables), sat)
        )

    def _in_unknown_thread(self, tables: FromClause) -> ColumnElement[bool]:
        """Return the condition that the table was in an unknown thread of a visible channel."""
        seen, known = (
            statements.select_numbers(ids) for ids in (self.sight.seen, self.sight.known)
        )
        return and_(tables.c.channel_id.not_in(known), tables.c.parent_channel_id.in_(seen))

    def _in_deleted_channel(self, tables: FromClause) -> ColumnElement[bool]:
        """Return the condition that neither the table's channel nor its parent is known."""
        known = statements.select_numbers(self.sight.known)
        channel, parent = tables.c.channel_id, tables.c.parent_channel_id
        return and_(channel.not_in(known), or_(parent.is_(None), parent.not_in(known)))

    def _nearest(
        self, tables: Select[tuple[TableId]], table_id: ColumnElement[TableId]
    ) -> Select[tuple[TableId]]:
        return tables.order_by(self._direction(table_id)).limit(self.limit)

    def _direction(self, table_id: ColumnElement[TableId]) -> ColumnElement[TableId]:
        return table_id.asc() if self.newer else table_id.desc()
