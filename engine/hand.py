"""A hand and every combination it can form, made once per shape and thinned as cards leave.

Used by the rules to list legal plays, by the wish, and by computer players. Rules: section 2.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from operator import itemgetter
from typing import NamedTuple

from engine.cards import DOGS, MAHJONGS, OF_RANK, OF_SUIT, PHOENIXES, RANKS, bits
from engine.combinations import BOMBS, Combination, Kind, on_top, readings

_key = itemgetter(2)
_Shapes = dict[tuple[Kind, int], list[Combination]]
_NO_COMBINATIONS: list[Combination] = []


class Hand:
    """An immutable set of cards that remembers the combinations found in it.

    Two hands are equal when their cards are; what they remember does not count.
    """

    __slots__ = ("_bombs", "_complete", "_shapes", "cards", "size")

    def __init__(self, cards: int) -> None:
        self.cards = cards
        self.size = cards.bit_count()
        self._shapes: _Shapes = {}
        self._bombs: list[Combination] | None = None
        self._complete = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hand) and self.cards == other.cards

    def __hash__(self) -> int:
        return hash(self.cards)

    def without(self, cards: int) -> Hand:
        """The hand that is left when these cards, all of them held, are laid or given away."""
        rest = Hand(self.cards & ~cards)
        if self._bombs is not None:
            rest._bombs = [c for c in self._bombs if not c[3] & cards]
        rest._complete = self._complete
        size = rest.size
        for shape, plays in self._shapes.items():
            if shape[1] <= size:
                left = [c for c in plays if not c[3] & cards]
                if left or not self._complete:
                    rest._shapes[shape] = left
        return rest

    def shape(self, kind: Kind, size: int) -> list[Combination]:
        """All combinations of one shape, the lowest first. Not to be changed by the caller."""
        if size > self.size:
            return _NO_COMBINATIONS
        plays = self._shapes.get((kind, size))
        if plays is None:
            if self._complete:
                return _NO_COMBINATIONS
            if kind is Kind.STRAIGHT:  # all lengths come out of one walk
                found = _straights(self.cards, self.bombs())
                for length in range(5, 15):
                    self._shapes[kind, length] = sorted(found.get(length, ()), key=_key)
            else:
                self._shapes[kind, size] = sorted(_MAKERS[kind](self.cards, size), key=_key)
            plays = self._shapes[kind, size]
        return plays

    def bombs(self) -> list[Combination]:
        """All bombs in the hand, the weakest first (N53, N55). Not to be changed."""
        if self._bombs is None:
            found = _four_bombs(self.cards) + _straight_bombs(self.cards)
            self._bombs = sorted(found, key=itemgetter(1, 2))
        return self._bombs

    def all(self) -> list[Combination]:
        """Every combination in the hand, bombs last; a set once for each reading (section 2)."""
        if not self._complete:
            for size in range(1, 4):
                self.shape((Kind.SINGLE, Kind.PAIR, Kind.TRIPLE)[size - 1], size)
            self.shape(Kind.DOG, 1)
            self.shape(Kind.FULL_HOUSE, 5)
            self.shape(Kind.STRAIGHT, 5)
            for size in range(4, self.size + 1, 2):
                if not self.shape(Kind.STAIRS, size):
                    break
            self.bombs()
            self._shapes = {shape: plays for shape, plays in self._shapes.items() if plays}
            self._complete = True
        found: list[Combination] = []
        for plays in self._shapes.values():
            found += plays
        return found + self.bombs()

    def above(self, top: Combination) -> list[Combination]:
        """Every combination that beats `top`, with a Phoenix' value on it (N17, N44, N55)."""
        size, key = top.size, top.key
        if top.kind in BOMBS:
            return [b for b in self.bombs() if b.size > size or (b.size == size and b.key > key)]
        plays = self.shape(top.kind, size)
        if top.kind is Kind.SINGLE:
            if top.is_dragon:  # a second Dragon beats the first (G4), a Phoenix never (N45)
                found = [c for c in plays if c[2] == key]
            else:
                found = [
                    on_top(c, top) if c[3] & PHOENIXES else c
                    for c in plays
                    if c[2] > key or c[3] & PHOENIXES
                ]
        else:
            found = [c for c in plays if c[2] > key]
        return found + self.bombs()


@cache
def _choices(cards: int, count: int) -> tuple[int, ...]:
    """All sets of `count` cards out of a few cards of one rank."""
    return tuple(sum(chosen) for chosen in combinations(tuple(bits(cards)), count))


def _singles(cards: int, _: int) -> list[Combination]:
    return [readings(bit)[0] for bit in bits(cards & ~DOGS)]


def _dogs(cards: int, _: int) -> list[Combination]:
    return [readings(bit)[0] for bit in bits(cards & DOGS)]


def _equals(cards: int, size: int) -> list[Combination]:
    """Pairs or triples: naturals alone, then with as many Phoenixes as leave one natural."""
    kind = Kind.PAIR if size == 2 else Kind.TRIPLE
    wild = cards & PHOENIXES
    found = []
    for rank in RANKS:
        group = cards & OF_RANK[rank]
        if not group:
            continue
        for used in range(min(wild.bit_count(), size - 1) + 1):
            phoenix = (rank,) * used
            for helpers in _choices(wild, used):
                found += [
                    Combination(kind, size, 2 * rank, chosen | helpers, phoenix)
                    for chosen in _choices(group, size - used)
                ]
    return found


def _full_houses(cards: int, _: int) -> list[Combination]:
    triples, pairs = _equals(cards, 3), _equals(cards, 2)
    found = []
    for triple in triples:
        for pair in pairs:
            if pair.key == triple.key or pair.cards & triple.cards:
                continue
            phoenix = triple.phoenix + pair.phoenix
            if triple.phoenix and pair.phoenix:
                if not _in_order((triple, pair) if triple.key < pair.key else (pair, triple)):
                    continue
                phoenix = tuple(sorted(phoenix))
            found.append(
                Combination(Kind.FULL_HOUSE, 5, triple.key, triple.cards | pair.cards, phoenix)
            )
    return found


def _in_order(parts: tuple[Combination, Combination]) -> bool:
    """Of two Phoenixes the first copy stands for the lower rank, so that a set counts once."""
    low, high = (part.cards & PHOENIXES for part in parts)
    return low < high


def _stairs(cards: int, size: int) -> list[Combination]:
    """Runs of pairs; every pair has a natural card (G28)."""
    pairs: dict[int, list[Combination]] = {}
    for pair in _equals(cards, 2):
        pairs.setdefault(pair.rank, []).append(pair)
    found = []
    for low in range(2, 16 - size // 2):
        ranks = range(low, low + size // 2)
        if not all(rank in pairs for rank in ranks):
            continue
        partial: list[tuple[int, tuple[int, ...]]] = [(0, ())]
        for rank in ranks:
            partial = [
                (taken | pair.cards, phoenix + pair.phoenix)
                for taken, phoenix in partial
                for pair in pairs[rank]
                if not pair.phoenix or (pair.cards & PHOENIXES) > (taken & PHOENIXES)
            ]
        found += [
            Combination(Kind.STAIRS, size, 2 * ranks[-1], taken, phoenix)
            for taken, phoenix in partial
        ]
    return found


class _Run(NamedTuple):
    cards: int
    phoenix: tuple[int, ...]


def _straights(cards: int, bombs: list[Combination]) -> dict[int, list[Combination]]:
    """All straights by length; one-suited ones are bombs and left out (N62)."""
    wild = cards & PHOENIXES
    helpers = wild.bit_count()
    groups = {rank: cards & OF_RANK[rank] for rank in RANKS} | {1: cards & MAHJONGS}
    one_suited = {bomb.cards for bomb in bombs}
    found: dict[int, list[Combination]] = {}
    for low in range(1, 11):
        if not groups[low] and (low == 1 or not helpers):
            continue
        missing = reach = 0
        for rank in range(low, 15):  # how far could a run from here go at all?
            missing += not groups[rank]
            if missing > helpers:
                break
            reach = rank
        if reach - low < 4:
            continue
        partial = [_Run(0, ())]
        for rank in range(low, reach + 1):
            longer = [
                _Run(taken | bit, phoenix)
                for bit in bits(groups[rank])
                for taken, phoenix in partial
            ]
            if wild and rank > 1:
                longer += [
                    _Run(taken | bit, (*phoenix, rank))
                    for bit in bits(wild)
                    for taken, phoenix in partial
                    if bit > taken & PHOENIXES
                ]
            partial = longer
            length = rank - low + 1
            if length >= 5:
                found.setdefault(length, []).extend(
                    Combination(Kind.STRAIGHT, length, 2 * rank, taken, phoenix)
                    for taken, phoenix in partial
                    if taken not in one_suited and taken & ~PHOENIXES
                )
    return found


def _four_bombs(cards: int) -> list[Combination]:
    """Four cards of one rank in four different suits (N53, G5)."""
    found = []
    for rank in RANKS:
        group = cards & OF_RANK[rank]
        if group.bit_count() < 4:
            continue
        copies = [tuple(bits(group & suit)) for suit in OF_SUIT]
        found += [
            Combination(Kind.FOUR_BOMB, 4, 2 * rank, sum(chosen)) for chosen in product(*copies)
        ]
    return found


def _straight_bombs(cards: int) -> list[Combination]:
    """Runs of five or more natural cards of one suit (N53, N54)."""
    found = []
    for suit in OF_SUIT:
        held = cards & suit
        if held.bit_count() < 5:
            continue
        copies = {rank: tuple(bits(held & OF_RANK[rank])) for rank in RANKS}
        for low in range(2, 11):
            partial = [0]
            for rank in range(low, 15):
                partial = [taken | bit for bit in copies[rank] for taken in partial]
                if not partial:
                    break
                if rank - low >= 4:
                    found += [
                        Combination(Kind.STRAIGHT_BOMB, rank - low + 1, 2 * rank, taken)
                        for taken in partial
                    ]
    return found


_MAKERS = {
    Kind.DOG: _dogs,
    Kind.SINGLE: _singles,
    Kind.PAIR: _equals,
    Kind.TRIPLE: _equals,
    Kind.FULL_HOUSE: _full_houses,
    Kind.STAIRS: _stairs,
}
