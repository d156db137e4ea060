"""The benchmark of processor time compares the bot with a bare one."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.click_cost import click_cost


@pytest.mark.soak  # it measures in real time
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs Linux")
async def test_both_bots_get_the_same_clicks_and_send_the_same_requests() -> None:
    cost = await click_cost(tables=1, seconds=4.0, pace_s=1.0, seed=1)
    assert cost.clicks
    assert cost.requests >= cost.clicks
    assert cost.bot_s > 0
    assert cost.bare_s > 0
