"""Splitting a hand into few plays: the plan of the Novice's leads and answers.

The effort of a play measures how hard it is to get rid of: about 1 for a low play, 0 or less for
one that wins a trick. The effort of a hand is the sum over its plays. A plan is the split of a hand
into runs, bombs and groups of one rank that has the least effort.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from engine import (
    CARDS_OF_RANK,
    CARDS_OF_SUIT,
    DOGS,
    DRAGONS,
    PHOENIXES,
    CardSet,
    Combination,
    Hand,
    Kind,
    Rank,
    bits,
    readings,
)
from players.novice import counts
from players.novice.counts import count_ranks

EFFORT_PER_POINT = 1 / 60
"""Worth of a point of the round, in units of effort."""
_DOG, _DRAGON = 0.8, -0.4
"""Efforts of these two cards."""
_STRAIGHT_BOMB = -1.0
"""Effort of a straight bomb."""
_ROUNDING = 1e-9
"""Differences of efforts to ignore: rounding errors."""


class Plan(NamedTuple):
    """Hand split into plays."""

    effort: float
    """Effort of all plays together; the lower it is, the sooner the hand is empty."""
    plays: tuple[Combination, ...]
    """Plays that together have all cards of the hand."""


@lru_cache(maxsize=1 << 10)
def plan(cards: CardSet) -> Plan:
    """Return the split of these cards into plays with the least effort."""
    total = plan_effort(cards)
    for bomb in _straight_bombs(cards):
        rest = cards & ~bomb.cards
        if plan_effort(rest) + _STRAIGHT_BOMB <= total + _ROUNDING:
            return Plan(total, (bomb, *plan(rest).plays))
    return Plan(total, tuple(readings(play_cards)[0] for play_cards in _cards_of_plays(cards)))


@lru_cache(maxsize=1 << 11)
def plan_effort(cards: CardSet) -> float:
    """Return the effort of `plan(cards)`, but faster."""
    total = counts.least_effort(*count_ranks(cards))
    total += _DOG * (cards & DOGS).bit_count() + _DRAGON * (cards & DRAGONS).bit_count()
    for bomb in _straight_bombs(cards):
        total = min(total, plan_effort(cards & ~bomb.cards) + _STRAIGHT_BOMB)
    return total


def effort_saved(cards: CardSet, taken: CardSet) -> float:
    """Return the estimated effort that a hand saves when the cards in `taken` leave it.

    Only the plays of the plan that contain these cards are planned again. So the true saving is
    often larger, and rarely smaller.
    """
    affected = (play for play in plan(cards).plays if play.cards & taken)
    return sum(effort(play) - plan_effort(play.cards & ~taken) for play in affected)


def effort(play: Combination) -> float:
    """Return the effort of a play: how hard it is to get rid of."""
    rank = play.rank
    match play.kind:
        case Kind.SINGLE:
            if play.is_dragon:
                return _DRAGON
            return counts.single(0 if play.cards & PHOENIXES else rank)
        case Kind.PAIR:
            return counts.pair(rank)
        case Kind.TRIPLE:
            return counts.triple(rank)
        case Kind.FULL_HOUSE:
            return counts.full_house(rank)
        case Kind.STRAIGHT | Kind.STAIRS:
            return counts.run(rank, play.size)
        case Kind.FOUR_BOMB:
            return counts.four_bomb()
        case Kind.STRAIGHT_BOMB:
            return _STRAIGHT_BOMB
        case Kind.DOG:
            return _DOG


def _straight_bombs(cards: CardSet) -> list[Combination]:
    """Return the straight bombs of a hand, one for each lowest and highest rank."""
    if all((cards & suit).bit_count() < 5 for suit in CARDS_OF_SUIT):
        return []
    found = (bomb for bomb in Hand(cards).bombs() if bomb.kind is Kind.STRAIGHT_BOMB)
    return list({(bomb.size, bomb.key): bomb for bomb in found}.values())


def _cards_of_plays(cards: CardSet) -> list[CardSet]:
    """Return the cards of each play in the best split without straight bombs.

    Bombs of four take their cards first, because they need one of each suit.
    """
    rank_counts, bombs = count_ranks(cards)
    split = counts.split(rank_counts, bombs)
    sets = list(bits(cards & (DOGS | DRAGONS)))
    phoenixes = list(bits(cards & PHOENIXES))
    groups = {
        rank: list(bits(cards & group)) for rank, group in CARDS_OF_RANK.items() if cards & group
    }
    in_runs = sum(run.counts for run in split.runs)

    # Bombs of four, from the cards that no run needs.
    for rank, group in groups.items():
        while bombs >> rank & 1 and len(group) - (in_runs >> 4 * rank & 15) > 3:
            bomb = [next(bit for bit in group if bit & suit) for suit in CARDS_OF_SUIT]
            sets.append(sum(bomb))
            group[:] = [bit for bit in group if bit not in bomb]

    # Runs. The Phoenix replaces one card of its rank.
    for run in split.runs:
        run_cards = phoenixes.pop() if run.wild else 0
        for rank in range(run.low, run.high + 1):
            for _ in range(run.each - (rank == run.wild)):
                run_cards |= groups[rank].pop(0)
        sets.append(run_cards)

    # Phoenixes that are laid with one rank.
    for rank in split.wild:
        if rank:
            groups[rank].append(phoenixes.pop())
    return sets + phoenixes + _full_houses_and_groups(groups)


def _full_houses_and_groups(groups: dict[Rank, list[CardSet]]) -> list[CardSet]:
    """Return the cards of full houses, triples, pairs and singles.

    `groups` are the cards of each rank; this function removes some of them. Full houses take the
    lowest pairs, if that saves effort.
    """
    sets, pairs, triples = [], [], []
    for rank, group in sorted(groups.items()):
        while len(group) > 3:
            sets.append(group.pop() | group.pop())
        if len(group) == 3:
            triples.append(sum(group))
        elif len(group) == 2 and counts.fits_full_house(rank):
            pairs.append(sum(group))
        elif group:
            sets.append(sum(group))
    full_house_count = min(len(pairs), len(triples))
    full_houses = [triple | pair for triple, pair in zip(triples, pairs, strict=False)]
    return sets + full_houses + triples[full_house_count:] + pairs[full_house_count:]
