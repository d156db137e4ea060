"""A database that answers in the thread of the event loop: quicker, and the same each time.

aiosqlite has a thread for each connection, and every statement goes there and back some four
times. Where a test is not about the storage, that is up to a quarter of its time. Here each
statement is done by the event loop itself, in its next turn and in the order of asking: whoever
asks still waits, and others run in between. What goes with it (its cursor, its rows, giving it up)
is done at once. A whole commit is one such turn. The threads themselves are proven by
`tests/bot/storage`, by `test_tables.py`, `test_tables_storage.py` and `test_tables_many.py` in
`tests/bot/live`, by `tests/bot/test_client.py` and by `tests/demo`, which keep them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import pytest
from aiosqlite.core import set_exception, set_result
from sqlalchemy import Engine

from bot.storage.commit_thread import CommitThread

T = TypeVar("T")

_AT_ONCE = {"close", "create_function", "cursor", "fetchall", "fetchmany", "fetchone", "rollback"}


class _NextTurn:
    """Stands in for the queue of a connection."""

    def put_nowait(self, request: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        """Do this in the next turn of the loop; at once where nobody has to wait for it."""
        future, do = request
        if future is None:
            do()
        elif _name(do) in _AT_ONCE:
            _answer(future, do)
        else:
            _in_next_turn(future, do)


def _name(do: Callable[[], Any]) -> str:
    """What is asked for: a method of a connection or of a cursor."""
    return do.func.__name__ if isinstance(do, partial) else ""


def _in_next_turn(future: asyncio.Future[Any], do: Callable[[], Any]) -> None:
    loop: Any = future.get_loop()
    asyncio.BaseEventLoop.call_soon(loop, _answer, future, do)  # past the books of SimCord


def _answer(future: asyncio.Future[Any], do: Callable[[], Any]) -> None:
    try:
        result = do()
    except BaseException as error:  # noqa: BLE001 - told to whoever asked, as aiosqlite does
        set_exception(future, error)
    else:
        set_result(future, result)


class _NoThread:
    """Stands in for the thread of a connection."""

    daemon = True

    def __init__(self, **_: Any) -> None:
        pass

    def start(self) -> None:
        """Nothing has to start."""


class _Commits(CommitThread):
    """A connection for commits without a thread, whatever is patched later."""

    def __init__(self, engine: Engine) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("bot.storage.commit_thread.Thread", _NoThread)
            super().__init__(engine)

    async def _in_thread(self, do: Callable[[], T]) -> T:
        """The result of `do`, which is not done if the caller gives it up before its turn."""
        outcome: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        _in_next_turn(outcome, lambda: None if outcome.done() else do())
        return await outcome


def answer_in_this_thread(patch: pytest.MonkeyPatch) -> None:
    """Let all connections that are opened from now on answer in the thread of the event loop."""
    patch.setattr("aiosqlite.core.SimpleQueue", _NextTurn)
    patch.setattr("aiosqlite.core.Thread", _NoThread)
    patch.setattr("bot.storage.sqlite_backend.CommitThread", _Commits)


async def _beside(do: Callable[..., T], /, *args: Any, **named: Any) -> T:
    """Stands in for `asyncio.to_thread`."""
    outcome: asyncio.Future[T] = asyncio.get_running_loop().create_future()
    _in_next_turn(outcome, partial(do, *args, **named))
    return await outcome


def work_in_this_thread(patch: pytest.MonkeyPatch) -> None:
    """Let the event loop itself do, in its next turn, what it would give to another thread."""
    patch.setattr("asyncio.to_thread", _beside)
