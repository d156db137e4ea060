"""One program at a time works on a database of PostgreSQL: an advisory lock of a connection.

The server holds the lock as long as the connection is there, and gives it up however that ends. Who
has it stands in the name that the connection has on the server.

The connection lives in a thread with an event loop of its own, as the lock is taken outside of any,
too. When it is lost this process writes nothing (`trouble`) until another one has taken the lock
again. If another program was quicker, whoever holds the lock is told.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from threading import Thread
from typing import Any, Final

from sqlalchemy import URL

from bot.storage.errors import StorageUnavailable, StorageUnfit
from bot.storage.instance_lock import ANY, InstanceLock, InUse
from bot.storage.postgres import errors

log = logging.getLogger(__name__)

_LOCK: Final = 0x746963687500
"""The number of the lock; it is one of the database, not of the server."""
_TAKE: Final = "SELECT pg_try_advisory_lock($1)"
_TAKE_SHARED: Final = "SELECT pg_try_advisory_lock_shared($1)"
_SHARE: Final = "SELECT pg_advisory_unlock($1)"
"""What a connection does that has the lock for itself and shared: it keeps it shared."""
_HOLDER: Final = """SELECT activity.application_name, activity.backend_start, activity.pid
FROM pg_locks JOIN pg_stat_activity AS activity USING (pid)
WHERE locktype = 'advisory' AND granted AND objsubid = 1
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
AND classid = $1 AND objid = $2"""
_LONGEST_NAME: Final = 63
"""How many characters of a connection's name PostgreSQL keeps."""
_END: Final = "SELECT pg_terminate_backend($1)"
KEPT_ALIVE: Final = {
    "tcp_keepalives_idle": "15",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
"""Settings by which the server notices within half a minute that a machine is gone."""
_OF_SOCKET: Final = {
    "TCP_KEEPIDLE": 15,
    "TCP_KEEPINTVL": 5,
    "TCP_KEEPCNT": 3,
    "TCP_USER_TIMEOUT": 20_000,
}
"""Options by which this side notices as soon that the server is gone, where the system has them."""
_LOOK_EVERY_S: Final = 5.0
"""The time between two looks whether the connection is there, of which nobody may have told."""
_AGAIN_AFTER_S: Final = 0.25
"""The time between two tries to take a lock again that was lost."""
_LOST: Final = "the lock of the database is lost, and is being taken again"
_WITHIN_S: Final = 10.0
"""How long the server may take to answer."""

_held: dict[str, _Keeper] = {}
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
            _held.pop(self._key, None)
            _shared.pop(self._key, None)
            keeper.end()

    def when_taken(self, told: Callable[[InUse], object]) -> None:
        """Have `told` be called, in another thread, when another program has got the lock."""
        if self._keeper is not None:
            self._keeper.told = told


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
    key = _key(location)
    if key in _held:
        if not shared and (sharing := _shared.get(key)) is not None:
            if not sharing.ask(_TAKE):
                raise InUse(_called(location), "other processes of the bot")
            return _Alone(key, sharing)
        return _Held(key, None)
    keeper = _Keeper(location, command, _TAKE_SHARED if shared else _TAKE)
    try:
        keeper.begin()
    except _Taken as taken:
        keeper.end()
        raise InUse(_called(location), taken.holder) from None
    except Exception as error:  # noqa: BLE001 - told in words that hold no password
        keeper.end()
        failed = errors.not_connected(error)
        kind = StorageUnfit if errors.is_unfit(failed) else StorageUnavailable
        why = f"{errors.reason(failed)}; {errors.next_step(failed)}"
        raise kind(f"Error while opening the database: {why}.") from None
    _held[key] = keeper
    if shared:
        _shared[key] = keeper
    return _Held(key, keeper)


def trouble(location: URL) -> str | None:
    """Why nothing may be written there now: this process has lost the lock; `None` if it may."""
    keeper = _held.get(_key(location))
    return _LOST if keeper is not None and keeper.lost else None


def _key(location: URL) -> str:
    return location.render_as_string(hide_password=True)


def _called(location: URL) -> str:
    """How sentences call a database: without a password, or options that may hold one."""
    return location.set(password=None, query={}).render_as_string()


def notice_silence(connection: Any) -> None:
    """Have a connection of asyncpg end when the machine of the server does not answer any more."""
    opened = connection._transport.get_extra_info("socket")  # noqa: SLF001 - no other way to it
    if opened is None or opened.family not in (socket.AF_INET, socket.AF_INET6):
        return
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _OF_SOCKET.items():
        if hasattr(socket, name):
            opened.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


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
        process = f"{os.getpid()}.{secrets.token_hex(3)}"
        self._note = f"tichu {command or ANY} {process} {socket.gethostname()}"[:_LONGEST_NAME]
        self.lost = False
        """Whether somebody else may have the lock."""
        self.told: Callable[[InUse], object] = lambda _: None
        """Called when somebody else has it."""
        self._asking = asyncio.Lock()
        self._woken = asyncio.Event()
        self._loop = asyncio.new_event_loop()
        self._ending = False
        self._taken: Future[None] = Future()
        self._thread = Thread(target=self._run, name="storage-lock", daemon=True)

    def begin(self) -> None:
        """Return when the lock is taken; raises why it is not."""
        self._thread.start()
        self._taken.result()

    def ask(self, statement: str) -> bool:
        """What the server answers to a statement about the lock; `False` without an answer."""
        asked = asyncio.run_coroutine_threadsafe(self._answer(statement, _LOCK), self._loop)
        return bool(asked.result())

    def end(self) -> None:
        """Give up the lock, and return when that is done."""
        with suppress(RuntimeError):  # its loop has ended
            self._loop.call_soon_threadsafe(self._end)
        self._thread.join(_WITHIN_S)

    def _end(self) -> None:
        self._ending = True
        self._woken.set()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._keep())

    async def _keep(self) -> None:
        """Take the lock, and take it again whenever the connection is gone."""
        try:
            await self._take()
        except BaseException as error:  # noqa: BLE001 - told to whoever has asked
            self._taken.set_exception(error)
            return
        self._taken.set_result(None)
        try:
            while not self._ending:
                await self._look()
        finally:
            with suppress(Exception):
                await self._connection.close(timeout=_WITHIN_S)

    async def _look(self) -> None:
        """Take the lock again if it is lost; else wait a while, and see whether it is there."""
        if self.lost:
            if not await self._taken_again():
                await self._wait(_AGAIN_AFTER_S)
            return
        await self._wait(_LOOK_EVERY_S)
        if not self._connection.is_closed() and await self._answer("SELECT $1", "") is None:
            self._connection.terminate()
        self.lost |= self._connection.is_closed()

    async def _wait(self, seconds: float) -> None:
        """Return after `seconds` seconds, or when something has happened."""
        self._woken.clear()
        if not self._ending:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), seconds)

    async def _answer(self, statement: str, value: object) -> Any:
        """What the server answers on the connection that has the lock; `None` without an answer."""
        try:
            async with self._asking:
                return await self._connection.fetchval(statement, value, timeout=_WITHIN_S)
        except Exception as error:  # noqa: BLE001 - what reads and writes tells of it
            log.debug("the lock of the database waits for the server: %s", type(error).__name__)
            return None

    async def _taken_again(self) -> bool:
        """Whether the lock could be taken again."""
        try:
            await self._take()
        except _Taken as taken:
            self.told(InUse(_called(self._location), taken.holder))
        except Exception as error:  # noqa: BLE001 - what reads and writes tells of it
            log.debug("the lock of the database waits for the server: %s", type(error).__name__)
        return not self.lost

    async def _take(self) -> None:
        """Take the lock. Raises `_Taken`, or what asyncpg raises."""
        self._connection = connection = await self._connected()
        self.lost = False
        connection.add_termination_listener(self._note_lost)
        self.lost = connection.is_closed()

    def _note_lost(self, connection: Any) -> None:
        self.lost = True
        self._woken.set()

    async def _connected(self) -> Any:
        """A connection that has the lock. Raises `_Taken`, or what asyncpg raises."""
        import asyncpg

        _, options = self._location.get_dialect()().create_connect_args(self._location)
        for own in ("prepared_statement_cache_size", "prepared_statement_name_func"):
            options.pop(own, None)
        settings = {"application_name": self._note, **KEPT_ALIVE}
        connection: Any = await asyncpg.connect(
            **options, server_settings=settings, timeout=_WITHIN_S
        )
        try:
            notice_silence(connection)
            if not await connection.fetchval(self._taking, _LOCK):
                found = await connection.fetchrow(_HOLDER, _LOCK >> 32, _LOCK & 0xFFFFFFFF)
                if found is not None and found["application_name"] == self._note:
                    await connection.fetchval(_END, found["pid"])
                    raise ConnectionError("the server has not noticed yet that we have lost it")
                raise _Taken(_holder(found))
        except BaseException:
            await connection.close(timeout=_WITHIN_S)
            raise
        return connection


def _holder(session: Any) -> str:
    """Who has the lock, in words for a person, as far as the server says."""
    try:
        _, command, process, machine = session["application_name"].split()
    except (TypeError, ValueError):
        return "another process"
    named = "" if command == ANY else f"`python -m bot {command}`, "
    process = process.partition(".")[0]
    elsewhere = "" if machine == socket.gethostname() else f" on {machine}"
    since = session["backend_start"]
    return f"{named}process {process}{elsewhere}, since {since:%Y-%m-%d %H:%M:%S} UTC"
