"""Comparing choices with two decks: each is played to the end over many deals of hidden cards."""

from __future__ import annotations

from typing import Any, NamedTuple

from engine import Seat
from players.expert import layout, search
from players.expert.compiled import compiled, compiled_with_arrays
from players.expert.endgame import Stake
from players.expert.layout import Row
from players.expert.plays import CARDS, KEY, KIND, SIZE, in_bombs
from players.expert.rules import copy
from players.expert.two_decks.deals import Deal, Hidden, next_deal
from players.expert.two_decks.layout import HAND, NEXT, OUT
from players.expert.two_decks.policy import (
    Room,
    choose_answer,
    choose_bomb,
    choose_lead,
    choose_wish,
    copy_plans,
    forget_plans,
    keep_plan,
    plan_of,
)
from players.expert.two_decks.rules import close_window, lay, pass_turn, place_of
from players.expert.two_decks.sorts import TWICE, cards_of
from players.expert.weights import Weights


class Question(NamedTuple):
    """What is compared: the choices of a seat in one position."""

    row: Row
    """The position; hidden hands hold only the cards that a seat must have."""
    seat: Seat
    """The seat that chooses."""
    choices: Any
    """The choices: numbers as in `players.expert.search`, a row for each."""
    hidden: Hidden
    """What is known of the hidden cards."""
    stake: Stake
    """What the result is worth: there are no points, so that places count."""
    deal: Deal
    """The last deal of the hidden cards."""


@compiled
def lay_chosen(row: Row, seat: Seat, wish: int, room: Room) -> None:
    """Lay the play in `room.chosen`: a lead, an answer or a bomb."""
    chosen = room.chosen
    lay(row, seat, cards_of(chosen), chosen[KIND], chosen[SIZE], chosen[KEY], wish)
    keep_plan(room.plans, seat, chosen)


@compiled
def play_on(row: Row, weights: Weights, room: Room) -> None:
    """Play until the round is over."""
    while row[layout.PHASE] != layout.OVER:
        seat, phase = row[layout.ON_TURN], row[layout.PHASE]
        if phase == layout.LEAD:
            choose_lead(row, weights, room)
            wish = choose_wish(row, seat) if room.chosen[CARDS] & layout.MAHJONG else 0
            lay_chosen(row, seat, wish, room)
        elif phase == layout.TURN:
            if choose_answer(row, weights, room):
                lay_chosen(row, seat, 0, room)
            else:
                pass_turn(row)
        else:
            _pass_window(row, weights, room)


@compiled
def _pass_window(row: Row, weights: Weights, room: Room) -> None:
    """Ask the other seats in turn order for a bomb; lay the first one, or close the window."""
    seat = row[layout.TOP_SEAT]
    for _ in range(row[layout.GAME_SEATS] - 1):
        seat = row[NEXT + seat]
        if in_bombs(row[HAND + seat]) and choose_bomb(row, seat, weights, room):
            lay_chosen(row, seat, 0, room)
            return
    close_window(row)


@compiled
def _carry_out(row: Row, seat: Seat, choice: Any, room: Room) -> None:
    """Carry out a choice in play; the plan of the seat follows."""
    if choice[search.CODE] == search.PLAY:
        room.chosen[CARDS] = choice[search.CARDS]
        room.chosen[KIND] = choice[search.KIND]
        room.chosen[SIZE] = choice[search.SIZE]
        room.chosen[KEY] = choice[search.KEY]
        room.chosen[TWICE] = choice[search.TWICE]
        lay_chosen(row, seat, choice[search.WISH], room)
    elif choice[search.CODE] == search.PASS:
        pass_turn(row)
    else:
        close_window(row)


@compiled_with_arrays
def compare(
    question: Question, active: Any, deals: int, weights: Weights, room: Room, sums: Any
) -> None:
    """Play the active choices on, over `deals` deals of the hidden cards; add up what they bring.

    `active` are places in `question.choices`. `sums` has a row for each choice, as in
    `players.expert.search`. The state of the random generator in `question.row` moves on.
    """
    seat, dealt, plans = question.seat, question.deal.row, room.plans.copy()
    for _ in range(deals):
        next_deal(question.row, question.deal, question.hidden, room)
        _plan_all(dealt, weights, room)
        copy_plans(plans, room.plans)
        for place in active:
            copy(room.row, dealt)
            copy_plans(room.plans, plans)
            _carry_out(room.row, seat, question.choices[place], room)
            play_on(room.row, weights, room)
            worth = float(place_of(room.row, seat))
            sums[place, search.WORTH] += worth
            sums[place, search.POINTS] += worth
            sums[place, search.SQUARES] += worth * worth
            sums[place, search.FIRST] += room.row[OUT] == seat


@compiled
def _plan_all(row: Row, weights: Weights, room: Room) -> None:
    """Make the plans of all hands, which all choices start from."""
    forget_plans(room.plans)
    for seat in range(row[layout.GAME_SEATS]):
        if row[HAND + seat]:
            plan_of(row, seat, weights, room)
