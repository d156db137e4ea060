"""Conversion of a seat's view with two decks, and knowledge about the hidden cards."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import CARDS_OF_RANK, MAHJONGS, CardSet, Seat, View, bits, card_set
from players.expert import layout
from players.expert.evidence import evidence_of_tricks
from players.expert.knowledge import barred_ranks, first_leader
from players.expert.layout import Row
from players.expert.rows import KINDS, PHASES
from players.expert.two_decks.deals import Deal, Hidden
from players.expert.two_decks.hands import Cards, by_rank, fold
from players.expert.two_decks.layout import CARDS, GONE, HAND, NEXT, OUT, SEATS, TWICE, WIDTH


def fits(view: View) -> bool:
    """Return whether a row can hold this game.

    The game must have no calls, points or partners, and not too many cards and hands.
    """
    size = len(view.variant.deck(view.options))
    return len(view.seats) <= SEATS and size <= CARDS and not view.variant.scored


def row_of(view: View) -> Row:
    """Return the row of a position; hands that the seat does not see are empty."""
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
        hold(row, seat, fold(hand.cards))
    row[GONE] = by_rank(fold(_gone(view)))
    return row


def hold(row: Row, seat: Seat, hand: Cards) -> None:
    """Write a hand into a row."""
    row[HAND + seat], row[TWICE + seat] = hand


def _gone(view: View) -> CardSet:
    """Return the cards that were laid or not dealt, as the engine's set."""
    gone = view.left_over
    for steps in (*(trick.steps for trick in view.past), view.trick):
        for step in steps:
            gone |= step.combination.cards if step.combination is not None else 0
    return gone


def deal_known(view: View, row: Row, *, infers: bool = True) -> Hidden:
    """Write the known cards of hidden hands into a row, and return the knowledge of the rest.

    With `infers` the result includes the actions of the others as evidence. Known are the cards
    that the seat has given away and that are not laid yet, and the Mah Jong of the first leader.
    The view must not be from before the first lead.
    """
    unseen = card_set(view.variant.deck(view.options)) & ~_gone(view)
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
        hold(row, seat, fold(cards))
        unseen &= ~cards
    sizes = np.zeros(SEATS, np.int64)
    sizes[: len(view.seats)] = [seat.cards for seat in view.seats]
    free = sorted(fold(card).ones for card in bits(unseen))
    return Hidden(np.array(free, np.int64), sizes, barred, _evidence(view, infers=infers))


def no_deal(row: Row, hidden: Hidden) -> Deal:
    """Return the arrays for deals of the hidden cards, before the first deal."""
    size = len(hidden.free)
    deal = Deal(row.copy(), np.zeros(size, np.int64), np.zeros(size, np.int64))
    deal.row[layout.PHASE] = layout.OVER
    return deal


def _evidence(view: View, *, infers: bool) -> Any:
    """Return the actions of the hidden seats, a row each, in the order of the seats."""
    hidden = set(range(len(view.seats))) - dict(view.hands).keys() if infers else set()
    rows = [(*row, *fold(cards)) for *row, cards in evidence_of_tricks(view, sorted(hidden))]
    return np.array(rows, np.int64).reshape(-1, 8)
