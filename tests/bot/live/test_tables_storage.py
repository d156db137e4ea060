"""Storage failures: nothing changes during one, and play continues after it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.errors import Reason, Refused, WrittenElsewhere
from bot.ids import ChannelId, MessageId, TableId, UserId
from bot.live.events import LiveEvent
from bot.records import ActionRecord, Change, NewTable, OutboxEntry, TableRecord
from bot.storage import StorageUnavailable
from bot.storage.tables import TableStore
from bot.table.commands import Leave, LeaveToComputer, Start, SwapSeats, VoteToStop
from bot.table.lobby import LobbyPlan
from bot.table.state import Game, OpenTable
from engine import AnswerGrand, Phase
from tests.bot.asking import act, pass_this_trick, take_back
from tests.bot.fake_time import settle
from tests.bot.states import GUILD, HOST
from tests.bot.table_world import QUICK, TableWorld


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[TableWorld]:
    world = TableWorld(tmp_path)
    await world.open()
    yield world
    await world.close()


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """Return a switch that makes all writes fail."""

    async def commit(self: TableStore, table_id: int, change: Change) -> None:
        raise StorageUnavailable("Error while saving the game: the disk is full.")

    async def create(self: TableStore, new: NewTable) -> TableRecord:
        raise StorageUnavailable("Error while creating the table: the disk is full.")

    def switch(full: bool) -> None:
        monkeypatch.undo()
        if full:
            monkeypatch.setattr(TableStore, "commit", commit)
            monkeypatch.setattr(TableStore, "create", create)

    return switch


def say_no(seat: int) -> AnswerGrand:
    return AnswerGrand(seat, False)


async def test_shutdown_finishes_commits_in_flight_and_refuses_others(
    world: TableWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await world.match(ChannelId(1))
    disk, stored = asyncio.Event(), TableStore.commit

    async def commit(self: TableStore, table_id: TableId, change: Change) -> None:
        await disk.wait()
        await stored(self, table_id, change)

    monkeypatch.setattr(TableStore, "commit", commit)
    users = at.user_ids()
    clicks = [
        asyncio.create_task(act(world.tables, at.id, user, at.revision, say_no)) for user in users
    ]
    await settle()
    world.tables.close()
    disk.set()
    first, *others = await asyncio.gather(*clicks, return_exceptions=True)
    assert isinstance(first, Game)
    assert [str(other) for other in others] == [str(Refused(Reason.RESTARTING))] * 3
    assert len(await world.store.tables.actions(at.id)) == first.seq == at.seq + 1


async def test_failed_commit_changes_nothing(
    world: TableWorld, full_disk: Callable[[bool], None]
) -> None:
    at = await world.match(ChannelId(1))
    lobby = await world.lobby(ChannelId(2))
    world.heard.news.clear()
    tables = world.tables
    full_disk(True)
    for work in (
        lambda: act(tables, at.id, HOST, at.revision, say_no),
        lambda: pass_this_trick(tables, at.id, HOST, "1.0", True),
        lambda: take_back(tables, at.id, HOST, at.revision),
        lambda: tables.execute(at.id, HOST, LeaveToComputer()),
        lambda: tables.execute(lobby.id, HOST, Leave()),
        lambda: tables.execute(at.id, HOST, VoteToStop(moderator=False)),
        lambda: tables.execute(at.id, HOST, VoteToStop(moderator=True)),
        lambda: tables.execute(lobby.id, HOST, Start()),
        lambda: tables.execute(lobby.id, HOST, SwapSeats(0, 1, lobby.revision)),
        lambda: tables.channels.close_table(at.id),
        lambda: tables.messages.store_ids(at.id, table=MessageId(9)),
        lambda: tables.create(LobbyPlan(GUILD, ChannelId(3), HOST, QUICK, lobby.chairs)),
    ):
        with pytest.raises(StorageUnavailable):
            await work()
    assert list(tables.all()) == [at, lobby]
    assert tables.in_channel(ChannelId(3)) is None
    assert world.heard.news == []
    full_disk(False)
    await world.check_stored(at.id)
    await world.check_stored(lobby.id)
    await act(tables, at.id, HOST, at.revision, say_no)
    await world.lobby(ChannelId(3))


async def test_failing_listener_does_not_undo_a_commit(
    world: TableWorld, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The caller gets its result, the computer players think, and every timer runs."""
    at = await world.match(people=1)
    considered: list[OpenTable] = []
    monkeypatch.setattr(world.scheduler, "update", considered.append)

    def fails(event: LiveEvent) -> None:
        raise ValueError("Ada holds the Dragon")

    monkeypatch.setattr(world.heard, "hear", fails)
    after = await world.tables.execute(at.id, HOST, VoteToStop(moderator=True))
    assert after.status == "stopped"
    assert considered == [after]
    lobby = await world.lobby(ChannelId(2))
    assert world.tables.find(lobby.id) == lobby
    assert {record.levelname for record in caplog.records} == {"ERROR"}
    assert "ValueError in test_tables_storage.py" in caplog.text
    assert "Dragon" not in caplog.text


async def test_failing_listener_at_the_start_does_not_stop_timers(
    world: TableWorld, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await world.match(ChannelId(1))
    await world.lobby(ChannelId(2))

    def fails(event: LiveEvent) -> None:
        raise ValueError("Ada holds the Dragon")

    monkeypatch.setattr(world.heard, "hear", fails)
    await world.reopen()
    await world.quiet()
    assert len(world.time.alarms) == 2
    assert "Dragon" not in caplog.text


async def test_retries_expired_timers(
    world: TableWorld, full_disk: Callable[[bool], None], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="bot.live")
    at = await world.match(people=2)
    await world.run(39)
    full_disk(True)
    nudged = world.tables.get(at.id)
    await world.run(30)
    assert world.tables.get(at.id) == nudged
    tries = [line for line in caplog.messages if "database unavailable" in line]
    assert len(tries) == 6, "every five seconds"
    reason = "Error while saving the game: the disk is full."
    assert set(tries) == {f"table {at.id}: database unavailable, retrying in 5 s: {reason}"}
    full_disk(False)
    await world.run(5)
    assert world.game(at.id).notes.away == (0, 1)
    await world.check_stored(at.id)


async def test_lobby_that_cannot_be_closed_is_closed_later(
    world: TableWorld, full_disk: Callable[[bool], None]
) -> None:
    lobby = await world.lobby()
    await world.run(29 * 60)
    full_disk(True)
    await world.run(120)
    assert world.tables.find(lobby.id) == lobby
    full_disk(False)
    await world.run(5)
    assert world.tables.find(lobby.id) is None


async def test_player_acts_while_a_timer_waits_for_the_storage(
    world: TableWorld, full_disk: Callable[[bool], None]
) -> None:
    at = await world.match(people=1)
    full_disk(True)
    await world.run(11)
    full_disk(False)
    await act(world.tables, at.id, HOST, at.revision, say_no)
    await world.run(0)
    assert world.game(at.id).phase is Phase.EXCHANGE
    assert len(world.time.alarms) == 1
    await world.run(1)
    await world.check_stored(at.id)


async def test_unhandled_exception_is_logged_and_retried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    world = TableWorld(tmp_path)
    await world.open()
    at = await world.match(people=2)
    monkeypatch.setattr(world.scheduler, "decisions", None)
    await world.run(41)
    monkeypatch.undo()
    assert 'File "' in caplog.text
    await world.run(6)
    assert world.game(at.id).phase is not Phase.GRAND
    await world.close()


# --- another writer ------------------------------------------------------------------------------


async def another_answer(world: TableWorld, at: Game, text: str, **given: Any) -> None:
    """Let another program on the same database act and change the `given` fields."""
    seat, answer = text.split()
    now = world.time.now()
    action = ActionRecord(seq=at.seq + 1, round=1, seat=int(seat), text=answer, at=now)
    await world.store.tables.commit(at.id, Change(actions=(action,), **given))


async def test_conflict_reloads_the_stored_table(
    world: TableWorld, caplog: pytest.LogCaptureFixture
) -> None:
    at = await world.match()
    await another_answer(world, at, "2 grand:yes")
    with pytest.raises(WrittenElsewhere):
        await act(world.tables, at.id, HOST, at.revision, say_no)
    now = world.game(at.id)
    assert now.round.opening.answers == (None, None, True, None)
    assert (world.heard.news[-1].before, world.heard.news[-1].after) == (at, now)
    assert "change rejected, reloading the table" in caplog.text
    await world.check_stored(at.id)
    await act(world.tables, at.id, HOST, at.revision, say_no)
    await world.check_stored(at.id)


async def test_conflict_does_not_reuse_message_numbers(
    world: TableWorld,
) -> None:
    at = await world.match()
    (before,) = (await world.store.tables.undelivered()).values()
    others = OutboxEntry(
        number=before[-1].number + 1,
        kind="stopped",
        data='{"kind": "stopped", "forgotten": false}',
        nonce="another program",
        created_at=world.time.now(),
    )
    await another_answer(world, at, "2 grand:no", outbox=(others,))
    with pytest.raises(WrittenElsewhere):
        await act(world.tables, at.id, HOST, at.revision, say_no)
    await world.tables.execute(at.id, HOST, VoteToStop(moderator=True))
    (after,) = (await world.store.tables.undelivered()).values()
    assert after[: len(before) + 1] == (*before, others)
    assert after[-1].number > others.number


async def test_conflict_does_not_stop_timers(world: TableWorld) -> None:
    at = await world.match(people=1)
    await another_answer(world, at, "0 grand:no")
    await world.run(30)
    assert world.game(at.id).phase is not Phase.GRAND
    await world.check_stored(at.id)


async def test_table_closed_by_another_writer_is_closed(world: TableWorld) -> None:
    at = await world.match(people=1)
    closed = {"status": "stopped", "ended_at": world.time.now(), "details": "{}"}
    await another_answer(world, at, "0 grand:no", **closed)
    with pytest.raises(WrittenElsewhere):
        await act(world.tables, at.id, HOST, at.revision, say_no)
    assert world.tables.find(at.id) is None
    assert world.time.alarms == []
    await world.lobby(ChannelId(1))


# --- cancelled callers ---------------------------------------------------------------------------


@asynccontextmanager
async def slow_store(
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[tuple[asyncio.Event, asyncio.Event]]:
    """Yield a store that sets the first event when a commit is on disk.

    It returns to the caller only when the second event is set.
    """
    on_disk, answers = asyncio.Event(), asyncio.Event()
    commit = TableStore.commit

    async def slow(self: TableStore, table_id: TableId, change: Change) -> None:
        await commit(self, table_id, change)
        on_disk.set()
        await answers.wait()

    with monkeypatch.context() as patch:
        patch.setattr(TableStore, "commit", slow)
        yield on_disk, answers


async def test_cancelled_action_is_stored_and_shown_or_neither(
    world: TableWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await world.match()
    async with slow_store(monkeypatch) as (on_disk, answers):
        acting = asyncio.create_task(act(world.tables, at.id, HOST, at.revision, say_no))
        await on_disk.wait()
        acting.cancel()
        next_one = asyncio.create_task(act(world.tables, at.id, UserId(102), at.revision, say_no))
        await settle()
        assert not acting.done(), "the lock is kept until it is known what was stored"
        assert world.tables.get(at.id) == at
        answers.set()
        with pytest.raises(asyncio.CancelledError):
            await acting
        await next_one
    assert world.game(at.id).seq == at.seq + 2
    assert len(world.heard.news) >= 2
    await world.check_stored(at.id)


async def test_cancelled_action_that_failed_to_store_leaves_no_trace(
    world: TableWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await world.match()
    storing, ready = asyncio.Event(), asyncio.Event()

    async def fail(self: TableStore, table_id: int, change: Change) -> None:
        storing.set()
        await ready.wait()
        raise StorageUnavailable("no")

    with monkeypatch.context() as patch:
        patch.setattr(TableStore, "commit", fail)
        acting = asyncio.create_task(act(world.tables, at.id, HOST, at.revision, say_no))
        await storing.wait()
        acting.cancel()
        await settle()
        ready.set()
        with pytest.raises(asyncio.CancelledError):
            await acting
    assert world.tables.get(at.id) == at
    await world.check_stored(at.id)
