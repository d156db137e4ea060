"""`python -m bot check`: check the database, also while the bot runs.

It changes nothing in the database. It reads a temporary copy beside the database, which takes up to
three times the space of the database.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bot.cli.console import complain, settings_and_logs
from bot.runtime.progress import bar

NAME = "check"
HELP = "check the whole database: play every game again, compare every score"
_UNITS: Final = (("days", 86400), ("h", 3600), ("min", 60))
"""Units of ages, with their seconds."""
_MOST_PRINTED: Final = 20
"""Maximum number of printed sentences of each kind."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the option for a backup."""
    parser.add_argument(
        "--file", type=Path, metavar="FILE", help="check this backup instead of the database"
    )


def carry_out(arguments: argparse.Namespace) -> int:
    """Check the database. Print faults and their remedies. Raise `SettingsError`.

    Return the exit status: 1 if there are faults, 2 if the database cannot be checked.
    """
    from bot.history.check import check
    from bot.storage import Damaged, StorageError
    from bot.storage.sqlite.backup import temporary_copy

    settings = settings_and_logs(with_token=False)
    # Messages about the copy, such as schema upgrades, would confuse.
    logging.getLogger("bot.storage").setLevel(logging.WARNING)
    file = arguments.file or settings.database_file
    place = (file or settings.heartbeat_file).parent
    folder = place if os.access(place, os.W_OK) else Path(tempfile.gettempdir())
    try:
        with (
            _copied_from_server(settings.database_url, folder)
            if file is None
            else temporary_copy(file, folder, f"the copy in {folder} that is checked") as copy,
            bar("check", unit="tables") as tables,
        ):
            checked = asyncio.run(check(copy, datetime.now(UTC), on_replayed=tables.update))
    except Damaged as error:
        print(error)
        print("`python -m bot restore FILE` restores a backup, with the bot stopped.")
        return 1
    except StorageError as error:
        return complain(str(error))
    if checked.newest_move is not None:
        seconds = (datetime.now(UTC) - checked.newest_move).total_seconds()
        moment = f"{checked.newest_move:%Y-%m-%d %H:%M:%S}"
        print(f"The newest move is {age(seconds)} old ({moment} UTC).")
    _print_some(checked.stale)
    if checked.stale:
        print("`python -m bot rebuild` repairs all of these, with the bot stopped.")
    if checked.damage:
        return _complain_of_damage(checked.damage)
    scores = "" if checked.stale else ", every score is correct"
    print(
        f"{checked.tables} started tables, {checked.rounds} rounds and {checked.matches} matches "
        f"that are over, and {checked.solo_rounds} solo rounds: every game can be replayed{scores}."
    )
    return 1 if checked.stale else 0


@contextmanager
def _copied_from_server(url: str, folder: Path) -> Iterator[Path]:
    """Yield an SQLite copy of a PostgreSQL database. Raise `StorageError`."""
    from bot.storage.copying import copy

    with tempfile.TemporaryDirectory(prefix=".check-", dir=folder) as temporary:
        file = Path(temporary) / "copy.db"
        asyncio.run(copy(url, f"sqlite:///{file}", in_use=True))
        yield file


def age(seconds: float) -> str:
    """Return an age in the largest unit of which it has at least two."""
    for unit, size in _UNITS:
        if seconds >= 2 * size:
            return f"{seconds // size:.0f} {unit}"
    return f"{max(0, seconds):.0f} s"


def _complain_of_damage(sentences: Sequence[str]) -> int:
    """Print the sentences about damage and the remedy. Return the exit status."""
    _print_some(sentences)
    print(
        "This cannot be rebuilt. If it matters more than what was played since the last backup, "
        "`python -m bot restore FILE` restores that backup, with the bot stopped."
    )
    return 1


def _print_some(sentences: Sequence[str]) -> None:
    """Print at most `_MOST_PRINTED` sentences, and how many more there are."""
    for sentence in sentences[:_MOST_PRINTED]:
        print(sentence)
    if len(sentences) > _MOST_PRINTED:
        print(f"... and {len(sentences) - _MOST_PRINTED} more of this kind.")
