"""SQL statements compiled once in a process instead of once for each test database.

SQLAlchemy caches compiled statements by engine and dialect: a bot has the same four engines as long
as it runs, a test has four of its own. All engines of a kind are equal.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest
from sqlalchemy import URL, Engine, create_engine
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.storage.sqlite import engines

_dialects: dict[str, Dialect] = {}
"""Dialect of the first engine by driver, shared by all later ones."""
_compiled: dict[str, dict[Any, Any]] = defaultdict(dict)
"""Compiled statements by driver."""


def _engine(url: URL, **options: Any) -> Engine:
    """Return an engine with the shared compiled statements."""
    cache = _compiled[url.drivername]
    return _alike(create_engine(url, **options, execution_options={"compiled_cache": cache}))


def _async_engine(url: URL, **options: Any) -> AsyncEngine:
    """Return an asyncio engine with the shared compiled statements."""
    cache = {"compiled_cache": _compiled[url.drivername]}
    made = create_async_engine(url, **options, execution_options=cache)
    _alike(made.sync_engine)
    return made


def _alike(made: Engine) -> Engine:
    made.dialect = _dialects.setdefault(made.url.drivername, made.dialect)
    return made


def compile_once(patch: pytest.MonkeyPatch) -> None:
    """Let all engines created from now on share compiled statements.

    Those of `tests.same_thread` are based on plain engines, so the order of both patches does not
    matter.
    """
    if vars(engines)["create_async_engine"] is create_async_engine:
        patch.setattr("bot.storage.sqlite.engines.create_async_engine", _async_engine)
    patch.setattr("bot.storage.sqlite.engines.create_engine", _engine)
