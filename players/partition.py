"""Splitting a hand into few plays: the plan that a computer player leads and follows from.

`plan(cards)` weighs all ways to take runs and bombs out of a hand and groups the rest by rank.
Its effort is about the number of times the hand has to get rid of something unaided.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from engine.cards import DOGS, DRAGONS, MAHJONGS, OF_RANK, OF_SUIT, PHOENIXES, RANKS, bits
from engine.combinations import Combination, Kind, readings
from engine.hand import Hand

_SINGLE = {
    **{rank: 1.1 - 0.015 * rank for rank in range(2, 11)},
    11: 0.85,
    12: 0.75,
    13: 0.5,
    14: 0.1,
}
_DOG, _MAHJONG, _PHOENIX, _DRAGON = 0.8, 0.9, 0.0, -0.4
_FOUR_BOMB, _STRAIGHT_BOMB = -0.9, -1.0


class Plan(NamedTuple):
    """A hand as plays; the lower the effort, the sooner it will be gone."""

    effort: float
    plays: tuple[Combination, ...]


@lru_cache(maxsize=1 << 13)
def plan(cards: int) -> Plan:
    """The best way found to split these cards into plays."""
    best = _grouped(cards)
    for taken in _runs(cards):
        rest = plan(cards & ~taken)
        run = readings(taken)[0]
        total = rest.effort + effort(run)
        if total < best.effort - 1e-9:
            best = Plan(total, (run, *rest.plays))
    return best


def effort(play: Combination) -> float:
    """How hard a play is to get rid of: about 1 when low, 0 or less when it wins a trick."""
    rank, cards = play.rank, play.cards
    match play.kind:
        case Kind.SINGLE:
            return _single(cards, rank)
        case Kind.PAIR:
            return _pair(rank)
        case Kind.TRIPLE:
            return _triple(rank)
        case Kind.FULL_HOUSE:
            return _full_house(rank)
        case Kind.STRAIGHT | Kind.STAIRS:
            return 0.95 - 0.025 * rank - 0.03 * play.size
        case Kind.FOUR_BOMB:
            return _FOUR_BOMB
        case Kind.STRAIGHT_BOMB:
            return _STRAIGHT_BOMB
        case Kind.DOG:
            return _DOG


def _single(cards: int, rank: int) -> float:
    if cards & (PHOENIXES | DRAGONS):
        return _PHOENIX if cards & PHOENIXES else _DRAGON
    return _SINGLE.get(rank, _MAHJONG)


def _pair(rank: int) -> float:
    return 1.05 - 0.02 * rank if rank < 11 else 1.05 - 0.3 * (rank - 10)


def _triple(rank: int) -> float:
    return 0.95 - 0.05 * rank


def _full_house(rank: int) -> float:
    return 0.85 - 0.05 * rank


def _runs(cards: int) -> Iterator[int]:
    """Sets worth taking out of the hand whole: straights, stairs and straight bombs."""
    if (cards & ~(DOGS | DRAGONS)).bit_count() < 4:
        return
    if any((cards & suit).bit_count() >= 5 for suit in OF_SUIT):
        for bomb in Hand(cards).bombs():
            if bomb.kind is Kind.STRAIGHT_BOMB:
                yield bomb.cards
    firsts = {rank: (held := cards & OF_RANK[rank]) & -held for rank in RANKS}
    firsts[1] = cards & MAHJONGS
    wild = cards & PHOENIXES
    wild &= -wild
    yield from _straights(firsts, wild)
    yield from _stairs({rank: cards & OF_RANK[rank] for rank in RANKS}, wild)


def _straights(firsts: dict[int, int], wild: int) -> Iterator[int]:
    """Straights from every rank to every rank that can be reached, with one Phoenix at most."""
    for low in range(1, 12):
        taken, helper = firsts[low], wild
        if not taken:
            continue
        for high in range(low + 1, 15):
            if not firsts[high]:
                taken |= helper
                if not helper:
                    break
                helper = 0
            taken |= firsts[high]
            if high - low + 1 >= 5:
                yield taken
        else:
            if helper and low in range(3, 12):  # nothing above the ace: the Phoenix goes below
                yield taken | helper


def _stairs(groups: dict[int, int], wild: int) -> Iterator[int]:
    """From every rank the longest stairs, with one Phoenix at most."""
    for low in range(2, 14):
        taken, helper = 0, wild
        for rank in range(low, 15):
            two = list(bits(groups[rank]))[:2]
            if len(two) == 1 and helper:
                two.append(helper)
                helper = 0
            if len(two) < 2:
                break
            taken |= two[0] | two[1]
        if taken.bit_count() >= 4:
            yield taken


def _grouped(cards: int) -> Plan:
    """The hand by ranks: bombs, triples, pairs and singles, full houses where they save effort."""
    alone = list(bits(cards & (DOGS | DRAGONS | MAHJONGS)))
    groups: dict[int, int] = {}
    for rank in RANKS:
        held = cards & OF_RANK[rank]
        if held.bit_count() >= 4:
            held = _whole(held, alone)
        if held:
            groups[rank] = held
    for helper in bits(cards & PHOENIXES):
        _place(helper, groups, alone)
    return _counted(groups, alone)


def _whole(held: int, alone: list[int]) -> int:
    """Put a bomb or pairs out of four and more equal cards among `alone`; what is left."""
    while held.bit_count() >= 4:
        four = sum(suited & -suited for suit in OF_SUIT if (suited := held & suit))
        if four.bit_count() < 4:
            four = sum(list(bits(held))[:2])
        alone.append(four)
        held &= ~four
    return held


def _place(helper: int, groups: dict[int, int], alone: list[int]) -> None:
    """Give a Phoenix the place where it saves most: alone or with the cards of some rank."""
    best, where = _counted(groups, [*alone, helper]).effort, 0
    for rank, held in groups.items():
        if held.bit_count() < 3:
            total = _counted({**groups, rank: held | helper}, alone).effort
            if total < best:
                best, where = total, rank
    if where:
        groups[where] |= helper
    else:
        alone.append(helper)


def _counted(groups: dict[int, int], alone: list[int]) -> Plan:
    """These groups as plays; triples take the lowest pairs along where that is cheaper."""
    pairs = [rank for rank, held in groups.items() if held.bit_count() == 2]
    sets = list(alone)
    for rank, held in groups.items():
        size = held.bit_count()
        if size == 3 and pairs and _full_house(rank) < _triple(rank) + _pair(pairs[0]):
            sets.append(held | groups[pairs.pop(0)])
        elif size != 2:
            sets.append(held)
    sets += [groups[rank] for rank in pairs]
    plays = tuple(readings(chosen)[0] for chosen in sets)
    return Plan(sum(map(effort, plays)), plays)
