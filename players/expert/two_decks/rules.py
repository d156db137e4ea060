"""The rules of a round for rows of two decks, from the first lead to the end of the round.

Nothing is validated here, because callers choose among legal plays. A test plays the same rounds by
these rules and by the engine's, and compares every step.
"""

from __future__ import annotations

from engine import Rank, Seat
from players.expert import layout
from players.expert.compiled import compiled
from players.expert.layout import Row
from players.expert.rules import cards_of_rank
from players.expert.two_decks.hands import (
    Cards,
    count_by_rank,
    hand_of,
    hand_size,
    set_hand,
    without,
)
from players.expert.two_decks.layout import GONE, HAND, NEXT, OUT


@compiled
def next_with_cards(row: Row, seat: Seat) -> Seat:
    """Return the next seat in turn order that holds cards."""
    seat = row[NEXT + seat]
    while row[HAND + seat] == 0:
        seat = row[NEXT + seat]
    return seat


@compiled
def lay(row: Row, seat: Seat, cards: Cards, kind: int, size: int, key: int, wish: Rank) -> None:
    """Lay a play or a bomb. `wish` is the rank wished for with it, or 0."""
    set_hand(row, seat, without(hand_of(row, seat), cards))
    row[GONE] += count_by_rank(cards)
    row[layout.PASSES] = 0
    row[layout.TOP_SEAT] = seat
    row[layout.TOP_KIND] = kind
    row[layout.TOP_SIZE] = size
    row[layout.TOP_KEY] = key
    row[layout.PHASE] = layout.WINDOW
    if wish:
        row[layout.WISH] = wish
    elif row[layout.WISH] and cards.ones & cards_of_rank(row[layout.WISH]):
        row[layout.WISH] = 0
    if row[HAND + seat] == 0:
        row[OUT + row[layout.OUT_COUNT]] = seat
        row[layout.OUT_COUNT] += 1
        if row[layout.OUT_COUNT] >= row[layout.GAME_SEATS] - 1:
            row[layout.PHASE] = layout.OVER
            return
    row[layout.ON_TURN] = next_with_cards(row, seat)
    _open_window(row)


@compiled
def pass_turn(row: Row) -> None:
    """Let the seat on turn pass."""
    top_seat = row[layout.TOP_SEAT]
    row[layout.PASSES] += 1
    needed = row[layout.GAME_SEATS] - row[layout.OUT_COUNT]
    if row[HAND + top_seat]:
        needed -= 1
    if row[layout.PASSES] < needed:
        row[layout.ON_TURN] = next_with_cards(row, row[layout.ON_TURN])
        return
    row[layout.PHASE] = layout.CLOSING
    row[layout.ON_TURN] = top_seat if row[HAND + top_seat] else next_with_cards(row, top_seat)
    _open_window(row)


@compiled
def _open_window(row: Row) -> None:
    """Keep the bomb window open, unless nobody has the four cards that a bomb needs."""
    for seat in range(row[layout.GAME_SEATS]):
        if hand_size(row, seat) >= 4:
            return
    close_window(row)


@compiled
def close_window(row: Row) -> None:
    """Close a bomb window: the next seat is on turn, or the trick ends."""
    if row[layout.PHASE] == layout.WINDOW:
        row[layout.PHASE] = layout.TURN
        return
    winner = row[layout.TOP_SEAT]
    row[layout.TOP_SEAT] = -1
    row[layout.PASSES] = 0
    row[layout.PHASE] = layout.LEAD
    row[layout.ON_TURN] = winner if row[HAND + winner] else next_with_cards(row, winner)


@compiled
def final_place(row: Row, seat: Seat) -> int:
    """Return the place of a seat in a finished round, counted from the last one, which is 0."""
    for place in range(row[layout.OUT_COUNT]):
        if row[OUT + place] == seat:
            return row[layout.GAME_SEATS] - 1 - place
    return 0
