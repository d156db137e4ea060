"""Copies a whole database to another one, of any backend.

Afterwards all rows of both sides are read and compared. All writes are one transaction, so a failed
copy leaves the target empty.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import Row, Table, Text, func, insert, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import challenge_schema, club_schema, outbox, score_schema, statements
from bot.storage.database import Database, failure
from bot.storage.errors import StorageError
from bot.storage.leases import LeaseStore
from bot.storage.schema import metadata

_DOING = "copying the database"
_AT_ONCE = 5000
"""Largest number of rows in one batch."""
_BUSY_MS = 5000
TABLES = tuple(metadata.sorted_tables)
"""All database tables, parents of foreign keys first."""
assert {
    challenge_schema.challenges,
    club_schema.club_events,
    outbox.outbox,
    score_schema.ratings,
} <= {*TABLES}


class CopyResult(NamedTuple):
    """Counts of copied data."""

    tables: int
    """Number of game tables."""
    rows: int
    """Number of rows of all database tables."""


async def copy(source: str, target: str, *, in_use: bool = False) -> CopyResult:
    """Copy the database at `source` to the empty one at `target`, and compare them.

    Both schemas are migrated first. Nobody else may write to the target. Raises `InUse` if a
    process holds a lease in one of the databases, unless `in_use` allows this. Raises
    `StorageError`, with a sentence for the operator. After an error the target is unchanged.
    """
    origin = await Database.open(source, busy_ms=_BUSY_MS)
    try:
        goal = await Database.open(target, busy_ms=_BUSY_MS)
        try:
            if not in_use:
                for database in (origin, goal):
                    await LeaseStore(database).refuse_if_in_use(datetime.now(UTC))
            async with origin.reader.begin() as reading, goal.writer.begin() as writing:
                return await _copy_rows(reading, writing)
        except Exception as error:
            raise failure(_DOING, error) from error
        finally:
            await goal.close()
    finally:
        await origin.close()


async def _copy_rows(reading: AsyncConnection, writing: AsyncConnection) -> CopyResult:
    for table in TABLES:
        if await _row_count(writing, table):
            raise StorageError("The target holds something already: name an empty database.")
    rows = 0
    for table in TABLES:
        names = [column.name for column in table.columns]
        async for batch in _batches(reading, table):
            await writing.execute(
                insert(table), [dict(zip(names, row, strict=True)) for row in batch]
            )
            rows += len(batch)
    await writing.run_sync(statements.reset_sequences, TABLES)
    for table in TABLES:
        await _compare(reading, writing, table)
    (tables,) = (table for table in TABLES if table.name == "tables")
    return CopyResult(await _row_count(writing, tables), rows)


async def _compare(reading: AsyncConnection, writing: AsyncConnection, table: Table) -> None:
    """Raise `StorageError` if a row differs between both sides."""
    copied = _batches(writing, table)
    async for batch in _batches(reading, table):
        if [tuple(row) for row in batch] != [tuple(row) for row in await anext(copied, [])]:
            raise StorageError(f"The copy of {table.name} is not what was copied.")
    if await anext(copied, None):
        raise StorageError(f"The copy of {table.name} holds more than what was copied.")


async def _batches(connection: AsyncConnection, table: Table) -> AsyncIterator[list[Row[Any]]]:
    """Yield all rows in batches, ordered by key in the same way in every database."""
    key = tuple_(
        *(
            statements.binary_collation(connection, column)
            if isinstance(column.type, Text)
            else column
            for column in table.primary_key
        )
    )
    query = select(table).order_by(*key.clauses).limit(_AT_ONCE)
    key_places = [list(table.c).index(column) for column in table.primary_key]
    next_batch = query
    while True:
        batch = list((await connection.execute(next_batch)).all())
        if batch:
            yield batch
        if len(batch) < _AT_ONCE:
            return
        next_batch = query.where(key > tuple_(*(batch[-1][place] for place in key_places)))


async def _row_count(connection: AsyncConnection, table: Table) -> int:
    query = select(func.count()).select_from(table)
    return (await connection.scalars(query)).one()
