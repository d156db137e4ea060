"""Comparison of choices by playouts over many deals of the hidden cards."""

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
    result_for,
    solve,
)
from players.expert.layout import Row
from players.expert.leads import choose_partner
from players.expert.opening import call_tichus, choose_gifts, exchange
from players.expert.partition import Runs
from players.expert.playout import play_on
from players.expert.rules import (
    close_window,
    copy_row,
    give_trick,
    lay,
    lay_dog,
    pass_turn,
)
from players.expert.weights import TeamWeights, Weights
from players.expert.workspace import (
    Plans,
    Workspace,
    copy_plans,
    discard_plans,
    ensure_plan,
    remove_from_plan,
)

PLAY, DOG, PASS, GIFT, WAIVE, EXCHANGE, GRAND, WAIT = range(8)
"""Codes of the kinds of choices. A bomb out of turn is a `PLAY`, and `WAIT` does nothing."""
CODE, CARDS, KIND, SIZE, KEY, WISH, RECEIVER, CALL, GIVEN = range(9)
"""Places of the numbers of a choice.

The code of its kind; cards, kind, size and key of the play; the wish (0 for none); the receiver of
a Dog or a trick (-1 for none); the stake of a call made with it (0 for none); from `GIVEN` on, the
card passed to each seat.
"""
TWICE = GIVEN + layout.SEATS
"""Place of the cards that are in the play twice, which only two decks have."""
CHOICE = TWICE + 1
"""Number of values of a choice."""
WORTH, POINTS, SQUARES, FIRST, WON = range(5)
"""Places of the sums for each choice.

Worth for the match, points of the round, squares of the worth, the number of playouts in which
the seat went out first (rounds that were searched are not counted), and the number of rounds that
the seat's team won (half of those with equal points).
"""
SUMS = 5
"""Number of sums for each choice."""


class Question(NamedTuple):
    """Choices of a seat in one position, which are to be compared."""

    row: Row
    """Position; hidden hands hold only the cards that a seat must have."""
    seat: Seat
    """Seat that chooses."""
    choices: Any
    """Numbers of the choices, in rows of `CHOICE` values."""
    hidden: Hidden
    """Knowledge about the hidden cards."""
    receivers: Any
    """Set of the seats that each seat passes a card to, by seat; used before the exchange."""
    stake: Stake
    """Value of the round in the match."""
    dealt: Row
    """Last deal of the hidden cards; its phase is `layout.OVER` before the first one."""
    searched: Any
    """True while the end of the round is searched, not played out; an array of one.

    It becomes false when a search takes too long.
    """


@compiled
def _carry_out(row: Row, seat: Seat, choice: Any, plans: Plans) -> None:
    """Carry out a choice during play, and update the plan of the seat."""
    kind = choice[CODE]
    if choice[CALL]:
        row[layout.CALL + seat] = choice[CALL]
    if kind == PLAY:
        lay(row, seat, choice[CARDS], choice[KIND], choice[SIZE], choice[KEY], choice[WISH])
        remove_from_plan(plans, seat, choice[CARDS])
    elif kind == DOG:
        receiver = choice[RECEIVER]
        lay_dog(row, seat, receiver if receiver >= 0 else choose_partner(row, seat))
        remove_from_plan(plans, seat, layout.DOG_CARD)
    elif kind == PASS:
        pass_turn(row)
    elif kind == GIFT:
        give_trick(row, choice[RECEIVER])
    elif kind == WAIVE:
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
    """Compare the active choices over `deals` deals by playouts, and add the results to `sums`.

    If few cards are left, the rest of the round is searched instead of played out. If all hands are
    known, one search is enough. Then the result is true, and more calls would add nothing.

    `active` are indices in `question.choices`, `team_weights` the weights of each team. `sums` has
    a row of `SUMS` numbers for each choice. The random generator in `question.row` advances.
    """
    base, dealt = question.row, question.dealt
    plans = work.plans.copy()
    opening = base[layout.PHASE] == layout.OPENING
    for _ in range(deals):
        next_deal(base, dealt, question.hidden, work)
        if question.searched[0]:
            question.searched[0] = _search_deal(question, active, work, search, sums)
        if question.searched[0]:
            if not question.hidden.free:
                return True
            continue

        # Play the deal out once for each choice.
        if not opening:
            _make_plans(dealt, team_weights[0], plans, work.runs)
        for place in range(len(active)):
            choice = question.choices[active[place]]
            copy_row(work.row, dealt)
            if opening:
                _play_opening(work.row, question, choice, place == 0, team_weights, work)
                discard_plans(work.plans)
            else:
                copy_plans(work.plans, plans)
                _carry_out(work.row, question.seat, choice, work.plans)
            play_on(work.row, question.seat, team_weights, work)
            worth, points = result_for(work.row, question.seat, question.stake)
            _add_result(sums[active[place]], worth, points)
            sums[active[place], FIRST] += work.row[layout.OUT] == question.seat
    return False


@compiled
def _add_result(sums: Any, worth: float, points: float) -> None:
    """Add the result of a choice in one deal to its row of sums."""
    sums[WORTH] += worth
    sums[POINTS] += points
    sums[SQUARES] += worth * worth
    sums[WON] += 1.0 if points > 0 else (0.5 if points == 0 else 0.0)


@compiled
def _search_deal(
    question: Question, active: Any, work: Workspace, search: Search, sums: Any
) -> bool:
    """Search the current deal to the end of the round, and add the results to `sums`.

    Returns false and adds nothing if there are too many cards or positions.
    """
    known = question.hidden.free == 0
    if not can_be_solved(question.dealt, known):
        return False
    search.positions_left[0] = KNOWN_POSITIONS if known else POSITIONS * len(active)
    for place in range(len(active)):
        copy_row(work.row, question.dealt)
        _carry_out(work.row, question.seat, question.choices[active[place]], work.plans)
        worth, points = solve(work.row, question.seat, question.stake, search)
        if search.positions_left[0] < 0:
            return False
        work.solved[place, WORTH] = worth
        work.solved[place, POINTS] = points
    for place in range(len(active)):
        _add_result(sums[active[place]], work.solved[place, WORTH], work.solved[place, POINTS])
    return True


@compiled
def _make_plans(row: Row, weights: Weights, plans: Plans, runs: Runs) -> None:
    """Make the plans of all hands in a deal, which are the same for all choices."""
    discard_plans(plans)
    for seat in range(row[layout.GAME_SEATS]):
        if row[layout.HAND + seat]:
            ensure_plan(row, seat, weights, plans, runs)


@compiled
def _play_opening(
    row: Row,
    question: Question,
    choice: Any,
    is_first_choice: bool,
    team_weights: TeamWeights,
    work: Workspace,
) -> None:
    """Carry out a choice before the first lead, and the actions of others until that lead.

    The gifts of others depend on this seat's Grand Tichu, but not on its own gifts. So if the
    choices are exchanges, they are chosen only for the first choice and then kept in `work.gifts`.
    """
    seat = question.seat
    if choice[CALL]:
        row[layout.CALL + seat] = choice[CALL]
    if is_first_choice or choice[CODE] == GRAND:
        work.gifts[:] = 0
        for giver in range(row[layout.GAME_SEATS]):
            choose_gifts(row, giver, question.receivers[giver], team_weights[0], work)
    if choice[CODE] == EXCHANGE:
        copy_row(work.gifts[seat], choice[GIVEN:])
    exchange(row, work.gifts)
    call_tichus(row, team_weights, work.runs)
