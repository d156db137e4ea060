"""Who sat at a table when: seats get other owners while a match is played (`bot.table.seats`).

Used wherever a match is gone through again: its replay, its files, its page, what is rebuilt of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bot.records import RoundRecord, SeatChangeRecord
from bot.storage import Store
from bot.table.state import Chair, TableState

SeatedRound = tuple[TableState, RoundRecord]
"""A finished round, and the table as it sat at its end."""


def seated(state: TableState, sittings: Iterable[SeatChangeRecord]) -> TableState:
    """The table with these people and computer players in their seats; of two the later one."""
    new = list(sittings)
    if not new:
        return state
    chairs = list(state.chairs)
    for one in new:
        chairs[one.seat] = Chair(seat=one.seat, kind=one.kind, user_id=one.user_id, name=one.name)
    return replace(state, chairs=tuple(chairs))


def seated_at(state: TableState, sittings: Iterable[SeatChangeRecord], seq: int) -> TableState:
    """The table as it sat when the action `seq` was taken, from all sittings of its match."""
    return seated(state, (one for one in sittings if one.seq <= seq))


async def seated_rounds(store: Store, table: TableState) -> list[SeatedRound]:
    """The finished rounds of a table, by number."""
    rounds = await store.history.rounds(table.id)
    ends = await store.history.round_ends(table.id)
    sittings = await store.tables.seat_changes(table.id)
    return [(seated_at(table, sittings, ends.get(one.number, 0)), one) for one in rounds]
