"""`python -m bot copy-database FROM TO`: copy between SQLite and PostgreSQL, offline."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from bot.cli.console import complain, settings_and_logs
from bot.runtime.settings import POSTGRES, SQLITE

NAME = "copy-database"
HELP = "copy everything into an empty database, from SQLite to PostgreSQL or back"
_CONFIGURED = "DATABASE_URL"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the source and the target database."""
    what = f"a URL, the path of a file of SQLite, or the word {_CONFIGURED} for that of the bot"
    parser.add_argument("source", metavar="FROM", help=f"{what}; it stays as it is")
    parser.add_argument("target", metavar="TO", help="the same; it must be empty, or missing")


def carry_out(arguments: argparse.Namespace) -> int:
    """Copy the database, and compare every row. Raise `SettingsError`.

    Return the exit status: 2 if nothing was copied.
    """
    from sqlalchemy import make_url

    from bot.storage import StorageError, backends
    from bot.storage.copying import copy

    configured_url = settings_and_logs(with_token=False).database_url
    source, target = (
        _database_url(name, configured_url) for name in (arguments.source, arguments.target)
    )
    if not source.startswith(POSTGRES):
        file = make_url(source).database
        if not (file and Path(file).is_file()):
            return complain(f"There is no database {file}.")
    try:
        with backends.lock(source, NAME), backends.lock(target, NAME):
            copied = asyncio.run(copy(source, target))
    except StorageError as error:
        return complain(str(error))
    print(
        f"{backends.name(target)} holds what {backends.name(source)} does: {copied.tables} tables, "
        f"{copied.rows} rows, each of them compared."
    )
    return 0


def _database_url(name: str, configured_url: str) -> str:
    """Return the URL of the database in an argument: a URL, a path or `_CONFIGURED`."""
    if name == _CONFIGURED:
        return configured_url
    return name if name.startswith((POSTGRES, SQLITE)) else f"{SQLITE}{name}"
