"""Comparing choices: each is played to the end of the round over many deals of the hidden cards."""

from __future__ import annotations

from typing import Any, NamedTuple

from engine import Seat
from players.expert import layout
from players.expert.compiled import compiled, compiled_with_arrays
from players.expert.deals import Hidden, next_deal
from players.expert.endgame import (
    KNOWN_POSITIONS,
    POSITIONS,
    Search,
    Stake,
    can_be_solved,
    solve,
    worth_of,
)
from players.expert.layout import Row
from players.expert.leads import choose_partner
from players.expert.opening import call_tichus, choose_gifts, exchange
from players.expert.partition import Runs
from players.expert.playout import play_on
from players.expert.rules import (
    close_window,
    copy,
    give_trick,
    lay,
    lay_dog,
    pass_turn,
)
from players.expert.weights import TeamWeights, Weights
from players.expert.workspace import Plans, Workspace, copy_plans, forget_plans, keep_plan, plan_of

PLAY, DOG, PASS, GIFT, WAIVE, EXCHANGE, GRAND = range(7)
"""What can be chosen; a bomb in a window is a `PLAY`."""
CODE, CARDS, KIND, SIZE, KEY, WISH, RECEIVER, CALL, GIVEN = range(9)
"""The places of the numbers of a choice.

What it is, the play, the wish (0 for none), who gets a Dog or a trick (-1 for nobody), the stake of
a call that is made with it (0 for none), and from `GIVEN` on the card passed to each seat.
"""
TWICE = GIVEN + layout.SEATS
"""After those the cards that are in the play twice, which only two decks have."""
CHOICE = TWICE + 1
"""How many numbers a choice has."""
WORTH, POINTS, SQUARES, FIRST = range(4)
"""What is added up for each choice: worth for the match, points of the round, worth squared, and
the rounds in which the seat goes out first (where the rest of the round is not searched)."""
SUMS = 4
"""How many numbers are added up for each choice."""


class Question(NamedTuple):
    """What is compared: the choices of a seat in one position."""

    row: Row
    """The position; hidden hands hold only the cards that a seat must have."""
    seat: Seat
    """The seat that chooses."""
    choices: Any
    """The choices: a row of `CHOICE` numbers for each."""
    hidden: Hidden
    """What is known of the hidden cards."""
    receivers: Any
    """The sets of seats that each seat gives a card to, by seat; used before the exchange."""
    stake: Stake
    """What the result is worth."""
    dealt: Row
    """The last deal of the hidden cards; its phase is `layout.OVER` before the first one."""
    searched: Any
    """An array of one: whether the end of the round is searched, until that takes too long."""


@compiled
def _carry_out(row: Row, seat: Seat, choice: Any, plans: Plans) -> None:
    """Carry out a choice in play; the plan of the seat follows."""
    code = choice[CODE]
    if choice[CALL]:
        row[layout.CALL + seat] = choice[CALL]
    if code == PLAY:
        lay(row, seat, choice[CARDS], choice[KIND], choice[SIZE], choice[KEY], choice[WISH])
        keep_plan(plans, seat, choice[CARDS])
    elif code == DOG:
        receiver = choice[RECEIVER]
        lay_dog(row, seat, receiver if receiver >= 0 else choose_partner(row, seat))
        keep_plan(plans, seat, layout.DOG_CARD)
    elif code == PASS:
        pass_turn(row)
    elif code == GIFT:
        give_trick(row, choice[RECEIVER])
    elif code == WAIVE:
        close_window(row)


@compiled_with_arrays
def compare(
    question: Question,
    active: Any,
    deals: int,
    team_weights: TeamWeights,
    work: Workspace,
    search: Search,
    sums: Any,
) -> bool:
    """Play the active choices on, over `deals` deals of the hidden cards; add up what they bring.

    Where few cards are left, the rest of the round is searched instead. If all hands are known too,
    that is done once, and the result is true: more deals would not tell more.

    `active` are places in `question.choices`, `team_weights` the weights that each team plays by.
    `sums` has a row of `SUMS` numbers for each choice. The state of the random
    generator in `question.row` moves on.
    """
    base, dealt = question.row, question.dealt
    plans = work.plans.copy()
    opening = base[layout.PHASE] == layout.OPENING
    for _ in range(deals):
        next_deal(base, dealt, question.hidden, work)
        if question.searched[0]:
            question.searched[0] = _solve(question, active, work, search, sums)
        if question.searched[0]:
            if not question.hidden.free:
                return True
            continue
        if not opening:
            _plan_all(dealt, team_weights[0], plans, work.runs)
        for place in range(len(active)):
            choice = question.choices[active[place]]
            copy(work.row, dealt)
            if opening:
                _open(work.row, question, choice, place == 0, team_weights, work)
                forget_plans(work.plans)
            else:
                copy_plans(work.plans, plans)
                _carry_out(work.row, question.seat, choice, work.plans)
            play_on(work.row, team_weights, work)
            worth, points = worth_of(work.row, question.seat, question.stake)
            _add(sums[active[place]], worth, points)
            sums[active[place], FIRST] += work.row[layout.OUT] == question.seat
    return False


@compiled
def _add(sums: Any, worth: float, points: float) -> None:
    """Add what a choice brings in one deal."""
    sums[WORTH] += worth
    sums[POINTS] += points
    sums[SQUARES] += worth * worth


@compiled
def _solve(question: Question, active: Any, work: Workspace, search: Search, sums: Any) -> bool:
    """Search the last deal to the end of the round, and add up what the active choices bring.

    Returns false, and adds nothing, if there are too many cards or positions.
    """
    known = question.hidden.free == 0
    if not can_be_solved(question.dealt, known):
        return False
    search.left[0] = KNOWN_POSITIONS if known else POSITIONS * len(active)
    for place in range(len(active)):
        copy(work.row, question.dealt)
        _carry_out(work.row, question.seat, question.choices[active[place]], work.plans)
        worth, points = solve(work.row, question.seat, question.stake, search)
        if search.left[0] < 0:
            return False
        work.solved[place, WORTH] = worth
        work.solved[place, POINTS] = points
    for place in range(len(active)):
        _add(sums[active[place]], work.solved[place, WORTH], work.solved[place, POINTS])
    return True


@compiled
def _plan_all(row: Row, weights: Weights, plans: Plans, runs: Runs) -> None:
    """Make the plans of all hands, which all choices start from."""
    forget_plans(plans)
    for seat in range(row[layout.GAME_SEATS]):
        if row[layout.HAND + seat]:
            plan_of(row, seat, weights, plans, runs)


@compiled
def _open(
    row: Row,
    question: Question,
    choice: Any,
    first: bool,
    team_weights: TeamWeights,
    work: Workspace,
) -> None:
    """Carry out a choice before the first lead, and all that the others do until then.

    What the others give depends on this seat's Grand Tichu, but not on its exchange. So among
    exchanges it is chosen for the first one, and kept in `work.gifts` for the others.
    """
    seat = question.seat
    if choice[CALL]:
        row[layout.CALL + seat] = choice[CALL]
    if first or choice[CODE] == GRAND:
        work.gifts[:] = 0
        for giver in range(row[layout.GAME_SEATS]):
            choose_gifts(row, giver, question.receivers[giver], team_weights[0], work)
    if choice[CODE] == EXCHANGE:
        copy(work.gifts[seat], choice[GIVEN:])
    exchange(row, work.gifts)
    call_tichus(row, team_weights, work.runs)
