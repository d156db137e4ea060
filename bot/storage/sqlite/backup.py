"""Backups: copies of the whole database in one file, made during play, and restored.

A copy of the file alone, made with `cp`, is incomplete, because the latest changes are in the
write-ahead log. If a file is put beside the log of another database, that log damages it.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bot.storage.errors import Damaged, StorageError, StorageUnavailable, StorageUnfit
from bot.storage.instance_lock import lock_file
from bot.storage.sqlite import copies, engines, errors
from bot.storage.versions import newest_version, refuse_too_old


class Backup(NamedTuple):
    """Contents of a backup."""

    tables: int
    matches: int
    size: int
    """Size in bytes."""


def back_up(database: Path, file: Path, *, replace: bool = False) -> Backup:
    """Copy the database with all stored changes to `file`, readable only by its owner.

    The database may be in use; it is only read, and no writer waits. `file` is replaced atomically.
    A copy takes a second or two for each 100 MB, so the bot must call this in a thread.

    Raises `StorageError`, with one sentence for the operator, if `file` is unsuitable (it exists
    and must not be replaced, it is the database itself, ...), if the disk is full, or if the
    database is damaged or unreadable.
    """
    _check_place(database, file, replace=replace)
    with temporary_copy(database, file.parent, f"the backup {file}") as made:
        with copies.read_only(made) as connection:
            if copies.faults(connection):
                raise Damaged(f"The database {database} is damaged; no backup was made.")
            backup = _contents_of(made, connection)
        write_through(made)
        _check_place(database, file, replace=replace)
        made.replace(file)
        write_through(file.parent)
    return backup


def restore(file: Path, database: Path) -> tuple[Backup, Path | None]:
    """Replace the database by a copy of the backup `file`, while nobody uses it.

    Return the contents of the backup, and the file that keeps the previous database, if there was
    one. The replacement is atomic. The caller holds the lock of the database
    (`bot.storage.instance_lock`).

    Raises `StorageError`, with one sentence for the operator, if `file` is no sound backup that
    this version can read, or if the disk is full; then nothing has changed.
    """
    if database.is_symlink():
        database = database.resolve()
    if database.exists() and file.exists() and file.samefile(database):
        raise StorageError(f"{file} is the database itself; name a backup.")
    with temporary_copy(file, database.parent, "the new database") as made:
        with copies.read_only(made) as connection:
            if copies.faults(connection):
                raise Damaged(f"The backup {file} is damaged; nothing was changed.")
            version = copies.version(connection)
            refuse_too_old(f"The backup {file}", version)
            if version > newest_version():
                raise StorageUnfit(
                    f"The backup {file} was made by a newer version of this program; update the "
                    "bot first."
                )
            backup = _contents_of(made, connection)
        if database.exists() and sys.platform != "win32":
            owner = database.stat()
            with suppress(PermissionError):
                os.chown(made, owner.st_uid, owner.st_gid)
        write_through(made)
        kept = _set_aside(database)
        made.replace(database)
        write_through(database.parent)
    return backup, kept


def _set_aside(database: Path) -> Path | None:
    """Keep a database under another name; return that name, if it exists.

    The database also stays in place. The files beside it are moved, because they would damage the
    new database. Raises `StorageUnfit` if another program has the database open: it would continue
    to use the old file, and Litestream would mix both in its copy.
    """
    numbers = (database.with_name(f"{database.name}.replaced-{n}") for n in count(1))
    suffixes = ("", *copies.SIDE_FILE_SUFFIXES)
    kept = next(
        path for path in numbers if not any(Path(f"{path}{suffix}").exists() for suffix in suffixes)
    )
    if database.exists():
        try:
            engines.close_log(database)
        except errors.Error as error:
            if errors.is_busy(error):
                raise StorageUnfit(
                    f"The database {database} is open in another program, such as Litestream: "
                    "stop that first; nothing was changed."
                ) from error
            # A damaged database keeps its log.
    for ending in copies.SIDE_FILE_SUFFIXES:
        beside = Path(f"{database}{ending}")
        if beside.exists():  # the database is damaged or missing, so the log was not deleted
            beside.replace(f"{kept}{ending}")
    if not database.exists():
        return None
    try:
        kept.hardlink_to(database)
    except OSError:  # not every file system supports hard links
        shutil.copy2(database, kept)
    return kept


def _contents_of(copy: Path, connection: copies.Connection) -> Backup:
    return Backup(
        copies.number_of_rows(connection, "tables"),
        copies.number_of_rows(connection, "matches"),
        copy.stat().st_size,
    )


@contextmanager
def temporary_copy(database: Path, folder: Path, name: str) -> Iterator[Path]:
    """Copy the current database to one file in a new folder within `folder`.

    Yield the copy, which only its owner may read. It is deleted at the end of the block, unless it
    was moved. Errors of the disk and of the databases are raised as `StorageError`, also within
    the block; `name` is the copy's name in messages. A `StorageError` of the block names
    `database`, not the copy.
    """
    if not database.is_file():
        raise StorageUnavailable(f"There is no database {database}.")
    try:
        with TemporaryDirectory(prefix=f".{database.name}-", dir=folder) as own:
            made = Path(own) / database.name
            made.touch(0o600)
            copies.copy(database, made)
            with copies.read_only(made) as connection:
                found = copies.names(connection)
                if not found:
                    raise StorageUnfit(f"The file {database} is empty; it holds no database.")
                if not found >= {"alembic_version", "tables"}:
                    raise StorageUnfit(f"The file {database} is a database of another program.")
            try:
                yield made
            except StorageError as error:
                prefix = str(database).removesuffix(database.name)
                error.args = (str(error).replace(f"{made.parent}{os.sep}", prefix),)
                raise
    except OSError as error:
        raise StorageUnavailable(f"Error while making {name}: {error.strerror}.") from error
    except copies.Error as error:
        if copies.is_full(error):
            raise StorageUnavailable(f"The disk for {name} is full.") from error
        if copies.is_damage(error):
            raise Damaged(f"The file {database} is damaged, or no database.") from error
        failed = f"Error while reading {database} for {name}: {errors.reason(error)}."
        raise StorageUnavailable(failed) from error


def _check_place(database: Path, file: Path, *, replace: bool) -> None:
    """Raise `StorageError` if the backup cannot be made there."""
    if not file.parent.is_dir():
        raise StorageError(f"There is no folder {file.parent} for the backup: make it first.")
    if file.is_dir():
        raise StorageError(f"{file} is a folder; name a file in it.")
    if file.exists() and not file.is_file():
        raise StorageError(f"{file} is a device, not a file; name a file.")
    itself = database.resolve()
    own = [itself, lock_file(itself)]
    own += [Path(f"{itself}{ending}") for ending in copies.SIDE_FILE_SUFFIXES]
    if file.resolve() in own:
        raise StorageError(f"{file} belongs to the database itself; name another file.")
    if file.exists() and file.samefile(database):
        raise StorageError(f"{file} is the database itself; name another file.")
    if file.exists() and not replace:
        raise StorageError(f"{file} exists already; name another file, or say --replace.")
    for ending in copies.SIDE_FILE_SUFFIXES:
        beside = Path(f"{file}{ending}")
        if beside.exists():
            raise StorageError(
                f"{beside} is left over from another database and would spoil the backup; "
                "move it away, or name another file."
            )


def write_through(path: Path) -> None:
    """Flush a file, or the names in a folder, to the disk."""
    if path.is_dir() and os.name == "nt":  # Windows opens no folders
        return
    opened = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
