"""Stored reviews and agreements, deleted with their person and their server."""

from __future__ import annotations

import sqlite3
from datetime import timedelta

import pytest

from bot.ids import GuildId, TableId, UserId
from bot.records import ReviewRecord
from bot.storage import StorageError, Store
from tests.bot.storage.samples import BIG_ID, NOON, new_table
from tests.bot.storage.test_forgetting import Rewriting

pytestmark = pytest.mark.usefixtures("one_thread")

ANN, BOB = UserId(BIG_ID), UserId(BIG_ID - 1)


async def table(store: Store, channel_id: int = 20) -> TableId:
    """Store a table at which Ann and Bob sit."""
    return (await store.tables.create(new_table(channel_id))).id


def of_ann(table_id: TableId, number: int = 1, **given: object) -> ReviewRecord:
    """Return a review for Ann on seat 0, made `number` minutes after noon."""
    values: dict[str, object] = {
        "table_id": table_id,
        "number": number,
        "seat": 0,
        "user_id": ANN,
        "version": 1,
        "made_at": NOON + timedelta(minutes=number),
        "body": '{"judged": []}',
    }
    return ReviewRecord.model_validate(values | given)


async def test_stores_a_review_and_replaces_it(store: Store) -> None:
    table_id = await table(store)
    assert await store.coach.review(table_id, 1, 0) is None
    await store.coach.keep(of_ann(table_id))
    assert await store.coach.review(table_id, 1, 0) == of_ann(table_id)
    newer = of_ann(table_id, version=2, body='{"marks": []}')
    await store.coach.keep(newer)
    assert await store.coach.review(table_id, 1, 0) == newer
    assert await store.coach.review(table_id, 1, 1) is None
    assert await store.coach.review(table_id, 2, 0) is None


async def test_stores_agreements_once_and_withdraws_them(store: Store) -> None:
    one, other = await table(store), await table(store, 21)
    for user_id in (ANN, ANN, BOB):
        await store.coach.agree(one, user_id)
    assert await store.coach.agreements(one) == {ANN, BOB}
    assert await store.coach.agreements(other) == frozenset()
    await store.coach.withdraw(one, ANN)
    await store.coach.withdraw(other, BOB)
    assert await store.coach.agreements(one) == {BOB}


async def test_deletes_only_the_data_of_an_erased_person(store: Store) -> None:
    table_id = await table(store)
    await store.coach.keep(of_ann(table_id))
    of_bob = of_ann(table_id, seat=1, user_id=BOB)
    await store.coach.keep(of_bob)
    for user_id in (ANN, BOB):
        await store.coach.agree(table_id, user_id)
    known = await store.people.known(ANN)
    assert known is not None
    assert known.others == 2
    assert await store.people.forget(ANN, Rewriting()) is not None
    assert await store.coach.review(table_id, 1, 0) is None
    assert await store.coach.review(table_id, 1, 1) == of_bob
    assert await store.coach.agreements(table_id) == {BOB}


async def test_deletes_the_data_of_an_erased_server(store: Store) -> None:
    table_id = await table(store)
    await store.coach.keep(of_ann(table_id))
    await store.coach.agree(table_id, ANN)
    await store.people.forget_server(GuildId(10))
    assert await store.coach.review(table_id, 1, 0) is None
    assert await store.coach.agreements(table_id) == frozenset()


async def test_refuses_what_is_no_json_and_has_no_table(
    store: Store, outside: sqlite3.Connection
) -> None:
    table_id = await table(store)
    with pytest.raises(StorageError) as refused:
        await store.coach.keep(of_ann(table_id, body="S9 DR"))
    assert "S9" not in str(refused.value), "errors name no cards"
    with pytest.raises(StorageError):
        await store.coach.keep(of_ann(TableId(table_id + 1)))
    assert outside.execute("SELECT count(*) FROM reviews").fetchone() == (0,)
