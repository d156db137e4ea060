"""A tournament by clicks: what its organiser changes."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.errors import Reason
from cogs.pages.verbs import Verb
from tests.cogs.club_nights import (
    all_in,
    begins,
    public,
    the_event,
    threads,
    written,
)
from tests.cogs.forged_clicks import forge
from tests.cogs.history_pages import page
from tests.cogs.test_tournament import (
    BREAK,
    NAMES,
    announce,
    begun,
    manage,
    open_page,
    use_tool,
)
from tests.cogs.worlds import SAY, World, refusal
from tests.simcord_clicks import (
    find,
    has,
    shown_files,
    text,
    with_verb,
)


@pytest.fixture(autouse=True)
def hurry(world: World) -> None:
    """Disable rate limits."""
    world.let_people_hurry()


async def test_a_second_click_on_begin_leaves_the_break(world: World) -> None:
    people = world.people(*NAMES)
    ada, *_ = people
    await announce(ada, begins(world))
    await all_in(world, people)
    more = page(await ada.press(Verb.EVENT_MORE, on=public(world)))
    (begin,) = with_verb(more, Verb.EVENT_BEGIN)
    for _ in range(2):
        here = page(await forge(ada, more, begin.custom_id))
        await world.env.advance_time(1)
    assert threads(world) == [], "the organiser can still correct the pairings"
    await ada.press(Verb.EVENT_BEGIN, on=here)
    await world.env.advance_time(1)
    assert len(threads(world)) == 2


async def test_pairings_are_corrected_before_a_round_begins(world: World) -> None:
    ada, *_ = await begun(world)
    before = [match.sides for match in (await the_event(world)).rounds[0].matches]
    (one,), (other,) = before[0][0], before[1][0]
    after = await use_tool(world, ada, "swap", str(one), str(other))
    sides = [match.sides for match in (await the_event(world)).rounds[0].matches]
    assert sides == [((other,), before[0][1]), ((one,), before[1][1])]
    assert has(after, Verb.EVENT_BEGIN)
    await ada.press(Verb.EVENT_BEGIN, on=after)
    await world.env.advance_time(1)
    assert len(threads(world)) == 2
    more = page(await ada.press(Verb.EVENT_MORE, on=public(world)))
    assert not has(more, Verb.EVENT_BEGIN)
    forged = page(await forge(ada, public(world), f"b:{Verb.EVENT_TOOL}:1,swap,1,2"))
    assert text(forged) == refusal(Reason.ROUND_BEGUN)


async def test_a_pause_holds_the_tables_back(world: World) -> None:
    ada, *_ = await begun(world)
    more = page(await ada.press(Verb.EVENT_MORE, on=public(world)))
    (begin,) = with_verb(more, Verb.EVENT_BEGIN)
    paused = page(await ada.press(Verb.EVENT_PAUSE, on=more))
    assert not has(paused, Verb.EVENT_BEGIN)
    stale = page(await forge(ada, more, begin.custom_id))
    assert text(stale) == refusal(Reason.EVENT_PAUSED)
    await world.env.advance_time(2 * BREAK.total_seconds())
    assert threads(world) == []
    swapped = await use_tool(world, ada, "swap", "1", "2")
    assert SAY("tables open when it continues") in text(swapped)
    assert ":R>" not in text(swapped), "the time of the break is over"
    await ada.press(Verb.EVENT_PAUSE, on=paused)
    await world.env.advance_time(1)
    assert len(threads(world)) == 2


async def test_a_deadline_moves_by_the_same_time_however_often_it_is_pressed(world: World) -> None:
    ada, *_ = await begun(world, pace=24)
    deadline = (await the_event(world)).rounds[0].deadline
    assert deadline is not None
    more = page(await ada.press(Verb.EVENT_MORE, on=public(world)))
    _, three_days = with_verb(more, Verb.EVENT_DEADLINE)
    for _ in range(2):
        await forge(ada, more, three_days.custom_id)
    moved = (await the_event(world)).rounds[0].deadline
    assert moved == deadline.replace(microsecond=0) + timedelta(days=3)
    await world.env.advance_time(BREAK.total_seconds() + 1)
    assert f"<t:{int(moved.timestamp())}:F>" in text(public(world))


async def test_lobbies_show_a_moved_deadline(world: World) -> None:
    ada, *_ = await begun(world, pace=24)
    await world.env.advance_time(BREAK.total_seconds() + 1)
    more = page(await ada.press(Verb.EVENT_MORE, on=public(world)))
    await forge(ada, more, with_verb(more, Verb.EVENT_DEADLINE)[0].custom_id)
    await world.env.advance_time(1)
    deadline = (await the_event(world)).rounds[0].deadline
    assert deadline is not None
    for thread in threads(world):
        lobby = written(world, thread)[-1]
        assert f"<t:{int(deadline.timestamp())}:R>" in text(lobby)


async def test_a_match_is_void_after_a_question(world: World) -> None:
    ada, *_ = await begun(world)
    asked = await use_tool(world, ada, "void", "1,0")
    assert (await the_event(world)).rounds[0].matches[0].result is None
    page(await ada.press(Verb.EVENT_TOOL, on=asked, args="void,1,0,1"))
    result = (await the_event(world)).rounds[0].matches[0].result
    assert result is not None
    assert result.ending == "void"
    standings = open_page(await ada.press(Verb.EVENT_STANDINGS, on=public(world)))
    history = page(await ada.press(Verb.EVENT_HISTORY, on=standings))
    assert len(text(history).split(f"<@{ada.id}>")) == 3, "the draw and the void match"


async def test_only_matches_that_can_be_void_are_offered(world: World) -> None:
    ada, *_ = await begun(world, format="knock-out")
    here = await manage(world, ada, Verb.EVENT_PAUSE)
    for match in (0, 1):
        assert any(each.custom_id.endswith(",void") for each in with_verb(here, Verb.EVENT_TOOL))
        asked = await use_tool(world, ada, "void", f"1,{match}")
        here = page(await ada.press(Verb.EVENT_TOOL, on=asked, args=f"void,1,{match},1"))
    assert not any(each.custom_id.endswith(",void") for each in with_verb(here, Verb.EVENT_TOOL))
    await ada.press(Verb.EVENT_PAUSE, on=here)
    await world.env.advance_time(1)
    offered = await manage(world, ada, Verb.EVENT_TOOL, "void")
    assert [each.value for each in find(offered, Verb.EVENT_TOOL, "void").options] == ["2,0", "2,1"]
    stale = page(await forge(ada, public(world), f"b:{Verb.EVENT_TOOL}:1,void,1,0"))
    assert text(stale) == refusal(Reason.UNKNOWN_BUTTON)


async def test_an_organiser_withdraws_a_pair(world: World) -> None:
    ada, *_ = await begun(world)
    await use_tool(world, ada, "withdraw", "2,1")
    event = await the_event(world)
    assert [each.number for each in event.entrants if each.withdrawn] == [2]
    await use_tool(world, ada, "withdraw", "2,0")
    assert not any(each.withdrawn for each in (await the_event(world)).entrants)
    standings = open_page(await ada.press(Verb.EVENT_STANDINGS, on=public(world)))
    history = page(await ada.press(Verb.EVENT_HISTORY, on=standings))
    assert text(history).count(SAY("drawn again")) == 2


FORGED = (
    *(f"{Verb.EVENT_PARTNER}:1,{each}" for each in ("1", "99", "x", ">")),
    *(f"{Verb.EVENT_TOOL}:1,{each}" for each in ("", "nope", "swap,1,99", "swap,0,1", "void,1")),
    *(f"{Verb.EVENT_TOOL}:1,{each}" for each in ("void,9,0,1", "void,1,9,1", "replace,1,2,3")),
    *(f"{Verb.EVENT_TOOL}:1,{each}" for each in ("withdraw,99,1", "replace,99,1", "swap,1,1")),
    *(f"{Verb.EVENT_ROUND}:1,{each}" for each in ("0", "9", "x")),
    f"{Verb.EVENT_STANDINGS}:1,x",
    f"{Verb.EVENT_EXPORT}:1,xml",
    f"{Verb.EVENT_HISTORY}:1,x",
    f"{Verb.EVENT_PAUSE}:1,x",
    *(f"{Verb.EVENT_DEADLINE}:1,{each}" for each in ("9" * 30, 2**40)),
    f"{Verb.EVENT_WITHDRAW_NOW}:1,x",
)


async def test_forged_clicks_change_nothing(world: World) -> None:
    ada, *_ = await begun(world)
    before = (await the_event(world)).seq
    for custom_id in FORGED:
        answer = page(await forge(ada, public(world), f"b:{custom_id}"))
        assert answer.ephemeral, custom_id
        assert (await the_event(world)).seq == before, custom_id


async def test_others_cannot_manage_a_tournament(world: World) -> None:
    ada, ben, *_ = await begun(world)
    refused = refusal(Reason.ORGANISER_ONLY, organiser=ada.id)
    before = (await the_event(world)).seq
    for args in ("tool:1,swap", "tool:1,void,1,0,1", "tool:1,withdraw,1,1", "pause:1,1"):
        answer = page(await forge(ben, public(world), f"b:event-{args}"))
        assert text(answer) == refused, args
    assert (await the_event(world)).seq == before
    (ivy,) = world.people("Ivy")
    for verb in (Verb.EVENT_WITHDRAW, Verb.EVENT_WITHDRAW_NOW):
        answer = page(await forge(ivy, public(world), f"b:{verb}:1,1"))
        assert text(answer) == refusal(Reason.NOT_IN_TOURNAMENT)


async def test_a_night_has_no_pages_of_tournaments(world: World) -> None:
    (ada,) = world.people("Ada")
    await ada.slash("tichu event", when=f"{begins(world):%Y-%m-%d %H:%M}")
    await all_in(world, [ada])
    await manage(world, ada, Verb.EVENT_BEGIN)
    for verb in (Verb.EVENT_STANDINGS, Verb.EVENT_OWN, Verb.EVENT_TOOL, Verb.EVENT_HISTORY):
        answer = page(await forge(ada, public(world), f"b:{verb}:1,swap"))
        assert text(answer) == refusal(Reason.UNKNOWN_BUTTON), verb
    assert shown_files(public(world)) == []
