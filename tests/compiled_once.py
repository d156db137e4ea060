"""Statements that are compiled once for all databases of a test run, not once for each.

SQLAlchemy turns a statement into SQL once for each engine. A bot makes two engines when it starts,
and compiling for them is a sixth of that; hundreds of tests start bots. All engines are alike.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.util import LRUCache

_COMPILED: LRUCache[Any, Any] = LRUCache(1000)


def _alike(one: object, other: object) -> bool:
    return type(one) is type(other)


def _kind(dialect: object) -> int:
    return hash(type(dialect))


def compile_once(patch: pytest.MonkeyPatch) -> None:
    """Let all engines that are made from now on share what is compiled."""
    options = {"compiled_cache": _COMPILED}
    made = partial(create_async_engine, execution_options=options)
    patch.setattr("bot.storage.sqlite.create_async_engine", made)
    patch.setattr(SQLiteDialect_aiosqlite, "__eq__", _alike)  # a dialect is part of the key
    patch.setattr(SQLiteDialect_aiosqlite, "__hash__", _kind)
