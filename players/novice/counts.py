"""The best split of a hand into plays, without regard to suits.

A hand is a number here (`Counts`): how many cards there are of each rank. Dogs and Dragons are left
out, because they are always laid alone. `partition` handles suits and explains efforts.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, TypeAlias

from engine import CARDS_OF_RANK, DECK_SIZE, PHOENIXES, CardSet, Rank, RankSet

Counts: TypeAlias = int
"""Number of cards of each rank.

Each rank has four bits, from bit ``4 * rank`` on. Rank 0 stands for the Phoenix.
"""
Places: TypeAlias = int
"""Set of ranks in the same layout: the lowest of each rank's four bits is set."""

_SINGLE = (
    *(0.0, 0.9),
    *(1.1 - 0.015 * rank for rank in range(2, 11)),
    *(0.85, 0.75, 0.5, 0.1),
)
"""Effort of a single by rank; 0 is the Phoenix, 1 the Mah Jong."""
_ROUNDING = 1e-9
"""Differences of efforts to ignore: rounding errors."""
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


def fits_full_house(rank: Rank) -> bool:
    """Return whether a pair costs less effort in a full house than alone."""
    return pair(rank) + _PAIR_ALONG > 0


def run(high: Rank, size: int) -> float:
    """Return the effort of a straight or stairs of `size` cards with this highest rank."""
    return 0.95 - 0.025 * high - 0.03 * size


def four_bomb() -> float:
    """Return the effort of a bomb of four."""
    return _FOUR_BOMB


_PAIR_ALONG = 0.1
"""Effort that a full house saves compared with its triple alone."""


class Run(NamedTuple):
    """Ranks of a straight or of stairs."""

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
        """Cards of the run, including the Phoenix, as counts."""
        ranks = self.each * _BETWEEN[self.low, self.high]
        # The Phoenix, whose count is in the lowest bits, replaces one card of its rank.
        return ranks - (1 << 4 * self.wild) + 1 if self.wild else ranks


class Split(NamedTuple):
    """Split of a hand: runs, and groups of one rank for all other cards."""

    effort: float
    """Effort of the whole hand."""
    runs: tuple[Run, ...]
    """Runs to take out first."""
    wild: tuple[Rank, ...]
    """Rank that each Phoenix outside the runs is laid with; 0 for alone."""


def count_ranks(cards: CardSet) -> tuple[Counts, RankSet]:
    """Return the counts of a set of cards, and the set of ranks with a bomb of four."""
    counts, bombs = (cards & PHOENIXES).bit_count(), 0
    for rank, group in _GROUPS:
        held = cards & group
        if held:
            group_size = held.bit_count()
            counts |= group_size << 4 * rank
            suits = (held | held >> DECK_SIZE) & _ONE_DECK  # equal cards of two decks count once
            if group_size >= 4 and suits.bit_count() == 4:
                bombs |= 1 << rank
    return counts, bombs


def least_effort(counts: Counts, bombs: RankSet) -> float:
    """Return the effort of the best split of a hand.

    `bombs` are the ranks of its bombs of four.
    """
    return _best_first_run(counts, bombs)[0]


def split(counts: Counts, bombs: RankSet) -> Split:
    """Return the split of a hand with the least effort.

    `bombs` are the ranks of its bombs of four.
    """
    effort, first = _best_first_run(counts, bombs)
    runs: list[Run] = []
    while first is not None:
        runs.append(first)
        counts -= first.counts
        first = _best_first_run(counts, bombs)[1]
    return Split(effort, tuple(runs), _effort_by_ranks(counts, bombs)[1])


_GROUPS = tuple(CARDS_OF_RANK.items())
_ONE_DECK = (1 << DECK_SIZE) - 1
_EACH: Places = sum(1 << 4 * rank for rank in range(1, 15))
"""All ranks."""
_BETWEEN: dict[tuple[Rank, Rank], Places] = {
    (low, high): sum(1 << 4 * rank for rank in range(low, high + 1))
    for low in range(1, 15)
    for high in range(low, 15)
}
"""All ranks from a lowest to a highest one."""
_ONE: Places = 1 << 4
"""Rank 1, the Mah Jong, which a Phoenix cannot replace."""
_HIGH = 12
"""Highest rank of a single that a straight must not leave behind."""


class _Straight(NamedTuple):
    """Straight without a Phoenix, with facts that decide whether it is worth trying."""

    effort: float
    """Effort of the straight."""
    run: Run
    """The straight itself."""
    ranks: Places
    """Its ranks."""
    ends: Places
    """Its lowest and highest rank; empty for a straight of five, which has no shorter one."""
    beside: Places
    """Ranks directly below and above it, whose single cards it should not leave behind."""


def _straight(low: Rank, high: Rank) -> _Straight:
    """Return the straight with these lowest and highest ranks."""
    below = 1 << 4 * (low - 1) if low > 1 else 0
    above = 1 << 4 * (high + 1) if high < _HIGH else 0
    return _Straight(
        effort=run(high, high - low + 1),
        run=Run(1, low, high),
        ranks=_BETWEEN[low, high],
        ends=0 if high - low == 4 else 1 << 4 * low | 1 << 4 * high,
        beside=below | above,
    )


_STRAIGHTS = tuple(
    tuple(_straight(low, high) for high in range(low + 4, 15)) for low in range(1, 11)
)
"""Straights from each lowest rank on, the shortest first."""


@lru_cache(maxsize=1 << 11)
def _best_first_run(counts: Counts, bombs: RankSet) -> tuple[float, Run | None]:
    """Return the least effort of a hand, and the first run to take out for it, if any."""
    best, best_run = _effort_by_ranks(counts, bombs)[0], None
    # A count of two or more has a bit above its lowest one.
    upper_bits = counts >> 1 | counts >> 2 | counts >> 3
    present, twice, wild = (counts | upper_bits) & _EACH, upper_bits & _EACH, counts & 15
    for cost, cards, candidate in chain(
        _straights_to_try(present, twice, wild), _stairs_to_try(present, twice, wild)
    ):
        total = cost + _best_first_run(counts - cards, bombs)[0]
        if total < best - _ROUNDING:
            best, best_run = total, candidate
    return best, best_run


def _straights_to_try(
    present: Places, twice: Places, wild: int
) -> Iterator[tuple[float, Counts, Run]]:
    """Yield the straights worth trying: the effort, the cards and the run of each.

    A Phoenix is only used to fill a gap. A straight is not tried if it would leave a single low
    card next to it, unless a second straight could take that card.

    `present` are the ranks with at least one card, `twice` those with at least two, `wild` is the
    number of Phoenixes.
    """
    if not wild and not _starts_of_five(present):
        return
    singles, absent = present & ~twice, _EACH & ~present
    for straights in _STRAIGHTS:
        for cost, straight, ranks, ends, beside in straights:
            missing = ranks & absent
            if missing:
                if not wild or missing & (missing - 1):  # longer ones lack even more ranks
                    break
                # At an end the Phoenix would only make the straight longer.
                if missing & ends or missing == _ONE:
                    continue
                straight = straight._replace(wild=missing.bit_length() // 4)
            remaining = present & ~ranks | twice & ranks
            all_phoenixes_used = wild == bool(missing)
            if singles & beside and all_phoenixes_used and not _starts_of_five(remaining):
                continue
            yield cost, straight.counts, straight


def _starts_of_five(ranks: Places) -> Places:
    """Return the ranks that begin five ranks in a row; 0 if there are none."""
    return ranks & ranks >> 4 & ranks >> 8 & ranks >> 12 & ranks >> 16


def _stairs_to_try(
    present: Places, twice: Places, wild: int
) -> Iterator[tuple[float, Counts, Run]]:
    """Yield the longest stairs from each rank on, with at most one Phoenix.

    The parameters are those of `_straights_to_try`.
    """
    once = present & ~twice if wild else 0
    # Two neighbouring ranks, at most one of them held only once.
    if (twice & twice >> 4) | (twice & once >> 4) | (once & twice >> 4):
        for low in range(2, 14):
            high, phoenix_rank = low, 0
            while high < 15 and (bit := 1 << 4 * high) & (twice | once):
                if not twice & bit:
                    if phoenix_rank:
                        break
                    phoenix_rank = high
                high += 1
            if high - low > 1:
                stairs = Run(2, low, high - 1, phoenix_rank)
                yield run(high - 1, 2 * (high - low)), stairs.counts, stairs


@lru_cache(maxsize=1 << 11)
def _effort_by_ranks(counts: Counts, bombs: RankSet) -> tuple[float, tuple[Rank, ...]]:
    """Return the effort of a hand that is laid without runs, as groups of one rank.

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
    return _place_phoenixes(wild, singles, pairs, total, triples)


def _place_phoenixes(
    wild: int, singles: list[Rank], pairs: list[Rank], total: float, triples: int
) -> tuple[float, tuple[Rank, ...]]:
    """Return the least effort of a hand with `wild` Phoenixes, each with one of its ranks or alone.

    `singles` and `pairs` are the ranks with one and two cards. `total` is the effort of all but the
    pairs, `triples` the number of triples. The second value is that of `_effort_by_ranks`.
    """
    if not wild:
        return total + _effort_of_pairs(pairs, triples), ()
    ways = [(0, singles, pairs, total + _SINGLE[0], triples)]
    for rank in singles:
        if rank > 1:
            others = [other for other in singles if other != rank]
            ways.append((rank, others, sorted([*pairs, rank]), total - _SINGLE[rank], triples))
    for rank in pairs:
        others = [other for other in pairs if other != rank]
        ways.append((rank, singles, others, total + triple(rank), triples + 1))
    results = []
    for rank_joined, new_singles, new_pairs, new_total, new_triples in ways:
        effort, other_ranks = _place_phoenixes(
            wild - 1, new_singles, new_pairs, new_total, new_triples
        )
        results.append((effort, (rank_joined, *other_ranks)))
    return min(results)


def _effort_of_pairs(pairs: list[Rank], triples: int) -> float:
    """Return the effort of the pairs.

    The lowest pairs go with triples where that saves effort.
    """
    total = 0.0
    for rank in pairs:
        if triples and fits_full_house(rank):
            triples -= 1
            total -= _PAIR_ALONG
        else:
            total += pair(rank)
    return total
