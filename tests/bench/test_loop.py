"""The tables of the event-loop benchmark."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from bench.loop import begin_matches
from bot.computers.decision_scheduler import DecisionScheduler
from bot.live.service import Tables
from bot.runtime.clock import Clock
from bot.table.options import TableOptions
from bot.table.state import Game
from tests.bot.databases import open_store


async def test_every_table_is_running_and_has_four_experts(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "bench.db")
    clock = Clock(lambda: datetime.now(UTC))
    scheduler = DecisionScheduler(clock.now, lambda *_: None)
    await begin_matches(store, 4, scheduler, TableOptions())
    tables = await Tables(store, clock, scheduler).open()
    assert len(tables) == 4
    for table in tables:
        assert isinstance(table, Game)
        assert table.deserted, "it would pause after a round: the bench patches this"
        assert [table.level(seat) for seat in range(4)] == ["expert"] * 4
    await store.close()
