"""Table options that change the game: checked once, then fixed for a match (rules section 13)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from engine.errors import IllegalAction, NotationError

DIRECTIONS = ("anticlockwise", "clockwise")
DEALINGS = ("dealt", "drawn")
WISH_POLICIES = ("enforced", "penalty")
TARGETS = range(100, 5001, 50)
WINDOWS_MS = range(1000, 10001)

_NAMES = {"wish_policy": "wishPolicy", "bomb_window_ms": "bombWindowMs"}


@dataclass(frozen=True, slots=True)
class Options:
    """The rule options O1-O8; defaults are the first values of section 13.

    `target` is in points (O4), `bomb_window_ms` in milliseconds (O8, kept here because options
    are fixed with the match; the engine itself knows no time). `dealing` only changes the pace
    of the dealing on screen (N7). Which variants exist is checked by `new_match`. Raises
    `IllegalAction` with code ``option`` when a value is out of range.
    """

    variant: str = "nanjing"
    direction: str = "anticlockwise"
    dealing: str = "dealt"
    target: int = 1000
    wish_policy: str = "enforced"
    bomb_window_ms: int = 2000

    def __post_init__(self) -> None:
        self._require("direction", "O2", DIRECTIONS)
        self._require("dealing", "O3", DEALINGS)
        self._require("target", "O4", TARGETS)
        self._require("wish_policy", "O6", WISH_POLICIES)
        self._require("bomb_window_ms", "O8", WINDOWS_MS)

    def _require(self, name: str, rule: str, allowed: range | tuple[str, ...]) -> None:
        value = getattr(self, name)
        if type(value) is not (int if isinstance(allowed, range) else str) or value not in allowed:
            shown = (
                f"{allowed.start}..{allowed[-1]} step {allowed.step}"
                if isinstance(allowed, range)
                else " / ".join(allowed)
            )
            raise IllegalAction("option", rule, option=name, value=value, allowed=shown)

    @property
    def clockwise(self) -> bool:
        """Whether play runs clockwise, which mirrors every right and left (N24)."""
        return self.direction == "clockwise"

    @property
    def wish_penalty(self) -> bool:
        """Whether a missed wish is accepted and punished instead of refused (N37)."""
        return self.wish_policy == "penalty"

    def changed(self) -> dict[str, Any]:
        """The options that differ from their defaults, by notation name, without the variant."""
        return {
            _NAMES.get(field.name, field.name): getattr(self, field.name)
            for field in fields(self)
            if field.name != "variant" and getattr(self, field.name) != field.default
        }

    @classmethod
    def of(cls, variant: str, given: Mapping[str, Any]) -> Options:
        """Options from notation names; `NotationError` for a name that is none."""
        known = {_NAMES.get(field.name, field.name): field.name for field in fields(cls)}
        for name in given:
            if name not in known or name == "variant":
                raise NotationError(f"{name!r} is not an option")
        return cls(variant=variant, **{known[name]: value for name, value in given.items()})
