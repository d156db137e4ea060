"""The store: what the application calls to create tables, commit changes and read them back.

Commits that come at the same time are written together in one transaction (group commit): the
first one starts a short-lived task that writes until nobody waits any more, then ends.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from sqlalchemy import func, select
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.rating.ratings import Rating
from bot.rating.tallies import day_of, last_season
from bot.records import (
    ActionRecord,
    Change,
    EndedMatch,
    MatchRecord,
    NewTable,
    RoundRecord,
    SittingRecord,
    TableRecord,
)
from bot.storage import careers, commits, history, rankings, rebuild, schema, settings
from bot.storage.careers import Played
from bot.storage.errors import ChannelTaken, StorageError, StorageUnavailable, failure, unavailable
from bot.storage.rankings import Board, Leaders, Place, Wanted
from bot.storage.rebuild import Derive, Rebuilt
from bot.storage.settings import Amount
from bot.storage.sqlite import connect

_BUSY_MS = 5000
_LARGEST_BATCH = 500
_SAVING = "saving the game"
_ONE_OPEN_TABLE = "tables.channel_id"  # what SQLite names when the partial unique index refuses


@dataclass(slots=True, eq=False)
class _Waiting:
    """A commit in the queue; `outcome` becomes its error, or None when it is on the disk."""

    table_id: int
    change: Change
    outcome: asyncio.Future[StorageError | None]

    def finish(self, error: StorageError | None) -> None:
        if not self.outcome.done():  # the caller may have been cancelled
            self.outcome.set_result(error)


class Store:
    """All stored state of the bot, in one SQLite file. Made by `Store.open`.

    A method that returns has its result on the disk; one that raises has changed nothing. Every
    method raises StorageUnavailable while the database cannot be used (locked, disk full, ...), and
    works again when the cause is gone.
    """

    def __init__(self, writer: AsyncEngine, reader: AsyncEngine) -> None:
        self._writer = writer
        self._reader = reader
        self._closed = False
        self._write_turn = asyncio.Lock()
        self._queue: deque[_Waiting] = deque()
        self._draining: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, url: str, *, busy_ms: int = _BUSY_MS) -> Self:
        """Opens the database at `url` (sqlite:///path/to/file), for one event loop.

        Creates the folder and the file, brings the schema up to date. `busy_ms` is how long to
        wait for another program's lock. Raises StorageUnavailable with a sentence for a person.
        """
        return cls(*await connect(url, busy_ms=busy_ms))

    async def close(self) -> None:
        """Writes what is in the queue and closes all connections. Later calls are refused."""
        self._closed = True
        if self._draining is not None:
            await asyncio.wait([self._draining])
        async with self._write_turn:
            await self._reader.dispose()
            await self._writer.dispose()

    async def create_table(self, new: NewTable) -> TableRecord:
        """Stores a new table with its seats; the stored record.

        Raises ChannelTaken (with the id of the open table) if its channel has an open table.
        """
        self._refuse_if_closed()
        try:
            async with self._writing() as connection:
                table_id = await commits.insert_table(connection, new)
        except Exception as error:
            raise await self._explain("creating the table", error, new.channel_id) from error
        return TableRecord(**dict(new), id=table_id, seq=0, ended_at=None)

    async def commit(self, table_id: int, change: Change) -> None:
        """Writes a change of one table in one transaction, together with others that wait.

        Raises UnknownTable, Conflict (the table has another number of actions than the change
        builds on), ChannelTaken (it moved or reopened into an occupied channel), or StorageError
        (it breaks a rule of the schema). If the caller is cancelled, the change is written
        wholly or not at all.
        """
        self._refuse_if_closed()
        waiting = _Waiting(table_id, change, asyncio.get_running_loop().create_future())
        self._queue.append(waiting)
        if self._draining is None:
            self._draining = asyncio.create_task(self._drain(), name="storage-commits")
        error = await waiting.outcome
        if error is not None:
            raise error

    async def table(self, table_id: int) -> TableRecord | None:
        """The table with this id, or None."""
        async with self._reading() as connection:
            found = await history.read_tables(connection, schema.tables.c.id == table_id)
        return found[0] if found else None

    async def last_table(self, channel_id: int) -> TableRecord | None:
        """The newest table of a channel, open or not, or None."""
        tables = schema.tables.alias()
        of_channel = select(tables.c.id).where(tables.c.channel_id == channel_id)
        newest = of_channel.order_by(tables.c.id.desc()).limit(1).scalar_subquery()
        async with self._reading() as connection:
            found = await history.read_tables(connection, schema.tables.c.id == newest)
        return found[0] if found else None

    async def last_played_table(self, channel_id: int) -> TableRecord | None:
        """The newest table of a channel with a finished round, or None."""
        tables, rounds = schema.tables.alias(), schema.rounds
        played = select(rounds.c.table_id).where(rounds.c.table_id == tables.c.id).exists()
        of_channel = select(tables.c.id).where(tables.c.channel_id == channel_id, played)
        newest = of_channel.order_by(tables.c.id.desc()).limit(1).scalar_subquery()
        async with self._reading() as connection:
            found = await history.read_tables(connection, schema.tables.c.id == newest)
        return found[0] if found else None

    async def open_tables(self) -> list[TableRecord]:
        """All tables in the lobby or playing, by id."""
        async with self._reading() as connection:
            return await history.read_tables(connection, history.IS_OPEN)

    async def actions(self, table_id: int, after: int = 0) -> list[ActionRecord]:
        """The table's actions whose seq is greater than `after`, in order; [] if unknown."""
        async with self._reading() as connection:
            return await history.read_actions(connection, table_id, after)

    async def rounds(self, table_id: int) -> list[RoundRecord]:
        """The table's finished rounds, by number; [] if unknown."""
        async with self._reading() as connection:
            return await history.read_rounds(connection, table_id)

    async def round_ends(self, table_id: int) -> dict[int, int]:
        """By number of the table's finished rounds the seq of the action that ended it."""
        async with self._reading() as connection:
            return await history.read_round_ends(connection, table_id)

    async def sittings(self, table_id: int) -> list[SittingRecord]:
        """Who had which seat of the table's match from when on, in order; [] if unknown."""
        async with self._reading() as connection:
            return await history.read_sittings(connection, table_id)

    async def sat(self, table_ids: Collection[int], user_id: int) -> set[int]:
        """Those of these tables in whose match this person sat, be it for a moment."""
        async with self._reading() as connection:
            return await history.read_sat(connection, table_ids, user_id)

    async def match(self, table_id: int) -> MatchRecord | None:
        """The table's match if it has ended, else None."""
        async with self._reading() as connection:
            return (await history.read_matches(connection, [table_id])).get(table_id)

    async def matches(self, table_ids: Collection[int]) -> dict[int, MatchRecord]:
        """The matches of these tables that have ended, by table."""
        async with self._reading() as connection:
            return await history.read_matches(connection, table_ids)

    async def ended_matches(
        self,
        guild_id: int,
        *,
        user_id: int | None = None,
        channel_id: int | None = None,
        beyond: int | None = None,
        newer: bool = False,
        limit: int = 100,
    ) -> list[EndedMatch]:
        """Matches that have ended in a server, the newest table first.

        With `user_id` only those in which this person sat, be it for one round; with `beyond` only
        those before this table or, with `newer`, after it: then the nearest is the first.
        """
        async with self._reading() as connection:
            return await history.read_ended(
                connection,
                guild_id,
                user_id=user_id,
                channel_id=channel_id,
                beyond=beyond,
                newer=newer,
                limit=limit,
            )

    # --- ratings and leaderboards --------------------------------------------------------------

    async def leaders(self, board: Board, first: int, number: int) -> Leaders:
        """So many lines of a leaderboard from the `first` on (counted from 0), and how many it has.

        Before the last thirty days are asked for, `keep_lately` must have been called that day.
        """
        async with self._reading() as connection:
            return await rankings.leaders(connection, board, first, number)

    async def own_place(self, board: Board, user_id: int) -> Place | None:
        """Somebody's own line; its place is 0 if he is not listed; `None` if he has no line."""
        async with self._reading() as connection:
            return await rankings.own_place(connection, board, user_id)

    async def keep_lately(self, now: datetime) -> None:
        """Take what is older than thirty days off the leaderboards of the last thirty days."""
        today = day_of(now)
        async with self._reading() as connection:
            done = await rankings.is_lately(connection, today)
        while not done:  # bit by bit, so that no move has to wait for long
            async with self._changing("counting the last thirty days") as connection:
                done = await rankings.is_lately(connection, today)
                done = done or await rankings.move_on(connection, today)

    async def ratings(self, scope: int, variant: str, users: Sequence[int]) -> dict[int, Rating]:
        """The ratings of these people, as far as they have one."""
        async with self._reading() as connection:
            return await rankings.ratings_of(connection, scope, variant, users)

    async def public_ratings(
        self, scope: int, variant: str, users: Sequence[int]
    ) -> dict[int, Rating]:
        """The ratings of those of these people whose rating others may see."""
        async with self._reading() as connection:
            return await rankings.public_ratings_of(connection, scope, variant, users)

    async def rating_days(self, scope: int, variant: str, user_id: int) -> list[tuple[int, Rating]]:
        """Somebody's rating at the end of each day on which he played, oldest first."""
        async with self._reading() as connection:
            return await rankings.rating_days(connection, scope, variant, user_id)

    async def wanted(self, user_id: int) -> Wanted:
        """What somebody has chosen about leaderboards."""
        async with self._reading() as connection:
            return await rankings.wanted(connection, user_id)

    async def choose(self, user_id: int, chosen: Wanted, name: str = "") -> None:
        """Keep what somebody has chosen; the leaderboards follow at once.

        `name` is what he is called on the leaderboard of all servers.
        """
        async with self._changing("saving a setting") as connection:
            await rankings.choose(connection, user_id, chosen, name)

    async def needs_rebuild(self) -> bool:
        """Whether there are rounds, but no ratings: they are of a version that knew none."""
        async with self._reading() as connection:
            return await rebuild.is_needed(connection)

    async def rebuild(self, derive: Derive, now: datetime) -> Rebuilt:
        """Derive rounds, matches, ratings and leaderboards anew from the actions of all tables."""
        async with self._changing("rebuilding the database") as connection:
            return await rebuild.rebuild(connection, derive, now)

    async def played(
        self, guild_id: int, user_id: int, variant: str | None = None
    ) -> Played | None:
        """All rounds and matches of somebody on a server in one game, `None` if there are none.

        Without a `variant` it is the game of which he has most rounds.
        """
        async with self._reading() as connection:
            return await careers.read_played(connection, guild_id, user_id, variant)

    async def names(self, scope: int, users: Collection[int]) -> dict[int, str]:
        """What people are called on a server (or on all together), as far as that is known."""
        async with self._reading() as connection:
            return await rankings.names(connection, scope, users)

    # --- tables of honour ------------------------------------------------------------------------

    async def honours_channel(self, guild_id: int) -> int | None:
        """The channel that a server has chosen for its table of honour, if any."""
        async with self._reading() as connection:
            return await settings.honours_channel(connection, guild_id)

    async def choose_honours_channel(
        self, guild_id: int, channel_id: int | None, now: datetime
    ) -> None:
        """Keep where a server's tables of honour stand from now on, or that it wants none.

        The first one is for the season of now, unless there was another channel before.
        """
        async with self._changing("saving a setting") as connection:
            await settings.choose_channel(connection, guild_id, channel_id, last_season(now))

    async def to_honour(self, season: str) -> dict[int, int]:
        """The channels of the servers that have not been honoured for this season, by server."""
        async with self._reading() as connection:
            return await settings.to_honour(connection, season)

    async def honour(self, guild_id: int, season: str) -> bool:
        """Note that a server is honoured for a season; `False` if it was already."""
        async with self._changing("noting a table of honour") as connection:
            return await settings.honour(connection, guild_id, season)

    async def take_honour_back(self, guild_id: int, season: str) -> None:
        """Note that a server was not honoured for a season after all."""
        async with self._changing("noting a table of honour") as connection:
            await settings.take_back(connection, guild_id, season)

    async def amounts(self, guild_id: int, season: str) -> dict[str, Amount]:
        """How much of each game was played on a server in a season; rated or not."""
        async with self._reading() as connection:
            return await settings.amounts(connection, guild_id, season)

    # --- what is kept under a key ----------------------------------------------------------------

    async def state(self, key: str) -> str | None:
        """The value kept under this key by `set_state`, or None."""
        query = select(schema.app_state.c.value).where(schema.app_state.c.key == key)
        async with self._reading() as connection:
            value: str | None = await connection.scalar(query)
        return value

    async def set_state(self, key: str, value: str) -> None:
        """Keeps a value under a key, in place of the one before."""
        statement = insert(schema.app_state).values(key=key, value=value)
        statement = statement.on_conflict_do_update(index_elements=["key"], set_={"value": value})
        async with self._changing("saving a setting") as connection:
            await connection.execute(statement)

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StorageUnavailable("The storage is closed.")

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        """A transaction for reading; its errors are StorageErrors."""
        self._refuse_if_closed()
        try:
            async with self._reader.begin() as connection:
                yield connection
        except Exception as error:
            raise failure("reading the database", error) from error

    @asynccontextmanager
    async def _changing(self, doing: str) -> AsyncIterator[AsyncConnection]:
        """A transaction for writing; its errors are StorageErrors."""
        self._refuse_if_closed()
        try:
            async with self._writing() as connection:
                yield connection
        except Exception as error:
            raise failure(doing, error) from error

    @asynccontextmanager
    async def _writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction for writing, committed at the end of the block, in the order of asking."""
        async with self._write_turn, self._writer.begin() as connection:
            yield connection

    async def _drain(self) -> None:
        """Writes the queue, batch by batch, until it is empty."""
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
        """Writes a batch in one transaction and tells everyone in it the outcome; never raises."""
        changes = [(entry.table_id, entry.change) for entry in batch]
        try:
            async with self._writing() as connection:
                refusals = await commits.write_changes(connection, changes)
        except (OperationalError, PoolTimeout) as error:
            for entry in batch:
                entry.finish(unavailable(_SAVING, error))
        except Exception as error:  # noqa: BLE001 - told to its caller, whatever it is
            if len(batch) == 1:
                change = batch[0].change
                explained = self._explain(_SAVING, error, change.channel_id, batch[0].table_id)
                batch[0].finish(await explained)
            else:  # one of them is at fault: write each for itself
                for entry in batch:
                    await self._write([entry])
        else:
            for entry, refusal in zip(batch, refusals, strict=True):
                entry.finish(refusal)
                await asyncio.sleep(0)  # what follows at one table does not add up with the next

    async def _explain(
        self, doing: str, error: Exception, channel_id: int | None, table_id: int | None = None
    ) -> StorageError:
        """The error to raise: ChannelTaken if the (new or present) channel has an open table."""
        failed = failure(doing, error)
        if not isinstance(error, IntegrityError) or _ONE_OPEN_TABLE not in str(error.orig):
            return failed
        own = schema.tables.alias()
        present = select(own.c.channel_id).where(own.c.id == table_id).scalar_subquery()
        holder = select(schema.tables.c.id).where(
            schema.tables.c.channel_id == func.coalesce(channel_id, present), history.IS_OPEN
        )
        try:
            async with self._reading() as connection:
                holder_id = await connection.scalar(holder)
        except StorageError:
            return failed
        if holder_id is None:
            return failed
        return ChannelTaken(holder_id)
