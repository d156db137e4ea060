"""Rate limits for users: a token bucket for each of them."""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime
from typing import TypeAlias

from bot.runtime.clock import Now

Tokens: TypeAlias = float
"""Cost of a request: 1 for an ordinary click."""


class Cooldowns:
    """Token bucket for each user, with `burst` tokens, refilled by `per_second`.

    Only users whose bucket is not full are stored.
    """

    def __init__(self, now: Now, *, burst: Tokens, per_second: Tokens) -> None:
        self._now = now
        self.burst = burst
        self._per_second = per_second
        self._spent: OrderedDict[int, tuple[Tokens, datetime]] = OrderedDict()
        """By user: missing tokens, and when they were counted; the earliest request first."""

    def __len__(self) -> int:
        return len(self._spent)

    def spend(self, user: int, cost: Tokens) -> bool:
        """Take `cost` tokens and return True; if the user has too few, take none, return False."""
        now = self._now()
        self._drop_full_buckets(now)
        missing = self._missing(user, now)
        accepted = missing + cost <= self.burst
        self._spent[user] = (missing + cost if accepted else missing), now
        self._spent.move_to_end(user)
        return accepted

    def give_back(self, user: int, cost: Tokens) -> None:
        """Return `cost` tokens to a user, because their request was not carried out."""
        if user in self._spent:
            now = self._now()
            self._spent[user] = max(0.0, self._missing(user, now) - cost), now
            self._spent.move_to_end(user)

    def _missing(self, user: int, now: datetime) -> Tokens:
        """Return the number of tokens missing in a user's bucket."""
        missing, counted_at = self._spent.get(user, (0.0, now))
        elapsed = max(0.0, (now - counted_at).total_seconds())  # the clock may be set back
        return max(0.0, missing - elapsed * self._per_second)

    def _drop_full_buckets(self, now: datetime) -> None:
        """Drop full buckets from the front of the queue."""
        while self._spent and self._missing(first := next(iter(self._spent)), now) == 0:
            del self._spent[first]
