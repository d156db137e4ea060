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
from players.expert.rules import of_rank, points_of
from players.expert.weights import TeamWeights, Weights
from players.expert.workspace import Workspace

_BEST_CARD_FOR_RIVAL = -4.0
"""Worth of the Dragon or the Phoenix in an opponent's hand."""
_HARMLESS_RANK = 9
"""Highest rank that does not help an opponent."""


@compiled
def _alone(card: CardSet, weights: Weights) -> float:
    """Return the effort of a card that is played alone."""
    kind = layout.DOG if card == layout.DOG_CARD else layout.SINGLE
    return effort(card, kind, 1, single_key(card), weights)


@compiled
def _worth(
    row: Row, seat: Seat, receiver: Seat, card: CardSet, strong: float, weights: Weights
) -> float:
    """Return the worth to `seat` of a card in the hand of `receiver`.

    It does not include the effect on the seat's own hand. A partner's gain is multiplied by
    `strong`, which is below 1 for a seat with a strong hand.
    """
    called = row[layout.CALL + receiver] > 0
    rank = lowest(card) // 4 + 2 if card & layout.NATURALS else 0
    if row[layout.TEAM + receiver] == row[layout.TEAM + seat]:
        if called:
            return -weights[weight.GIVE_CALLER] * _alone(card, weights)
        if card == layout.DRAGON:
            return strong * weights[weight.GIVE_DRAGON]
        if card == layout.PHOENIX:
            return strong * weights[weight.GIVE_PHOENIX]
        if card == layout.DOG_CARD:
            return strong * weights[weight.GIVE_DOG]
        return strong * weights[weight.GIVE + rank]
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

    Bombs stay whole if possible. Writes each card and its worth to a row of `work.ranked`, but only
    one of cards that differ by their suits alone. Returns the number of rows.
    """
    spare = hand & ~in_bombs(hand)
    spare = spare if spare else hand
    strong = 1.0
    own_effort = split_effort(row[layout.HAND + seat], weights, work.runs)
    if row[layout.CALL + seat] > 0 or own_effort < weights[weight.STRONG]:
        strong = weights[weight.STRONG_PART]
    rows, left = 0, spare
    while left:
        card = left & -left
        left ^= card
        if card & layout.NATURALS:
            left &= ~of_rank(lowest(card) // 4 + 2)
        worth = _worth(row, seat, receiver, card, strong, weights)
        work.ranked[rows, 0] = card
        work.ranked[rows, 1] = worth - split_effort(hand & ~card, weights, work.runs)
        rows += 1
    return rows


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
    """Pass the cards `gifts[seat, receiver]`, and let the holder of the Mah Jong lead."""
    seats = row[layout.GAME_SEATS]
    for seat in range(seats):
        for receiver in range(seats):
            row[layout.HAND + seat] &= ~gifts[seat, receiver]
    for seat in range(seats):
        for receiver in range(seats):
            row[layout.HAND + receiver] |= gifts[seat, receiver]
    find_leader(row)


@compiled
def find_leader(row: Row) -> None:
    """Let the holder of the Mah Jong lead."""
    row[layout.PHASE] = layout.LEAD
    for seat in range(row[layout.GAME_SEATS]):
        if row[layout.HAND + seat] & layout.MAHJONG:
            row[layout.ON_TURN] = seat


@compiled
def call_tichus(row: Row, team_weights: TeamWeights, runs: Runs) -> None:
    """Call a Tichu for all seats with strong hands, unless they or a partner have called."""
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
