"""Automatic backups before migrations of the schema.

They are stored beside the database, so that an update can be undone. Only a few are kept for a
limited time, because they may contain data of people who were erased since.
"""

from __future__ import annotations

import asyncio
import logging
import re
import shutil
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import count
from pathlib import Path
from typing import Final

from bot.runtime.clock import Clock
from bot.storage.errors import StorageUnavailable, StorageUnfit
from bot.storage.sqlite.backup import back_up, write_through

log = logging.getLogger(__name__)

KEPT: Final = 3
"""Number of backups kept."""
KEPT_DAYS: Final = 30
"""Number of days for which a backup is kept."""
_MEGABYTE: Final = 1_000_000
_DAY_S: Final = 86400.0


def make(database: Path, version: str, today: date) -> Path:
    """Make a backup of a database with this schema version; return its file.

    Only one process at a time may do that (see `instance_lock`). Remains of a killed process are
    deleted. Raises `StorageError`, with sentences for the operator; then nothing has changed.
    """
    folder = database.with_name(f".{database.stem}-before-update")
    shutil.rmtree(folder, ignore_errors=True)
    try:
        folder.mkdir(0o700)
        back_up(database, folder / "whole.db")
        file = next(place for place in _places(database, version, today) if not place.exists())
        (folder / "whole.db").replace(file)
        write_through(file.parent)
    except StorageUnfit:
        raise
    except (OSError, StorageUnavailable) as error:
        reason = f"{error.strerror}." if isinstance(error, OSError) else str(error)
        megabytes = database.stat().st_size // _MEGABYTE + 1
        raise StorageUnavailable(
            f"The copy that is made before an update has failed: {reason} It takes {megabytes} MB "
            f"in {database.parent}. The database is as it was."
        ) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return file


def expire(database: Path, today: date) -> None:
    """Delete the expired backups."""
    pattern = re.compile(
        rf"{re.escape(database.stem)}-schema-\d{{4}}-(\d{{4}}-\d\d-\d\d)(?:-(\d+))?"
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


async def keep_expiring(database: Path, clock: Clock) -> None:
    """Delete the expired backups once a day, forever."""
    while True:
        await clock.sleep(_DAY_S)
        try:
            await asyncio.to_thread(expire, database, clock.now().date())
        except OSError as error:
            log.warning("cannot delete expired backups: %s", error)


def _places(database: Path, version: str, today: date) -> Iterator[Path]:
    """Yield the possible file names of a backup, the preferred first."""
    name = f"{database.stem}-schema-{version}-{today.isoformat()}"
    yield database.with_name(f"{name}{database.suffix}")
    for number in count(2):
        yield database.with_name(f"{name}-{number}{database.suffix}")
