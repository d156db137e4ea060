"""From a seat's view to a row of numbers: everything public, and the hands that the seat sees."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import Combination, Kind, Phase, View
from players.expert import layout as at

PHASES = {
    Phase.GRAND: at.OPENING,
    Phase.EXCHANGE: at.OPENING,
    Phase.LEAD: at.LEAD,
    Phase.TURN: at.TURN,
    Phase.WINDOW: at.WINDOW,
    Phase.CLOSING: at.CLOSING,
    Phase.GIFT: at.GIFT,
    Phase.ROUND_END: at.OVER,
    Phase.MATCH_END: at.OVER,
}
KINDS = {
    Kind.DOG: at.DOG,
    Kind.SINGLE: at.SINGLE,
    Kind.PAIR: at.PAIR,
    Kind.TRIPLE: at.TRIPLE,
    Kind.STAIRS: at.STAIRS,
    Kind.FULL_HOUSE: at.FULL_HOUSE,
    Kind.STRAIGHT: at.STRAIGHT,
    Kind.FOUR_BOMB: at.FOUR_BOMB,
    Kind.STRAIGHT_BOMB: at.STRAIGHT_BOMB,
}


def fits(view: View) -> bool:
    """Whether this game can be held in a row: one deck and at most six hands."""
    return len(view.seats) <= at.SEATS and len(view.variant.deck(view.options)) <= at.CARDS


def row_of(view: View) -> Any:
    """The row of a position; hands that the seat does not see are empty.

    Before the first lead only the game, the calls and the hands are filled in.
    """
    variant = view.variant
    row = np.zeros(at.WIDTH, np.int64)
    row[at.GAME_SEATS] = len(view.seats)
    row[at.SCORED] = variant.scored
    row[at.SWEEP_SIZE] = variant.sweep_size
    row[at.SWEEP_POINTS] = variant.sweep_points
    row[at.LAST_ACROSS] = variant.last_piles_cross
    row[at.CHOOSE_PARTNER] = variant.dog_is_aimed
    row[at.FREE_OF_WISH] = variant.free_of_wishes
    row[at.SWEEP_TEAM] = -1
    for seat, seen in enumerate(view.seats):
        row[at.NEXT + seat] = view.seating.after(seat)[0]
        row[at.TEAM + seat] = seen.team
        row[at.CALL + seat] = seen.call.value if seen.call is not None else 0
    for seat, hand in view.hands:
        row[at.HAND + seat] = hand.cards
    row[at.PHASE] = PHASES[view.phase]
    row[at.ON_TURN] = view.turn
    _fill_tricks(row, view)
    row[at.OUT_COUNT] = len(view.out)
    row[at.OUT : at.OUT + len(view.out)] = view.out
    row[at.WISH] = view.wish or 0
    return row


def _fill_tricks(row: Any, view: View) -> None:
    """What has been laid in this round, who has it, and what is to be beaten."""
    for trick in view.past:
        cards = 0
        for step in trick.steps:
            cards |= _laid(row, step.seat, step.combination)
        if trick.winner >= 0:
            owner = trick.given_to if trick.given_to is not None else trick.winner
            row[at.PILE + owner] |= cards * row[at.SCORED]
    for step in view.trick:
        row[at.TRICK] |= _laid(row, step.seat, step.combination)
        row[at.PASSES] = row[at.PASSES] + 1 if step.combination is None else 0
    row[at.TOP_SEAT] = view.top_seat
    if view.top is not None:
        row[at.TOP_KIND] = KINDS[view.top.kind]
        row[at.TOP_SIZE] = view.top.size
        row[at.TOP_KEY] = view.top.key


def _laid(row: Any, seat: int, play: Combination | None) -> int:
    if play is None:
        return 0
    row[at.STARTED] |= 1 << seat
    row[at.PLAYED] |= play.cards
    return play.cards
