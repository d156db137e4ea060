"""Costs of choices compared with those of the Expert, by playouts from the view of the seat.

The Expert's choice is found by `suggest`. How much it is better is estimated by `difference` with
other random numbers, because the playouts that select a choice are in its favour.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from engine import (
    WINDOW_PHASES,
    Action,
    AnswerGrand,
    Bomb,
    Call,
    CallTichu,
    PassCards,
    Phase,
    Points,
    View,
    Waive,
)
from players.coach.decisions import Decision, is_call
from players.coach.estimates import Chances, Estimate
from players.expert import search
from players.expert.bets import BARS, Bet, swing
from players.expert.choices import Choice, choice_of, choices, waiting
from players.expert.endgame import Stake
from players.expert.kernels import Kernels
from players.expert.odds import match_odds, score_index
from players.expert.rows import fits
from players.expert.thinking import Expert, stake_of
from players.expert.ties import tie_order
from players.limit import Limit
from players.reasons import Explanation, explain

_BATCHES = 20
"""Number of batches of deals. Deals that follow each other are similar, long batches are not."""
_STANDARD_ERRORS = 2.09
"""Half the width of a 95 % interval, in standard errors (Student's t, 19 degrees of freedom)."""
_LEAST_SLOPE = 0.25
"""Least worth of a point for the match, as a part of that of a point in an even match."""

Stop = Callable[[], bool]
"""Returns true once the work is to end early; then the result is worthless."""


class Suggestion(NamedTuple):
    """The choice of the Expert in place of a seat's own."""

    action: Action
    """The action; in place of a call the play without it, or `Waive` out of turn."""
    explanation: Explanation | None = None
    """Reason why it is better than the seat's own, if there is a short one."""


class Judge:
    """Judges decisions with the code of an Expert. Two threads cannot share an instance."""

    def __init__(self) -> None:
        self._kernels = Kernels()
        self._expert = Expert(self._kernels, patient=False)

    def suggest(
        self, decision: Decision, seed: int, playouts: int, stop: Stop | None = None
    ) -> Suggestion | None:
        """Return the Expert's choice, after this number of playouts for all choices.

        It is the seat's own action if nothing is better. `None` if the Expert cannot judge.
        """
        view, action = decision.view, decision.action
        assert view.seat is not None
        if not fits(view) or not view.variant.scored:
            return None
        rng, limit = random.Random(seed), Limit(0.0, playouts, stop)
        if decision.kind == "call":
            pair = self._call_pair(decision, rng, limit)
            return None if pair is None else self._suggest_call(decision, pair, rng, limit)
        best = self._best(view, _possible(decision, self._kernels), rng, limit)
        if np.array_equal(best.numbers, choice_of(view, action).numbers):
            return Suggestion(action)
        return Suggestion(best.action, explain(view, best.action, action))

    def _best(self, view: View, possible: list[Choice], rng: random.Random, limit: Limit) -> Choice:
        """Return the best of these choices; of equal ones the first."""
        assert view.seat is not None
        question = self._expert.question(view, view.seat, possible, rng)
        no_likings = np.zeros(len(possible))
        return self._expert.compare(question, possible, limit, no_likings)[0].choice

    def _suggest_call(
        self, decision: Decision, pair: Sequence[Choice], rng: random.Random, limit: Limit
    ) -> Suggestion:
        """Return the Expert's answer to the question of a call."""
        bet, _, _ = self._expert.bet(decision.view, pair, rng, limit, BARS)
        without, with_call = (choice.action for choice in pair)
        best = with_call if bet.pays(BARS) else without
        if bet.pays(BARS) == is_call(decision.action):
            return Suggestion(decision.action)
        return Suggestion(best, explain(decision.view, with_call, without, bet.chance))

    def difference(
        self, decision: Decision, better: Action, seed: int, deals: int, stop: Stop | None = None
    ) -> Estimate:
        """Return how many points `better`, from a suggestion, is above the seat's own action.

        A point has its worth for the match, so near the end of a match it may differ from a point
        on the score sheet. A call is compared with the bar of the Expert's calls.
        """
        view = decision.view
        if decision.kind == "call":
            rng = random.Random(seed)
            pair = self._call_pair(decision, rng, Limit(0.0, deals, stop))
            assert pair is not None, "a suggestion was made"
            sums = self._sums(view, pair, rng, deals, stop)
            stake = stake_of(view)
            points = int(pair[1].numbers[search.CALL])
            slope = _slope(stake)

            def gain(means: Any) -> float:
                without, called = means
                worth = float(called[search.WORTH] - without[search.WORTH])
                bet = Bet(points, float(called[search.FIRST]), worth, swing(stake, points))
                return bet.excess(BARS) / slope

            estimate = _estimate(sums, gain)
            if is_call(better):
                return estimate
            return Estimate(-estimate.mean, -estimate.high, -estimate.low)
        if decision.penalty is not None:  # which playouts do not know
            stake = stake_of(view)
            sums = self._sums(view, [choice_of(view, better)], random.Random(seed), deals, stop)
            worth = (sums[:, 0, search.WORTH] - _worth(stake, *decision.penalty)) / _slope(stake)
            return _estimate(worth, float)
        (estimate,) = self.leads(view, [better, decision.action], seed, deals, stop)
        return estimate

    def leads(
        self,
        view: View,
        actions: Sequence[Action],
        seed: int,
        deals: int,
        stop: Stop | None = None,
    ) -> list[Estimate]:
        """Return how many points the first of these actions is above each of the others."""
        possible = [choice_of(view, action) for action in actions]
        sums = self._sums(view, possible, random.Random(seed), deals, stop)
        worth = sums[:, :, search.WORTH] / _slope(stake_of(view))
        return [
            _estimate(worth[:, [0, other]], lambda means: float(means[0] - means[1]))
            for other in range(1, len(actions))
        ]

    def chances(self, view: View, seed: int, deals: int, stop: Stop | None = None) -> Chances:
        """Return the chances of the team of the view's seat, if all play on sensibly."""
        assert view.seat is not None
        choice = waiting(Waive(view.seat))
        question = self._expert.question(view, view.seat, [choice], random.Random(seed))
        question = question._replace(stake=stake_of(view, always=True))
        batches = self._batches(question, 1, deals, stop)
        won, worth = batches[:, 0, [search.WON, search.WORTH]].mean(axis=0)
        return Chances(float(won), float(worth))

    def match_chance(self, view: View) -> float:
        """Return the chance to win the match that goes on with the totals of the view."""
        return _worth(stake_of(view, always=True), 0, 0)

    def _sums(
        self,
        view: View,
        possible: Sequence[Choice],
        rng: random.Random,
        deals: int,
        stop: Stop | None = None,
    ) -> Any:
        """Return the mean results of choices on the same deals, of each batch and choice."""
        assert view.seat is not None
        question = self._expert.question(view, view.seat, possible, rng)
        return self._batches(question, len(possible), deals, stop)

    def _batches(self, question: Any, count: int, deals: int, stop: Stop | None) -> Any:
        """Return the mean results of `count` choices in each batch of deals."""
        batches = np.zeros((_BATCHES, count, search.SUMS))
        for batch in batches:
            if stop is not None and stop():
                break
            size = -(-deals // _BATCHES)
            if self._kernels.compare(question, np.arange(count), size, batch):
                batches[:] = batch  # all hands are known: one search is exact
                break
            batch /= size
        return batches

    def _call_pair(
        self, decision: Decision, rng: random.Random, limit: Limit
    ) -> tuple[Choice, Choice] | None:
        """Return the choices without and with a call; `None` for a Tichu on a hopeless hand.

        On turn the best play follows. Elsewhere nothing else is chosen.
        """
        view, action = decision.view, decision.action
        seat = view.seat
        assert seat is not None
        if isinstance(action, AnswerGrand):
            without, with_call = choices(view, seat, self._kernels)
            return without, with_call
        call = CallTichu(seat)
        on_turn = view.phase in (Phase.LEAD, Phase.TURN) and view.turn == seat
        if not on_turn:
            return waiting(Waive(seat)), waiting(call, Call.TICHU)
        if not isinstance(action, CallTichu) and not self._expert.considers_tichu(view):
            return None
        possible = choices(view, seat, self._kernels)
        possible.sort(key=lambda choice: tie_order(view, choice.action))
        best = self._best(view, possible, rng, limit)
        called = best.numbers.copy()
        called[search.CALL] = Call.TICHU.value
        return best, Choice(call, called)


def _possible(decision: Decision, kernels: Kernels) -> list[Choice]:
    """Return the choices to compare; of equal ones that of a person comes first.

    The seat's own is among them, unless it broke a wish.
    """
    view, action = decision.view, decision.action
    assert view.seat is not None
    own = choice_of(view, action)
    if isinstance(action, Bomb) and view.phase not in WINDOW_PHASES:  # in another seat's turn
        possible = [waiting(Waive(view.seat)), own]
    else:
        possible = choices(view, view.seat, kernels)
    known = any(np.array_equal(own.numbers, choice.numbers) for choice in possible)
    if not known and decision.penalty is None:
        possible.append(own)
    if not isinstance(action, PassCards):  # exchanges stay in the order of their promise
        possible.sort(key=lambda choice: tie_order(view, choice.action))
    return possible


def _worth(stake: Stake, ours: Points, theirs: Points) -> float:
    """Return the worth of a round that ends with these points."""
    if not stake.odds.shape[0]:
        return float(ours - theirs)
    sides = (
        score_index(stake.odds, stake.ours + ours),
        score_index(stake.odds, stake.theirs + theirs),
    )
    return float(stake.odds[sides])


def _slope(stake: Stake) -> float:
    """Return the worth of a point for the match: 1 where points are the worth.

    It is that of the points of a Tichu. In a match that is nearly decided hardly anything matters,
    so that a mistake would seem to cost thousands; there it has a lower bound.
    """
    if not stake.odds.shape[0]:
        return 1.0
    points = Call.TICHU.value
    even = swing(Stake(match_odds(), 0, 0), points)
    return max(swing(stake, points), _LEAST_SLOPE * even) / (2 * points)


def _estimate(batches: Any, statistic: Callable[[Any], float]) -> Estimate:
    """Return a statistic of the mean of independent batches, with its interval (jackknife)."""
    count = len(batches)
    total = batches.sum(axis=0)
    mean = statistic(total / count)
    without_each = np.array([statistic((total - batch) / (count - 1)) for batch in batches])
    variance = (count - 1) * float(np.mean((without_each - without_each.mean()) ** 2))
    margin = _STANDARD_ERRORS * sqrt(variance)
    return Estimate(mean, mean - margin, mean + margin)
