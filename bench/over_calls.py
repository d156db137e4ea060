"""The Expert as it would be if it considered a Tichu over an opponent's call.

It does not; this contestant measures what that costs or saves.
"""

from __future__ import annotations

import random
from dataclasses import replace

from engine import Action, View
from players.expert.thinking import Expert
from players.limit import Limit


class ExpertOverCalls:
    """That Expert, thinking for `playouts` playouts a decision."""

    def __init__(self, playouts: int) -> None:
        self._expert = _Daring()
        self._limit = Limit(0.0, playouts)

    def prepare(self) -> None:
        """Compile all that thinking needs, or read it from disk."""
        self._expert.prepare()

    def choose(self, view: View, rng: random.Random) -> Action | None:
        """What the seat of this view does; one number drawn from `rng` is all its chance."""
        return self._expert.choose(view, random.Random(rng.getrandbits(32)), self._limit)


class _Daring(Expert):
    """An Expert that is not kept from a call by those of its opponents."""

    def _may_call(self, seen: View) -> bool:
        assert seen.seat is not None
        team = seen.seats[seen.seat].team
        quiet = (each if each.team == team else each._replace(call=None) for each in seen.seats)
        return super()._may_call(replace(seen, seats=tuple(quiet)))
