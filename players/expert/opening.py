"""Before the first lead: which cards the quick policy gives, and when it calls a Tichu."""

from __future__ import annotations

from typing import Any

from players.expert import layout as at
from players.expert import weights as by
from players.expert.compiled import compiled, lowest
from players.expert.partition import effort, split_effort
from players.expert.plays import in_bombs, single_key
from players.expert.room import Room
from players.expert.rules import of_rank, points_of


@compiled
def _alone(card: int, weights: Any) -> float:
    """The effort of a card that is played alone."""
    kind = at.DOG if card == at.DOG_CARD else at.SINGLE
    return effort(card, kind, 1, single_key(card), weights)


@compiled
def _worth(row: Any, seat: int, receiver: int, card: int, strong: float, weights: Any) -> float:
    """What it brings that `receiver` has this card, whatever is left here.

    `strong` is the part that a partner's gain counts: less than 1 for a seat with a strong hand.
    """
    called = row[at.CALL + receiver] > 0
    rank = lowest(card) // 4 + 2 if card & at.NATURALS else 0
    if row[at.TEAM + receiver] == row[at.TEAM + seat]:
        if called:
            return -weights[by.GIVE_CALLER] * _alone(card, weights)
        if card == at.DRAGON:
            return strong * weights[by.GIVE_DRAGON]
        if card == at.PHOENIX:
            return strong * weights[by.GIVE_PHOENIX]
        if card == at.DOG_CARD:
            return strong * weights[by.GIVE_DOG]
        return strong * weights[by.GIVE + rank]
    if card == at.DRAGON or card == at.PHOENIX:
        return -4.0
    if card == at.DOG_CARD:
        return weights[by.DOG_TO_CALLER] if called else weights[by.GIVE_RIVAL_DOG]
    if card == at.MAHJONG:
        return weights[by.GIVE_RIVAL_MAHJONG]
    high = weights[by.GIVE_RIVAL_HIGH] * max(0, rank - 9)
    return high + weights[by.GIVE_RIVAL_POINTS] * points_of(card)


@compiled
def rank_gifts(row: Any, seat: int, receiver: int, hand: int, weights: Any, room: Room) -> int:
    """Weigh the cards of `hand` as gifts of `seat` to `receiver`; bombs stay whole if possible.

    Writes cards and their worths to `room.ranked`, equal cards once; returns how many they are.
    """
    spare = hand & ~in_bombs(hand)
    spare = spare if spare else hand
    strong = 1.0
    own_effort = split_effort(row[at.HAND + seat], weights, room.runs)
    if row[at.CALL + seat] > 0 or own_effort < weights[by.STRONG]:
        strong = weights[by.STRONG_PART]
    number, left = 0, spare
    while left:
        card = left & -left
        left ^= card
        if card & at.NATURALS:
            left &= ~of_rank(lowest(card) // 4 + 2)
        worth = _worth(row, seat, receiver, card, strong, weights)
        room.ranked[number, 0] = card
        room.ranked[number, 1] = worth - split_effort(hand & ~card, weights, room.runs)
        number += 1
    return number


@compiled
def _choose_gift(row: Any, seat: int, receiver: int, hand: int, weights: Any, room: Room) -> int:
    """The card out of `hand` that is best given to `receiver`."""
    best = 0
    for place in range(1, rank_gifts(row, seat, receiver, hand, weights, room)):
        if room.ranked[place, 1] > room.ranked[best, 1]:
            best = place
    return int(room.ranked[best, 0])


@compiled
def choose_gifts(row: Any, seat: int, receivers: int, weights: Any, room: Room) -> None:
    """Choose the cards for all receivers (seats as bits), partners first.

    They are written to `room.gifts[seat]`, the card for each seat.
    """
    hand = row[at.HAND + seat]
    for friend in range(2):
        for receiver in range(row[at.GAME_SEATS]):
            same = row[at.TEAM + receiver] == row[at.TEAM + seat]
            if receivers >> receiver & 1 and same == (friend == 0):
                card = _choose_gift(row, seat, receiver, hand, weights, room)
                room.gifts[seat, receiver] = card
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
def call_tichus(row: Any, team_weights: Any, runs: Any) -> None:
    """Call a Tichu for all seats with strong hands, unless they or a partner have called."""
    for seat in range(row[at.GAME_SEATS]):
        if row[at.CALL + seat]:
            continue
        taken = False
        for other in range(row[at.GAME_SEATS]):
            same = row[at.TEAM + other] == row[at.TEAM + seat]
            taken = taken or (same and row[at.CALL + other] > 0)
        weights = team_weights[row[at.TEAM + seat] & 1]
        if not taken and split_effort(row[at.HAND + seat], weights, runs) <= weights[by.TICHU]:
            row[at.CALL + seat] = 100
