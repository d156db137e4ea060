"""The people whose clicks are counted while memory is measured: they play."""

from __future__ import annotations

import pytest

from bench.memory import growth
from tests.campaign import SOAK
from tests.cogs.worlds import lighten


@pytest.mark.slow
async def test_people_click_their_way_through_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """They begin again when a match is over: in a campaign, otherwise they click for a while."""
    lighten(monkeypatch)
    monkeypatch.setattr("bench.memory.Garbage", lambda: None)  # it is for a whole process
    number = {"matches": 1} if SOAK else {"clicks": 40}
    grown = await growth(1, 1, **number)
    assert grown.done >= max(number.values())
