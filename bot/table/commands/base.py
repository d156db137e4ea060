"""Base class of commands, and their context."""

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
    """Data that a command needs in addition to the table."""

    now: datetime
    """Current time."""
    draw: DrawSecret = field(repr=False)
    """Source of secrets for deals."""
    prepare: Callable[[OpenTable], Prepared] = nothing_prepared
    """Hook that returns the parts of a deal that are not drawn."""
    ratings: Mapping[UserId, int] = field(default_factory=dict)
    """Displayed ratings by user, for commands with `needs_ratings`."""
    settings: Mapping[UserId, PersonalSettings] = field(default_factory=dict)
    """Personal settings by user, for commands with `needs_settings`."""

    def settings_of(self, user_id: UserId) -> PersonalSettings:
        """Return the personal settings of this user."""
        return self.settings.get(user_id, NOTHING_CHOSEN)


@dataclass(frozen=True, slots=True)
class Command(ABC):
    """Request of a person at a table."""

    needs_ratings: ClassVar[bool] = False
    """True if the command needs the ratings of the people at the table."""
    needs_settings: ClassVar[bool] = False
    """True if the command needs the personal settings of its people."""

    @property
    def others(self) -> tuple[UserId, ...]:
        """Other people whom the command concerns."""
        return ()

    @abstractmethod
    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome | None:
        """Return the outcome for this user, or `None` if nothing changes.

        Raises `Refused` (`Stale` for a button of an earlier position) and `IllegalAction`.
        """
