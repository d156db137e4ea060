"""`python -m bot rebuild`: rebuild rounds, ratings and leaderboards from stored actions."""

from __future__ import annotations

import argparse
import asyncio
from datetime import UTC, datetime

from bot.cli.console import complain, settings_and_logs, warn_of_new_database
from bot.cli.exclusive import only_process
from bot.runtime.progress import bar

NAME = "rebuild"
HELP = "derive rounds, ratings and leaderboards from the stored actions"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def carry_out(arguments: argparse.Namespace) -> int:
    """Rebuild all derived data, table by table. Raise `SettingsError`.

    Return the exit status: 1 if a table cannot be replayed and was skipped, 2 if the database is
    unavailable.
    """
    from bot.history.rebuild import rebuild
    from bot.rating.ledger import LEDGER
    from bot.storage import RebuildResult, StorageError, Store, backends

    settings = settings_and_logs(with_token=False)
    warn_of_new_database(settings)

    async def work() -> RebuildResult:
        store = await Store.open(settings.database_url, LEDGER)
        try:
            async with only_process(settings, store):
                with bar("rebuild", unit="tables") as tables:
                    return await rebuild(store, datetime.now(UTC), on_derived=tables.update)
        finally:
            await store.close()

    try:
        # Otherwise a bot of another version would keep counting in its own way.
        with backends.lock(settings.database_url, NAME):
            rebuilt = asyncio.run(work())
    except StorageError as error:
        return complain(str(error))
    print(f"{rebuilt.rounds} rounds and {rebuilt.matches} matches rebuilt.")
    for table in rebuilt.skipped:
        complain(f"Table {table} cannot be replayed and was skipped.")
    return 1 if rebuilt.skipped else 0
