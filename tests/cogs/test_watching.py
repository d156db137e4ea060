"""Watching: the tables of an event with links and scores, and replays of finished rounds."""

from __future__ import annotations

import pytest

from bot.errors import Reason
from bot.text.people import channel_mention
from cogs.pages.verbs import Verb
from tests.cogs.club_nights import all_in, announce, begins, in_thread, public, threads
from tests.cogs.fast_forward import fast_forward, round_over
from tests.cogs.history_pages import page
from tests.cogs.test_tournament import BREAK, begun
from tests.cogs.worlds import World, refusal
from tests.simcord_clicks import find, has, line_with, numbers, shown, text


@pytest.fixture(autouse=True)
def hurry(world: World) -> None:
    """Disable rate limits."""
    world.let_people_hurry()


@pytest.mark.parametrize("format_", ["swiss", "duplicate"])
async def test_everybody_follows_tables_and_replays_finished_rounds(
    world: World, format_: str
) -> None:
    ada, *others = await begun(world, format=format_)
    (zoe,) = world.people("Zoe")
    await world.env.advance_time(BREAK.total_seconds() + 1)
    table, other = threads(world)
    here = page(await zoe.press(Verb.EVENT_WATCH, on=public(world)))
    assert here.ephemeral
    assert all(channel_mention(each.id) in text(here) for each in (table, other))
    assert not has(here, Verb.MATCH), "no round is over"
    seated = {each.user_id for each in world.lobby(table).chairs}
    for person in (ada, *others):
        if person.id in seated:
            await in_thread(person, table).press(Verb.CHECK_IN)
    await fast_forward(world, round_over, channel=table)
    here = page(await zoe.press(Verb.EVENT_WATCH, on=here))
    totals = world.game(table).match.totals
    assert {*map(abs, totals)} <= {*map(abs, numbers(line_with(here, channel_mention(table.id))))}
    assert [each.value for each in find(here, Verb.MATCH).options] == [str(world.game(table).id)]
    for reader in (zoe, ada):
        here = page(await reader.press(Verb.EVENT_WATCH, on=public(world)))
        rounds = page(await reader.choose(Verb.MATCH, str(world.game(table).id), on=here))
        replay = page(await reader.choose(Verb.REPLAY_ROUND, "1", on=rounds))
        if format_ == "swiss":
            assert has(replay, Verb.REPLAY)
        else:
            assert text(replay) == refusal(Reason.HANDS_NOT_YET), "others can still play it"


async def test_tables_of_a_game_night_can_be_watched(world: World) -> None:
    people = world.people("Ada", "Ben", "Cai", "Dee")
    await announce(people[0], begins(world))
    await all_in(world, people)
    assert not has(public(world), Verb.EVENT_WATCH)
    more = page(await people[0].press(Verb.EVENT_MORE, on=public(world)))
    await people[0].press(Verb.EVENT_BEGIN, on=more)
    await world.env.advance_time(1)
    (table,) = threads(world)
    here = page(await people[1].press(Verb.EVENT_WATCH, on=public(world)))
    assert channel_mention(table.id) in text(here)
    assert len(shown(text(here), "Ada", "Ben", "Cai", "Dee")) == 4
