"""Weights of hands after the exchange: with them deals are like the true hands."""

from __future__ import annotations

from bench.contestants import contestant
from bench.exchanged_hands import exchanged, fit, views
from players.expert import habits
from players.expert.likelihood import LONE_LOW


def test_after_the_exchange_there_are_fewer_lone_low_cards_than_in_random_deals() -> None:
    matches = list(exchanged(contestant("novice"), range(6)))
    weights, without, left = fit(list(views(matches)), steps=3, deals=4)
    assert len(weights) == len(without) == habits.FEATURES
    assert without[LONE_LOW] < -0.3
    assert weights[LONE_LOW] < 0
    assert abs(left[LONE_LOW]) < abs(without[LONE_LOW]) / 2
