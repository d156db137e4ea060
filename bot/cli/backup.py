"""`python -m bot backup FILE`: copy the database into one file, also while the bot runs."""

from __future__ import annotations

import argparse
from pathlib import Path

from bot.cli.console import complain, database_file, settings_and_logs

NAME = "backup"
HELP = "copy the whole database into one file, also while the bot plays"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the path of the backup."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the backup, in an existing folder")
    parser.add_argument(
        "--replace", action="store_true", help="replace FILE, once the new backup is whole"
    )


def carry_out(arguments: argparse.Namespace) -> int:
    """Make the backup. Return the exit status, 2 if that failed. Raise `SettingsError`."""
    from bot.storage import StorageError
    from bot.storage.sqlite.backup import back_up

    database = database_file(settings_and_logs(with_token=False), "pg_dump")
    try:
        backup = back_up(database, arguments.file, replace=arguments.replace)
    except StorageError as error:
        return complain(str(error))
    print(
        f"{arguments.file}: {backup.tables} tables, {backup.matches} matches that are over, "
        f"{backup.size / 1e6:.1f} MB."
    )
    return 0
