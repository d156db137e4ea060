"""Batches of actions written as text, and an open bomb window to try them in."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import timedelta

from bot.table.batch import Batch
from bot.table.details import SeatNotes
from bot.table.state import Game
from tests.bot.games import did, finished
from tests.bot.states import HOST, NOON, chairs, state
from tests.engine.positions import step, table

BOMB = "S4 P4 J4 T4"
WINDOW = table(
    "WINDOW B",
    trick="A S8,P8",
    hands={"A": "+5", "B": "S9 P9 +5", "C": f"{BOMB} +3", "D": "J5 S5 T5 P5 +2"},
)
NINES = step(WINDOW, "B play:S9,P9")


def begun(computers: Collection[int]) -> Batch:
    """Return the batch that starts a match of people and computers; seat 2 deals first."""
    lobby = state(chairs=chairs(computers=computers))
    return Batch.start(lobby, NOON, 2, range(56), {}, SeatNotes())


def done(at: Game, *steps: str, now: float = 0) -> Game:
    """Return the table after these steps of people or the clock, one batch each."""
    for text in steps:
        batch = Batch(at, NOON + timedelta(seconds=now))
        batch.take(step(at.match, text), HOST)
        at = finished(batch)
    return at


def worked(at: Game, work: Callable[[Batch], object]) -> Game:
    return did(at, work)[0]


def texts_of(at: Game, work: Callable[[Batch], object]) -> list[str]:
    return did(at, work)[1]


def close_window(batch: Batch) -> None:
    batch.close_window({})
