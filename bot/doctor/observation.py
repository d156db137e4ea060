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
    """New values of fields of `DiscordBehaviour`."""


class StepSkipped(Exception):
    """Reason to skip a step: it is impossible now. The text explains it."""


class StepFailed(Exception):
    """Failure of a step: Discord refused a request that it needs. The text explains it."""
