"""Work arrays of the compiled functions, which are allocated once and reused."""

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
from players.expert.plays import CARDS, PlayRow, Plays, copy_play
from players.expert.weights import Weights

_SPARE_ROWS = 32
"""Number of rows beyond `MOST`, as a margin."""
Plans: TypeAlias = Any
"""Plans of all seats.

`[seat, 0, 0]` is the number of plays, -1 without a plan. The plays follow from `[seat, 1]` on.
"""


class Workspace(NamedTuple):
    """Work arrays and parameters of the compiled functions. Two threads cannot share them."""

    plans: Plans
    """Planned plays of each seat."""
    plays: Plays
    """Plays that a seat chooses from."""
    runs: Runs
    """Lists of runs of `players.expert.partition`."""
    chosen: PlayRow
    """Play that was chosen last."""
    cards: Any
    """Scratch array to shuffle hidden cards, as sets of one card."""
    ranked: Any
    """Possible gifts: a row for each card with its worth as a gift."""
    gifts: Any
    """Gifts of the exchange: `[seat, receiver]` is the card given, 0 for none."""
    row: Row
    """Scratch position."""
    solved: Any
    """Worth and points of each choice in a deal that was searched to the end."""
    likely: Any
    """Log likelihood of each hand of the current deal, by seat."""
    options: Any
    """Options of an action, as places in the habits."""
    features: Any
    """Features of a call."""
    habits: Habits
    """Habits of players."""
    calls: CallWeights
    """Weights of calls."""


def make_workspace(habits: Habits = HABITS, calls: CallWeights = CALL_WEIGHTS) -> Workspace:
    """Return new work arrays, without any plans."""
    return Workspace(
        plans=make_plans(),
        plays=np.zeros((MOST + _SPARE_ROWS, 4), np.int64),
        runs=make_runs(),
        chosen=np.zeros(4, np.int64),
        cards=np.zeros(layout.CARDS, np.int64),
        ranked=np.zeros((layout.CARDS, 2)),
        gifts=np.zeros((layout.SEATS, layout.SEATS), np.int64),
        row=np.zeros(layout.WIDTH, np.int64),
        solved=np.zeros((MOST + _SPARE_ROWS, 2)),
        likely=np.zeros(layout.SEATS),
        options=np.zeros(MOST_OPTIONS, np.int64),
        features=np.zeros(FEATURES),
        habits=habits,
        calls=calls,
    )


def make_plans() -> Plans:
    """Return the array of all seats' plans, without any plan."""
    plans = np.zeros((layout.SEATS, LONGEST + 1, 4), np.int64)
    plans[:, 0, 0] = -1
    return plans


@compiled
def ensure_plan(row: Row, seat: Seat, weights: Weights, plans: Plans, runs: Runs) -> int:
    """Make the plan of a seat, if it has none. Returns the number of its plays."""
    if plans[seat, 0, 0] < 0:
        plans[seat, 0, 0] = split(row[layout.HAND + seat], weights, runs, plans[seat, 1:])
    return plans[seat, 0, 0]


@compiled
def remove_from_plan(plans: Plans, seat: Seat, cards: CardSet) -> None:
    """Remove the play of these cards from a seat's plan after it was laid.

    If the plan has no such play, the plan is discarded.
    """
    plan_size = plans[seat, 0, 0]
    for place in range(1, plan_size + 1):
        if plans[seat, place, CARDS] == cards:
            copy_play(plans[seat], place, plan_size)
            plans[seat, 0, 0] = plan_size - 1
            return
    plans[seat, 0, 0] = -1


@compiled
def discard_plans(plans: Plans) -> None:
    """Discard the plans of all seats."""
    for seat in range(layout.SEATS):
        plans[seat, 0, 0] = -1


@compiled
def copy_plans(plans: Plans, source: Plans) -> None:
    """Overwrite `plans` with the plans in `source`."""
    for seat in range(layout.SEATS):
        plans[seat, 0, 0] = source[seat, 0, 0]
        for place in range(1, source[seat, 0, 0] + 1):
            for value in range(4):
                plans[seat, place, value] = source[seat, place, value]
