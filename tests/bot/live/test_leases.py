"""Several processes on one database: each serves its own guilds only."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import pytest

from bot.errors import Reason, Refused, WrittenElsewhere
from bot.ids import ChannelId, UserId
from bot.live.events import (
    EventDispatcher,
    LeasesGained,
    LiveEvent,
    PersonForgotten,
    Released,
    Restored,
)
from bot.live.leases import ALL_SERVERS, Leases
from bot.records import Fence, PersonalSettings
from bot.runtime.clock import Clock
from bot.runtime.shards import Shards
from bot.storage import StorageUnavailable
from bot.storage.instance_lock import InUse
from bot.storage.leases import LeaseStore
from bot.table.commands import VoteToStop
from bot.table.lobby import LobbyPlan
from tests.bot import open_calls
from tests.bot.databases import PATIENT_MS, open_store
from tests.bot.fake_time import FakeTime
from tests.bot.states import GUILD, HOST
from tests.bot.storage.samples import NOON
from tests.bot.table_world import QUICK, TableWorld

pytestmark = pytest.mark.usefixtures("one_thread")

VOTE = VoteToStop(moderator=False)
SHARD = (GUILD >> 22) % 2
OURS, THEIRS = Shards((SHARD,), 2), Shards((1 - SHARD,), 2)
Process = Callable[[Shards], Awaitable[TableWorld]]


@pytest.fixture
async def process(tmp_path: Path) -> AsyncIterator[Process]:
    """Return a function that starts a process on the shared database, with its own clock."""
    started: list[TableWorld] = []

    async def start(shards: Shards) -> TableWorld:
        world = TableWorld(tmp_path, busy_ms=PATIENT_MS, shards=shards)
        await world.open()
        started.append(world)
        return world

    yield start
    for world in started:
        await world.close()


def told(world: TableWorld) -> list[type[LiveEvent]]:
    """Return the kinds of events that released or opened tables, in order."""
    kinds = [type(event) for event in world.heard.others]
    return [kind for kind in kinds if kind in (Released, Restored)]


async def refused(asked: Awaitable[object]) -> Reason:
    """Return the reason of a refusal."""
    with pytest.raises(Refused) as refusal:
        await asked
    return refusal.value.code


async def test_each_process_opens_the_tables_of_its_servers(process: Process) -> None:
    ours, theirs = await process(OURS), await process(THEIRS)
    table = await ours.match()
    await theirs.tables.shard_ownership.take_over()
    assert list(theirs.tables.all()) == []
    why = await refused(theirs.tables.create(LobbyPlan(GUILD, ChannelId(9), HOST, QUICK, ())))
    assert why is Reason.RESTARTING
    await ours.run(45)
    assert ours.game(table.id).seq > table.seq, "the leases were renewed all the while"
    await ours.check_stored(table.id)


async def test_next_process_continues_at_once_after_a_clean_end(process: Process) -> None:
    """As in a rolling restart, the new process starts before the old one ends."""
    old = await process(OURS)
    table = await old.match()
    new = await process(OURS)
    assert list(new.tables.all()) == []
    assert dict(new.leases.held()) == {SHARD: False}
    await new.run(7)
    assert list(new.tables.all()) == []
    await old.leases.close()
    await new.run(3)
    assert new.game(table.id).match == table.match
    assert told(new) == [Restored]
    await new.tables.execute(table.id, HOST, VOTE)
    await new.check_stored(table.id)


async def test_process_frozen_beyond_its_lease_changes_nothing(
    process: Process, caplog: pytest.LogCaptureFixture
) -> None:
    frozen, other = await process(OURS), await process(OURS)
    table = await frozen.match()
    await other.run(33)
    assert dict(other.leases.held()) == {SHARD: True}
    voted = await other.tables.execute(table.id, HOST, VOTE)

    # It has not read the clock since, so it learns of the lost lease from the database.
    assert frozen.leases.serves(GUILD)
    assert (
        await refused(frozen.tables.execute(table.id, UserId(HOST + 1), VOTE)) is Reason.RESTARTING
    )
    plan = LobbyPlan(GUILD, ChannelId(9), HOST, QUICK, ())
    assert await refused(frozen.tables.create(plan)) is Reason.RESTARTING
    assert frozen.tables.find(table.id) is None
    assert told(frozen) == [Released]
    assert "another process may serve them" in caplog.text

    seen = len(frozen.heard.news)
    await frozen.run(40)
    assert len(frozen.heard.news) == seen, "its clocks of the table are stopped"
    assert other.tables.get(table.id) == voted
    await other.check_stored(table.id)


async def test_process_notices_an_expired_lease_by_its_clock(process: Process) -> None:
    world = await process(OURS)
    table = await world.match()
    world.time.pretend(world.time.seconds_from_now(25))
    assert not world.leases.serves(GUILD)
    assert await refused(world.tables.execute(table.id, HOST, VOTE)) is Reason.RESTARTING


async def test_releases_tables_before_the_lease_expires_and_reopens_them(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = await process(OURS)
    table = await world.match()
    take = world.store.leases.acquire

    async def failing(*_: object) -> None:
        raise StorageUnavailable("The disk is full.")

    monkeypatch.setattr(world.store.leases, "acquire", failing)
    await world.run(24)
    assert world.tables.find(table.id) is not None
    await world.run(2)
    assert world.tables.find(table.id) is None
    assert told(world) == [Released]
    monkeypatch.setattr(world.store.leases, "acquire", take)
    await world.run(10)
    assert told(world) == [Released, Restored]
    await world.tables.execute(table.id, HOST, VOTE)
    await world.check_stored(table.id)


async def test_retries_a_failed_takeover_of_tables(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """After any error; leases are renewed meanwhile, no matter how long it takes."""
    store, time = await open_store(tmp_path / "tichu.db"), FakeTime()
    events = EventDispatcher()
    leases = Leases(store.leases, Clock(time.now, time.sleep), events, OURS)
    failures = [StorageUnavailable("The disk is full."), RuntimeError("the Dragon")]
    slow, opened = asyncio.Event(), list[bool]()

    async def open_tables(_: LeasesGained) -> None:
        if failures:
            raise failures.pop(0)
        await slow.wait()
        opened.append(leases.serves(GUILD))

    async def run(seconds: int) -> None:
        for _ in range(seconds):
            await time.run(1)
            await open_calls.answered()

    events.subscribe(LeasesGained, open_tables)
    await leases.begin()
    fence = leases.fence(GUILD)
    assert fence is not None
    leases.give_up(fence)
    with monkeypatch.context() as patch:
        patch.setattr(LeaseStore, "acquire", lambda *_: 1 / 0)
        await run(15)
    await run(20)
    assert failures == []
    await run(30)
    slow.set()
    await run(1)
    assert opened == [True]
    await run(30)
    assert opened == [True], "there is nothing new"
    assert "ZeroDivisionError" in caplog.text
    assert "RuntimeError" in caplog.text
    assert "Dragon" not in caplog.text
    await leases.close()
    await store.close()


@pytest.mark.parametrize("ends", [True, False])
async def test_single_process_on_postgresql_waits_for_its_predecessor(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, *, ends: bool
) -> None:
    """Otherwise both would answer the same clicks; PostgreSQL has no file lock."""
    caplog.set_level(logging.INFO)
    store = await open_store(tmp_path / "tichu.db")
    naps: list[float] = []
    await store.leases.acquire(
        ["shard 0 of 1"], "elsewhere:7:ab", NOON, NOON + timedelta(seconds=60)
    )

    async def nap(seconds: float) -> None:
        naps.append(seconds)
        if ends and len(naps) == 4:
            await store.leases.release([Fence("shard 0 of 1", 1)], NOON)

    leases = Leases(store.leases, Clock(lambda: NOON, nap), EventDispatcher(), ALL_SERVERS)
    if ends:
        await leases.begin(alone_within_s=45)
        assert [*leases.fences()] == [Fence("shard 0 of 1", 2)]
        assert leases.serves(GUILD)
    else:
        with pytest.raises(InUse, match="in use by process 7 on elsewhere"):
            await leases.begin(alone_within_s=45)
        assert sum(naps) >= 45
    assert caplog.text.count("waiting up to 45 s for it to exit") == 1
    await leases.close()
    await store.close()


async def test_exclusive_work_runs_in_one_process_at_a_time(process: Process) -> None:
    first, second = await process(OURS), await process(THEIRS)
    done: list[str] = []

    async def work(world: TableWorld, name: str) -> None:
        async with world.leases.exclusive("commands"):
            done.append(f"{name} begins")
            await world.clock.sleep(60)
            done.append(f"{name} ends")

    working = [asyncio.create_task(work(first, "first"))]
    await first.quiet()
    working.append(asyncio.create_task(work(second, "second")))
    while not all(task.done() for task in working):
        await first.run(1)
        await second.run(1)
    assert done == ["first begins", "first ends", "second begins", "second ends"]


async def test_settings_changed_in_one_process_apply_in_another(process: Process) -> None:
    ours, theirs = await process(OURS), await process(THEIRS)
    table = await ours.match()
    mine, other = ours.store.personal_settings, theirs.store.personal_settings
    assert (await mine.get(HOST)).auto_pass
    await other.choose(HOST, PersonalSettings(auto_pass=False))
    assert (await mine.get(HOST)).auto_pass, "it is looked for now and then"
    assert not (await mine.get(HOST, fresh=True)).auto_pass, "a process that changes it must know"
    await other.choose(HOST, PersonalSettings(auto_pass=False, more_time=True))
    await other.choose(UserId(HOST + 9), PersonalSettings(more_time=True))
    await ours.run(11)
    assert mine.cached(HOST) == PersonalSettings(auto_pass=False, more_time=True)
    assert mine.cached(UserId(HOST + 9)) == PersonalSettings(), "nobody has asked for them here"
    assert ours.game(table.id).notes != table.notes, "the match knows of it"
    await ours.check_stored(table.id)


async def test_user_erased_by_one_process_leaves_tables_of_another(
    process: Process,
) -> None:
    ours, theirs = await process(OURS), await process(THEIRS)
    table, lobby = await ours.match(), await ours.lobby(ChannelId(2), 3, 4)
    await theirs.store.personal_settings.choose(HOST, PersonalSettings(auto_pass=False))
    assert not (await ours.store.personal_settings.get(HOST, fresh=True)).auto_pass
    await theirs.tables.forgetting.forget(HOST)
    await ours.run(11)
    game, left = ours.game(table.id), ours.tables.get(lobby.id)
    assert (game.host_id, left.host_id) == (HOST + 1, HOST + 1)
    assert game.user_ids() == [HOST + 1, HOST + 2, HOST + 3]
    assert left.user_ids() == [HOST + 1, HOST + 2]
    assert ours.store.personal_settings.cached(HOST) == PersonalSettings()
    told = [event for event in ours.heard.others if isinstance(event, PersonForgotten)]
    assert {event.user_id for event in told} == {HOST}
    for each in (table, lobby):
        await ours.check_stored(each.id)
        assert str(HOST) not in str(await ours.store.tables.get(each.id))


async def test_user_erased_by_one_process_is_not_restored_by_another(
    process: Process,
) -> None:
    ours, theirs = await process(OURS), await process(THEIRS)
    table = await ours.match()
    await theirs.tables.forgetting.forget(HOST)
    with pytest.raises(WrittenElsewhere):
        await ours.tables.execute(table.id, UserId(HOST + 1), VOTE)
    assert HOST not in ours.tables.get(table.id).user_ids()
    await ours.tables.execute(table.id, UserId(HOST + 1), VOTE)
    await ours.check_stored(table.id)
