"""The file of an open SQLite database, which somebody may move away or write over.

SQLite does not notice either: it goes on with the file that it has opened, wherever that is by now,
and with what it remembers of it. What it writes then is lost at the next start, or makes a mixture
of two databases.

Another valid copy is found out by a mark, a random number in the first page of the file. We use
SQLite in a mode (WAL) in which changes first stand in a log beside the database, ``…-wal``. The
file itself only changes at a checkpoint, when they are copied into it; how far that has come stands
in ``…-shm``. So when the mark in the file has changed without a checkpoint, the file is not ours
any more; an exact copy of ours is as good. Another mark is set at the start, by the first
transaction after a checkpoint, and by those shortly before the next one: a copy that is older than
a checkpoint has another mark than what that has left. The log is known by the checksum of its last
entry, which depends on all before it.
"""

from __future__ import annotations

import os
import random
import sqlite3
import struct
import sys
from contextlib import closing, suppress
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import text

from bot.storage.errors import StorageUnfit

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

_FIRST_BYTES = b"SQLite format 3\0"
_MARK = slice(60, 64)
"""Where the file has its ``user_version``, a number for which SQLite has no use of its own."""
_LARGEST_MARK = (1 << 31) - 1
_HEADER_BYTES = 100

_INDEX_BYTES = 136
_PAGE_BYTES, _ENTRIES, _CHECKSUM, _SALTS = (
    slice(14, 16),
    slice(16, 20),
    slice(24, 32),
    slice(32, 40),
)
_COPIED, _TO_BE_COPIED = slice(96, 100), slice(128, 132)
"""Where ``…-shm`` has what it says of the log, in the byte order of the machine."""
_LOG_HEADER_BYTES, _ENTRY_HEADER_BYTES = 32, 24
_SALTS_AND_CHECKSUM = slice(8, 24)
_TRIES = 5
_NEARLY_FULL = 800
"""At 1,000 entries SQLite copies them into the file, at the end of a transaction."""
_MIXED = (
    "another copy was put over the database file, or the file -wal beside it is not what it was; "
    "stop the bot, put a backup in place (python -m bot restore FILE) and start it again"
)


class OpenFile:
    """The file at `path`, which a connection has open, and what stands beside it."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        _mark_anew(path)
        # All stay open: on Unix, a program that closes a file gives up its locks, SQLite's too.
        self._file, self._log, self._index = (FileIO(path + end) for end in ("", "-wal", "-shm"))
        self._identity = _identity(os.fstat(self._file.fileno()))
        self._mark = b""
        self._progress: tuple[bytes, bytes, bytes] | None = None
        """How far the log was copied when the file had this mark; `None`: not known yet."""
        if (seen := self._look()) is not None:
            self._mark, self._progress = seen[0][_MARK], _progress(seen[1])
        self._mixed = False
        self.mark_due = True
        """Whether the next transaction must set another mark."""

    def trouble(self) -> str | None:
        """Why nothing may be written now, in words for a person; `None` if it may.

        To be asked before each transaction.
        """
        try:
            there = self._path.stat()
        except OSError:
            return "the database file is not in its place; put it back"
        if _identity(there) != self._identity:
            return "another file is in the place of the database file; put the right one back"
        if (seen := self._look()) is None:
            return None
        header, index, log_is_ours = seen
        if header[: len(_FIRST_BYTES)] != _FIRST_BYTES:
            return (
                "something else has written over the database file; stop the bot and put a backup "
                "in place (python -m bot restore FILE)"
            )
        if not log_is_ours or not self._follow(header, index):
            self._note_mixed()
            return _MIXED
        self._note_whole()
        return None

    def written(self, *, marked: bool) -> None:
        """A transaction was written, which has set another mark or not.

        It may have begun another log, or have had the old one copied.
        """
        if marked:
            self.mark_due = False
        if (seen := self._look()) is not None:
            self._follow(*seen[:2])

    async def set_mark(self, connection: AsyncConnection) -> None:
        """Set another mark, in a transaction that writes."""
        await connection.execute(text(_new_mark()))

    def _look(self) -> tuple[bytes, bytes, bool] | None:
        """The beginnings of the file and of ``…-shm``, and whether the log is the one of that.

        They fit each other: nobody has written or copied between. `None` if others write all the
        while, or keep us from reading; what was noted before stays true then. A disk that fails is
        left for SQLite to tell of.
        """
        for _ in range(_TRIES):
            with suppress(OSError):
                index = _read(self._index, _INDEX_BYTES)
                header = _read(self._file, _HEADER_BYTES)
                log_is_ours = self._is_log_of(index)
                if _read(self._index, _INDEX_BYTES) == index:
                    return header, index, log_is_ours
        return None

    def _follow(self, header: bytes, index: bytes) -> bool:
        """Note what the file and the log are now; `False` if the file cannot be ours any more."""
        progress, changed = _progress(index), header[_MARK] != self._mark
        copying = index[_COPIED] != index[_TO_BE_COPIED]
        if changed and progress == self._progress and not copying:
            return False
        self.mark_due = self.mark_due or changed or _number(index[_ENTRIES]) >= _NEARLY_FULL
        self._mark, self._progress = header[_MARK], progress
        return True

    def close(self) -> None:
        """Close it; the database must be closed before."""
        for file in (self._file, self._log, self._index):
            file.close()

    def _is_log_of(self, index: bytes) -> bool:
        """Whether ``…-wal`` is in its place, and the log that this index is about."""
        if not all(os.fstat(file.fileno()).st_nlink for file in (self._log, self._index)):
            return False
        entries = _number(index[_ENTRIES])
        page_bytes = _number(index[_PAGE_BYTES])
        size = _ENTRY_HEADER_BYTES + (page_bytes if page_bytes > 1 else 1 << 16)
        at = _LOG_HEADER_BYTES + (entries - 1) * size
        entry = _read(self._log, _ENTRY_HEADER_BYTES, at) if entries else b""
        checksum = struct.pack(">2I", *struct.unpack("=2I", index[_CHECKSUM]))
        return not entries or entry[_SALTS_AND_CHECKSUM] == index[_SALTS] + checksum

    # --- what the next start must know ---------------------------------------------------------

    def _note_mixed(self) -> None:
        """Leave a note for the next start: at the end SQLite copies the log into the wrong file."""
        if not self._mixed:
            self._mixed = True
            with suppress(OSError):  # the log of the program says it, too
                note_of_mixture(self._path).write_text(f"{self._identity}\n", encoding="ascii")

    def _note_whole(self) -> None:
        """What is right is back, to the last byte."""
        if self._mixed:
            self._mixed = False
            note_of_mixture(self._path).unlink(missing_ok=True)


def _new_mark() -> str:
    return f"PRAGMA user_version = {random.SystemRandom().randint(1, _LARGEST_MARK)}"


def _mark_anew(path: str) -> None:
    """Have a mark in the file that no copy has which was made before."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(path, timeout=0.0)) as connection:
        connection.execute(_new_mark())
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")


def refuse_mixture(path: Path) -> None:
    """Raises StorageUnfit if this file was written over while the bot had it open.

    A file that was put in its place since is another one, and is as good as any.
    """
    note = note_of_mixture(path)
    if not note.exists():
        return
    if path.exists() and note.read_text(encoding="ascii").strip() == str(_identity(path.stat())):
        raise StorageUnfit(
            f"Another copy was put over the database {path} while the bot was running, so it may "
            "hold a mixture of both. Put a backup in its place (python -m bot restore FILE); if "
            f"you are sure that it is whole, delete {note}."
        )
    note.unlink(missing_ok=True)


def note_of_mixture(path: Path) -> Path:
    """The file that tells the next start that a database may be a mixture."""
    return path.with_name(f"{path.name}-mixed")


def _identity(file: os.stat_result) -> tuple[int, int]:
    """What two files do not have in common."""
    return file.st_dev, file.st_ino


def _read(file: FileIO, size: int, offset: int = 0) -> bytes:
    """Read `size` bytes of a file from `offset` on; fewer at its end."""
    file.seek(offset)
    return file.read(size)


def _number(field: bytes) -> int:
    """A number in ``…-shm``."""
    return int.from_bytes(field, sys.byteorder)


def _progress(index: bytes) -> tuple[bytes, bytes, bytes]:
    """How far the log was copied into the database.

    The salts name the log: when all is copied, another one is begun in its place. Then come the
    number of entries that are copied, and the one that the last checkpoint had set out to copy.
    """
    return index[_SALTS], index[_COPIED], index[_TO_BE_COPIED]
