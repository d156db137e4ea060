"""Integrity check of a database: `python -m bot check`.

It reads a copy, so the bot may continue to run and nothing is changed. No message contains a card
or the holder of a card.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from bot.boards.board import Board
from bot.club.event import restore as restore_event
from bot.history.rebuild import DERIVATION, derive_table
from bot.ids import ClubEventId, TableId
from bot.rating.ledger import LEDGER
from bot.rating.tallies import first_recent_day
from bot.records import ActionRecord, OutboxEntry, SeatChangeRecord, TableRecord
from bot.runtime.logs import kind_and_place
from bot.storage import Derived, StorageError, StorageUnavailable, Store
from bot.storage.check import ComparisonResult, file_faults
from bot.table.action_log import ReplayError, is_deal
from bot.table.posts import read_post
from bot.table.restore import restore_table
from bot.table.solo_game import result_of, solo_game
from bot.table.state import Game

_STALE_NAMES = {
    "ratings": "ratings",
    "rating_days": "ratings of past days",
    "standings": "lines of leaderboards",
    "tallies": "counters of the last thirty days",
}
"""Database table -> name of its rows, for ratings and leaderboards."""
_OUTDATED = (
    "Rounds, ratings and leaderboards are from an older version of the bot; this one rebuilds them "
    "while it runs."
)


class CheckResult(NamedTuple):
    """Result of a check, in sentences."""

    tables: int = 0
    """Number of tables with actions, all of which were replayed."""
    rounds: int = 0
    """Number of finished rounds."""
    matches: int = 0
    """Number of finished matches."""
    solo_rounds: int = 0
    """Number of rounds on boards, all of which were replayed."""
    damage: tuple[str, ...] = ()
    """Faults that only a backup can repair."""
    stale: tuple[str, ...] = ()
    """Faults that a rebuild repairs."""
    newest_move: datetime | None = None
    """Time of the newest action; `None` if there is none or it is unknown."""


async def check(
    copy: Path, now: datetime, *, on_replayed: Callable[[], object] = lambda: None
) -> CheckResult:
    """Check a copy of a database; upgrade the copy to the newest schema.

    Call `on_replayed` after each replayed table. Raise `StorageError` if the copy cannot be read.
    """
    if damage := file_faults(copy):
        return CheckResult(damage=tuple(damage))
    store = await Store.open(f"sqlite:///{copy}", LEDGER, keep=False)
    try:
        return await _check_store(store, now, on_replayed)
    finally:
        await store.close()


async def _check_store(
    store: Store, now: datetime, on_replayed: Callable[[], object]
) -> CheckResult:
    """Check an open database; replay every table and compare the derived data."""
    missing_parts = await store.history.missing_objects()
    damage = [f"It has lost the {kind} {name}." for kind, name in missing_parts]
    if {"table", "column"} & {kind for kind, _ in missing_parts}:
        return CheckResult(damage=tuple(damage))
    outdated = await store.history.is_outdated(DERIVATION)
    replayed: list[TableId] = []
    solo_rounds: Sequence[int] = ()
    last_moves: list[datetime] = []

    def derive(
        record: TableRecord, actions: list[ActionRecord], seat_changes: list[SeatChangeRecord]
    ) -> Derived | None:
        last_moves.append(actions[-1].at)
        derived = derive_table(record, actions, seat_changes)
        on_replayed()
        replayed.append(record.id)
        if isinstance(derived, str):
            damage.append(f"Table {record.id} cannot be replayed: {derived}.")
            return None
        faults = _table_faults(record, actions, seat_changes, derived)
        damage.extend(f"Table {record.id}: {fault}." for fault in faults)
        return derived

    compared: ComparisonResult | None = None
    try:
        await store.rankings.move_window(first_recent_day(now))
        compared = await store.history.compare(derive, DERIVATION)
        damage += await _open_table_faults(store, compared.skipped)
        solo_rounds = await store.boards.round_ids()
        for round_id in solo_rounds:
            damage += await _solo_round_faults(store, round_id)
        for event_id in await store.club_events.ids():
            damage += await _event_faults(store, event_id)
    except StorageUnavailable:
        raise
    except StorageError:  # not from SQLite, but from a record that rejects a value
        damage.append("There are rows with values that no version has written.")
    if compared is None:
        return CheckResult(len(replayed), damage=tuple(damage))
    unreadable = sorted(set(compared.skipped) - set(replayed))
    damage += [f"Table {table_id} cannot be read." for table_id in unreadable]
    stale = (_OUTDATED,) if outdated else tuple(_stale_data(compared))
    counts = (len(replayed), compared.rounds, compared.matches, len(solo_rounds))
    return CheckResult(*counts, tuple(damage), stale, max(last_moves, default=None))


def _table_faults(
    record: TableRecord,
    actions: Sequence[ActionRecord],
    seat_changes: Sequence[SeatChangeRecord],
    derived: Derived,
) -> Iterator[str]:
    """Yield the inconsistencies of a table that can be replayed, as clauses."""
    round_number = 0
    for number, action in enumerate(actions, 1):
        round_number += is_deal(action)
        if action.seq != number:
            yield f"action {number} is missing"
            break
        if action.round != round_number:
            yield (
                f"action {number} is stored for round {action.round}, but belongs to {round_number}"
            )
            break
    is_finished = derived.match is not None and derived.match.reason == "finished"
    if is_finished != (record.status == "finished"):
        yield "its match is over, but not closed" if is_finished else "its last actions are missing"
    last_seats = {change.seat: change.model_dump(exclude={"seq"}) for change in seat_changes}
    if last_seats and last_seats != {seat.seat: seat.model_dump() for seat in record.seats}:
        yield "other people sit there than sat down last"


async def _open_table_faults(store: Store, skipped: Collection[TableId]) -> list[str]:
    """Return the faults of open tables except `skipped` ones, and those of the outbox.

    `skipped` tables cannot be replayed, which is reported elsewhere.
    """
    faults = []
    for record in await store.tables.all_open():
        if record.id not in skipped:
            actions = await store.tables.actions(record.id)
            faults += [f"Table {record.id} {fault}." for fault in _restore_faults(record, actions)]
    for table_id, entries in (await store.tables.undelivered()).items():
        faults += [
            f"Table {table_id}: message {entry.number}, which waits for Discord, cannot be read."
            for entry in entries
            if not _is_readable(entry)
        ]
    return faults


def _restore_faults(record: TableRecord, actions: Sequence[ActionRecord]) -> Iterator[str]:
    """Yield the reason an open table cannot be restored, as the rest of a sentence."""
    try:
        table = restore_table(record, actions)
    except ReplayError as error:
        yield f"cannot be restored: {error}"
    except Exception as error:  # noqa: BLE001 - its text may hold cards
        yield f"cannot be restored: {kind_and_place(error)}"
    else:
        if isinstance(table, Game) and table.revision > table.seq:
            yield "has lost its last actions"


async def _solo_round_faults(store: Store, round_id: int) -> list[str]:
    """Return a sentence if a solo round does not follow from its deal."""
    round_ = await store.boards.round(round_id)
    assert round_ is not None, "nobody else changes the copy"
    record = await store.boards.board(round_.board_id)
    assert record is not None, "broken references are found in the file"
    try:
        result = result_of(solo_game(round_, Board.of(record)))
    except Exception as error:  # noqa: BLE001 - its text may hold cards
        return [f"Solo round {round_id} cannot be replayed: {kind_and_place(error)}."]
    stored = (round_.points, round_.call, round_.call_made, round_.place)
    is_over = round_.ended_at is not None
    if stored == (result or (None,) * len(stored)) and is_over == (result is not None):
        return []
    return [f"Solo round {round_id}: its result differs from the replay."]


async def _event_faults(store: Store, event_id: ClubEventId) -> list[str]:
    """Return a sentence if a club event does not follow from its actions."""
    stored = await store.club_events.get(event_id)
    assert stored is not None, "nobody else changes the copy"
    record = stored.record
    try:
        event = restore_event(
            record, stored.people, ((each.at, each.body) for each in stored.actions)
        )
    except Exception as error:  # noqa: BLE001 - its text may hold names
        return [f"Event {event_id} cannot be read: {kind_and_place(error)}."]
    numbers = [each.seq for each in stored.actions]
    if numbers != list(range(1, record.seq + 1)) or event.status != record.status:
        return [f"Event {event_id}: actions are missing."]
    named = {person for person, _ in event.answers} | {
        person for each in event.entrants for person in each.people
    }
    if missing := named - event.people.keys():
        return [f"Event {event_id}: {len(missing)} people of its actions are missing."]
    return []


def _is_readable(entry: OutboxEntry) -> bool:
    try:
        read_post(entry)
    except ValueError:
        return False
    return True


def _stale_data(compared: ComparisonResult) -> Iterator[str]:
    """Yield the differences in rounds, matches and leaderboards, as sentences."""
    for (table_id, number), fields in compared.games.items():
        subject = f"Table {table_id}, " + ("the match" if number is None else f"round {number}")
        if "missing" in fields:
            yield f"{subject}: it was played, but not all of it is stored."
        elif "extra" in fields:
            yield f"{subject}: more is stored than was played."
        else:
            yield f"{subject}: stored values differ from the replay ({', '.join(sorted(fields))})."
    for table, number in compared.books.items():
        yield f"{number} {_STALE_NAMES[table]} differ from what follows from the rounds."
