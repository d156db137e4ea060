"""Limits on open tables, and reservations for new ones.

Opening a table takes a while, because a thread is created and the table is stored. A place is
reserved first, so that concurrent requests cannot exceed the limits. Reservations are kept in
memory only and do not survive a restart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Self

from bot.errors import Reason, Refused
from bot.ids import GuildId, UserId
from bot.live.registry import Registry
from bot.records import Count, ServerSettings
from bot.runtime.clock import Now
from bot.runtime.cooldowns import Cooldowns
from bot.table.server_options import WITH_PAUSED
from bot.table.state import OpenTable

_TURN_BASED_FACTOR = 4
"""A server may have so many times as many turn-based tables as live tables."""
_OPENED_IN_A_ROW = 8
"""Number of tables that a person may open in a row."""
_ONE_MORE_AFTER_S = 20
"""Seconds after which they may open one more; even closed tables stay in the database."""


class Reservation:
    """A place reserved for a table, released at the end of the ``with`` block.

    By then the table is open, and is counted itself.
    """

    def __init__(
        self, reserved: set[Reservation], guild_id: GuildId, user_id: UserId, turn_based: bool
    ) -> None:
        self._reserved = reserved
        self.guild_id = guild_id
        self.user_id = user_id
        self.turn_based = turn_based
        reserved.add(self)

    def release(self) -> None:
        """Release the place."""
        self._reserved.discard(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


class TableLimits:
    """Limits on the open tables of servers and people.

    A server may have `per_guild` active tables. A person may be the host of `per_user` active
    tables, or of fewer if the server has set a lower number. Active tables and paused tables that
    have yielded their channel are limited together, to `WITH_PAUSED` times these numbers. To
    resume, a paused table needs a place among the active tables.

    Turn-based tables are counted separately, so that they never prevent a live one. A server may
    have four times as many of them, and a person as many as the server has set.
    """

    def __init__(
        self,
        registry: Registry,
        now: Now,
        settings: Callable[[GuildId], ServerSettings],
        *,
        per_guild: int,
        per_user: int,
    ) -> None:
        self._registry = registry
        self._settings = settings
        self.openings = Cooldowns(now, burst=_OPENED_IN_A_ROW, per_second=1 / _ONE_MORE_AFTER_S)
        self._reserved: set[Reservation] = set()
        self.per_guild = per_guild
        self.per_user = per_user

    def reserve(
        self, guild_id: GuildId, user_id: UserId, *, turn_based: bool = False
    ) -> Reservation:
        """Reserve a place for a table that this person opens in this server.

        Raises `Refused` as `_check` does, or if they have just opened many (``opened-many``).
        """
        self._check(guild_id, user_id, turn_based=turn_based)
        if not self.openings.spend(user_id, 1):
            raise Refused(Reason.OPENED_MANY)
        return Reservation(self._reserved, guild_id, user_id, turn_based)

    def reserve_for_pace(
        self, guild_id: GuildId, user_id: UserId, *, turn_based: bool
    ) -> Reservation:
        """Reserve a place for a person's existing table that changes to another pace.

        Raises `Refused` as `_check` does.
        """
        self._check(guild_id, user_id, turn_based=turn_based)
        return Reservation(self._reserved, guild_id, user_id, turn_based)

    def reserve_for_event(
        self, guild_id: GuildId, user_id: UserId, *, turn_based: bool
    ) -> Reservation:
        """Reserve a place for a table of an event; only the limits of the server apply.

        Raises `Refused` as `_check` does.
        """
        self._check(guild_id, user_id, turn_based=turn_based, of_event=True)
        return Reservation(self._reserved, guild_id, user_id, turn_based)

    def resume(self, table: OpenTable, user_id: UserId) -> Reservation:
        """Reserve a place for a paused table that is to resume.

        The table is among the paused ones already, so only the limits of active tables apply.
        Raises `Refused` as `_check` does, but ``host-has-many`` if the user is not the host.
        """
        turn_based = table.options.turn_based
        try:
            self._check(table.guild_id, table.host_id, turn_based=turn_based, is_new=False)
        except Refused as refused:
            if refused.code == Reason.TOO_MANY_OWN_TABLES and user_id != table.host_id:
                raise Refused(Reason.HOST_HAS_MANY) from refused
            raise
        return Reservation(self._reserved, table.guild_id, table.host_id, turn_based)

    def _check(
        self,
        guild_id: GuildId,
        user_id: UserId,
        *,
        turn_based: bool,
        is_new: bool = True,
        of_event: bool = False,
    ) -> None:
        """Raise `Refused` unless one more active table of this pace is allowed.

        For a new table, the limits of active and paused tables together apply, too. The codes are
        ``too-many-tables`` for the server, and ``too-many-own-tables`` or ``too-many-turn-based``
        for the person.
        """
        tables = [
            loaded.state
            for loaded in self._registry.all()
            if loaded.state.guild_id == guild_id and loaded.state.options.turn_based == turn_based
        ]
        reserved = [
            place
            for place in self._reserved
            if place.guild_id == guild_id and place.turn_based == turn_based
        ]
        limit = self.per_guild * (_TURN_BASED_FACTOR if turn_based else 1)
        if reached := _reached_limit(tables, len(reserved), limit, is_new=is_new):
            raise Refused(Reason.TOO_MANY_TABLES, limit=reached)
        if of_event:
            return
        own = [table for table in tables if table.host_id == user_id]
        own_reserved = [place for place in reserved if place.user_id == user_id]
        settings = self._settings(guild_id)
        if turn_based:
            if is_new and len(own) + len(own_reserved) >= settings.turn_based_each:
                raise Refused(Reason.TOO_MANY_TURN_BASED, limit=settings.turn_based_each)
            return
        own_limit = min(settings.tables_each or self.per_user, self.per_user)
        if reached := _reached_limit(own, len(own_reserved), own_limit, is_new=is_new):
            raise Refused(Reason.TOO_MANY_OWN_TABLES, limit=reached)


def _reached_limit(
    tables: Iterable[OpenTable], reserved: int, limit: int, *, is_new: bool
) -> Count:
    """Return the limit that forbids one more active table, or 0 if none does.

    `limit` applies to the active tables and the `reserved` places. For a new table, `WITH_PAUSED`
    times this limit applies to them and the paused tables together.
    """
    paused = [table.yields for table in tables]
    total = len(paused) + reserved
    active = total - sum(paused)
    if active >= limit:
        return limit
    return WITH_PAUSED * limit if is_new and total >= WITH_PAUSED * limit else 0
