"""`python -m bot restore FILE`: replace the database by a backup, offline."""

from __future__ import annotations

import argparse
from pathlib import Path

from bot.cli.console import complain, database_file, settings_and_logs

NAME = "restore"
HELP = "put a backup in the place of the database, which is kept beside it"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the path of the backup."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the backup; it stays as it is")


def carry_out(arguments: argparse.Namespace) -> int:
    """Restore the backup. Raise `SettingsError`.

    Return the exit status: 2 if nothing was changed.
    """
    from bot.storage import StorageError, instance_lock
    from bot.storage.sqlite.backup import restore

    database = database_file(settings_and_logs(with_token=False), "pg_restore")
    try:
        with instance_lock.acquire(database, NAME):
            restored, previous = restore(arguments.file, database)
    except StorageError as error:
        return complain(str(error))
    print(
        f"{database} is {arguments.file} now: {restored.tables} tables, {restored.matches} matches "
        f"that are over, {restored.size / 1e6:.1f} MB."
    )
    if previous is not None:
        print(f"What was there before is kept as {previous}.")
    return 0
