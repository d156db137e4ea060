"""The rules in short, in words for people: for each game its texts by topic, with their titles."""

from __future__ import annotations

from collections.abc import Mapping

from bot.text.rules.grandseigneur import GRAND_SEIGNEUR
from bot.text.rules.nanjing import NANJING
from bot.text.rules.shared import TITLES, Words
from bot.text.rules.tientsin import TIENTSIN
from bot.text.rules.trichu import TRICHU

GAMES: Mapping[str, Mapping[str, Words]] = {
    "nanjing": NANJING,
    "trichu": TRICHU,
    "tientsin": TIENTSIN,
    "grandseigneur": GRAND_SEIGNEUR,
}
"""The texts of each game by topic, in the order in which they are offered."""

FIRST_GAME = "nanjing"
FIRST_TOPIC = "game"
"""The topic that every game has."""

__all__ = ["FIRST_GAME", "FIRST_TOPIC", "GAMES", "TITLES", "Words"]
