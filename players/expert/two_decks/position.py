"""Conversion of a seat's view of a game with two decks, and knowledge about hidden cards."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import CARDS_OF_RANK, MAHJONGS, CardSet, View, bits, card_set
from players.expert import layout
from players.expert.evidence import EVIDENCE_ROW, evidence_of_tricks
from players.expert.knowledge import barred_ranks, first_leader
from players.expert.layout import Row
from players.expert.rows import KINDS, PHASES
from players.expert.two_decks.deals import Deal, Hidden
from players.expert.two_decks.hands import count_by_rank, from_engine_set, set_hand
from players.expert.two_decks.layout import CARDS, GONE, NEXT, OUT, SEATS, WIDTH


def fits(view: View) -> bool:
    """Return whether a row for two decks can hold this game.

    The game must have no points, calls or partners, and not too many cards and seats.
    """
    size = len(view.variant.deck(view.options))
    return len(view.seats) <= SEATS and size <= CARDS and not view.variant.scored


def row_of(view: View) -> Row:
    """Return the row of a position. Hands that the seat does not see are empty."""
    row = np.zeros(WIDTH, np.int64)
    row[layout.GAME_SEATS] = len(view.seats)
    row[layout.PHASE] = PHASES[view.phase]
    row[layout.ON_TURN] = view.turn
    row[layout.OUT_COUNT] = len(view.out)
    row[layout.WISH] = view.wish or 0
    row[layout.TOP_SEAT] = view.top_seat
    for step in view.trick:
        row[layout.PASSES] = row[layout.PASSES] + 1 if step.combination is None else 0
    if view.top is not None:
        row[layout.TOP_KIND] = KINDS[view.top.kind]
        row[layout.TOP_SIZE] = view.top.size
        row[layout.TOP_KEY] = view.top.key
    row[OUT : OUT + len(view.out)] = view.out
    for seat in range(len(view.seats)):
        row[NEXT + seat] = view.seating.after(seat)[0]
    for seat, hand in view.hands:
        set_hand(row, seat, from_engine_set(hand.cards))
    row[GONE] = count_by_rank(from_engine_set(_cards_out_of_play(view)))
    return row


def _cards_out_of_play(view: View) -> CardSet:
    """Return the cards that were laid or not dealt, as a set of the engine."""
    gone = view.left_over
    for steps in (*(trick.steps for trick in view.past), view.trick):
        for step in steps:
            gone |= step.combination.cards if step.combination is not None else 0
    return gone


def place_known_cards(view: View, row: Row, *, infers: bool = True) -> Hidden:
    """Write the known cards of hidden hands into a row. Returns the knowledge about the others.

    Known cards are those that the seat has passed on and that are not laid yet, and the Mah Jong of
    the first leader. With `infers` the result includes the actions of others as evidence. The view
    must be from after the first lead or just before it.
    """
    unseen = card_set(view.variant.deck(view.options)) & ~_cards_out_of_play(view)
    held = [0] * len(view.seats)
    for seat, hand in view.hands:
        held[seat] = hand.cards
        unseen &= ~hand.cards
    for _, receiver, cards in view.known_gifts:
        held[receiver] |= cards & unseen
    held[first_leader(view)] |= MAHJONGS & unseen
    barred = np.zeros(SEATS, np.int64)
    for seat, ranks in enumerate(barred_ranks(view)):
        barred[seat] = sum(CARDS_OF_RANK[rank] for rank in ranks) & layout.DECK
    for seat, cards in enumerate(held):
        set_hand(row, seat, from_engine_set(cards))
        unseen &= ~cards
    sizes = np.zeros(SEATS, np.int64)
    sizes[: len(view.seats)] = [seat.cards for seat in view.seats]
    free = sorted(from_engine_set(card).ones for card in bits(unseen))
    return Hidden(np.array(free, np.int64), sizes, barred, _evidence(view, infers=infers))


def deal_arrays(row: Row, hidden: Hidden) -> Deal:
    """Return arrays for deals of the hidden cards, in the state before the first deal."""
    size = len(hidden.free)
    deal = Deal(row.copy(), np.zeros(size, np.int64), np.zeros(size, np.int64))
    deal.row[layout.PHASE] = layout.OVER
    return deal


def _evidence(view: View, *, infers: bool) -> Any:
    """Return the actions of the seats with hidden hands, a row each, sorted by seat."""
    hidden = set(range(len(view.seats))) - dict(view.hands).keys() if infers else set()
    rows = [
        (*row, *from_engine_set(cards)) for *row, cards in evidence_of_tricks(view, sorted(hidden))
    ]
    return np.array(rows, np.int64).reshape(-1, EVIDENCE_ROW)
