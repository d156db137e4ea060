"""The best split of a hand into plays by ranks alone.

A hand is a number here (`Counts`): how many cards there are of each rank. Dogs and Dragons are left
out, because they are always played alone. `partition` handles suits and explains efforts.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, TypeAlias

from engine import CARDS_OF_RANK, DECK_SIZE, PHOENIXES, CardSet, Rank, RankSet

Counts: TypeAlias = int
"""Number of cards of each rank.

Four bits a rank, from bit ``4 * rank`` on. The lowest four bits, the place of rank 0, are the
number of Phoenixes.
"""
Places: TypeAlias = int
"""Set of ranks in the same layout: the lowest of each rank's four bits is set."""

_SINGLE = (
    *(0.0, 0.9),  # a Phoenix, the Mah Jong
    *(1.1 - 0.015 * rank for rank in range(2, 11)),
    *(0.85, 0.75, 0.5, 0.1),
)
"""Effort of a single by rank."""
_FOUR_BOMB = -0.9
"""Effort of a bomb of four."""


def single(rank: Rank) -> float:
    """Return the effort of a single; the Phoenix has rank 0, the Mah Jong 1."""
    return _SINGLE[rank]


def pair(rank: Rank) -> float:
    """Return the effort of a pair."""
    return 1.05 - 0.02 * rank if rank < 11 else 1.05 - 0.3 * (rank - 10)


def triple(rank: Rank) -> float:
    """Return the effort of a triple."""
    return 0.95 - 0.05 * rank


def full_house(rank: Rank) -> float:
    """Return the effort of a full house, by the rank of its triple."""
    return triple(rank) - _PAIR_ALONG


def goes_along(rank: Rank) -> bool:
    """Return whether a pair is better laid in a full house than alone."""
    return pair(rank) + _PAIR_ALONG > 0


def run(high: Rank, size: int) -> float:
    """Return the effort of a straight or stairs of `size` cards with this highest rank."""
    return 0.95 - 0.025 * high - 0.03 * size


def four_bomb() -> float:
    """Return the effort of a bomb of four."""
    return _FOUR_BOMB


_PAIR_ALONG = 0.1
"""Effort that a full house saves beyond that of its pair, compared with the triple alone."""


class Run(NamedTuple):
    """A straight or stairs by ranks."""

    each: int
    """Number of cards of each rank: 1 in a straight, 2 in stairs."""
    low: Rank
    """Lowest rank."""
    high: Rank
    """Highest rank."""
    wild: Rank = 0
    """Rank of the Phoenix in the run; 0 without one."""

    @property
    def counts(self) -> Counts:
        """Counts of the natural cards and the Phoenix in the run."""
        ranks = self.each * _BETWEEN[self.low, self.high]
        return ranks - (1 << 4 * self.wild) + 1 if self.wild else ranks


class Split(NamedTuple):
    """Hand split into runs; all other cards are laid by ranks."""

    effort: float
    """Effort of the whole hand."""
    runs: tuple[Run, ...]
    """Runs to take out first."""
    wild: tuple[Rank, ...]
    """Rank that each Phoenix outside the runs is laid with; 0 for alone."""


def counted(cards: CardSet) -> tuple[Counts, RankSet]:
    """Return the counts of a set of cards, and the ranks with a bomb of four."""
    counts, bombs = (cards & PHOENIXES).bit_count(), 0
    for rank, group in _GROUPS:
        held = cards & group
        if held:
            count = held.bit_count()
            counts |= count << 4 * rank
            if count >= 4 and ((held | held >> DECK_SIZE) & group & _ONE_DECK).bit_count() == 4:
                bombs |= 1 << rank
    return counts, bombs


def least(counts: Counts, bombs: RankSet) -> float:
    """Return the effort of the best split of a hand.

    `bombs` are the ranks of its bombs of four.
    """
    return _best(counts, bombs)[0]


def split(counts: Counts, bombs: RankSet) -> Split:
    """Return the split of a hand with the least effort.

    `bombs` are the ranks of its bombs of four.
    """
    effort, first = _best(counts, bombs)
    runs: list[Run] = []
    while first is not None:
        runs.append(first)
        counts -= first.counts
        first = _best(counts, bombs)[1]
    return Split(effort, tuple(runs), _grouped(counts, bombs)[1])


_GROUPS = tuple(CARDS_OF_RANK.items())
_ONE_DECK = (1 << DECK_SIZE) - 1
_EACH: Places = sum(1 << 4 * rank for rank in range(1, 15))
"""All ranks."""
_BETWEEN: dict[tuple[Rank, Rank], Places] = {
    (low, high): sum(1 << 4 * rank for rank in range(low, high + 1))
    for low in range(1, 15)
    for high in range(low, 15)
}
"""Ranks from a lowest to a highest one."""
_ONE: Places = 1 << 4
"""Rank 1, which a Phoenix cannot replace."""
_HIGH = 12
"""Highest rank of a single that a straight must not leave behind."""
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
"""Straights from each lowest rank on, the shortest first.

Each entry has the effort, the run, and three sets of ranks: its own, both ends (none for a straight
of five), and the ranks below and above it.
"""


@lru_cache(maxsize=1 << 11)
def _best(counts: Counts, bombs: RankSet) -> tuple[float, Run | None]:
    """Return the least effort of a hand, and the run to take out first, if any."""
    best, first = _grouped(counts, bombs)[0], None
    more = counts >> 1 | counts >> 2 | counts >> 3
    present, two, wild = (counts | more) & _EACH, more & _EACH, counts & 15
    for cost, taken, candidate in chain(
        _straights(present, two, wild), _stairs(present, two, wild)
    ):
        total = cost + _best(counts - taken, bombs)[0]
        if total < best - 1e-9:
            best, first = total, candidate
    return best, first


def _straights(present: Places, two: Places, wild: int) -> Iterator[tuple[float, Counts, Run]]:
    """Yield the straights worth trying: effort, cards and run of each.

    A Phoenix only fills a gap. A straight is left out if a low card next to it would remain alone,
    unless a second straight can take that card, perhaps with another Phoenix.

    `present` are the ranks with at least one card, `two` those with at least two, `wild` is the
    number of Phoenixes.
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
            others = present & ~ranks | two & ranks
            if alone & beside and wild == bool(missing) and not _five(others):
                continue
            yield cost, found.counts, found


def _five(ranks: Places) -> Places:
    """Return the ranks that begin a row of five ranks; 0 if there is none."""
    return ranks & ranks >> 4 & ranks >> 8 & ranks >> 12 & ranks >> 16


def _stairs(present: Places, two: Places, wild: int) -> Iterator[tuple[float, Counts, Run]]:
    """Yield the longest stairs from each rank on, with at most one Phoenix.

    The parameters are those of `_straights`.
    """
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


@lru_cache(maxsize=1 << 11)
def _grouped(counts: Counts, bombs: RankSet) -> tuple[float, tuple[Rank, ...]]:
    """Return the effort of a hand laid by ranks, without runs.

    The second value is the best rank to lay each Phoenix with; 0 for alone.
    """
    wild, rank, total, triples = counts & 15, 0, 0.0, 0
    singles: list[Rank] = []
    pairs: list[Rank] = []
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
    return _with_phoenixes(wild, singles, pairs, total, triples)


def _with_phoenixes(
    wild: int, singles: list[Rank], pairs: list[Rank], total: float, triples: int
) -> tuple[float, tuple[Rank, ...]]:
    """Return the least effort with `wild` Phoenixes laid with these ranks or alone.

    `singles` and `pairs` are the ranks with one and two cards. `total` is the effort of all but the
    pairs, `triples` the number of triples. The second value is that of `_grouped`.
    """
    if not wild:
        return total + _paired(pairs, triples), ()
    ways = [(0, singles, pairs, total + _SINGLE[0], triples)]
    for rank in singles:
        if rank > 1:
            others = [other for other in singles if other != rank]
            ways.append((rank, others, sorted([*pairs, rank]), total - _SINGLE[rank], triples))
    for rank in pairs:
        others = [other for other in pairs if other != rank]
        ways.append((rank, singles, others, total + triple(rank), triples + 1))
    found = []
    for place, ones, twos, so_far, threes in ways:
        effort, places = _with_phoenixes(wild - 1, ones, twos, so_far, threes)
        found.append((effort, (place, *places)))
    return min(found)


def _paired(pairs: list[Rank], triples: int) -> float:
    """Return the effort of the pairs.

    The lowest pairs go with triples where that saves effort.
    """
    total = 0.0
    for rank in pairs:
        if triples and goes_along(rank):
            triples -= 1
            total -= _PAIR_ALONG
        else:
            total += pair(rank)
    return total
