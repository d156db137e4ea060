"""The steps, in the order of their numbers."""

from __future__ import annotations

from typing import Final

from bot.doctor import (
    answer_steps,
    message_steps,
    pace_steps,
    people_steps,
    picture_steps,
    thread_steps,
)
from bot.doctor.step import Step

_ALL: Final = (
    *picture_steps.STEPS,
    *message_steps.STEPS,
    *thread_steps.STEPS,
    *pace_steps.STEPS,
    *people_steps.STEPS,
    *answer_steps.STEPS,
)
STEPS: Final[tuple[Step, ...]] = tuple(sorted(_ALL, key=lambda step: step.number))
