"""Estimate of Discord's clock, which dates every click; the local clock may be wrong.

Each response has Discord's time, in whole seconds. So the age of a click is known even if the local
clock is minutes off. Only one response per minute is traced, because tracing all responses makes
requests a tenth slower.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from types import SimpleNamespace

import aiohttp

from bot.runtime.clock import Now

_UPDATE_INTERVAL = timedelta(minutes=1)
_HALF_A_SECOND = timedelta(milliseconds=500)
"""Average error of a time in whole seconds."""


class DiscordTime:
    """Discord's clock according to its responses; the local clock `now` before the first one."""

    def __init__(self, now: Now) -> None:
        self._now = now
        self._ahead = timedelta()
        """Time by which Discord's clock is ahead of the local clock.

        After a slow response it is too small, so that a click seems younger than it is.
        """
        self._updated_at: datetime | None = None
        self._trace = aiohttp.TraceConfig()
        self._trace.on_request_end.append(self._on_request_end)
        self._session: aiohttp.ClientSession | None = None
        """Session whose tracing is paused because of a recent update."""

    def age(self, created_at: datetime) -> timedelta:
        """Return the time since `created_at`, which is Discord's time."""
        now = self._now()
        if self._session is not None and not self._is_recent(now):
            self._session.trace_configs.append(self._trace)
            self._session = None
        return now + self._ahead - created_at

    def _is_recent(self, now: datetime) -> bool:
        """Return whether the offset was updated within the last minute."""
        return self._updated_at is not None and abs(now - self._updated_at) < _UPDATE_INTERVAL

    def update(self, date: str) -> None:
        """Update the offset from the `Date` header of a response that has just arrived (RFC 9110).

        An unreadable date is ignored.
        """
        now = self._now()
        if self._is_recent(now):
            return
        try:
            discord_now = parsedate_to_datetime(date)
        except ValueError:
            return
        self._updated_at = now
        discord_now = discord_now.replace(tzinfo=discord_now.tzinfo or UTC)
        self._ahead = discord_now + _HALF_A_SECOND - now

    def trace(self) -> aiohttp.TraceConfig:
        """Return the trace configuration for the client session."""
        return self._trace

    async def _on_request_end(
        self,
        session: aiohttp.ClientSession,
        _: SimpleNamespace,
        end: aiohttp.TraceRequestEndParams,
    ) -> None:
        self.update(end.response.headers.get("Date", ""))
        if self._is_recent(self._now()) and self._trace in session.trace_configs:
            session.trace_configs.remove(self._trace)
            self._session = session
