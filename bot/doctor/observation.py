"""Results of a step of the doctor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Observation:
    """Discord's behaviour at a step, and the effect on the bot."""

    observed: str
    as_expected: bool
    effect: str
    """The effect, for the operator."""
    learnt: Mapping[str, Any] = field(default_factory=dict)
    """The fields of `DiscordBehaviour` that are known now."""


class LeftOut(Exception):
    """The step cannot be done now; the text says why."""


class NotDone(Exception):
    """Discord has refused something that the step begins with; the text says what."""
