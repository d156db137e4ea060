"""Size of tests: a sample in every run, everything in a campaign (`make soak`).

Tests with Hypothesis are reproducible in a normal run, with the same examples each time. The
environment variable ``HYPOTHESIS_PROFILE=soak`` draws new ones, and a hundred times as many.
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
"""Factor by which a campaign has more examples."""
CHARACTERS = st.characters(exclude_categories=["Cs"])
"""Characters of `st.text`: by default everything that UTF-8 can encode.

Without it Hypothesis tries each of 1,100,000 characters, which takes seconds in a new checkout.
"""


def load_profile() -> None:
    """Register both Hypothesis profiles and load the one chosen by the environment.

    There are no deadlines, because no test may depend on the speed of the machine. A normal run
    does not prefer numbers and words from our sources: Hypothesis would read all modules for that,
    which takes seconds, and examples would depend on the modules a worker has loaded.
    """
    everywhere = settings(
        deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.register_profile("default", everywhere, derandomize=True)
    settings.register_profile("soak", everywhere, max_examples=50 * FACTOR)
    settings.load_profile(PROFILE)
    if not SOAK:
        place = "hypothesis.internal.conjecture.providers.is_local_module_file"
        pytest.MonkeyPatch().setattr(place, lambda _: False)  # do not store examples


def examples(number: int) -> settings:
    """Return settings for a property: `number` examples, or `FACTOR` times that in a campaign."""
    return settings(max_examples=number * FACTOR if SOAK else number)


def sample(cases: Iterable[T], number: int, seed: int = 1) -> list[T]:
    """Return all cases in a campaign, otherwise `number` of them, drawn by `seed`, in order."""
    everything = list(cases)
    if SOAK or len(everything) <= number:
        return everything
    chosen = sorted(random.Random(seed).sample(range(len(everything)), number))
    return [everything[place] for place in chosen]
