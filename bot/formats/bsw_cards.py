"""Cards and ranks as BrettspielWelt's logs write them: `S8`, `BD`, `Hu`; suits in a fixed order.

Green is jade, black (`S`) sword, blue pagoda and red star.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.cards import DOG, DRAGON, MAHJONG, PHOENIX, RANKS, SUITS, card_set, rank_text

SUIT_WORDS = dict(zip(SUITS, "GSBR", strict=True))
"""Our suit letter to the log's: jade G, sword S, pagoda B, star R."""
SPECIAL_WORDS = {MAHJONG: "Ma", DOG: "Hu", PHOENIX: "Ph", DRAGON: "Dr"}
_LETTERS = {"J": "B", "Q": "D", "K": "K", "A": "A"}
RANK_WORDS = {rank: _LETTERS.get(rank_text(rank), rank_text(rank)) for rank in RANKS}
"""Rank to the log's word: jack B (Bube), queen D (Dame), king K, ace A."""

CARD_WORDS = {
    4 * (rank - 2) + suit: letter + RANK_WORDS[rank]
    for rank in RANKS
    for suit, letter in enumerate(SUIT_WORDS.values())
} | SPECIAL_WORDS
"""Card number to the log's word."""
_CARDS = {word: card for card, word in CARD_WORDS.items()}
_RANKS = {word: rank for rank, word in RANK_WORDS.items()}
CARD = f"(?:{'|'.join(SPECIAL_WORDS.values())}|[GSBR](?:10|[2-9BDKA]))"
"""Regular expression of one card."""


def read_card_words(words: Iterable[str]) -> int:
    """The set of these cards; `ValueError` if one is no card or stands twice."""
    cards = []
    for word in words:
        if word not in _CARDS:
            raise ValueError(f"{word!r} is not a card")
        cards.append(_CARDS[word])
    if len(set(cards)) < len(cards):
        raise ValueError("a card stands twice")
    return card_set(cards)


def read_rank_word(word: str) -> int:
    """The rank of a wish, 2..14; `ValueError` if it is none."""
    if word not in _RANKS:
        raise ValueError(f"{word!r} is not a rank")
    return _RANKS[word]
