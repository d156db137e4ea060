"""Optimistic version check: a change based on an older version of a table is refused."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from bot.ids import TableId, UserId
from bot.rating.ledger import LEDGER
from bot.records import Change, OutboxEntry, TableRecord
from bot.storage import Conflict, Store, UnknownTable
from tests.bot.databases import PATIENT_MS, open_store
from tests.bot.storage.samples import NOON, action, move, new_table, seats
from tests.campaign import SOAK, sample

pytestmark = pytest.mark.sqlite("databases of PostgreSQL never had an old schema")

ENTRY = OutboxEntry(number=1, kind="line", data="{}", nonce="1", created_at=NOON)
ALONE: list[dict[str, Any]] = [
    {"details": '{"later": 1}'},
    {"table_message_id": 8},
    {"status": "stopped", "ended_at": NOON},
    {"seats": ()},
    {"host_id": 3},
    {"holds_channel": True},
    {},
]
"""Changes without an action, which without versions would silently overwrite each other."""


@pytest.fixture
async def store(file: Path) -> AsyncIterator[Store]:
    """Yield a store on a new file that waits for other writers."""
    opened = await open_store(file, busy_ms=PATIENT_MS)
    yield opened
    await opened.close()


@pytest.fixture
async def other(url: str, store: Store) -> AsyncIterator[Store]:
    """Yield the store of another process on the same file."""
    opened = await Store.open(url, LEDGER, busy_ms=PATIENT_MS)
    yield opened
    await opened.close()


async def stored(store: Store, table_id: TableId) -> TableRecord:
    """Return the stored table."""
    found = await store.tables.get(table_id)
    assert found is not None
    return found


async def test_each_change_increments_the_version(store: Store) -> None:
    table = await store.tables.create(new_table())
    assert table.version == 0
    for number, change in enumerate(
        (move(0), Change(details="[]"), Change(seats=()), Change(actions=(action(3),))), start=1
    ):
        await store.tables.commit(table.id, change)
        assert (await stored(store, table.id)).version == number


async def test_messages_and_channel_ownership_keep_the_version(store: Store) -> None:
    table = await store.tables.create(new_table())
    await store.tables.commit(table.id, Change(outbox=(ENTRY,)))
    await store.tables.commit(table.id, Change(delivered=(1,)))
    await store.tables.release_channels([table.id])
    assert await stored(store, table.id) == table.model_copy(update={"holds_channel": False})
    assert (await store.tables.create(new_table())).channel_id == table.channel_id


@pytest.mark.parametrize("given", ALONE)
async def test_late_change_without_an_action_changes_nothing(
    store: Store, other: Store, given: dict[str, Any]
) -> None:
    table = await store.tables.create(new_table())
    await other.tables.commit(table.id, Change(expected_version=0, details='{"kept": "a bomb"}'))
    before = await stored(store, table.id)
    late = Change(expected_version=0, outbox=(ENTRY,), **given)
    with pytest.raises(Conflict, match=f"table {table.id}: it has version 1, not 0") as refused:
        await store.tables.commit(table.id, late)
    assert (refused.value.table_id, refused.value.expected, refused.value.stored) == (
        table.id,
        0,
        1,
    )
    assert await stored(store, table.id) == before
    assert await store.tables.undelivered() == {}
    await store.tables.commit(table.id, late.model_copy(update={"expected_version": 1}))
    assert (await stored(store, table.id)).version == 2


async def test_takeover_locks_the_other_process_out(store: Store, other: Store) -> None:
    """The version is a token: a change of the version alone is enough."""
    table = await store.tables.create(new_table())
    await other.tables.commit(table.id, Change(expected_version=0))
    for late in (move(0, expected_version=0), Change(expected_version=0, details="[]")):
        with pytest.raises(Conflict):
            await store.tables.commit(table.id, late)
    assert await stored(store, table.id) == table.model_copy(update={"version": 1})
    await other.tables.commit(table.id, move(0, expected_version=1))


async def test_unknown_table_has_no_version(store: Store) -> None:
    for given in ALONE:
        with pytest.raises(UnknownTable):
            await store.tables.commit(TableId(77), Change(expected_version=0, **given))


@pytest.fixture
def statements() -> Iterator[list[str]]:
    """Yield a list of the first words of all executed statements."""
    found: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        found.append(statement.split()[0])

    event.listen(Engine, "before_cursor_execute", note)
    yield found
    event.remove(Engine, "before_cursor_execute", note)


async def test_version_check_needs_no_extra_statement(store: Store, statements: list[str]) -> None:
    """A change without an action even saves reading the table."""
    ids = [(await store.tables.create(new_table(channel))).id for channel in range(3)]
    changes = (move(0, expected_version=0), Change(expected_version=1, details="[]"))
    for change, wanted in zip(
        changes, (["BEGIN", "UPDATE", "INSERT"], ["BEGIN", "UPDATE"]), strict=True
    ):
        statements.clear()
        await asyncio.gather(*(store.tables.commit(id_, change) for id_ in ids))
        assert statements == wanted


async def test_changes_of_one_table_in_one_batch_build_on_each_other(store: Store) -> None:
    table = await store.tables.create(new_table())
    crew = seats()[:2]
    results = await asyncio.gather(
        store.tables.commit(table.id, Change(expected_version=0, details="[1]")),
        store.tables.commit(table.id, move(0, expected_version=1)),
        store.tables.commit(table.id, Change(expected_version=1, details="[3]")),  # too late
        store.tables.commit(table.id, Change(host_id=UserId(9))),  # with any version
        store.tables.commit(table.id, move(2, expected_version=3, seats=crew)),
        store.tables.commit(table.id, move(2, expected_version=4)),  # too late
        return_exceptions=True,
    )
    kinds = [type(result) for result in results]
    nothing = type(None)
    assert kinds == [nothing, nothing, Conflict, nothing, nothing, Conflict]
    now = await stored(store, table.id)
    assert (now.version, now.seq, now.details, now.host_id) == (4, 4, '{"moves": 4}', 9)
    assert now.seats == crew


async def test_batch_refuses_only_late_changes(store: Store, other: Store) -> None:
    ids = [(await store.tables.create(new_table(channel))).id for channel in range(20)]
    taken = ids[::3]
    for id_ in taken:
        await other.tables.commit(id_, Change(expected_version=0))
    changes = [
        Change(expected_version=0, details="[1]") if id_ % 2 else move(0, expected_version=0)
        for id_ in ids
    ]
    results = await asyncio.gather(
        *(store.tables.commit(id_, change) for id_, change in zip(ids, changes, strict=True)),
        return_exceptions=True,
    )
    for id_, change, result in zip(ids, changes, results, strict=True):
        now = await stored(store, id_)
        assert isinstance(result, Conflict) is (id_ in taken)
        assert now.details == ("{}" if id_ in taken else change.details)
        assert now.version == 1


@pytest.mark.parametrize("seed", sample(range(8), 1))
async def test_two_processes_equal_a_model(store: Store, other: Store, seed: int) -> None:
    """Against a model: the stored state is that of all acknowledged changes in their order.

    Each process knows the version it last read or wrote, and reads only sometimes.
    """
    rng = random.Random(seed)
    tables = [await store.tables.create(new_table(channel)) for channel in range(3)]
    model = {table.id: table for table in tables}
    known = [dict(model), dict(model)]
    refused = accepted = 0
    for step in range(150 if SOAK else 80):
        process, (id_, truth) = rng.randrange(2), rng.choice(list(model.items()))
        mine = known[process][id_]
        own_store = (store, other)[process]
        if rng.random() < 0.2:
            known[process][id_] = await stored(own_store, id_)
            assert known[process][id_] == truth
            continue
        given: dict[str, Any] = rng.choice(
            [{"details": f"[{step}]"}, {"host_id": step}, {"table_message_id": step}, {}]
        )
        actions = (action(mine.seq + 1),) if rng.random() < 0.4 else ()
        change = Change(expected_version=mine.version, actions=actions, **given)
        own = {**given, "seq": mine.seq + len(actions), "version": mine.version + 1}
        try:
            await own_store.tables.commit(id_, change)
        except Conflict:
            assert mine.version != truth.version
            refused += 1
        else:
            assert mine.version == truth.version
            model[id_] = known[process][id_] = truth.model_copy(update=own)
            accepted += 1
        assert await stored(store, id_) == model[id_]
    assert refused > 20
    assert accepted > 20


async def test_one_of_two_concurrent_processes_wins(store: Store, other: Store) -> None:
    table = await store.tables.create(new_table())
    for version in range(15):
        results = await asyncio.gather(
            *(
                one.tables.commit(table.id, Change(expected_version=version, details=f'"{who}"'))
                for who, one in (("first", store), ("second", other))
            ),
            return_exceptions=True,
        )
        assert [isinstance(result, Conflict) for result in results].count(True) == 1
        winner = "first" if results[0] is None else "second"
        now = await stored(store, table.id)
        assert (now.details, now.version) == (f'"{winner}"', version + 1)
