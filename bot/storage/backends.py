"""Choice of the database backend by URL."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from sqlalchemy import make_url

from bot.storage import instance_lock
from bot.storage.backend import Backend
from bot.storage.postgres.backend import Postgres, is_postgres, name_of
from bot.storage.sqlite.backend import Sqlite


def backend(url: str, *, busy_ms: int) -> Backend:
    """Return the backend for this URL; create a missing SQLite file.

    Raises `StorageUnavailable`, with a sentence for the operator, if it cannot be used.
    """
    if is_postgres(url):
        return Postgres(url, busy_ms=busy_ms)
    return Sqlite(url, busy_ms=busy_ms)


def lock(url: str, command: str, *, shared: bool = False) -> ExitStack:
    """Lock the database file for this command of `python -m bot`.

    See `instance_lock.acquire`. On a server nothing is locked, because leases exclude a second bot
    there (`bot.live.leases`).
    """
    if is_postgres(url):
        return ExitStack()
    return instance_lock.acquire(Path(str(make_url(url).database)), command, shared=shared)


def name(url: str) -> str:
    """Return the database's name in messages: a path, or a URL without password."""
    location = make_url(url)
    return name_of(location) if is_postgres(url) else str(location.database)
