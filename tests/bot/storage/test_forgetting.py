"""Erasure of a user in the rows of a database and in the bytes of its file."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from pathlib import Path

import pytest

from bot.ids import TableId, UserId, is_pseudonym
from bot.records import OutboxEntry
from bot.storage import Store
from bot.table.forgetting import erase_in_details, erase_in_post
from bot.table.posts import LinesPost, NewOwnerLine, OfferPost, Post, outbox_entries, read_post
from tests.bot.forgotten_people import all_rows, traces
from tests.bot.postgres import ON_POSTGRES
from tests.bot.states import NOON
from tests.bot.storage.samples import BIG_ID, move, new_table, seats

pytestmark = pytest.mark.usefixtures("one_thread")

ANN = UserId(BIG_ID)
CALLED = "Ann 0"


class Rewriting:
    """Rewriter of stored JSON that removes a user like the bot."""

    def details(self, details: str, user_id: UserId, pseudonym: UserId) -> str:
        """Return details without this person."""
        return erase_in_details(details, user_id, pseudonym)

    def post(self, data: str, user_id: UserId, names: Collection[str]) -> str | None:
        """Return a message without this person."""
        return erase_in_post(data, user_id, names)


def entries(*posts: Post) -> tuple[OutboxEntry, ...]:
    """Return these messages in stored form."""
    nonces = iter("abcdef")
    return outbox_entries(posts, 1, NOON, lambda: next(nonces))


async def stored(store: Store, outside: sqlite3.Connection, *posts: Post) -> int:
    """Store a table with a running match of Ann's, and its messages."""
    table = await store.tables.create(new_table())
    change = move(0, seats=seats(), status="playing", outbox=entries(*posts))
    actions = tuple(each.model_copy(update={"actor_id": ANN}) for each in change.actions)
    await store.tables.commit(table.id, change.model_copy(update={"actions": actions}))
    return table.id


async def test_removes_the_person_of_an_action_once(
    store: Store, outside: sqlite3.Connection
) -> None:
    """The rest of the action stays, and no other person can be entered."""
    table_id = await stored(store, outside)
    before = await store.tables.actions(TableId(table_id))
    assert await store.people.forget(ANN, Rewriting()) is not None
    after = await store.tables.actions(TableId(table_id))
    assert {each.actor_id for each in after} == {None}, "the round in play counts for nobody"
    assert [each.model_copy(update={"actor_id": ANN}) for each in after] == before
    with pytest.raises(sqlite3.IntegrityError):
        outside.execute("UPDATE actions SET actor_id = -5")


async def test_removes_the_name_from_pending_messages(
    store: Store, outside: sqlite3.Connection
) -> None:
    """A line stays without the name; a message for the user alone is deleted."""
    table_id = await stored(
        store,
        outside,
        LinesPost(lines=(NewOwnerLine(seat=0, before=CALLED, waited=ANN),)),
        OfferPost(seat=1, member_id=ANN),
        OfferPost(seat=1, member_id=UserId(ANN - 1)),
    )
    assert await store.people.forget(ANN, Rewriting()) is not None
    left = [read_post(each) for each in (await store.tables.undelivered())[TableId(table_id)]]
    line = NewOwnerLine(seat=0, before="", waited=None)
    assert left == [LinesPost(lines=(line,)), OfferPost(seat=1, member_id=UserId(ANN - 1))]


async def test_empties_unreadable_details(store: Store, outside: sqlite3.Connection) -> None:
    table_id = await stored(store, outside)
    outside.execute("UPDATE tables SET details = ?", (f'{{"deal": {ANN}}}',))
    assert await store.people.forget(ANN, Rewriting()) is not None
    record = await store.tables.get(TableId(table_id))
    assert record is not None
    assert record.details == "{}"


async def test_each_user_gets_a_separate_pseudonym(
    store: Store, outside: sqlite3.Connection
) -> None:
    table_id = await stored(store, outside)
    assert await store.people.forget(ANN, Rewriting()) is not None
    assert await store.people.forget(UserId(ANN - 1), Rewriting()) is not None
    record = await store.tables.get(TableId(table_id))
    assert record is not None
    first, second, third, _ = record.seats
    assert is_pseudonym(first.user_id)
    assert is_pseudonym(second.user_id)
    assert first.user_id != second.user_id
    assert (third.user_id, third.name, first.name) == (ANN - 2, "Ann 2", "")
    assert record.host_id == first.user_id
    if not ON_POSTGRES:
        assert str(ANN) not in all_rows(Path(store_file(outside)))


@pytest.mark.sqlite("its file is read")
async def test_vacuums_rows_deleted_by_an_older_program(
    store: Store, file: Path, outside: sqlite3.Connection
) -> None:
    """Without `secure_delete` the bytes of deleted rows stay in free pages."""
    await stored(store, outside)
    outside.execute("PRAGMA secure_delete=OFF")
    outside.execute("CREATE TABLE old AS SELECT * FROM sittings")
    outside.execute("DROP TABLE old")
    assert await store.people.forget(ANN, Rewriting()) is not None
    outside.close()
    await store.people.empty_log()
    assert "name" in traces(file, ANN, CALLED)
    assert await store.people.sweep()
    assert traces(file, ANN, CALLED) == []


def store_file(outside: sqlite3.Connection) -> str:
    """Return the file of a connection."""
    return str(outside.execute("PRAGMA database_list").fetchone()[2])
