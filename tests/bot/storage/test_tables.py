"""Table store: what is written is read back, also after a restart."""

import sqlite3
import threading
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone

import pytest
from pydantic import ValidationError

from bot.ids import ChannelId, GuildId, MessageId, TableId, UserId
from bot.rating.ledger import LEDGER
from bot.records import CLOCK, ActionRecord, Change, NewTable, SeatRecord, TableRecord
from bot.storage import ChannelTaken, StorageError, StorageUnavailable, Store, rows
from tests.bot.storage.samples import (
    BIG_ID,
    NOON,
    action,
    ended_match,
    finished_round,
    move,
    new_table,
    seats,
)


async def test_reads_back_a_table(store: Store) -> None:
    new = new_table(
        channel_id=BIG_ID,
        parent_channel_id=BIG_ID - 1,
        status="playing",
        options='{"variant": "tichu"}',
        details='{"ünïcode": "♠"}',
        lobby_message_id=3,
        table_message_id=4,
    )
    table = await store.tables.create(new)
    given = {name: value for name, value in new if name not in ("outbox", "fence")}
    assert table == TableRecord(**given, id=table.id, seq=0, version=0, ended_at=None)
    assert await store.tables.get(table.id) == table
    assert await store.tables.get(TableId(table.id + 1)) is None


async def test_reads_back_times_in_utc_with_microseconds(store: Store) -> None:
    there = NOON.astimezone(timezone(timedelta(hours=-7)))
    table = await store.tables.create(new_table(created_at=there))
    stored = await store.tables.get(table.id)
    assert stored is not None
    assert stored.created_at == NOON
    assert stored.created_at.utcoffset() == timedelta(0)
    with pytest.raises(ValidationError, match="timezone"):
        new_table(created_at=datetime(2031, 5, 4))  # noqa: DTZ001


async def test_reads_actions_of_a_long_match_beside_the_event_loop(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    built_in: list[threading.Thread] = []
    build = rows.action_records

    def building(found: Sequence[rows.ActionRow]) -> list[ActionRecord]:
        built_in.append(threading.current_thread())
        return build(found)

    monkeypatch.setattr(rows, "action_records", building)
    table = await store.tables.create(new_table(status="playing"))
    actions = tuple(action(seq) for seq in range(1, 2001))
    await store.tables.commit(table.id, Change(actions=actions))
    assert await store.tables.actions(table.id) == list(actions)
    assert await store.tables.actions(table.id, 1990) == list(actions[1990:])
    here = threading.current_thread()
    assert [thread is here for thread in built_in] == [False, True]


async def test_change_writes_exactly_its_fields(store: Store) -> None:
    table = await store.tables.create(new_table(lobby_message_id=3))
    crew = (SeatRecord(seat=0, user_id=UserId(1), name="Bob", kind="person"),)
    await store.tables.commit(
        table.id,
        Change(
            status="playing",
            options="[1]",
            details="[2]",
            seats=crew,
            host_id=UserId(1),
            channel_id=ChannelId(21),
            parent_channel_id=ChannelId(20),
            lobby_message_id=None,
            table_message_id=MessageId(4),
        ),
    )
    changed = table.model_copy(
        update={
            "status": "playing",
            "options": "[1]",
            "details": "[2]",
            "seats": crew,
            "host_id": 1,
            "channel_id": 21,
            "parent_channel_id": 20,
            "lobby_message_id": None,
            "table_message_id": 4,
            "version": 1,
        }
    )
    assert await store.tables.get(table.id) == changed
    await store.tables.commit(table.id, Change())
    await store.tables.commit(table.id, Change(ended_at=NOON, status="stopped"))
    ended = changed.model_copy(update={"ended_at": NOON, "status": "stopped", "version": 2})
    assert await store.tables.get(table.id) == ended


async def test_match_survives_a_restart(store: Store, url: str) -> None:
    table = await store.tables.create(new_table())
    clock = ActionRecord(seq=3, round=1, seat=CLOCK, text="close", at=NOON)
    await store.tables.commit(table.id, move(0, status="playing"))
    await store.tables.commit(table.id, Change(actions=(clock,), round=finished_round()))
    end = Change(expected_seq=3, round=finished_round(2), match=ended_match(), status="finished")
    await store.tables.commit(table.id, end)
    await store.close()

    again = await Store.open(url, LEDGER)
    assert await again.tables.actions(table.id) == [action(1), action(2), clock]
    assert await again.tables.actions(table.id, after=2) == [clock]
    assert await again.tables.actions(TableId(table.id + 1)) == []
    assert await again.history.rounds(table.id) == [finished_round(), finished_round(2)]
    assert await again.history.match(table.id) == ended_match()
    assert await again.history.match(TableId(table.id + 1)) is None
    stored = await again.tables.get(table.id)
    assert stored is not None
    assert (stored.seq, stored.details, stored.status) == (3, '{"moves": 2}', "finished")
    await again.close()


async def test_open_tables_are_those_in_the_lobby_and_playing(store: Store) -> None:
    statuses = ["lobby", "playing", "finished", "stopped", "expired"]
    tables = [await store.tables.create(new_table(channel)) for channel in range(len(statuses))]
    for table, status in zip(tables, statuses, strict=True):
        await store.tables.commit(table.id, Change.model_validate({"status": status}))
    found = await store.tables.all_open()
    assert [table.id for table in found] == [tables[0].id, tables[1].id]
    assert [table.seats for table in found] == [seats(), seats()]


async def test_channel_has_one_open_table(store: Store) -> None:
    first = await store.tables.create(new_table(20))
    with pytest.raises(ChannelTaken) as refused:
        await store.tables.create(new_table(20))
    assert refused.value.table_id == first.id

    other = await store.tables.create(new_table(21))
    with pytest.raises(ChannelTaken) as refused:  # moves into it
        await store.tables.commit(other.id, move(0, channel_id=20))
    assert refused.value.table_id == first.id
    assert await store.tables.get(other.id) == other

    await store.tables.commit(first.id, Change(status="finished"))
    second = await store.tables.create(new_table(20))
    with pytest.raises(ChannelTaken) as refused:  # reopens in it
        await store.tables.commit(first.id, Change(status="playing"))
    assert refused.value.table_id == second.id


async def test_person_sits_once_at_a_table(store: Store) -> None:
    table = await store.tables.create(new_table())
    twice = tuple(
        SeatRecord(seat=n, user_id=UserId(1), name="Ann", kind="person") for n in range(2)
    )
    with pytest.raises(StorageError, match="breaks a rule"):
        await store.tables.commit(table.id, Change(seats=twice))
    with pytest.raises(StorageError, match="breaks a rule"):
        await store.tables.create(new_table(21, seats=twice))
    assert await store.tables.all_open() == [table]


async def test_refuses_details_that_are_no_json(store: Store) -> None:
    table = await store.tables.create(new_table())
    with pytest.raises(StorageError, match="breaks a rule"):
        await store.tables.commit(table.id, Change(details="{oops"))
    assert await store.tables.get(table.id) == table


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE actions SET text = 'pass' WHERE seq = 1",
        "UPDATE actions SET text = 'pass', actor_id = NULL WHERE seq = 1",
        "UPDATE actions SET seat = seat + 1, actor_id = -9 WHERE seq = 1",
        "UPDATE actions SET at = at + 1, actor_id = -9 WHERE seq = 2",
        "UPDATE actions SET actor_id = 8 WHERE seq = 1",
        "DELETE FROM actions WHERE seq = 2",
        "DELETE FROM actions",
        "INSERT OR REPLACE INTO actions VALUES (1, 2, 1, 0, NULL, 'pass', 0)",
        "INSERT INTO actions VALUES (1, 4, 1, 0, NULL, 'pass', 0)",
        "INSERT INTO actions VALUES (99, 1, 1, 0, NULL, 'pass', 0)",
    ],
)
async def test_actions_are_append_only_and_without_gaps(
    store: Store, outside: sqlite3.Connection, statement: str
) -> None:
    table = await store.tables.create(new_table())
    await store.tables.commit(table.id, move(0))
    outside.execute("PRAGMA foreign_keys=ON")
    with pytest.raises(sqlite3.IntegrityError):
        outside.execute(statement)
    assert await store.tables.actions(table.id) == [action(1), action(2)]


def test_change_requires_consecutive_actions() -> None:
    with pytest.raises(ValidationError, match="without gaps"):
        Change(actions=(action(1), action(3)))
    with pytest.raises(ValidationError, match="does not follow"):
        Change(expected_seq=1, actions=(action(1),))
    with pytest.raises(ValidationError):
        NewTable(
            guild_id=GuildId(2**63), channel_id=ChannelId(1), host_id=UserId(1), created_at=NOON
        )


async def test_closed_store_raises(store: Store) -> None:
    table = await store.tables.create(new_table())
    await store.close()
    await store.close()
    for call in (
        store.tables.commit(table.id, move(0)),
        store.tables.create(new_table(21)),
        store.app_state.keep("a", "b"),
        store.app_state.value("a"),
        store.tables.all_open(),
    ):
        with pytest.raises(StorageUnavailable, match="closed"):
            await call
