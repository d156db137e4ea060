"""Hands and the combinations that their cards can form (rules section 2).

A hand searches for the combinations of each kind once. The hand that remains after a play filters
those of the hand before it. The rules list legal plays with hands, and computer players plan with
them.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from operator import itemgetter
from typing import Final

from .cards import (
    ACE,
    CARDS_OF_RANK,
    CARDS_OF_SUIT,
    DECK_SIZE,
    DOGS,
    PHOENIXES,
    RANKS,
    bits,
    cards_text,
)
from .combinations import BOMBS, MIN_STRAIGHT, Combination, Kind, readings, with_key_on
from .types import CardSet, Rank

# Indices of fields of `Combination`: loops use them because names are slower.
_SIZE: Final = 1
_KEY: Final = 2
_CARDS: Final = 3
_new = tuple.__new__
"""Constructor without `Combination.__new__`: the loops below create thousands of combinations."""
_BySize = dict[int, list[Combination]]
_NO_PLAYS: list[Combination] = []


class Hand:
    """An immutable set of cards that caches the combinations found in it.

    The hand that remains after a play refers to the hand before it and filters that hand's
    combinations instead of searching again. Hands with the same cards are equal; caches do not
    count.
    """

    __slots__ = ("_before", "_bombs", "_of_kind", "cards", "size")

    def __init__(self, cards: CardSet) -> None:
        self.cards = cards
        self.size = cards.bit_count()
        self._of_kind: dict[Kind, _BySize] = {}
        self._bombs: list[Combination] | None = None
        self._before: Hand | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hand) and self.cards == other.cards

    def __hash__(self) -> int:
        return hash(self.cards)

    def __repr__(self) -> str:
        return f"<hand {cards_text(self.cards) or '-'}>"

    def __reduce__(self) -> tuple[type[Hand], tuple[CardSet]]:
        return Hand, (self.cards,)

    def without(self, cards: CardSet) -> Hand:
        """Return the hand without these cards, which it must hold."""
        rest = Hand(self.cards & ~cards)
        rest._before = self if self._of_kind or self._bombs is not None else self._before
        return rest

    def of_kind(self, kind: Kind, size: int) -> list[Combination]:
        """Return all combinations of one kind and number of cards, lowest first.

        The list is a cache of the hand; callers must not change it.
        """
        if size > self.size:
            return _NO_PLAYS
        found = self._of_kind.get(kind)
        if found is None:
            found = self._find_or_filter(kind)
        return found.get(size, _NO_PLAYS)

    def _find_or_filter(self, kind: Kind) -> _BySize:
        """Return all combinations of a kind by size, if possible filtered from an earlier hand."""
        before = self._before
        while before is not None and kind not in before._of_kind:
            before = before._before
        if before is None:
            found = self._search(kind)
        else:
            played = before.cards & ~self.cards
            found = {}
            for size, plays in before._of_kind[kind].items():
                remaining = [play for play in plays if not play[_CARDS] & played]
                if remaining:
                    found[size] = remaining
        self._of_kind[kind] = found
        return found

    def _search(self, kind: Kind) -> _BySize:
        """Return all combinations of a kind by size, from the cards alone."""
        cards = self.cards
        if kind is Kind.SINGLE:
            singles = [readings(bit)[0] for bit in bits(cards & ~DOGS)]
            return {1: sorted(singles, key=itemgetter(_KEY))}
        if kind is Kind.DOG:
            return {1: [readings(bit)[0] for bit in bits(cards & DOGS)]}
        if kind is Kind.PAIR:
            return {2: _sets_of_rank(cards, kind, 2)}
        if kind is Kind.TRIPLE:
            return {3: _sets_of_rank(cards, kind, 3)}
        if kind is Kind.FULL_HOUSE:
            return {5: _full_houses(self.of_kind(Kind.TRIPLE, 3), self.of_kind(Kind.PAIR, 2))}
        if kind is Kind.STAIRS:
            return _stairs(self.of_kind(Kind.PAIR, 2))
        return _straights(cards, self.bombs())

    def bombs(self) -> list[Combination]:
        """Return all bombs in the hand, weakest first (N53, N55).

        The list is a cache of the hand; callers must not change it.
        """
        if self._bombs is None:
            before = self._before
            while before is not None and before._bombs is None:
                before = before._before
            if before is None or before._bombs is None:
                found = _four_bombs(self.cards) + _straight_bombs(self.cards)
                self._bombs = sorted(found, key=itemgetter(_SIZE, _KEY))
            elif before._bombs:
                played = before.cards & ~self.cards
                self._bombs = [bomb for bomb in before._bombs if not bomb[_CARDS] & played]
            else:
                self._bombs = _NO_PLAYS
        return self._bombs

    def all(self) -> list[Combination]:
        """Return every combination in the hand, bombs last (section 2).

        Each reading of the same cards is a combination of its own.
        """
        found: list[Combination] = []
        known = self._of_kind
        for kind in _NOT_BOMBS:
            for plays in (known[kind] if kind in known else self._find_or_filter(kind)).values():
                found += plays
        return found + self.bombs()

    def beating(self, top: Combination) -> list[Combination]:
        """Return every combination that beats `top`, bombs last (N17, N44, N55).

        A Phoenix alone has its key on `top`.
        """
        size, key = top.size, top.key
        if top.kind in BOMBS:
            return [b for b in self.bombs() if b.size > size or (b.size == size and b.key > key)]
        plays = self.of_kind(top.kind, size)
        if top.is_dragon:  # a second Dragon beats the first (G4), a Phoenix never (N45)
            found = [play for play in plays if play[_KEY] == key]
        elif top.kind is Kind.SINGLE and self.cards & PHOENIXES:
            found = [
                with_key_on(play, top) if play[_CARDS] & PHOENIXES else play
                for play in plays
                if play[_KEY] > key or play[_CARDS] & PHOENIXES
            ]
        else:
            found = [play for play in plays if play[_KEY] > key]
        return found + self.bombs()


_NOT_BOMBS = (
    *(Kind.SINGLE, Kind.PAIR, Kind.TRIPLE, Kind.DOG),
    *(Kind.FULL_HOUSE, Kind.STRAIGHT, Kind.STAIRS),
)
"""All kinds but the bombs, in the order of `Hand.all`."""


def _sets_of_rank(cards: CardSet, kind: Kind, size: int) -> list[Combination]:
    """Return pairs or triples with at least one natural card, with and without Phoenixes."""
    wild = cards & PHOENIXES
    found: list[Combination] = []
    for rank in RANKS:
        group = cards & CARDS_OF_RANK[rank]
        has_several = group & group - 1  # without its lowest card something is left
        if group and (wild or has_several):
            found += _sets_of_one_rank(kind, size, rank, group, wild)
    return found


@cache
def _sets_of_one_rank(
    kind: Kind, size: int, rank: Rank, group: CardSet, wild: CardSet
) -> tuple[Combination, ...]:
    """Return the pairs or triples of one rank.

    `group` are the cards of that rank in a hand, `wild` its Phoenixes. There are so few such sets
    that the cache needs no limit.
    """
    return tuple(
        Combination(kind, size, 2 * rank, sum(chosen) + sum(helpers), (rank,) * used)
        for used in range(min(wild.bit_count(), size - 1) + 1)
        for helpers in combinations(tuple(bits(wild)), used)
        for chosen in combinations(tuple(bits(group)), size - used)
    )


def _full_houses(triples: list[Combination], pairs: list[Combination]) -> list[Combination]:
    """Return each triple with each pair of another rank and other cards (N16)."""
    found = []
    for _, _, key, cards, phoenix in triples:
        for _, _, pair_key, pair_cards, pair_phoenix in pairs:
            if pair_key == key or pair_cards & cards:
                continue
            if (
                phoenix
                and pair_phoenix
                and (key < pair_key) != (cards & PHOENIXES < pair_cards & PHOENIXES)
            ):
                continue  # of two Phoenixes the first copy stands for the lower rank
            stated = phoenix + pair_phoenix
            if len(stated) > 1:
                stated = tuple(sorted(stated))
            found.append(_new(Combination, (Kind.FULL_HOUSE, 5, key, cards | pair_cards, stated)))
    return found


_Run = tuple[CardSet, tuple[Rank, ...]]
"""The cards of an unfinished run, and the ranks that its Phoenixes stand for."""


def _stairs(pairs: list[Combination]) -> _BySize:
    """Return runs of pairs by number of cards; every pair has a natural card (G28)."""
    of_key: dict[int, list[_Run]] = {}
    for _, _, key, cards, phoenix in pairs:
        of_key.setdefault(key, []).append((cards, phoenix))
    found: _BySize = {}
    for low, partial in of_key.items():
        size, key = 4, low + 2
        while key in of_key and partial:
            # Of two Phoenixes the first copy stands for the lower rank.
            partial = [
                (taken | cards, phoenix + pair_phoenix)
                for taken, phoenix in partial
                for cards, pair_phoenix in of_key[key]
                if not pair_phoenix or cards & PHOENIXES > taken & PHOENIXES
            ]
            found.setdefault(size, []).extend(
                _new(Combination, (Kind.STAIRS, size, key, taken, phoenix))
                for taken, phoenix in partial
            )
            size += 2
            key += 2
    return found


def _straights(cards: CardSet, bombs: list[Combination]) -> _BySize:
    """Return all straights by length, without those of one suit, which are bombs (N62)."""
    wild = tuple(bits(cards & PHOENIXES))
    groups = [(), *(tuple(bits(cards & CARDS_OF_RANK[rank])) for rank in range(1, ACE + 1))]
    present = sum(1 << rank for rank, group in enumerate(groups) if group)
    one_suited = {bomb.cards for bomb in bombs}
    found: _BySize = {}
    for low in range(1, ACE - MIN_STRAIGHT + 2):
        shortest = (1 << MIN_STRAIGHT) - 1 << low  # the ranks of the shortest straight from here
        if (present & shortest).bit_count() + len(wild) < MIN_STRAIGHT:
            continue
        partial: list[_Run] = [(0, ())]
        for rank in range(low, ACE + 1):
            longer = [(taken | bit, phoenix) for bit in groups[rank] for taken, phoenix in partial]
            if wild and rank > 1:
                # Of two Phoenixes the first copy stands for the lower rank.
                longer += [
                    (taken | bit, (*phoenix, rank))
                    for bit in wild
                    for taken, phoenix in partial
                    if bit > taken & PHOENIXES
                ]
            if not longer:
                break
            partial = longer
            length = rank - low + 1
            if length >= MIN_STRAIGHT:
                found.setdefault(length, []).extend(
                    _new(Combination, (Kind.STRAIGHT, length, 2 * rank, taken, phoenix))
                    for taken, phoenix in partial
                    if taken not in one_suited and taken & ~PHOENIXES
                )
    return found


_ONE_DECK = (1 << 52) - 1
"""The ordinary cards of the first deck."""
_JADE = CARDS_OF_SUIT[0] & _ONE_DECK
"""The first suit of that deck: the lowest bit of each rank."""


def _four_bombs(cards: CardSet) -> list[Combination]:
    """Return all sets of four cards of one rank in four different suits (N53, G5)."""
    found: list[Combination] = []
    faces = (cards | cards >> DECK_SIZE) & _ONE_DECK  # four bits for each rank
    held_in_every_suit = faces & faces >> 1 & faces >> 2 & faces >> 3 & _JADE
    if not held_in_every_suit:
        return found
    for rank in RANKS:
        copies = [tuple(bits(cards & CARDS_OF_RANK[rank] & suit)) for suit in CARDS_OF_SUIT]
        found += [
            Combination(Kind.FOUR_BOMB, 4, 2 * rank, sum(chosen)) for chosen in product(*copies)
        ]
    return found


def _straight_bombs(cards: CardSet) -> list[Combination]:
    """Return all runs of five or more natural cards of one suit (N53, N54)."""
    found: list[Combination] = []
    faces = (cards | cards >> DECK_SIZE) & _ONE_DECK
    # The lowest cards of runs of five in one suit; ranks are four bits apart.
    runs = faces & faces >> 4 & faces >> 8 & faces >> 12 & faces >> 16
    for suit in CARDS_OF_SUIT:
        if not runs & suit:
            continue
        copies = {rank: tuple(bits(cards & suit & CARDS_OF_RANK[rank])) for rank in RANKS}
        for low in range(2, ACE - MIN_STRAIGHT + 2):
            partial = [0]
            for rank in range(low, ACE + 1):
                partial = [taken | bit for bit in copies[rank] for taken in partial]
                if not partial:
                    break
                length = rank - low + 1
                if length >= MIN_STRAIGHT:
                    found += [
                        Combination(Kind.STRAIGHT_BOMB, length, 2 * rank, taken)
                        for taken in partial
                    ]
    return found
