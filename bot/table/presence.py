"""People who are away: a computer player acts for them, and they come back with any click.

Who lets his turn limit pass is away until he is back. When nobody is there any more, the round is
still played to its end; then the table pauses, until somebody who sits there clicks.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.table.deadlines import deadlines
from bot.table.state import TableState
from engine.state import Phase


def returned(state: TableState, user_id: int | None, now: datetime) -> TableState:
    """The table with this person back at it; as it is if he is not away, or does not sit there.

    A table that was paused because everybody was away goes on. If it is his turn, his time starts.
    """
    seat = state.seat_of(user_id) if user_id is not None else None
    if seat is None or seat not in state.desk.away or not state.running:
        return state
    away = tuple(other for other in state.desk.away if other != seat)
    return somebody_came(state, _with(state, away=away), now)


def somebody_came(before: TableState, after: TableState, now: datetime) -> TableState:
    """A table that somebody has come to, its clock set for him; a pause for want of people ends.

    What still runs is told by the deadlines of `after`.
    """
    if before.desk.paused and before.deserted and not after.deserted:
        after = _with(after, paused=False)
    times = deadlines(_with(before, deadlines=after.desk.deadlines), after, now)
    return _with(after, deadlines=times)


def pauses_now(state: TableState) -> bool:
    """Whether the table waits between two rounds because nobody is there to play the next."""
    return state.running and state.phase is Phase.ROUND_END and state.deserted


def _with(state: TableState, **values: object) -> TableState:
    return replace(state, desk=state.desk.model_copy(update=values))
