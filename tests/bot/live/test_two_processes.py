"""Two processes with the same open table: the one that writes late changes nothing."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.errors import Reason, Refused, WrittenElsewhere
from bot.ids import ChannelId, MessageId, TableId, UserId
from bot.records import Change
from bot.storage import Conflict, StorageUnavailable
from bot.storage.tables import TableStore
from bot.table.commands import Leave, VoteToStop
from bot.table.state import Game
from engine import AnswerGrand
from tests.bot.asking import act
from tests.bot.databases import PATIENT_MS
from tests.bot.fake_time import settle
from tests.bot.states import HOST
from tests.bot.table_world import TableWorld
from tests.campaign import sample

pytestmark = pytest.mark.usefixtures("one_thread")

VOTE = VoteToStop(moderator=False)
"""A change without an action."""


@pytest.fixture
async def first(tmp_path: Path) -> AsyncIterator[TableWorld]:
    """Yield a process with the shared database."""
    world = TableWorld(tmp_path, busy_ms=PATIENT_MS)
    await world.open()
    yield world
    await world.close()


@pytest.fixture
async def at(first: TableWorld) -> Game:
    """Return a match that both processes have open."""
    return await first.match()


@pytest.fixture
async def second(first: TableWorld, at: Game, tmp_path: Path) -> AsyncIterator[TableWorld]:
    """Yield the other process, whose clock stands still."""
    world = TableWorld(tmp_path, busy_ms=PATIENT_MS)
    await world.open()
    assert world.game(at.id).match == at.match
    yield world
    await world.close()


def votes(world: TableWorld, table_id: TableId) -> int:
    """Return the number of votes to stop."""
    return len(world.game(table_id).notes.votes)


async def test_changes_of_another_process_are_not_lost(
    first: TableWorld, second: TableWorld, at: Game, caplog: pytest.LogCaptureFixture
) -> None:
    """Votes are no actions, so without the version check the second would overwrite the first."""
    await first.tables.execute(at.id, HOST, VOTE)
    with pytest.raises(WrittenElsewhere):
        await second.tables.execute(at.id, UserId(102), VOTE)
    assert f"another process has written table {at.id}" in caplog.text
    assert second.tables.get(at.id) == first.tables.get(at.id)
    await second.check_stored(at.id)
    await second.tables.execute(at.id, UserId(102), VOTE)
    assert votes(second, at.id) == 2
    assert votes(first, at.id) == 1, "it does not know yet"
    with pytest.raises(WrittenElsewhere):
        await act(first.tables, at.id, HOST, at.revision, lambda seat: AnswerGrand(seat, False))
    assert votes(first, at.id) == 2
    await first.check_stored(at.id)


async def test_refused_change_is_not_announced_as_stored(
    first: TableWorld, second: TableWorld, at: Game
) -> None:
    await first.tables.execute(at.id, HOST, VOTE)
    undelivered = await first.store.tables.undelivered()
    second.heard.news.clear()
    with pytest.raises(WrittenElsewhere):
        await second.tables.execute(at.id, UserId(102), VoteToStop(moderator=True))
    (told,) = second.heard.news
    assert told.after == first.tables.get(at.id)
    assert (told.events, told.actor_id, told.outbox) == ((), None, ())
    assert await first.store.tables.undelivered() == undelivered


async def test_message_ids_do_not_overwrite_changes_of_another_process(
    first: TableWorld, second: TableWorld, at: Game
) -> None:
    """They are stored with all details, including the votes this process knows."""
    await first.tables.execute(at.id, HOST, VOTE)
    with pytest.raises(Conflict):
        await second.tables.messages.store_ids(at.id, table=MessageId(9))
    await second.check_stored(at.id)
    assert votes(second, at.id) == 1
    await second.tables.messages.store_ids(at.id, table=MessageId(9))
    await second.check_stored(at.id)
    assert second.tables.get(at.id).messages.table == 9


async def test_late_timer_continues_from_the_stored_state(
    first: TableWorld, second: TableWorld, at: Game, caplog: pytest.LogCaptureFixture
) -> None:
    await first.tables.messages.store_ids(at.id, table=MessageId(9))
    await second.run(41)
    assert second.game(at.id).messages.table == 9
    assert second.game(at.id).seq > at.seq
    await second.check_stored(at.id)
    assert "database unavailable" not in caplog.text


async def test_lobby_left_in_another_process(first: TableWorld, second: TableWorld) -> None:
    lobby = await first.lobby(ChannelId(2))
    await second.reopen()
    await first.tables.execute(lobby.id, UserId(102), Leave())
    with pytest.raises(WrittenElsewhere):
        await second.tables.execute(lobby.id, UserId(103), Leave())
    assert second.tables.get(lobby.id).user_ids() == [101, 103, 104]
    await second.check_stored(lobby.id)


async def test_closes_a_table_that_cannot_be_reloaded(
    first: TableWorld, second: TableWorld, at: Game, caplog: pytest.LogCaptureFixture
) -> None:
    await first.store.tables.commit(at.id, Change(details='{"revision": "the Dragon"}'))
    with pytest.raises(WrittenElsewhere):
        await second.tables.execute(at.id, UserId(102), VOTE)
    assert f"table {at.id} is damaged and stays closed" in caplog.text
    assert "Dragon" not in caplog.text
    with pytest.raises(Refused) as refused:
        await second.tables.execute(at.id, UserId(102), VOTE)
    assert refused.value.code is Reason.TABLE_DAMAGED
    logged = len(caplog.records)
    await second.run(3600)
    assert second.time.alarms == []
    assert len(caplog.records) == logged, "its last timer finds no table"
    assert await second.reopen() == [], "and not restored at the next start"
    stored = await first.store.tables.get(at.id)
    assert stored is not None
    assert stored.status == "playing", "a person may mend it"


async def test_survives_a_disk_failure_during_a_reload(
    first: TableWorld, second: TableWorld, at: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    await first.tables.execute(at.id, HOST, VOTE)
    before = second.tables.get(at.id)

    async def fails(self: TableStore, table_id: int) -> None:
        raise StorageUnavailable("The disk reports an error.")

    with monkeypatch.context() as patch:
        patch.setattr(TableStore, "get", fails)
        with pytest.raises(StorageUnavailable):
            await second.tables.execute(at.id, UserId(102), VOTE)
    assert second.tables.get(at.id) is before
    with pytest.raises(WrittenElsewhere):
        await second.tables.execute(at.id, UserId(102), VOTE)
    assert votes(second, at.id) == 1


async def test_cancelled_write_keeps_the_right_version(
    first: TableWorld, at: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The ids are on disk although the caller was cancelled."""
    commit, written = TableStore.commit, asyncio.Event()

    async def slow(self: TableStore, table_id: TableId, change: Change) -> None:
        await commit(self, table_id, change)
        await written.wait()

    with monkeypatch.context() as patch:
        patch.setattr(TableStore, "commit", slow)
        remembering = asyncio.create_task(
            first.tables.messages.store_ids(at.id, table=MessageId(9))
        )
        await settle()
        remembering.cancel()
        written.set()
        with pytest.raises(asyncio.CancelledError):
            await remembering
    await first.check_stored(at.id)
    await first.tables.execute(at.id, HOST, VOTE)
    await first.check_stored(at.id)
    assert caplog.text == ""


async def test_paused_table_frees_its_channel_and_continues(
    first: TableWorld, caplog: pytest.LogCaptureFixture
) -> None:
    """Giving the channel to another table is no change of this table."""
    at = await first.match(ChannelId(2), people=1)
    await first.run(16 * 60)
    assert first.tables.get(at.id).yields
    lobby = await first.lobby(ChannelId(2))
    await first.tables.execute(lobby.id, HOST, VoteToStop(moderator=True))
    await first.resume(at.id)
    await first.check_stored(at.id)
    assert "another process" not in caplog.text


@pytest.mark.parametrize("seed", sample(range(3), 1))
async def test_two_processes_play_one_match_without_losing_a_change(
    first: TableWorld, second: TableWorld, at: Game, seed: int
) -> None:
    """In any order, the stored state is the last acknowledged one."""
    rng = random.Random(seed)
    noted: int | None = None
    seq = at.seq
    refused = moved = 0
    for step in range(1, 80):
        world, user_id = rng.choice((first, second)), rng.choice([101, 102, 103, 104])
        before = world.game(at.id)
        try:
            if rng.random() < 0.5:
                await world.tables.messages.store_ids(at.id, nudge=MessageId(step))
                noted = step
            else:
                await world.play_for(at.id, UserId(user_id))
        except (WrittenElsewhere, Conflict):
            refused += 1
        now = world.game(at.id)
        if now is not before:  # else it was nobody's turn that this process knows of
            await world.check_stored(at.id)
            moved += now.seq - seq
            assert now.seq >= seq
            assert now.messages.nudge == noted
            seq = now.seq
    assert refused > 5
    assert moved > 3
