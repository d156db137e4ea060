"""The best way to split a hand into plays, found by its ranks alone: suits are for `partition`.

A hand is a number with four bits for each rank: how many cards there are of it. The lowest four
bits count the Phoenixes. Dogs and Dragons are left out, they are played alone anyway.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from engine import DECK_SIZE, OF_RANK, PHOENIXES

_SINGLE = (
    *(0.0, 0.9),  # a Phoenix, the Mah Jong
    *(1.1 - 0.015 * rank for rank in range(2, 11)),
    *(0.85, 0.75, 0.5, 0.1),
)
_FOUR_BOMB = -0.9


def single(rank: int) -> float:
    """How hard a single is to get rid of; the Phoenix is rank 0, the Mah Jong 1."""
    return _SINGLE[rank]


def pair(rank: int) -> float:
    """How hard a pair is to get rid of."""
    return 1.05 - 0.02 * rank if rank < 11 else 1.05 - 0.3 * (rank - 10)


def triple(rank: int) -> float:
    """How hard a triple is to get rid of."""
    return 0.95 - 0.05 * rank


def full_house(rank: int) -> float:
    """How hard a full house is to get rid of, by the rank of its triple."""
    return triple(rank) - _PAIR_ALONG


def goes_along(rank: int) -> bool:
    """Whether a pair is better off in a full house than alone."""
    return pair(rank) + _PAIR_ALONG > 0


def run(high: int, size: int) -> float:
    """How hard a straight or stairs of so many cards, up to a rank, are to get rid of."""
    return 0.95 - 0.025 * high - 0.03 * size


def four_bomb() -> float:
    """How hard a bomb of four is to get rid of."""
    return _FOUR_BOMB


_PAIR_ALONG = 0.1
"""What a triple gains by a pair that goes along, besides the pair."""


class Run(NamedTuple):
    """A straight (`each` is 1) or stairs (2) by ranks; `wild` is the Phoenix' rank, 0 without."""

    each: int
    low: int
    high: int
    wild: int = 0

    @property
    def counts(self) -> int:
        """The cards that it takes, as a hand."""
        ranks = self.each * _BETWEEN[self.low, self.high]
        return ranks - (1 << 4 * self.wild) + 1 if self.wild else ranks


class Split(NamedTuple):
    """A hand as runs, Phoenixes that go with the cards of a rank (0: alone), and equal cards."""

    effort: float
    runs: tuple[Run, ...]
    wild: tuple[int, ...]


def counted(cards: int) -> tuple[int, int]:
    """A set of cards as such a number, and the ranks that have a bomb in it, a bit for each."""
    counts, bombs = (cards & PHOENIXES).bit_count(), 0
    for rank, group in _GROUPS:
        held = cards & group
        if held:
            count = held.bit_count()
            counts |= count << 4 * rank
            if count >= 4 and ((held | held >> DECK_SIZE) & group & _ONE_DECK).bit_count() == 4:
                bombs |= 1 << rank
    return counts, bombs


def least(counts: int, bombs: int) -> float:
    """The least effort that a hand takes."""
    return _best(counts, bombs)[0]


def split(counts: int, bombs: int) -> Split:
    """The way to split a hand that takes the least effort."""
    effort, first = _best(counts, bombs)
    runs: list[Run] = []
    while first is not None:
        runs.append(first)
        counts -= first.counts
        first = _best(counts, bombs)[1]
    return Split(effort, tuple(runs), _grouped(counts, bombs)[1])


_GROUPS = tuple(OF_RANK.items())
_ONE_DECK = (1 << DECK_SIZE) - 1
_EACH = sum(1 << 4 * rank for rank in range(1, 15))
_BETWEEN = {
    (low, high): sum(1 << 4 * rank for rank in range(low, high + 1))
    for low in range(1, 15)
    for high in range(low, 15)
}
_ONE = 1 << 4
"""The rank that a Phoenix can never stand for."""
_HIGH = 12
"""Above this rank a single is worth something when it is left out of a straight."""
_STRAIGHTS = tuple(
    tuple(
        (
            run(high, high - low + 1),
            Run(1, low, high),
            _BETWEEN[low, high],
            0 if high - low == 4 else 1 << 4 * low | 1 << 4 * high,
            1 << 4 * (low - 1) & ~1 | (1 << 4 * (high + 1) if high < _HIGH else 0),
        )
        for high in range(low + 4, 15)
    )
    for low in range(1, 11)
)
"""Straights from each rank, the shortest first, with their effort, their ranks, the ranks of both
ends of longer ones, and those of the cards next to them. Sets of ranks have a bit in each rank's
lowest place."""


@lru_cache(maxsize=1 << 16)
def _best(counts: int, bombs: int) -> tuple[float, Run | None]:
    """The least effort, and a run to take out for it; `None` where there shall be none."""
    best, first = _grouped(counts, bombs)[0], None
    more = counts >> 1 | counts >> 2 | counts >> 3
    present, two, wild = (counts | more) & _EACH, more & _EACH, counts & 15
    for cost, taken, found in chain(_straights(present, two, wild), _stairs(present, two, wild)):
        total = cost + _best(counts - taken, bombs)[0]
        if total < best - 1e-9:
            best, first = total, found
    return best, first


def _straights(present: int, two: int, wild: int) -> Iterator[tuple[float, int, Run]]:
    """Straights as effort, cards and run, with one Phoenix at most, where it fills a gap.

    Those next to which a low card would remain alone only where another straight can take it.
    """
    if not wild and not _five(present):
        return
    alone, absent = present & ~two, _EACH & ~present
    for from_low in _STRAIGHTS:
        for cost, found, ranks, ends, beside in from_low:
            missing = ranks & absent
            if missing:
                if not wild or missing & (missing - 1):
                    break
                if missing & ends or missing == _ONE:
                    continue
                found = found._replace(wild=missing.bit_length() // 4)
            if alone & beside and not _five(present & ~ranks | two & ranks):
                continue
            yield cost, found.counts, found


def _five(ranks: int) -> int:
    """Whether there are five ranks in a row."""
    return ranks & ranks >> 4 & ranks >> 8 & ranks >> 12 & ranks >> 16


def _stairs(present: int, two: int, wild: int) -> Iterator[tuple[float, int, Run]]:
    """From every rank the longest stairs, with one Phoenix at most."""
    one = present & ~two if wild else 0
    if (two & two >> 4) | (two & one >> 4) | (one & two >> 4):
        for low in range(2, 14):
            high, helped = low, 0
            while high < 15 and (bit := 1 << 4 * high) & (two | one):
                if not two & bit:
                    if helped:
                        break
                    helped = high
                high += 1
            if high - low > 1:
                found = Run(2, low, high - 1, helped)
                yield run(high - 1, 2 * (high - low)), found.counts, found


@lru_cache(maxsize=1 << 16)
def _grouped(counts: int, bombs: int) -> tuple[float, tuple[int, ...]]:
    """The effort of a hand by its ranks alone, and where it is best for each Phoenix to go."""
    wild, rank, total, triples = counts & 15, 0, 0.0, 0
    singles: list[int] = []
    pairs: list[int] = []
    while counts := counts >> 4:
        rank += 1
        held = counts & 15
        while held > 3:
            bomb = bombs >> rank & 1
            total += _FOUR_BOMB if bomb else pair(rank)
            held -= 4 if bomb else 2
        if held == 1:
            total += _SINGLE[rank]
            singles.append(rank)
        elif held == 2:
            pairs.append(rank)
        elif held:
            total += triple(rank)
            triples += 1
    where: list[int] = []
    for _ in range(wild):
        tried = [(total + _SINGLE[0] + _paired(pairs, triples), 0)]
        for one in singles:
            if one > 1:
                rest = total - _SINGLE[one]
                tried.append((rest + _paired(sorted([*pairs, one]), triples), one))
        for two in pairs:
            others = [other for other in pairs if other != two]
            tried.append((total + triple(two) + _paired(others, triples + 1), two))
        place = min(tried)[1]
        where.append(place)
        if place in pairs:
            pairs.remove(place)
            total += triple(place)
            triples += 1
        elif place:
            singles.remove(place)
            pairs = sorted([*pairs, place])
            total -= _SINGLE[place]
        else:
            total += _SINGLE[0]
    return total + _paired(pairs, triples), tuple(where)


def _paired(pairs: list[int], triples: int) -> float:
    """The effort of pairs, of which the lowest go along with so many triples."""
    total = 0.0
    for rank in pairs:
        if triples and goes_along(rank):
            triples -= 1
            total -= _PAIR_ALONG
        else:
            total += pair(rank)
    return total
