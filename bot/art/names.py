"""Names of the pictures and what stands for them in plain text.

Cards are given in notation (`S8`, `JJ` = jade jack, `DRAGON`; a second deck's `S8#2` looks the
same). Used by `emojis` and by the drawing tools; knows neither Discord nor Pillow.
"""

from __future__ import annotations

import re
from pathlib import Path

TEXT = "\ufe0e"
"""Asks for a sign in the colour of the text: as an emoji, black suits vanish in dark mode."""
SUITS = {"J": "♣" + TEXT, "S": "♠" + TEXT, "P": "♦" + TEXT, "T": "♥" + TEXT}
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SPECIALS = {"MAHJONG": "🀄", "DOG": "🐕", "PHOENIX": "🔥", "DRAGON": "🐉"}
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

_PLAIN = {suit + rank: rank + sign for rank in RANKS for suit, sign in SUITS.items()} | SPECIALS
CARDS = tuple(_PLAIN)  # every face once, in the order of a deck

_HERE = Path(__file__).parent
_COPY = re.compile(r"#\d+$")


def face(card: str) -> str:
    """The card without its copy number: `S8#2` -> `S8`. Raises ValueError if there is no such."""
    plain = _COPY.sub("", card)
    if plain not in _PLAIN:
        raise ValueError(f"no such card: {card!r}")
    return plain


def card_name(card: str) -> str:
    """The emoji name of a card without its version: `S8` -> `tichu_s8`."""
    return f"tichu_{face(card).lower()}"


def card_plain(card: str) -> str:
    """A card in plain text, the same in every language: `S8` -> `8♠`, `DRAGON` -> `🐉`."""
    return _PLAIN[face(card)]


def icon_name(icon: str) -> str:
    """The emoji name of a sign without its version: `turn` -> `tichu_icon_turn`."""
    if icon not in ICONS:
        raise ValueError(f"no such icon: {icon!r}")
    return f"tichu_icon_{icon}"


def icon_plain(icon: str) -> str:
    """A sign as a unicode emoji. Raises ValueError if there is no such sign."""
    icon_name(icon)
    return ICONS[icon]


def card_file(card: str) -> Path:
    """Where the picture of a card lies."""
    return _HERE / "cards" / f"{face(card).lower()}.png"


def icon_file(icon: str) -> Path:
    """Where the picture of a sign lies."""
    icon_name(icon)
    return _HERE / "icons" / f"{icon}.png"


def pictures() -> dict[str, Path]:
    """All pictures: emoji name without version -> file."""
    files = {card_name(card): card_file(card) for card in CARDS}
    return files | {icon_name(icon): icon_file(icon) for icon in ICONS}
