"""Store of tables: creation, changes, and reading with actions and seats."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from time import perf_counter
from typing import Final, NamedTuple

from sqlalchemy import and_, select, text, update

from bot.ids import ChannelId, TableId, UserId
from bot.records import (
    ActionRecord,
    Change,
    Count,
    NewTable,
    OutboxEntry,
    SeatChangeRecord,
    TableRecord,
)
from bot.runtime.metrics import COMMIT_BOUNDS, Histogram
from bot.score_records import ScoreRules
from bot.storage import backends, commits, outbox, rows, schema
from bot.storage.commit_queue import CommitQueue, refine_error
from bot.storage.database import Database, failure
from bot.storage.errors import StorageError
from bot.storage.migrate import check_newest


class TableStore:
    """Store of tables; their actions and seat changes are the source of all results."""

    def __init__(self, database: Database, rules: ScoreRules) -> None:
        self._database = database
        self._queue = CommitQueue(database, rules)
        self.commit_times = Histogram(COMMIT_BOUNDS)
        """Time from a call of `commit` until the change is on the disk."""

    async def create(self, new: NewTable) -> TableRecord:
        """Store a new table with its seats; return its record.

        Raises `ChannelTaken` (with the id of the open table) if its channel has an open table, and
        `LeaseLost`.
        """
        try:
            table_id = await self._database.write("creating the table", commits.insert_table, new)
        except StorageError as error:
            raise await refine_error(self._database, error, new.channel_id) from error
        stored = {name: value for name, value in new if name not in ("outbox", "fence")}
        return TableRecord(**stored, id=table_id, seq=0, version=0, ended_at=None)

    async def commit(self, table_id: TableId, change: Change) -> None:
        """Store a change of one table, in one transaction with other queued changes.

        Rounds and matches that it ends are entered in ratings and leaderboards in the same
        transaction. Raises `UnknownTable`, `LeaseLost`, `ChannelTaken` (the table moved or reopened
        into an occupied channel) or `StorageError` (a constraint is broken). Raises `Conflict` if
        another process has written the table, so that it has another version or number of actions
        than expected. If the caller is cancelled, the change is stored completely or not at all.
        """
        begun = perf_counter()
        await self._queue.commit(table_id, change)
        self.commit_times.observe(perf_counter() - begun)

    @property
    def waiting(self) -> int:
        """Number of queued changes."""
        return len(self._queue)

    async def release_channels(self, table_ids: Collection[TableId]) -> None:
        """Release the channels of these tables for other tables.

        The tables keep their versions, because their states in memory do not include who holds the
        channel. Only the database decides that.
        """
        tables = schema.tables
        free = update(tables).where(tables.c.id.in_(table_ids)).values(holds_channel=False)
        await self._database.write("opening a table", lambda connection: connection.execute(free))

    async def close(self) -> None:
        """Refuse further commits; return when the queued ones are stored."""
        await self._queue.close()

    async def get(self, table_id: TableId) -> TableRecord | None:
        """Return the table with this id, or `None`."""
        found = await self._database.read(rows.read_tables, schema.tables.c.id == table_id)
        return found[0] if found else None

    async def last_in(self, channel_id: ChannelId) -> TableRecord | None:
        """Return the newest table of a channel, open or over, or `None`."""
        tables = schema.tables.alias()
        of_channel = select(tables.c.id).where(tables.c.channel_id == channel_id)
        newest = of_channel.order_by(tables.c.id.desc()).limit(1).scalar_subquery()
        found = await self._database.read(rows.read_tables, schema.tables.c.id == newest)
        return found[0] if found else None

    async def all_open(self) -> list[TableRecord]:
        """Return all open tables, by id."""
        return await self._database.read(rows.read_tables, rows.IS_OPEN)

    async def any_open(self, table_ids: Collection[TableId]) -> bool:
        """Return whether one of these tables is open."""
        query = select(schema.tables.c.id).where(schema.tables.c.id.in_(table_ids), rows.IS_OPEN)
        found = await self._database.read(lambda connection: connection.scalars(query).first())
        return found is not None

    async def open_of(self, user_id: UserId) -> list[TableRecord]:
        """Return the open tables at which this person sits, by id."""
        tables, seats = schema.tables.c, schema.seats.c
        sits = select(seats.table_id).where(seats.table_id == tables.id, seats.user_id == user_id)
        condition = and_(text(schema.OPEN), sits.exists())
        return await self._database.read(rows.read_tables, condition)

    async def undelivered(self) -> dict[TableId, tuple[OutboxEntry, ...]]:
        """Return the undelivered messages of each table, by number."""
        return await self._database.read(outbox.read_undelivered)

    async def forget_undelivered(self, before: datetime) -> int:
        """Delete the messages created before this time; return their number."""
        return await self._database.write("removing old messages", outbox.remove_older, before)

    async def actions(self, table_id: TableId, after: Count = 0) -> list[ActionRecord]:
        """Return the table's actions with a seq greater than `after`, in order; [] if unknown."""
        found = await self._database.read(rows.action_rows, table_id, after)
        return await self._database.build_records(rows.action_records, found, len(found))

    async def seat_changes(self, table_id: TableId) -> list[SeatChangeRecord]:
        """Return the seat changes of the table's match, in order; [] if unknown."""
        return await self._database.read(rows.read_seat_changes, table_id)


_BUSY_MS: Final = 5000


class StoredTable(NamedTuple):
    """Stored table with its actions."""

    record: TableRecord
    """Record of the table, with its seats."""
    actions: list[ActionRecord]
    """All actions, in order."""


async def read_table(url: str, table_id: TableId) -> StoredTable | None:
    """Return the table with this id in the database at `url`; `None` if unknown.

    The schema is not migrated. Raises `StorageError`, with a sentence for the operator, if the
    schema is not that of this version of the program, or if the database cannot be read.
    """
    backend = backends.backend(url, busy_ms=_BUSY_MS)
    writer, reader = backend.engines()
    try:
        async with reader.begin() as connection:
            await connection.run_sync(check_newest, backend)
            table = schema.tables.c.id == table_id
            records = await connection.run_sync(rows.read_tables, table)
            actions = await connection.run_sync(rows.read_actions, table_id, after=0)
    except Exception as error:
        raise failure("reading the database", error) from error
    finally:
        await reader.dispose()
        await writer.dispose()
    return StoredTable(records[0], actions) if records else None
