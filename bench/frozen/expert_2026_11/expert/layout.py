"""The position of a round as one row of 64-bit numbers, and the codes that stand in it.

Cards are sets as in `engine.cards`, of one deck. A row holds all hands; it is filled by
`players.expert.rows`, changed by `players.expert.rules`.
"""

from __future__ import annotations

SEATS = 6
"""Most seats; in a row six numbers are kept wherever one for each seat is needed."""

OPENING, LEAD, TURN, WINDOW, CLOSING, GIFT, OVER = range(7)
"""Phases, as in `engine.state.Phase`; all before the first lead is the opening."""

DOG, SINGLE, PAIR, TRIPLE, STAIRS, FULL_HOUSE, STRAIGHT, FOUR_BOMB, STRAIGHT_BOMB = range(9)
"""Kinds of combinations, as in `engine.combinations.Kind`; bombs are the last two."""

PHOENIX_LED, DRAGON_KEY = 3, 50
"""Compare keys of the Phoenix led alone and of the Dragon."""

MAHJONG, DOG_CARD, PHOENIX, DRAGON = 1 << 52, 1 << 53, 1 << 54, 1 << 55
NATURALS = (1 << 52) - 1
CARDS = 56
DECK = (1 << CARDS) - 1
FIVES, TENS, KINGS = 0xF << 12, 0xF << 32, 0xF << 44
SUIT = sum(1 << 4 * rank for rank in range(13))
"""The ordinary cards of the first suit; shifted by one, two, three those of the others."""

(
    GAME_SEATS,
    SCORED,
    SWEEP_SIZE,
    SWEEP_POINTS,
    LAST_ACROSS,
    FREE_OF_WISH,
    CHOOSE_PARTNER,
    PHASE,
    ON_TURN,
    TOP_SEAT,
    TOP_KIND,
    TOP_SIZE,
    TOP_KEY,
    PASSES,
    TRICK,
    WISH,
    OUT_COUNT,
    STARTED,
    PLAYED,
    SWEEP_TEAM,
    CHANCE,
) = range(21)
"""Places of single numbers in a row.

Of the game: number of seats, whether there are points, size and points of a sweep, whether the last
player's tricks go across and the last but one's to the winner (else the last one's to the winner),
seats as bits that wishes do not bind, whether a Dog's player chooses the partner. Of the round:
phase, seat on turn, the play to beat (its seat, -1 for none), passes since, cards of the trick,
open wish (0: none), how many are out, seats as bits that have laid a card, all cards laid so far,
the team of a sweep (-1: none), and the state of chance.
"""
HAND = 21
PILE = HAND + SEATS
NEXT = PILE + SEATS
TEAM = NEXT + SEATS
CALL = TEAM + SEATS
OUT = CALL + SEATS
RESULT = OUT + SEATS
WIDTH = RESULT + SEATS
"""Where the numbers of the seats begin: hands, piles, who comes next, teams, stakes of calls, the
order of going out, and the result: points of each seat's team, or places from the last one up."""
