"""File permissions that keep the database and the token from other users of the machine.

The database holds running hands and sealed secrets. On Windows everything here is a no-op.
"""

from __future__ import annotations

import logging
import os
import re
import stat
from pathlib import Path
from typing import Final

log = logging.getLogger(__name__)

_PERMISSIONS_OF_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
"""Permissions of everybody but the owner."""
_DATABASE_SUFFIXES: Final = ("", "-wal", "-shm", "-journal")
"""Suffixes of the database files: the database itself, and SQLite's files beside it."""
_TOKEN_LINE: Final = re.compile(rb"^[ \t]*(export[ \t]+)?DISCORD_TOKEN[ \t]*=[ \t]*\S", re.I | re.M)


def make_new_files_private() -> None:
    """Deny others access to all files and folders that this process or its children create."""
    os.umask(_PERMISSIONS_OF_OTHERS)


def make_database_private(database: Path) -> None:
    """Restrict the permissions of existing database files, and log it."""
    database = database.resolve()  # if it is a link, SQLite's files are beside its target
    for suffix in _DATABASE_SUFFIXES:
        file = database.with_name(f"{database.name}{suffix}")
        mode = _mode(file)
        if not mode & _PERMISSIONS_OF_OTHERS:
            continue
        try:
            file.chmod(mode & ~_PERMISSIONS_OF_OTHERS)
        except OSError as error:
            message = "%s contains hidden cards and is accessible to other users; chmod failed: %s"
            log.warning(message, file, error.strerror)
        else:
            log.warning(
                "%s was accessible to other users; permissions restricted to its owner", file
            )


def warn_of_readable_token(env_file: Path) -> None:
    """Log a warning if others may read the token in this file."""
    if not _mode(env_file) & _PERMISSIONS_OF_OTHERS:
        return
    try:
        holds_token = _TOKEN_LINE.search(env_file.read_bytes())
    except OSError:
        return
    if holds_token:
        message = "%s contains the token and is readable by other users; run: chmod 600 %s"
        log.warning(message, env_file, env_file)


def _mode(file: Path) -> int:
    """Return the permissions of a file; 0 if there is none, or on systems without permissions."""
    if os.name != "posix":
        return 0
    try:
        return stat.S_IMODE(file.stat().st_mode)
    except OSError:
        return 0
