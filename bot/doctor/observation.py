"""Results of a step of the doctor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Observation:
    """Behaviour of Discord that a step has observed, and its effect on the bot."""

    observed: str
    as_expected: bool
    effect: str
    """Sentence for the operator about the effect on the bot."""
    behaviour_changes: Mapping[str, Any] = field(default_factory=dict)
    """New values for fields of `DiscordBehaviour`."""


class StepSkipped(Exception):
    """Raised to skip a step that is impossible now. The text has the reason."""


class StepFailed(Exception):
    """Raised if Discord refuses a request that a step needs. The text has the reason."""
