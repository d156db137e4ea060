"""How much one person may ask for, and how fast: a bucket of tokens for each of them."""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime
from typing import TypeAlias

from bot.runtime.clock import Now

Tokens: TypeAlias = float
"""What something costs: 1 for an ordinary click."""


class Cooldowns:
    """A bucket with `burst` tokens for each person; `per_second` come back.

    Who takes them out faster than they come back has to wait in the end. Only those whose bucket is
    not full are remembered.
    """

    def __init__(self, now: Now, *, burst: Tokens, per_second: Tokens) -> None:
        self._now = now
        self.burst = burst
        self._per_second = per_second
        self._spent: OrderedDict[int, tuple[Tokens, datetime]] = OrderedDict()
        """By person, in the order in which they asked last: what their bucket lacked then."""

    def __len__(self) -> int:
        return len(self._spent)

    def spend(self, user: int, cost: Tokens) -> bool:
        """Whether this person has `cost` tokens; if so, they are taken, otherwise none is."""
        now = self._now()
        self._forget_who_lacks_nothing(now)
        lacks = self._lacks(user, now)
        accepted = lacks + cost <= self.burst
        self._spent[user] = (lacks + cost if accepted else lacks), now
        self._spent.move_to_end(user)
        return accepted

    def give_back(self, user: int, cost: Tokens) -> None:
        """Put back `cost` tokens that this person has spent for nothing."""
        if user in self._spent:
            now = self._now()
            self._spent[user] = max(0.0, self._lacks(user, now) - cost), now
            self._spent.move_to_end(user)

    def _lacks(self, user: int, now: datetime) -> Tokens:
        """How many tokens are missing in this person's bucket."""
        lacked, at = self._spent.get(user, (0.0, now))
        passed = max(0.0, (now - at).total_seconds())  # clocks are set back now and then
        return max(0.0, lacked - passed * self._per_second)

    def _forget_who_lacks_nothing(self, now: datetime) -> None:
        """Forget whose bucket is full again, as far as nobody before them is remembered."""
        while self._spent and self._lacks(first := next(iter(self._spent)), now) == 0:
            del self._spent[first]
