"""One program at a time works on a database of PostgreSQL: an advisory lock of a connection.

The server holds the lock as long as the connection is there, and gives it up however that ends. Who
has it stands in the name that the connection has on the server.

The connection lives in a thread with an event loop of its own, as the lock is taken outside of any,
too. When the server has ended it, another one takes the lock again as soon as that is possible.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from concurrent.futures import Future
from contextlib import suppress
from threading import Thread
from typing import Any, Final

from sqlalchemy import URL

from bot.storage import postgres_errors
from bot.storage.errors import StorageUnavailable, StorageUnfit
from bot.storage.instance_lock import ANY, InstanceLock, InUse

log = logging.getLogger(__name__)

_LOCK: Final = 0x746963687500
"""The number of the lock; it is one of the database, not of the server."""
_TAKE: Final = "SELECT pg_try_advisory_lock($1)"
_TAKE_SHARED: Final = "SELECT pg_try_advisory_lock_shared($1)"
_SHARE: Final = "SELECT pg_advisory_unlock($1)"
"""What a connection does that has the lock for itself and shared: it keeps it shared."""
_HOLDER: Final = """SELECT activity.application_name, activity.backend_start
FROM pg_locks JOIN pg_stat_activity AS activity USING (pid)
WHERE locktype = 'advisory' AND granted AND objsubid = 1
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
AND classid = $1 AND objid = $2"""
_LONGEST_NAME: Final = 63
"""How many characters of a connection's name PostgreSQL keeps."""
_LOOK_EVERY_S: Final = 1.0
_WITHIN_S: Final = 10.0
"""How long the server may take to answer."""

_held: set[str] = set()
"""The databases whose lock this process holds: it may take one again."""
_shared: dict[str, _Keeper] = {}
"""Those of them whose lock it shares."""


class _Held(InstanceLock):
    """The lock of a database, and the thread that keeps it."""

    def __init__(self, key: str, keeper: _Keeper | None) -> None:
        self._key = key
        self._keeper = keeper

    def release(self) -> None:
        """Let others work on the database; a second call does nothing."""
        keeper, self._keeper = self._keeper, None
        if keeper is not None:
            _held.discard(self._key)
            _shared.pop(self._key, None)
            keeper.end()


class _Alone(InstanceLock):
    """A lock that was shared and will be again when it is released."""

    def __init__(self, key: str, keeper: _Keeper) -> None:
        self._key = key
        self._keeper: _Keeper | None = keeper
        del _shared[key]

    def release(self) -> None:
        """Let others share it again; a second call does nothing."""
        keeper, self._keeper = self._keeper, None
        if keeper is not None:
            _shared[self._key] = keeper
            keeper.ask(_SHARE)


def take(location: URL, command: str | None, *, shared: bool = False) -> InstanceLock:
    """The lock of a database; others may read for which command of `python -m bot` it was taken.

    A process that has it may take it again. One that is `shared` others get, too, if they share it.
    Raises `InUse`, or `StorageUnavailable` if the server
    cannot be reached; with a sentence for a person.
    """
    key = location.render_as_string(hide_password=True)
    if key in _held:
        if not shared and (sharing := _shared.get(key)) is not None:
            if not sharing.ask(_TAKE):
                called = location.set(password=None, query={}).render_as_string()
                raise InUse(called, "other processes of the bot")
            return _Alone(key, sharing)
        return _Held(key, None)
    keeper = _Keeper(location, command, _TAKE_SHARED if shared else _TAKE)
    try:
        keeper.begin()
    except _Taken as taken:
        keeper.end()
        called = location.set(password=None, query={}).render_as_string()
        raise InUse(called, taken.holder) from None
    except Exception as error:  # noqa: BLE001 - told in words that hold no password
        keeper.end()
        failed = postgres_errors.not_connected(error)
        kind = StorageUnfit if postgres_errors.is_unfit(failed) else StorageUnavailable
        why = f"{postgres_errors.reason(failed)}; {postgres_errors.next_step(failed)}"
        raise kind(f"Error while opening the database: {why}.") from None
    _held.add(key)
    if shared:
        _shared[key] = keeper
    return _Held(key, keeper)


class _Taken(Exception):
    """Another program (`holder`) has the lock."""

    def __init__(self, holder: str) -> None:
        super().__init__(holder)
        self.holder = holder


class _Keeper:
    """The thread that keeps a lock."""

    def __init__(self, location: URL, command: str | None, taking: str) -> None:
        self._location = location
        self._taking = taking
        self._connection: Any = None
        note = f"tichu {command or ANY} {os.getpid()} {socket.gethostname()}"
        self._note = note[:_LONGEST_NAME]
        self._loop = asyncio.new_event_loop()
        self._ending = asyncio.Event()
        self._taken: Future[None] = Future()
        self._thread = Thread(target=self._run, name="storage-lock", daemon=True)

    def begin(self) -> None:
        """Return when the lock is taken; raises why it is not."""
        self._thread.start()
        self._taken.result()

    def ask(self, statement: str) -> bool:
        """What the server answers to a statement about the lock; `False` without an answer."""
        try:
            asked = self._connection.fetchval(statement, _LOCK, timeout=_WITHIN_S)
            return bool(asyncio.run_coroutine_threadsafe(asked, self._loop).result())
        except Exception as error:  # noqa: BLE001 - what reads and writes tells of it
            log.debug("the lock of the database waits for the server: %s", type(error).__name__)
            return False

    def end(self) -> None:
        """Give up the lock, and return when that is done."""
        with suppress(RuntimeError):  # its loop has ended
            self._loop.call_soon_threadsafe(self._ending.set)
        self._thread.join(_WITHIN_S)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._keep())

    async def _keep(self) -> None:
        """Take the lock, and take it again whenever the connection is gone."""
        try:
            connection = await self._connected()
        except BaseException as error:  # noqa: BLE001 - told to whoever has asked
            self._taken.set_exception(error)
            return
        self._taken.set_result(None)
        try:
            while not await self._ends_within(_LOOK_EVERY_S):
                if connection.is_closed():
                    connection = await self._again() or connection
        finally:
            with suppress(Exception):
                await connection.close(timeout=_WITHIN_S)

    async def _ends_within(self, seconds: float) -> bool:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ending.wait(), seconds)
        return self._ending.is_set()

    async def _again(self) -> Any:
        """Another connection with the lock, if that is possible now."""
        try:
            return await self._connected()
        except _Taken as taken:
            log.error("the database is in use by %s, too: stop one of them", taken.holder)
        except Exception as error:  # noqa: BLE001 - what reads and writes tells of it
            log.debug("the lock of the database waits for the server: %s", type(error).__name__)
        return None

    async def _connected(self) -> Any:
        """A connection that has the lock. Raises `_Taken`, or what asyncpg raises."""
        import asyncpg

        _, options = self._location.get_dialect()().create_connect_args(self._location)
        for own in ("prepared_statement_cache_size", "prepared_statement_name_func"):
            options.pop(own, None)
        settings = {"application_name": self._note}
        connection: Any = await asyncpg.connect(
            **options, server_settings=settings, timeout=_WITHIN_S
        )
        try:
            if not await connection.fetchval(self._taking, _LOCK):
                found = await connection.fetchrow(_HOLDER, _LOCK >> 32, _LOCK & 0xFFFFFFFF)
                raise _Taken(_holder(found))
        except BaseException:
            await connection.close(timeout=_WITHIN_S)
            raise
        self._connection = connection
        return connection


def _holder(found: Any) -> str:
    """Who has the lock, in words for a person, as far as the server says."""
    try:
        _, command, process, machine = found["application_name"].split()
    except (TypeError, ValueError):
        return "another process"
    named = "" if command == ANY else f"`python -m bot {command}`, "
    elsewhere = "" if machine == socket.gethostname() else f" on {machine}"
    since = found["backend_start"]
    return f"{named}process {process}{elsewhere}, since {since:%Y-%m-%d %H:%M:%S} UTC"
