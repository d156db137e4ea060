"""Who sat at a table when: seats get other owners while a match is played (`bot.table.seats`).

Used wherever a match is gone through again: in its replay, its files, its page, and by a rebuild.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.records import RoundRecord, SeatChangeRecord, Seq
from bot.table.state import TableState, chair_of

SeatedRound = tuple[TableState, RoundRecord]
"""A finished round, and the table as it sat at its end."""


def seated(state: TableState, seat_changes: Iterable[SeatChangeRecord]) -> TableState:
    """The table after these changes of seats, in their order."""
    for change in seat_changes:
        state = state.with_chair(chair_of(change))
    return state


def seated_at(state: TableState, seat_changes: Iterable[SeatChangeRecord], seq: Seq) -> TableState:
    """The table as it sat when the action `seq` was taken, from all its changes of seats."""
    return seated(state, (change for change in seat_changes if change.seq <= seq))
