"""Layout of a position with two decks: one row of 64-bit numbers.

Up to `HAND` the places are those of `players.expert.layout`, but those about calls, points and
partners are not used. A card is a bit of the first deck. Equal cards are the same card twice, so
each hand is two sets (see `players.expert.two_decks.hands`).
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
"""Number of cards of each rank that were laid or not dealt; see `hands.count_by_rank`."""
WIDTH = GONE + 1
"""Number of values in a row."""

DECKS = 0x1228888888888888
"""Number of cards of each rank in both decks, as `hands.Counts`.

These are eight of each rank, two Phoenixes, two Dragons and one Mah Jong.
"""
