"""What a seat sees and may do, for the pages of its player."""

from __future__ import annotations

from dataclasses import dataclass

from bot.table.state import TableState
from engine.foresight import after_quiet_window
from engine.state import WINDOWS
from engine.view import View, view


@dataclass(frozen=True, slots=True)
class Situation:
    """What a seat sees, and what it may do. The two differ only while a bomb window is open."""

    now: View
    """The view of the seat now."""
    live: View
    """The view with the controls that work: in a window, of whoever plays next, that after it."""


def situation(state: TableState, seat: int) -> Situation:
    """What this seat sees and may do now."""
    assert state.match is not None
    now = view(state.match, seat)
    round_ = state.round
    assert round_ is not None
    if round_.phase in WINDOWS and round_.turn == seat and not round_.asked:
        return Situation(now, view(after_quiet_window(state.match), seat))
    return Situation(now, now)
