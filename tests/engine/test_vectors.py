"""Counts of an independent engine: combinations in a hand, and trees of moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import pytest

from engine import (
    WINDOW_PHASES,
    Bomb,
    CallTichu,
    CloseWindow,
    Combination,
    Hand,
    Match,
    Waive,
    apply,
    bits,
    read_cards,
    read_position,
    readings,
    write_action,
)
from tests.campaign import SOAK
from tests.cases import each
from tests.engine.positions import listed_actions

DATA = Path(__file__).parent / "data"


def blocks(name: str) -> Iterator[list[str]]:
    """Yield the paragraphs of a data file as lines, without comments."""
    for block in (DATA / name).read_text("utf-8").split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        if lines:
            yield lines


# --- combinations in a hand ---------------------------------------------------------------------


class Counted(NamedTuple):
    """A hand and its counts: shape and size to card sets and readings."""

    cards: int
    counts: dict[str, tuple[int, int]]


def read_hand(lines: list[str]) -> Counted:
    counts = {}
    for line in lines[1:]:
        name, _, figures = line.partition(": ")
        sets, _, stated = figures.partition("/")
        counts[name] = (int(sets), int(stated or sets))
    return Counted(read_cards(lines[0].removeprefix("hand ")), counts)


HANDS = [read_hand(lines) for lines in blocks("hands.txt")]


def counted(combinations: list[Combination]) -> dict[str, tuple[int, int]]:
    stated = Counter(f"{play.kind.value} {play.size}" for play in combinations)
    sets = Counter(
        f"{kind.value} {size}"
        for kind, size, _ in {(c.kind, c.size, c.cards) for c in combinations}
    )
    counts = {name: (sets[name], stated[name]) for name in stated}
    total = len({play.cards for play in combinations}), len(combinations)
    return counts | {"total": total}


@each("hand", HANDS)
def test_combinations_in_a_hand(hand: Counted) -> None:
    """Section 2: as many as the independent engine found, no reading twice."""
    found = Hand(hand.cards).all()
    assert len(found) == len(set(found))
    counts = counted(found)
    assert {name: counts.get(name) for name in hand.counts} == hand.counts


@each("hand", HANDS if SOAK else HANDS[:2])
def test_combinations_are_those_of_all_subsets(hand: Counted) -> None:
    """Section 2: a hand lists the readings of all its subsets."""
    cards = tuple(bits(hand.cards))
    expected = [
        reading
        for size in range(1, len(cards) + 1)
        for chosen in combinations(cards, size)
        for reading in readings.__wrapped__(sum(chosen))
    ]
    assert set(Hand(hand.cards).all()) == set(expected)


# --- trees of moves -----------------------------------------------------------------------------


MOST_MOVES = 100_000 if SOAK else 500
"""The limit of a tree: deeper levels take too long to count every time."""


class Tree(NamedTuple):
    """A position, whether bombs out of turn are moves, and the counts for each depth."""

    match: Match
    bombs: bool
    counts: tuple[int, ...]


def read_tree(lines: list[str]) -> Tree:
    leader, *bombs = lines[0].removeprefix("tree leader ").split()
    counts = lines[-1].removeprefix("counts ").split()
    match = read_position("\n".join([f"phase LEAD {leader}", *lines[1:-1]]))
    return Tree(match, bool(bombs), tuple(map(int, counts)))


TREES = [read_tree(lines) for lines in blocks("trees.txt")]


def moves(match: Match, bombs: bool) -> Iterator[tuple[str, Match]]:
    """Yield every move with the position after it."""
    if match.round is None or match.phase.value.endswith("_END"):
        return
    if match.phase in WINDOW_PHASES:
        if bombs:
            yield from _bombs(match)
        yield from moves(apply(match, CloseWindow())[0], bombs)
        return
    for seat, action in listed_actions(match):
        if not isinstance(action, CallTichu | Bomb):
            yield f"{seat} {write_action(action)}", apply(match, action)[0]
    if bombs:
        yield from _bombs(match)


def _bombs(match: Match) -> Iterator[tuple[str, Match]]:
    sealed = match.phase in WINDOW_PHASES
    for seat, action in listed_actions(match):
        if isinstance(action, Bomb):
            after, _ = apply(match, action)
            if sealed:
                after, _ = apply(after, CloseWindow())
            yield f"{seat} {write_action(action)}", after
        assert not isinstance(action, Waive) or sealed


@pytest.mark.slow
@pytest.mark.parametrize("tree", TREES, ids=lambda tree: " ".join(map(str, tree.counts[:4])))
def test_trees_of_moves(tree: Tree) -> None:
    """Sections 3 to 6: a differing count is shown for every first move."""
    level = list(moves(tree.match, tree.bombs))
    for depth, expected in enumerate(tree.counts):
        if expected > MOST_MOVES:
            break
        if depth:
            level = [
                (first, after) for first, match in level for _, after in moves(match, tree.bombs)
            ]
        divide = Counter(first for first, _ in level)
        assert len(level) == expected, f"at depth {depth + 1}, divide: {dict(divide)}"
