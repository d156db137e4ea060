"""Weekly game nights: the next one is announced with the end of this one, exactly once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from bot.club import rules
from bot.club.actions import Action
from bot.club.event import ClubEvent
from bot.live.event_tables import EventTables
from bot.storage import StorageUnavailable
from bot.storage.club_events import ClubEventStore
from tests.bot.live.club_nights import BEGIN, ORGANISER, WEEK, ClubWorld
from tests.bot.states import CHANNEL, GUILD

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[ClubWorld]:
    world = ClubWorld(tmp_path)
    await world.open()
    yield world
    await world.close()


def _cancel(event: ClubEvent, _: datetime) -> list[Action]:
    return rules.cancel(event)


async def test_weekly_night_is_announced_again_once(
    world: ClubWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = await world.announced(weekly=True)
    await world.answer(event, "yes", 0, 1)
    await world.until(BEGIN)
    (table,) = world.of_event()
    append = ClubEventStore.append

    async def killed(*_: object, **__: object) -> bool:
        raise StorageUnavailable("killed")

    with monkeypatch.context() as patch:
        patch.setattr(ClubEventStore, "append", killed)
        await world.come(table)
        await world.stop(table.id)
    assert ClubEventStore.append is append
    await world.reopen()
    first, second = sorted(await world.tables.club_events.of_guild(GUILD), key=lambda each: each.id)
    assert (first.status, second.status) == ("over", "open")
    assert second.settings == first.settings.model_copy(
        update={"dates": (BEGIN + WEEK,), "minute": 20 * 60}
    )
    assert (second.organiser_id, second.channel_id) == (ORGANISER, CHANNEL)
    assert second.people == {}


async def test_night_cancelled_at_its_end_ends_the_series(
    world: ClubWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = await world.announced(weekly=True)
    await world.answer(event, "yes", 0, 1)
    await world.until(BEGIN)
    (table,) = world.of_event()
    await world.come(table)
    advance = EventTables.advance

    async def cancelled_after(*args: Any) -> Sequence[Action]:
        found = await advance(*args)
        if found:
            club = world.tables.club_events
            await club.manage(event.id, GUILD, ORGANISER, _cancel, may_manage=False)
        return found

    monkeypatch.setattr(EventTables, "advance", cancelled_after)
    await world.stop(table.id)
    events = await world.tables.club_events.of_guild(GUILD)
    assert [each.status for each in events] == ["cancelled"]


async def test_cancelled_weekly_night_ends_the_series(world: ClubWorld) -> None:
    event = await world.announced(weekly=True)
    await world.tables.club_events.manage(event.id, GUILD, ORGANISER, _cancel, may_manage=False)
    assert len(await world.tables.club_events.of_guild(GUILD)) == 1
