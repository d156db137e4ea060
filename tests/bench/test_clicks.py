"""The clicks of the reply-time benchmark."""

from __future__ import annotations

import pytest

from bench.clicks import reply_times
from tests.cogs.worlds import lighten


async def test_one_person_clicks_through_more_than_one_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With one person the next round is not dealt until they are ready."""
    lighten(monkeypatch)
    replies = await reply_times(1, 30, seed=1, at_once=False)
    assert len(replies.milliseconds) >= 30
    assert min(replies.milliseconds) > 0
