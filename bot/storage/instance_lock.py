"""File lock beside a SQLite database: one program at a time may use it.

Several processes of one bot share the lock; `rebuild` and migrations hold it exclusively. The
package filelock has only exclusive locks, so it cannot be used.

The operating system releases the lock when the process ends, even after kill -9. So a leftover file
means nothing, and nobody needs to delete it. The holder writes its identity into the file, for the
error message of other processes.

Commands that only read, or whose changes are single small transactions, need no lock.
"""

from __future__ import annotations

import errno
import os
import socket
import sys
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bot.storage.errors import StorageUnavailable, StorageUnfit

_BUSY: Final = frozenset({errno.EACCES, errno.EAGAIN, errno.EDEADLK, errno.EWOULDBLOCK})
_TEMPORARY: Final = frozenset({errno.ENOSPC, errno.EIO, errno.EMFILE, errno.ENFILE})
_LONGEST_NOTE: Final = 500
"""Number of bytes read from the lock file."""
UNKNOWN_COMMAND: Final = "-"
"""Placeholder in the lock file for an unknown command."""


@dataclass
class _Lock:
    """Lock held by this process, which cannot lock the same file twice."""

    descriptor: int
    """Descriptor of the open lock file."""
    shared: bool


_locks: dict[Path, _Lock] = {}
"""Locks held by this process, by lock file."""


class InUse(StorageUnfit):
    """Another process uses the database; `holder` describes it."""

    def __init__(self, database: Path | str, holder: str) -> None:
        super().__init__(
            f"The database {database} is in use by {holder}: stop that first, or choose another "
            "DATABASE_URL."
        )
        self.holder = holder


def acquire(database: Path, command: str | None = None, *, shared: bool = False) -> ExitStack:
    """Lock a database for a command of `python -m bot`, named in the lock file.

    The lock is released when the returned stack is closed. The same process may acquire it again.
    Other processes may share a `shared` lock, unless the operating system has no shared locks.

    This never waits. Raises `InUse` if another process holds the lock, `StorageUnfit` if the folder
    does not allow locks, and `StorageUnavailable` if the disk is full or fails, each with a
    sentence for the operator.
    """
    path, lock = lock_file(database), ExitStack()
    held = _locks.get(path)
    if held is not None:
        if held.shared and not shared:
            _make_exclusive(database, held)
            lock.callback(_make_shared, held)
        return lock
    descriptor = _open(path)
    try:
        (_lock_shared if shared else _lock_exclusively)(descriptor)
    except OSError as error:
        holder = _read_holder(descriptor)
        os.close(descriptor)
        if error.errno in _BUSY:
            raise InUse(database, holder) from error
        raise StorageUnfit(
            f"The file {path} cannot be locked ({error.strerror}): the database must lie on a "
            "local disk, not on a network drive."
        ) from error
    _locks[path] = _Lock(descriptor, shared)
    lock.callback(_release, path, descriptor)
    with suppress(OSError):  # a full disk; the holder stays unnamed
        _write_holder(descriptor, command)
    return lock


def _open(path: Path) -> int:
    """Open the lock file; create it if it is missing."""
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        if error.errno in _TEMPORARY:
            raise StorageUnavailable(
                f"The file {path} cannot be made: {error.strerror}."
            ) from error
        raise StorageUnfit(
            f"The file {path}, which keeps a second bot from the database, cannot be opened for "
            f"writing ({error.strerror}): let the user of the bot write it and its folder."
        ) from error


def _release(path: Path, descriptor: int) -> None:
    """Clear and unlock the lock file."""
    del _locks[path]
    with suppress(OSError):
        os.ftruncate(descriptor, 0)
    os.close(descriptor)


def _make_exclusive(database: Path, held: _Lock) -> None:
    """Make a shared lock exclusive; raise `InUse` and keep it shared otherwise."""
    try:
        _lock_exclusively(held.descriptor)
    except OSError as error:
        _lock_shared(held.descriptor)
        raise InUse(database, "other processes of the bot") from error
    held.shared = False


def _make_shared(held: _Lock) -> None:
    """Turn an exclusive lock into a shared one."""
    held.shared = True
    _lock_shared(held.descriptor)


def lock_file(database: Path) -> Path:
    """Return the lock file of a database, also if the path is a link to it."""
    file = database.resolve()
    return file.with_name(f"{file.name}.lock")


def _write_holder(descriptor: int, command: str | None) -> None:
    """Write command, process, machine and time into the lock file."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    os.ftruncate(descriptor, 0)
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.write(
        descriptor,
        f"{command or UNKNOWN_COMMAND} {os.getpid()} {socket.gethostname()} {now}\n".encode(),
    )


def _read_holder(descriptor: int) -> str:
    """Return a description of the holder, from the lock file."""
    try:
        os.lseek(descriptor, 0, os.SEEK_SET)
        command, process, machine, since = os.read(descriptor, _LONGEST_NOTE).decode().split()
        began = datetime.fromisoformat(since).astimezone(UTC)
    except (OSError, ValueError):
        return "another process"
    named = "" if command == UNKNOWN_COMMAND else f"`python -m bot {command}`, "
    elsewhere = "" if machine == socket.gethostname() else f" on {machine}"
    return f"{named}process {process}{elsewhere}, since {began:%Y-%m-%d %H:%M:%S} UTC"


if sys.platform == "win32":
    import msvcrt

    def _lock_exclusively(descriptor: int) -> None:
        """Lock the file without waiting; raises `OSError`."""
        os.lseek(descriptor, 2**30, os.SEEK_SET)  # beyond the text, which others may read
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

    _lock_shared = _lock_exclusively

else:
    import fcntl

    def _lock_exclusively(descriptor: int) -> None:
        """Lock the file without waiting; raises `OSError`."""
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _lock_shared(descriptor: int) -> None:
        """Lock the file together with others, without waiting; raises `OSError`."""
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
