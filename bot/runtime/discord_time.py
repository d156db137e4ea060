"""What time it is for Discord, whose clock dates every click; that of this machine may be wrong.

Each answer of Discord says what time it is there, in whole seconds. So it is known how old a click
is when it arrives, even on a machine whose clock is minutes off. One answer a minute is enough: to
listen to all of them takes a tenth of the time that requests take.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from types import SimpleNamespace

import aiohttp

from bot.runtime.clock import Now

_LOOKED_AT_EVERY = timedelta(minutes=1)
_HALF_A_SECOND = timedelta(milliseconds=500)
"""What a time in whole seconds lacks on average, as its fraction was cut off."""


class DiscordTime:
    """Discord's clock, as far as its answers tell; until the first one it is ours (`now`)."""

    def __init__(self, now: Now) -> None:
        self._now = now
        self._ahead = timedelta()
        """How far Discord's clock is ahead of ours. An answer that was long under way makes it too
        small, never too large: then a click seems to be younger than it is."""
        self._looked_at: datetime | None = None
        self._trace = aiohttp.TraceConfig()
        self._trace.on_request_end.append(self._on_request_end)
        self._session: aiohttp.ClientSession | None = None
        """The client session whose answers are not listened to, as one was heard just before."""

    def age(self, created_at: datetime) -> timedelta:
        """How long ago Discord dated something."""
        now = self._now()
        if self._session is not None and not self._just_looked(now):
            self._session.trace_configs.append(self._trace)
            self._session = None
        return now + self._ahead - created_at

    def _just_looked(self, now: datetime) -> bool:
        """Whether an answer was heard in the minute before."""
        return self._looked_at is not None and abs(now - self._looked_at) < _LOOKED_AT_EVERY

    def heard(self, date: str) -> None:
        """Note the date of an answer that has just arrived (RFC 9110); an unreadable one is not."""
        now = self._now()
        if self._just_looked(now):
            return
        try:
            there = parsedate_to_datetime(date)
        except ValueError:
            return
        self._looked_at = now
        self._ahead = there.replace(tzinfo=there.tzinfo or UTC) + _HALF_A_SECOND - now

    def trace(self) -> aiohttp.TraceConfig:
        """What a client session needs so that its answers are heard."""
        return self._trace

    async def _on_request_end(
        self,
        session: aiohttp.ClientSession,
        _: SimpleNamespace,
        end: aiohttp.TraceRequestEndParams,
    ) -> None:
        """Called by aiohttp."""
        self.heard(end.response.headers.get("Date", ""))
        if self._just_looked(self._now()) and self._trace in session.trace_configs:
            session.trace_configs.remove(self._trace)
            self._session = session
