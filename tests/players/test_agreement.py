"""Agreement of the Novice and the Expert's quick policy.

They are written twice: the Novice for all games in Python, the quick policy for one deck in
compiled code (docs/computer-players.md explains why). They are compared in the positions of
`bench.decisions`; the quick policy has the weights set by hand, which are the Novice's numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from bench.decisions import GAMES, DecisionPoint
from bench.decisions import decisions as all_decisions
from bench.tuning.quick_policy import Quick, filled_row
from engine import CallTichu, Phase, Play
from players.expert import outlook as quick_outlook
from players.expert.partition import effort, make_runs, split_effort
from players.expert.rows import KINDS
from players.expert.weights import first_guess
from players.novice import partition
from players.novice.outlook import Outlook
from players.novice.player import Novice
from tests.campaign import SOAK

WEIGHTS = first_guess()
NOVICE = Novice()
EVERY = 4 if SOAK else 8
OPENING = (Phase.GRAND, Phase.EXCHANGE)
every_game = pytest.mark.parametrize("game", GAMES)


@cache
def decisions(game: str) -> tuple[DecisionPoint, ...]:
    return tuple(found for found in all_decisions(game, EVERY) if not found.seen.asked_to_withdraw)


def in_play(game: str) -> Iterator[DecisionPoint]:
    return (found for found in decisions(game) if found.match.phase not in OPENING)


@every_game
def test_every_play_is_as_hard_to_get_rid_of(game: str) -> None:
    for decision in decisions(game):
        for play in partition.plan(decision.seen.hand.cards).plays:
            quick = effort(play.cards, KINDS[play.kind], play.size, play.key, WEIGHTS)
            assert quick == pytest.approx(partition.effort(play)), play


@every_game
def test_nearly_every_hand_is_split_as_well(game: str) -> None:
    """For speed each omits some ways to split a hand, but not the same ones."""
    hands = [decision.seen.hand.cards for decision in decisions(game)]
    runs = make_runs()
    same = [
        split_effort(hand, WEIGHTS, runs) == pytest.approx(partition.plan_effort(hand))
        for hand in hands
    ]
    assert sum(same) > 0.94 * len(hands)


@every_game
def test_every_opponent_is_as_dangerous(game: str) -> None:
    for decision in in_play(game):
        outlook, row = Outlook(decision.seen, decision.seat), filled_row(decision.seen)
        for other in outlook.opponents:
            expected = pytest.approx(outlook.danger(other))
            assert quick_outlook.danger(row, other.seat, WEIGHTS) == expected
        first = quick_outlook.partner_has_open_call(row, decision.seat)
        assert first == outlook.partner_has_open_call


@pytest.mark.parametrize("game", ["nanjing", "trichu", "tientsin"])
def test_every_play_is_as_likely_to_hold(game: str) -> None:
    """Both see open hands."""
    compared = 0
    for decision in in_play(game):
        outlook, row = Outlook(decision.seen, decision.seat), filled_row(decision.seen)
        for play in partition.plan(decision.seen.hand.cards).plays:
            kind = KINDS[play.kind]
            quick = quick_outlook.win_chance(row, decision.seat, kind, play.size, play.key, WEIGHTS)
            assert quick == pytest.approx(outlook.win_chance(play)), play
            compared += 1
    assert compared > (150 if SOAK else 75)


def test_they_choose_alike() -> None:
    """Nearly all bombs, the Dragon's trick without a call, and most leads and answers agree."""
    quick = Quick(WEIGHTS)
    same: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for game in GAMES:
        for decision in in_play(game):
            seen = decision.seen
            chosen, novice = decision.choice_of(quick), decision.choice_of(NOVICE)
            if isinstance(novice, CallTichu) or isinstance(chosen, CallTichu):
                continue  # the Novice calls with weaker hands
            if isinstance(novice, Play) and isinstance(chosen, Play):
                chosen = chosen._replace(wish=novice.wish)  # which is chosen otherwise
            what = seen.phase.value
            if seen.phase is Phase.GIFT and any(other.call for other in seen.seats):
                continue  # the Novice minds a caller more
            asked[what] += 1
            same[what] += chosen == novice
    expected = {"WINDOW": 0.9, "CLOSING": 0.85, "GIFT": 1.0, "LEAD": 0.9, "TURN": 0.93}
    assert set(asked) == set(expected)
    rates = {what: same[what] / asked[what] for what in asked}
    assert all(rates[what] >= least for what, least in expected.items()), rates
