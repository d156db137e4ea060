"""Simulation of the delay of table messages under Discord's 50 requests a second.

Discrete events in simulated time; nothing of the bot runs. `python -m bench.global_limit` prints
the table of docs/measurements/scaling.md. A table changes at random, on average as often as in
play. Its message is edited by one request at a time, which shows the newest state when it is sent.
Discord counts requests in seconds of its clock and refuses what is too much with a 429. It also
takes 5 in 5 s in a channel, and 5 in 2 s by a token, which is known from headers and waited for.

The ways to send:

- `discord.py`: as the bot does today. A 429 makes all requests wait that have not begun. Each
  refused one waits and is sent again with the state that it had, after five times it fails.
- `paced`: the bot itself stays below the limit, and sends for the table that has waited longest.
- a share of tables edited by interaction token, which is not counted, the others `paced`.
"""

from __future__ import annotations

import heapq
import itertools
import random
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import quantiles
from typing import Final

LIMIT: Final = 50
"""Requests a second and application."""
CHANGES: Final = 0.41
"""Changes of a table a second that its message needs to show: 49 requests at 120 tables."""
ROUND_TRIP_S: Final = 0.15
"""An assumption: from sending a request to its answer, on average; it varies by a half."""
_PACE: Final = 0.94
"""The part of the limit that a self-pacing bot uses, as requests arrive unevenly."""
_TRIES: Final = 5
_BUCKET: Final = 5
"""Requests that the bucket of a channel or token takes."""
_CHANNEL_S: Final = 5.0
"""Seconds in which the bucket of a channel takes `_BUCKET` requests."""
_TOKEN_S: Final = 2.0
"""Seconds in which the bucket of a token takes `_BUCKET` requests."""
SECONDS: Final = 600.0
_WARM_UP_S: Final = 60.0
COUNTS: Final = (50, 100, 120, 150, 200, 300)


@dataclass(frozen=True, slots=True)
class Way:
    """A way to send messages."""

    name: str
    paced: bool = True
    """True if the bot itself stays below the limit."""
    limit: int = LIMIT
    """Requests a second that Discord takes."""
    by_token: float = 0.0
    """The share of tables whose messages are edited by interaction tokens."""


@dataclass(frozen=True, slots=True)
class Delays:
    """Seconds from a change to its display, and the number of 429s."""

    median: float
    slow: float
    """The 95th percentile."""
    slowest: float
    """The 99th percentile."""
    refused: float
    """429s in ten minutes; at 10,000 Discord bans the address for a while."""
    sent: float
    """Accepted requests per second that count for the limit."""


@dataclass(eq=False, slots=True)
class _Table:
    """A table with the changes that its message does not show yet."""

    by_token: bool
    changed_at: list[float] = field(default_factory=list)
    busy: bool = False
    sent_since: float = 0.0
    """Start of the window of its bucket."""
    sent: int = 0
    """The number of requests in that window."""

    def wait(self, now: float) -> float:
        """Count a request in its bucket; return the seconds it must wait."""
        per = _TOKEN_S if self.by_token else _CHANNEL_S
        if now >= self.sent_since + per:
            self.sent_since, self.sent = now, 0
        elif self.sent >= _BUCKET:
            wait = self.sent_since + per - now
            self.sent_since, self.sent = now + wait, 1
            return wait
        self.sent += 1
        return 0.0


class Simulation:
    """Simulated tables in play."""

    def __init__(self, way: Way, tables: int, changes: float, seed: int = 1) -> None:
        self._way = way
        self._rng = random.Random(seed)
        self._changes = changes
        self._now = 0.0
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = itertools.count()
        self._taken = Counter[int]()
        """Accepted requests by the second of Discord's clock."""
        self._closed = False
        """True while discord.py holds back all requests after a 429."""
        self._waiting = deque[Callable[[], None]]()
        """The requests held back."""
        self._next_slot = 0.0
        self._delays: list[float] = []
        self._refused = 0
        self._tables = [_Table(number < way.by_token * tables) for number in range(tables)]

    def run(self, seconds: float = SECONDS) -> Delays:
        """Simulate and return the delays after a minute of warm-up."""
        for table in self._tables:
            self._change_later(table)
        while self._events and self._now < _WARM_UP_S + seconds:
            self._now, _, happen = heapq.heappop(self._events)
            happen()
        cuts = quantiles(self._delays, n=100)
        sent = sum(count for second, count in self._taken.items() if second >= _WARM_UP_S)
        return Delays(cuts[49], cuts[94], cuts[98], self._refused * 600 / seconds, sent / seconds)

    def _after(self, seconds: float, happen: Callable[[], None]) -> None:
        heapq.heappush(self._events, (self._now + seconds, next(self._numbers), happen))

    def _change_later(self, table: _Table) -> None:
        def change() -> None:
            table.changed_at.append(self._now)
            self._edit(table)
            self._change_later(table)

        self._after(self._rng.expovariate(self._changes), change)

    def _edit(self, table: _Table) -> None:
        """Edit the message of a table, unless an edit is in flight or nothing changed."""
        if table.busy or not table.changed_at:
            return
        table.busy = True
        shown = None if self._way.paced else self._take(table)
        self._after(table.wait(self._now), lambda: self._begin(table, shown))

    def _begin(self, table: _Table, shown: list[float] | None) -> None:
        """Send a request once the limit allows it; the table's bucket already does."""
        if table.by_token:
            self._send(table, counted=False)
        elif self._way.paced:
            slot = max(self._now, self._next_slot)
            self._next_slot = slot + 1 / (_PACE * self._way.limit)
            self._after(slot - self._now, lambda: self._send(table))
        elif self._closed:
            self._waiting.append(lambda: self._send(table, shown))
        else:
            self._send(table, shown)

    @staticmethod
    def _take(table: _Table) -> list[float]:
        """Return and clear the changes that a request made now would show."""
        shown, table.changed_at = table.changed_at, []
        return shown

    def _send(
        self,
        table: _Table,
        shown: list[float] | None = None,
        *,
        counted: bool = True,
        tries: int = 1,
    ) -> None:
        changes = self._take(table) if shown is None else shown

        def arrive() -> None:
            if counted and self._taken[int(self._now)] >= self._way.limit:
                wait = 1 - self._now % 1
                self._after(self._way_there(), lambda: self._limited(table, changes, tries, wait))
                return
            self._taken[int(self._now)] += counted
            if self._now >= _WARM_UP_S:
                self._delays += [self._now - at for at in changes]
            self._after(self._way_there(), done)

        def done() -> None:
            table.busy = False
            self._edit(table)

        self._after(self._way_there(), arrive)

    def _way_there(self) -> float:
        """Return the seconds until a request reaches Discord, or its answer the bot."""
        return ROUND_TRIP_S / 2 * self._rng.uniform(0.5, 1.5)

    def _limited(self, table: _Table, changes: list[float], tries: int, wait: float) -> None:
        """Handle a 429 as discord.py does: wait as long as Discord asks, and send again."""
        self._refused += self._now >= _WARM_UP_S
        if self._way.paced:
            self._after(wait, lambda: self._send(table, changes))
            return
        self._closed = True

        def again() -> None:
            if tries < _TRIES:
                self._send(table, changes, tries=tries + 1)
            else:  # the request fails, and the bot starts another one
                table.changed_at = changes + table.changed_at
                table.busy = False
                self._edit(table)
            self._closed = False
            while self._waiting:
                self._waiting.popleft()()

        self._after(wait, again)


def ways() -> list[Way]:
    """Return the ways to compare."""
    return [
        Way("discord.py, as today", paced=False),
        Way("paced below 50"),
        Way("paced, a quarter by token", by_token=0.25),
        Way("paced, half by token", by_token=0.5),
        Way("paced, three quarters by token", by_token=0.75),
        Way("paced below 100: two applications, or a larger limit", limit=100),
        Way("paced below 200", limit=200),
    ]


def main() -> None:
    """Print the delays by way of sending and number of tables."""
    for way in ways():
        print(f"\n{way.name}\ntables  median    95 %    99 %  sent/s  429s in 10 min")
        for tables in COUNTS:
            delays = Simulation(way, tables, CHANGES).run()
            print(
                f"{tables:6} {delays.median:7.2f} {delays.slow:7.2f} {delays.slowest:7.2f}"
                f" {delays.sent:7.1f} {delays.refused:9.0f}"
            )


if __name__ == "__main__":
    main()
