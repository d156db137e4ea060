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

_TURN_BASED = 4
"""Number of turn-based tables that a server may have for each live one."""
_IN_A_ROW = 8
"""Number of tables that a person may open and close in a row."""
_EACH_S = 20
"""Seconds until they may open one more, because tables leave traces."""


class Reservation:
    """A place reserved for a table, released at the end of its block.

    The open table itself is counted from then on.
    """

    def __init__(
        self, taken: set[Reservation], guild_id: GuildId, user_id: UserId, turn_based: bool
    ) -> None:
        self._taken = taken
        self.guild_id = guild_id
        self.user_id = user_id
        self.turn_based = turn_based
        taken.add(self)

    def release(self) -> None:
        """Release the place."""
        self._taken.discard(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


class TableLimits:
    """Limits on the open tables of servers and people.

    A server may have `per_guild`, and each person `per_user` that they have opened, or fewer if the
    server has set a lower number in its `settings`. Paused tables that have released their channel
    count, too, but for less. They need a place like a new table to resume.

    Turn-based tables are counted separately, so that they never prevent a live one. A server may
    have four times as many of them, a person as many as the server has set.
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
        self.openings = Cooldowns(now, burst=_IN_A_ROW, per_second=1 / _EACH_S)
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

    def hold(self, guild_id: GuildId, user_id: UserId, *, turn_based: bool) -> Reservation:
        """Reserve a place for a person's existing table that changes to this pace.

        Raises `Refused` as `_check` does.
        """
        self._check(guild_id, user_id, turn_based=turn_based)
        return Reservation(self._reserved, guild_id, user_id, turn_based)

    def resume(self, table: OpenTable, user_id: UserId) -> Reservation:
        """Reserve a place for a paused table that is to resume.

        It is one of its host's tables already, so only active ones count. Raises `Refused` as
        `_check` does, but ``host-has-many`` if the user is not the host.
        """
        turn_based = table.options.turn_based
        try:
            self._check(table.guild_id, table.host_id, turn_based=turn_based, more=False)
        except Refused as refused:
            if refused.code == Reason.TOO_MANY_OWN_TABLES and user_id != table.host_id:
                raise Refused(Reason.HOST_HAS_MANY) from refused
            raise
        return Reservation(self._reserved, table.guild_id, table.host_id, turn_based)

    def _check(
        self, guild_id: GuildId, user_id: UserId, *, turn_based: bool, more: bool = True
    ) -> None:
        """Raise `Refused` unless one more such table is allowed.

        The codes are ``too-many-tables`` for the server, and ``too-many-own-tables`` or
        ``too-many-turn-based`` for the person. `more`: the table is a new one, so there must be
        room for it beside the paused ones, too.
        """
        tables = [
            loaded.state
            for loaded in self._registry.all()
            if loaded.state.guild_id == guild_id and loaded.state.options.turn_based == turn_based
        ]
        reserved = [
            each
            for each in self._reserved
            if each.guild_id == guild_id and each.turn_based == turn_based
        ]
        limit = self.per_guild * (_TURN_BASED if turn_based else 1)
        if most := _most_reached(tables, len(reserved), limit, more=more):
            raise Refused(Reason.TOO_MANY_TABLES, limit=most)
        own = [table for table in tables if table.host_id == user_id]
        own_reserved = [each for each in reserved if each.user_id == user_id]
        chosen = self._settings(guild_id)
        if turn_based:
            if more and len(own) + len(own_reserved) >= chosen.turn_based_each:
                raise Refused(Reason.TOO_MANY_TURN_BASED, limit=chosen.turn_based_each)
            return
        own_limit = min(chosen.tables_each or self.per_user, self.per_user)
        if most := _most_reached(own, len(own_reserved), own_limit, more=more):
            raise Refused(Reason.TOO_MANY_OWN_TABLES, limit=most)


def _most_reached(tables: Iterable[OpenTable], reserved: int, limit: int, *, more: bool) -> Count:
    """Return the limit that is reached, or 0 if none is.

    Active tables and the `reserved` places may be as many as `limit`. If the table is one `more`,
    paused tables count, too, and all together may be `WITH_PAUSED` times as many.
    """
    yields = [table.yields for table in tables]
    number = len(yields) + reserved
    if number - sum(yields) >= limit:
        return limit
    return WITH_PAUSED * limit if more and number >= WITH_PAUSED * limit else 0
