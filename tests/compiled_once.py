"""Statements that are compiled once in a process, not once for each database of a test.

SQLAlchemy keeps what it has compiled with an engine, for its dialect: a bot has the same three
engines as long as it runs, a test has three of its own. All engines are alike.
"""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

_dialects: list[Dialect] = []
"""The dialect of the first engine, which all later ones share."""
_compiled: dict[Any, Any] = {}
"""Statements that were compiled for it."""


def _engine(*given: Any, **options: Any) -> AsyncEngine:
    """An engine with the statements that were compiled before."""
    made = create_async_engine(*given, **options, execution_options={"compiled_cache": _compiled})
    if not _dialects:
        _dialects.append(made.dialect)
    made.sync_engine.dialect = _dialects[0]
    return made


def compile_once(patch: pytest.MonkeyPatch) -> None:
    """Let all engines that are made from now on share what is compiled."""
    patch.setattr("bot.storage.sqlite.create_async_engine", _engine)
