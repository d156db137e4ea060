"""All that this player uses of the engine, under the names that it knows."""

from __future__ import annotations

from engine.actions import (
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    CallTichu,
    GiveTrick,
    Pass,
    PassCards,
    Play,
    Waive,
)
from engine.cards import (
    DECK_SIZE,
    DOGS,
    DRAGONS,
    MAHJONGS,
    NATURALS,
    OF_RANK,
    OF_SUIT,
    PHOENIXES,
    RANKS,
    bits,
    card_set,
    points_of,
    rank_of,
)
from engine.combinations import PHOENIX_LED, Combination, Kind, readings
from engine.hand import Hand
from engine.match import apply, deal, new_match
from engine.options import Options
from engine.state import WINDOWS, Call, Laid, Phase
from engine.variants import VARIANTS
from engine.view import SeatView, View, view

__all__ = [
    "DECK_SIZE",
    "DOGS",
    "DRAGONS",
    "MAHJONGS",
    "NATURALS",
    "OF_RANK",
    "OF_SUIT",
    "PHOENIXES",
    "PHOENIX_LED",
    "RANKS",
    "VARIANTS",
    "WINDOWS",
    "Action",
    "AnswerGrand",
    "AnswerWithdraw",
    "Bomb",
    "Call",
    "CallTichu",
    "Combination",
    "GiveTrick",
    "Hand",
    "Kind",
    "Laid",
    "Options",
    "Pass",
    "PassCards",
    "Phase",
    "Play",
    "SeatView",
    "View",
    "Waive",
    "apply",
    "bits",
    "card_set",
    "deal",
    "new_match",
    "points_of",
    "rank_of",
    "readings",
    "view",
]
