"""Lock file beside the database, tested with real processes."""

from __future__ import annotations

import errno
import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.storage import StorageUnavailable, StorageUnfit, instance_lock
from bot.storage.instance_lock import InUse, acquire
from tests.bot.storage.lock_holder import (
    as_another_process,
    held_elsewhere,
    holding,
    is_taken,
    told,
)

pytestmark = pytest.mark.sqlite("the lock of a file")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Return the path of a database."""
    return tmp_path / "tichu.db"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no kill -9")
def test_names_the_other_process_until_it_releases_the_lock(database: Path) -> None:
    """Also if it is killed or a child outlives it, such as a worker process."""
    with holding(database) as other:
        with pytest.raises(InUse) as refused:
            acquire(database, "rebuild")
        assert re.search(
            rf"{re.escape(str(database))} .*bot run`, process {other.pid}, since 20\d\d-.* UTC: ",
            str(refused.value),
        )
        assert is_taken(database)
        assert told(other, "\n") == "released\n"
        with acquire(database, "run"):
            assert other.poll() is None
        assert told(other, "\n") == "taken\n"
        assert is_taken(database)
        assert told(other, "child\n") == "started\n"
        other.send_signal(signal.SIGKILL)
        other.wait()
        assert instance_lock.lock_file(database).read_text("ascii").startswith("run ")
        with acquire(database, "run"):
            pass
    acquire(database, "run").close()


def test_recognises_the_database_by_another_name(database: Path, tmp_path: Path) -> None:
    other_name = tmp_path / "elsewhere" / "games.db"
    other_name.parent.mkdir()
    other_name.symlink_to(database)
    with held_elsewhere(database), pytest.raises(InUse):
        acquire(other_name, "run")
    with held_elsewhere(tmp_path / "another.db"), acquire(database, "run"):
        pass


def test_process_with_the_lock_may_take_it_again(database: Path) -> None:
    """A migration takes it even while its own bot holds it."""
    with acquire(database, "run") as outer:
        with acquire(database, "run"):
            pass
        assert is_taken(database)
        outer.close()
        assert not is_taken(database)
        with held_elsewhere(database):
            outer.close()  # once more: it is not that of the other bot
            assert is_taken(database)


@pytest.mark.parametrize("text", ["", "something else", "run 1 here yesterday", "\xff"])
def test_unreadable_lock_file_names_another_process(database: Path, text: str) -> None:
    with held_elsewhere(database):
        instance_lock.lock_file(database).write_bytes(text.encode("latin-1"))
        with pytest.raises(InUse, match="in use by another process: stop that first"):
            acquire(database, "run")


def test_names_the_container_of_another_process(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Process 7 is a different one in each container."""
    with held_elsewhere(database):
        monkeypatch.setattr("socket.gethostname", lambda: "4f2a9c01d7be")
        with pytest.raises(InUse, match=rf"process {os.getpid()} on \S+, since "):
            acquire(database, "run")


def test_lock_file_is_private(database: Path) -> None:
    before = os.umask(0)
    try:
        with acquire(database, "run"):
            assert instance_lock.lock_file(database).stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(before)


def test_reports_a_missing_or_unwritable_folder(tmp_path: Path) -> None:
    with pytest.raises(StorageUnfit, match="cannot be opened for writing"):
        acquire(tmp_path / "missing" / "tichu.db", "run")
    (tmp_path / "tichu.db.lock").mkdir()
    with pytest.raises(StorageUnfit, match="cannot be opened for writing") as refused:
        acquire(tmp_path / "tichu.db", "run")
    assert not isinstance(refused.value, InUse)


def test_reports_a_disk_without_locks(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(opened: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    with monkeypatch.context() as no_locks:
        no_locks.setattr(instance_lock, "_lock_exclusively", refuse)
        with pytest.raises(StorageUnfit, match="not on a network drive") as refused:
            acquire(database, "run")
    assert not isinstance(refused.value, InUse)
    acquire(database, "run").close()


def test_full_disk_is_a_temporary_failure(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot retries, because an operator need not act."""

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as no_room:
        no_room.setattr(os, "open", full)
        with pytest.raises(StorageUnavailable, match="cannot be made: No space left") as refused:
            acquire(database, "run")
    assert not isinstance(refused.value, StorageUnfit)
    acquire(database, "run").close()


def test_lock_can_be_taken_on_a_full_disk(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(opened: int, command: str) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(instance_lock, "_write_holder", full)
    with acquire(database, "run"):
        assert is_taken(database)


def test_processes_of_one_bot_share_the_lock(tmp_path: Path) -> None:
    database = tmp_path / "tichu.db"

    @contextmanager
    def another(*, shared: bool) -> Iterator[None]:
        """Take the lock as another process that does not know the locks of this one."""
        with as_another_process():
            lock = acquire(database, "run", shared=shared)
        yield
        with as_another_process({instance_lock.lock_file(database): None}):
            lock.close()

    with acquire(database, "run", shared=True):
        with another(shared=True):
            with pytest.raises(InUse), another(shared=False):
                pass
            with pytest.raises(InUse, match="other processes of the bot"):
                acquire(database)  # as for a migration
        with acquire(database), pytest.raises(InUse), another(shared=True):
            pass
        with another(shared=True):
            pass
    with another(shared=False):
        pass
