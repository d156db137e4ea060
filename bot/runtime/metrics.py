"""What the bot counts and measures about itself, as plain numbers in its event loop.

To note something costs about a microsecond, whether anybody looks at it or not. Lengths of queues
and the like are not noted: `bot.status` reads them where they are, when somebody looks.

No number is about a person, a server or a channel, and none is about cards. A label is one of a few
words of our own, never a text that somebody has sent.

Not the metrics of prometheus_client: they take 2 MB where no port is set, have no maximum since
the last log line, and can only be read through `collect`. `bot.status.exposition` converts these.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

Seconds: TypeAlias = float
Kind: TypeAlias = str
"""What somebody asks for: the verb of a control, or the name of a command after a slash."""
UNKNOWN: Final[Kind] = "unknown"
"""What somebody asks for who sends what stands on no control of ours."""

ANSWER_BOUNDS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 10.0)
"""Discord gives up after three seconds."""
COMMIT_BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
LAG_BOUNDS: Final = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
REQUEST_BOUNDS: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Histogram:
    """How often a duration was how long."""

    __slots__ = ("bounds", "counts", "largest", "total")

    def __init__(self, bounds: Sequence[Seconds]) -> None:
        self.bounds = tuple(bounds)
        self.counts = [0] * (len(self.bounds) + 1)
        """How many were as long as each bound at most, and longer than the bound before."""
        self.total: Seconds = 0.0
        """All of them together."""
        self.largest: Seconds = 0.0
        """The longest one since somebody has set this back to 0."""

    def note(self, seconds: Seconds) -> None:
        """Count a duration."""
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.total += seconds
        if seconds > self.largest:
            self.largest = seconds

    @property
    def count(self) -> int:
        """How many there were."""
        return sum(self.counts)


class Metrics:
    """The numbers of one bot; `now` tells seconds of a clock that is never set."""

    def __init__(self, now: Callable[[], Seconds] = time.perf_counter) -> None:
        self.now = now
        self.answers: dict[Kind, Histogram] = {}
        """From the arrival of a click or command until Discord had its first answer."""
        self.loop_lag = Histogram(LAG_BOUNDS)
        """How much too late the event loop came to something."""
        self.requests: Counter[tuple[str, ...]] = Counter()
        """Requests to Discord by method, route, and status (or "lost": there was no answer)."""
        self.request_times = Histogram(REQUEST_BOUNDS)
        """From a request to Discord until its answer began."""
        self.limited: Counter[str] = Counter()
        """The requests for which Discord wanted us to wait (429), by what was the limit's scope."""
        self.open_hands: Callable[[], int] = lambda: 0
        """How many private hands are kept fresh; told by whoever keeps them."""
        self.queues: dict[str, Callable[[], int]] = {}
        """How much waits in each queue; told by whoever has it."""

    def answered(self, kind: Kind, arrived: Seconds) -> None:
        """Note the first answer to what has `arrived` then."""
        answers = self.answers.get(kind)
        if answers is None:
            answers = self.answers[kind] = Histogram(ANSWER_BOUNDS)
        answers.note(self.now() - arrived)
