"""Campaigns: `make soak` runs everything, `make test` a sample that is the same every time.

A test that is only worth its time in a campaign carries `@pytest.mark.soak` and runs in `make
soak` alone. A test that goes through many cases takes `sample(cases, number)` instead of them all.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
"""Whether this is `make soak`."""


def sample(cases: Iterable[T], number: int, seed: int = 1) -> list[T]:
    """All cases in a campaign; otherwise `number` of them, drawn by `seed`, in their order."""
    everything = list(cases)
    if SOAK or len(everything) <= number:
        return everything
    chosen = sorted(random.Random(seed).sample(range(len(everything)), number))
    return [everything[place] for place in chosen]
