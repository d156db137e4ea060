"""Outbox: messages are stored with their change until they are delivered."""

from datetime import timedelta
from typing import Any

import pytest

from bot.ids import MessageId
from bot.rating.ledger import LEDGER
from bot.records import Change, OutboxEntry
from bot.storage import Conflict, StorageError, Store
from tests.bot.storage.samples import NOON, move, new_table

pytestmark = pytest.mark.usefixtures("one_thread")


def entry(number: int, **given: Any) -> OutboxEntry:
    """Return a message with this number."""
    values: dict[str, Any] = {
        "kind": "lines",
        "data": "{}",
        "nonce": f"n{number}",
        "created_at": NOON,
    }
    return OutboxEntry(number=number, **values | given)


async def test_keeps_messages_until_they_are_delivered(store: Store) -> None:
    one = await store.tables.create(new_table(outbox=(entry(1),)))
    two = await store.tables.create(new_table(channel_id=21))
    assert await store.tables.undelivered() == {one.id: (entry(1),)}
    await store.tables.commit(two.id, move(0, outbox=(entry(2), entry(1))))
    await store.tables.commit(
        one.id, Change(delivered=(1,), lobby_message_id=MessageId(5), outbox=(entry(2),))
    )
    assert await store.tables.undelivered() == {one.id: (entry(2),), two.id: (entry(1), entry(2))}
    await store.tables.commit(two.id, Change(rewritten={1: "[]", 3: "[]"}))
    rewritten = entry(1, data="[]"), entry(2)
    assert await store.tables.undelivered() == {one.id: (entry(2),), two.id: rewritten}
    await store.tables.commit(two.id, Change(delivered=(1, 2)))
    await store.tables.commit(two.id, Change(delivered=(1,)))  # acknowledged twice
    assert await store.tables.undelivered() == {one.id: (entry(2),)}


async def test_refused_change_stores_no_message(store: Store) -> None:
    table = await store.tables.create(new_table())
    with pytest.raises(Conflict):
        await store.tables.commit(table.id, move(4, outbox=(entry(1),)))
    assert await store.tables.undelivered() == {}


async def test_message_never_replaces_another(store: Store) -> None:
    table = await store.tables.create(new_table(outbox=(entry(1),)))
    with pytest.raises(StorageError):
        await store.tables.commit(table.id, move(0, outbox=(entry(1, nonce="other"),)))
    assert await store.tables.undelivered() == {table.id: (entry(1),)}


async def test_messages_survive_a_restart(store: Store, url: str) -> None:
    table = await store.tables.create(new_table())
    await store.tables.commit(table.id, move(0, outbox=(entry(7, kind="result"),)))
    await store.close()
    again = await Store.open(url, LEDGER)
    assert await again.tables.undelivered() == {table.id: (entry(7, kind="result"),)}
    await again.close()


async def test_expires_old_messages(store: Store) -> None:
    older = entry(1, created_at=NOON - timedelta(microseconds=1))
    one = await store.tables.create(new_table(outbox=(older, entry(2))))
    await store.tables.create(new_table(channel_id=21, outbox=(older,)))
    assert await store.tables.forget_undelivered(NOON) == 2
    assert await store.tables.undelivered() == {one.id: (entry(2),)}
    assert await store.tables.forget_undelivered(NOON) == 0


def test_repr_hides_the_message() -> None:
    assert "jade" not in repr(entry(1, data='{"cards": "jade"}'))
