"""What the tables tell whoever shows them: the Discord surface listens, and changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.table.state import OpenTable
from engine.events import Event


@dataclass(frozen=True, slots=True)
class Happened:
    """One committed change: the states before and after, the engine's events, who clicked."""

    before: OpenTable | None
    after: OpenTable
    events: Sequence[Event] = ()
    actor_id: int | None = None


class Listener(Protocol):
    """Who shows what happened; its methods return at once and must not raise."""

    def happened(self, what: Happened) -> None: ...

    def nudge(self, state: OpenTable, user_ids: tuple[int, ...]) -> None: ...

    def remembered(self, state: OpenTable) -> None: ...
