"""Metrics of the bot, as plain numbers in its event loop.

Recording a value takes less than a microsecond. Lengths of queues and the like are not recorded:
`bot.status` reads them when they are requested.

No number is about a person, a server, a channel or cards. Labels are a few fixed words, never user
input.

The metrics of prometheus_client are not used. They would take 2 MB even where no port is set, have
no maximum since the last log line, and can only be read through `collect`. `bot.status.exposition`
converts the metrics of this module to its format.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Final, Literal, TypeAlias, get_args

Seconds: TypeAlias = float
Kind: TypeAlias = str
"""Label of an interaction: the verb of a control, or a slash and the name of a command."""
UNKNOWN: Final[Kind] = "unknown"
"""Label for unknown custom_ids."""

FailureCause = Literal["discord", "late", "rejected"]
"""Cause of a missing response: a failure of Discord, too late an answer, or an invalid one."""

ANSWER_BOUNDS: Final = (0.01, 0.025, 0.05, 0.1, 0.3, 0.5, 1.0, 2.0, 3.0, 10.0)
"""Upper bounds of response times, in seconds. The service level uses 0.3 and 3.

Discord gives up after three.
"""
COMMIT_BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
LAG_BOUNDS: Final = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
REQUEST_BOUNDS: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


arrived_at: Final = ContextVar[Seconds]("arrived_at")
"""Arrival of the interaction that the current task answers, by `Metrics.now`."""


class Histogram:
    """Histogram of durations."""

    __slots__ = ("bounds", "counts", "largest", "total")

    def __init__(self, bounds: Sequence[Seconds]) -> None:
        self.bounds = tuple(bounds)
        self.counts = [0] * (len(self.bounds) + 1)
        """Counts by upper bound; the last one has no bound."""
        self.total: Seconds = 0.0
        """Sum of all durations."""
        self.largest: Seconds = 0.0
        """Maximum since the last reset to 0."""

    def observe(self, seconds: Seconds) -> None:
        """Count a duration."""
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.total += seconds
        if seconds > self.largest:
            self.largest = seconds

    @property
    def count(self) -> int:
        """Number of durations."""
        return sum(self.counts)


class Metrics:
    """The metrics of one bot; `now` returns seconds of a monotonic clock."""

    def __init__(self, now: Callable[[], Seconds] = time.perf_counter) -> None:
        self.now = now
        self.answers: dict[Kind, Histogram] = {}
        """Time from the arrival of a click or command until its response was sent first.

        An interaction is counted once Discord has accepted a response.
        """
        self.unanswered: Counter[FailureCause] = Counter(dict.fromkeys(get_args(FailureCause), 0))
        """Clicks and commands without a response, by cause."""
        self.clicks_ahead = 0
        """Clicks on controls of a later state of the table than the stored one."""
        self.ready_at: Seconds | None = None
        """Unix time at which the bot became ready; `None` until then."""
        self.loop_lag = Histogram(LAG_BOUNDS)
        """Event-loop lag."""
        self.requests: Counter[tuple[str, ...]] = Counter()
        """Requests to Discord by method, route, and status ("lost" without a response)."""
        self.request_times = Histogram(REQUEST_BOUNDS)
        """Time from a request to Discord to the start of its response."""
        self.limited: Counter[str] = Counter()
        """Requests that were rate limited (429), by the scope of the limit."""
        self.open_hands: Callable[[], int] = lambda: 0
        """Gauge of the private hands that are kept up to date."""
        self.queues: dict[str, Callable[[], int]] = {}
        """Gauges of queue lengths, by name."""

    def observe_response(self, kind: Kind, seconds: Seconds) -> None:
        """Record the response time of an interaction."""
        answers = self.answers.get(kind)
        if answers is None:
            answers = self.answers[kind] = Histogram(ANSWER_BOUNDS)
        answers.observe(seconds)
