"""One program at a time works on a database: a lock on a file beside it.

Several processes of one bot share the lock. Whoever must be alone gets it when none of them has it.

The operating system holds the lock for as long as the process lives, and gives it up however that
ends, also after kill -9. So the file itself says nothing: it stays, and nobody needs to remove it.
Whoever has the lock writes into it who they are, for the sentence that others get.

Commands that only read, and those whose every change is one small transaction, need no lock.
"""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from bot.storage.errors import StorageUnavailable, StorageUnfit

_BUSY: Final = frozenset({errno.EACCES, errno.EAGAIN, errno.EDEADLK, errno.EWOULDBLOCK})
_MAY_PASS: Final = frozenset({errno.ENOSPC, errno.EIO, errno.EMFILE, errno.ENFILE})
_LONGEST_NOTE: Final = 500
"""How many bytes of the file are read."""
ANY: Final = "-"
"""What is written in place of a command, if none is known."""

_held: set[Path] = set()
"""The lock files that this process holds: the system would not give it one a second time."""
_shared: dict[Path, int] = {}
"""Those of them that it shares, with its open files."""


class InUse(StorageUnfit):
    """Another process (`holder`, in words) works on the database."""

    def __init__(self, database: Path | str, holder: str) -> None:
        super().__init__(
            f"The database {database} is in use by {holder}: stop that first, or choose another "
            "DATABASE_URL."
        )
        self.holder = holder


class InstanceLock:
    """A lock that was taken with `take`; released by `release`, or at the end of a `with` block."""

    def __init__(self, path: Path, opened: int | None) -> None:
        self._path = path
        self._opened = opened
        """The open file; `None` if this process has the lock by another `take`, or no more."""

    def release(self) -> None:
        """Let others work on the database; a second call does nothing."""
        opened, self._opened = self._opened, None
        if opened is not None:
            _held.discard(self._path)
            _shared.pop(self._path, None)
            with contextlib.suppress(OSError):
                os.ftruncate(opened, 0)
            os.close(opened)

    def when_taken(self, told: Callable[[InUse], object]) -> None:
        """Have `told` be called, in any thread, when another program has got the lock meanwhile.

        A lock of the system is never lost.
        """

    def __enter__(self) -> Self:
        """The lock itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Release it."""
        self.release()


def take(database: Path, command: str | None = None, *, shared: bool = False) -> InstanceLock:
    """The lock of a database; others may read for which command of `python -m bot` it was taken.

    A process that has it may take it again. One that is `shared` others get, too, if they share it;
    where the system knows no such lock, they do not. Does not wait. Raises `InUse`, `StorageUnfit`
    if the folder of the database does not allow locks, and `StorageUnavailable` if the disk is full
    or fails; all with a sentence for a person.
    """
    path = lock_file(database)
    if path in _held:
        if path in _shared and not shared:
            return _taken_alone(database, path)
        return InstanceLock(path, None)
    try:
        opened = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        if error.errno in _MAY_PASS:
            raise StorageUnavailable(
                f"The file {path} cannot be made: {error.strerror}."
            ) from error
        raise StorageUnfit(
            f"The file {path}, which keeps a second bot from the database, cannot be opened for "
            f"writing ({error.strerror}): let the user of the bot write it and its folder."
        ) from error
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
    _held.add(path)
    if shared:
        _shared[path] = opened
    with contextlib.suppress(OSError):  # a full disk: then the others do not read who it is
        _sign(opened, command)
    return InstanceLock(path, opened)


class _Alone(InstanceLock):
    """A lock that was shared and will be again when it is released."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, None)
        self._shares: int | None = _shared.pop(path)

    def release(self) -> None:
        """Let others share it again."""
        opened, self._shares = self._shares, None
        if opened is not None:
            _shared[self._path] = opened
            _share(opened)


def _taken_alone(database: Path, path: Path) -> InstanceLock:
    """A lock that this process shares, now for itself alone. Raises `InUse`: then it is shared."""
    opened = _shared[path]
    try:
        _lock(opened)
    except OSError as error:
        _share(opened)
        raise InUse(database, "other processes of the bot") from error
    return _Alone(path)


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
