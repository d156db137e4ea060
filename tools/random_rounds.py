"""Whole rounds of random legal choices in compiled code: to measure, and to prove the rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from players.expert import layout
from players.expert.compiled import compiled_with_arrays, count
from players.expert.opening import find_leader
from players.expert.plays import Plays, list_bombs_above, list_legal, may_pass
from players.expert.rules import (
    close_window,
    copy,
    give_trick,
    lay,
    lay_dog,
    pass_turn,
    random_below,
)

GRAND, GIVE, TICHU, PLAY, DOG, PASS, BOMB, CLOSE, GIFT = range(9)
"""What was chosen, in a record: code, seat and three numbers (see `_note`)."""


@compiled_with_arrays
def _note(record: Any, number: int, what: int, seat: int, one: int, two: int, three: int) -> int:
    """GRAND answer; GIVE to, card; PLAY cards, key, wish; DOG and GIFT to; BOMB cards."""
    record[number, 0] = what
    record[number, 1] = seat
    record[number, 2] = one
    record[number, 3] = two
    record[number, 4] = three
    return number + 1


@compiled_with_arrays
def _random_card(row: Any, cards: int) -> int:
    for _ in range(random_below(row, count(cards))):
        cards &= cards - 1
    return cards & -cards


@compiled_with_arrays
def open_round(row: Any, first: int, receivers: Any, record: Any) -> int:
    """Grand Tichu answers and the exchange by chance; the Mah Jong's holder is on turn.

    Hands are whole already; `receivers[seat]` are the seats, as bits, that a seat gives a card to,
    `first` those, as bits, that are asked for a Grand Tichu.
    """
    number, seats = 0, row[layout.GAME_SEATS]
    for seat in range(seats):
        if first >> seat & 1:
            answer = random_below(row, 10) == 0
            number = _note(record, number, GRAND, seat, answer, 0, 0)
            row[layout.CALL + seat] = 200 * answer
    begin = number
    for seat in range(seats):
        hand = row[layout.HAND + seat]
        for to in range(seats):
            if receivers[seat] >> to & 1:
                card = _random_card(row, hand)
                hand ^= card
                number = _note(record, number, GIVE, seat, to, card, 0)
    for place in range(begin, number):
        row[layout.HAND + record[place, 1]] ^= record[place, 3]
    for place in range(begin, number):
        row[layout.HAND + record[place, 2]] |= record[place, 3]
    find_leader(row)
    return number


@compiled_with_arrays
def play_rounds(
    base: Any, rounds: int, cards: Any, asked: int, receivers: Any, plays: Plays
) -> int:
    """Shuffle, deal and play so many rounds; returns how many choices were made in all."""
    record = np.empty((2000, 5), np.int64)
    row, seats, choices = base.copy(), base[layout.GAME_SEATS], 0
    for _ in range(rounds):
        for place in range(len(cards) - 1, 0, -1):
            other = random_below(base, place + 1)
            cards[place], cards[other] = cards[other], cards[place]
        copy(row, base)
        for place in range(len(cards)):
            row[layout.HAND + place % seats] |= cards[place]
        choices += play_round(row, plays, record, open_round(row, asked, receivers, record))
        base[layout.RNG] = row[layout.RNG]
    return choices


@compiled_with_arrays
def play_round(row: Any, plays: Plays, record: Any, number: int) -> int:
    """Play on by chance until the round is over; returns how many choices the record has."""
    while row[layout.PHASE] != layout.OVER:
        seat, phase = row[layout.ON_TURN], row[layout.PHASE]
        if phase == layout.LEAD or phase == layout.TURN:
            number = _turn(row, seat, plays, record, number)
        elif phase == layout.GIFT:
            to = random_below(row, row[layout.GAME_SEATS])
            if row[layout.TEAM + to] != row[layout.TEAM + seat]:
                number = _note(record, number, GIFT, seat, to, 0, 0)
                give_trick(row, to)
        else:
            number = _window(row, plays, record, number)
    return number


@compiled_with_arrays
def _turn(row: Any, seat: int, plays: Plays, record: Any, number: int) -> int:
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
        to = -1
        if row[layout.DOG_IS_AIMED]:
            others = 0
            for other in range(row[layout.GAME_SEATS]):
                partner = row[layout.TEAM + other] == row[layout.TEAM + seat] and other != seat
                if partner and row[layout.HAND + other]:
                    others |= 1 << other
            if others:
                to = count(_random_card(row, others) - 1)
        lay_dog(row, seat, to)
        return _note(record, number, DOG, seat, to, 0, 0)
    wish = 0
    if cards & layout.MAHJONG:
        wish = random_below(row, 14) + 1
        if wish == 1:
            wish = 0
    lay(row, seat, cards, kind, size, key, wish)
    return _note(record, number, PLAY, seat, cards, key, wish)


@compiled_with_arrays
def _window(row: Any, plays: Plays, record: Any, number: int) -> int:
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
