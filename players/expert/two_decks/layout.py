"""The position of a round with two decks as one row of 64-bit numbers.

It begins like a row for one deck: `players.expert.layout` names the places up to `HAND`, of which
those about calls, points and partners are not used. Two equal cards are the same card twice; a card
is a bit of the first deck, and each hand is two sets (see `players.expert.two_decks.hands`).
"""

from __future__ import annotations

from players.expert import layout

SEATS = 12
"""The most seats of a game."""
CARDS = 109
"""The number of cards in both decks, of which only one Mah Jong is played with."""

HAND = layout.HAND
"""From here on the cards that each seat holds."""
TWICE = HAND + SEATS
"""The cards that each seat holds twice."""
NEXT = TWICE + SEATS
"""The seat that comes after each seat in turn order."""
OUT = NEXT + SEATS
"""The seats in the order of going out; only the first `OUT_COUNT` numbers count."""
GONE = OUT + SEATS
"""How many cards of each rank were laid or not dealt at all; see `hands.by_rank`."""
WIDTH = GONE + 1
"""How many numbers a row has."""

DECKS = 0x1228888888888888
"""How many cards of each rank there are in both decks."""
