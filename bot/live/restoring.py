"""Tables read back from the store: all of them at start-up, or one that only the store knows.

A table is what is stored of it beside its actions, the actions played again, and the messages that
have not reached its channel.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from bot.ids import TableId
from bot.live.events import Outgoing, Restored
from bot.records import ActionRecord, Count, OutboxEntry, TableRecord
from bot.storage import Store
from bot.table.action_log import ReplayError, is_deal
from bot.table.posts import UNDELIVERED_FOR, ResultPost, read_post
from bot.table.restore import restored, restored_at
from bot.table.state import Game, OpenTable

log = logging.getLogger(__name__)


class Found(NamedTuple):
    """A table that was read back."""

    event: Restored
    """What is to be told of it."""
    version: Count
    """Its stored version."""
    last_post: Count
    """The number of its last undelivered message, 0 if there is none."""


async def read_all(store: Store, now: datetime) -> list[Found]:
    """The tables that are open, and those that are over but have undelivered messages.

    A table that cannot be restored is logged and left out. Messages that nobody needs any more
    are removed first.
    """
    if forgotten := await store.tables.forget_undelivered(now - UNDELIVERED_FOR):
        log.warning("%s messages could not be delivered for too long", forgotten)
    undelivered = await store.tables.undelivered()
    records = await store.tables.all_open()
    still_open = {record.id for record in records}
    for table_id in undelivered:
        over = await store.tables.get(table_id) if table_id not in still_open else None
        if over is not None:
            records.append(over)
    found = []
    for record in records:
        try:
            found.append(await _read(store, record, undelivered.get(record.id, ())))
        except (ReplayError, ValueError) as error:
            log.error("table %s is not restored: %s", record.id, error)
    return found


async def read_one(store: Store, table_id: TableId) -> Found:
    """One table, open or over. Raises `ReplayError`, also when it is not stored."""
    record = await store.tables.get(table_id)
    if record is None:
        raise ReplayError(0)
    undelivered = await store.tables.undelivered()
    return await _read(store, record, undelivered.get(table_id, ()))


async def _read(store: Store, record: TableRecord, entries: Sequence[OutboxEntry]) -> Found:
    """A table, with the messages `entries` that have not reached its channel.

    A message that cannot be read is left out, but keeps its number: it stays in the store, for a
    version that can read it. Raises `ReplayError`.
    """
    actions = await store.tables.actions(record.id)
    table = restored(record, actions)
    outgoing: list[Outgoing] = []
    for entry in entries:
        try:
            outgoing.append(_outgoing(record, actions, entry))
        except (ReplayError, ValueError) as error:
            number = entry.number
            log.error("table %s: message %s is left out: %s", record.id, number, error)
    last_post = max((entry.number for entry in entries), default=0)
    round_before = _round_before(record, actions, table)
    return Found(Restored(table, tuple(outgoing), round_before), record.version, last_post)


def _round_before(
    record: TableRecord, actions: Sequence[ActionRecord], table: OpenTable
) -> Game | None:
    """What `Restored.round_before` says. Raises `ReplayError`."""
    if not isinstance(table, Game) or not table.running or not table.messages.result:
        return None
    deals = [number for number, action in enumerate(actions) if is_deal(action)]
    then = restored_at(record, actions, deals[-1]) if len(deals) > 1 else None
    return then if isinstance(then, Game) else None


def _outgoing(record: TableRecord, actions: Sequence[ActionRecord], entry: OutboxEntry) -> Outgoing:
    """A stored message with the table as it was when it was caused."""
    post = read_post(entry)
    seq = post.seq if isinstance(post, ResultPost) else len(actions)
    return Outgoing(entry, restored_at(record, actions, seq))
