"""Log summary once per minute, for bots without a metrics server."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from bot.client import TichuBot
from bot.runtime.discord_requests import LOST
from bot.runtime.metrics import ANSWER_BOUNDS, Histogram
from bot.status.current_bot import CurrentBot, shards
from bot.status.metrics import STATUSES, table_status

log = logging.getLogger(__name__)

EVERY_S: Final = 60.0
"""Interval between two lines, in seconds, if there was activity."""
IDLE_MINUTES: Final = 15
"""Minutes without activity after which a line is logged anyway."""
_QUANTILE: Final = 0.95
"""Quantile of the response times in a line."""


class _Counts(NamedTuple):
    """Counters since the start."""

    answers: tuple[int, ...]
    """Responses to clicks and commands, by duration."""
    commits: int
    """Stored changes."""
    requests: int
    """Requests to Discord."""
    failed: int
    """Requests without an answer, or with a status from 500 on."""
    limited: int
    """Requests that Discord rate-limited."""
    decisions: int
    """Decisions of computer players."""
    late: int
    """Decisions that a Novice made because no Expert had in time."""


_NOTHING: Final = _Counts((0,) * (len(ANSWER_BOUNDS) + 1), 0, 0, 0, 0, 0, 0)


class LogSummary:
    """Log line about the activity of a bot since the previous line."""

    def __init__(self, bot: TichuBot) -> None:
        self._bot = bot
        self._before = _NOTHING
        self._minutes = 0
        """Minutes covered by the next line."""

    def next_line(self) -> str | None:
        """Return the line that is due, or `None`.

        It is due if there was activity, or if the last line was `IDLE_MINUTES` ago.
        """
        self._minutes += 1
        now = _counts(self._bot)
        if now == self._before and self._minutes < IDLE_MINUTES:
            return None
        text = f"{_period(self._minutes)}: {self._activity(now)}; now {_current_state(self._bot)}"
        self._before, self._minutes = now, 0
        return text

    def _activity(self, now: _Counts) -> str:
        """Return the activity since the last line, as a list of counts."""
        before, metrics = self._before, self._bot.metrics
        answers = [
            after - earlier for after, earlier in zip(now.answers, before.answers, strict=True)
        ]
        slowest = max(map(_take_largest, list(metrics.answers.values())), default=0.0)
        slowest_commit = _take_largest(self._bot.store.tables.commit_times)
        commits, requests = now.commits - before.commits, now.requests - before.requests
        failed, limited = now.failed - before.failed, now.limited - before.limited
        decisions, late = now.decisions - before.decisions, now.late - before.late
        return (
            f"{sum(answers)} answers{_response_times(answers, slowest)}, "
            f"{commits} commits{_slowest_suffix(slowest_commit)}, "
            f"{requests} requests ({failed} failed, {limited} limited), "
            f"{decisions} computer decisions ({late} late), "
            f"loop lag up to {1000 * _take_largest(metrics.loop_lag):.0f} ms"
        )


def _counts(bot: TichuBot) -> _Counts:
    metrics, requests = bot.metrics, bot.metrics.requests
    return _Counts(
        _sum_counts(times.counts for times in metrics.answers.values()),
        bot.store.tables.commit_times.count,
        requests.total(),
        sum(n for (*_, status), n in requests.items() if status == LOST or status >= "500"),
        metrics.limited.total(),
        bot.scheduler.total,
        bot.scheduler.late,
    )


def _sum_counts(counts: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """Return the sums of the counts of response histograms, by upper bound."""
    return tuple(map(sum, zip(_NOTHING.answers, *counts, strict=True)))  # zeros without any


def _take_largest(times: Histogram) -> float:
    """Return the longest duration since the last line, in seconds, and reset it."""
    largest, times.largest = times.largest, 0.0
    return largest


def _period(minutes: int) -> str:
    """Return the period of a line."""
    return "last minute" if minutes == 1 else f"last {minutes} minutes"


def _response_times(answers: Sequence[int], slowest: float) -> str:
    """Return a suffix with the response times, empty if there were no responses.

    `answers` are the numbers of responses by upper bound of their time, `slowest` is the longest
    time in seconds.
    """
    total = sum(answers)
    if not total:
        return ""
    within_bound = 0
    for bound, count in zip(ANSWER_BOUNDS, answers, strict=False):
        within_bound += count
        if within_bound >= _QUANTILE * total:
            return (
                f" ({_QUANTILE:.0%} within {1000 * bound:.0f} ms, slowest {1000 * slowest:.0f} ms)"
            )
    return _slowest_suffix(slowest)


def _slowest_suffix(seconds: float) -> str:
    return f" (slowest {1000 * seconds:.0f} ms)" if seconds else ""


def _current_state(bot: TichuBot) -> str:
    """Return the current numbers of tables, open hands, queued work and connected shards."""
    tables = Counter(map(table_status, bot.tables.all()))
    waiting = sum(length() for name, length in bot.metrics.queues.items() if name != "outbox")
    own = shards(bot)
    connected = sum(shard.connected for shard in own)
    counted = ", ".join(f"{tables[status]} {status}" for status in STATUSES)
    return (
        f"tables: {counted}; {bot.metrics.open_hands()} open hands, {waiting} in queues, "
        f"{connected} of {len(own)} shards connected"
    )


async def run(current: CurrentBot) -> None:
    """Log a line each minute, if one is due, until cancelled."""
    summary: LogSummary | None = None
    bot: TichuBot | None = None
    while True:
        await asyncio.sleep(EVERY_S)
        if current.bot is None or not hasattr(current.bot, "tables"):
            continue  # it has not logged in yet
        if summary is None or bot is not current.bot:
            bot = current.bot
            summary = LogSummary(bot)
        if (text := summary.next_line()) is not None:
            log.info("%s", text)
