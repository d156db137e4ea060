"""Rebuilds rounds and matches from the actions of a table: `python -m bot rebuild`.

The result equals what `bot.table.batch` stored during play, because both count the same way.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Final

from bot.history.seat_history import with_seat_changes
from bot.rating.tallies import first_recent_day
from bot.records import (
    ActionRecord,
    MatchRecord,
    RoundRecord,
    SeatChangeRecord,
    Seq,
    TableRecord,
)
from bot.runtime.logs import kind_and_place
from bot.storage import Derived, RebuildResult, Store
from bot.table.action_log import ReplayError, apply_record
from bot.table.attribution import add_count, is_stored_turn
from bot.table.details import Turns
from bot.table.restore import restore_outline
from bot.table.results import add_round_credits, match_record, round_record
from bot.table.state import past_game
from engine import CLOCK, Match, MatchEnded, RoundDealt, RoundEnded

log = logging.getLogger(__name__)

DERIVATION: Final = 1
"""Version of the derivation of rounds, matches, ratings and leaderboards from actions.

Increment it whenever the same actions would give different data. At its next start the bot then
rebuilds everything. Profiles and achievements are computed when they are viewed.
"""


async def rebuild(
    store: Store, now: datetime, *, on_derived: Callable[[], object] = lambda: None
) -> RebuildResult:
    """Rebuild all derived data; skip tables that cannot be replayed.

    Call `on_derived` after each table.
    """

    def derive(
        record: TableRecord, actions: list[ActionRecord], seat_changes: list[SeatChangeRecord]
    ) -> Derived | None:
        derived = derive_table(record, actions, seat_changes)
        on_derived()
        if isinstance(derived, Derived):
            return derived
        log.error("table %s: skipped by the rebuild: %s", record.id, derived)
        return None

    rebuilt = await store.history.rebuild(derive, DERIVATION, first_recent_day(now))
    await store.rankings.move_window(rebuilt.first_recent_day)
    return rebuilt


async def needs_rebuild(store: Store) -> bool:
    """Return whether the stored data come from another version of the derivation."""
    return await store.history.is_outdated(DERIVATION)


def derive_table(
    record: TableRecord, actions: list[ActionRecord], seat_changes: list[SeatChangeRecord]
) -> Derived | str:
    """Derive the data of a table from its actions; return the reason if it fails."""
    try:
        records = list(_derived_records(record, actions, seat_changes))
    except ReplayError as error:
        return str(error)
    except Exception as error:  # noqa: BLE001 - its text may hold cards; continue with the others
        return kind_and_place(error)
    rounds = tuple(record for record in records if isinstance(record, RoundRecord))
    matches = (record for record in records if isinstance(record, MatchRecord))
    return Derived(rounds, next(matches, None))


def _derived_records(
    record: TableRecord, actions: Sequence[ActionRecord], seat_changes: Sequence[SeatChangeRecord]
) -> Iterator[RoundRecord | MatchRecord]:
    """Yield the records of a table's finished rounds, and of its match once it is over.

    Raise `ReplayError`.
    """
    table = restore_outline(record)
    match: Match | None = None
    turns: Turns = {}
    rounds: Turns = {}
    changes_at: dict[Seq, list[SeatChangeRecord]] = defaultdict(list)
    for change in seat_changes:
        changes_at[change.seq].append(change)

    for action in actions:
        table = with_seat_changes(table, changes_at.get(action.seq, ()))
        try:
            match, events = apply_record(match, table.options.rules, action.seat, action.text)
        except ValueError:  # which all errors of the engine are
            raise ReplayError(action.seq) from None
        turns = _with_turn_counted(turns, match, action)
        for event in events:
            if isinstance(event, RoundDealt):
                turns = {}
            if not isinstance(event, RoundEnded | MatchEnded):
                continue
            game = past_game(table, match).with_credits(turns=turns, rounds=rounds)
            if isinstance(event, RoundEnded):
                round_ = round_record(game, event.result, action.at)
                rounds = add_round_credits(game, round_)
                yield round_
            else:
                yield match_record(game, action.at, "finished")

    if record.status == "stopped" and match is not None and record.ended_at is not None:
        last = actions[-1].seq
        table = with_seat_changes(table, (change for change in seat_changes if change.seq > last))
        game = past_game(table, match).with_credits(turns=turns, rounds=rounds)
        yield match_record(game, record.ended_at, "stopped")


def _with_turn_counted(turns: Turns, match: Match, action: ActionRecord) -> Turns:
    """Return `turns` with this action counted, if it is a turn of a player."""
    if action.seat == CLOCK or match.round is None or not is_stored_turn(action.text):
        return turns
    return add_count(turns, match.variant.actor(match.round, action.seat), action.actor_id)
