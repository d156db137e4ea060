"""The position of a round as one row of 64-bit numbers, and the codes that stand in it.

Cards are sets as in `engine.cards`, of one deck; a single card is a set of one. A row holds all
hands. It is filled by `players.expert.rows` and changed by `players.expert.rules`.
"""

from __future__ import annotations

from typing import Any, TypeAlias

Row: TypeAlias = Any
"""The position of a round: an array of `numpy.int64`, `WIDTH` of them."""

SEATS = 6
"""The most seats of a game. A row has this number of places for whatever each seat has."""

OPENING, LEAD, TURN, WINDOW, CLOSING, GIFT, OVER = range(7)
"""Phases, as in `engine.Phase`; everything before the first lead is the opening."""

DOG, SINGLE, PAIR, TRIPLE, STAIRS, FULL_HOUSE, STRAIGHT, FOUR_BOMB, STRAIGHT_BOMB = range(9)
"""Kinds of combinations, as in `engine.combinations.Kind`; bombs are those from `FOUR_BOMB` on.

A play is described by its cards, its kind, its size (the number of cards) and its key (what it is
compared by, in half ranks), all as in `engine.combinations.Combination`.
"""

PHOENIX_LED, DRAGON_KEY = 3, 50
"""Keys of the Phoenix led alone and of the Dragon."""

MAHJONG, DOG_CARD, PHOENIX, DRAGON = 1 << 52, 1 << 53, 1 << 54, 1 << 55
"""The special cards, as sets of one card."""
NATURALS = (1 << 52) - 1
"""All ordinary cards."""
CARDS = 56
"""The number of cards in the deck."""
DECK = (1 << CARDS) - 1
"""All cards."""
FIVES, TENS, KINGS = 0xF << 12, 0xF << 32, 0xF << 44
"""The cards of the ranks that have points."""
SUIT = sum(1 << 4 * rank for rank in range(13))
"""The ordinary cards of the first suit. Shifted by 1, 2 and 3 they are those of the others."""

(
    # The game; the values of `engine.variants.Variant` with the same names.
    GAME_SEATS,  # the number of seats
    SCORED,
    SWEEP_SIZE,
    SWEEP_POINTS,
    LAST_PILES_CROSS,
    FREE_OF_WISHES,  # a set of seats
    DOG_IS_AIMED,
    # The round.
    PHASE,
    ON_TURN,  # the seat on turn
    TOP_SEAT,  # who laid the play to beat; -1 when there is none
    TOP_KIND,
    TOP_SIZE,
    TOP_KEY,
    PASSES,  # the passes since then
    TRICK,  # the cards of the open trick
    WISH,  # the open wish; 0 for none
    OUT_COUNT,  # how many seats are out
    STARTED,  # the seats that have laid a card, as a set
    PLAYED,  # all cards that were laid
    SWEEP_TEAM,  # the team of a sweep; -1 for none
    RNG,  # the state of the random generator
) = range(21)
"""Places of the numbers in a row that there are once."""

HAND = 21
"""From here on the cards in the hand of each seat; the other places below follow one another."""
PILE = HAND + SEATS
"""The cards in the tricks of each seat."""
NEXT = PILE + SEATS
"""The seat that comes after each seat in turn order."""
TEAM = NEXT + SEATS
"""The team of each seat."""
CALL = TEAM + SEATS
"""The stake of each seat's call in points; 0 without a call."""
OUT = CALL + SEATS
"""The seats in the order of going out; only the first `OUT_COUNT` numbers count."""
RESULT = OUT + SEATS
"""At the end: the points of each seat's team or, without points, its place from the last one up."""
SEES = RESULT + SEATS
"""The other seats whose hands each seat sees while the round is played, as a set."""
WIDTH = SEES + SEATS
"""How many numbers a row has."""
