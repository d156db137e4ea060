"""Layout of a position: one row of 64-bit numbers, and their codes.

Cards are sets as in `engine.cards`, of one deck; a single card is a set of one. A row holds all
hands. `players.expert.rows` fills it and `players.expert.rules` changes it.
"""

from __future__ import annotations

from typing import Any, TypeAlias

Row: TypeAlias = Any
"""Position of a round: an array of `WIDTH` numbers of `numpy.int64`."""

SEATS = 6
"""Maximum seats of a game; a row has so many places for each fact by seat."""

OPENING, LEAD, TURN, WINDOW, CLOSING, GIFT, OVER = range(7)
"""Phases, as in `engine.Phase`; everything before the first lead is the opening."""

DOG, SINGLE, PAIR, TRIPLE, STAIRS, FULL_HOUSE, STRAIGHT, FOUR_BOMB, STRAIGHT_BOMB = range(9)
"""Kinds of combinations, as in `engine.combinations.Kind`; bombs begin at `FOUR_BOMB`.

A play is described by its cards, its kind, its size (the number of cards) and its key (the value
compared, in half ranks), as in `engine.combinations.Combination`.
"""

LED_PHOENIX_KEY, DRAGON_KEY = 3, 50
"""Keys of the Phoenix led alone and of the Dragon."""

MAHJONG, DOG_CARD, PHOENIX, DRAGON = 1 << 52, 1 << 53, 1 << 54, 1 << 55
"""Special cards, as sets of one card."""
NATURALS = (1 << 52) - 1
"""All ordinary cards."""
CARDS = 56
"""Number of cards in the deck."""
DECK = (1 << CARDS) - 1
"""All cards."""
FIVES, TENS, KINGS = 0xF << 12, 0xF << 32, 0xF << 44
"""Cards of the ranks that have points."""
SUIT = sum(1 << 4 * rank for rank in range(13))
"""Ordinary cards of the first suit; shifted by 1, 2 and 3 those of the others."""

(
    # The game: values of `engine.variants.Variant` with the same names.
    GAME_SEATS,  # the number of seats
    SCORED,
    SWEEP_SIZE,
    SWEEP_POINTS,
    LAST_PILES_CROSS,
    EXEMPT_FROM_WISHES,  # a set of seats
    DOG_IS_AIMED,
    # The round.
    PHASE,
    ON_TURN,  # the seat on turn
    TOP_SEAT,  # the seat that laid the play to beat; -1 for none
    TOP_KIND,
    TOP_SIZE,
    TOP_KEY,
    PASSES,  # the number of passes since the play to beat
    TRICK,  # the cards of the open trick
    WISH,  # the open wish; 0 for none
    OUT_COUNT,  # the number of seats that are out
    STARTED,  # the set of the seats that have laid a card
    PLAYED,  # the set of the cards that were laid
    SWEEP_TEAM,  # the team of a sweep; -1 for none
    RNG,  # the state of the random generator
) = range(21)
"""Places of the single numbers in a row."""

HAND = 21
"""First place of the hands, by seat; the places by seat below follow one another."""
PILE = HAND + SEATS
"""Cards in the tricks of each seat."""
NEXT = PILE + SEATS
"""Seat after each seat in turn order."""
TEAM = NEXT + SEATS
"""Team of each seat."""
CALL = TEAM + SEATS
"""Stake of each seat's call in points; 0 without a call."""
TICHU_STAKE = 100
"""Stake of a small Tichu in points."""
OUT = CALL + SEATS
"""Seats in the order of going out; only the first `OUT_COUNT` places are used."""
RESULT = OUT + SEATS
"""Result of each seat after the round.

The points of the seat's team or, without points, its place counted from the last one.
"""
SEES = RESULT + SEATS
"""Other seats whose hands each seat sees during play, as a set."""
WIDTH = SEES + SEATS
"""Number of values in a row."""
