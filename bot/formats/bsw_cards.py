"""Card and rank names in BrettspielWelt logs: `S8`, `BD`, `Hu`.

The suits are colours: green (`G`) is jade, black (`S`) is sword, blue (`B`) is pagoda and red (`R`)
is star.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import quote_plus, unquote_plus

from engine import (
    DOG,
    DRAGON,
    MAHJONG,
    PHOENIX,
    RANKS,
    SUITS,
    CardSet,
    Rank,
    card_set,
    rank_text,
)

SUIT_WORDS = dict(zip(SUITS, "GSBR", strict=True))
"""Suit in our notation -> its letter in a log: jade G, sword S, pagoda B, star R."""
SPECIAL_WORDS = {MAHJONG: "Ma", DOG: "Hu", PHOENIX: "Ph", DRAGON: "Dr"}
_LETTERS = {"J": "B", "Q": "D", "K": "K", "A": "A"}
RANK_WORDS = {rank: _LETTERS.get(rank_text(rank), rank_text(rank)) for rank in RANKS}
"""Rank -> name in a log: jack B (Bube), queen D (Dame), king K, ace A."""

CARD_WORDS = {
    4 * (rank - 2) + suit: letter + RANK_WORDS[rank]
    for rank in RANKS
    for suit, letter in enumerate(SUIT_WORDS.values())
} | SPECIAL_WORDS
"""Card number -> name in a log."""
_CARDS = {word: card for card, word in CARD_WORDS.items()}
_RANKS = {word: rank for rank, word in RANK_WORDS.items()}
CARD = f"(?:{'|'.join(SPECIAL_WORDS.values())}|[GSBR](?:10|[2-9BDKA]))"
"""Regular expression for the name of one card in a log."""


def read_card_words(words: Iterable[str]) -> CardSet:
    """Return the set of cards with these names.

    Raise `ValueError` if a word is not a card or a card occurs twice.
    """
    cards = []
    for word in words:
        if word not in _CARDS:
            raise ValueError(f"{word!r} is not a card")
        cards.append(_CARDS[word])
    if len(set(cards)) < len(cards):
        raise ValueError("a card stands twice")
    return card_set(cards)


def read_rank_word(word: str) -> Rank:
    """Return the rank, 2 to 14, with this name. Raise `ValueError` if there is none."""
    if word not in _RANKS:
        raise ValueError(f"{word!r} is not a rank")
    return _RANKS[word]


def write_handles(names: Sequence[str]) -> list[str]:
    """Encode the names of a table's players for a log, such as `Computer+1` and `J%C3%B6rg`.

    Each handle is one word. All handles differ, because `+` is appended to an empty or repeated
    one.
    """
    handles: list[str] = []
    for name in names:
        handle = quote_plus(" ".join(name.split()), safe="")
        while handle in ("", *handles):
            handle += "+"
        handles.append(handle)
    return handles


def read_handle(handle: str) -> str:
    """Decode a player's name from a log."""
    # `split` also splits at the U+00A0 of BrettspielWelt
    return " ".join(unquote_plus(handle).split())
