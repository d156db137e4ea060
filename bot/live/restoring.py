"""Reads tables from storage: all of them at the start, or a single one.

A table is restored from its stored details and a replay of its actions. Its undelivered messages
are read as well.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from bot.ids import ChannelId, TableId
from bot.live.events import Outgoing, Restored
from bot.live.registry import Damaged
from bot.records import ActionRecord, Count, OutboxEntry, TableRecord
from bot.runtime.logs import kind_and_place, new_error_id
from bot.storage import Store
from bot.table.action_log import ReplayError, is_deal
from bot.table.posts import UNDELIVERED_FOR, ResultPost, read_post
from bot.table.restore import restore_table, restore_table_at
from bot.table.state import Game, OpenTable

log = logging.getLogger(__name__)


class StoredTable(NamedTuple):
    """A table read from storage, with its undelivered messages."""

    event: Restored
    """Event to dispatch when the table is activated."""
    version: Count
    """Its stored version."""
    last_post: Count
    """Number of its last undelivered message, 0 if there is none."""


async def read_all(
    store: Store, now: datetime, wanted: Callable[[TableRecord], bool]
) -> list[StoredTable | Damaged]:
    """Return the `wanted` tables that are open or have undelivered messages.

    Expired messages are deleted first. If a table cannot be read, instructions for the operator are
    logged. If it is open, it is returned as `Damaged`, so that its players can be notified.
    """
    if expired := await store.tables.forget_undelivered(now - UNDELIVERED_FOR):
        log.warning("dropped %s undelivered messages that had expired", expired)
    undelivered = await store.tables.undelivered()
    records = await store.tables.all_open()
    open_ids = {record.id for record in records}
    for table_id in undelivered:
        finished = await store.tables.get(table_id) if table_id not in open_ids else None
        if finished is not None:
            records.append(finished)
    tables: list[StoredTable | Damaged] = []
    for record in filter(wanted, records):
        try:
            tables.append(await _read(store, record, undelivered.get(record.id, ())))
        except ReplayError as error:
            damaged = report_damaged(record.id, record.channel_id, error)
            if record.id in open_ids:
                tables.append(damaged)
    return tables


def report_damaged(table_id: TableId, channel_id: ChannelId, error: ReplayError) -> Damaged:
    """Log that a table is damaged; return a record with the id of the log line."""
    error_id = new_error_id()
    log.error(
        "table %s is damaged and stays closed: %s; run `python -m bot check`, and restore a "
        "backup if the table is worth it",
        *(table_id, error),
        extra={"error": error_id},
    )
    return Damaged(table_id, channel_id, error_id)


async def read_one(store: Store, table_id: TableId) -> StoredTable:
    """Return one stored table, open or over. Raise `ReplayError` if it is missing or damaged."""
    record = await store.tables.get(table_id)
    if record is None:
        raise ReplayError(0)
    undelivered = await store.tables.undelivered()
    return await _read(store, record, undelivered.get(table_id, ()))


async def _read(store: Store, record: TableRecord, entries: Sequence[OutboxEntry]) -> StoredTable:
    """Return a table with its undelivered messages `entries`.

    A message that cannot be read is left out, but stays stored for a version that can read it.
    Raises `ReplayError` if the table cannot be restored for any reason.
    """
    actions = await store.tables.actions(record.id)
    try:
        table = restore_table(record, actions)
        round_before = _round_before(table, actions)
    except ReplayError:
        raise
    except Exception as error:  # noqa: BLE001 - its text may contain cards
        log.error("table %s: restore failed: %s", record.id, kind_and_place(error))
        raise ReplayError(0) from None
    outgoing: list[Outgoing] = []
    for entry in entries:
        try:
            outgoing.append(_outgoing(table, actions, entry))
        except (ReplayError, ValueError) as error:
            number = entry.number
            log.error("table %s: skipping unreadable message %s: %s", record.id, number, error)
    last_post = max((entry.number for entry in entries), default=0)
    return StoredTable(Restored(table, tuple(outgoing), round_before), record.version, last_post)


def _round_before(table: OpenTable, actions: Sequence[ActionRecord]) -> Game | None:
    """Return the value of `Restored.round_before`; raise `ReplayError`."""
    if not isinstance(table, Game) or not table.running or not table.messages.result:
        return None
    deals = [number for number, action in enumerate(actions) if is_deal(action)]
    before = restore_table_at(table, actions, deals[-1]) if len(deals) > 1 else None
    return before if isinstance(before, Game) else None


def _outgoing(table: OpenTable, actions: Sequence[ActionRecord], entry: OutboxEntry) -> Outgoing:
    """Return a stored message with the state of the table when it was created."""
    post = read_post(entry)
    seq = post.seq if isinstance(post, ResultPost) else len(actions)
    return Outgoing(entry, restore_table_at(table, actions, seq))
