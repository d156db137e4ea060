"""Table options that change the game: checked once, then fixed for a match (rules section 13)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

from engine.errors import IllegalAction, NotationError, Reason
from engine.types import Points


class Choice(NamedTuple):
    """The values that an option may have in a game."""

    rule: str
    """The number of the rule that says so, such as ``O4``."""
    allowed: range | tuple[str, ...]
    """All values: whole numbers, or words."""
    default: int | str
    """The value of an option that is not given."""


TARGETS = range(100, 5001, 50)
"""The scores that a match may be played to (O4)."""
TARGET = Choice("O4", TARGETS, 1000)
CHOICES: dict[str, Mapping[str, Choice]] = {}
"""The options that not every game has, by game. `engine.variants` enters the games (section 13)."""
DIRECTIONS = ("anticlockwise", "clockwise")
"""Which way play runs (O2)."""
DEALINGS = ("dealt", "drawn")
"""How cards are handed out on screen (O3)."""
WISH_POLICIES = ("enforced", "penalty")
"""What happens to a missed wish: it is refused, or punished (O6)."""
WINDOWS_MS = range(1000, 10001)
"""The lengths that a bomb window may have, in milliseconds (O8)."""

_SHARED = {
    "direction": Choice("O2", DIRECTIONS, "anticlockwise"),
    "dealing": Choice("O3", DEALINGS, "dealt"),
    "wish_policy": Choice("O6", WISH_POLICIES, "enforced"),
    "bomb_window_ms": Choice("O8", WINDOWS_MS, 2000),
}
"""The options that every game has."""
_OWN = {"target": "O4", "rounds": "O5", "players": "O7", "decks": "O7"}
"""The options that only some games have, with the rule that says so."""
_NAMES = {"wish_policy": "wishPolicy", "bomb_window_ms": "bombWindowMs"}
"""The options that have another name in notation."""


@dataclass(frozen=True, slots=True)
class Options:
    """The rule options O1-O8; what is not given gets the default of the game.

    Raises `IllegalAction` with code ``option`` when a value is out of range, and with
    ``option-of-other-game`` when the game does not have the option.
    """

    variant: str = "nanjing"
    """The game, by its name in `engine.variants.VARIANTS` (O1)."""
    direction: str = "anticlockwise"
    """Which way play runs, one of `DIRECTIONS` (O2)."""
    dealing: str = "dealt"
    """How cards are handed out on screen, one of `DEALINGS`; changes only the pace (O3, N7)."""
    target: Points | None = None
    """The points that end the match, in games that are played to a target; else `None` (O4)."""
    rounds: int | None = None
    """The number of rounds, where it is agreed on; 0 for open-ended; else `None` (O5, O7)."""
    players: int | None = None
    """The number of people, in games where it varies; else `None` (O7)."""
    decks: int | None = None
    """2 for two decks, 0 for as many as the game needs; `None` where it is fixed (O7)."""
    wish_policy: str = "enforced"
    """What happens to a missed wish, one of `WISH_POLICIES` (O6)."""
    bomb_window_ms: int = 2000
    """The length of a bomb window in milliseconds. The engine itself knows no time (O8)."""

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
        """All options of this game, each with the values that it may have."""
        return {**_SHARED, **CHOICES[self.variant]}

    def _require(self, name: str, choice: Choice) -> None:
        """Raise unless the option has one of the values it may have."""
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

    def in_game(self, variant: str) -> Options:
        """Another game, with what was chosen for this one as far as the other has it (O1).

        Raises `IllegalAction` (``option``) if there is no such game.
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
    def of(cls, variant: str, values: Mapping[str, Any]) -> Options:
        """The options of a game from their values by notation name.

        Raises `NotationError` for a name that is none, else what `Options` raises.
        """
        known = {_NAMES.get(field.name, field.name): field.name for field in fields(cls)}
        for name in values:
            if name not in known or name == "variant":
                raise NotationError(f"{name!r} is not an option")
        return cls(variant=variant, **{known[name]: value for name, value in values.items()})
