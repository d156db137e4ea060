"""Atomic commits: conflicts, concurrent writers, cancelled callers, a killed program."""

import asyncio
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any
from unittest.mock import patch

import aiosqlite
import pytest
from sqlalchemy import event

from bot.ids import TableId
from bot.rating.ledger import LEDGER
from bot.records import Change
from bot.storage import (
    ChannelTaken,
    Conflict,
    StorageError,
    StorageUnavailable,
    Store,
    UnknownTable,
)
from bot.storage.database import Database
from bot.storage.errors import RuleBroken
from tests.bot.databases import place_database
from tests.bot.fake_time import settle
from tests.bot.postgres import ON_POSTGRES
from tests.bot.storage.samples import (
    action,
    ended_match,
    finished_round,
    move,
    new_table,
)

_TABLES = 80


async def _tables(store: Store, count: int = _TABLES) -> list[int]:
    return [(await store.tables.create(new_table(channel))).id for channel in range(count)]


async def test_conflict_changes_nothing(store: Store) -> None:
    table = await store.tables.create(new_table())
    await store.tables.commit(table.id, move(0))
    before = await store.tables.get(table.id)
    everything: dict[str, Any] = {
        "status": "finished",
        "round": finished_round(),
        "match": ended_match(),
    }
    for late in (move(0, **everything), move(1, **everything), move(3, **everything)):
        with pytest.raises(Conflict) as refused:
            await store.tables.commit(table.id, late)
        assert (refused.value.expected, refused.value.stored) == (late.base_seq, 2)
    with pytest.raises(Conflict):
        await store.tables.commit(table.id, Change(expected_seq=1, details="{}"))
    assert await store.tables.get(table.id) == before
    assert await store.history.rounds(table.id) == []
    assert await store.history.match(table.id) is None
    await store.tables.commit(table.id, move(2))


async def test_reports_an_unknown_table(store: Store) -> None:
    for change in (Change(), move(0), move(0, seats=()), Change(details="{}")):
        with pytest.raises(UnknownTable) as refused:
            await store.tables.commit(TableId(77), change)
        assert refused.value.table_id == 77


@pytest.mark.parametrize("last", ["actions", "round_seats", "match_seats", "COMMIT"])
async def test_error_in_the_middle_changes_nothing(
    store: Store, database: Database, outside: sqlite3.Connection, last: str
) -> None:
    table = await store.tables.create(new_table())
    if last == "COMMIT":

        @event.listens_for(database.writer.sync_engine, "commit")
        def _fault(_connection: object) -> None:
            raise OSError("the power is out")
    else:
        fault = f"CREATE TRIGGER fault BEFORE INSERT ON {last}"
        if ON_POSTGRES:  # there the function of another trigger refuses everything
            outside.execute(f"{fault} FOR EACH ROW EXECUTE FUNCTION actions_append_only()")
        else:
            outside.execute(f"{fault} BEGIN SELECT RAISE(ABORT, 'power'); END")
    whole = move(
        0, status="finished", seats=(), round=finished_round(), match=ended_match(), host_id=1
    )
    with pytest.raises(StorageError):
        await store.tables.commit(table.id, whole)
    assert await store.tables.get(table.id) == table
    assert await store.tables.actions(table.id) == []
    assert await store.history.rounds(table.id) == []
    assert await store.history.match(table.id) is None

    if last == "COMMIT":
        event.remove(database.writer.sync_engine, "commit", _fault)
    else:
        outside.execute(f"DROP TRIGGER fault ON {last}" if ON_POSTGRES else "DROP TRIGGER fault")
    await store.tables.commit(table.id, whole)
    assert await store.history.match(table.id) == ended_match()


async def test_many_tables_at_once_share_a_transaction(store: Store, database: Database) -> None:
    ids = await _tables(store)
    commits = 0

    @event.listens_for(database.writer.sync_engine, "commit")
    def _count(_connection: object) -> None:
        nonlocal commits
        commits += 1

    await asyncio.gather(*(store.tables.commit(TableId(id_), move(0)) for id_ in ids))
    assert commits < 5
    for table in await store.tables.all_open():
        assert (table.seq, table.details) == (2, '{"moves": 2}')


@pytest.mark.sqlite("its threads and statements")
async def test_actions_are_written_without_reading_first(store: Store, database: Database) -> None:
    """Triggers refuse actions out of sequence; only then the database is read."""
    ids = await _tables(store, 3)
    statements: list[str] = []

    @event.listens_for(database.writer.sync_engine, "before_cursor_execute")
    def _note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        statements.append(statement.split()[0])

    await asyncio.gather(*(store.tables.commit(TableId(id_), move(0)) for id_ in ids))
    assert statements == ["BEGIN", "UPDATE", "INSERT"]
    with pytest.raises(Conflict):
        await store.tables.commit(TableId(ids[0]), move(0))
    assert "SELECT" in statements


async def test_one_of_many_commits_to_a_table_wins(store: Store) -> None:
    (id_,) = await _tables(store, 1)
    for stored in (0, 2):
        results = await asyncio.gather(
            *(store.tables.commit(TableId(id_), move(stored)) for _ in range(_TABLES)),
            return_exceptions=True,
        )
        assert results.count(None) == 1
        assert sum(isinstance(result, Conflict) for result in results) == _TABLES - 1
    assert await store.tables.actions(TableId(id_)) == [action(seq) for seq in range(1, 5)]


async def test_commits_of_one_table_keep_their_order(store: Store) -> None:
    (id_,) = await _tables(store, 1)
    await asyncio.gather(*(store.tables.commit(TableId(id_), move(2 * n)) for n in range(50)))
    table = await store.tables.get(TableId(id_))
    assert table is not None
    assert (table.seq, table.details) == (100, '{"moves": 100}')


async def test_each_caller_of_a_batch_gets_its_own_error(store: Store) -> None:
    ids = await _tables(store, 6)
    results = await asyncio.gather(
        store.tables.commit(TableId(ids[0]), move(0)),
        store.tables.commit(TableId(ids[1]), move(0, channel_id=4)),
        store.tables.commit(TableId(ids[2]), Change(details="no json")),
        store.tables.commit(TableId(ids[3]), move(5)),
        store.tables.commit(TableId(999), move(0)),
        store.tables.commit(TableId(ids[5]), move(0, round=finished_round())),
        return_exceptions=True,
    )
    kinds = [type(result) for result in results]
    nothing = type(None)
    assert kinds == [nothing, ChannelTaken, RuleBroken, Conflict, UnknownTable, nothing]
    seqs = [table.seq for table in await store.tables.all_open()]
    assert seqs == [2, 0, 0, 0, 0, 2]


async def test_cancelled_caller_does_not_affect_others(store: Store) -> None:
    ids = await _tables(store, 60)
    chance = random.Random(5)
    tasks = [asyncio.create_task(store.tables.commit(TableId(id_), move(0))) for id_ in ids]
    creations = [asyncio.create_task(store.tables.create(new_table(900 + n))) for n in range(10)]
    for task in chance.sample(tasks, 30) + creations[::2]:
        await asyncio.sleep(chance.random() / 500)
        task.cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.gather(*creations, return_exceptions=True)
    seqs = {table.id: table.seq for table in await store.tables.all_open()}
    for id_, result in zip(ids, results, strict=True):
        assert seqs[TableId(id_)] in ((2,) if result is None else (0, 2))
        await store.tables.commit(TableId(id_), move(seqs[TableId(id_)]))


async def test_no_caller_waits_after_the_end(store: Store, database: Database) -> None:
    ids = await _tables(store, 20)
    async with database.write_turn:  # so that the writer cannot finish
        commits = [asyncio.create_task(store.tables.commit(TableId(id_), move(0))) for id_ in ids]
        await settle()
        (writing,) = (task for task in asyncio.all_tasks() if task.get_name() == "storage-commits")
        writing.cancel()
        results = await asyncio.gather(*commits, return_exceptions=True)
    assert all(isinstance(result, StorageUnavailable) for result in results)
    assert {table.seq for table in await store.tables.all_open()} == {0}
    await store.tables.commit(TableId(ids[0]), move(0))


async def test_no_task_remains_after_the_commits(store: Store) -> None:
    ids = await _tables(store, 20)
    await asyncio.gather(*(store.tables.commit(TableId(id_), move(0)) for id_ in ids))
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_closing_waits_for_commits_in_flight(store: Store, url: str) -> None:
    ids = await _tables(store, 20)
    commits = [asyncio.create_task(store.tables.commit(TableId(id_), move(0))) for id_ in ids]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*commits)
    again = await Store.open(url, LEDGER)
    assert {table.seq for table in await again.tables.all_open()} == {2}
    await again.close()


@pytest.mark.sqlite("its thread")
async def test_closing_does_not_wait_for_a_hanging_disk(
    store: Store, url: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program ends as well, and acknowledged commits are there at the next start."""
    first, second = await _tables(store, 2)
    await store.tables.commit(TableId(first), move(0))
    answers = threading.Event()

    async def hangs(self: aiosqlite.Connection) -> None:
        await self._execute(answers.wait)  # type: ignore[no-untyped-call]
        await commit(self)

    commit = aiosqlite.Connection.commit
    monkeypatch.setattr(aiosqlite.Connection, "commit", hangs)
    late = asyncio.create_task(store.tables.commit(TableId(second), move(0)))
    await asyncio.sleep(0)
    await store.close(within_s=0.01)
    try:
        assert "database not closed within" in caplog.text
        assert not late.done()
        threads = [each for each in threading.enumerate() if "_connection_worker" in each.name]
        assert threads
        assert all(thread.daemon for thread in threads), "the program ends without them"
    finally:
        answers.set()
    await late
    again = await Store.open(url, LEDGER)
    assert {table.seq for table in await again.tables.all_open()} == {2}
    await again.close()


_TIMES = 12
_OTHER = """
import asyncio, sys
from bot.rating.ledger import LEDGER
from bot.records import Change
from bot.storage import Conflict, Store
from tests.bot.storage.samples import move, new_table

async def count_up(store, table_id, times):
    done = 0
    while done < times:
        table = await store.tables.get(table_id)
        change = Change(expected_version=table.version, details=str(int(table.details) + 1))
        try:
            await store.tables.commit(table_id, change)
            done += 1
        except Conflict:
            pass

async def main(url, counter, times):
    store = await Store.open(url, LEDGER, busy_ms=60_000)
    ids = [(await store.tables.create(new_table(n))).id for n in range(5)]
    print("open", flush=True)
    await count_up(store, int(counter), int(times))
    print("counted", flush=True)
    async def play(id_):
        for n in range(10**6):
            await store.tables.commit(id_, move(2 * n))
            print(id_, 2 * n + 2, flush=True)
    await asyncio.gather(*map(play, ids))

if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
"""


async def test_two_processes_lose_no_change_and_one_is_killed(file: Path, url: str) -> None:
    """Both increment a counter in a table's details; then one plays alone until it is killed."""
    await place_database(file)
    store = await Store.open(url, LEDGER, busy_ms=60_000)
    counter = (await store.tables.create(new_table(99, details="0"))).id
    both: dict[str, Any] = {}
    exec(_OTHER, both)
    command = [sys.executable, "-c", _OTHER, url, str(counter), str(_TIMES)]
    root = Path(__file__).parents[3]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert await asyncio.to_thread(process.stdout.readline) == "open\n"
        await both["count_up"](store, counter, _TIMES)
        assert await asyncio.to_thread(process.stdout.readline) == "counted\n"
        lines = [process.stdout.readline() for _ in range(100)]
        process.send_signal(signal.SIGKILL)
        lines += process.stdout.readlines()
    now = await store.tables.get(counter)
    assert now is not None
    assert (now.details, now.version) == (str(2 * _TIMES), 2 * _TIMES), (
        "without versions some go lost"
    )
    await store.close()
    await what_was_acknowledged_is_there(url, counter, lines)


async def what_was_acknowledged_is_there(url: str, counter: int, lines: list[str]) -> None:
    """Check that all writes are stored that the killed process acknowledged in these lines."""
    told: dict[int, int] = {}
    for id_, seq in (map(int, line.split()) for line in lines if line.endswith("\n")):
        told[id_] = seq
    assert len(told) == 5

    store = await Store.open(url, LEDGER)
    for table in await store.tables.all_open():
        if table.id == counter:
            continue
        assert table.seq in (told[table.id], told[table.id] + 2)
        assert table.details == f'{{"moves": {table.seq}}}'
        assert [entry.seq for entry in await store.tables.actions(table.id)] == [
            *range(1, table.seq + 1)
        ]
    await store.close()


@pytest.mark.sqlite("its threads and statements")
async def test_each_statement_needs_one_thread_hop(store: Store) -> None:
    answer = aiosqlite.Connection._execute  # noqa: SLF001
    asked = patch.object(aiosqlite.Connection, "_execute", autospec=True, side_effect=answer)
    with asked as requests:
        assert await store.app_state.value("a key") is None
        assert requests.call_count == len(["BEGIN", "SELECT", "its rows", "COMMIT"])


@pytest.mark.sqlite("its threads and statements")
async def test_concurrent_changes_share_one_transaction(store: Store) -> None:
    ids = await _tables(store, 3)
    answer = aiosqlite.Connection._execute  # noqa: SLF001
    asked = patch.object(aiosqlite.Connection, "_execute", autospec=True, side_effect=answer)
    with asked as requests:
        await asyncio.gather(*(store.tables.commit(TableId(id_), move(0)) for id_ in ids))
        assert requests.call_count == len(["BEGIN", "UPDATE", "INSERT", "COMMIT"])
