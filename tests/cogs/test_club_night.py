"""A game night by clicks, from the announcement to the deal; every message and mention counts."""

from __future__ import annotations

from datetime import timedelta

import discord
import pytest

from bot.club.event import ClubEvent
from bot.club.rules import LATEST, REMIND_BEFORE
from bot.errors import Reason
from bot.ids import UserId
from bot.records import NudgeWay, PersonalSettings
from bot.table.state import Game
from bot.text.people import channel_mention
from cogs.delivery.table_threads import new_thread
from cogs.pages.verbs import Verb
from tests.cogs.club_nights import (
    GRACE,
    NAMES,
    all_in,
    announce,
    announcements,
    begins,
    drawn,
    in_thread,
    pass_to,
    public,
    the_event,
    threads,
    written,
)
from tests.cogs.fast_forward import fast_forward, match_over
from tests.cogs.history_pages import page
from tests.cogs.test_challenges import pings
from tests.cogs.test_forget_me import forget_me
from tests.cogs.turn_based_people import direct
from tests.cogs.worlds import World, refusal
from tests.simcord_clicks import (
    Person,
    Wire,
    deny,
    find,
    fire_all,
    has,
    line_with,
    messages,
    numbers,
    shown,
    text,
)


@pytest.fixture(autouse=True)
def hurry(world: World) -> None:
    """Disable rate limits."""
    world.let_people_hurry()


async def test_from_the_announcement_to_four_hands(world: World) -> None:
    wire = Wire(world.env)
    people = world.people(*NAMES)
    ada, at = people[0], begins(world)
    answer = await announce(ada, at, title="Friday")
    clicks = 1
    assert answer.ephemeral
    assert f"<t:{int(at.timestamp())}:F>" in text(answer)
    assert len(written(world, world.channel)) == 1
    await all_in(world, people)
    assert shown(text(public(world)), *NAMES) == list(NAMES)
    assert pings(wire) == []
    await pass_to(world, at - REMIND_BEFORE)
    assert pings(wire) == [[each.id for each in people]], "one message reminds all"
    assert len(written(world, world.channel)) == 2
    await pass_to(world, at)
    (thread,) = threads(world)
    assert channel_mention(thread.id) in text(public(world))
    assert len(written(world, thread)) == 1
    assert [set(each) for each in pings(wire)[1:]] == [{each.id for each in people}]
    for person in people:
        await in_thread(person, thread).press(Verb.CHECK_IN)
        clicks += 1
    game = world.table(thread)
    assert isinstance(game, Game)
    assert game.match.round is not None
    assert all(game.match.round.hands)
    assert clicks <= 6
    assert len(pings(wire)) == 2
    assert len(written(world, world.channel)) == 2


async def test_answers_at_the_same_moment_are_all_shown(world: World) -> None:
    people = world.people(*(f"P{number}" for number in range(12)))
    await announce(people[0], begins(world))
    message = public(world)
    button = find(message, Verb.EVENT_ANSWER, "yes").custom_id
    await fire_all(world.env, (each.member.click(message, custom_id=button) for each in people))
    assert len((await the_event(world)).answered("yes")) == len(people)
    assert line_with(public(world), "12")


async def test_people_get_their_reminder_as_they_chose(world: World) -> None:
    wire = Wire(world.env)
    ada, ben, cai, dee, eva, fay = world.people(*NAMES, "Eva", "Fay")
    ways: list[tuple[Person, NudgeWay]] = [(ben, "direct"), (cai, "none"), (dee, "mention")]
    for person, way in ways:
        await world.bot.store.personal_settings.choose(
            UserId(person.id), PersonalSettings(nudge_way=way)
        )
    at = begins(world)
    await announce(ada, at)
    await all_in(world, [ada, ben])
    await all_in(world, [cai], "maybe")
    await all_in(world, [dee], "substitute")
    await all_in(world, [eva], "no")
    await pass_to(world, at - REMIND_BEFORE)
    assert pings(wire) == [[ada.id, dee.id]]
    everyone = (ada, ben, cai, dee, eva, fay)
    assert [each for each in everyone if direct(world, each)] == [ben]
    await world.restart()
    world.let_people_hurry()
    await world.env.advance_time(60)
    assert pings(wire) == [[ada.id, dee.id]]
    assert len(direct(world, ben)) == 1


async def test_refused_direct_reminders_become_mentions(world: World) -> None:
    wire = Wire(world.env)
    ada, ben = world.people("Ada", "Ben")
    chosen = PersonalSettings(nudge_way="direct")
    await world.bot.store.personal_settings.choose(UserId(ben.id), chosen)
    at = begins(world)
    await announce(ada, at)
    await all_in(world, [ben])
    path = f"/channels/{ben.member.user.dm_channel.id}/messages"
    world.env.inject_error("POST", path, status=403, code=50007, times=None)
    await pass_to(world, at - REMIND_BEFORE)
    assert pings(wire) == [[ben.id]]


async def test_restarts_lose_and_repeat_nothing(world: World) -> None:
    wire = Wire(world.env)
    people, at = world.people(*NAMES, "Eva"), begins(world)
    await announce(people[0], at)
    await all_in(world, people[:4])
    for moment in (at - REMIND_BEFORE, at):
        world.bot.tables.close()
        world.env.backend.advance_clock((moment - world.env.now()).total_seconds())
        await world.restart()
        world.let_people_hurry()
        await world.env.settle()
        await world.env.advance_time(1)
    assert len(written(world, world.channel)) == 2
    (thread,) = threads(world)
    await world.restart()
    world.let_people_hurry()
    await world.env.settle()
    assert [thread.id] == [each.id for each in threads(world)]
    assert len(written(world, thread)) == 1
    assert len(pings(wire)) == 2
    for person in people[:4]:
        await in_thread(person, thread).press(Verb.CHECK_IN)
    assert isinstance(world.table(thread), Game)


async def test_two_tables_have_a_thread_each(world: World) -> None:
    wire = Wire(world.env)
    names = (*NAMES, "Eva", "Fay")
    people = await drawn(world, *names)
    first, second = threads(world)
    mentioned = [set(each) for each in pings(wire)[1:]]
    assert len(mentioned) == 2
    assert not mentioned[0] & mentioned[1]
    assert mentioned[0] | mentioned[1] == {each.id for each in people}
    assert {channel_mention(each.id) for each in (first, second)} <= set(
        text(public(world)).replace("**", " ").split()
    )


async def test_computers_play_for_those_who_do_not_come(world: World) -> None:
    ada, ben, *others = await drawn(world, *NAMES)
    (thread,) = threads(world)
    for person in (ada, ben):
        await in_thread(person, thread).press(Verb.CHECK_IN)
    await world.env.advance_time(GRACE.total_seconds() + 1)
    game = world.table(thread)
    assert isinstance(game, Game)
    assert {each.user_id for each in game.chairs if each.kind == "person"} == {ada.id, ben.id}
    late = in_thread(others[0], thread)
    await late.press(Verb.HAND)
    assert late.sees(Verb.TAKE_SEAT) or late.sees(Verb.SIT)
    await fast_forward(world, match_over, channel=thread)
    await world.env.advance_time(1)
    assert (await the_event(world)).status == "over"
    assert sorted(shown(text(public(world)), *NAMES, "🤖")) == ["Ada", "Ben", "🤖", "🤖"]


async def test_draws_again_until_a_match_has_begun(world: World) -> None:
    wire = Wire(world.env)
    ada, *others = await drawn(world, *NAMES)
    before = len(pings(wire))
    more = page(await ada.press(Verb.EVENT_MORE, on=public(world)))
    again = page(await ada.press(Verb.EVENT_DRAW, on=more))
    await world.env.advance_time(1)
    assert line_with(again, *NAMES) == line_with(public(world), *NAMES)
    assert len(pings(wire)) == before + 1, "one mention for the new table"
    assert len(threads(world)) == 1
    (table,) = [each for each in world.bot.tables.all() if each.open]
    thread = next(each for each in threads(world) if each.id == table.channel_id)
    for person in (ada, *others):
        await in_thread(person, thread).press(Verb.CHECK_IN)
    refused = page(await ada.press(Verb.EVENT_DRAW, on=more))
    assert text(refused) == refusal(Reason.EVENT_BEGUN)


async def test_no_thread_means_one_table_in_the_channel(world: World) -> None:
    me = world.bot.user
    assert me is not None
    deny(world.env, world.channel, me.id, "create_public_threads")
    (fay,) = world.people("Fay")
    await announce(fay, begins(world))
    assert "Create Public Threads" in text(public(world))
    await fay.press(Verb.EVENT_MORE, on=public(world))
    await fay.press(Verb.EVENT_CANCEL)
    await fay.press(Verb.EVENT_CANCEL_NOW)
    await drawn(world, *NAMES, "Eva")
    assert threads(world) == []
    (table,) = world.bot.tables.all()
    assert table.channel_id == world.channel.id
    assert "Create Public Threads" in text(public(world)), "the second table waits"


async def test_a_deleted_message_does_not_end_the_event(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    at = begins(world)
    await announce(ada, at, title="Friday")
    await ada.press(Verb.EVENT_ANSWER, "yes", on=public(world))
    world.env.backend.delete_message(world.channel.id, public(world).id)
    listed = page(await ben.slash("tichu event"))
    opened = page(await ben.choose(Verb.EVENT, "1", on=listed))
    await ben.press(Verb.EVENT_ANSWER, "yes", on=opened)
    await pass_to(world, at)
    assert len(threads(world)) == 1


async def test_a_refused_edit_is_repeated(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await announce(ada, begins(world))
    path = f"/channels/{world.channel.id}/messages/{public(world).id}"
    world.env.inject_error("PATCH", path, status=403, code=50001, times=1)
    await all_in(world, [ben])
    assert "Ben" not in text(public(world))
    await world.restart()  # it looks at all events
    assert "Ben" in text(public(world))


async def test_a_thread_that_was_created_before_a_kill_is_used(world: World) -> None:
    people, at = world.people(*NAMES), begins(world)
    await announce(people[0], at, title="Friday")
    await all_in(world, people)
    await pass_to(world, at - timedelta(minutes=1))
    channel = world.bot.get_channel(world.channel.id)
    assert isinstance(channel, discord.TextChannel)
    await new_thread(channel, "Friday · Table 1", turn_based=False)
    world.bot.tables.close()
    world.env.backend.advance_clock((at - world.env.now()).total_seconds())
    before = threads(world)
    await world.restart()
    await world.env.settle()
    await world.env.advance_time(1)
    (table,) = world.bot.tables.all()
    assert [table.channel_id] == [each.id for each in threads(world)]
    assert len(before) == 1


async def test_thread_of_a_match_is_not_used_again(world: World) -> None:
    people = await drawn(world, *NAMES)
    (thread,) = threads(world)
    for person in people:
        await in_thread(person, thread).press(Verb.CHECK_IN)
    for person in people:
        await in_thread(person, thread).slash("tichu stop")
    assert list(world.bot.tables.all()) == []
    at = world.env.now() + timedelta(hours=1)
    await announce(people[0], at)
    await all_in(world, people)
    await pass_to(world, at)
    assert len(threads(world)) == 2


async def test_an_event_ends_with_its_channel(world: World) -> None:
    people, at = world.people(*NAMES), begins(world)
    other = world.guild.create_text_channel("other")
    await announce(people[0], at)
    await all_in(world, people)
    world.env.backend.delete_channel(world.channel.id)
    await pass_to(world, at + LATEST)
    await world.env.advance_time(120)
    assert (await the_event(world)).is_over
    assert list(world.bot.tables.all()) == []
    assert messages(world.env, other) == []


async def test_results_lead_to_the_replays_and_the_next_week_is_announced(world: World) -> None:
    me = world.bot.user
    assert me is not None
    deny(world.env, world.channel, me.id, "create_public_threads")
    people = await drawn(world, *NAMES, weekly=True)
    for person in people:
        await person.press(Verb.CHECK_IN)
    await fast_forward(world, match_over, calls=0.1)
    await world.env.advance_time(1)
    event = await the_event(world)
    assert event.status == "over"
    result = event.rounds[0].matches[0].result
    assert result is not None
    old, new = announcements(world)
    assert {*map(abs, result.totals)} <= {*map(abs, numbers(text(old)))}
    next_begin = event.begins_at + timedelta(days=7)
    assert f"<t:{int(next_begin.timestamp())}:F>" in text(new)
    opened = page(await people[0].choose(Verb.MATCH, str(world_table(event)), on=old))
    assert opened.ephemeral
    assert has(opened, Verb.REPLAY_ROUND)


def world_table(event: ClubEvent) -> int:
    """Return the number of the first table of an event."""
    table_id = event.rounds[0].matches[0].table_id
    assert table_id is not None
    return table_id


async def test_erasure_removes_a_name_from_the_message(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await announce(ada, begins(world))
    await all_in(world, [ada, ben])
    await forget_me(ben)
    await world.env.advance_time(1)
    assert shown(text(public(world)), "Ada", "Ben") == ["Ada"]
