"""Posts one table of honour for each server and season, at midnight (UTC) when a season is over.

Every midnight it also removes from the last thirty days the day that is no longer one of them.

A season is marked as honoured before its table is posted. So a crash in between can lose a table,
but none is posted twice. If Discord or the network is in trouble, the mark is taken back and the
table is sent again a minute later; Discord recognises it by its nonce and takes it only once. A
table that Discord refuses is sent again at the next start, or when a channel is chosen.
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from typing import Protocol

from bot.ids import ChannelId, GuildId
from bot.profiles.honours import BEST, MOST_NAMES, GameHonours, Honours
from bot.rating.tallies import first_recent_day, last_season, span_of
from bot.runtime.clock import Clock
from bot.runtime.request_errors import REQUEST_ERRORS, is_temporary
from bot.score_records import Board, LeaderboardLine, Order, Period, Variant
from bot.storage import StorageError, Store
from engine import VARIANTS

log = logging.getLogger(__name__)

_ALARM = 0
"""The key of the alarm at midnight; no table has this number."""
_DAY = timedelta(days=1)
AFTER_MIDNIGHT = timedelta(seconds=10)
"""How long after midnight the alarm rings: rounds that ended just before it are stored by then."""
RETRY = timedelta(minutes=1)
"""The time until the next attempt if Discord or the storage is in trouble."""


class Herald(Protocol):
    """Posts tables of honour. The Discord surface does it."""

    def serves(self, guild_id: GuildId) -> bool:
        """Whether this bot is in that server."""

    async def post(self, guild_id: GuildId, channel_id: ChannelId, honours: Honours) -> None:
        """Post a table of honour; raises discord.py's errors."""


class Seasons:
    """Has tables of honour posted, after the start of the bot and at every midnight."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._herald: Herald | None = None
        self._given_up: set[tuple[GuildId, Period]] = set()
        """Servers whose channel refuses a season's table; tried again at the next start."""

    async def begin(self, herald: Herald) -> None:
        """Post the tables that are due now, and from now on those of every season that ends."""
        self._herald = herald
        await self._ring()

    async def choose_channel(self, guild_id: GuildId, channel_id: ChannelId | None) -> None:
        """Store the channel that a server has chosen.

        What could not be posted before is posted in the background, as soon as that is stored.
        """
        now = self._clock.now()
        season = last_season(now)
        await self._store.honours.choose_channel(guild_id, channel_id, season)
        self._given_up.discard((guild_id, season))
        if self._herald is not None:
            self._clock.set(_ALARM, max(now, _last_midnight(now) + AFTER_MIDNIGHT), self._ring)

    async def _ring(self) -> None:
        """Do what is due at midnight, and set the alarm for the next midnight, or to try again."""
        now = self._clock.now()
        self._clock.set(_ALARM, _last_midnight(now) + _DAY + AFTER_MIDNIGHT, self._ring)
        try:
            await self._store.rankings.move_window(first_recent_day(now))
            done = await self._post_due(last_season(now))
        except StorageError as error:
            log.log(error.level, "tables of honour wait for the storage: %s", error)
            done = False
        if not done:
            self._clock.set(_ALARM, now + RETRY, self._ring)

    async def _post_due(self, season: Period) -> bool:
        """Post every table of a season that is due; returns `False` to try some again soon."""
        herald = self._herald
        if herald is None:
            return True
        done = True
        for guild_id, channel_id in (await self._store.honours.servers_to_honour(season)).items():
            if (guild_id, season) not in self._given_up and herald.serves(guild_id):
                done = await self._honour(herald, guild_id, channel_id, season) and done
        return done

    async def _honour(
        self, herald: Herald, guild_id: GuildId, channel_id: ChannelId, season: Period
    ) -> bool:
        """Post one table of honour, if anything was played; returns `False` to try again soon."""
        honours = await honours_of(self._store, guild_id, season)
        if not await self._store.honours.mark_honoured(guild_id, season) or honours is None:
            return True
        try:
            await herald.post(guild_id, channel_id, honours)
        except REQUEST_ERRORS as error:
            log.warning("server %s: its table of honour was not posted (%s)", guild_id, error)
            soon = is_temporary(error)
        except Exception:  # numbers of past rounds: no hand is in reach of its text
            log.exception("server %s: its table of honour was not posted", guild_id)
            soon = False
        else:
            return True
        if not soon:
            self._given_up.add((guild_id, season))
        await self._store.honours.unmark_honoured(guild_id, season)
        return not soon


def _last_midnight(now: datetime) -> datetime:
    """The midnight (UTC) with which the day of this moment has begun."""
    return now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


async def honours_of(store: Store, guild_id: GuildId, season: Period) -> Honours | None:
    """The table of honour of a server for a season; `None` if nothing was played there."""
    played = await store.history.amounts(guild_id, *span_of(season))

    async def best(variant: Variant, order: Order, last: int = 1) -> tuple[LeaderboardLine, ...]:
        """The people in the places from 1 to `last`."""
        leaders = await store.rankings.leaders(
            Board(guild_id, variant, season, order), 0, MOST_NAMES
        )
        return tuple(line for line in leaders.lines if line.place <= last)

    games = [
        GameHonours(
            variant,
            played[variant],
            rating=await best(variant, "rating", BEST),
            wins=await best(variant, "wins"),
            points=await best(variant, "points"),
            calls=await best(variant, "calls"),
        )
        for variant in VARIANTS
        if variant in played
    ]
    return Honours(season, tuple(games)) if games else None
