"""Room for tables: how many a server and a person may have open, and places for new ones.

Opening a table takes a while: a thread is made, the table is stored. Its place is reserved before
any of that, so that many who open tables at once get no more than there is room for. Places are
only in memory: after a restart there are none.
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
"""How many turn-based tables a server may have for each live one that it may have."""
_IN_A_ROW = 8
"""The tables that a person may open one after the other, if they close them again."""
_EACH_S = 20
"""Seconds after which they may open one more: each leaves a message behind, or a thread."""


class Reservation:
    """A place that is reserved for a table, until it is given back: at the end of its block.

    Once its table is open, the table itself is counted instead.
    """

    def __init__(
        self, taken: set[Reservation], guild_id: GuildId, user_id: UserId, turn_based: bool
    ) -> None:
        self._taken = taken
        self.guild_id = guild_id
        self.user_id = user_id
        self.turn_based = turn_based
        taken.add(self)

    def give_back(self) -> None:
        """Let another table have it, or count the table itself from now on."""
        self._taken.discard(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.give_back()


class TableLimits:
    """How many tables servers and people may have open.

    A server has `per_guild`, and each person may have `per_user` of them for tables that they have
    opened, or as many as the server has chosen in its `settings` if that is less. Tables that are
    paused and have let go of their channel count, too, but not as much; to go on they need a place
    like a new one.

    Turn-based tables are counted by themselves, so that they never keep anybody from a live one: a
    server may have four times as many of them, a person as many as the server has chosen.
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
        """A place for a table that this person opens in this server.

        `Refused` as by `_check`, or when they have just opened many (``opened-many``).
        """
        self._check(guild_id, user_id, turn_based=turn_based)
        if not self.openings.spend(user_id, 1):
            raise Refused(Reason.OPENED_MANY)
        return Reservation(self._reserved, guild_id, user_id, turn_based)

    def hold(self, guild_id: GuildId, user_id: UserId, *, turn_based: bool) -> Reservation:
        """A place for a table that this person has and that gets this pace. `Refused` as above."""
        self._check(guild_id, user_id, turn_based=turn_based)
        return Reservation(self._reserved, guild_id, user_id, turn_based)

    def resume(self, table: OpenTable, user_id: UserId) -> Reservation:
        """A place among those that are played for a table that was paused, as one of its host.

        It is one of their tables already, so only those that are played count. `Refused` as above,
        in words that fit the person who asks (``host-has-many`` for whoever is not the host).
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
        """`Refused` unless one more table of this person and this pace can be played.

        The server has no more (``too-many-tables``), or this person is to have no more of them
        (``too-many-own-tables``, ``too-many-turn-based``). If it is one `more`, there must be room
        for it beside the paused ones, too.
        """
        tables = [
            live.state
            for live in self._registry.all()
            if live.state.guild_id == guild_id and live.state.options.turn_based == turn_based
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
    """The limit that is already full, or 0 if one more table fits.

    The tables that are played and the `reserved` places may be as many as `limit`. If the table is
    one `more`, paused tables are counted, too, and all together may be `WITH_PAUSED` times as many.
    """
    yields = [table.yields for table in tables]
    number = len(yields) + reserved
    if number - sum(yields) >= limit:
        return limit
    return WITH_PAUSED * limit if more and number >= WITH_PAUSED * limit else 0
