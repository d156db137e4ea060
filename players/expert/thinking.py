"""The Expert's decisions: choices compared by their mean results over many deals.

All choices are compared on the same deals, in stages. After each stage the worse half of them is
dropped.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import ceil, log2
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from engine import (
    DRAGONS,
    PHOENIXES,
    Action,
    AnswerGrand,
    Bomb,
    Call,
    CallTichu,
    Options,
    Pass,
    Phase,
    Play,
    Seat,
    View,
    Waive,
    apply,
    deal,
    new_match,
    view,
)
from players.expert import layout, search
from players.expert.bets import BARS, Bars, Bet, swing
from players.expert.choices import Choice, choices
from players.expert.endgame import Stake
from players.expert.kernels import Kernels
from players.expert.knowledge import Knowledge
from players.expert.odds import LEVEL, TARGET, match_odds, round_odds
from players.expert.rows import fits, row_of
from players.expert.search import Question
from players.expert.two_decks import position
from players.expert.two_decks.search import Question as QuestionOfTwo
from players.limit import Limit
from players.manners import PLACES_PER_POINT, STEADY, Taste, liking
from players.novice.player import Novice

_IN_TURN = (Phase.LEAD, Phase.TURN, Phase.GIFT)
_BATCH = 4
"""Number of deals between two time checks."""
_LAST = 3
"""Number of choices compared until the end."""
_CLEAR = 4.0
"""Lead over all others in standard errors that ends the comparison early."""
_HOPEFUL = 4.0
"""Maximum effort of a hand for which a Tichu is considered."""
_EXCHANGE_PLAYOUTS, _CALL_PLAYOUTS = 4, 3
"""Factors of the playouts of an exchange and of a call decision."""
_OUR_CALL_PLAYOUTS, _THEIR_CALL_PLAYOUTS = 12, 2
"""Factors of the playouts of a play while a call can still succeed.

The first is for a call of the own team, the second for one of the others.
"""
_FEW = 32
"""Minimum number of deals before a clear call decision ends."""
_SURE = 2.0
"""Distance from the bar in standard errors at which a call decision is clear."""
_PART_FOR_CALL = 0.5
"""Share of the time for the Tichu decision, if a Tichu is possible."""
_PLAIN_PART = 0.25
"""Share of the maximum time for an ordinary decision.

Decisions with factors take more, up to all of it.
"""


class _Budget:
    """Time or playouts of one comparison, divided evenly among its stages."""

    def __init__(self, limit: Limit, stages: int) -> None:
        self._limit = limit
        self._stages = stages
        self._begin = monotonic()

    def spent(self, stage: int, deals: int, choices: int) -> bool:
        """Return whether a stage is over after this number of deals for each choice.

        The first stage is 0. Each stage has at least one batch of deals.
        """
        if deals == 0:
            return False
        seconds, playouts, stop = self._limit
        if stop is not None and stop():
            return True
        if playouts is not None:
            return deals * choices * self._stages >= playouts
        return monotonic() - self._begin >= seconds * (stage + 1) / self._stages


class Weighed(NamedTuple):
    """A choice with the results of its comparison."""

    choice: Choice
    """Choice that was compared."""
    worth: float
    """Mean worth for the match, a chance or points; for a call with its real chance."""
    points: float
    """Mean points of the round for the seat's team, less those of the others."""
    chance: float | None = None
    """Chance that the call succeeds, if one was weighed."""


class Expert:
    """Player without memory; it uses only the current view.

    Without `infers` it ignores the evidence in the calls and passes of the others. Without
    `patient` it thinks equally long about every decision.
    """

    def __init__(
        self,
        kernels: Kernels | None = None,
        *,
        infers: bool = True,
        patient: bool = True,
        bars: Bars = BARS,
    ) -> None:
        self._kernels = kernels or Kernels()
        self._novice = Novice()
        self._infers = infers
        self._patient = patient
        self._bars = bars

    def prepare(self) -> None:
        """Compile all kernels, or read them from disk, by deciding for a moment."""
        match, _ = deal(new_match(Options()), range(layout.CARDS))
        self.weigh(view(match, 0), random.Random(1), Limit(0.0, 1))
        for seat in range(4):
            match, _ = apply(match, AnswerGrand(seat, False))
        self.weigh(view(match, 0), random.Random(1), Limit(0.0, 1))
        match = new_match(Options(variant="grandseigneur", decks=2))
        match, _ = deal(match, match.variant.deck(match.options)[::-1])
        seen = view(match, view(match, None).turn)
        self._kernels.effort(seen.hand.cards)
        self.weigh(seen, random.Random(1), Limit(0.0, 1))

    def choose(
        self, seen: View, rng: random.Random, limit: Limit, taste: Taste = STEADY
    ) -> Action | None:
        """Return the action of the view's seat, or `None` if it has no decision to make.

        Among choices with equal results it prefers the one that its `taste` likes.
        """
        simple = self._novice.choose(seen, rng, taste)
        forced = len(seen.actions) == 1 and seen.phase is not Phase.EXCHANGE
        if simple is None or forced:
            return simple
        weighed = self.weigh(seen, rng, self._part(limit, seen), taste)
        if not weighed:
            return simple
        return weighed[0].choice.action

    def weigh(
        self, seen: View, rng: random.Random, limit: Limit, taste: Taste = STEADY
    ) -> list[Weighed]:
        """Return the choices that were compared to the end, the best first.

        A Tichu that is better than the best play alone comes before it. Empty if the seat has no
        decision to make, or one that the Expert leaves to the Novice.
        """
        seat = seen.seat
        if seat is None or seen.asked_to_withdraw:
            return []
        if not (fits(seen) or position.fits(seen)):
            return []
        if seen.phase in _IN_TURN and seen.turn != seat:
            return []
        possible = choices(seen, seat, self._kernels)
        if not possible:
            return []
        bars = self._bars.lowered(taste.calling / 100)
        if seen.phase is Phase.GRAND:
            return self._grand(seen, possible, rng, limit, bars)
        possible.sort(key=lambda choice: order_of(seen, choice.action))
        if self._may_call(seen):  # leaves time for the Tichu decision
            limit = limit._replace(seconds=limit.seconds * (1 - _PART_FOR_CALL))
        likings = _likings(taste, seen, possible)
        question = self.question(seen, seat, possible, rng)
        longer = self._longer(limit, _patience(seen))
        weighed = self._compare(question, possible, longer, likings)
        return self._tichu(seen, weighed[0].choice, rng, limit, bars) + weighed

    def question(
        self, seen: View, seat: Seat, possible: Sequence[Choice], rng: random.Random
    ) -> Question | QuestionOfTwo:
        """Return the comparison of the possible choices for the compiled code."""
        if not fits(seen):
            row = position.row_of(seen)
            hidden = position.deal_known(seen, row, infers=self._infers)
            row[layout.RNG] = rng.getrandbits(62)
            numbers = np.stack([choice.numbers for choice in possible])
            none_yet = position.no_deal(row, hidden)
            return QuestionOfTwo(row, seat, numbers, hidden, _stake(seen), none_yet)
        known = Knowledge(seen, infers=self._infers)
        row = row_of(seen)
        for other, cards in enumerate(known.held):
            row[layout.HAND + other] = cards
        row[layout.RNG] = rng.getrandbits(62)
        none_dealt = row.copy()
        none_dealt[layout.PHASE] = layout.OVER
        return Question(
            row=row,
            seat=seat,
            choices=np.stack([choice.numbers for choice in possible]),
            hidden=known.hidden,
            receivers=_receivers(seen),
            stake=_stake(seen),
            dealt=none_dealt,
            searched=np.array([seen.phase not in (Phase.GRAND, Phase.EXCHANGE)]),
        )

    def _compare(
        self,
        question: Question | QuestionOfTwo,
        possible: list[Choice],
        limit: Limit,
        likings: Any,
    ) -> list[Weighed]:
        """Return the best choices within a limit, the best first; see the module docstring.

        `likings` are bonus points for each choice.
        """
        count = len(possible)
        sums = np.zeros((count, search.SUMS))
        deals = np.zeros(count)
        # A made Tichu instead of a failed one differs by twice its stake.
        stake = Call.TICHU.value
        gains = likings * swing(question.stake, stake) / (2 * stake)
        active = np.arange(count)
        stages = ceil(log2(max(2.0, count / _LAST))) + 1
        budget, known = _Budget(limit, stages), False
        for stage in range(stages):
            stage_deals = 0
            while not (known or budget.spent(stage, stage_deals, len(active))):
                known = self._kernels.compare(question, active, _BATCH, sums)
                deals[active] += 1 if known else _BATCH
                stage_deals += _BATCH
            means = sums[active, search.WORTH] / deals[active] + gains[active]
            points = sums[active, search.POINTS] / deals[active]
            order = np.lexsort((-points, -means))  # stable: the first of equally good ones
            if stage < stages - 1 and not known:
                order = order[: max(_LAST, (len(active) + 1) // 2)]
            active = active[order]
            if known or _clear(sums, deals, gains, active):
                break
        return [
            Weighed(
                possible[place],
                float(sums[place, search.WORTH] / deals[place] + gains[place]),
                float(sums[place, search.POINTS] / deals[place]),
            )
            for place in active
        ]

    def _may_call(self, seen: View) -> bool:
        """Return whether to consider a Tichu before this play.

        The hand must be hopeful, and no opponent may have a call that can still succeed.
        """
        return (
            seen.phase in (Phase.LEAD, Phase.TURN)
            and not _call_of(seen, ours=False)
            and any(isinstance(action, CallTichu) for action in seen.actions)
            and self._kernels.effort(seen.hand.cards) <= _HOPEFUL
        )

    def _tichu(
        self, seen: View, best: Choice, rng: random.Random, limit: Limit, bars: Bars
    ) -> list[Weighed]:
        """Return a Tichu call if it improves the best play, else nothing."""
        if not best.numbers[search.CARDS] or not self._may_call(seen):
            return []
        assert seen.seat is not None
        called = best.numbers.copy()
        called[search.CALL] = Call.TICHU.value
        pair = [best, Choice(CallTichu(seen.seat), called)]
        bet, _, with_call = self.bet(seen, pair, rng, limit, bars)
        return [with_call] if bet.pays(bars) else []

    def _grand(
        self, seen: View, pair: Sequence[Choice], rng: random.Random, limit: Limit, bars: Bars
    ) -> list[Weighed]:
        """Return both answers to the Grand Tichu question, the better one first."""
        bet, without, with_call = self.bet(seen, pair, rng, limit, bars)
        return [with_call, without] if bet.pays(bars) else [without, with_call]

    def bet(
        self, seen: View, pair: Sequence[Choice], rng: random.Random, limit: Limit, bars: Bars
    ) -> tuple[Bet, Weighed, Weighed]:
        """Return the value of a call, and the choices without and with it."""
        assert seen.seat is not None
        question = self.question(seen, seen.seat, pair, rng)
        points = int(pair[1].numbers[search.CALL])
        call_swing = swing(question.stake, points)
        budget = _Budget(self._longer(limit, _CALL_PLAYOUTS), 1)
        sums, deals = np.zeros((2, search.SUMS)), 0
        while True:
            self._kernels.compare(question, np.arange(2), _BATCH, sums)
            deals += _BATCH
            without, called = sums / deals
            gain = float(called[search.WORTH] - without[search.WORTH])
            bet = Bet(points, float(called[search.FIRST]), gain, call_swing)
            doubt = sum(_error(mean, deals) for mean in (without, called))
            if budget.spent(0, deals, 2) or (
                deals >= _FEW and abs(bet.excess(bars)) > _SURE * doubt
            ):
                break
        overrated = (bet.first - bet.chance) * 2 * points
        return (
            bet,
            Weighed(
                pair[0], float(without[search.WORTH]), float(without[search.POINTS]), bet.chance
            ),
            Weighed(
                pair[1],
                float(without[search.WORTH]) + bet.brings,
                float(called[search.POINTS]) - overrated,
                bet.chance,
            ),
        )

    def _part(self, limit: Limit, seen: View) -> Limit:
        """Return a limit with the part of the time for this decision.

        The most important decisions get all of it. `_longer` does the same for playouts.
        """
        if not self._patient:
            return limit
        factor = _CALL_PLAYOUTS if seen.phase is Phase.GRAND else _patience(seen)
        if self._may_call(seen):
            factor += _CALL_PLAYOUTS
        return limit._replace(seconds=limit.seconds * min(1.0, factor * _PLAIN_PART))

    def _longer(self, limit: Limit, factor: int) -> Limit:
        """Return a limit with `factor` times the playouts if this Expert is patient.

        The time does not change.
        """
        if not self._patient or limit.playouts is None:
            return limit
        return limit._replace(playouts=factor * limit.playouts)


def _likings(taste: Taste, seen: View, possible: list[Choice]) -> Any:
    """Return a taste's bonus for each of these choices, in points.

    In games without points the bonus is in places.
    """
    if taste == STEADY:
        return np.zeros(len(possible))
    points = [
        liking(
            taste, seen, choice.action, bomb=bool(choice.numbers[search.KIND] >= layout.FOUR_BOMB)
        )
        for choice in possible
    ]
    return np.array(points) * (1.0 if seen.variant.scored else PLACES_PER_POINT)


def _patience(seen: View) -> int:
    """Return the factor of the playouts of this decision."""
    if seen.phase is Phase.EXCHANGE:
        return _EXCHANGE_PLAYOUTS
    if _call_of(seen, ours=True):
        return _OUR_CALL_PLAYOUTS
    return _THEIR_CALL_PLAYOUTS if _call_of(seen, ours=False) else 1


def _call_of(seen: View, *, ours: bool) -> bool:
    """Return whether the own team (`ours`) or an opponent has a call that can still succeed."""
    assert seen.seat is not None
    team = seen.seats[seen.seat].team
    return not seen.out and any(other.call and (other.team == team) == ours for other in seen.seats)


def _error(means: Any, deals: int) -> float:
    """Return the standard error of the mean worth of a choice."""
    return float(np.sqrt(max(0.0, means[search.SQUARES] - means[search.WORTH] ** 2) / deals))


def _clear(sums: Any, deals: Any, gains: Any, active: Any) -> bool:
    """Return whether the first of the active choices is clearly better than all others.

    `sums`, `deals` and `gains` have a row or number for each choice; `active` are places in them.
    """
    means = sums[active, search.WORTH] / deals[active]
    spread = sums[active, search.SQUARES] / deals[active] - means**2
    errors = np.sqrt(np.maximum(0.0, spread) / deals[active])
    means += gains[active]
    return bool(np.all(means[0] - means[1:] > _CLEAR * (errors[0] + errors[1:])))


def _receivers(seen: View) -> Any:
    """Return the sets of seats that each seat gives a card to, as an array by seat."""
    receivers = np.zeros(layout.SEATS, np.int64)
    for seat in range(len(seen.seats)):
        for other in seen.variant.receivers(seen, seat):
            receivers[seat] |= 1 << other
    return receivers


def _stake(seen: View) -> Stake:
    """Return the value of the round in the match: the odds and both scores.

    The scores are those of a match to `TARGET`. Without odds, points decide: in games without
    points, and far from a high target.
    """
    target, rounds = seen.options.target, seen.options.rounds
    if seen.seat is None or not seen.variant.scored:
        return Stake(np.zeros((0, 0)), 0, 0)
    own_team = seen.seats[seen.seat].team
    if target is not None:
        sides = own_team, 1 - own_team
        ours, theirs = (seen.totals[team] + TARGET - target for team in sides)
        if max(ours, theirs) >= 0:
            return Stake(match_odds(), ours, theirs)
    elif rounds is not None:  # each seat has a score, and the dealer's partner is borrowed
        own = seen.dealer if seen.seats[seen.dealer].team == own_team else seen.seat
        best = max(seen.totals[other.seat] for other in seen.seats if other.team != own_team)
        ahead = max(-LEVEL, min(LEVEL, seen.totals[own] - best))
        return Stake(round_odds(rounds - seen.number), LEVEL + ahead, LEVEL)
    return Stake(np.zeros((0, 0)), 0, 0)


Order = tuple[int, ...]
"""Sort key of choices; the lowest is chosen."""


def order_of(view: View, action: Action) -> Order:
    """Return the sort key of an action among equally good ones.

    A pass on a partner's trick and no bomb come first. Then come plays: those without the Dragon
    and the Phoenix first, then those of many cards, then low ones. Then come bombs, in turn or out
    of it, and last a pass on an opponent's trick.
    """
    if isinstance(action, Pass):
        top = view.seats[view.top_seat].team
        mine = view.seats[action.seat].team
        return (0,) if top == mine else (3,)
    if isinstance(action, Waive):
        return (0,)
    if not isinstance(action, Play | Bomb):
        return (1,)
    cards = action.cards
    bomb = any(bomb.cards == cards for bomb in view.hand.bombs())
    special = bool(cards & DRAGONS) + bool(cards & PHOENIXES)
    return (2 if bomb else 1, special, -cards.bit_count(), cards)
