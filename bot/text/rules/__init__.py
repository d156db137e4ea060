"""Short rules for players: a text per game and topic."""

from __future__ import annotations

from collections.abc import Mapping

from bot.text.rules.grandseigneur import GRAND_SEIGNEUR
from bot.text.rules.nanjing import NANJING
from bot.text.rules.shared import TITLES, Words, legend
from bot.text.rules.tientsin import TIENTSIN
from bot.text.rules.trichu import TRICHU

GAMES: Mapping[str, Mapping[str, Words]] = {
    "nanjing": NANJING,
    "trichu": TRICHU,
    "tientsin": TIENTSIN,
    "grandseigneur": GRAND_SEIGNEUR,
}
"""Game -> topic -> text, in the order of the buttons and of the select."""

FIRST_GAME = "nanjing"
"""Default game."""
FIRST_TOPIC = "game"
"""Default topic; every game has it."""

__all__ = ["FIRST_GAME", "FIRST_TOPIC", "GAMES", "TITLES", "Words", "legend"]
