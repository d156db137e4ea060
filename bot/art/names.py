"""Names and files of the pictures, and the plain text that can replace each.

Cards are in notation: `S8`, `JJ` (the jack of jade), `DRAGON`. A card of a second deck, such as
`S8#2`, has the same picture. Screen readers and notifications read the names of emojis aloud, so
the names consist of words. `emojis` and the drawing tools use this module; it depends on neither
Discord nor Pillow.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

TEXT = "\ufe0e"
"""Unicode variation selector for text style: the symbol has the colour of the text.

Without it some symbols are shown as emojis, and black ones are invisible in dark mode.
"""
SUITS = {"J": "◎" + TEXT, "S": "⚔" + TEXT, "P": "🏯", "T": "★" + TEXT}
"""Suit in notation -> its symbol in plain text, like the picture.

These are a ring, swords, a tower and a star. The tower is an emoji, because few fonts have a letter
for it.
"""
SUIT_WORDS = {"J": "jade", "S": "sword", "P": "pagoda", "T": "star"}
"""Suit in notation -> beginning of its emoji names."""
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SPECIALS = {"MAHJONG": "1🐦", "DOG": "🐶", "PHOENIX": "🔥", "DRAGON": "🐲"}
SPECIAL_WORDS = {"MAHJONG": "mah_jong", "DOG": "dog", "PHOENIX": "phoenix", "DRAGON": "dragon"}
ICONS = {
    "turn": "👉",
    "tichu": "❗",
    "grand": "‼️",
    "out": "🏁",
    "bomb": "💣",
    "wish": "💭",
    "computer": "🤖",
    "person": "👤",
    "seat": "🪑",
    "cardback": "🎴",
    "pass": "⏩",
}
"""Icon -> Unicode emoji that replaces its picture."""
_ICON_WORDS = {"grand": "grand_tichu", "cardback": "cards"}
"""Icon -> name of its emoji, if that differs."""

_PLAIN = {suit + rank: rank + sign for rank in RANKS for suit, sign in SUITS.items()} | SPECIALS
_WORDS = {suit + rank: f"{word}_{rank}" for rank in RANKS for suit, word in SUIT_WORDS.items()}
_WORDS |= SPECIAL_WORDS
CARDS = tuple(_PLAIN)
"""All cards of a deck in notation, in the order of the deck."""

_HERE = Path(__file__).parent
_COPY = re.compile(r"#\d+$")


def face(card: str) -> str:
    """Return the card without the number of its copy: `S8#2` -> `S8`.

    Raise `ValueError` if there is no such card. The functions below raise it for unknown cards and
    icons, too.
    """
    plain = _COPY.sub("", card)
    if plain not in _PLAIN:
        raise ValueError(f"no such card: {card!r}")
    return plain


@cache
def card_name(card: str) -> str:
    """Return the emoji name of a card: `S8` -> `sword_8`."""
    return _WORDS[face(card)]


@cache
def card_plain(card: str) -> str:
    """Return a card as plain text, in all languages the same: `S8` -> `8⚔`, `DRAGON` -> `🐲`."""
    return _PLAIN[face(card)]


def icon_name(icon: str) -> str:
    """Return the emoji name of an icon: `grand` -> `grand_tichu`."""
    if icon not in ICONS:
        raise ValueError(f"no such icon: {icon!r}")
    return _ICON_WORDS.get(icon, icon)


def icon_plain(icon: str) -> str:
    """Return an icon as a Unicode emoji: `turn` -> `👉`."""
    icon_name(icon)
    return ICONS[icon]


def card_file(card: str) -> Path:
    """Return the path of the picture of a card."""
    return _HERE / "cards" / f"{face(card).lower()}.png"


def icon_file(icon: str) -> Path:
    """Return the path of the picture of an icon."""
    icon_name(icon)
    return _HERE / "icons" / f"{icon}.png"


def pictures() -> dict[str, Path]:
    """Return the path of each picture by the name of its emoji."""
    files = {card_name(card): card_file(card) for card in CARDS}
    return files | {icon_name(icon): icon_file(icon) for icon in ICONS}
