"""What a command is, and what it needs beside the table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar

from bot.ids import UserId
from bot.records import PersonalSettings
from bot.table.dealing import DrawSecret, Prepared, nothing_prepared
from bot.table.outcome import Outcome
from bot.table.personal import NOTHING_CHOSEN
from bot.table.state import OpenTable


@dataclass(frozen=True, slots=True)
class Context:
    """What a command needs beside the table."""

    now: datetime
    """The time of day."""
    draw: DrawSecret = field(repr=False)
    """Draws the secret of a deal."""
    prepare: Callable[[OpenTable], Prepared] = nothing_prepared
    """Says what of a deal is not to be drawn."""
    ratings: Mapping[UserId, int] = field(default_factory=dict)
    """By user the rating as it is shown, for a command that needs it."""
    settings: Mapping[UserId, PersonalSettings] = field(default_factory=dict)
    """By user what they have chosen about their own game, for a command that needs it."""

    def settings_of(self, user_id: UserId) -> PersonalSettings:
        """What this person has chosen about their own game."""
        return self.settings.get(user_id, NOTHING_CHOSEN)


@dataclass(frozen=True, slots=True)
class Command(ABC):
    """Something that a person asks of a table."""

    needs_ratings: ClassVar[bool] = False
    """Whether the ratings of the people at the table have to be read for it."""
    needs_settings: ClassVar[bool] = False
    """Whether it has to know what these people, and who gives it, chose about their own game."""

    @property
    def others(self) -> tuple[UserId, ...]:
        """People whom it brings to the table, beside whoever gives it."""
        return ()

    @abstractmethod
    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome | None:
        """The outcome of the command, given by this user; `None` if there is nothing to change.

        Raises `Refused` (`Stale` for a button of an earlier position) and `IllegalAction`.
        """
