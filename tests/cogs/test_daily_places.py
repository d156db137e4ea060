"""The deal of the day in all places: private to the end, and public only by **Share**."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from cogs.pages.verbs import Verb
from tests.bot.solo_worlds import SoloPool
from tests.cogs.daily_play import DailyPlayer
from tests.cogs.test_places import Spot, everywhere, public
from tests.cogs.worlds import SAY, World, a_world
from tests.simcord_clicks import Person, text


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with a_world(tmp_path, pool=SoloPool()) as made:
        made.let_people_hurry()
        yield made


@everywhere
async def test_deal_of_the_day_is_private_until_it_is_shared(
    world: World, make: Callable[[World, Person], Spot]
) -> None:
    (ada,) = world.people("Ada")
    person, can_post = make(world, ada)
    player = DailyPlayer(world, person)
    await player.begin()
    result = await player.finish()
    assert public(person) == []
    await person.press(Verb.DAILY_SHARE, on=result)
    if can_post:
        (line,) = public(person)
        assert "Tichu" in text(line)
    else:
        assert public(person) == []
        assert "Tichu" in text(person.latest_private(SAY("I can't post here. You can copy it:")))
