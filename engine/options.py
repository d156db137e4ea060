"""Table options that change the game: checked once, then fixed for a match (rules section 13)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from engine.errors import IllegalAction, NotationError
from engine.variants import VARIANTS
from engine.variants.base import TARGETS as TARGETS
from engine.variants.base import Choice

DIRECTIONS = ("anticlockwise", "clockwise")
DEALINGS = ("dealt", "drawn")
WISH_POLICIES = ("enforced", "penalty")
WINDOWS_MS = range(1000, 10001)

_SHARED = {
    "direction": Choice("O2", DIRECTIONS, "anticlockwise"),
    "dealing": Choice("O3", DEALINGS, "dealt"),
    "wish_policy": Choice("O6", WISH_POLICIES, "enforced"),
    "bomb_window_ms": Choice("O8", WINDOWS_MS, 2000),
}
_OWN = {"target": "O4", "rounds": "O5", "players": "O7", "decks": "O7"}
"""Options that only some games have, with the rule that says so."""
_NAMES = {"wish_policy": "wishPolicy", "bomb_window_ms": "bombWindowMs"}


@dataclass(frozen=True, slots=True)
class Options:
    """The rule options O1-O8; what is not given gets the default of the game.

    `target` is in points (O4), `rounds` the length of Trichu (O5) and Grand Seigneur (O7, 0 for
    open-ended), `players` and `decks` belong to Grand Seigneur (O7, 0 decks: as many as needed);
    where a game does not have one of them it stays `None`. `bomb_window_ms` is in milliseconds (O8,
    kept here because options are fixed with the match; the engine itself knows no time). `dealing`
    only changes the pace of the dealing on screen (N7). Raises `IllegalAction` with code ``option``
    when a value is out of range, ``option-of-other-game`` when the game does not have it.
    """

    variant: str = "nanjing"
    direction: str = "anticlockwise"
    dealing: str = "dealt"
    target: int | None = None
    rounds: int | None = None
    players: int | None = None
    decks: int | None = None
    wish_policy: str = "enforced"
    bomb_window_ms: int = 2000

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            shown = " / ".join(VARIANTS)
            raise IllegalAction("option", "O1", option="variant", value=self.variant, allowed=shown)
        choices = self._choices()
        for name, rule in _OWN.items():
            value = getattr(self, name)
            if name not in choices and value is not None:
                raise IllegalAction("option-of-other-game", rule, option=name, variant=self.variant)
            if name in choices and value is None:
                object.__setattr__(self, name, choices[name].default)
        for name, choice in choices.items():
            self._require(name, choice)

    def _choices(self) -> dict[str, Choice]:
        return {**_SHARED, **VARIANTS[self.variant].choices}

    def _require(self, name: str, choice: Choice) -> None:
        value, allowed = getattr(self, name), choice.allowed
        if type(value) is not (int if isinstance(allowed, range) else str) or value not in allowed:
            shown = (
                f"{allowed.start}..{allowed[-1]} step {allowed.step}"
                if isinstance(allowed, range)
                else " / ".join(allowed)
            )
            raise IllegalAction("option", choice.rule, option=name, value=value, allowed=shown)

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
            _NAMES.get(name, name): getattr(self, name)
            for name, choice in self._choices().items()
            if getattr(self, name) != choice.default
        }

    @classmethod
    def of(cls, variant: str, given: Mapping[str, Any]) -> Options:
        """Options from notation names; `NotationError` for a name that is none."""
        known = {_NAMES.get(field.name, field.name): field.name for field in fields(cls)}
        for name in given:
            if name not in known or name == "variant":
                raise NotationError(f"{name!r} is not an option")
        return cls(variant=variant, **{known[name]: value for name, value in given.items()})
