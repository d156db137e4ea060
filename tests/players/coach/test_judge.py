"""Judging a decision: obvious costs, honest intervals, and nothing from hidden cards."""

from __future__ import annotations

import random
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from bench.redealing import redeal
from engine import CallTichu, Match, Pass, Play, apply, can, card_set, read_action, read_card, view
from players.coach.decisions import Decision, Kind, decisions
from players.coach.estimates import Estimate
from players.coach.judge import Judge, _estimate, _slope
from players.expert import search
from players.expert.choices import choice_of, choices
from players.expert.kernels import Kernels
from players.expert.thinking import stake_of
from players.reasons import Cause
from tests.campaign import SOAK
from tests.players.coach.rounds import random_round
from tests.players.novice.table import position

ROUNDS = 10 if SOAK else 1
STARTED = "started 0 1 2 3"
GAMES = ("nanjing", "trichu", "tientsin")


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge()


def decision(match: Match, kind: Kind, action: str) -> Decision:
    return Decision(0, kind, view(match, 0), read_action(0, action))


def play(text: str) -> Play:
    return Play(0, card_set(read_card(word) for word in text.split()))


def test_going_out_is_suggested_and_has_its_price(judge: Judge) -> None:
    match = position("TURN 0", "J9 S9", "1 P8,T8", lines=[STARTED])
    missed = decision(match, "pass", "pass")
    suggestion = judge.suggest(missed, 1, 400)
    assert suggestion is not None
    assert isinstance(suggestion.action, Play)
    assert suggestion.action.cards == play("J9 S9").cards
    assert suggestion.explanation is not None
    assert suggestion.explanation.cause is Cause.OUT
    cost = judge.difference(missed, suggestion.action, 2, 1600)
    assert 10 < cost.low <= cost.mean <= cost.high


def test_the_own_choice_is_suggested_if_nothing_is_better(judge: Judge) -> None:
    match = position("TURN 0", "J9 S9", "1 P8,T8", lines=[STARTED])
    right = decision(match, "follow", "play:J9,S9")
    suggestion = judge.suggest(right, 1, 400)
    assert suggestion is not None
    assert (suggestion.action, suggestion.explanation) == (right.action, None)


@pytest.mark.parametrize("broken", ["pass", "play:SK"])
def test_breaking_a_wish_has_the_worth_of_its_penalty(
    judge: Judge, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The opponents get 200 points, and their call is made (N37). Playouts do not know that."""
    lines = [STARTED, "calls - tichu - -", "wish 9"]
    match = position("TURN 0", "J9 SK P4", "1 P8", lines=lines, wishes="penalty")
    action = read_action(0, broken)
    over, _ = apply(match, action)
    (made,) = decisions(match, [action], 0)
    suggestion = judge.suggest(made, 1, 60)
    assert suggestion is not None
    assert suggestion.action == play("J9"), "the broken choice is no suggestion"
    sums = np.full((20, 1, search.SUMS), 0.5)
    monkeypatch.setattr(judge, "_sums", lambda *_: sums)
    lost = judge.match_chance(replace(made.view, totals=over.totals))
    cost = judge.difference(made, play("J9"), 1, 20)
    assert cost.mean == pytest.approx((0.5 - lost) / _slope(stake_of(made.view)))


STRONG = "JA SA PA DRAGON PHOENIX JK SK PK TK J9 S9 P9 T9 J4"
WEAK = "J2 S2 P4 T4 J6 S7 P7 T8 J8 S10 PJ TJ JQ S5"


@pytest.mark.parametrize(
    "hand, did, better",
    [(STRONG, "play:J4", "tichu"), (STRONG, "tichu", "tichu"), (WEAK, "tichu", "a play")],
)
def test_a_call_is_judged_on_the_lead(judge: Judge, hand: str, did: str, better: str) -> None:
    match = position("LEAD 0", hand, sizes={1: 14, 2: 14, 3: 14})
    made = decision(match, "call", did)
    suggestion = judge.suggest(made, 1, 400)
    assert suggestion is not None
    assert isinstance(suggestion.action, CallTichu) == (better == "tichu")
    if suggestion.action != made.action:
        assert judge.difference(made, suggestion.action, 2, 400).low > 10


def test_a_call_out_of_turn_is_judged(judge: Judge) -> None:
    match = position("LEAD 1", WEAK, sizes={1: 14, 2: 14, 3: 14})
    made = decision(match, "call", "tichu")
    suggestion = judge.suggest(made, 1, 400)
    assert suggestion is not None
    assert not isinstance(suggestion.action, CallTichu)
    assert judge.difference(made, suggestion.action, 2, 400).low > 20


def test_no_call_on_a_hopeless_hand_is_not_worth_judging(judge: Judge) -> None:
    match = position("LEAD 0", WEAK, sizes={1: 14, 2: 14, 3: 14})
    assert judge.suggest(decision(match, "call", "play:J2"), 1, 400) is None


def test_the_same_seed_gives_the_same_estimate(judge: Judge) -> None:
    match = position("TURN 0", "J9 SK JA", "1 P8", lines=[STARTED])
    missed = decision(match, "pass", "pass")
    first = judge.difference(missed, play("J9"), 3, 80)
    assert judge.difference(missed, play("J9"), 3, 80) == first
    assert judge.difference(missed, play("J9"), 4, 80) != first


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_every_decision_of_random_rounds_is_judged_without_the_hidden_cards(
    judge: Judge, game: str, seed: int
) -> None:
    dealt, actions = random_round(game, 50 + seed)
    judged = 0
    for seat in range(dealt.variant.chair_count(dealt.options)):
        for each in decisions(dealt, actions, seat):
            suggestion = judge.suggest(each, 5, 30)
            if suggestion is None:
                assert each.kind == "call"
                continue
            judged += 1
            cost = judge.difference(each, suggestion.action, 6, 16)
            assert cost.low <= cost.mean <= cost.high
    assert judged > 20


@pytest.mark.parametrize("seed", range(4 * ROUNDS))
def test_other_hidden_cards_change_no_judgement(judge: Judge, seed: int) -> None:
    match = position("TURN 0", "J5 S9 PK TA DOG", "1 P4", lines=[STARTED])
    other = redeal(match, {0}, Random(seed))
    for each, copy in zip(*(_passes(each) for each in (match, other)), strict=True):
        assert judge.suggest(each, seed, 60) == judge.suggest(copy, seed, 60)
        assert judge.difference(each, play("S9"), 1, 24) == judge.difference(
            copy, play("S9"), 1, 24
        )
        assert judge.chances(each.view, 1, 24) == judge.chances(copy.view, 1, 24)


def _passes(match: Match) -> list[Decision]:
    return [Decision(0, "pass", view(match, 0), Pass(0))]


@pytest.mark.parametrize("game", GAMES)
def test_actions_become_the_choices_that_the_expert_compares(game: str) -> None:
    kernels, compared = Kernels(), 0
    dealt, actions = random_round(game, 7)
    for seat in range(dealt.variant.chair_count(dealt.options)):
        for each in decisions(dealt, actions, seat):
            seen = each.view
            assert seen.seat is not None
            if each.kind == "call" or (each.kind == "bomb" and seen.phase.value == "TURN"):
                continue
            for choice in choices(seen, seen.seat, kernels):
                assert np.array_equal(choice_of(seen, choice.action).numbers, choice.numbers)
                compared += 1
    assert compared > 50


def test_a_leading_team_is_likelier_to_win_the_round(judge: Judge) -> None:
    ahead = position("LEAD 0", "JA SA", sizes={1: 9, 2: 4, 3: 9}, lines=[STARTED])
    behind = position("LEAD 1", "J2 S4 P6 T8 JJ SQ", sizes={1: 1}, lines=[STARTED])
    good, bad = (judge.chances(view(match, 0), 2, 80) for match in (ahead, behind))
    assert good.round > 0.5 > 0.4 > bad.round
    assert 1 > good.match > bad.match > 0
    assert can(ahead, play("JA SA"))


def test_the_interval_of_an_estimate_holds_the_mean_in_95_per_cent() -> None:
    numbers = np.random.default_rng(1)
    inside = 0
    for _ in range(400):
        batches = numbers.normal(3.0, 10.0, size=(60, 1))
        found = _estimate(batches, lambda means: float(means[0]))
        inside += found.low <= 3.0 <= found.high
    assert 0.92 <= inside / 400 <= 0.98


def test_an_exact_result_has_an_interval_without_width() -> None:
    assert _estimate(np.full((2, 1), 7.0), lambda means: float(means[0])) == Estimate(7, 7, 7)


def test_a_point_counts_more_where_it_decides_the_match(judge: Judge) -> None:
    """At 950 to 400 a Tichu that fails costs less than at 0 to 0: 50 points win the match."""
    level = position("LEAD 0", WEAK, sizes={1: 14, 2: 14, 3: 14})
    ahead = level._replace(totals=(900, 100))
    costs = []
    for match in (level, ahead):
        made = decision(match, "call", "tichu")
        costs.append(judge.difference(made, play("J2"), random.Random(2).getrandbits(9), 400).mean)
    assert all(cost > 0 for cost in costs)
    assert costs[0] != costs[1]
