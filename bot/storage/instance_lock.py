"""File lock beside the database: one program at a time works on a database of SQLite.

Several processes of one bot share the lock; `rebuild` or a migration gets it alone. That is why
filelock does not do: it only has exclusive locks of the system.

The system releases the lock when the process ends, also after kill -9. So the file itself says
nothing: it stays, and nobody needs to remove it. The holder writes into it who they are, for the
error message that others get.

Commands that only read, and those whose every change is one small transaction, need no lock.
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
_MAY_PASS: Final = frozenset({errno.ENOSPC, errno.EIO, errno.EMFILE, errno.ENFILE})
_LONGEST_NOTE: Final = 500
"""How many bytes of the file are read."""
ANY: Final = "-"
"""What is written in place of a command, if none is known."""


@dataclass
class _Held:
    """A lock that this process holds; the system would not give it one a second time."""

    opened: int
    """The open file."""
    shared: bool


_held: dict[Path, _Held] = {}
"""The locks of this process, by lock file."""


class InUse(StorageUnfit):
    """Another process (`holder`, in words) works on the database."""

    def __init__(self, database: Path | str, holder: str) -> None:
        super().__init__(
            f"The database {database} is in use by {holder}: stop that first, or choose another "
            "DATABASE_URL."
        )
        self.holder = holder


def acquire(database: Path, command: str | None = None, *, shared: bool = False) -> ExitStack:
    """Lock a database for a command of `python -m bot`, which others may read in the lock file.

    The lock is released when the returned stack is closed. A process that has it may take it again.
    With `shared`, other processes that share it get it, too; where the system knows no such lock,
    they do not. Does not wait. Raises `InUse`, `StorageUnfit` if the folder of the database does
    not allow locks, and `StorageUnavailable` if the disk is full or fails; all with a sentence for
    a person.
    """
    path, lock = lock_file(database), ExitStack()
    held = _held.get(path)
    if held is not None:
        if held.shared and not shared:
            _make_exclusive(database, held)
            lock.callback(_make_shared, held)
        return lock
    opened = _open(path)
    try:
        (_share if shared else _lock)(opened)
    except OSError as error:
        holder = _holder(opened)
        os.close(opened)
        if error.errno in _BUSY:
            raise InUse(database, holder) from error
        raise StorageUnfit(
            f"The file {path} cannot be locked ({error.strerror}): the database must lie on a "
            "local disk, not on a network drive."
        ) from error
    _held[path] = _Held(opened, shared)
    lock.callback(_release, path, opened)
    with suppress(OSError):  # a full disk: then the others do not read who it is
        _sign(opened, command)
    return lock


def _open(path: Path) -> int:
    """Open the lock file, created if it is missing."""
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        if error.errno in _MAY_PASS:
            raise StorageUnavailable(
                f"The file {path} cannot be made: {error.strerror}."
            ) from error
        raise StorageUnfit(
            f"The file {path}, which keeps a second bot from the database, cannot be opened for "
            f"writing ({error.strerror}): let the user of the bot write it and its folder."
        ) from error


def _release(path: Path, opened: int) -> None:
    """Unlock the file for others."""
    del _held[path]
    with suppress(OSError):
        os.ftruncate(opened, 0)
    os.close(opened)


def _make_exclusive(database: Path, held: _Held) -> None:
    """Turn a shared lock into an exclusive one. Raises `InUse`, then it stays shared."""
    try:
        _lock(held.opened)
    except OSError as error:
        _share(held.opened)
        raise InUse(database, "other processes of the bot") from error
    held.shared = False


def _make_shared(held: _Held) -> None:
    """Turn an exclusive lock into a shared one."""
    held.shared = True
    _share(held.opened)


def lock_file(database: Path) -> Path:
    """The file that is locked for this database, by whatever name the database is called."""
    file = database.resolve()
    return file.with_name(f"{file.name}.lock")


def _sign(opened: int, command: str | None) -> None:
    """Write who has the lock: command, process, machine, and the time."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    os.ftruncate(opened, 0)
    os.lseek(opened, 0, os.SEEK_SET)
    os.write(opened, f"{command or ANY} {os.getpid()} {socket.gethostname()} {now}\n".encode())


def _holder(opened: int) -> str:
    """Who has the lock, in words for a person, as far as the file says."""
    try:
        os.lseek(opened, 0, os.SEEK_SET)
        command, process, machine, since = os.read(opened, _LONGEST_NOTE).decode().split()
        began = datetime.fromisoformat(since).astimezone(UTC)
    except (OSError, ValueError):
        return "another process"
    named = "" if command == ANY else f"`python -m bot {command}`, "
    elsewhere = "" if machine == socket.gethostname() else f" on {machine}"
    return f"{named}process {process}{elsewhere}, since {began:%Y-%m-%d %H:%M:%S} UTC"


if sys.platform == "win32":
    import msvcrt

    def _lock(opened: int) -> None:
        """Lock the file without waiting; raises `OSError`."""
        os.lseek(opened, 2**30, os.SEEK_SET)  # beyond the text: others may read that
        msvcrt.locking(opened, msvcrt.LK_NBLCK, 1)

    _share = _lock

else:
    import fcntl

    def _lock(opened: int) -> None:
        """Lock the file without waiting; raises `OSError`."""
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _share(opened: int) -> None:
        """Lock the file together with others, without waiting; raises `OSError`."""
        fcntl.flock(opened, fcntl.LOCK_SH | fcntl.LOCK_NB)
