"""Simulated people of the memory benchmark play whole matches."""

from __future__ import annotations

import pytest

from bench.memory import growth
from tests.campaign import SOAK
from tests.cogs.worlds import lighten


@pytest.mark.slow
async def test_people_click_their_way_through_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """They start again after a match in a campaign; in a normal run they click for a while."""
    lighten(monkeypatch)
    monkeypatch.setattr("bench.memory.GarbageSchedule", lambda: None)  # it is for a whole process
    number = {"matches": 1} if SOAK else {"clicks": 40}
    grown = await growth(1, 1, **number)
    assert grown.done >= max(number.values())
