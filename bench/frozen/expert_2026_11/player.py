"""The door to this player: a view goes in, an action comes out."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from bench.frozen.expert_2026_11.expert.thinking import Expert
from bench.frozen.expert_2026_11.from_engine import Action, View
from bench.frozen.expert_2026_11.limit import Limit


class ExpertOf2026:
    """The Expert of November 2026, thinking for so many seconds or playouts a decision."""

    def __init__(self, seconds: float, playouts: int | None = None) -> None:
        self._expert: Any = Expert()
        self._limit = Limit(seconds, playouts)

    def prepare(self) -> None:
        """Compile all that thinking needs, or read it from disk."""
        self._expert.prepare()

    def choose(self, view: View, rng: random.Random) -> Action | None:
        """What the seat of this view does; one number drawn from `rng` is all its chance."""
        action: Action | None = self._expert.choose(
            _as_it_was(view), random.Random(rng.getrandbits(32)), self._limit
        )
        return action


def _as_it_was(view: View) -> View:
    """The view of that time: whoever decided for the Table did not see the dealer's hand."""
    if view.seat is None or view.variant.actor(view, view.seat) == view.seat:
        return view
    return replace(view, hands=((view.seat, view.hand),))
