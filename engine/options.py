"""The rule options of a match (rules section 13)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

from .errors import IllegalAction, NotationError, Reason
from .types import Points


class Choice(NamedTuple):
    """The allowed values of an option in one game."""

    rule: str
    """The number of the rule that defines the option, such as ``O4``."""
    allowed: range | tuple[str, ...]
    """All values: integers or words."""
    default: int | str
    """The value used when the option is not given."""


TARGETS = range(100, 5001, 50)
"""The allowed target scores of a match (O4)."""
TARGET = Choice("O4", TARGETS, 1000)
CHOICES: dict[str, Mapping[str, Choice]] = {}
"""The options that only some games have, by game; `variants` fills it (section 13)."""
DIRECTIONS = ("anticlockwise", "clockwise")
"""The directions of play (O2)."""
DEALINGS = ("dealt", "drawn")
"""The ways of showing a deal on screen (O3)."""
WISH_POLICIES = ("enforced", "penalty")
"""The treatments of a missed wish: refused or punished (O6)."""
WINDOW_LENGTHS_MS = range(1000, 10001)
"""The allowed lengths of a bomb window in milliseconds (O8)."""

_SHARED = {
    "direction": Choice("O2", DIRECTIONS, "anticlockwise"),
    "dealing": Choice("O3", DEALINGS, "dealt"),
    "wish_policy": Choice("O6", WISH_POLICIES, "enforced"),
    "bomb_window_ms": Choice("O8", WINDOW_LENGTHS_MS, 2000),
}
"""The options of every game."""
_OWN = {"target": "O4", "rounds": "O5", "players": "O7", "decks": "O7"}
"""The options that only some games have, with the rule that defines each."""
_NAMES = {"wish_policy": "wishPolicy", "bomb_window_ms": "bombWindowMs"}
"""The options whose name in notation differs from the field name."""


@dataclass(frozen=True, slots=True)
class Options:
    """The rule options O1-O8 of a match. An option that is not given gets the game's default.

    Values in brackets are the defaults. `None` stands for an option that the game does not have.

    - `variant`: name of the game, a key of `variants.VARIANTS` ["nanjing"] (O1)
    - `direction`: direction of play, one of `DIRECTIONS` ["anticlockwise"] (O2)
    - `dealing`: way of showing a deal, one of `DEALINGS`; has no effect here ["dealt"] (O3, N7)
    - `target`: score that ends a match of Nanjing or Tientsin, one of `TARGETS` [1000] (O4)
    - `rounds`: number of rounds; Trichu: 3 to 30, divisible by three [9] (O5); Grand Seigneur: 1 to
      99, or open-ended [0] (O7)
    - `players`: number of people in Grand Seigneur, 5 to 12 [6] (O7)
    - `decks`: decks of Grand Seigneur, 2, or as many as the players need [0] (O7)
    - `wish_policy`: treatment of a missed wish, one of `WISH_POLICIES` ["enforced"]; Grand Seigneur
      always enforces it (O6)
    - `bomb_window_ms`: length of a bomb window, 1000 to 10000; the caller applies it [2000] (O8)

    Raises `IllegalAction` with code ``option`` if a value is not allowed, and with
    ``option-of-other-game`` if the game does not have the option.
    """

    variant: str = "nanjing"
    direction: str = "anticlockwise"
    dealing: str = "dealt"
    target: Points | None = None
    rounds: int | None = None
    players: int | None = None
    decks: int | None = None
    wish_policy: str = "enforced"
    bomb_window_ms: int = 2000

    def __post_init__(self) -> None:
        if self.variant not in CHOICES:
            shown = " / ".join(CHOICES)
            raise IllegalAction(
                Reason.OPTION, "O1", option="variant", value=self.variant, allowed=shown
            )
        choices = self._choices()
        for name, rule in _OWN.items():
            value = getattr(self, name)
            if name not in choices and value is not None:
                raise IllegalAction(
                    Reason.OPTION_OF_OTHER_GAME, rule, option=name, variant=self.variant
                )
            if name in choices and value is None:
                object.__setattr__(self, name, choices[name].default)
        for name, choice in choices.items():
            self._require(name, choice)

    def _choices(self) -> dict[str, Choice]:
        """Return all options of this game with their allowed values."""
        return {**_SHARED, **CHOICES[self.variant]}

    def _require(self, name: str, choice: Choice) -> None:
        """Raise `IllegalAction` unless the option has an allowed value."""
        value, allowed = getattr(self, name), choice.allowed
        if type(value) is not (int if isinstance(allowed, range) else str) or value not in allowed:
            shown = (
                f"{allowed.start}..{allowed[-1]} step {allowed.step}"
                if isinstance(allowed, range)
                else " / ".join(allowed)
            )
            raise IllegalAction(Reason.OPTION, choice.rule, option=name, value=value, allowed=shown)

    @property
    def clockwise(self) -> bool:
        """True if play runs clockwise, which mirrors every right and left (N24)."""
        return self.direction == "clockwise"

    @property
    def wish_penalty(self) -> bool:
        """True if a missed wish is accepted and punished instead of refused (N37)."""
        return self.wish_policy == "penalty"

    def non_defaults(self) -> dict[str, Any]:
        """Return the options that differ from their defaults, by name in notation.

        The variant is not among them.
        """
        return {
            _NAMES.get(name, name): getattr(self, name)
            for name, choice in self._choices().items()
            if getattr(self, name) != choice.default
        }

    def for_variant(self, variant: str) -> Options:
        """Return options for another game, keeping the chosen values that it allows (O1).

        Raises `IllegalAction` with code ``option`` if there is no such game.
        """
        other = Options(variant)
        choices, chosen = other._choices(), self._choices()
        kept = {
            name: value
            for name, choice in choices.items()
            if name in chosen
            and (value := getattr(self, name)) != chosen[name].default
            and value in choice.allowed
        }
        return replace(other, **kept)

    @classmethod
    def from_values(cls, variant: str, values: Mapping[str, Any]) -> Options:
        """Return the options of a game from their values by name in notation.

        Raises `NotationError` for an unknown name, and `IllegalAction` as the constructor does.
        """
        known = {_NAMES.get(field.name, field.name): field.name for field in fields(cls)}
        for name in values:
            if name not in known or name == "variant":
                raise NotationError(f"{name!r} is not an option")
        return cls(variant=variant, **{known[name]: value for name, value in values.items()})
