"""A game night whose bot is killed after each write: the next start completes it, once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bot.ids import TableId, UserId
from bot.storage.club_events import ClubEventStore
from bot.storage.tables import TableStore
from bot.table.deadlines import GRACE_SECONDS
from tests.bot.fake_time import FakeTime
from tests.bot.live.club_nights import BEGIN, WEEK, ClubWorld
from tests.bot.states import GUILD

pytestmark = [
    pytest.mark.usefixtures("one_thread"),
    pytest.mark.sqlite("what is killed leaves a file"),
]

PEOPLE = 5
WRITES = (
    (ClubEventStore, ("create", "append", "note_reminded")),
    (TableStore, ("create", "commit")),
)


class Left(NamedTuple):
    """Files and time of a bot that was killed right after a write."""

    write: str
    at: datetime
    files: dict[str, bytes]
    reminded: Counter[UserId]


class Kills:
    """Copies the database after each write of a world."""

    def __init__(self, world: ClubWorld, patch: pytest.MonkeyPatch) -> None:
        self.left: list[Left] = []
        self._world = world
        for store, names in WRITES:
            for name in names:
                patch.setattr(store, name, self._watched(store, name))

    def _watched(self, store: type, name: str) -> Callable[..., Any]:
        method = getattr(store, name)

        async def watched(*args: Any, **given: Any) -> Any:
            result = await method(*args, **given)
            file, now = self._world.file, self._world.time.now()
            files = {
                each: (file.parent / each).read_bytes() for each in (file.name, f"{file.name}-wal")
            }
            write = f"{store.__name__}.{name}"
            self.left.append(Left(write, now, files, reminded(self._world)))
            return result

        return watched


def reminded(world: ClubWorld) -> Counter[UserId]:
    """Return how often each person was reminded."""
    return Counter(user_id for people, _ in world.reminders for user_id in people)


async def to_the_end(world: ClubWorld) -> None:
    """Go on with a night: announcement, answers, tables, and the end of all matches."""
    events = await world.tables.club_events.of_guild(GUILD)
    event = min(events, key=lambda each: each.id) if events else await world.announced(weekly=True)
    if event.status == "open":
        await world.answer(event, "yes", *range(PEOPLE))
    await world.until(BEGIN)
    for table in world.of_event():
        await world.come(table)
    await world.run(GRACE_SECONDS + 1)  # a restart postpones starts that were due
    for table in world.of_event():
        await world.stop(table.id)


async def check(world: ClubWorld) -> None:
    """Check that the night is over, with the tables and reminders that it needs and no others."""
    events = sorted(await world.tables.club_events.of_guild(GUILD), key=lambda each: each.id)
    assert [(each.status, each.begins_at) for each in events] == [
        ("over", BEGIN),
        ("open", BEGIN + WEEK),
    ]
    (played,) = (each.round for each in events if each.round is not None)
    assert [match.table_id for match in played.matches] == [1, 2]
    assert all(match.result is not None for match in played.matches)
    for table_id in (1, 2):
        record = await world.store.tables.get(TableId(table_id))
        assert record is not None
        assert record.status in ("stopped", "finished")
        assert await world.store.history.match(TableId(table_id)) is not None, "it had begun"
    assert await world.store.tables.get(TableId(3)) is None
    assert world.of_event() == []


async def test_night_goes_on_after_a_kill_at_any_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "first").mkdir()
    world = ClubWorld(tmp_path / "first")
    await world.open()
    with monkeypatch.context() as patch:
        kills = Kills(world, patch)
        await to_the_end(world)
    await check(world)
    await world.close()
    assert set(reminded(world).values()) == {1}
    writes = Counter(left.write for left in kills.left)
    assert writes["ClubEventStore.create"] == 2
    assert writes["ClubEventStore.append"] >= PEOPLE + 5
    assert writes["TableStore.create"] == 2

    for number, left in enumerate(kills.left):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, content in left.files.items():
            (folder / name).write_bytes(content)
        again = ClubWorld(folder)
        again.time = FakeTime(left.at)
        await again.open()
        await to_the_end(again)
        try:
            await check(again)
            both = left.reminded + reminded(again)
            assert max(both.values(), default=0) <= 1, "nobody twice"
            if left.write != "ClubEventStore.note_reminded":
                assert len(both) == PEOPLE
        except AssertionError as error:
            raise AssertionError(f"after write {number}, {left.write}") from error
        finally:
            await again.close()
