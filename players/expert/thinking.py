"""The Expert's decision: what each choice brings over many deals of the hidden cards.

The choices share the deals; after each stage the worse half of them is left aside.
"""

from __future__ import annotations

import random
from math import ceil, log2
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from engine import (
    Action,
    AnswerGrand,
    CallTichu,
    Options,
    Phase,
    View,
    apply,
    deal,
    new_match,
    view,
)
from players.expert import layout as at
from players.expert import search
from players.expert.choices import Choice, choices
from players.expert.knowledge import Knowledge
from players.expert.odds import TARGET, match_odds, place_of
from players.expert.rows import fits, row_of
from players.expert.search import Question, Stake
from players.expert.tools import Tools
from players.limit import Limit
from players.novice.player import Novice

_IN_TURN = (Phase.LEAD, Phase.TURN, Phase.GIFT)
_BATCH = 4
"""Deals between two looks at the clock."""
_LAST = 3
"""The number of choices that are compared to the end, or all if there are fewer."""
_CLEAR = 4.0
"""A choice this many standard errors behind cannot be the best any more."""
_HOPEFUL = 4.0
"""With a hand of more effort than this a Tichu is not even thought about."""
_CAUTION = 0.35
"""What a call has to bring to be made, in parts of its stake: playouts make too much of calls.

Of small Tichus that they held to be even a third was made, and half of those at a quarter of the
stake; of Grand Tichus 57 % up to a third of it, and 75 % above.
"""
_PART_FOR_CALL = 0.5
"""The part of the time in which a Tichu is thought about, where that is a question."""


class _Budget:
    """What is left for a comparison within a limit."""

    def __init__(self, limit: Limit, stages: int) -> None:
        self._limit = limit
        self._stages = stages
        self._begin = monotonic()

    def spent(self, stage: int, deals: int, choices: int) -> bool:
        """Whether a stage, from 0 on, has had its share; each has at least one batch of deals."""
        if deals == 0:
            return False
        seconds, playouts, stop = self._limit
        if stop is not None and stop():
            return True
        if playouts is not None:
            return deals * choices * self._stages >= playouts
        return monotonic() - self._begin >= seconds * (stage + 1) / self._stages


class Weighed(NamedTuple):
    """A choice, its worth for the match, and the points it brings to the seat's team."""

    choice: Choice
    worth: float
    points: float


class Expert:
    """A player without memory: everything it knows is in the view of the moment."""

    def __init__(self, tools: Tools | None = None) -> None:
        self._tools = tools or Tools()
        self._novice = Novice()

    def prepare(self) -> None:
        """Compile all that thinking needs, or read it from disk: one short thought of each sort."""
        match, _ = deal(new_match(Options()), range(at.CARDS))
        self.weigh(view(match, 0), random.Random(1), Limit(0.0, 1))
        for seat in range(4):
            match, _ = apply(match, AnswerGrand(seat, False))
        self.weigh(view(match, 0), random.Random(1), Limit(0.0, 1))

    def choose(self, seen: View, rng: random.Random, limit: Limit) -> Action | None:
        """What the seat of this view does now, or `None` when nothing is asked of it."""
        simple = self._novice.choose(seen, rng)
        forced = len(seen.actions) == 1 and seen.phase is not Phase.EXCHANGE
        if simple is None or forced:
            return simple
        weighed = self.weigh(seen, rng, limit)
        if not weighed:
            return simple
        return weighed[0].choice.action

    def weigh(self, seen: View, rng: random.Random, limit: Limit) -> list[Weighed]:
        """The choices that were compared to the end, the best first; empty where none is known.

        A Tichu that is better than the best play alone comes before it.
        """
        seat = seen.seat
        if seat is None or seen.asked_to_withdraw or not fits(seen):
            return []
        if seen.phase in _IN_TURN and seen.turn != seat:
            return []
        found = choices(seen, seat, self._tools)
        if not found:
            return []
        if self._may_call(seen):  # so that both questions fit
            limit = limit._replace(seconds=limit.seconds * (1 - _PART_FOR_CALL))
        weighed = self._compare(self._question(seen, seat, found, rng), found, limit)
        return self._call(seen, seat, weighed[0].choice, rng, limit) + weighed

    def _question(self, seen: View, seat: int, found: list[Choice], rng: random.Random) -> Question:
        known = Knowledge(seen)
        row = row_of(seen)
        for other, cards in enumerate(known.held):
            row[at.HAND + other] = cards
        row[at.RNG] = rng.getrandbits(62)
        return Question(
            row=row,
            seat=seat,
            choices=np.stack([choice.numbers for choice in found]),
            hidden=known.hidden,
            receivers=_receivers(seen),
            stake=_stake(seen),
        )

    def _compare(self, question: Question, found: list[Choice], limit: Limit) -> list[Weighed]:
        number = len(found)
        sums = np.zeros((number, 3))
        deals = np.zeros(number)
        fees = _CAUTION * _point(question.stake) * question.choices[:, search.CALL]
        active = np.arange(number)
        stages = ceil(log2(max(2.0, number / _LAST))) + 1
        budget = _Budget(limit, stages)
        for stage in range(stages):
            done = 0
            while not budget.spent(stage, done, len(active)):
                self._tools.compare(question, active, _BATCH, sums)
                deals[active] += _BATCH
                done += _BATCH
            means = sums[active, search.WORTH] / deals[active] - fees[active]
            order = np.argsort(-means, kind="stable")
            if stage < stages - 1:
                order = order[: max(_LAST, (len(active) + 1) // 2)]
            active = active[order]
            if _clear(sums, deals, fees, active):
                break
        return [
            Weighed(
                found[place],
                float(sums[place, search.WORTH] / deals[place] - fees[place]),
                float(sums[place, search.POINTS] / deals[place]),
            )
            for place in active
        ]

    def _may_call(self, seen: View) -> bool:
        """Whether a Tichu is possible before the play that is asked for, and not out of the way."""
        return (
            seen.phase in (Phase.LEAD, Phase.TURN)
            and any(isinstance(action, CallTichu) for action in seen.actions)
            and self._tools.effort(seen.hand.cards) <= _HOPEFUL
        )

    def _call(
        self, seen: View, seat: int, best: Choice, rng: random.Random, limit: Limit
    ) -> list[Weighed]:
        """A Tichu, if called with the best play it is better than that play alone; else nothing."""
        if not best.numbers[search.CARDS] or not self._may_call(seen):
            return []
        called = best.numbers.copy()
        called[search.CALL] = 100
        both = [best, Choice(CallTichu(seat), called)]
        weighed = self._compare(self._question(seen, seat, both, rng), both, limit)
        return weighed[:1] if weighed[0].choice is both[1] else []


def _point(stake: Stake) -> float:
    """What a point of this seat's team is worth where the match stands."""
    odds = stake.odds
    if not odds.shape[0]:
        return 1.0
    more, less = place_of(odds, stake.ours + 100), place_of(odds, stake.ours - 100)
    other = place_of(odds, stake.theirs)
    return float(odds[more, other] - odds[less, other]) / 200


def _clear(sums: Any, deals: Any, fees: Any, active: Any) -> bool:
    """Whether the first of these is better than all others beyond doubt."""
    means = sums[active, search.WORTH] / deals[active]
    spread = sums[active, search.SQUARES] / deals[active] - means**2
    errors = np.sqrt(np.maximum(0.0, spread) / deals[active])
    means -= fees[active]
    return bool(np.all(means[0] - means[1:] > _CLEAR * (errors[0] + errors[1:])))


def _receivers(seen: View) -> Any:
    """The seats, as bits, that each seat gives a card to."""
    receivers = np.zeros(at.SEATS, np.int64)
    for seat in range(len(seen.seats)):
        for other in seen.variant.receivers(seen, seat):
            receivers[seat] |= 1 << other
    return receivers


def _stake(seen: View) -> Stake:
    """The odds of the match near its target, with both scores as in a match to `TARGET`.

    Else none: in the first part of a long match, and without a target, points decide.
    """
    target = seen.options.target
    if target is not None and seen.seat is not None:
        mine = seen.seats[seen.seat].team
        ours, theirs = (seen.totals[team] + TARGET - target for team in (mine, 1 - mine))
        if max(ours, theirs) >= 0:
            return Stake(match_odds(), ours, theirs)
    return Stake(np.zeros((0, 0)), 0, 0)
