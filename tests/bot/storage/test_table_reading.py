"""Reading one table without changing the database; see also `bot/cli/test_report.py`."""

from __future__ import annotations

from pathlib import Path

from bot.ids import TableId
from bot.records import Change
from bot.storage.tables import read_table
from tests.bot.databases import open_store, url_of
from tests.bot.storage.samples import action, new_table


async def test_equals_the_open_store(tmp_path: Path) -> None:
    file = tmp_path / "tichu.db"
    store = await open_store(file)
    for channel in (1, 2):
        table = await store.tables.create(new_table(channel_id=channel))
        await store.tables.commit(table.id, Change(actions=(action(1), action(2))))
    stored = await read_table(url_of(file), table.id)
    assert stored is not None
    assert stored.record == await store.tables.get(table.id)
    assert stored.actions == await store.tables.actions(table.id)
    assert len(stored.actions) == 2
    assert await read_table(url_of(file), TableId(table.id + 1)) is None
    await store.close()
