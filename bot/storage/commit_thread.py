"""A connection whose thread does a whole transaction when it is asked once.

Nearly all that the bot writes are moves: two or three short statements and a commit. Over a
connection of asyncio each of them wakes the thread of the database and then the event loop, and
goes through a layer that makes SQLAlchemy wait for it. All that takes as long as the rest.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, Protocol, TypeVar, cast

from sqlalchemy import Connection, CursorResult, Engine, Executable
from sqlalchemy.ext.asyncio import AsyncConnection

_T = TypeVar("_T")
Work = Callable[[AsyncConnection], Coroutine[Any, Any, _T]]
"""What is done in a transaction. It awaits nothing but `execute` and `scalar` of the connection."""


class Commits(Protocol):
    """Does whole transactions, one after another."""

    @property
    def engine(self) -> Engine:
        """Where its connection comes from."""

    async def transaction(self, work: Work[_T]) -> _T:
        """The result of `work`, which is one transaction. Raises SQLAlchemy's errors."""

    async def close(self) -> None:
        """Close its connection when the transaction that has begun is over."""


class CommitThread:
    """One connection of `engine`, and the thread in which alone it is used.

    The program does not wait for that thread when it ends: a disk may never answer.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._connection: Connection | None = None
        self._asked: SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="storage-commits", daemon=True)
        self._thread.start()
        self._closing = False

    async def transaction(self, work: Work[_T]) -> _T:
        """The result of `work`, which is one transaction. Raises SQLAlchemy's errors.

        If the caller is cancelled, a transaction that has begun goes on to its end.
        """
        return await self._in_thread(partial(self._done, work))

    async def close(self) -> None:
        """Close the connection when the transaction that has begun is over."""
        if self._closing:
            return
        self._closing = True
        await self._in_thread(self._hang_up)
        self._asked.put(None)
        self.engine.dispose()

    async def _in_thread(self, do: Callable[[], _T]) -> _T:
        """The result of `do`, done by the thread in its turn."""
        outcome: Future[_T] = Future()
        self._asked.put((do, outcome))
        return await asyncio.wrap_future(outcome)

    def _run(self) -> None:
        """Do one after another what is asked of the thread, to the end."""
        while (asked := self._asked.get()) is not None:
            do, outcome = asked
            if not outcome.set_running_or_notify_cancel():
                continue
            try:
                outcome.set_result(do())
            except BaseException as error:  # noqa: BLE001 - told to whoever has asked
                outcome.set_exception(error)
            del asked, do, outcome  # nothing of it is kept while nobody asks

    def _done(self, work: Work[_T]) -> _T:
        """Do all of `work` in this thread."""
        if self._connection is None:
            self._connection = self.engine.connect()
        try:
            with self._connection.begin():
                return _result(work(cast(AsyncConnection, _AtOnce(self._connection))))
        except BaseException:
            self._hang_up()  # if the connection itself is broken, the next one is another
            raise

    def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


class _AtOnce:
    """A connection as `Work` knows it, whose statements are done as soon as they are awaited."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.dialect = connection.dialect

    async def execute(self, statement: Executable, parameters: Any = None) -> CursorResult[Any]:
        """Execute a statement."""
        return self._connection.execute(statement, parameters)

    async def scalar(self, statement: Executable, parameters: Any = None) -> Any:
        """The first column of the first row that a statement finds."""
        return self._connection.scalar(statement, parameters)


def _result(work: Coroutine[Any, Any, _T]) -> _T:
    """The result of a coroutine that never has to wait."""
    try:
        work.send(None)
    except StopIteration as end:
        result: _T = end.value
        return result
    work.close()
    raise RuntimeError("a transaction waits for something else than the database")
