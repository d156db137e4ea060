"""Two teams with the same cards at two tables, from `/tichu new` to the deals."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.errors import Reason
from bot.ids import UserId
from cogs.pages.verbs import Verb
from tests.cogs.club_nights import (
    all_in,
    announcements,
    in_thread,
    pass_to,
    public,
    the_event,
    threads,
    written,
)
from tests.cogs.history_pages import page
from tests.cogs.test_challenges import pings
from tests.cogs.worlds import World, refusal
from tests.simcord_clicks import Wire, deny, has, shown, text

NAMES = ("Ada", "Ben", "Cai", "Dee", "Eva", "Fay", "Gus", "Hal")
SAME = {"same-cards": True}


@pytest.fixture(autouse=True)
def hurry(world: World) -> None:
    """Disable rate limits."""
    world.let_people_hurry()


async def test_eight_people_get_the_same_deals_at_two_tables(world: World) -> None:
    wire = Wire(world.env)
    people = world.people(*NAMES)
    options = {"rounds": 3, "turn-limit": 60, "bomb-window": 4.0, "thread": True}
    answer = page(await people[0].slash("tichu new", **SAME, **options))
    assert answer.ephemeral
    await all_in(world, people)
    assert shown(text(public(world)), *NAMES) == list(NAMES)
    drawn = page(await people[0].press(Verb.EVENT_BEGIN, on=answer))
    assert pings(wire) == []
    await people[0].press(Verb.EVENT_BEGIN, on=drawn)
    assert len(written(world, world.channel)) == 1
    assert sorted(len(each) for each in pings(wire)) == [4, 4]
    games = []
    for thread in threads(world):
        seated = {chair.user_id for chair in world.table(thread).chairs}
        for person in people:
            if person.id in seated:
                await in_thread(person, thread).press(Verb.CHECK_IN)
        games.append(world.game(thread))
    first, second = games
    assert {*first.user_ids(), *second.user_ids()} == {UserId(each.id) for each in people}
    hands = [[each.cards for each in game.round.hands] for game in games]
    assert hands[0] == hands[1]
    for game in games:
        assert game.options.turn_limit_s == 60
        assert game.options.rules.bomb_window_ms == 4000
        assert game.options.event is not None
        assert game.options.event.rounds == 3


async def test_it_waits_for_an_hour_and_for_eight_people(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    at = world.env.now() + timedelta(hours=1)
    answer = page(await ada.slash("tichu new", **SAME))
    assert f"<t:{int(at.timestamp())}:F>" in text(answer)
    await all_in(world, [ada, ben])
    refused = page(await ada.press(Verb.EVENT_BEGIN, on=answer))
    assert text(refused) == refusal(Reason.FEW_PAIRS, least=4)
    await pass_to(world, at)
    assert (await the_event(world)).status == "cancelled"


@pytest.mark.parametrize(
    "options",
    [
        {"variant": "tientsin"},
        {"computers": 3},
        {"target": 500},
        {"pace": 28800},
        {"hints": True},
        {"thread": False},
        {"two-decks": True},
    ],
)
async def test_refuses_options_that_do_not_fit(world: World, options: dict[str, object]) -> None:
    (ada,) = world.people("Ada")
    refused = page(await ada.slash("tichu new", **SAME, **options))
    assert text(refused) == refusal(Reason.SAME_CARDS_OPTIONS)
    assert announcements(world) == []


async def test_needs_threads(world: World) -> None:
    (ada,) = world.people("Ada")
    assert world.bot.user is not None
    deny(world.env, world.channel, world.bot.user.id, "create_public_threads")
    refused = page(await ada.slash("tichu new", **SAME))
    assert not has(refused, Verb.EVENT_BEGIN)
    assert announcements(world) == []
