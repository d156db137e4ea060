"""Cards and sets of cards.

A card is a small number, and a set of cards (a hand, a pile, a play) is an `int` with one bit for
each card. The canonical deck order is by rank from 2 to A, within a rank jade, sword, pagoda, star,
and then Mah Jong, Dog, Phoenix, Dragon. A second deck follows in the same order. Rules: N1, N2,
N68.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from .errors import NotationError, quoted
from .types import Card, CardSet, Points, Rank

DECK_SIZE = 56
_ORDINARY = 52
"""Number of ordinary cards in a deck; the special cards follow them."""
SUITS = "JSPT"
"""Suit letters in canonical order: jade, sword, pagoda, star."""
ACE = 14
RANKS = tuple(range(2, ACE + 1))
"""Ranks of the ordinary cards: 2..10, then 11 jack, 12 queen, 13 king, 14 ace."""

MAHJONG, DOG, PHOENIX, DRAGON = 52, 53, 54, 55
SPECIALS = {MAHJONG: "MAHJONG", DOG: "DOG", PHOENIX: "PHOENIX", DRAGON: "DRAGON"}
_SHORT_NAMES = {MAHJONG: "MJ", PHOENIX: "PH"}
"""Short names of special cards that can be read as well."""

_RANK_TEXT = {1: "1", 11: "J", 12: "Q", 13: "K", 14: "A"} | {r: str(r) for r in range(2, 11)}
_TEXT_RANK = {text: rank for rank, text in _RANK_TEXT.items() if rank > 1}


def _both_decks(card: Card) -> CardSet:
    """Return the set of both copies of a card."""
    return 1 << card | 1 << (card + DECK_SIZE)


MAHJONGS, DOGS, PHOENIXES, DRAGONS = map(_both_decks, (MAHJONG, DOG, PHOENIX, DRAGON))
"""The special cards of both decks, as sets."""
NATURALS = ((1 << _ORDINARY) - 1) * (1 | 1 << DECK_SIZE)
"""All ordinary cards of both decks."""
CARDS_OF_RANK = {rank: (0xF << 4 * (rank - 2)) * (1 | 1 << DECK_SIZE) for rank in RANKS} | {
    1: MAHJONGS
}
"""Rank to the set of its cards in both decks; the Mah Jong is the only 1 (N25)."""
CARDS_OF_SUIT = tuple(
    sum(1 << 4 * (rank - 2) + suit for rank in RANKS) * (1 | 1 << DECK_SIZE) for suit in range(4)
)
"""Suit number to the set of its ordinary cards in both decks."""


def rank_of(card: Card) -> Rank:
    """Return the rank of a card: 2 to 14, Mah Jong 1, other special cards 0 (N2, N25)."""
    card %= DECK_SIZE
    if card < _ORDINARY:
        return card // 4 + 2
    return 1 if card == MAHJONG else 0


def suit_of(card: Card) -> int | None:
    """Return the suit of a card: 0 to 3 (jade, sword, pagoda, star), special cards `None` (N1)."""
    card %= DECK_SIZE
    return card % 4 if card < _ORDINARY else None


_POINTS = tuple(
    {5: 5, 10: 10, 13: 10}.get(rank_of(card), 0) + {PHOENIX: -25, DRAGON: 25}.get(card, 0)
    for card in range(DECK_SIZE)
)
_SCORING = tuple((1 << card, points) for card, points in enumerate(_POINTS * 2) if points)


@lru_cache(maxsize=256)
def points_of(cards: CardSet) -> Points:
    """Return the points of a set: K and 10 ten, 5 five, Dragon 25, Phoenix -25 (N68, N42)."""
    return sum(points for bit, points in _SCORING if cards & bit)


def bits(cards: CardSet) -> Iterator[CardSet]:
    """Yield each card of the set as a one-card set, in canonical order."""
    while cards:
        bit = cards & -cards
        yield bit
        cards ^= bit


def indices(cards: CardSet) -> Iterator[Card]:
    """Yield the numbers of the cards in the set, ascending."""
    for bit in bits(cards):
        yield bit.bit_length() - 1


def card_set(cards: Iterable[Card]) -> CardSet:
    """Return the set of the cards with these numbers."""
    result = 0
    for card in cards:
        result |= 1 << card
    return result


@cache
def card_text(card: Card) -> str:
    """Return a card in notation: ``S8``, ``JJ``, ``DRAGON``; a second copy is ``S8#2``."""
    copy, face = divmod(card, DECK_SIZE)
    text = SPECIALS.get(face) or SUITS[face % 4] + _RANK_TEXT[face // 4 + 2]
    return text + ("#2" if copy else "")


def rank_text(rank: Rank) -> str:
    """Return a rank in notation: ``2`` to ``10``, ``J``, ``Q``, ``K``, ``A``; Mah Jong ``1``."""
    return _RANK_TEXT[rank]


@lru_cache(maxsize=1024)
def read_card(text: str) -> Card:
    """Return the number of the card in notation.

    Raises `NotationError` if the text is not a card.
    """
    face, mark, copy = text.strip().upper().partition("#")
    if mark and copy not in ("1", "2"):
        raise NotationError(f"{quoted(text)} is not a card: copies are #1 and #2")
    second = DECK_SIZE if copy == "2" else 0
    for card, name in SPECIALS.items():
        if face in (name, _SHORT_NAMES.get(card)):
            return card + second
    if len(face) >= 2 and face[0] in SUITS and face[1:] in _TEXT_RANK:
        return 4 * (_TEXT_RANK[face[1:]] - 2) + SUITS.index(face[0]) + second
    raise NotationError(f"{quoted(text)} is not a card")


def read_rank(text: str) -> Rank:
    """Return the rank, 2 to 14, of a rank in notation.

    Raises `NotationError` if the text is not one of these ranks.
    """
    try:
        return _TEXT_RANK[text.strip().upper()]
    except KeyError:
        raise NotationError(f"{quoted(text)} is not a rank from 2 to A") from None


def read_cards(text: str) -> CardSet:
    """Return the set of the cards in a text, separated by spaces or commas.

    Raises `NotationError` if a word is not a card or a card is repeated.
    """
    result = 0
    for word in text.replace(",", " ").split():
        bit = 1 << read_card(word)
        if result & bit:
            raise NotationError(f"{quoted(word)} stands twice in {quoted(text)}")
        result |= bit
    return result


def cards_text(cards: CardSet) -> str:
    """Return the cards of a set, separated by spaces, in the order of `sort_key`."""
    return " ".join(map(card_text, sorted(indices(cards), key=sort_key)))


def write_play(cards: CardSet, phoenix: tuple[Rank, ...] | None = ()) -> str:
    """Return the cards of a play in notation, sorted by rank: ``PHOENIX=9,S9``.

    `phoenix` are the ranks that the Phoenixes stand for, ascending. If it is empty or `None`,
    Phoenixes are written without a rank.
    """
    stated = list(phoenix or ())
    parts = []
    for card in indices(cards):
        if 1 << card & PHOENIXES and stated:
            rank = stated.pop(0)
            key = (rank, -1, card // DECK_SIZE)
            parts.append((key, f"{card_text(card)}={rank_text(rank)}"))
        else:
            face = card % DECK_SIZE
            suit = face % 4 if face < _ORDINARY else 0
            parts.append(((rank_of(card), suit, card // DECK_SIZE), card_text(card)))
    return ",".join(text for _, text in sorted(parts))


def sort_key(card: Card) -> tuple[int, int, int]:
    """Return the sort key of a card in a hand: rank, suit, copy; special cards last (N1)."""
    copy, face = divmod(card, DECK_SIZE)
    return (face // 4, face % 4, copy) if face < _ORDINARY else (face, 0, copy)
