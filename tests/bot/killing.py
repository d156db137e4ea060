"""Kills work on a database (SIGKILL): `python -m tests.bot.killing NUMBER WORK DATABASE ...`.

A process of its own forks for each kill, because a test process has threads and may not fork. The
points are the SQL statements, the commits and, in an update, the lines of the modules for backups
and migrations; NUMBER says at how many of them to kill. After each kill the work is repeated, and
the result must be the same as without a kill. Modules that only tests need are not imported,
because that takes as long as the kills.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import signal
import sqlite3
import sys
import threading
from collections.abc import Callable, Coroutine
from contextlib import closing
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

from sqlalchemy import Engine, event

from bot.club_records import ClubEventRecord, EventPerson, PersonNumber, StoredAction
from bot.ids import ChannelId, ClubEventId, GuildId, UserId
from bot.rating.ledger import LEDGER
from bot.storage import Store, migrate
from bot.storage.sqlite import backup, copies, update_backups

NOW = datetime(2031, 5, 5, tzinfo=UTC)
_TRACED = {module.__file__ for module in (backup, migrate, copies, update_backups)}
Work = Callable[[Path], Coroutine[Any, Any, object]]


async def _update(file: Path) -> None:
    await (await Store.open(f"sqlite:///{file}", LEDGER)).close()


async def _rebuild(file: Path) -> None:
    from bot.history.rebuild import rebuild  # slow to import, and an update does not need it

    store = await Store.open(f"sqlite:///{file}", LEDGER)
    await rebuild(store, NOW)
    await store.close()


async def _solo(file: Path) -> None:
    from tests.bot.solo_worlds import SoloWorld  # slow to import, and an update does not need it

    await SoloWorld(file.parent).play_the_day()


async def _event(file: Path) -> None:
    store = await Store.open(f"sqlite:///{file}", LEDGER)
    new = ClubEventRecord(ClubEventId(0), GuildId(1), ChannelId(2), UserId(3), NOW, "{}")
    stored = await store.club_events.get(ClubEventId(1))
    record = await store.club_events.create(new) if stored is None else stored.record
    for seq in range(record.seq, 8, 2):
        person = EventPerson(PersonNumber(1 + seq // 2), UserId(seq), "Name", 1500, reminded=1)
        actions = [StoredAction(number, NOW, person.user_id, "{}") for number in (seq + 1, seq + 2)]
        assert await store.club_events.append(
            record.id, seq, actions, people=[person], status="open"
        )
    await store.close()


class _Counter:
    """Counts the points that the work passes, and kills the process at one of them."""

    def __init__(self, work: Work, kill_at: int = 0) -> None:
        self.passed = 0
        self._kill_at = kill_at
        for name in ("before_cursor_execute", "commit"):
            event.listen(Engine, name, self._point)
        if work is _update:  # in a rebuild no line of these changes anything
            threading.settrace(self._trace)
            sys.settrace(self._trace)

    def stop(self) -> None:
        """Stop counting."""
        sys.settrace(None)
        threading.settrace(None)
        for name in ("before_cursor_execute", "commit"):
            event.remove(Engine, name, self._point)

    def _point(self, *_: object) -> None:
        self.passed += 1
        if self.passed == self._kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    def _trace(self, frame: FrameType, what: str, _: object) -> Any:
        if frame.f_code.co_filename not in _TRACED:
            return None
        if what == "line":
            self._point()
        return self._trace


def _content(file: Path) -> list[str]:
    """Return the whole content of a database as SQL."""
    with closing(sqlite3.connect(file)) as connection:
        return list(connection.iterdump())


def _places(file: Path) -> set[str]:
    """Return the files beside a database, without its lock and log files."""
    own = {f"{file.name}{ending}" for ending in ("", "-wal", "-shm", ".lock")}
    return {path.name for path in file.parent.iterdir()} - own


def _main(work: Work, database: Path, number: int) -> list[Any]:
    """Return the fields of `tests.bot.killed.Found`."""
    folder = database.parent / "killed"
    folder.mkdir()
    shutil.copy(database, whole := folder / "tichu.db")
    before = _content(whole)
    counter = _Counter(work)
    asyncio.run(work(whole))
    counter.stop()
    after = _content(whole)
    every = range(1, counter.passed + 1)
    points = sorted(random.Random(1).sample(every, min(number, len(every))))
    wrong: list[list[Any]] = []
    halves = 0
    for point in points:
        shutil.rmtree(folder)
        folder.mkdir()
        shutil.copy(database, whole)
        child = os.fork()
        if not child:
            _Counter(work, point)
            asyncio.run(work(whole))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            wrong.append([point, "it was not killed"])
        halves += _content(whole) not in (before, after)
        asyncio.run(work(whole))
        if _content(whole) != after:
            wrong.append([point, "something is lost, or there twice"])
        for name in _places(whole):
            if not name.startswith("tichu-schema-") or _content(folder / name) != before:
                wrong.append([point, name])
    shutil.rmtree(folder)
    return [counter.passed, len(points), wrong, halves]


def _run(number: str, *pairs: str) -> None:
    wanted = dict(zip(pairs[::2], pairs[1::2], strict=True))
    if "rebuild" in wanted:
        import_module("bot.history.rebuild")  # not traced
    if "solo" in wanted:
        from tests.bot.databases import place_file

        asyncio.run(place_file(Path(wanted["solo"])))  # fills its cache, which is not counted
    works: dict[str, Work] = {
        "update": _update,
        "rebuild": _rebuild,
        "solo": _solo,
        "event": _event,
    }
    found = {
        work: _main(works[work], Path(database), int(number)) for work, database in wanted.items()
    }
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    _run(*sys.argv[1:])
