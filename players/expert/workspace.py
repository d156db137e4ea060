"""The arrays that the compiled functions work in, made once in a process and used again."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from engine import CardSet, Seat
from players.expert import layout
from players.expert.compiled import compiled
from players.expert.habits import CALL_WEIGHTS, FEATURES, HABITS, CallWeights, Habits
from players.expert.layout import Row
from players.expert.likelihood import MOST_OPTIONS
from players.expert.move_classes import MOST
from players.expert.partition import LONGEST, Runs, make_runs, split
from players.expert.plays import PlayRow, Plays, move
from players.expert.weights import Weights

Plans: TypeAlias = Any
"""The plans of all seats: `[seat, 0, 0]` is the number of plays, -1 when no plan is made yet; from
`[seat, 1]` on come the plays."""


class Workspace(NamedTuple):
    """One set of arrays; two threads cannot share it."""

    plans: Plans
    """The plays that each seat wants to lay its hand as."""
    plays: Plays
    """The plays that a seat chooses from."""
    runs: Runs
    """Two lists of runs, for `players.expert.partition`."""
    chosen: PlayRow
    """The play that was chosen last."""
    cards: Any
    """The hidden cards while they are shuffled: an array of sets of one card."""
    ranked: Any
    """Possible gifts: in each row a card, and what it is worth to give it away."""
    gifts: Any
    """The exchange: `[seat, receiver]` is the card that a seat gives another one; 0 for none."""
    row: Row
    """A position to change."""
    solved: Any
    """What each choice brings in a deal that was searched to the end: worth and points."""
    likely: Any
    """How well each hand of a deal fits what its seat has done, as a logarithm."""
    options: Any
    """The options of a seat, as places in the habits."""
    features: Any
    """What a call depends on, as numbers."""
    habits: Habits
    """What players do with which cards."""
    calls: CallWeights
    """With which cards they call."""


def make_workspace(habits: Habits = HABITS, calls: CallWeights = CALL_WEIGHTS) -> Workspace:
    """Return a new set of arrays, without any plans."""
    return Workspace(
        plans=make_plans(),
        plays=np.zeros((MOST + 32, 4), np.int64),
        runs=make_runs(),
        chosen=np.zeros(4, np.int64),
        cards=np.zeros(layout.CARDS, np.int64),
        ranked=np.zeros((layout.CARDS, 2)),
        gifts=np.zeros((layout.SEATS, layout.SEATS), np.int64),
        row=np.zeros(layout.WIDTH, np.int64),
        solved=np.zeros((MOST + 32, 2)),
        likely=np.zeros(layout.SEATS),
        options=np.zeros(MOST_OPTIONS, np.int64),
        features=np.zeros(FEATURES),
        habits=habits,
        calls=calls,
    )


def make_plans() -> Plans:
    """Plans of all seats, none of them made."""
    plans = np.zeros((layout.SEATS, LONGEST + 1, 4), np.int64)
    plans[:, 0, 0] = -1
    return plans


@compiled
def plan_of(row: Row, seat: Seat, weights: Weights, plans: Plans, runs: Runs) -> int:
    """Make the plan of a seat if none is made yet; returns the number of its plays."""
    if plans[seat, 0, 0] < 0:
        plans[seat, 0, 0] = split(row[layout.HAND + seat], weights, runs, plans[seat, 1:])
    return plans[seat, 0, 0]


@compiled
def keep_plan(plans: Plans, seat: Seat, cards: CardSet) -> None:
    """Take the play of these cards out of a seat's plan after it was laid.

    When the plan has no such play, it is forgotten.
    """
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
    for seat in range(layout.SEATS):
        plans[seat, 0, 0] = -1


@compiled
def copy_plans(plans: Plans, source: Plans) -> None:
    """Overwrite `plans` with the plans in `source`."""
    for seat in range(layout.SEATS):
        plans[seat, 0, 0] = source[seat, 0, 0]
        for place in range(1, source[seat, 0, 0] + 1):
            for number in range(4):
                plans[seat, place, number] = source[seat, place, number]
