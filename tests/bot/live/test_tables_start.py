"""Automatic start of a full lobby after a countdown, if the host has chosen it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.ids import ChannelId, TableId, UserId
from bot.live.events import MayStart
from bot.storage import NotRead
from bot.storage.rankings import RankingStore
from bot.table.commands import ChangeOption, Join, Leave
from bot.table.deadlines import GRACE_SECONDS, START_SECONDS
from bot.table.lobby import LobbyPlan
from engine import Phase
from tests.bot.states import GUILD, HOST
from tests.bot.table_world import QUICK, TableWorld

pytestmark = pytest.mark.usefixtures("one_thread")

BY_ITSELF = QUICK.model_copy(update={"auto_start": True})


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[TableWorld]:
    world = TableWorld(tmp_path)
    await world.open()
    yield world
    await world.close()


def countdown(world: TableWorld, table_id: TableId) -> float | None:
    """Return the seconds until the lobby starts; `None` without a countdown."""
    start = world.tables.get(table_id).timers.deadlines.get("start")
    return None if start is None else (start - world.time.now()).total_seconds()


async def test_countdown_begins_with_the_last_seat_and_ends_with_a_free_one(
    world: TableWorld,
) -> None:
    at = await world.lobby(people=3, players=3, options=BY_ITSELF)
    assert countdown(world, at.id) is None
    await world.tables.execute(at.id, UserId(104), Join("Dan"))
    assert countdown(world, at.id) == START_SECONDS
    await world.run(START_SECONDS - 1)
    await world.tables.execute(at.id, UserId(104), Leave())
    assert countdown(world, at.id) is None
    await world.run(START_SECONDS)
    await world.tables.execute(at.id, UserId(104), Join("Dan"))
    await world.tables.execute(at.id, HOST, ChangeOption("auto_start", "off"))
    assert countdown(world, at.id) is None, "the host does not wish it any more"
    await world.tables.execute(at.id, HOST, ChangeOption("auto_start", "on"))
    await world.run(START_SECONDS + 1)
    game = world.game(at.id)
    assert (game.phase, game.host_id, game.seat_of(UserId(104))) == (Phase.GRAND, HOST, 3)
    assert world.heard.news[-1].actor_id is None
    await world.check_stored(at.id)


async def test_countdown_survives_a_restart_and_database_failures(
    world: TableWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Countdowns get a grace period after a restart; failed reads are retried soon."""
    at = await world.lobby(people=2, options=BY_ITSELF)
    assert countdown(world, at.id) == START_SECONDS, "computer players fill it, too"
    await world.close()
    world.time.jump(world.time.now() + timedelta(minutes=1))
    await world.open()
    assert countdown(world, at.id) == GRACE_SECONDS

    async def unreadable(*_: object) -> None:
        raise NotRead("locked")

    with monkeypatch.context() as patch:
        patch.setattr(RankingStore, "ratings", unreadable)
        await world.run(GRACE_SECONDS + 1)
        assert world.tables.get(at.id).status == "lobby"
    await world.run(6)
    assert world.tables.get(at.id).running


async def test_lobby_opened_full_has_no_countdown(world: TableWorld) -> None:
    full = (await world.lobby(ChannelId(1))).chairs
    rematch = await world.tables.create(LobbyPlan(GUILD, ChannelId(2), HOST, BY_ITSELF, full))
    assert countdown(world, rematch.id) is None


async def test_no_match_starts_automatically_where_it_could_not_be_shown(
    world: TableWorld, caplog: pytest.LogCaptureFixture
) -> None:
    world.events.subscribe(MayStart, lambda _: False)
    at = await world.lobby(options=BY_ITSELF)
    await world.run(START_SECONDS + 1)
    assert world.tables.get(at.id).timers.deadlines.keys() == {"lobby"}
    assert f"table {at.id}: not started automatically" in caplog.text
