"""The curve of calls: found again where it is known, and drawn from rounds that were played."""

from __future__ import annotations

import random
from math import exp, log

import pytest

from bench.calling import Caller, Tried, curve, play, report
from bench.figures import CallKind
from players.expert.bets import Bars


def calls(shift: float, slope: float, number: int) -> list[Tried]:
    """Calls whose chances lie on this curve."""
    rng, found = random.Random(1), []
    for _ in range(number):
        first = rng.uniform(0.3, 0.95)
        odds = exp(shift + slope * log(first / (1 - first)))
        found.append(Tried(CallKind.ALONE, first, rng.random() < odds / (1 + odds)))
    return found


def test_a_curve_is_found_again() -> None:
    found = curve(calls(-0.3, 0.6, 5000))
    assert found.shift == pytest.approx(-0.3, abs=0.1)
    assert found.slope == pytest.approx(0.6, abs=0.1)
    tied = curve(calls(-0.3, 0.5, 5000), 0.5)
    assert tied.shift == pytest.approx(-0.3, abs=4 * tied.error)
    assert tied.slope == 0.5


def test_every_call_of_a_round_is_judged() -> None:
    player = Caller(16, Bars(tichu=-2.0))
    (tried, result), *_ = play(1, 6, player, player)
    assert len(tried) == len(result.calls) >= 1
    assert {call.kind for call in tried} == {CallKind.ALONE}
    assert all(0 <= call.first <= 1 for call in tried)
    told = "\n".join(report(tried, [result], 2))
    assert f"Tichu uncontested: {len(tried) / 2:.3f} a team and round" in told
    assert "calls of the team first out: " in told
