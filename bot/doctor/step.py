"""Definition of a step of the doctor."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.doctor.observation import Observation
from bot.doctor.visit import Visit


@dataclass(frozen=True, slots=True)
class Step:
    """Step, which examines one question. `run` may raise `StepSkipped` or `StepFailed`."""

    number: int
    title: str
    expected: str
    run: Callable[[Visit], Awaitable[Observation]]
    needs_operator: bool = False
    """True if the step needs an operator who presses or looks."""
