"""Reading of one table without a migration, while others may use the database."""

from __future__ import annotations

from typing import Final, NamedTuple

from bot.ids import TableId
from bot.records import ActionRecord, TableRecord
from bot.storage import backends, rows, schema
from bot.storage.database import failure
from bot.storage.migrate import check_newest

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
