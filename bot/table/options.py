"""What is chosen with ``/tichu new`` and fixed when the match starts."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from bot.errors import Reason, Refused
from engine import VARIANTS, Options, Seat, Variant
from players.levels import Level

Pace = Literal["human", "quick"]

LIVE_S = range(20, 901)
"""The limits of a turn at live pace, in seconds: everybody is there while they play."""
TURN_BASED_S = (8 * 3600, 24 * 3600, 72 * 3600)
"""The limits of a turn at turn-based pace, in seconds: 8 hours, 1 day, 3 days."""

CHANGEABLE = frozenset(
    {"variant", "target", "rounds", "decks", "direction", "dealing", "wish_policy"}
    | {"bomb_window_ms", "turn_limit_s", "computers", "pace", "hints", "auto_start"}
)
"""The options that the host may change in the lobby, by the names of their fields.

Managers of a server choose with the same names what `/tichu new` takes where nothing is said.
"""

_RULES = frozenset(field.name for field in fields(Options))


def _turn_limit(seconds: int) -> int:
    """A limit that a turn can have. Raises `ValueError` for any other."""
    if seconds not in LIVE_S and seconds not in TURN_BASED_S:
        raise ValueError("no turn has this limit")
    return seconds


class House(BaseModel):
    """What the server wants of its tables: as managers had chosen it when this one was opened."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    pictures: bool = True
    """Whether pictures of the table and of its scores are posted."""
    hints: bool = True
    """Whether the table may have hints."""
    nudge_s: Annotated[int, Field(ge=10, le=600)] | None = None
    """Seconds after which whoever is waited for is nudged; `None`: it follows the turn limit."""


class TableOptions(BaseModel):
    """The options of a table: the rules of its match, and how people and computers play it.

    Stored as JSON. Older versions stored the fields of `rules` beside the others: both are read.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    rules: Options = Options()
    """The engine's options. `players` is fixed by the start of the match (see `with_players`)."""
    turn_limit_s: Annotated[int, AfterValidator(_turn_limit)] = 90
    """Seconds a person has for a turn before a computer player moves in their place.

    One of `LIVE_S`; or one of `TURN_BASED_S`, which makes the table turn-based.
    """
    nudge_s: Annotated[int, Field(ge=10, le=600)] = 30
    """Seconds after which whoever is waited for is nudged; at live pace only."""
    pace: Pace = "human"
    """How long computer players pause before they move."""
    computers: Level = "expert"
    """How well computer players play."""
    hints: bool = False
    """Whether people may ask what an Expert would do. Such a match is never rated."""
    auto_start: bool = False
    """Whether the match starts by itself, after a countdown, when the last seat has been taken."""
    first_dealer: Seat | None = None
    """The seat that deals first; by default it is drawn with the first deal."""
    house: House = House()
    """What the server wants of its tables; nobody can change that at the table."""

    @model_validator(mode="before")
    @classmethod
    def _older_form(cls, given: Any) -> Any:
        """Collect rules that stand beside the other options, as versions before 0.2 stored them."""
        if not isinstance(given, dict) or not _RULES & given.keys():
            return given
        rules = {name: value for name, value in given.items() if name in _RULES}
        rest = {name: value for name, value in given.items() if name not in _RULES}
        return {**rest, "rules": rules}

    @property
    def variant(self) -> str:
        """The name of the game, such as ``nanjing``."""
        return self.rules.variant

    @property
    def game(self) -> Variant:
        """The variant that is played."""
        return VARIANTS[self.rules.variant]

    @property
    def turn_based(self) -> bool:
        """Whether people have hours or days for a turn, and are nudged when it begins."""
        return self.turn_limit_s in TURN_BASED_S

    @property
    def rated(self) -> bool:
        """Whether the rounds count for ratings and leaderboards."""
        return not self.hints

    @property
    def lobby_chairs(self) -> int:
        """The number of chairs in a lobby: as many as people can play the game."""
        return self.game.people[-1]

    @property
    def teams(self) -> tuple[tuple[Seat, ...], ...]:
        """The chairs of the two teams; empty in a game that is not played with fixed partners."""
        return self.game.lobby_teams(self.rules) if self.game.fixed_partners else ()

    def changed(self, name: str, value: str) -> Self:
        """These options with another value, given as text, of the option with this name.

        The names are those in `CHANGEABLE`. Another game has what was chosen for this one as far as
        it can. Raises `IllegalAction` for a value that a rule cannot have, `Refused`
        (``unknown-button``) for any other value, and for an option, that cannot be chosen, and
        (``no-hints-allowed``) for hints where the server allows none.
        """
        if name not in CHANGEABLE:
            raise Refused(Reason.UNKNOWN_BUTTON)
        changes: dict[str, Any] = {name: value}
        if name == "variant":
            changes = {"rules": self.rules.in_game(value), "first_dealer": None}
        elif name in _RULES:
            chosen: Any = int(value) if value.isdecimal() else value
            changes = {"rules": replace(self.rules, **{name: chosen})}
        elif name == "turn_limit_s":
            limit = int(value) if value.isdecimal() else 0
            changes["nudge_s"] = nudge_after(limit, self.house.nudge_s)
        try:
            after = type(self).model_validate({**dict(self), **changes})
        except ValidationError:
            raise Refused(Reason.UNKNOWN_BUTTON) from None
        if after.hints and not self.house.hints:
            raise Refused(Reason.NO_HINTS_ALLOWED)
        return after

    def in_house(self, house: House) -> Self:
        """These options for a table that is opened now, as the server wants it."""
        nudge_s = nudge_after(self.turn_limit_s, house.nudge_s)
        hints = self.hints and house.hints
        return self.model_copy(update={"house": house, "nudge_s": nudge_s, "hints": hints})

    def with_players(self, players: int | None) -> Self:
        """These options for a match of this number of players, where the game leaves a choice.

        With `None` the number is open again.
        """
        if len(self.game.people) == 1:
            return self
        return self.model_copy(update={"rules": replace(self.rules, players=players)})


_LEFT_S = 10
"""Seconds that are left for a turn after a nudge."""


def nudge_after(turn_limit_s: int, chosen_s: int | None = None) -> int:
    """Seconds after which whoever is waited for is nudged: half their time, but 10 to 30.

    If the server has `chosen_s`, that counts; but early enough that 10 s are left for the turn.
    """
    if chosen_s is None:
        return max(10, min(30, turn_limit_s // 2))
    return max(10, min(chosen_s, turn_limit_s - _LEFT_S))
