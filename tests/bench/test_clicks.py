"""The clicks whose answers are timed."""

from __future__ import annotations

import pytest

from bench.clicks import reply_times
from tests.cogs.worlds import lighten


async def test_one_person_clicks_through_more_than_one_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody deals the next round for a person alone: they have to say that they are ready."""
    lighten(monkeypatch)
    replies = await reply_times(1, 30, seed=1, at_once=False)
    assert len(replies.milliseconds) >= 30
    assert min(replies.milliseconds) > 0
