"""Options of a table, fixed at the start of the match."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
)

from bot.errors import Reason, Refused
from bot.ids import ClubEventId
from engine import VARIANTS, Options, Seat, Variant
from players.levels import Level

Pace = Literal["human", "quick"]

LIVE_S = range(20, 901)
"""Turn limits at live pace, in seconds, for players who are present."""
TURN_BASED_S = (8 * 3600, 24 * 3600, 72 * 3600)
"""Turn limits at turn-based pace, in seconds: 8 hours, 1 day, 3 days."""

CHANGEABLE = frozenset(
    {"variant", "target", "rounds", "decks", "direction", "dealing", "wish_policy"}
    | {"bomb_window_ms", "turn_limit_s", "computers", "pace", "hints", "auto_start"}
)
"""Names of the option fields that the host may change in the lobby.

Managers of a server set the defaults of `/tichu new` with the same names.
"""

_RULES = frozenset(field.name for field in fields(Options))


def _turn_limit(seconds: int) -> int:
    """Return a valid turn limit; raise `ValueError` for any other."""
    if seconds not in LIVE_S and seconds not in TURN_BASED_S:
        raise ValueError("no turn has this limit")
    return seconds


class ServerPolicy(BaseModel):
    """Settings of the server when the table was opened."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    pictures: bool = True
    """True if pictures of the table and of its scores are posted."""
    hints: bool = True
    """True if the table may have hints."""
    nudge_s: Annotated[int, Field(ge=10, le=600)] | None = None
    """Seconds before awaited people are nudged; `None`: derived from the turn limit."""


class EventLink(BaseModel):
    """The match of a club event for which a table was opened."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    event: ClubEventId
    """Number of the event."""
    round: int
    """Number of the round, from 1."""
    match: int
    """Position of the match in its round, from 0."""
    draw: int
    """Number of the action that drew the round; another draw makes the table obsolete."""
    rounds: Annotated[int, Field(ge=1, le=99)] | None = None
    """Rounds after which the match ends, at any score; `None`: as its rules say."""
    entrants_only: bool = False
    """True if only people whom the event names can sit there (`Invitations.entrants`)."""
    forfeit: bool = False
    """True if the match does not start while nobody of a side is there."""
    until: AwareDatetime | None = None
    """Time until which people can come, at which the event closes the lobby; `None`: soon."""
    same_deals: bool = False
    """True if all tables of the round play the same deals (`bot.table.dealing`)."""


class TableOptions(BaseModel):
    """Options of a table, stored as JSON: rules, and settings of people and computers."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        hide_input_in_errors=True,
        validate_by_name=True,
        serialize_by_alias=True,
    )

    rules: Options = Options()
    """Options of the engine; `players` is fixed at the start (see `with_players`)."""
    turn_limit_s: Annotated[int, AfterValidator(_turn_limit)] = 90
    """Turn limit in seconds, after which a computer player moves.

    It is in `LIVE_S`, or in `TURN_BASED_S` at a turn-based table.
    """
    nudge_s: Annotated[int, Field(ge=10, le=600)] = 30
    """Seconds before awaited people are nudged; at live pace only."""
    pace: Pace = "human"
    """Length of computer players' pauses before they move."""
    computers: Level = "expert"
    """Level of computer players."""
    hints: bool = False
    """True if people may ask an Expert; the match is not rated."""
    auto_start: bool = False
    """True if the match starts automatically when all seats are taken."""
    first_dealer: Seat | None = None
    """Seat of the first dealer; `None`: drawn with the first deal."""
    policy: Annotated[ServerPolicy, Field(alias="house")] = ServerPolicy()
    """Settings of the server, which cannot be changed at the table."""
    event: EventLink | None = None
    """Match of an event that is played here; `None` at all other tables."""

    @property
    def variant(self) -> str:
        """Name of the game, such as ``nanjing``."""
        return self.rules.variant

    @property
    def game(self) -> Variant:
        """The variant that is played."""
        return VARIANTS[self.rules.variant]

    @property
    def turn_based(self) -> bool:
        """Return whether turns last hours or days."""
        return self.turn_limit_s in TURN_BASED_S

    @property
    def rounds(self) -> int | None:
        """Number of rounds of the match; `None` or 0 if it has no fixed number."""
        agreed = None if self.event is None else self.event.rounds
        return agreed or self.rules.rounds

    @property
    def target(self) -> int | None:
        """Target score of the match, if it has one."""
        return None if self.rounds else self.rules.target

    @property
    def rated(self) -> bool:
        """Return whether the rounds count for ratings and leaderboards."""
        return not self.hints

    @property
    def lobby_chairs(self) -> int:
        """Number of chairs in a lobby, as many as the game allows."""
        return self.game.people[-1]

    @property
    def teams(self) -> tuple[tuple[Seat, ...], ...]:
        """Chairs of the two teams; empty in a game without fixed partners."""
        return self.game.lobby_teams(self.rules) if self.game.fixed_partners else ()

    def changed(self, name: str, value: str) -> Self:
        """Return a copy with another value of an option in `CHANGEABLE`.

        Name and value are text. A change of the game keeps all other rules that the new game has,
        too. Raises `IllegalAction` for a value that a rule cannot have. Raises `Refused` for any
        other invalid value or an option that cannot be changed (``unknown-button``), and for hints
        if the server forbids them (``no-hints-allowed``).
        """
        if name not in CHANGEABLE:
            raise Refused(Reason.UNKNOWN_BUTTON)
        changes: dict[str, Any] = {name: value}
        if name == "variant":
            changes = {"rules": self.rules.for_variant(value), "first_dealer": None}
        elif name in _RULES:
            chosen: Any = int(value) if value.isdecimal() else value
            changes = {"rules": replace(self.rules, **{name: chosen})}
        elif name == "turn_limit_s":
            limit = int(value) if value.isdecimal() else 0
            changes["nudge_s"] = nudge_after(limit, self.policy.nudge_s)
        try:
            after = type(self).model_validate({**dict(self), **changes})
        except ValidationError:
            raise Refused(Reason.UNKNOWN_BUTTON) from None
        if after.hints and not self.policy.hints:
            raise Refused(Reason.NO_HINTS_ALLOWED)
        return after

    @property
    def digest(self) -> str:
        """16 letters and digits that change with any option."""
        return hashlib.blake2b(self.model_dump_json().encode(), digest_size=8).hexdigest()

    def all_changed(self, choices: Iterable[tuple[str, str]], digest: str) -> Self:
        """Return a copy with these names and values changed (see `changed`).

        They were chosen when the options had this `digest`. Raises `Refused`
        (``chosen-meanwhile``) if it is another one now.
        """
        if digest != self.digest:
            raise Refused(Reason.CHOSEN_MEANWHILE)
        after = self
        for name, value in choices:
            after = after.changed(name, value)
        return after

    def with_policy(self, policy: ServerPolicy) -> Self:
        """Return a copy with the server's settings, for a new table."""
        nudge_s = nudge_after(self.turn_limit_s, policy.nudge_s)
        hints = self.hints and policy.hints
        return self.model_copy(update={"policy": policy, "nudge_s": nudge_s, "hints": hints})

    def with_players(self, players: int | None) -> Self:
        """Return a copy for this number of players, or with the number open (`None`).

        It is unchanged if the game has a fixed number of players.
        """
        if len(self.game.people) == 1:
            return self
        return self.model_copy(update={"rules": replace(self.rules, players=players)})


_EARLIEST_NUDGE_S, _LATEST_DEFAULT_NUDGE_S = 10, 30
_LEFT_AFTER_NUDGE_S = 10
"""Seconds of a turn that must be left after a nudge."""


def nudge_after(turn_limit_s: int, chosen_s: int | None = None) -> int:
    """Return the seconds before a nudge, at least `_EARLIEST_NUDGE_S`.

    By default the nudge comes after half the turn limit, but at most `_LATEST_DEFAULT_NUDGE_S`. If
    the server has chosen a time, `chosen_s`, it comes then, but early enough to leave
    `_LEFT_AFTER_NUDGE_S` of the turn.
    """
    if chosen_s is None:
        nudge_s = min(_LATEST_DEFAULT_NUDGE_S, turn_limit_s // 2)
    else:
        nudge_s = min(chosen_s, turn_limit_s - _LEFT_AFTER_NUDGE_S)
    return max(_EARLIEST_NUDGE_S, nudge_s)
