"""Past of the demo's guild in a database, loaded once and copied for each test."""

from __future__ import annotations

import asyncio
import pickle
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.ids import ChannelId, GuildId, UserId
from bot.storage import RebuildResult
from demo.past.book import read_book
from demo.past.loading import load
from demo.serve import OTHERS, PEOPLE, STARTS, Place
from tests.compiled_once import compile_once
from tests.migrated_once import migrate_once
from tests.same_thread import answer_in_this_thread

_SERVER = GuildId(1465073742643200000)
PLACE = Place(
    guild_id=_SERVER,
    channel_id=ChannelId(_SERVER + 3),
    people={
        name: UserId(_SERVER + number) for number, name in enumerate((*PEOPLE, *OTHERS), start=6)
    },
    now=STARTS,
)
"""The guild as SimCord numbers it for the demo."""
_PATIENCE_S = 600
"""Seconds that a worker waits for another one that loads the past; three are usual."""


class Past:
    """Read-only database with all past matches, and the result of its rebuild."""

    def __init__(self, file: Path, rebuilt: RebuildResult) -> None:
        self.file = file
        self.rebuilt = rebuilt

    def copied(self, place: Place, file: Path) -> None:
        """Put a copy of the database, which may be changed, into a file."""
        assert place == PLACE, "the server of the demo has other numbers: correct PLACE"
        shutil.copyfile(self.file, file)


@pytest.fixture(autouse=True)
def quick_to_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let new databases be copies, and compile their statements once.

    The restored variable is the one that the demo sets for its process.
    """
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")
    compile_once(monkeypatch)
    migrate_once(monkeypatch)


@pytest.fixture(scope="session")
def past(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Past:
    """Return the past, loaded once for all workers."""
    folder = tmp_path_factory.getbasetemp()
    if worker_id != "master":
        folder = folder.parent
    file, found = folder / "past.db", folder / "past.pickle"
    lock_file = folder / "past.lock"
    with closing(sqlite3.connect(lock_file, timeout=_PATIENCE_S, isolation_level=None)) as lock:
        lock.execute("BEGIN EXCLUSIVE")  # released with the process in any case
        if not found.exists():
            found.write_bytes(pickle.dumps(asyncio.run(_loaded(file))))
    return Past(file, pickle.loads(found.read_bytes()))


async def _loaded(file: Path) -> RebuildResult:
    """Load the past into this file."""
    with pytest.MonkeyPatch.context() as patch:
        answer_in_this_thread(patch)
        compile_once(patch)
        migrate_once(patch)
        return await load(f"sqlite:///{file}", read_book(), PLACE)
