"""The arrays that the compiled functions work in: made once in a process, used again and again."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from players.expert import layout as at
from players.expert.compiled import compiled
from players.expert.partition import LONGEST, make_runs, split
from players.expert.plays import Plays, move
from players.expert.sorts import MOST

Plans = Any
"""Plans of all seats: in `[seat, 0, 0]` the number of plays, -1 for none made; then the plays."""


class Room(NamedTuple):
    """One set of arrays; two threads cannot share it."""

    plans: Plans
    """How each seat means to lay its hand."""
    plays: Plays
    """The plays that a seat chooses from."""
    runs: Any
    """Two lists of runs, for `players.expert.partition`."""
    chosen: Any
    """The play that was chosen last: cards, kind, size, key."""
    cards: Any
    """The hidden cards while they are shuffled."""
    ranked: Any
    """Cards and what it is worth to give them away."""
    gifts: Any
    """The card that each seat gives each other one in the exchange; 0 for none."""


def make_room() -> Room:
    """A new set of arrays, without any plans."""
    return Room(
        plans=make_plans(),
        plays=np.zeros((MOST + 32, 4), np.int64),
        runs=make_runs(),
        chosen=np.zeros(4, np.int64),
        cards=np.zeros(at.CARDS, np.int64),
        ranked=np.zeros((at.CARDS, 2)),
        gifts=np.zeros((at.SEATS, at.SEATS), np.int64),
    )


def make_plans() -> Plans:
    """Plans of all seats, none of them made."""
    plans = np.zeros((at.SEATS, LONGEST + 1, 4), np.int64)
    plans[:, 0, 0] = -1
    return plans


@compiled
def plan_of(row: Any, seat: int, weights: Any, plans: Plans, runs: Any) -> int:
    """Make the plan of a seat if there is none; returns the number of its plays."""
    if plans[seat, 0, 0] < 0:
        plans[seat, 0, 0] = split(row[at.HAND + seat], weights, runs, plans[seat, 1:])
    return plans[seat, 0, 0]


@compiled
def keep_plan(plans: Plans, seat: int, cards: int) -> None:
    """Take a play out of a plan after it was laid; a plan that it breaks up is forgotten."""
    number = plans[seat, 0, 0]
    for place in range(1, number + 1):
        if plans[seat, place, 0] == cards:
            move(plans[seat], place, number)
            plans[seat, 0, 0] = number - 1
            return
    plans[seat, 0, 0] = -1


@compiled
def forget_plans(plans: Plans) -> None:
    """Forget the plans of all seats."""
    for seat in range(at.SEATS):
        plans[seat, 0, 0] = -1


@compiled
def copy_plans(plans: Plans, others: Plans) -> None:
    """Make plans the same as other ones."""
    for seat in range(at.SEATS):
        plans[seat, 0, 0] = others[seat, 0, 0]
        for place in range(1, others[seat, 0, 0] + 1):
            for number in range(4):
                plans[seat, place, number] = others[seat, place, number]
