"""Finished rounds of Nanjing as a log of BrettspielWelt, which our own reader takes back.

Seats are numbered in the direction of play, so that of a clockwise game 1 and 3 are exchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from bot.brettspielwelt.cards import CARD_WORDS, RANK_WORDS
from bot.brettspielwelt.reading import HEADINGS, SEATS
from bot.playback import PlayedRound, Position
from engine.cards import DECK_SIZE, DOG, DRAGON, MAHJONG, PHOENIX, indices, rank_of
from engine.combinations import Combination
from engine.events import (
    Called,
    CardsPassed,
    DragonGiven,
    Passed,
    Played,
    RoundEnded,
    TrickTaken,
    Withdrawn,
)
from engine.state import Call, Match
