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
from bot.storage.commit_queue import CommitQueue, explain
from bot.storage.database import Database


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
        self._database.refuse_if_closed()
        doing = "creating the table"
        try:
            async with self._database.writing(doing, alone=False) as connection:
                table_id = await commits.insert_table(connection, new)
        except Exception as error:
            raise await explain(self._database, doing, error, new.channel_id) from error
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
        self.commit_times.note(perf_counter() - begun)

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
        async with self._database.changing("opening a table", alone=False) as connection:
            free = update(tables).where(tables.c.id.in_(table_ids)).values(holds_channel=False)
            await connection.execute(free)

    async def drained(self) -> None:
        """Return when no commit waits any more."""
        await self._queue.drained()

    async def get(self, table_id: TableId) -> TableRecord | None:
        """The table with this id, or None."""
        async with self._database.reading() as connection:
            found = await rows.read_tables(connection, schema.tables.c.id == table_id)
        return found[0] if found else None

    async def last_in(self, channel_id: ChannelId) -> TableRecord | None:
        """The newest table of a channel, open or not, or None."""
        tables = schema.tables.alias()
        of_channel = select(tables.c.id).where(tables.c.channel_id == channel_id)
        newest = of_channel.order_by(tables.c.id.desc()).limit(1).scalar_subquery()
        async with self._database.reading() as connection:
            found = await rows.read_tables(connection, schema.tables.c.id == newest)
        return found[0] if found else None

    async def all_open(self) -> list[TableRecord]:
        """All tables in the lobby or playing, by id."""
        async with self._database.reading() as connection:
            return await rows.read_tables(connection, rows.IS_OPEN)

    async def undelivered(self) -> dict[TableId, tuple[OutboxEntry, ...]]:
        """By table the messages that have not reached Discord, in the order of their numbers."""
        async with self._database.reading() as connection:
            return await outbox.read_undelivered(connection)

    async def forget_undelivered(self, before: datetime) -> int:
        """Remove the messages that were caused before this moment; how many there were."""
        async with self._database.changing("removing old messages", alone=False) as connection:
            return await outbox.remove_older(connection, before)

    async def actions(self, table_id: TableId, after: Count = 0) -> list[ActionRecord]:
        """The table's actions whose seq is greater than `after`, in order; [] if unknown."""
        async with self._database.reading() as connection:
            found = await rows.action_rows(connection, table_id, after)
        return await self._database.built(rows.actions_of, found, len(found))

    async def seat_changes(self, table_id: TableId) -> list[SeatChangeRecord]:
        """Who had which seat of the table's match from when on, in order; [] if unknown."""
        async with self._database.reading() as connection:
            return await rows.read_seat_changes(connection, table_id)
