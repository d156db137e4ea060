"""Readings of sets of cards as combinations, and their comparison (rules section 2).

`readings` returns every combination that a set of cards can stand for; `beats` compares two. Rules:
N13-N17, N25, N38, N43-N48, N53-N55, N62, G4, G5, G28, G29.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from .cards import (
    ACE,
    CARDS_OF_SUIT,
    DECK_SIZE,
    DOG,
    DOGS,
    DRAGON,
    DRAGONS,
    MAHJONG,
    MAHJONGS,
    PHOENIX,
    PHOENIXES,
    indices,
    rank_of,
    suit_of,
    write_play,
)
from .types import CardSet, Rank


class Kind(Enum):
    """The kinds of combinations (rules section 2)."""

    DOG = "dog"
    SINGLE = "single"
    PAIR = "pair"
    TRIPLE = "triple"
    STAIRS = "stairs"
    FULL_HOUSE = "full house"
    STRAIGHT = "straight"
    FOUR_BOMB = "bomb of four"
    STRAIGHT_BOMB = "straight bomb"

    __hash__ = object.__hash__


BOMBS = (Kind.FOUR_BOMB, Kind.STRAIGHT_BOMB)
MIN_STRAIGHT = 5
"""Minimum number of cards of a straight or straight bomb (N14, N53)."""
LED_PHOENIX_KEY = 3
"""Key of a Phoenix led alone: one and a half, in half ranks (N44)."""
DRAGON_KEY = 50
"""Key of the Dragon, higher than that of a Phoenix on an ace (N47)."""


class Combination(NamedTuple):
    """One reading of a set of cards."""

    kind: Kind
    """The kind of combination."""
    size: int
    """The number of cards."""
    key: int
    """The value it is compared by, in half ranks: 16 for an 8, 17 for a Phoenix on it (N44)."""
    cards: CardSet
    """The cards of the play."""
    phoenix: tuple[Rank, ...] = ()
    """The ranks that the Phoenixes stand for, ascending; empty for a Phoenix alone."""

    def __repr__(self) -> str:
        return f"<{self.kind.value} {write_play(self.cards, self.phoenix)}>"

    @property
    def is_bomb(self) -> bool:
        """True for a bomb of either kind (N53)."""
        return self.kind in BOMBS

    @property
    def rank(self) -> Rank:
        """The rank it is compared by: of a full house the triple's, of a run the highest."""
        return self.key // 2

    @property
    def is_dragon(self) -> bool:
        """True for the Dragon alone (N47)."""
        return self.key == DRAGON_KEY


def beats(new: Combination, top: Combination) -> bool:
    """Return whether `new` may be laid on `top` (N17, N38, N44, N45, N55, G4, G29).

    The key of a Phoenix alone must already be that on this top; see `with_key_on`.
    """
    if new.kind in BOMBS:
        return top.kind not in BOMBS or (new.size, new.key) > (top.size, top.key)
    if new.kind is not top.kind or new.size != top.size or new.kind is Kind.DOG:
        return False
    return new.key > top.key or (new.key == DRAGON_KEY == top.key)


def with_key_on(new: Combination, top: Combination | None) -> Combination:
    """Return the combination `new` with its key on `top` (N44, N45).

    The key changes only for a Phoenix alone, which is half a rank above the single on the trick.
    """
    if (
        top is not None
        and new.kind is Kind.SINGLE
        and new.cards & PHOENIXES
        and top.kind is Kind.SINGLE
        and top.key != DRAGON_KEY
    ):
        return new._replace(key=top.key + 1)
    return new


@lru_cache(maxsize=1 << 12)
def readings(cards: CardSet) -> tuple[Combination, ...]:
    """Return all combinations that these cards can be, highest first (section 2).

    The tuple is empty if they are no combination.
    """
    size = cards.bit_count()
    if size == 1:
        return (_single(cards),)
    if not size or cards & (DOGS | DRAGONS):
        return ()
    wild = (cards & PHOENIXES).bit_count()
    naturals = list(indices(cards & ~PHOENIXES))
    counts: dict[Rank, int] = {}
    for card in naturals:
        rank = rank_of(card)
        counts[rank] = counts.get(rank, 0) + 1
    if not counts:
        return ()
    if len(counts) == len(naturals):
        found = _runs(cards, size, sorted(counts), wild) if size >= MIN_STRAIGHT else ()
        if found:
            return found
    if 1 in counts:
        return ()
    if len(counts) == 1:
        return _sets_of_one_rank(cards, size, next(iter(counts)), wild)
    if size == 5 and len(counts) == 2:
        return _full_houses(cards, counts)
    return _stairs(cards, size, counts, wild)


def _single(cards: CardSet) -> Combination:
    """Return the reading of one card: the Dog or a single (N13, N38, N44, N47)."""
    face = (cards.bit_length() - 1) % DECK_SIZE
    if face == DOG:
        return Combination(Kind.DOG, 1, 0, cards)
    key = {PHOENIX: LED_PHOENIX_KEY, DRAGON: DRAGON_KEY, MAHJONG: 2}.get(face)
    return Combination(Kind.SINGLE, 1, key or 2 * rank_of(face), cards)


def _sets_of_one_rank(cards: CardSet, size: int, rank: Rank, wild: int) -> tuple[Combination, ...]:
    """Return a pair, a triple or a bomb of four, if the cards are one (N16, N53, N54).

    `wild` is the number of Phoenixes among the `size` cards.
    """
    if size == 4:  # never two pairs, and no combination with a Phoenix (N16, N54)
        suits = {suit_of(card) for card in indices(cards)}
        if wild or len(suits) < 4:
            return ()
        return (Combination(Kind.FOUR_BOMB, 4, 2 * rank, cards),)
    kind = {2: Kind.PAIR, 3: Kind.TRIPLE}.get(size)
    if kind is None:
        return ()
    return (Combination(kind, size, 2 * rank, cards, (rank,) * wild),)


def _full_houses(cards: CardSet, counts: dict[Rank, int]) -> tuple[Combination, ...]:
    """Return the full houses of five cards of two ranks, with either triple (N16).

    `counts` is the number of natural cards of each rank; Phoenixes fill up the rest.
    """
    found = []
    for triple, pair in (sorted(counts, reverse=True), sorted(counts)):
        if counts[triple] <= 3 and counts[pair] <= 2:
            phoenix = (triple,) * (3 - counts[triple]) + (pair,) * (2 - counts[pair])
            found.append(Combination(Kind.FULL_HOUSE, 5, 2 * triple, cards, tuple(sorted(phoenix))))
    return tuple(found)


def _stairs(
    cards: CardSet, size: int, counts: dict[Rank, int], wild: int
) -> tuple[Combination, ...]:
    """Return the run of pairs, if the cards are one; Phoenixes complete pairs (N15, G28).

    `counts` is the number of natural cards of each rank, `wild` the number of Phoenixes.
    """
    low, high = min(counts), max(counts)
    steps = high - low + 1
    if size != 2 * steps or len(counts) != steps or max(counts.values()) > 2:
        return ()
    phoenix = tuple(sorted(rank for rank, count in counts.items() if count == 1))
    if len(phoenix) != wild:
        return ()
    return (Combination(Kind.STAIRS, size, 2 * high, cards, phoenix),)


def _runs(cards: CardSet, size: int, ranks: list[Rank], wild: int) -> tuple[Combination, ...]:
    """Return the straights or the straight bomb of these cards, highest first (N14, N53, N62).

    `ranks` are the different ranks of the natural cards, ascending; `wild` is the number of
    Phoenixes.
    """
    if not wild and ranks[-1] - ranks[0] != size - 1:  # there is a gap
        return ()
    if not wild and any(cards & suit == cards for suit in CARDS_OF_SUIT):
        return (Combination(Kind.STRAIGHT_BOMB, size, 2 * ranks[-1], cards),)
    # With Phoenixes left over, the straight may begin at several ranks.
    lowest = 1 if cards & MAHJONGS else max(2, ranks[-1] - size + 1)
    found = []
    for low in range(min(ranks[0], ACE + 1 - size), lowest - 1, -1):
        if low + size - 1 < ranks[-1]:
            break
        missing = tuple(rank for rank in range(low, low + size) if rank not in ranks)
        found.append(Combination(Kind.STRAIGHT, size, 2 * (low + size - 1), cards, missing))
    return tuple(found)
