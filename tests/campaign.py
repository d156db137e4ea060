"""How much a test tries: a sample in every run, everything in a campaign (`make soak`).

Tests with Hypothesis are reproducible in a normal run: the same examples each time. With the
environment variable ``HYPOTHESIS_PROFILE=soak`` they draw new ones, and a hundred times as many.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

T = TypeVar("T")

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "default")
SOAK = PROFILE == "soak"
FACTOR = 100
"""How many times as much a campaign tries."""
CHARACTERS = st.characters(exclude_categories=["Cs"])
"""What `st.text` is made of by default: whatever UTF-8 can write.

Without it Hypothesis tries each of 1,100,000 characters, which takes seconds in a new checkout.
"""


def load_profile() -> None:
    """Register both profiles of Hypothesis and load the one that the environment asks for.

    There are no deadlines: no test may depend on how fast the machine is. In a normal run numbers
    and words from our sources are not drawn more often than others: Hypothesis would read all
    modules for that, for seconds, and examples would depend on which modules a worker has loaded.
    """
    everywhere = settings(
        deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.register_profile("default", everywhere, derandomize=True)
    settings.register_profile("soak", everywhere, max_examples=50 * FACTOR)
    settings.load_profile(PROFILE)
    if not SOAK:
        place = "hypothesis.internal.conjecture.providers.is_local_module_file"
        pytest.MonkeyPatch().setattr(place, lambda _: False)  # and never as before


def examples(number: int) -> settings:
    """Settings for a property: `number` examples in a normal run, `FACTOR` times that in soak."""
    return settings(max_examples=number * FACTOR if SOAK else number)


def sample(cases: Iterable[T], number: int, seed: int = 1) -> list[T]:
    """All cases in a campaign; otherwise `number` of them, drawn by `seed`, in their order."""
    everything = list(cases)
    if SOAK or len(everything) <= number:
        return everything
    chosen = sorted(random.Random(seed).sample(range(len(everything)), number))
    return [everything[place] for place in chosen]
