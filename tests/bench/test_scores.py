"""The benchmarks of leaderboards and replays run on a small scale."""

from __future__ import annotations

import pytest

from bench.profiles import profile_times
from bench.replay import replay_rush, replay_times
from bench.scores import score_times


async def test_leaderboards_and_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.scores._COMMITS", 3)
    found = await score_times(players=20, rounds=5, seed=1)
    assert len(found.pages) == 5 * 3 * 2 * 3
    assert len(found.rounds) == 3
    assert min(found.pages + found.rounds) > 0


async def test_profiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.profiles._TIMES", 1)
    for variant in ("nanjing", "trichu"):
        assert min(await profile_times(60, variant)) > 0


async def test_many_replays_at_once() -> None:
    for different in (False, True):
        rush = await replay_rush(3, 1, rounds=1 + different, different=different)
        assert (rush.answered, rush.failed) == (3, 0)
        assert rush.actions > 100
        assert rush.seconds > 0
        assert rush.lag_ms > 0


async def test_replays() -> None:
    first, again = await replay_times(2, 1)
    assert min(first, again) > 0
