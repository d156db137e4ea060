"""Tables that were read back sleep until Discord is there, or until somebody acts at one.

While a table sleeps no clock of it runs, and nothing about it is under way.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from bot.computers.thinking import Thinking
from bot.live.commits import Commits
from bot.live.events import News
from bot.live.registry import Live
from bot.runtime.clock import Now
from bot.table.deadlines import after_downtime, kept_waiting


class Waking:
    """Wakes tables: tells that they are there again, and starts their clocks."""

    def __init__(self, now: Now, commits: Commits, thinking: Thinking, news: News) -> None:
        self._now = now
        self._commits = commits
        self._thinking = thinking
        self._news = news

    def wake(self, live: Live) -> None:
        """Tell that a table was restored and set its clock, unless it is awake.

        People get a moment for what ran out. Last clicks are stored only for people who play alone.
        After a restart everybody else counts as present. Messages that were not delivered are told
        now, so they come before anything new.
        """
        event, live.asleep = live.asleep, None
        if event is not None:
            now = self._now()
            late = kept_waiting(live.state, now)
            live.state = after_downtime(live.state, now)
            if "idle" not in live.state.timers.deadlines:
                live.clicks = dict.fromkeys(live.state.user_ids(), now)
            self._news.tell(replace(event, state=live.state, late=late))
            self._commits.set_alarm(live.state)
            self._thinking.consider(live.state)

    @asynccontextmanager
    async def locked(self, live: Live) -> AsyncIterator[None]:
        """Lock a table in order to change it in this block; it is awake then."""
        async with live.lock:
            self.wake(live)
            yield
