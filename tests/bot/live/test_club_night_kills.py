"""Events whose bot is killed after each write: the next start completes them, once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bot.club import tournament
from bot.club.competition import Result
from bot.club.event import ClubEvent
from bot.club.tournament import BREAK
from bot.club_records import PersonNumber
from bot.ids import TableId, UserId
from bot.storage.club_events import ClubEventStore
from bot.storage.tables import TableStore
from bot.table.deadlines import GRACE_SECONDS
from tests.bot.fake_time import FakeTime
from tests.bot.live.club_nights import BEGIN, ORGANISER, WEEK, ClubWorld
from tests.bot.states import GUILD

pytestmark = [
    pytest.mark.usefixtures("one_thread"),
    pytest.mark.sqlite("what is killed leaves a file"),
]

PEOPLE = 5
HOUR = timedelta(hours=1)
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
    assert writes["ClubEventStore.create"] == 1, "the next week is stored with the end"
    assert writes["ClubEventStore.append"] >= PEOPLE + 5
    assert writes["TableStore.create"] == 2

    async def go_on(again: ClubWorld, left: Left) -> None:
        await to_the_end(again)
        await check(again)
        both = left.reminded + reminded(again)
        assert max(both.values(), default=0) <= 1, "nobody twice"
        if left.write != "ClubEventStore.note_reminded":
            assert len(both) == PEOPLE

    await after_each(kills, tmp_path, go_on)


async def after_each(
    kills: Kills, tmp_path: Path, go_on: Callable[[ClubWorld, Left], Awaitable[None]]
) -> None:
    """Start a bot from each copy, and let it go on."""
    for number, left in enumerate(kills.left):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, content in left.files.items():
            (folder / name).write_bytes(content)
        again = ClubWorld(folder)
        again.time = FakeTime(left.at)
        await again.open()
        try:
            await go_on(again, left)
        except AssertionError as error:
            raise AssertionError(f"after write {number}, {left.write}") from error
        finally:
            await again.close()


# --- a tournament --------------------------------------------------------------------------------


async def announce_tournament(world: ClubWorld) -> None:
    """Announce a tournament for which four pairs and a substitute sign up."""
    event = await world.announced(format="swiss", rounds=2, round_hours=1, no_show="forfeit")
    await world.answer(event, "yes", *range(8))
    await world.answer(event, "substitute", 8)
    for person in range(8):
        partner = PersonNumber((person ^ 1) + 1)
        await world.tables.club_events.name_partner(event.id, GUILD, UserId(101 + person), partner)


async def tournament_to_the_end(world: ClubWorld) -> None:
    """Go on with a tournament: a substitute, a void match, a withdrawal, and two deadlines."""
    await world.until(max(BEGIN + BREAK, world.time.now()))
    event = await world.event()
    if len(event.rounds) == 1:
        await _play_first_round(world, event)
    await world.run(2 * (HOUR + BREAK).total_seconds() + 60)


async def _play_first_round(world: ClubWorld, event: ClubEvent) -> None:
    club, round_ = world.tables.club_events, event.rounds[0]
    first, other = ([side[0] for side in match.sides] for match in round_.matches)
    old = event.entrants[other[0] - 1].people[0]
    if old != 9 and PersonNumber(9) in event.substitutes():
        await club.substitute(event.id, GUILD, ORGANISER, old, PersonNumber(9), may_manage=False)
        await world.quiet()
    event = await world.event()
    tables = [match.table_id for match in event.rounds[0].matches]
    for table in world.of_event():
        if table.id == tables[0]:
            await world.come(table)
        if table.id == tables[1]:
            team = table.options.teams[0]
            await world.come(table, [each for seat in team if (each := table.chairs[seat].user_id)])
    await world.run(GRACE_SECONDS + 1)
    await club.manage(
        event.id, GUILD, ORGANISER, lambda event, _: tournament.void(event, 1, 0), may_manage=False
    )
    await club.withdraw(event.id, GUILD, ORGANISER, first[0], True, may_manage=False)


async def check_tournament(world: ClubWorld) -> None:
    """Check that each match has its result, and the tables that it needs and no others."""
    event = await world.event()
    assert event.status == "over"
    first, second = event.rounds
    assert [each.result for each in first.matches] == [Result("void"), Result("forfeit", 0)]
    results = [each.result for each in second.matches]
    assert results == [Result("forfeit"), Result("bye", 0)]
    assert event.entrants[first.matches[0].sides[0][0] - 1].withdrawn
    assert PersonNumber(9) in event.entrants[first.matches[1].sides[0][0] - 1].people
    assert await world.store.tables.get(TableId(5)) is None, "four lobbies, one of the substitute"
    running = {each.id for each in world.of_event()}
    assert running <= {first.matches[0].table_id}, "it goes on, but does not count"


async def test_tournament_goes_on_after_a_kill_at_any_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "first").mkdir()
    world = ClubWorld(tmp_path / "first")
    await world.open()
    await announce_tournament(world)
    with monkeypatch.context() as patch:
        kills = Kills(world, patch)
        await tournament_to_the_end(world)
    await check_tournament(world)
    await world.close()
    writes = Counter(left.write for left in kills.left)
    assert writes["TableStore.create"] == 4

    async def go_on(again: ClubWorld, _: Left) -> None:
        await tournament_to_the_end(again)
        await check_tournament(again)

    await after_each(kills, tmp_path, go_on)
