"""The Expert's decisions, by the mean results of choices over many deals.

All choices are compared on the same deals, in stages. After each stage the worse half of the
choices is dropped.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import ceil, log2
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from engine import (
    Action,
    AnswerGrand,
    Call,
    CallTichu,
    Options,
    Phase,
    Seat,
    View,
    apply,
    deal,
    new_match,
)
from engine import view as view_of
from players.expert import layout, search
from players.expert.bets import BARS, Bars, Bet, swing
from players.expert.choices import Choice, choices
from players.expert.customs import custom
from players.expert.endgame import Stake
from players.expert.kernels import Kernels
from players.expert.knowledge import Knowledge
from players.expert.odds import LEVEL, TARGET, match_odds, round_odds
from players.expert.prior import kind_of
from players.expert.rows import fits, row_of
from players.expert.search import Question
from players.expert.ties import tie_order
from players.expert.two_decks import position
from players.expert.two_decks.search import Question as QuestionOfTwo
from players.limit import Limit
from players.manners import PLACES_PER_POINT, STEADY, Taste, liking
from players.novice.player import Novice

_IN_TURN = (Phase.LEAD, Phase.TURN, Phase.GIFT)
_BATCH = 4
"""Number of deals between two time checks."""
_FINALISTS = 3
"""Number of choices that are compared to the end."""
_PRIOR_DEALS = {"plays": 40, "exchanges": 200, "gifts": 200, "places": 20, "two decks": 40}
"""Number of deals that an expected result counts for, by the kind of the question.

About the variance of a deal divided by that of the errors of `players.expert.prior`.
"""
_LEAD_IS_CLEAR = 4.0
"""Lead over all other choices that ends a comparison early, in standard errors."""
_HOPEFUL = 4.0
"""Maximum effort of a hand for which a Tichu is considered."""
_EXCHANGE_PLAYOUTS, _CALL_PLAYOUTS = 4, 3
"""Factors for the playouts of an exchange and of a call decision."""
_OUR_CALL_PLAYOUTS, _THEIR_CALL_PLAYOUTS = 12, 2
"""Factors for the playouts of a play while a call of the own or another team may succeed."""
_LEAST_CALL_DEALS = 32
"""Minimum number of deals before a clear call decision ends early."""
_CALL_IS_CLEAR = 2.0
"""Distance from the bar at which a call decision is clear, in standard errors."""
_PART_FOR_CALL = 0.5
"""Share of the time for the Tichu decision, if a Tichu is considered."""
_PLAIN_PART = 0.25
"""Share of the maximum time for an ordinary decision.

It is multiplied by the factors above for others, up to the maximum.
"""


class _Budget:
    """Time or playouts of one comparison, divided evenly among its stages."""

    def __init__(self, limit: Limit, stages: int) -> None:
        self._limit = limit
        self._stages = stages
        self._begin = monotonic()

    def is_spent(self, stage: int, deals: int, choices: int) -> bool:
        """Return whether `stage` (counted from 0) has used up its part.

        It has had `deals` deals of `choices` choices. Each stage has at least one batch of deals.
        """
        if deals == 0:
            return False
        seconds, playouts, stop = self._limit
        if stop is not None and stop():
            return True
        if playouts is not None:
            return deals * choices * self._stages >= playouts
        return monotonic() - self._begin >= seconds * (stage + 1) / self._stages


class WeighedChoice(NamedTuple):
    """A choice with the results of its comparison."""

    choice: Choice
    """Choice that was compared."""
    worth: float
    """Worth for the match, a chance or points, with bonuses; for a call with its real chance."""
    points: float
    """Points of the round for the seat's team, less those of the others."""
    chance: float | None = None
    """Chance that the call succeeds, if one was weighed."""


class Expert:
    """Player that decides by playouts. It has no memory and uses only the current view.

    With `infers` it derives evidence about hidden cards from the actions of others. With `patient`
    it thinks longer about important decisions. With `learned` it expects results before playouts
    (`players.expert.prior`). `bars` are the minimum gains of its calls.
    """

    def __init__(
        self,
        kernels: Kernels | None = None,
        *,
        infers: bool = True,
        patient: bool = True,
        learned: bool = True,
        bars: Bars = BARS,
    ) -> None:
        self._kernels = kernels or Kernels()
        self._novice = Novice()
        self._infers = infers
        self._patient = patient
        self._learned = learned
        self._bars = bars

    def prepare(self) -> None:
        """Compile all kernels, or load them from disk, by taking three short decisions."""
        deck = list(range(layout.CARDS))
        random.Random(1).shuffle(deck)
        match, _ = deal(new_match(Options()), deck)
        self.weigh(view_of(match, 0), random.Random(1), Limit(0.0, 1))  # a Grand Tichu
        for seat in range(4):
            match, _ = apply(match, AnswerGrand(seat, False))
        dealt = view_of(match, 0)
        self._kernels.effort(dealt.hand.cards)
        self.weigh(dealt, random.Random(1), Limit(0.0, 1))  # an exchange
        match = new_match(Options(variant="grandseigneur", decks=2))
        match, _ = deal(match, match.variant.deck(match.options)[::-1])
        leader_view = view_of(match, view_of(match, None).turn)
        self._kernels.effort(leader_view.hand.cards)
        self.weigh(leader_view, random.Random(1), Limit(0.0, 1))  # a lead with two decks

    def choose(
        self, view: View, rng: random.Random, limit: Limit, taste: Taste = STEADY
    ) -> Action | None:
        """Return the action of the view's seat, or `None` if it has no decision to make.

        Among choices with equal results it prefers the one that its `taste` likes.
        """
        novice_action = self._novice.choose(view, rng, taste)
        is_forced = len(view.actions) == 1 and view.phase is not Phase.EXCHANGE
        if novice_action is None or is_forced:
            return novice_action
        weighed = self.weigh(view, rng, self._limit_for(limit, view), taste)
        if not weighed:
            return novice_action
        return weighed[0].choice.action

    def weigh(
        self, view: View, rng: random.Random, limit: Limit, taste: Taste = STEADY
    ) -> list[WeighedChoice]:
        """Return the choices that were compared to the end, the best first.

        If a Tichu improves the best play, the Tichu comes before it. The result is empty if the
        seat has no decision to make, or one that the Expert leaves to the Novice.
        """
        seat = view.seat
        if seat is None or view.asked_to_withdraw:
            return []
        if not (fits(view) or position.fits(view)):
            return []
        if view.phase in _IN_TURN and view.turn != seat:
            return []
        possible = choices(view, seat, self._kernels)
        if not possible:
            return []
        bars = self._bars.lowered(taste.calling / 100)
        if view.phase is Phase.GRAND:
            return self._weigh_grand(view, possible, rng, limit, bars)
        possible.sort(key=lambda choice: tie_order(view, choice.action))
        if self.considers_tichu(view):  # keep some time for the Tichu decision
            limit = limit._replace(seconds=limit.seconds * (1 - _PART_FOR_CALL))
        likings = self._likings(taste, view, possible)
        question = self.question(view, seat, possible, rng)
        play_limit = self._with_more_playouts(limit, _playout_factor(view))
        weighed = self.compare(question, possible, play_limit, likings)
        return self._weigh_tichu(view, weighed[0].choice, rng, limit, bars) + weighed

    def _likings(self, taste: Taste, view: View, possible: list[Choice]) -> Any:
        """Return the bonus of each of these choices: in points, or else in places."""
        points = [
            liking(taste, view, choice.action, bomb=_is_bomb(choice))
            + (custom(view, choice, self._kernels) if view.variant.scored else 0.0)
            for choice in possible
        ]
        return np.array(points) * (1.0 if view.variant.scored else PLACES_PER_POINT)

    def question(
        self, view: View, seat: Seat, possible: Sequence[Choice], rng: random.Random
    ) -> Question | QuestionOfTwo:
        """Return the question for the compiled code that compares the possible choices."""
        if not fits(view):
            row = position.row_of(view)
            hidden = position.place_known_cards(view, row, infers=self._infers)
            row[layout.RNG] = rng.getrandbits(62)
            numbers = np.stack([choice.numbers for choice in possible])
            deal_arrays = position.deal_arrays(row, hidden)
            return QuestionOfTwo(row, seat, numbers, hidden, stake_of(view), deal_arrays)
        knowledge = Knowledge(view, infers=self._infers)
        row = row_of(view)
        for other, cards in enumerate(knowledge.held):
            row[layout.HAND + other] = cards
        row[layout.RNG] = rng.getrandbits(62)
        before_first_deal = row.copy()
        before_first_deal[layout.PHASE] = layout.OVER
        return Question(
            row=row,
            seat=seat,
            choices=np.stack([choice.numbers for choice in possible]),
            hidden=knowledge.hidden,
            receivers=_receivers_by_seat(view),
            stake=stake_of(view),
            dealt=before_first_deal,
            searched=np.array([view.phase not in (Phase.GRAND, Phase.EXCHANGE)]),
        )

    def compare(
        self,
        question: Question | QuestionOfTwo,
        possible: list[Choice],
        limit: Limit,
        likings: Any,
    ) -> list[WeighedChoice]:
        """Compare choices in stages, and return those that were compared to the end, best first.

        `likings` are bonus points for each choice.
        """
        count = len(possible)
        sums, deals = np.zeros((count, search.SUMS)), 0
        # Convert points to worth: between a made and a failed Tichu there are twice its stake.
        stake = Call.TICHU.value
        worth_of_point = swing(question.stake, stake) / (2 * stake)
        gains = likings * worth_of_point
        expected, prior_deals = self._expected(question)
        active = np.arange(count)
        stages = ceil(log2(max(2.0, count / _FINALISTS))) + 1  # each halves the choices
        budget = _Budget(limit, stages)
        is_exact = False  # true once all hidden cards were known, so that one search was enough
        for stage in range(stages):
            stage_deals = 0
            while not (is_exact or budget.is_spent(stage, stage_deals, len(active))):
                is_exact = self._kernels.compare(question, active, _BATCH, sums)
                deals += 1 if is_exact else _BATCH
                stage_deals += _BATCH
            part = deals / (deals + (0 if is_exact else prior_deals))
            means, points = (
                _combine(sums[active, place] / deals, expected[active] * unit, part)
                for place, unit in ((search.WORTH, worth_of_point), (search.POINTS, 1.0))
            )
            means += gains[active]
            # By worth, then by points. Of equally good choices the first one stays first.
            order = np.lexsort((-points, -means))
            if stage < stages - 1 and not is_exact:
                order = order[: max(_FINALISTS, (len(active) + 1) // 2)]
            active, means, points = active[order], means[order], points[order]
            if is_exact or _is_clear(sums[active], deals, means, part):
                break
        return [
            WeighedChoice(possible[place], float(mean), float(mean_points))
            for place, mean, mean_points in zip(active, means, points, strict=True)
        ]

    def _expected(self, question: Question | QuestionOfTwo) -> tuple[Any, int]:
        """Return the expected result of each choice, and the number of deals it counts for."""
        if not self._learned:
            return np.zeros(len(question.choices)), 0
        return self._kernels.predict(question), _PRIOR_DEALS[kind_of(question)]

    def considers_tichu(self, view: View) -> bool:
        """Return whether to consider a Tichu before this play.

        The hand must be hopeful, nobody may be out (or it would fail), and no opponent may have a
        call.
        """
        return (
            view.phase in (Phase.LEAD, Phase.TURN)
            and not view.out
            and not _has_open_call(view, ours=False)
            and any(isinstance(action, CallTichu) for action in view.actions)
            and self._kernels.effort(view.hand.cards) <= _HOPEFUL
        )

    def _weigh_tichu(
        self, view: View, best: Choice, rng: random.Random, limit: Limit, bars: Bars
    ) -> list[WeighedChoice]:
        """Return a Tichu call before the best play, if it improves that play, else nothing."""
        if not best.numbers[search.CARDS] or not self.considers_tichu(view):
            return []
        assert view.seat is not None
        called = best.numbers.copy()
        called[search.CALL] = Call.TICHU.value
        pair = [best, Choice(CallTichu(view.seat), called)]
        bet, _, with_call = self.bet(view, pair, rng, limit, bars)
        return [with_call] if bet.pays(bars) else []

    def _weigh_grand(
        self, view: View, pair: Sequence[Choice], rng: random.Random, limit: Limit, bars: Bars
    ) -> list[WeighedChoice]:
        """Return both answers to the Grand Tichu question, the better one first."""
        bet, without, with_call = self.bet(view, pair, rng, limit, bars)
        return [with_call, without] if bet.pays(bars) else [without, with_call]

    def bet(
        self, view: View, pair: Sequence[Choice], rng: random.Random, limit: Limit, bars: Bars
    ) -> tuple[Bet, WeighedChoice, WeighedChoice]:
        """Return the value of a call, and the choices without it and with it.

        `pair` are these two choices before they are weighed.
        """
        assert view.seat is not None
        question = self.question(view, view.seat, pair, rng)
        points = int(pair[1].numbers[search.CALL])
        call_swing = swing(question.stake, points)
        budget = _Budget(self._with_more_playouts(limit, _CALL_PLAYOUTS), 1)
        sums, deals = np.zeros((2, search.SUMS)), 0
        while True:
            is_exact = self._kernels.compare(question, np.arange(2), _BATCH, sums)
            deals += 1 if is_exact else _BATCH
            without, called = sums / deals
            gain = float(called[search.WORTH] - without[search.WORTH])
            bet = Bet(points, float(called[search.FIRST]), gain, call_swing)
            uncertainty = sum(_standard_error(mean, deals) for mean in (without, called))
            is_clear = abs(bet.excess(bars)) > _CALL_IS_CLEAR * uncertainty
            is_clear = is_exact or (is_clear and deals >= _LEAST_CALL_DEALS)
            if is_clear or budget.is_spent(0, deals, 2):
                break
        # Remove the points of calls that succeed in playouts but not really.
        excess_points = (bet.first_share - bet.chance) * 2 * points
        return (
            bet,
            WeighedChoice(
                pair[0], float(without[search.WORTH]), float(without[search.POINTS]), bet.chance
            ),
            WeighedChoice(
                pair[1],
                float(without[search.WORTH]) + bet.real_gain,
                float(called[search.POINTS]) - excess_points,
                bet.chance,
            ),
        )

    def _limit_for(self, limit: Limit, view: View) -> Limit:
        """Return the limit for this decision, with a part of the time.

        The most important decisions get all of the time. `_with_more_playouts` does the same for
        limits by playouts.
        """
        if not self._patient:
            return limit
        factor = _CALL_PLAYOUTS if view.phase is Phase.GRAND else _playout_factor(view)
        if self.considers_tichu(view):
            factor += _CALL_PLAYOUTS
        return limit._replace(seconds=limit.seconds * min(1.0, factor * _PLAIN_PART))

    def _with_more_playouts(self, limit: Limit, factor: int) -> Limit:
        """Return a limit with `factor` times the playouts, if this Expert is patient.

        The time is the same.
        """
        if not self._patient or limit.playouts is None:
            return limit
        return limit._replace(playouts=factor * limit.playouts)


def _is_bomb(choice: Choice) -> bool:
    """Return whether a choice lays a bomb."""
    return bool(choice.numbers[search.KIND] >= layout.FOUR_BOMB)


def _playout_factor(view: View) -> int:
    """Return the factor for the playouts of this decision."""
    if view.phase is Phase.EXCHANGE:
        return _EXCHANGE_PLAYOUTS
    if _has_open_call(view, ours=True):
        return _OUR_CALL_PLAYOUTS
    return _THEIR_CALL_PLAYOUTS if _has_open_call(view, ours=False) else 1


def _has_open_call(view: View, *, ours: bool) -> bool:
    """Return whether the own team (`ours`) or an opponent has a call that can still succeed."""
    assert view.seat is not None
    team = view.seats[view.seat].team
    return not view.out and any(other.call and (other.team == team) == ours for other in view.seats)


def _standard_error(sums_per_deal: Any, deals: int) -> float:
    """Return the standard error of the mean worth of a choice.

    `sums_per_deal` are its sums, divided by the number of deals.
    """
    return float(
        np.sqrt(max(0.0, sums_per_deal[search.SQUARES] - sums_per_deal[search.WORTH] ** 2) / deals)
    )


def _combine(means: Any, expected: Any, part: float) -> Any:
    """Return `part` of the means from playouts, and for the rest the expected results.

    The latter may all be too high or too low by the same number.
    """
    level = np.mean(means - expected)
    return part * means + (1 - part) * (expected + level)


def _is_clear(sums: Any, deals: int, means: Any, part: float) -> bool:
    """Return whether the first choice is clearly better than all others.

    `sums` and `means` are those of each choice; `part` is that of the playouts in a mean. Errors of
    the expected results are ignored.
    """
    variances = sums[:, search.SQUARES] / deals - (sums[:, search.WORTH] / deals) ** 2
    errors = part * np.sqrt(np.maximum(0.0, variances) / deals)
    return bool(np.all(means[0] - means[1:] > _LEAD_IS_CLEAR * (errors[0] + errors[1:])))


def _receivers_by_seat(view: View) -> Any:
    """Return the sets of seats that each seat gives a card to, as an array by seat."""
    receivers = np.zeros(layout.SEATS, np.int64)
    for seat in range(len(view.seats)):
        for other in view.variant.receivers(view, seat):
            receivers[seat] |= 1 << other
    return receivers


def stake_of(view: View, *, always: bool = False) -> Stake:
    """Return what the round is worth in the match: the table of odds, and both scores in it.

    There are no odds in games without points, and, unless `always`, while both teams are far from a
    high target. Then the points (or places) of the round are its worth.
    """
    target, rounds = view.options.target, view.options.rounds
    if view.seat is None or not view.variant.scored:
        return Stake(np.zeros((0, 0)), 0, 0)
    own_team = view.seats[view.seat].team
    if target is not None:
        sides = own_team, 1 - own_team
        ours, theirs = (view.totals[team] + TARGET - target for team in sides)
        if always or max(ours, theirs) >= 0:
            return Stake(match_odds(), ours, theirs)
    elif rounds is not None:
        # Each seat has a score of its own. The dealer's partners play for the dealer's score.
        own = view.dealer if view.seats[view.dealer].team == own_team else view.seat
        best_opponent = max(
            view.totals[other.seat] for other in view.seats if other.team != own_team
        )
        lead = max(-LEVEL, min(LEVEL, view.totals[own] - best_opponent))
        return Stake(round_odds(rounds - view.number), LEVEL + lead, LEVEL)
    return Stake(np.zeros((0, 0)), 0, 0)
