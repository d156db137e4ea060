"""Simulation of many tables under Discord's limit of requests per second."""

from __future__ import annotations

import pytest

from bench.global_limit import CHANGES, LIMIT, ROUND_TRIP_S, Delays, Simulation, Way

SHUT_OUT = 10_000
"""Refusals in ten minutes."""
TODAY, PACED = Way("today", paced=False), Way("paced")


def simulated(way: Way, tables: int) -> Delays:
    return Simulation(way, tables, CHANGES).run(60)


@pytest.mark.parametrize("way", [TODAY, PACED])
def test_few_tables_are_shown_at_once(way: Way) -> None:
    delays = simulated(way, 20)
    assert delays.refused == 0
    assert delays.median == pytest.approx(ROUND_TRIP_S / 2, abs=0.02)
    assert delays.sent == pytest.approx(20 * CHANGES, rel=0.15)


def test_too_many_tables_cause_refusals_unless_the_bot_paces_itself() -> None:
    today, paced = simulated(TODAY, 200), simulated(PACED, 200)
    assert today.refused > SHUT_OUT
    assert paced.refused < SHUT_OUT / 100
    assert today.slow > paced.slow > 1
    assert today.sent == pytest.approx(LIMIT, rel=0.05)
    assert paced.sent == pytest.approx(0.94 * LIMIT, rel=0.05)


def test_what_is_not_counted_leaves_room_for_the_rest() -> None:
    half = simulated(Way("half by token", by_token=0.5), 200)
    assert half.sent == pytest.approx(100 * CHANGES, rel=0.15)
    assert half.slow < simulated(PACED, 200).median


def test_a_larger_limit_is_used() -> None:
    assert simulated(Way("larger", limit=100), 200).slow < 0.5
