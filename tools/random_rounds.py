"""Whole rounds of random legal choices in compiled code, for benchmarks and tests.

A record of the choices is an array with a line of five numbers for each. `bench` measures the speed
of such rounds. A test plays them again with the engine and compares.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import CardSet, Seat, SeatSet
from players.expert import layout
from players.expert.compiled import compiled_with_arrays, count
from players.expert.opening import begin_first_trick
from players.expert.plays import Plays, list_bombs_above, list_legal, may_pass
from players.expert.rules import (
    close_window,
    copy_row,
    give_trick,
    lay,
    lay_dog,
    pass_turn,
    random_below,
)

GRAND, GIVE, TICHU, PLAY, DOG, PASS, BOMB, CLOSE, GIFT = range(9)
"""Kinds of choices in a record."""


@compiled_with_arrays
def _note(record: Any, number: int, kind: int, seat: Seat, a: int, b: int, c: int) -> int:
    """Write choice `number` (from 0) into the record. Returns the next number.

    The details `a`, `b` and `c` depend on the kind, and are 0 if unused:

    - GRAND: the answer, 0 or 1
    - GIVE: the receiver's seat, the card
    - PLAY: the cards, the key of the combination, the wish
    - DOG: the seat that leads next if it was chosen, else -1
    - GIFT: the receiver's seat
    - BOMB: the cards
    """
    record[number, 0] = kind
    record[number, 1] = seat
    record[number, 2] = a
    record[number, 3] = b
    record[number, 4] = c
    return number + 1


@compiled_with_arrays
def _random_card(row: Any, cards: CardSet) -> CardSet:
    """Return a random card of a set, as a set of one; also a seat of a set of seats."""
    for _ in range(random_below(row, count(cards))):
        cards &= cards - 1
    return cards & -cards


@compiled_with_arrays
def open_round(row: Any, asked: SeatSet, receivers: Any, record: Any) -> int:
    """Choose Grand Tichu answers and the exchange at random.

    Then the holder of the Mah Jong leads. Whole hands must be dealt. `receivers[seat]` is the set
    of seats to which a seat gives a card, `asked` the set of seats with a Grand Tichu question.
    Returns the length of the record.
    """
    number, seats = 0, row[layout.GAME_SEATS]
    for seat in range(seats):
        if asked >> seat & 1:
            answer = random_below(row, 10) == 0
            number = _note(record, number, GRAND, seat, answer, 0, 0)
            row[layout.CALL + seat] = 200 * answer
    begin = number
    for seat in range(seats):
        hand = row[layout.HAND + seat]
        for receiver in range(seats):
            if receivers[seat] >> receiver & 1:
                card = _random_card(row, hand)
                hand ^= card
                number = _note(record, number, GIVE, seat, receiver, card, 0)
    for place in range(begin, number):
        row[layout.HAND + record[place, 1]] ^= record[place, 3]
    for place in range(begin, number):
        row[layout.HAND + record[place, 2]] |= record[place, 3]
    begin_first_trick(row)
    return number


@compiled_with_arrays
def play_rounds(
    base: Any, rounds: int, cards: Any, asked: SeatSet, receivers: Any, plays: Plays
) -> int:
    """Shuffle, deal and play `rounds` rounds. Returns the total number of choices.

    `base` is the position before the deal, `cards` the deck; both change. For `asked` and
    `receivers` see `open_round`. `plays` is a work array for the legal plays.
    """
    record = np.empty((2000, 5), np.int64)
    row, seats, choices = base.copy(), base[layout.GAME_SEATS], 0
    for _ in range(rounds):
        for place in range(len(cards) - 1, 0, -1):
            other = random_below(base, place + 1)
            cards[place], cards[other] = cards[other], cards[place]
        copy_row(row, base)
        for place in range(len(cards)):
            row[layout.HAND + place % seats] |= cards[place]
        choices += play_round(row, plays, record, open_round(row, asked, receivers, record))
        base[layout.RNG] = row[layout.RNG]
    return choices


@compiled_with_arrays
def play_round(row: Any, plays: Plays, record: Any, number: int) -> int:
    """Make random choices until the round is over. Returns the length of the record.

    `number` is its length so far.
    """
    while row[layout.PHASE] != layout.OVER:
        seat, phase = row[layout.ON_TURN], row[layout.PHASE]
        if phase == layout.LEAD or phase == layout.TURN:
            number = _turn(row, seat, plays, record, number)
        elif phase == layout.GIFT:
            receiver = random_below(row, row[layout.GAME_SEATS])
            if row[layout.TEAM + receiver] != row[layout.TEAM + seat]:
                number = _note(record, number, GIFT, seat, receiver, 0, 0)
                give_trick(row, receiver)
        else:
            number = _window(row, plays, record, number)
    return number


@compiled_with_arrays
def _turn(row: Any, seat: Seat, plays: Plays, record: Any, number: int) -> int:
    """Make a random play or pass, perhaps after a Tichu. Returns the record's length."""
    fresh = not row[layout.CALL + seat] and not row[layout.STARTED] >> seat & 1
    if fresh and row[layout.SCORED] and random_below(row, 10) == 0:
        row[layout.CALL + seat] = 100
        number = _note(record, number, TICHU, seat, 0, 0, 0)
    total = list_legal(row, plays)
    passing = 1 if may_pass(row, plays, total) else 0
    chosen = random_below(row, total + passing)
    if chosen == total:
        pass_turn(row)
        return _note(record, number, PASS, seat, 0, 0, 0)
    cards, kind, size, key = plays[chosen]
    if kind == layout.DOG:
        partner = _chosen_partner(row, seat)
        lay_dog(row, seat, partner)
        return _note(record, number, DOG, seat, partner, 0, 0)
    wish = 0
    if cards & layout.MAHJONG:
        wish = random_below(row, 14) + 1
        if wish == 1:
            wish = 0
    lay(row, seat, cards, kind, size, key, wish)
    return _note(record, number, PLAY, seat, cards, key, wish)


@compiled_with_arrays
def _chosen_partner(row: Any, seat: Seat) -> Seat:
    """Return a random partner with cards for the Dog; -1 if the player has no choice."""
    if not row[layout.DOG_IS_AIMED]:
        return -1
    partners = 0
    for other in range(row[layout.GAME_SEATS]):
        same_team = row[layout.TEAM + other] == row[layout.TEAM + seat] and other != seat
        if same_team and row[layout.HAND + other]:
            partners |= 1 << other
    return count(_random_card(row, partners) - 1) if partners else -1


@compiled_with_arrays
def _window(row: Any, plays: Plays, record: Any, number: int) -> int:
    """Lay a random bomb or close the window. Returns the length of the record."""
    seat = row[layout.TOP_SEAT]
    for _ in range(row[layout.GAME_SEATS]):
        seat = row[layout.NEXT + seat]
        hand = row[layout.HAND + seat]
        if count(hand) >= 4 and random_below(row, 2):
            total = list_bombs_above(row, hand, plays)
            if total:
                cards, kind, size, key = plays[random_below(row, total)]
                number = _note(record, number, BOMB, seat, cards, 0, 0)
                lay(row, seat, cards, kind, size, key, 0)
                return number
    close_window(row)
    return _note(record, number, CLOSE, -1, 0, 0, 0)
