"""Group commit: changes that arrive together are stored in one transaction."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass

from sqlalchemy import func, select

from bot.ids import ChannelId, TableId
from bot.records import Change
from bot.score_records import ScoreRules
from bot.storage import rows, schema
from bot.storage.commits import OptimisticWriteFailed, write_changes
from bot.storage.database import Database, is_outage, is_second_open_table
from bot.storage.errors import ChannelTaken, RuleBroken, StorageError, StorageUnavailable

_LARGEST_BATCH = 500
_SAVING = "saving the game"


@dataclass(slots=True, eq=False)
class _PendingChange:
    """A queued change.

    `outcome` is set to its error, or to None when it is on the disk.
    """

    table_id: TableId
    change: Change
    outcome: asyncio.Future[StorageError | None]

    def finish(self, error: StorageError | None) -> None:
        if not self.outcome.done():  # the caller may have been cancelled
            self.outcome.set_result(error)


class CommitQueue:
    """Queue of changes; one task writes them in batches."""

    def __init__(self, database: Database, rules: ScoreRules) -> None:
        self._database = database
        self._rules = rules
        self._queue: deque[_PendingChange] = deque()
        self._writing: asyncio.Task[None] | None = None
        self._closed = False

    def __len__(self) -> int:
        """Return the number of queued changes, without the current batch."""
        return len(self._queue)

    async def commit(self, table_id: TableId, change: Change) -> None:
        """Store a change; return when it is on the disk. Raises `StorageError`."""
        if self._closed:
            raise StorageUnavailable("The storage is closed.")
        pending = _PendingChange(table_id, change, asyncio.get_running_loop().create_future())
        self._queue.append(pending)
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_all(), name="storage-commits")
        if (error := await pending.outcome) is not None:
            raise error

    async def close(self) -> None:
        """Refuse further changes; return when the queued ones are stored."""
        self._closed = True
        if self._writing is not None:
            await asyncio.wait([self._writing])

    async def _write_all(self) -> None:
        """Write the queue, batch by batch, until it is empty."""
        batch: list[_PendingChange] = []
        try:
            while self._queue:
                size = min(len(self._queue), _LARGEST_BATCH)
                batch = [self._queue.popleft() for _ in range(size)]
                await self._commit([entry for entry in batch if not entry.outcome.cancelled()])
        finally:  # after an exception, this task was cancelled: the program is ending
            for entry in [*batch, *self._queue]:
                entry.finish(StorageUnavailable(f"The program ended while {_SAVING}."))
            self._queue.clear()
            self._writing = None

    async def _commit(self, batch: list[_PendingChange]) -> None:
        """Commit a batch in one transaction, and set the outcome of each entry."""
        try:
            refusals = await self._write_batch(batch)
        except StorageError as error:
            if len(batch) == 1:
                (entry,) = batch
                channel_id = entry.change.channel_id
                entry.finish(await refine_error(self._database, error, channel_id, entry.table_id))
            elif is_outage(error):
                for entry in batch:
                    entry.finish(error)
            else:  # some entry is at fault, so commit each in its own transaction
                for entry in batch:
                    await self._commit([entry])
            return
        for entry, refusal in zip(batch, refusals, strict=True):
            entry.finish(refusal)
            await asyncio.sleep(0)  # lets callers continue one by one, not all in a row

    async def _write_batch(self, batch: list[_PendingChange]) -> list[StorageError | None]:
        """Write changes in one transaction; return a refusal or None for each.

        Nearly all changes fit, so the first attempt does not read the stored versions. If a change
        does not fit, the transaction is rolled back and repeated with locked tables.
        """
        changes = [(entry.table_id, entry.change) for entry in batch]
        write = self._database.write
        try:
            return await write(_SAVING, write_changes, changes, self._rules, lock_first=False)
        except (RuleBroken, OptimisticWriteFailed):
            return await write(_SAVING, write_changes, changes, self._rules, lock_first=True)


async def refine_error(
    database: Database,
    error: StorageError,
    channel_id: ChannelId | None,
    table_id: TableId | None = None,
) -> StorageError:
    """Return `ChannelTaken` if the channel's open table has caused the error, otherwise the error.

    `channel_id` is the new channel of the written table, `None` if the table does not move.
    """
    if not is_second_open_table(error):
        return error
    written = schema.tables.alias()
    old_channel = select(written.c.channel_id).where(written.c.id == table_id).scalar_subquery()
    holder = select(schema.tables.c.id).where(
        schema.tables.c.channel_id == func.coalesce(channel_id, old_channel), rows.HOLDS_CHANNEL
    )
    try:
        holder_id = await database.read(lambda connection: connection.scalar(holder))
    except StorageError:
        return error
    return error if holder_id is None else ChannelTaken(holder_id)
