"""Sees to it that each server gets one table of honour for each season: it looks at midnight (UTC).

Then it also moves the last thirty days on. A season is marked as honoured before its table is
posted: a crash in between can lose one, but none comes twice. The mark is taken back if Discord is
in trouble or refuses it: what is sent again a minute later it knows by its nonce, and takes once.
"""

from __future__ import annotations

import logging
from datetime import UTC, timedelta
from typing import Protocol

import discord

from bot.profiles.honours import Honours, honours_of
from bot.rating.tallies import first_recent_day, last_season
from bot.runtime.clock import Clock
from bot.storage import StorageError, Store

log = logging.getLogger(__name__)

_ALARM = 0
"""The clock's key of the next midnight; no table has this number."""
_DAY = timedelta(days=1)
AFTER_MIDNIGHT = timedelta(seconds=10)
"""Rounds that ended just before midnight are stored by then."""
RETRY = timedelta(minutes=1)
"""When to try again if Discord or the storage is in trouble."""


class Herald(Protocol):
    """Who posts tables of honour (the Discord surface)."""

    def serves(self, guild_id: int) -> bool:
        """Whether this bot is in that server."""

    async def post(self, guild_id: int, channel_id: int, honours: Honours) -> None:
        """Post a table of honour; raises discord.py's errors."""


class Seasons:
    """Has tables of honour posted: after the start, and at midnight."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._herald: Herald | None = None
        self._given_up: set[tuple[int, str]] = set()
        """Servers whose channel does not work, with the season; tried again at the next start."""

    async def begin(self, herald: Herald) -> None:
        """Post what is due from before the start; from now on watch for the end of the season."""
        self._herald = herald
        await self._ring()

    async def choose_channel(self, guild_id: int, channel_id: int | None) -> None:
        """Keep a server's choice. What could not be posted in its channel before is posted now."""
        now = self._clock.now()
        await self._store.settings.choose_honours_channel(guild_id, channel_id, last_season(now))
        season = last_season(now)
        self._given_up.discard((guild_id, season))
        if not await self._post_due(season, only=guild_id):
            self._clock.set(_ALARM, now + RETRY, self._ring)

    async def _ring(self) -> None:
        now = self._clock.now()
        midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        self._clock.set(_ALARM, midnight + _DAY + AFTER_MIDNIGHT, self._ring)
        try:
            await self._store.rankings.move_window(first_recent_day(now))
            done = await self._post_due(last_season(now))
        except StorageError as error:
            log.error("tables of honour wait for the storage: %s", error)
            done = False
        if not done:
            self._clock.set(_ALARM, now + RETRY, self._ring)

    async def _post_due(self, season: str, only: int | None = None) -> bool:
        """Post every table of a season that is due; `False` if trouble may soon be over."""
        herald = self._herald
        if herald is None:
            return True
        done = True
        for guild_id, channel_id in (await self._store.settings.servers_to_honour(season)).items():
            meant = only in (None, guild_id) and (guild_id, season) not in self._given_up
            if meant and herald.serves(guild_id):
                done = await self._honour(herald, guild_id, channel_id, season) and done
        return done

    async def _honour(self, herald: Herald, guild_id: int, channel_id: int, season: str) -> bool:
        """Post one table of honour, if there is something to tell; `False` to try again soon."""
        honours = await honours_of(self._store, guild_id, season)
        if not await self._store.settings.mark_honoured(guild_id, season) or honours is None:
            return True
        try:
            await herald.post(guild_id, channel_id, honours)
        except (discord.HTTPException, OSError) as error:
            log.warning("server %s: its table of honour was not posted (%s)", guild_id, error)
            soon = getattr(error, "status", 500) >= 500
        except Exception:
            log.exception("server %s: its table of honour was not posted", guild_id)
            soon = False
        else:
            return True
        if not soon:
            self._given_up.add((guild_id, season))
        await self._store.settings.unmark_honoured(guild_id, season)
        return not soon
