"""Whether a database is being asked something: whoever lets time pass in a test waits for it.

A thread or a server answers in its own time, of which a time that is set by hand knows nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest

from bot.storage.database import Database
from tests.bot.fake_time import settle

_open = 0


def counted() -> None:
    """Count, from now on, what databases are being asked."""
    if not hasattr(Database.reading, "counted"):
        patch = pytest.MonkeyPatch()  # and never as before
        for name in ("reading", "_turn_to_write"):
            patch.setattr(Database, name, _counting(getattr(Database, name)))


def any_open() -> bool:
    """Whether something was asked and is not answered."""
    return _open > 0


async def answered() -> None:
    """Return when nothing is asked any more, nor by whoever has got an answer meanwhile."""
    await settle()
    while any_open():
        await asyncio.sleep(0.0005)
        await settle()


def _counting(
    asks: Callable[..., AbstractAsyncContextManager[Any]],
) -> Callable[..., AbstractAsyncContextManager[Any]]:
    @asynccontextmanager
    async def asked(*arguments: Any) -> AsyncIterator[Any]:
        global _open
        _open += 1
        try:
            async with asks(*arguments) as given:
                yield given
        finally:
            _open -= 1

    asked.counted = True  # type: ignore[attr-defined]
    return asked
