"""Computer players of boards: deals that several people play, each of them alone.

The person sits on seat `PERSON`. What the computers do depends on the seed of the board and on what
was played, and on nothing else: not on the time, the process or the processor. Each choice has a
fixed number of playouts, sums of points and of customs decide, which are whole numbers, and
`tie_order` breaks ties. Playouts compare sums and products of floats, which are the same on all
processors, but use no logarithms and powers, which are not.

A change of any choice needs a new `players.boards.VERSION`, because results of two versions are
never compared.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from typing import Final

import numpy as np

from engine import (
    WINDOW_PHASES,
    Action,
    AnswerWithdraw,
    Bomb,
    Call,
    CallTichu,
    CloseWindow,
    Match,
    Phase,
    Seat,
    View,
    apply,
    possible_bombs,
    view,
)
from players.boards import PERSON
from players.expert import search
from players.expert.choices import Choice, choices
from players.expert.customs import custom
from players.expert.endgame import Stake
from players.expert.kernels import Kernels
from players.expert.search import Question
from players.expert.thinking import Expert
from players.expert.ties import tie_order
from players.limit import Limit

_COMPUTERS: Final = (1, 2, 3)
"""Seats of the computers, in the order in which they answer questions to all seats."""
_STAGE_PLAYOUTS = 160
"""Number of playouts of a stage, divided among its choices."""
_FINALISTS = 3
"""Number of choices of the last stage; each stage before it drops the worse half."""
_CUSTOM_PARTS = 10
"""Number of parts of a point that the bonuses of customs are rounded to."""
_CALL_DEALS = 120
"""Number of deals for a decision about a call."""
_GRAND_BAR = 50
"""Minimum gain of a Grand Tichu, in points a round."""
_EXPERT_PLAYOUTS = 2000
"""Playouts of the Expert in the person's seat for an ordinary decision."""
_POINTS_COUNT = Stake(np.zeros((0, 0)), 0, 0)
"""Stake of a round that is worth its points."""

Stop = Callable[[], bool]
"""Returns true once a computation should end early."""


def play_on(match: Match, seed: bytes, stop: Stop | None = None) -> tuple[Action, ...]:
    """Return the actions of the computers until the person decides or the round is over.

    They include the end of each bomb window. The result is empty if the person decides already. If
    `stop` returns true, the first of these actions are returned.
    """
    actions: list[Action] = []
    while stop is None or not stop():
        action = _next_action(match, seed)
        if action is None:
            break
        actions.append(action)
        match, _ = apply(match, action)
    return tuple(actions)


def expert_choice(match: Match, seed: bytes, stop: Stop | None = None) -> Action:
    """Return the action of an Expert in the person's seat, where the person decides."""
    seen = view(match, PERSON)
    limit = Limit(0.0, _EXPERT_PLAYOUTS, stop)
    action = _expert().choose(seen, _rng(seen, seed), limit)
    assert action is not None, "the person decides here"
    return action


def _next_action(match: Match, seed: bytes) -> Action | None:
    """Return the next action of a computer or the clock; `None` if the person comes first."""
    round_ = match.round
    if round_ is None or match.phase in (Phase.ROUND_END, Phase.MATCH_END):
        return None
    if round_.phase in WINDOW_PHASES and not round_.asked:
        return _in_window(match, seed)
    for seat in _COMPUTERS:
        if round_.asked:
            decides = bool(round_.asked >> seat & 1)
        elif round_.phase is Phase.GRAND:
            decides = round_.opening.answers[seat] is None
        elif round_.phase is Phase.EXCHANGE:
            decides = round_.opening.given[seat] is None
        else:
            decides = round_.turn == seat
        if decides:
            return computer_choice(view(match, seat), seed)
    return None


def _in_window(match: Match, seed: bytes) -> Action | None:
    """Return a computer's bomb, or the end of the window; `None` if it waits for the person.

    It waits if the person holds a bomb that beats the play of another seat. The computers have
    decided before.
    """
    round_ = match.round
    assert round_ is not None
    if round_.submitted or round_.waived:
        return CloseWindow()
    others = [seat for seat in round_.seating.after(round_.top_seat) if seat != round_.top_seat]
    holders = [seat for seat in others if possible_bombs(round_, seat)]
    for seat in holders:
        if seat != PERSON:
            action = computer_choice(view(match, seat), seed)
            if isinstance(action, Bomb):
                return action
    return None if PERSON in holders else CloseWindow()


def computer_choice(seen: View, seed: bytes) -> Action:
    """Return the action of a computer that has to decide."""
    seat = seen.seat
    assert seat is not None
    if seen.asked_to_withdraw:
        return AnswerWithdraw(seat, True)  # only one of two calls of a team can succeed
    computer, rng = _computer(), _rng(seen, seed)
    possible = choices(seen, seat, _kernels())
    if seen.phase is Phase.GRAND:
        return possible[_call_pays(computer.question(seen, seat, possible, rng), Call.GRAND)].action
    possible.sort(key=lambda choice: tie_order(seen, choice.action))
    best = possible[0]
    if len(possible) > 1:
        bonuses = [round(_CUSTOM_PARTS * custom(seen, choice, _kernels())) for choice in possible]
        best = possible[_best(computer.question(seen, seat, possible, rng), bonuses)]
    if best.numbers[search.CARDS] and computer.considers_tichu(seen):
        pair = _with_tichu(best, seat)
        if _call_pays(computer.question(seen, seat, pair, rng), Call.TICHU):
            return pair[1].action
    return best.action


def _best(question: Question, bonuses: Sequence[int]) -> int:
    """Return the index of the best choice. Of equally good ones it is the first.

    `bonuses` are those of each choice, in parts of a point.
    """
    active = list(range(len(question.choices)))
    sums, total = np.zeros((len(active), search.SUMS)), 0
    while True:
        deals = _STAGE_PLAYOUTS // len(active)
        is_exact = _kernels().compare(question, np.array(active), deals, sums)
        total += 1 if is_exact else deals
        results = {
            place: _CUSTOM_PARTS * int(sums[place, search.POINTS]) + total * bonuses[place]
            for place in active
        }
        active.sort(key=lambda place: -results[place])
        if is_exact or len(active) <= _FINALISTS:
            return active[0]
        active = active[: max(_FINALISTS, (len(active) + 1) // 2)]


def _with_tichu(play: Choice, seat: Seat) -> tuple[Choice, Choice]:
    """Return a play without and with a Tichu call before it."""
    called = play.numbers.copy()
    called[search.CALL] = Call.TICHU.value
    return play, Choice(CallTichu(seat), called)


def _call_pays(question: Question, call: Call) -> bool:
    """Return whether the second choice, which has a call, is better by enough than the first.

    A Tichu that is doubtful in playouts succeeds more often, and a safe one less often
    (`players.expert.bets`): in 38 % and 48 % of the share in playouts. With this chance, it must
    gain 40 points.
    """
    sums = np.zeros((2, search.SUMS))
    _kernels().compare(question, np.arange(2), _CALL_DEALS, sums)
    gain = int(sums[1, search.POINTS]) - int(sums[0, search.POINTS])
    if call is Call.GRAND:
        return gain > _GRAND_BAR * _CALL_DEALS
    made = int(sums[1, search.FIRST])  # in percent: 200 * (100 * made - (38 * deals + 48 * made))
    return 100 * gain - 200 * (52 * made - 38 * _CALL_DEALS) > 100 * 40 * _CALL_DEALS


def _rng(seen: View, seed: bytes) -> random.Random:
    """Return the random numbers of a decision, by the seed, the seat and the cards laid so far."""
    steps = sum(len(trick.steps) for trick in seen.past) + len(seen.trick)
    decision = f"{seen.seat} {seen.phase.value} {steps}"
    return random.Random(int.from_bytes(sha256(seed + decision.encode()).digest(), "big"))


class _ForPoints(Expert):
    """Expert for whom a round is worth its points."""

    def question(
        self, view: View, seat: Seat, possible: Sequence[Choice], rng: random.Random
    ) -> Question:
        """Return the question of the Expert, without the odds of a match."""
        question = super().question(view, seat, possible, rng)
        assert isinstance(question, Question), "boards have one deck"
        return question._replace(stake=_POINTS_COUNT)


@cache
def _kernels() -> Kernels:
    """Return the compiled functions of this process."""
    return Kernels()


@cache
def _computer() -> _ForPoints:
    """Return the Expert whose questions the computers compare: it infers nothing."""
    return _ForPoints(_kernels(), infers=False)


@cache
def _expert() -> _ForPoints:
    """Return the Expert in the person's seat."""
    return _ForPoints(_kernels())
