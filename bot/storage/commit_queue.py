"""Group commit: changes of tables that come at the same time are written in one transaction.

The first one starts a short-lived task that writes until nobody waits any more, then ends.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from bot.ids import ChannelId, TableId
from bot.records import Change
from bot.score_records import ScoreRules
from bot.storage import commits, error_words, rows, schema
from bot.storage.commit_thread import Work
from bot.storage.database import Database, failure, unavailable
from bot.storage.errors import ChannelTaken, StorageError, StorageUnavailable

_LARGEST_BATCH = 500
_SAVING = "saving the game"


@dataclass(slots=True, eq=False)
class _Waiting:
    """A commit in the queue; `outcome` becomes its error, or None when it is on the disk."""

    table_id: TableId
    change: Change
    outcome: asyncio.Future[StorageError | None]

    def finish(self, error: StorageError | None) -> None:
        if not self.outcome.done():  # the caller may have been cancelled
            self.outcome.set_result(error)


class CommitQueue:
    """Changes that wait to be written."""

    def __init__(self, database: Database, rules: ScoreRules) -> None:
        self._database = database
        self._rules = rules
        self._queue: deque[_Waiting] = deque()
        self._draining: asyncio.Task[None] | None = None

    async def commit(self, table_id: TableId, change: Change) -> None:
        """Return when this change is on the disk; raises a StorageError if it is not."""
        self._database.refuse_if_closed()
        waiting = _Waiting(table_id, change, asyncio.get_running_loop().create_future())
        self._queue.append(waiting)
        if self._draining is None:
            self._draining = asyncio.create_task(self._drain(), name="storage-commits")
        error = await waiting.outcome
        if error is not None:
            raise error

    def __len__(self) -> int:
        """How many changes wait to be written; those of the present batch are not among them."""
        return len(self._queue)

    async def drained(self) -> None:
        """Return when nothing waits any more."""
        if self._draining is not None:
            await asyncio.wait([self._draining])

    async def _drain(self) -> None:
        """Write the queue, batch by batch, until it is empty."""
        batch: list[_Waiting] = []
        try:
            while self._queue:
                count = min(len(self._queue), _LARGEST_BATCH)
                batch = [self._queue.popleft() for _ in range(count)]
                await self._write([entry for entry in batch if not entry.outcome.cancelled()])
        except BaseException:  # this task was cancelled: the program is ending
            for entry in [*batch, *self._queue]:
                entry.finish(StorageUnavailable(f"The program ended while {_SAVING}."))
            self._queue.clear()
            raise
        finally:
            self._draining = None

    async def _write(self, batch: list[_Waiting]) -> None:
        """Write a batch in one transaction and tell everyone in it the outcome; never raises."""
        changes = [(entry.table_id, entry.change) for entry in batch]
        try:
            refusals = await self._written(changes)
        except StorageUnavailable as error:
            for entry in batch:
                entry.finish(error)
        except Exception as error:  # noqa: BLE001 - told to its caller, whatever it is
            if error_words.is_whole(error):
                for entry in batch:
                    entry.finish(unavailable(_SAVING, error))
            elif len(batch) == 1:
                alone = batch[0]
                explained = explain(
                    self._database, _SAVING, error, alone.change.channel_id, alone.table_id
                )
                alone.finish(await explained)
            else:  # one of them is at fault: write each for itself
                for entry in batch:
                    await self._write([entry])
        else:
            for entry, refusal in zip(batch, refusals, strict=True):
                entry.finish(refusal)
                await asyncio.sleep(0)  # what follows at one table does not add up with the next

    async def _written(
        self, changes: Sequence[tuple[TableId, Change]]
    ) -> list[StorageError | None]:
        """Write changes in one transaction: a refusal or None for each. Raises SQLAlchemy's errors.

        Nearly all of them fit, so they are written without a look at what is stored. If the
        database refuses that, nothing is written, and it begins again with a look.
        """
        try:
            return await self._database.written(_SAVING, self._writes(changes, look_first=False))
        except (IntegrityError, commits.NotAsTaken):
            return await self._database.written(_SAVING, self._writes(changes, look_first=True))

    def _writes(
        self, changes: Sequence[tuple[TableId, Change]], *, look_first: bool
    ) -> Work[list[StorageError | None]]:
        """The work of writing these changes."""
        return partial(
            commits.write_changes, changes=changes, rules=self._rules, look_first=look_first
        )


async def explain(
    database: Database,
    doing: str,
    error: Exception,
    channel_id: ChannelId | None,
    table_id: TableId | None = None,
) -> StorageError:
    """The error to raise: ChannelTaken if the (new or present) channel has an open table."""
    failed = failure(doing, error)
    if not error_words.is_second_open_table(error):
        return failed
    own = schema.tables.alias()
    present = select(own.c.channel_id).where(own.c.id == table_id).scalar_subquery()
    holder = select(schema.tables.c.id).where(
        schema.tables.c.channel_id == func.coalesce(channel_id, present), rows.HOLDS_CHANNEL
    )
    try:
        async with database.reading() as connection:
            holder_id = await connection.scalar(holder)
    except StorageError:
        return failed
    return failed if holder_id is None else ChannelTaken(holder_id)
