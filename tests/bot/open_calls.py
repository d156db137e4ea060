"""Whether a database is being asked something: whoever lets time pass in a test waits for it.

A thread or a server answers in its own time, of which a time that is set by hand knows nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.storage.database import Database
from tests.bot.fake_time import settle

_open = 0


def counted() -> None:
    """Count, from now on, what databases are being asked."""
    if not hasattr(Database.read, "counted"):
        patch = pytest.MonkeyPatch()  # and never as before
        for name in ("read", "write", "write_alone", "write_prepared"):
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


def _counting(asks: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def asked(*args: Any, **kwargs: Any) -> Any:
        global _open
        _open += 1
        try:
            return await asks(*args, **kwargs)
        finally:
            _open -= 1

    asked.counted = True  # type: ignore[attr-defined]
    return asked
