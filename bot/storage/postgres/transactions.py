"""Transactions that write in PostgreSQL, beside those of other processes or alone.

Each has a number of the server. If the connection is lost at its end, the server is asked by that
number what has become of it: so what was stored is not stored once more.

Those that write beside each other share a lock, which whoever writes alone takes for itself. They
must need nothing more than the rows that they change: tables of one server are written by one
process. What spans servers is locked by its writer (`statements.advisory_lock`), always after
the rows of tables, so that no two wait for each other.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

_WRITERS: Final = 0x7469636875
"""The number of the advisory lock of all who write."""
LOCK_WRITERS: Final = f"SELECT pg_advisory_xact_lock({_WRITERS})"
"""Keeps all others from writing until the end of the transaction."""
_BEGIN_ALONE: Final = f"SELECT pg_current_xact_id()::text, pg_advisory_xact_lock({_WRITERS})"
_BEGIN: Final = f"SELECT pg_current_xact_id()::text, pg_advisory_xact_lock_shared({_WRITERS})"
_STATUS: Final = "SELECT pg_xact_status('{number}'::xid8)"
_ASK_EVERY_S: Final = 0.1
_WITHIN_S: Final = 1.0
"""How long the server is asked what has become of a transaction: people wait meanwhile."""


@asynccontextmanager
async def transaction(engine: AsyncEngine, *, alone: bool) -> AsyncIterator[AsyncConnection]:
    """A transaction that writes; `alone`: nobody else writes meanwhile, in no process."""
    connection, number = await _begun(engine, _BEGIN_ALONE if alone else _BEGIN)
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
        await asyncio.shield(connection.close())  # what is not committed is not stored


async def _begun(engine: AsyncEngine, statement: str) -> tuple[AsyncConnection, int]:
    """A connection whose transaction has begun with this statement, and the number of that.

    Of a connection that the server has ended meanwhile nothing is noticed before.
    """
    try:
        return await _begun_once(engine, statement)
    except DBAPIError as error:
        if not error.connection_invalidated:
            raise
    return await _begun_once(engine, statement)


async def _begun_once(engine: AsyncEngine, statement: str) -> tuple[AsyncConnection, int]:
    connection = await engine.connect()
    try:
        number = (await connection.exec_driver_sql(statement)).scalar_one()
    except BaseException:
        await connection.close()
        raise
    return connection, int(number)


async def _is_stored(engine: AsyncEngine, number: int) -> bool:
    """Whether a transaction was stored whose end nobody has heard of; `False` if nobody can say."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_WITHIN_S):
            while True:
                with suppress(DBAPIError):
                    async with engine.connect() as connection:
                        asked = await connection.exec_driver_sql(_STATUS.format(number=number))
                        status = asked.scalar_one()
                    if status != "in progress":
                        return bool(status == "committed")
                await asyncio.sleep(_ASK_EVERY_S)
    return False
