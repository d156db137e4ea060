"""Counter of database calls in flight, for tests that let simulated time pass.

A thread or a server answers in real time, which simulated time does not wait for.
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
    """Start counting calls to databases."""
    if not hasattr(Database.read, "counted"):
        patch = pytest.MonkeyPatch()  # not before the first call
        for name in ("read", "write", "write_alone", "write_prepared"):
            patch.setattr(Database, name, _counting(getattr(Database, name)))


def any_open() -> bool:
    """Return whether a call is in flight."""
    return _open > 0


async def answered() -> None:
    """Wait until no call is in flight, including calls made by callers that just got an answer."""
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
