"""Decisions of the Expert with two decks: obvious ones, and the same for the same seed."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engine import Match, can, view, write_action
from players.levels import advise, choose
from tests.players.novice.table import position

GAME = 'grandseigneur {"players": 7}'


def table(phase: str, hand: str, trick: str = "-", sizes: Mapping[int, int] | None = None) -> Match:
    return position(phase, hand, trick, sizes, game=GAME)


def decision(match: Match, playouts: int = 400) -> str:
    action = choose("expert", view(match, 0), 1, 0.0, playouts)
    assert action is not None
    assert can(match, action)
    return write_action(action)


def test_goes_out_when_it_can() -> None:
    assert decision(table("TURN 0", "J9 J9#2", "1 P8,T8")) == "play:J9,J9#2"


def test_the_second_dragon_beats_the_first_before_the_last_card() -> None:
    match = table("TURN 0", "DRAGON#2 J3", "1 DRAGON")
    assert decision(match, 4000) == "play:DRAGON#2"


def test_keeps_its_last_winner_for_the_lead_that_it_needs() -> None:
    """The Dragon wins any trick, the pair of threes none, so that it is led afterwards."""
    assert decision(table("TURN 0", "DRAGON J3 J3#2", "1 JA")) == "play:DRAGON"


def test_does_not_split_a_pair_for_a_low_card() -> None:
    match = table("LEAD 0", "J4 JK SK", sizes={1: 2, 2: 9, 3: 9, 4: 9, 5: 9, 6: 9})
    assert decision(match, 2000) in ("play:JK,SK", "play:J4")


@pytest.mark.parametrize("hand", ["J3 S4 P5 T6 J7 J7#2 S9 P9 PHOENIX PHOENIX#2 JA DRAGON"])
def test_the_same_seed_gives_the_same_answer_and_advice(hand: str) -> None:
    match = table("LEAD 0", hand, sizes=dict.fromkeys(range(1, 7), 12))
    found = {decision(match, 60) for _ in range(3)}
    advice = advise(view(match, 0), 1, 0.0, 60)
    assert found == {write_action(advice[0].action)}
    assert len(advice) == 3
    assert all(0 <= each.points <= 6 for each in advice)
