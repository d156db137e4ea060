"""Players of the seats at any time of a match, during which they can change.

Used by everything that replays a match: its replay, its files, its page, and a rebuild.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.records import RoundRecord, SeatChangeRecord, Seq
from bot.table.state import TableState, chair_of

SeatedRound = tuple[TableState, RoundRecord]
"""Finished round, and the table with its players at the end of it."""


def with_seat_changes(state: TableState, seat_changes: Iterable[SeatChangeRecord]) -> TableState:
    """Return the table after these changes of seats, in their order."""
    for change in seat_changes:
        state = state.with_chair(chair_of(change))
    return state


def with_seats_at(
    state: TableState, seat_changes: Iterable[SeatChangeRecord], seq: Seq
) -> TableState:
    """Return the table with its players at the action `seq`, from all its changes of seats."""
    return with_seat_changes(state, (change for change in seat_changes if change.seq <= seq))
