"""Layout of a position with two decks: one row of 64-bit numbers.

It begins like a row for one deck: `players.expert.layout` names the places up to `HAND`, of which
those about calls, points and partners are not used. Two equal cards are the same card twice. A card
is a bit of the first deck, and each hand is two sets (see `players.expert.two_decks.hands`).
"""

from __future__ import annotations

from players.expert import layout

SEATS = 12
"""Maximum seats of a game."""
CARDS = 109
"""Number of cards in both decks, with only one Mah Jong."""

HAND = layout.HAND
"""First place of the cards that each seat holds."""
TWICE = HAND + SEATS
"""Cards that each seat holds twice."""
NEXT = TWICE + SEATS
"""Seat after each seat in turn order."""
OUT = NEXT + SEATS
"""Seats in the order of going out; only the first `OUT_COUNT` numbers count."""
GONE = OUT + SEATS
"""Number of cards of each rank that were laid or not dealt; see `hands.by_rank`."""
WIDTH = GONE + 1
"""Number of values in a row."""

DECKS = 0x1228888888888888
"""Number of cards of each rank in both decks."""
