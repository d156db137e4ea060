"""Statements that are compiled once in a process, not once for each database of a test.

SQLAlchemy keeps what it has compiled with an engine, for its dialect: a bot has the same four
engines as long as it runs, a test has four of its own. All engines of a kind are alike.
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
"""The dialect of the first engine with a driver, which all later ones share."""
_compiled: dict[str, dict[Any, Any]] = defaultdict(dict)
"""Statements that were compiled for it."""


def _engine(url: URL, **options: Any) -> Engine:
    """An engine with the statements that were compiled before."""
    cache = _compiled[url.drivername]
    return _alike(create_engine(url, **options, execution_options={"compiled_cache": cache}))


def _async_engine(url: URL, **options: Any) -> AsyncEngine:
    """Such an engine for asyncio."""
    cache = {"compiled_cache": _compiled[url.drivername]}
    made = create_async_engine(url, **options, execution_options=cache)
    _alike(made.sync_engine)
    return made


def _alike(made: Engine) -> Engine:
    made.dialect = _dialects.setdefault(made.url.drivername, made.dialect)
    return made


def compile_once(patch: pytest.MonkeyPatch) -> None:
    """Let all engines that are made from now on share what is compiled.

    Those of `tests.same_thread` are made of plain ones, whichever of both comes first.
    """
    if vars(engines)["create_async_engine"] is create_async_engine:
        patch.setattr("bot.storage.sqlite.engines.create_async_engine", _async_engine)
    patch.setattr("bot.storage.sqlite.engines.create_engine", _engine)
