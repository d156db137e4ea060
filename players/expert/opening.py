"""The quick policy before the first lead: gifts and Tichu calls."""

from __future__ import annotations

from typing import Any

from engine import CardSet, Seat, SeatSet
from players.expert import layout
from players.expert import weights as weight
from players.expert.compiled import compiled, lowest
from players.expert.layout import Row
from players.expert.partition import Runs, effort, split_effort
from players.expert.plays import in_bombs, single_key
from players.expert.rules import cards_of_rank, points_of
from players.expert.weights import TeamWeights, Weights
from players.expert.workspace import Workspace

_BEST_CARD_FOR_RIVAL = -4.0
"""Worth of the Dragon or the Phoenix in an opponent's hand."""
_HARMLESS_RANK = 9
"""Highest rank that does not help an opponent."""


@compiled
def _single_effort(card: CardSet, weights: Weights) -> float:
    """Return the effort of a card that is laid alone."""
    kind = layout.DOG if card == layout.DOG_CARD else layout.SINGLE
    return effort(card, kind, 1, single_key(card), weights)


@compiled
def _worth_as_gift(
    row: Row, seat: Seat, receiver: Seat, card: CardSet, factor: float, weights: Weights
) -> float:
    """Return what it is worth to `seat` that `receiver` has a card.

    What the seat's own hand loses is not included. The worth to a partner is multiplied by
    `factor`, which is below 1 if the seat's own hand is strong.
    """
    called = row[layout.CALL + receiver] > 0
    rank = lowest(card) // 4 + 2 if card & layout.NATURALS else 0
    if row[layout.TEAM + receiver] == row[layout.TEAM + seat]:
        if called:
            return -weights[weight.GIVE_CALLER] * _single_effort(card, weights)
        if card == layout.DRAGON:
            return factor * weights[weight.GIVE_DRAGON]
        if card == layout.PHOENIX:
            return factor * weights[weight.GIVE_PHOENIX]
        if card == layout.DOG_CARD:
            return factor * weights[weight.GIVE_DOG]
        return factor * weights[weight.GIVE + rank]
    if card == layout.DRAGON or card == layout.PHOENIX:
        return _BEST_CARD_FOR_RIVAL
    if card == layout.DOG_CARD:
        return weights[weight.DOG_TO_CALLER] if called else weights[weight.GIVE_RIVAL_DOG]
    if card == layout.MAHJONG:
        return weights[weight.GIVE_RIVAL_MAHJONG]
    high = weights[weight.GIVE_RIVAL_HIGH] * max(0, rank - _HARMLESS_RANK)
    return high + weights[weight.GIVE_RIVAL_POINTS] * points_of(card)


@compiled
def rank_gifts(
    row: Row, seat: Seat, receiver: Seat, hand: CardSet, weights: Weights, work: Workspace
) -> int:
    """Weigh the cards of `hand` as gifts of `seat` to `receiver`.

    Writes each card and its worth as a gift to a row of `work.ranked`. Of cards that differ by
    their suits alone only one is written, and cards of bombs only if there are no others. Returns
    the number of rows.
    """
    giveable = hand & ~in_bombs(hand)
    giveable = giveable if giveable else hand
    factor = 1.0
    own_effort = split_effort(row[layout.HAND + seat], weights, work.runs)
    if row[layout.CALL + seat] > 0 or own_effort < weights[weight.STRONG]:
        factor = weights[weight.STRONG_PART]
    row_count, remaining = 0, giveable
    while remaining:
        card = remaining & -remaining
        remaining ^= card
        if card & layout.NATURALS:
            remaining &= ~cards_of_rank(lowest(card) // 4 + 2)
        worth = _worth_as_gift(row, seat, receiver, card, factor, weights)
        work.ranked[row_count, 0] = card
        work.ranked[row_count, 1] = worth - split_effort(hand & ~card, weights, work.runs)
        row_count += 1
    return row_count


@compiled
def _choose_gift(
    row: Row, seat: Seat, receiver: Seat, hand: CardSet, weights: Weights, work: Workspace
) -> CardSet:
    """Return the card out of `hand` that is best given to `receiver`."""
    best = 0
    for place in range(1, rank_gifts(row, seat, receiver, hand, weights, work)):
        if work.ranked[place, 1] > work.ranked[best, 1]:
            best = place
    return int(work.ranked[best, 0])


@compiled
def choose_gifts(
    row: Row, seat: Seat, receivers: SeatSet, weights: Weights, work: Workspace
) -> None:
    """Choose the cards that `seat` gives to all receivers, partners first.

    Writes the card for each of them to `work.gifts[seat]`.
    """
    hand = row[layout.HAND + seat]
    for to_partners in (True, False):
        for receiver in range(row[layout.GAME_SEATS]):
            is_partner = row[layout.TEAM + receiver] == row[layout.TEAM + seat]
            if receivers >> receiver & 1 and is_partner == to_partners:
                card = _choose_gift(row, seat, receiver, hand, weights, work)
                work.gifts[seat, receiver] = card
                hand &= ~card


@compiled
def exchange(row: Row, gifts: Any) -> None:
    """Carry out the exchange of the cards `gifts[seat, receiver]`; the Mah Jong then leads."""
    seats = row[layout.GAME_SEATS]
    for seat in range(seats):
        for receiver in range(seats):
            row[layout.HAND + seat] &= ~gifts[seat, receiver]
    for seat in range(seats):
        for receiver in range(seats):
            row[layout.HAND + receiver] |= gifts[seat, receiver]
    begin_first_trick(row)


@compiled
def begin_first_trick(row: Row) -> None:
    """Begin the first trick: the holder of the Mah Jong leads."""
    row[layout.PHASE] = layout.LEAD
    for seat in range(row[layout.GAME_SEATS]):
        if row[layout.HAND + seat] & layout.MAHJONG:
            row[layout.ON_TURN] = seat


@compiled
def call_tichus(row: Row, team_weights: TeamWeights, runs: Runs) -> None:
    """Call a Tichu for each seat with a strong hand, unless it or a partner has called."""
    for seat in range(row[layout.GAME_SEATS]):
        if row[layout.CALL + seat]:
            continue
        partner_called = False
        for other in range(row[layout.GAME_SEATS]):
            is_partner = row[layout.TEAM + other] == row[layout.TEAM + seat]
            partner_called = partner_called or (is_partner and row[layout.CALL + other] > 0)
        weights = team_weights[row[layout.TEAM + seat] & 1]
        if (
            not partner_called
            and split_effort(row[layout.HAND + seat], weights, runs) <= weights[weight.TICHU]
        ):
            row[layout.CALL + seat] = layout.TICHU_STAKE
