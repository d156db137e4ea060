"""The tables: created, changed by commits, and read back with their actions and seats."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from time import perf_counter

from sqlalchemy import select, update

from bot.ids import ChannelId, TableId
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
from bot.storage import commits, outbox, rows, schema
from bot.storage.commit_queue import CommitQueue, explained
from bot.storage.database import Database
from bot.storage.errors import StorageError


class TableStore:
    """What is stored of tables; the actions of a table and who had its seats are the truth."""

    def __init__(self, database: Database, rules: ScoreRules) -> None:
        self._database = database
        self._queue = CommitQueue(database, rules)
        self.commit_times = Histogram(COMMIT_BOUNDS)
        """From a change that is to be stored until it was on the disk."""

    async def create(self, new: NewTable) -> TableRecord:
        """Store a new table with its seats; the stored record.

        Raises ChannelTaken (with the id of the open table) if its channel has an open table, and
        LeaseLost.
        """
        try:
            table_id = await self._database.write("creating the table", commits.insert_table, new)
        except StorageError as error:
            raise await explained(self._database, error, new.channel_id) from error
        stored = {name: value for name, value in new if name not in ("outbox", "fence")}
        return TableRecord(**stored, id=table_id, seq=0, version=0, ended_at=None)

    async def commit(self, table_id: TableId, change: Change) -> None:
        """Write a change of one table in one transaction, together with others that wait.

        Rounds and matches that it ends enter the ratings and leaderboards in the same transaction.
        Raises UnknownTable, LeaseLost, Conflict (another process has written the table since: it
        has another version or number of actions than the change builds on), ChannelTaken (it moved
        or reopened into an occupied channel), or StorageError (it breaks a rule of the schema). If
        the caller is cancelled, the change is written wholly or not at all.
        """
        begun = perf_counter()
        await self._queue.commit(table_id, change)
        self.commit_times.observe(perf_counter() - begun)

    @property
    def waiting(self) -> int:
        """How many changes wait for the next transaction."""
        return len(self._queue)

    async def let_channel_go(self, table_ids: Collection[TableId]) -> None:
        """Let others have the channel of these tables.

        That gives them no new version: what is known of an open table does not tell who has its
        channel, the database alone decides that.
        """
        tables = schema.tables
        free = update(tables).where(tables.c.id.in_(table_ids)).values(holds_channel=False)
        await self._database.write("opening a table", lambda connection: connection.execute(free))

    async def close(self) -> None:
        """Refuse further commits; return when those that wait are stored."""
        await self._queue.close()

    async def get(self, table_id: TableId) -> TableRecord | None:
        """The table with this id, or None."""
        found = await self._database.read(rows.read_tables, schema.tables.c.id == table_id)
        return found[0] if found else None

    async def last_in(self, channel_id: ChannelId) -> TableRecord | None:
        """The newest table of a channel, open or not, or None."""
        tables = schema.tables.alias()
        of_channel = select(tables.c.id).where(tables.c.channel_id == channel_id)
        newest = of_channel.order_by(tables.c.id.desc()).limit(1).scalar_subquery()
        found = await self._database.read(rows.read_tables, schema.tables.c.id == newest)
        return found[0] if found else None

    async def all_open(self) -> list[TableRecord]:
        """All tables in the lobby or playing, by id."""
        return await self._database.read(rows.read_tables, rows.IS_OPEN)

    async def undelivered(self) -> dict[TableId, tuple[OutboxEntry, ...]]:
        """By table the messages that have not reached Discord, in the order of their numbers."""
        return await self._database.read(outbox.read_undelivered)

    async def forget_undelivered(self, before: datetime) -> int:
        """Remove the messages that were caused before this moment; how many there were."""
        return await self._database.write("removing old messages", outbox.remove_older, before)

    async def actions(self, table_id: TableId, after: Count = 0) -> list[ActionRecord]:
        """The table's actions whose seq is greater than `after`, in order; [] if unknown."""
        found = await self._database.read(rows.action_rows, table_id, after)
        return await self._database.built(rows.actions_of, found, len(found))

    async def seat_changes(self, table_id: TableId) -> list[SeatChangeRecord]:
        """Who had which seat of the table's match from when on, in order; [] if unknown."""
        return await self._database.read(rows.read_seat_changes, table_id)
