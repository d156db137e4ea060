"""Queries for ended matches that a person may see, nearest first.

Even if a server has very many matches, a query reads only a few of each channel that the person
sees, and some of those in which a person sat. It never scans matches that cannot be seen.
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
"""Largest number of a person's own matches searched, nearest to the page first."""


@dataclass(frozen=True, slots=True)
class Sight:
    """Channels and threads of a server that a person sees, as far as known now.

    An archived thread is not known. If the bot has opened it, it is visible to everyone who sees
    its parent channel. Other threads and deleted channels are visible only to people who played
    there.
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
    """True for the oldest after `beyond`, False for the newest before it."""
    limit: int = 100
    """Largest number of matches."""

    lateral: bool = False
    """True to use LATERAL; see `statements.requires_lateral`."""

    def selected(self) -> Select[tuple[TableId]]:
        """Return the SELECT of table ids, nearest to `beyond` first."""
        if self.user_id is not None:
            sat = self._sat(self.user_id, schema.match_seats, schema.round_seats)
            tables = schema.tables.alias()
            found = select(tables.c.id).join_from(sat, tables, tables.c.id == sat.c.table_id)
            found = found.where(*self._wanted(tables), self._visible(tables))
            return self._nearest(found, tables.c.id)
        parts = [self._of_each_channel()]
        if self.channel_id not in self.sight.known:
            parts += [self._of_gone_threads(), self._of_own_gone_channels()]
        together = union(*parts).subquery()
        return self._nearest(select(together.c.id), together.c.id)

    # --- partial queries -----------------------------------------------------------------------

    def _of_each_channel(self) -> Select[tuple[TableId]]:
        """Select the nearest matches of each channel and thread that the person sees."""
        wanted = {self.channel_id} if self.channel_id is not None else self.sight.seen
        return self._of_each(self.sight.seen & wanted, "channel_id")

    def _of_gone_threads(self) -> Select[tuple[TableId]]:
        """Select the nearest matches in unknown threads of each visible channel."""
        if self.channel_id is None:
            return self._of_each(self.sight.seen, "parent_channel_id", gone=True)
        tables = schema.tables.alias()
        found = select(tables.c.id).where(*self._wanted(tables), self._in_gone_thread(tables))
        return self._nearest(found, tables.c.id).subquery().select()

    def _of_own_gone_channels(self) -> Select[tuple[TableId]]:
        """Select the person's own matches in channels that are not known any more."""
        kinds = (schema.match_seats, schema.round_seats, schema.seat_changes)
        sat, tables = self._sat(self.sight.asker_id, *kinds), schema.tables.alias()
        found = select(tables.c.id).join_from(sat, tables, tables.c.id == sat.c.table_id)
        return found.where(*self._wanted(tables), self._nobody_knows(tables))

    def _of_each(
        self, channels: Collection[ChannelId], column: str, *, gone: bool = False
    ) -> Select[tuple[TableId]]:
        """Select the nearest matches of each of these channels, up to the limit each."""
        listed = statements.listed(channels)
        tables, near = schema.tables.alias(), schema.tables.alias()
        own = select(near.c.id).where(near.c[column] == listed.c.value, *self._wanted(near))
        if gone:
            own = own.where(self._in_gone_thread(near))
        nearest = self._nearest(own, near.c.id)
        if self.lateral:
            of_each = nearest.lateral()
            return select(of_each.c.id).join_from(listed, of_each, true())
        nearest = nearest.correlate(listed)
        return select(tables.c.id).join_from(listed, tables, tables.c.id.in_(nearest))

    def _sat(self, user_id: UserId, *kinds: Table) -> Any:
        """Select the nearest tables at which a person sat, according to these kinds of rows."""
        parts = (
            select(kind.c.table_id).where(kind.c.user_id == user_id, *self._on_this_side(kind))
            for kind in kinds
        )
        sat = union(*parts)
        (table_id,) = sat.selected_columns
        return sat.order_by(self._direction(table_id)).limit(MOST_OWN).subquery()

    # --- conditions and order ------------------------------------------------------------------

    def _wanted(self, tables: FromClause) -> list[ColumnElement[bool]]:
        """Return the conditions of the query, without visibility."""
        matches = schema.matches.alias()
        # `+ 0` prevents SQLite 3.46 from using the index of servers and reading a whole server.
        guild = tables.c.guild_id if self.lateral else tables.c.guild_id + 0
        conditions = [
            guild == self.guild_id,
            exists().where(matches.c.table_id == tables.c.id),
            *self._on_this_side(tables, "id"),
        ]
        if self.channel_id is not None:
            conditions.append(tables.c.channel_id == self.channel_id)
        return conditions

    def _on_this_side(
        self, rows: FromClause, column: str = "table_id"
    ) -> list[ColumnElement[bool]]:
        """Return the condition that a table is on the wanted side of `beyond`."""
        if self.beyond is None:
            return []
        table_id = rows.c[column]
        return [table_id > self.beyond if self.newer else table_id < self.beyond]

    def _visible(self, tables: FromClause) -> ColumnElement[bool]:
        """Return the condition that the person may see the table."""
        seen = tables.c.channel_id.in_(statements.numbers(self.sight.seen))
        kinds = (schema.match_seats, schema.round_seats, schema.seat_changes)
        sat = or_(
            *(
                exists().where(
                    kind.c.table_id == tables.c.id, kind.c.user_id == self.sight.asker_id
                )
                for kind in (kind.alias() for kind in kinds)
            )
        )
        return or_(seen, self._in_gone_thread(tables), and_(self._nobody_knows(tables), sat))

    def _in_gone_thread(self, tables: FromClause) -> ColumnElement[bool]:
        """Return the condition that it was in an unknown thread of a visible channel."""
        seen, known = (statements.numbers(ids) for ids in (self.sight.seen, self.sight.known))
        return and_(tables.c.channel_id.not_in(known), tables.c.parent_channel_id.in_(seen))

    def _nobody_knows(self, tables: FromClause) -> ColumnElement[bool]:
        """Return the condition that neither the table's channel nor its parent is known."""
        known = statements.numbers(self.sight.known)
        where, parent = tables.c.channel_id, tables.c.parent_channel_id
        return and_(where.not_in(known), or_(parent.is_(None), parent.not_in(known)))

    def _nearest(
        self, tables: Select[tuple[TableId]], table_id: ColumnElement[TableId]
    ) -> Select[tuple[TableId]]:
        return tables.order_by(self._direction(table_id)).limit(self.limit)

    def _direction(self, table_id: ColumnElement[TableId]) -> ColumnElement[TableId]:
        return table_id.asc() if self.newer else table_id.desc()
