"""Write transactions of PostgreSQL, beside those of other processes or alone.

The server gives each transaction an id. If the connection is lost during COMMIT, the server is
asked for the status of this id, so that a stored change is not stored twice.

Concurrent writers hold a shared advisory lock, which an exclusive writer acquires exclusively.
Concurrent writers must not depend on rows that they do not change. This works because only one
process writes the tables of a Discord server. Data that belong to several Discord servers are
locked with `statements.advisory_lock`, always after the rows of tables, so that there are no
deadlocks.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

_WRITERS: Final = 0x7469636875
"""Number of the advisory lock of all writers."""
LOCK_WRITERS: Final = f"SELECT pg_advisory_xact_lock({_WRITERS})"
"""Statement that excludes other writers until the end of the transaction."""
_BEGIN_ALONE: Final = f"SELECT pg_current_xact_id()::text, pg_advisory_xact_lock({_WRITERS})"
_BEGIN: Final = f"SELECT pg_current_xact_id()::text, pg_advisory_xact_lock_shared({_WRITERS})"
_STATUS: Final = "SELECT pg_xact_status('{number}'::xid8)"
_STATUS_INTERVAL_S: Final = 0.1
_STATUS_TIMEOUT_S: Final = 1.0
"""Timeout for the status of a transaction; it is short, because users are waiting."""


@asynccontextmanager
async def transaction(engine: AsyncEngine, *, alone: bool) -> AsyncIterator[AsyncConnection]:
    """Open a write transaction; with `alone`, no process writes at the same time."""
    connection, number = await _begin(engine, _BEGIN_ALONE if alone else _BEGIN)
    try:
        yield connection
        try:
            await connection.commit()
        except IntegrityError:
            raise
        except DBAPIError:
            await connection.close()
            if not await _is_stored(engine, number):
                raise
    finally:
        await asyncio.shield(connection.close())  # without COMMIT nothing is stored


async def _begin(engine: AsyncEngine, statement: str) -> tuple[AsyncConnection, int]:
    """Begin a transaction with this statement; return connection and transaction id.

    A closed connection of the pool is detected only here, so a second attempt is made.
    """
    try:
        return await _begin_once(engine, statement)
    except DBAPIError as error:
        if not error.connection_invalidated:
            raise
    return await _begin_once(engine, statement)


async def _begin_once(engine: AsyncEngine, statement: str) -> tuple[AsyncConnection, int]:
    connection = await engine.connect()
    try:
        number = (await connection.exec_driver_sql(statement)).scalar_one()
    except BaseException:
        await connection.close()
        raise
    return connection, int(number)


async def _is_stored(engine: AsyncEngine, number: int) -> bool:
    """Return whether a transaction with a lost COMMIT was stored; False if unknown."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_STATUS_TIMEOUT_S):
            while True:
                with suppress(DBAPIError):
                    async with engine.connect() as connection:
                        asked = await connection.exec_driver_sql(_STATUS.format(number=number))
                        status = asked.scalar_one()
                    if status != "in progress":
                        return bool(status == "committed")
                await asyncio.sleep(_STATUS_INTERVAL_S)
    return False
