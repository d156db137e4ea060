"""Conversion of a seat's view to a row, with public information and visible hands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine import CardSet, Combination, Kind, Phase, Seat, View
from players.expert import layout
from players.expert.layout import Row

PHASES = {
    Phase.GRAND: layout.OPENING,
    Phase.EXCHANGE: layout.OPENING,
    Phase.LEAD: layout.LEAD,
    Phase.TURN: layout.TURN,
    Phase.WINDOW: layout.WINDOW,
    Phase.CLOSING: layout.CLOSING,
    Phase.GIFT: layout.GIFT,
    Phase.ROUND_END: layout.OVER,
    Phase.MATCH_END: layout.OVER,
}
KINDS = {
    Kind.DOG: layout.DOG,
    Kind.SINGLE: layout.SINGLE,
    Kind.PAIR: layout.PAIR,
    Kind.TRIPLE: layout.TRIPLE,
    Kind.STAIRS: layout.STAIRS,
    Kind.FULL_HOUSE: layout.FULL_HOUSE,
    Kind.STRAIGHT: layout.STRAIGHT,
    Kind.FOUR_BOMB: layout.FOUR_BOMB,
    Kind.STRAIGHT_BOMB: layout.STRAIGHT_BOMB,
}


def fits(view: View) -> bool:
    """Return whether a row can hold this game: one deck, and not too many seats."""
    return len(view.seats) <= layout.SEATS and len(view.variant.deck(view.options)) <= layout.CARDS


def row_of(view: View) -> Row:
    """Return the row of a position. Hands that the seat does not see are empty.

    Before the first lead only the game, the calls and the hands have values.
    """
    variant = view.variant
    row = np.zeros(layout.WIDTH, np.int64)
    row[layout.GAME_SEATS] = len(view.seats)
    row[layout.SCORED] = variant.scored
    row[layout.SWEEP_SIZE] = variant.sweep_size
    row[layout.SWEEP_POINTS] = variant.sweep_points
    row[layout.LAST_PILES_CROSS] = variant.last_piles_cross
    row[layout.DOG_IS_AIMED] = variant.dog_is_aimed
    row[layout.EXEMPT_FROM_WISHES] = variant.exempt_from_wishes
    row[layout.SWEEP_TEAM] = -1
    for seat, seat_view in enumerate(view.seats):
        row[layout.NEXT + seat] = view.seating.after(seat)[0]
        row[layout.TEAM + seat] = seat_view.team
        row[layout.CALL + seat] = seat_view.call.value if seat_view.call is not None else 0
    in_play = replace(view, phase=Phase.LEAD)  # more hands may be visible than before
    for seat in range(len(view.seats)):
        others = (other for other in variant.visible_hands(in_play, seat) if other != seat)
        row[layout.SEES + seat] = sum(1 << other for other in others)
    for seat, hand in view.hands:
        row[layout.HAND + seat] = hand.cards
    row[layout.PHASE] = PHASES[view.phase]
    row[layout.ON_TURN] = view.turn
    _fill_tricks(row, view)
    row[layout.OUT_COUNT] = len(view.out)
    row[layout.OUT : layout.OUT + len(view.out)] = view.out
    row[layout.WISH] = view.wish or 0
    return row


def _fill_tricks(row: Row, view: View) -> None:
    """Write the tricks of this round and their owners, and the play to beat."""
    for trick in view.past:
        cards = 0
        for step in trick.steps:
            cards |= _record_play(row, step.seat, step.combination)
        if trick.winner >= 0 and view.variant.scored:
            owner = trick.given_to if trick.given_to is not None else trick.winner
            row[layout.PILE + owner] |= cards
    for step in view.trick:
        row[layout.TRICK] |= _record_play(row, step.seat, step.combination)
        row[layout.PASSES] = row[layout.PASSES] + 1 if step.combination is None else 0
    row[layout.TOP_SEAT] = view.top_seat
    if view.top is not None:
        row[layout.TOP_KIND] = KINDS[view.top.kind]
        row[layout.TOP_SIZE] = view.top.size
        row[layout.TOP_KEY] = view.top.key


def _record_play(row: Row, seat: Seat, play: Combination | None) -> CardSet:
    """Record a play of `seat` (`None` for a pass). Returns its cards."""
    if play is None:
        return 0
    row[layout.STARTED] |= 1 << seat
    row[layout.PLAYED] |= play.cards
    return play.cards
