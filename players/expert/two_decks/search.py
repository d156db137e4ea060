"""Comparison of choices with two decks by playouts over many deals."""

from __future__ import annotations

from typing import Any, NamedTuple

from engine import Seat
from players.expert import layout, search
from players.expert.compiled import compiled, compiled_with_arrays
from players.expert.endgame import Stake
from players.expert.layout import Row
from players.expert.plays import CARDS, KEY, KIND, SIZE, PlayRow, in_bombs
from players.expert.rules import copy_row
from players.expert.two_decks.deals import Deal, Hidden, next_deal
from players.expert.two_decks.layout import HAND, NEXT, OUT
from players.expert.two_decks.move_classes import TWICE, cards_of
from players.expert.two_decks.policy import (
    Workspace,
    choose_answer,
    choose_bomb,
    choose_lead,
    choose_wish,
    copy_plans,
    discard_plans,
    ensure_plan,
    remove_from_plan,
)
from players.expert.two_decks.rules import close_window, final_place, lay, pass_turn
from players.expert.weights import TeamWeights, Weights


class Question(NamedTuple):
    """Choices of a seat in one position, which are to be compared."""

    row: Row
    """Position; hidden hands hold only the cards that a seat must have."""
    seat: Seat
    """Seat that chooses."""
    choices: Any
    """Numbers of the choices in rows, as in `players.expert.search`."""
    hidden: Hidden
    """Knowledge about the hidden cards."""
    stake: Stake
    """Value of the round: its places, because there are no points."""
    deal: Deal
    """Last deal of the hidden cards."""


@compiled
def lay_chosen(row: Row, seat: Seat, wish: int, work: Workspace) -> None:
    """Lay the play in `work.chosen`: a lead, an answer or a bomb."""
    chosen = work.chosen
    lay(row, seat, cards_of(chosen), chosen[KIND], chosen[SIZE], chosen[KEY], wish)
    remove_from_plan(work.plans, seat, chosen)


@compiled
def play_on(row: Row, chooser: Seat, team_weights: TeamWeights, work: Workspace) -> None:
    """Play until the seat `chooser` is out; until the round is over if it is -1."""
    while row[layout.PHASE] != layout.OVER and (chooser < 0 or row[HAND + chooser]):
        seat, phase = row[layout.ON_TURN], row[layout.PHASE]
        weights = team_weights[seat & 1]
        if phase == layout.LEAD:
            choose_lead(row, weights, work)
            wish = choose_wish(row, seat) if work.chosen[CARDS] & layout.MAHJONG else 0
            lay_chosen(row, seat, wish, work)
        elif phase == layout.TURN:
            if choose_answer(row, weights, work):
                lay_chosen(row, seat, 0, work)
            else:
                pass_turn(row)
        else:
            _pass_window(row, team_weights, work)


@compiled
def _pass_window(row: Row, team_weights: TeamWeights, work: Workspace) -> None:
    """Lay the first bomb that another seat wants to lay, in turn order, or close the window."""
    seat = row[layout.TOP_SEAT]
    for _ in range(row[layout.GAME_SEATS] - 1):
        seat = row[NEXT + seat]
        if in_bombs(row[HAND + seat]) and choose_bomb(row, seat, team_weights[seat & 1], work):
            lay_chosen(row, seat, 0, work)
            return
    close_window(row)


@compiled
def read_play(choice: Any, play: PlayRow) -> None:
    """Write the play of a choice to `play`; a pass has no cards."""
    play[CARDS] = choice[search.CARDS]
    play[KIND] = choice[search.KIND]
    play[SIZE] = choice[search.SIZE]
    play[KEY] = choice[search.KEY]
    play[TWICE] = choice[search.TWICE]


@compiled
def _carry_out(row: Row, seat: Seat, choice: Any, work: Workspace) -> None:
    """Carry out a choice during play, and update the plan of the seat."""
    if choice[search.CODE] == search.PLAY:
        read_play(choice, work.chosen)
        lay_chosen(row, seat, choice[search.WISH], work)
    elif choice[search.CODE] == search.PASS:
        pass_turn(row)
    else:
        close_window(row)


@compiled_with_arrays
def compare(
    question: Question,
    active: Any,
    deals: int,
    team_weights: TeamWeights,
    work: Workspace,
    sums: Any,
) -> None:
    """Compare the active choices over `deals` deals by playouts, and add the results to `sums`.

    `active` are indices in `question.choices`. `sums` has a row for each choice, as in
    `players.expert.search`. The random generator in `question.row` advances.
    """
    seat, dealt, plans = question.seat, question.deal.row, work.plans.copy()
    for _ in range(deals):
        next_deal(question.row, question.deal, question.hidden, work)
        _make_plans(dealt, team_weights[0], work)
        copy_plans(plans, work.plans)
        for place in active:
            copy_row(work.row, dealt)
            copy_plans(work.plans, plans)
            _carry_out(work.row, seat, question.choices[place], work)
            play_on(work.row, seat, team_weights, work)
            worth = float(final_place(work.row, seat))
            sums[place, search.WORTH] += worth
            sums[place, search.POINTS] += worth
            sums[place, search.SQUARES] += worth * worth
            sums[place, search.FIRST] += work.row[OUT] == seat


@compiled
def _make_plans(row: Row, weights: Weights, work: Workspace) -> None:
    """Make the plans of all hands in a deal, which are the same for all choices."""
    discard_plans(work.plans)
    for seat in range(row[layout.GAME_SEATS]):
        if row[HAND + seat]:
            ensure_plan(row, seat, weights, work)
