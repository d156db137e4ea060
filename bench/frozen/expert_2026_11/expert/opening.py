"""Before the first lead: which cards the quick policy gives, and when it calls a Tichu."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.frozen.expert_2026_11.expert import layout as at
from bench.frozen.expert_2026_11.expert import weights as by
from bench.frozen.expert_2026_11.expert.compiled import compiled, lowest
from bench.frozen.expert_2026_11.expert.partition import effort, split_effort
from bench.frozen.expert_2026_11.expert.plays import in_bombs, single_key
from bench.frozen.expert_2026_11.expert.rules import of_rank, points_of


@compiled
def _alone(card: int, w: Any) -> float:
    return effort(card, at.DOG if card == at.DOG_CARD else at.SINGLE, 1, single_key(card), w)


@compiled
def _worth(row: Any, seat: int, to: int, card: int, strong: float, w: Any) -> float:
    """What it brings that `to` has this card; never mind what is left here."""
    called = row[at.CALL + to] > 0
    rank = lowest(card) // 4 + 2 if card & at.NATURALS else 0
    if row[at.TEAM + to] == row[at.TEAM + seat]:
        if called:
            return -w[by.GIVE_CALLER] * _alone(card, w)
        if card == at.DRAGON:
            return strong * w[by.GIVE_DRAGON]
        if card == at.PHOENIX:
            return strong * w[by.GIVE_PHOENIX]
        if card == at.DOG_CARD:
            return strong * w[by.GIVE_DOG]
        return strong * w[by.GIVE + rank]
    if card == at.DRAGON or card == at.PHOENIX:
        return -4.0
    if card == at.DOG_CARD:
        return w[by.DOG_TO_CALLER] if called else w[by.GIVE_RIVAL_DOG]
    if card == at.MAHJONG:
        return w[by.GIVE_RIVAL_MAHJONG]
    return w[by.GIVE_RIVAL_HIGH] * max(0, rank - 9) + w[by.GIVE_RIVAL_POINTS] * points_of(card)


@compiled
def rank_gifts(row: Any, seat: int, hand: int, to: int, w: Any, room: Any, ranked: Any) -> int:
    """Weigh the cards of `hand` as gifts to a seat; bombs stay whole if possible.

    Writes cards and worths to `ranked`, equal cards once, and returns how many they are.
    """
    spare = hand & ~in_bombs(hand)
    spare = spare if spare else hand
    strong = 1.0
    if row[at.CALL + seat] > 0 or split_effort(row[at.HAND + seat], w, room) < w[by.STRONG]:
        strong = w[by.STRONG_PART]
    number, left = 0, spare
    while left:
        card = left & -left
        left ^= card
        if card & at.NATURALS:
            left &= ~of_rank(lowest(card) // 4 + 2)
        ranked[number, 0] = card
        worth = _worth(row, seat, to, card, strong, w)
        ranked[number, 1] = worth - split_effort(hand & ~card, w, room)
        number += 1
    return number


@compiled
def choose_gift(row: Any, seat: int, hand: int, to: int, w: Any, room: Any, ranked: Any) -> int:
    """The card out of `hand` that is best given to `to`."""
    best = 0
    for place in range(1, rank_gifts(row, seat, hand, to, w, room, ranked)):
        if ranked[place, 1] > ranked[best, 1]:
            best = place
    return int(ranked[best, 0])


@compiled
def choose_gifts(row: Any, seat: int, receivers: int, w: Any, room: Any, gifts: Any) -> None:
    """The cards for all receivers (seats as bits), written to `gifts[seat]`: partners first."""
    ranked = np.empty((at.CARDS, 2), np.float64)
    hand = row[at.HAND + seat]
    for friend in range(2):
        for to in range(row[at.GAME_SEATS]):
            same = row[at.TEAM + to] == row[at.TEAM + seat]
            if receivers >> to & 1 and same == (friend == 0):
                card = choose_gift(row, seat, hand, to, w, room, ranked)
                gifts[seat, to] = card
                hand &= ~card


@compiled
def exchange(row: Any, gifts: Any) -> None:
    """Pass the cards `gifts[seat, to]`; the Mah Jong's holder is on turn afterwards."""
    seats = row[at.GAME_SEATS]
    for seat in range(seats):
        for to in range(seats):
            row[at.HAND + seat] &= ~gifts[seat, to]
    for seat in range(seats):
        for to in range(seats):
            row[at.HAND + to] |= gifts[seat, to]
    find_leader(row)


@compiled
def find_leader(row: Any) -> None:
    """The Mah Jong's holder has the first lead."""
    row[at.PHASE] = at.LEAD
    for seat in range(row[at.GAME_SEATS]):
        if row[at.HAND + seat] & at.MAHJONG:
            row[at.ON_TURN] = seat


@compiled
def call_tichus(row: Any, w: Any, room: Any, free: int) -> None:
    """Small Tichus of strong hands among `free` (seats as bits), unless a partner has called."""
    for seat in range(row[at.GAME_SEATS]):
        if not free >> seat & 1 or row[at.CALL + seat]:
            continue
        taken = False
        for other in range(row[at.GAME_SEATS]):
            same = row[at.TEAM + other] == row[at.TEAM + seat]
            taken = taken or (same and row[at.CALL + other] > 0)
        weights = w[row[at.TEAM + seat] & 1]
        if not taken and split_effort(row[at.HAND + seat], weights, room) <= weights[by.TICHU]:
            row[at.CALL + seat] = 100
