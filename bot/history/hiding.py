"""Hides the names of hidden users in past matches from all but their fellow players."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from bot.history.seat_history import SeatedRound
from bot.ids import UserId
from bot.records import MatchRecord
from bot.storage import Store
from bot.table.state import TableState


async def shown_matches(
    store: Store, matches: Collection[MatchRecord], reader: UserId
) -> tuple[MatchRecord, ...]:
    """Return these matches with the names that `reader` may see."""
    everybody = {seat.user_id for match in matches for seat in match.seats}
    hidden = await _hidden(store, everybody)
    return tuple(
        match
        if any(seat.user_id == reader for seat in match.seats)
        else _without_names(match, hidden)
        for match in matches
    )


async def shown_rounds(
    store: Store, rounds: Collection[SeatedRound], reader: UserId
) -> list[SeatedRound]:
    """Return the rounds of one table with the names that `reader` may see."""
    everybody = {user for table, _ in rounds for user in table.user_ids()}
    if reader in everybody:
        return list(rounds)
    hidden = await _hidden(store, everybody)
    return [(_nobody_named(table, hidden), round_) for table, round_ in rounds]


async def _hidden(store: Store, users: Iterable[UserId | None]) -> frozenset[UserId]:
    return await store.preferences.hidden({user for user in users if user is not None})


def _without_names(match: MatchRecord, hidden: Collection[UserId]) -> MatchRecord:
    seats = tuple(
        seat.model_copy(update={"name": ""}) if seat.user_id in hidden else seat
        for seat in match.seats
    )
    return match.model_copy(update={"seats": seats})


def _nobody_named(table: TableState, hidden: Collection[UserId]) -> TableState:
    chairs = tuple(
        chair.model_copy(update={"name": ""}) if chair.user_id in hidden else chair
        for chair in table.chairs
    )
    return replace(table, chairs=chairs)
