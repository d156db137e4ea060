"""Keeps bots from the database while a command works on it."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, nullcontext
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bot.runtime.settings import Settings

if TYPE_CHECKING:
    from bot.storage import Store


def only_process(settings: Settings, store: Store) -> AbstractAsyncContextManager[None]:
    """Hold the lease of a database on a server during the block, so that no bot uses it.

    A database file needs no lease, because the caller locks the file. Raise `StorageError` if a bot
    holds the lease.
    """
    from bot.live import leases
    from bot.runtime.clock import Clock

    if settings.database_file is not None:
        return nullcontext()
    return leases.only_process(store.leases, Clock(lambda: datetime.now(UTC)))
