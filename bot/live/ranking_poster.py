"""Posts monthly rankings through the handler of `MonthlyRankingDue`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bot.ids import ChannelId, GuildId
from bot.live.events import EventDispatcher, MonthlyRankingDue
from bot.live.leases import Leases
from bot.profiles.monthly_ranking import MonthlyRanking


class MonthlyRankingPoster:
    """Posts monthly rankings; `find_server` returns a server that the bot is in, or `None`."""

    def __init__(
        self, events: EventDispatcher, leases: Leases, find_server: Callable[[GuildId], object]
    ) -> None:
        self._events = events
        self._leases = leases
        self._find_server = find_server

    def serves(self, guild_id: GuildId) -> bool:
        """Return whether the bot is in that server, and this process serves it."""
        return self._find_server(guild_id) is not None and self._leases.serves(guild_id)

    async def post(self, guild_id: GuildId, channel_id: ChannelId, ranking: MonthlyRanking) -> None:
        """Post a ranking and wait for the result.

        Raise discord.py's errors, or `RuntimeError` if there is no handler.
        """
        posted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        due = MonthlyRankingDue(guild_id, channel_id, ranking, posted)
        if not self._events.dispatch(due):
            raise RuntimeError("no handler for MonthlyRankingDue")
        await posted
