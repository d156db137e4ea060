"""Backups that the program makes by itself, each before it changes the schema of a database.

They lie beside the database, so that whoever is not happy with an update can go back. A few are
kept, and not for ever: they hold what people may have wanted to be forgotten since.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import count
from pathlib import Path
from typing import Final

from bot.storage.backup import back_up
from bot.storage.errors import StorageUnavailable

KEPT: Final = 3
"""How many of them are kept: the newest ones."""
KEPT_DAYS: Final = 30
"""How many days a backup is kept."""
_MEGABYTE: Final = 1_000_000


def make(database: Path, version: str, today: date) -> Path:
    """Make a backup of a database with this version of the schema; its file.

    Only one process at a time may do that (see `instance_lock`). What a killed one has left over
    is removed. Raises StorageError, with sentences for a person: then nothing has changed.
    """
    for left_over in database.parent.glob(f".{database.stem}-schema-*{database.suffix}-*"):
        shutil.rmtree(left_over, ignore_errors=True)
    file = next(place for place in _places(database, version, today) if not place.exists())
    try:
        back_up(database, file)
    except StorageUnavailable as error:
        megabytes = database.stat().st_size // _MEGABYTE + 1
        raise type(error)(
            f"{error} Before an update the database is copied, which takes {megabytes} MB in "
            f"{file.parent}. It is as it was."
        ) from error
    return file


def expire(database: Path, today: date) -> None:
    """Remove the backups that need not be kept any more."""
    pattern = re.compile(
        rf"{re.escape(database.stem)}-schema-\w+-(\d{{4}}-\d\d-\d\d)(?:-(\d+))?"
        rf"{re.escape(database.suffix)}"
    )
    found = [
        (date.fromisoformat(name[1]), int(name[2] or 1), file)
        for file in database.parent.iterdir()
        if (name := pattern.fullmatch(file.name))
    ]
    first = today - timedelta(days=KEPT_DAYS)
    for number, (made, _, file) in enumerate(sorted(found, reverse=True)):
        if number >= KEPT or made < first:
            file.unlink(missing_ok=True)


def _places(database: Path, version: str, today: date) -> Iterator[Path]:
    """The names that a backup may have, the first one first."""
    name = f"{database.stem}-schema-{version}-{today.isoformat()}"
    yield database.with_name(f"{name}{database.suffix}")
    for number in count(2):
        yield database.with_name(f"{name}-{number}{database.suffix}")
