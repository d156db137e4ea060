"""Rounds and matches derived anew from the actions of a table: `python -m bot rebuild`.

It gives what `bot.table.batch` stored when they were played, for it counts the same way.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from bot.history.seat_history import seated
from bot.rating.tallies import first_recent_day
from bot.records import ActionRecord, MatchRecord, RoundRecord, SeatChangeRecord, TableRecord
from bot.runtime.logs import kind_and_place
from bot.storage import Derived, Rebuilt, Store
from bot.table.action_log import ReplayError, step
from bot.table.attribution import Turns, counted, is_turn
from bot.table.restore import restored
from bot.table.results import match_record, round_record, rounds_counted
from bot.table.state import Desk, TableState
from engine.actions import CLOCK
from engine.events import MatchEnded, RoundDealt, RoundEnded
from engine.state import Match

log = logging.getLogger(__name__)


async def rebuild(store: Store, now: datetime) -> Rebuilt:
    """Derive everything in the store anew; tables that cannot be played again are left alone."""
    return await store.history.rebuild(_derived, first_recent_day(now))


def _derived(
    record: TableRecord, actions: list[ActionRecord], seat_changes: list[SeatChangeRecord]
) -> Derived | None:
    try:
        ended = list(ended_in(record, actions, seat_changes))
    except ReplayError as error:
        log.error("table %s is left as it is: %s", record.id, error)
        return None
    except Exception as error:  # noqa: BLE001 - its text may hold cards; the others go on
        log.error("table %s is left as it is: %s", record.id, kind_and_place(error))
        return None
    rounds = tuple(record for record in ended if isinstance(record, RoundRecord))
    matches = (record for record in ended if isinstance(record, MatchRecord))
    return Derived(rounds, next(matches, None))


def ended_in(
    record: TableRecord, actions: Sequence[ActionRecord], seat_changes: Sequence[SeatChangeRecord]
) -> Iterator[RoundRecord | MatchRecord]:
    """The finished rounds of a table, and its match if that is over. Raises `ReplayError`."""
    state = replace(restored(record, ()), desk=Desk())
    rules = state.options.rules()
    match: Match | None = None
    turns: Turns = {}
    for action in actions:
        state = seated(state, (change for change in seat_changes if change.seq == action.seq))
        try:
            match, events = step(match, rules, action.seat, action.text)
        except ValueError:  # which all errors of the engine are
            raise ReplayError(action.seq) from None
        turns = _turn_counted(turns, match, action)
        for event in events:
            if isinstance(event, RoundDealt):
                turns = {}
            elif isinstance(event, RoundEnded):
                state = _with(replace(state, match=match), turns=turns)
                round_ = round_record(state, event.result, action.at)
                state = _with(state, rounds=rounds_counted(state, round_))
                yield round_
            elif isinstance(event, MatchEnded):
                yield match_record(replace(state, match=match), action.at, "finished")
    last = actions[-1].seq if actions else 0
    state = seated(
        replace(state, match=match), (change for change in seat_changes if change.seq > last)
    )
    if record.status == "stopped" and state.round is not None and record.ended_at is not None:
        yield match_record(state, record.ended_at, "stopped")


def _turn_counted(turns: Turns, match: Match, action: ActionRecord) -> Turns:
    """The turns of the round on the table, with this action if it is one."""
    if action.seat == CLOCK or match.round is None or not is_turn(action.text):
        return turns
    return counted(turns, match.variant.actor(match.round, action.seat), action.actor_id)


def _with(state: TableState, **values: object) -> TableState:
    return replace(state, desk=state.desk.model_copy(update=values))
