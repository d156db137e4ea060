"""Definition of a step of the doctor."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.doctor.observation import Observation
from bot.doctor.visit import Visit


@dataclass(frozen=True, slots=True)
class Step:
    """Step with one question to Discord. `run` raises `StepSkipped` and `StepFailed`."""

    number: int
    title: str
    expected: str
    run: Callable[[Visit], Awaitable[Observation]]
    by_hand: bool = False
    """True if it needs a person who presses or looks."""
