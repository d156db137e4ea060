"""Posts monthly rankings for each server, at midnight (UTC) when a season ends.

At midnight it also moves the window of the last thirty days by a day, and stores the match points
of the deal of the day that is over.

A season is marked as posted before its ranking is sent. So a crash in between can lose a ranking,
but none is posted twice. After a temporary failure of Discord or the network the mark is
removed and the ranking is sent again a minute later; Discord recognizes it by its nonce and posts
it only once. A ranking that Discord refuses is sent again at the next start, or when a channel is
chosen.
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from typing import Protocol

from bot.ids import ChannelId, GuildId
from bot.profiles.monthly_ranking import MOST_NAMES, SHOWN_PLACES, GameRanking, MonthlyRanking
from bot.rating.tallies import first_recent_day, last_season, span_of
from bot.runtime.clock import Clock
from bot.runtime.discord_requests import REQUEST_ERRORS, is_temporary
from bot.score_records import Board, LeaderboardLine, Order, Period, Variant
from bot.storage import StorageError, Store
from engine import VARIANTS

log = logging.getLogger(__name__)

_TIMER = 0
"""Key of the midnight timer; no table has this id."""
_DAY = timedelta(days=1)
AFTER_MIDNIGHT = timedelta(seconds=10)
"""Delay after midnight, so that rounds that ended just before it are stored."""
RETRY = timedelta(minutes=1)
"""Delay before another attempt after a failure of Discord or the storage."""
_UNAVAILABLE = "monthly rankings: database unavailable, retrying in 1 min: %s"


class RankingPoster(Protocol):
    """Posts monthly rankings; implemented by the Discord layer."""

    def serves(self, guild_id: GuildId) -> bool:
        """Return whether this bot is in that server."""

    async def post(self, guild_id: GuildId, channel_id: ChannelId, ranking: MonthlyRanking) -> None:
        """Post a monthly ranking; raise discord.py's errors."""


class Seasons:
    """Schedules the posts of monthly rankings, after the start and at every midnight."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._poster: RankingPoster | None = None
        self._refused_posts: set[tuple[GuildId, Period]] = set()
        """Servers and seasons whose ranking Discord refused; not retried until the next start."""

    async def begin(self, poster: RankingPoster) -> None:
        """Post the rankings that are due now, and schedule those of later seasons."""
        self._poster = poster
        await self._on_timer()

    async def choose_channel(self, guild_id: GuildId, channel_id: ChannelId | None) -> None:
        """Store the channel that a server has chosen for its monthly rankings.

        A ranking that could not be posted before is then posted in the background.
        """
        now = self._clock.now()
        season = last_season(now)
        await self._store.monthly_rankings.choose_channel(guild_id, channel_id, season)
        self._refused_posts.discard((guild_id, season))
        if self._poster is not None:
            self._clock.set(_TIMER, max(now, _last_midnight(now) + AFTER_MIDNIGHT), self._on_timer)

    async def _on_timer(self) -> None:
        """Move the thirty-day window, close days, post due rankings, and set the next timer."""
        now = self._clock.now()
        self._clock.set(_TIMER, _last_midnight(now) + _DAY + AFTER_MIDNIGHT, self._on_timer)
        try:
            await self._store.rankings.move_window(first_recent_day(now))
            await self._store.daily_standings.close_days(now.astimezone(UTC).date())
            is_done = await self._post_due(last_season(now))
        except StorageError as error:
            log.log(error.level, _UNAVAILABLE, error)
            is_done = False
        if not is_done:
            self._clock.set(_TIMER, now + RETRY, self._on_timer)

    async def _post_due(self, season: Period) -> bool:
        """Post all due rankings of a season; return false if one must be retried soon."""
        poster = self._poster
        if poster is None:
            return True
        is_done = True
        channels = await self._store.monthly_rankings.due_servers(season)
        for guild_id, channel_id in channels.items():
            if (guild_id, season) not in self._refused_posts and poster.serves(guild_id):
                is_done &= await self._post(poster, guild_id, channel_id, season)
        return is_done

    async def _post(
        self, poster: RankingPoster, guild_id: GuildId, channel_id: ChannelId, season: Period
    ) -> bool:
        """Post one ranking, if anything was played; return false if it must be retried soon."""
        ranking = await monthly_ranking_of(self._store, guild_id, season)
        if not await self._store.monthly_rankings.mark_posted(guild_id, season) or ranking is None:
            return True
        try:
            await poster.post(guild_id, channel_id, ranking)
        except REQUEST_ERRORS as error:
            log.warning("server %s: monthly ranking not posted: %s", guild_id, error)
            retry_soon = is_temporary(error)
        except Exception:  # safe to log: no hidden cards in it
            log.exception("server %s: unhandled exception, monthly ranking not posted", guild_id)
            retry_soon = False
        else:
            return True
        if not retry_soon:
            self._refused_posts.add((guild_id, season))
        await self._store.monthly_rankings.unmark_posted(guild_id, season)
        return not retry_soon


def _last_midnight(now: datetime) -> datetime:
    """Return the last midnight (UTC) before this moment."""
    return now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


async def monthly_ranking_of(
    store: Store, guild_id: GuildId, season: Period
) -> MonthlyRanking | None:
    """Return a server's ranking for a season; `None` if nothing was played."""
    played = await store.history.amounts(guild_id, *span_of(season))

    async def best(
        variant: Variant, order: Order, last_place: int = 1
    ) -> tuple[LeaderboardLine, ...]:
        """Return the people in the places from 1 to `last_place`."""
        leaders = await store.rankings.leaders(
            Board(guild_id, variant, season, order), 0, MOST_NAMES
        )
        return tuple(line for line in leaders.lines if line.place <= last_place)

    games = [
        GameRanking(
            variant,
            played[variant],
            rating=await best(variant, "rating", SHOWN_PLACES),
            wins=await best(variant, "wins"),
            points=await best(variant, "points"),
            calls=await best(variant, "calls"),
        )
        for variant in VARIANTS
        if variant in played
    ]
    daily = tuple(await store.daily_standings.best(guild_id, season, MOST_NAMES))
    return MonthlyRanking(season, tuple(games), daily) if games or daily else None
