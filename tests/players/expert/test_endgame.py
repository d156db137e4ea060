"""The solver of endgames agrees with an exhaustive search in the engine."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest

from bench.rounds import deciding_seats
from engine import (
    CloseWindow,
    Match,
    Phase,
    Play,
    apply,
    view,
    write_action,
)
from players.expert import layout
from players.expert.endgame import MOST_CARDS, Stake, can_be_solved, make_search, solve
from players.levels import choose
from tests.campaign import FACTOR, SOAK
from tests.players.expert.test_rules import whole_row
from tests.players.novice.table import position

SEARCH = make_search()
POINTS = Stake(np.zeros((0, 0)), 0, 0)


def by_engine(match: Match, team: int, low: float = -math.inf, high: float = math.inf) -> float:
    """Return a team's margin with best play, by trying every legal action.

    Except where one side has more elsewhere already: `low` is sure for the team, `high` for the
    others (alpha-beta pruning).
    """
    round_ = match.round
    assert round_ is not None
    if match.phase in (Phase.ROUND_END, Phase.MATCH_END):
        score = match.results[-1].score
        return float(score[team] - score[1 - team])
    movers = deciding_seats(match)
    if not movers:
        return by_engine(apply(match, CloseWindow())[0], team, low, high)
    mover = movers[0]
    is_own = round_.seating.teams[mover] == team
    for action in view(match, mover).actions:
        if low < high and not (isinstance(action, Play) and action.wish):
            found = by_engine(apply(match, action)[0], team, low, high)
            low, high = (max(low, found), high) if is_own else (low, min(high, found))
    return low if is_own else high


def two_left(rng: random.Random) -> Match:
    """Return a position in which only seats 0 and 1 hold cards, many of them equal; 0 leads."""
    ranks = rng.sample("789TJQKA", 4)
    cards = [suit + rank.replace("T", "10") for rank in ranks for suit in "JSPT"]
    cards = rng.sample([*cards, "DRAGON", "PHOENIX", "DOG"], 8)
    mine, theirs = rng.randint(2, 4), rng.randint(1, 4)
    lines = [
        f"hand 1 {' '.join(cards[:theirs])}",
        "started 0 1 2 3",
        f"out {rng.choice(['2 3', '3 2'])}",
    ]
    return position("LEAD 0", " ".join(cards[4 : 4 + mine]), sizes={2: 0, 3: 0}, lines=lines)


def more_left(rng: random.Random, seats: int) -> Match:
    """Return a position in which seat 0 leads and two or three others hold cards.

    In every third case one has a bomb. There are nine cards at most, as in the search's own limit.
    """
    ranks = rng.sample("789TJQKA", 4)
    cards = [suit + rank.replace("T", "10") for rank in ranks for suit in "JSPT"]
    out = rng.choice([1, 2, 3]) if seats == 3 else None
    left = [seat for seat in range(4) if seat != out]
    hands: dict[int, list[str]] = {seat: [] for seat in left}
    bomber = rng.choice(left) if rng.randrange(3) == 0 else None
    if bomber is not None:
        hands[bomber], cards = cards[:4], cards[4:]
    cards = rng.sample([*cards, "DRAGON", "PHOENIX", "DOG"], 9)
    for seat in left:
        others = sum(map(len, hands.values())) + sum(not hand for hand in hands.values()) - 1
        if seat != bomber:
            size = rng.randint(1, min(3, MOST_CARDS - others))
            hands[seat], cards = cards[:size], cards[size:]
    lines = ["started 0 1 2 3", *(f"hand {seat} {' '.join(hands[seat])}" for seat in left if seat)]
    if out is not None:
        lines.append(f"out {out}")
    return position(
        "LEAD 0", " ".join(hands[0]), sizes={} if out is None else {out: 0}, lines=lines
    )


def row_with_piles(match: Match) -> Any:
    """Return the row of a position with all hands and tricks."""
    row = whole_row(match)
    assert match.round is not None
    row[layout.PILE : layout.PILE + 4] = match.round.piles
    return row


@pytest.mark.parametrize("seed", range(8))
def test_the_search_finds_what_trying_everything_finds(seed: int) -> None:
    match = two_left(random.Random(seed))
    row = row_with_piles(match)
    for seat in (0, 1):
        assert can_be_solved(row, True)
        SEARCH.positions_left[0] = 100_000
        assert solve(row, seat, POINTS, SEARCH)[0] == by_engine(match, seat)
        assert SEARCH.positions_left[0] >= 0


@pytest.mark.parametrize("seats, times", [(3, 12), (4, 5)])
def test_it_also_does_while_three_or_four_seats_are_left(seats: int, times: int) -> None:
    """Partners play together, tricks pass between seats, and a team can be out first and second."""
    for seed in range(FACTOR if SOAK else times):
        match = more_left(random.Random(seed), seats)
        row, found = row_with_piles(match), by_engine(match, 0)
        assert can_be_solved(row, False)
        for seat, worth in ((0, found), (1, -found)):
            SEARCH.positions_left[0] = 100_000
            assert solve(row, seat, POINTS, SEARCH)[0] == worth, seed
            assert SEARCH.positions_left[0] >= 0


def test_a_search_is_given_up_after_so_many_positions() -> None:
    SEARCH.positions_left[0] = 1
    solve(whole_row(two_left(random.Random(1))), 0, POINTS, SEARCH)
    assert SEARCH.positions_left[0] < 0


@pytest.mark.parametrize(
    "hand, theirs, chosen",
    [
        ("JK J9 S9", "J3 S4", "play:J9,S9"),  # both orders win all: more cards first
        ("JK JQ SA", "J3 S4 P5", "play:JQ"),  # low cards first
    ],
)
def test_of_equal_choices_it_takes_that_of_a_person(hand: str, theirs: str, chosen: str) -> None:
    lines = [f"hand 1 {theirs}", "started 0 1 2 3", "out 2 3"]
    match = position("LEAD 0", hand, sizes={2: 0, 3: 0}, lines=lines)
    action = choose("expert", view(match, 0), 1, 0.0, 50)
    assert action is not None
    assert write_action(action) == chosen
