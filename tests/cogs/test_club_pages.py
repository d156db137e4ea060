"""Pages of events by clicks: dates, the organiser's page, the list; and refused clicks."""

from __future__ import annotations

from datetime import datetime, timedelta

import discord
import pytest

from bot.errors import Reason
from bot.ids import ClubEventId, UserId
from bot.records import PersonalSettings
from cogs.pages.verbs import Verb
from tests.cogs.club_nights import (
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
)
from tests.cogs.forged_clicks import forge
from tests.cogs.history_pages import page
from tests.cogs.worlds import World, refusal
from tests.simcord_clicks import (
    Person,
    deny,
    has,
    messages,
    shown,
    text,
    with_verb,
)


@pytest.fixture(autouse=True)
def hurry(world: World) -> None:
    """Disable rate limits."""
    world.let_people_hurry()


async def test_the_organiser_chooses_one_of_several_dates(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    at = begins(world)
    later = at + timedelta(days=1)
    await announce(ada, at, **{"or": f"{later:%Y-%m-%d %H:%M}"})
    assert not has(public(world), Verb.EVENT_ANSWER)
    dates = page(await ben.press(Verb.EVENT_DATES, on=public(world)))
    assert dates.ephemeral
    dates = page(await ben.choose(Verb.EVENT_ANSWER, "no", args="1,0", on=dates))
    dates = page(await ben.choose(Verb.EVENT_ANSWER, "yes", args="1,1", on=dates))
    assert (await the_event(world)).answered("yes", 1) == [1]
    more = page(await ada.press(Verb.EVENT_MORE, on=public(world)))
    await ada.choose(Verb.EVENT_DATE, "1", on=more)
    assert (await the_event(world)).begins_at == later
    assert f"<t:{int(later.timestamp())}:F>" in text(public(world))
    assert f"<t:{int(at.timestamp())}:F>" not in text(public(world))
    await ada.press(Verb.EVENT_ANSWER, "yes", on=public(world))
    assert shown(text(public(world)), "Ada", "Ben") == ["Ben", "Ada"]


async def test_cancels_after_a_second_question(world: World) -> None:
    ada, *_ = await drawn(world, *NAMES)
    (table,) = world.bot.tables.all()
    more = page(await ada.press(Verb.EVENT_MORE, on=public(world)))
    asked = page(await ada.press(Verb.EVENT_CANCEL, on=more))
    assert (await the_event(world)).status == "running"
    after = page(await ada.press(Verb.EVENT_CANCEL_NOW, on=asked))
    assert "Cancelled" in text(after)
    await world.env.advance_time(1)
    assert (await the_event(world)).status == "cancelled"
    assert world.bot.tables.find(table.id) is None
    assert not with_verb(public(world), Verb.EVENT_ANSWER, Verb.EVENT_MORE)


async def test_others_cannot_manage_an_event(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await announce(ada, begins(world))
    refused = refusal(Reason.ORGANISER_ONLY, organiser=ada.id)
    for verb in (Verb.EVENT_MORE, Verb.EVENT_CANCEL, Verb.EVENT_CANCEL_NOW, Verb.EVENT_BEGIN):
        answer = page(await forge(ben, public(world), f"b:{verb}:1"))
        assert text(answer) == refused, verb
    assert (await the_event(world)).status == "open"
    role = world.guild.create_role("mod", permissions=discord.Permissions(manage_messages=True))
    moderator = world.guild.add_member(world.env.create_user("mo"), roles=[role])
    mo = Person(world.env, moderator, world.channel)
    assert has(page(await mo.press(Verb.EVENT_MORE, on=public(world))), Verb.EVENT_CANCEL)


@pytest.mark.parametrize("args", ["", "2", "1,0,", "1,0,nope", "1,9,yes", "9" * 30, "1,x,yes"])
async def test_forged_answers_change_nothing(world: World, args: str) -> None:
    ada, ben = world.people("Ada", "Ben")
    await announce(ada, begins(world))
    answer = page(await forge(ben, public(world), f"b:{Verb.EVENT_ANSWER}:{args}"))
    assert answer.ephemeral
    assert (await the_event(world)).seq == 0


async def test_the_list_shows_events_whose_channel_is_seen(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    empty = page(await ben.slash("tichu event"))
    assert not has(empty, Verb.EVENT)
    await announce(ada, begins(world), title="Friday")
    listed = page(await ben.slash("tichu event"))
    assert shown(text(listed), "Friday") == ["Friday"]
    (offered,) = with_verb(listed, Verb.EVENT)[0].options
    assert str(begins(world).year) in offered.description, "several may have one title"
    opened = page(await ben.choose(Verb.EVENT, "1", on=listed))
    assert opened.ephemeral
    opened = page(await ben.press(Verb.EVENT_ANSWER, "yes", on=opened))
    assert shown(text(opened), "Ben") == shown(text(public(world)), "Ben") == ["Ben"]
    other = world.guild.create_text_channel("other")
    deny(world.env, world.channel, ben.id, "view_channel")
    elsewhere = Person(world.env, ben.member, other)
    assert not has(page(await elsewhere.slash("tichu event")), Verb.EVENT)


def scheduled(world: World) -> list[int]:
    """Return the status of each scheduled event of Discord."""
    guild = world.env.backend.get_guild(world.guild.id)
    return [each.status for each in guild.scheduled_events.values()]


async def test_a_scheduled_event_is_created_once_and_cancelled(world: World) -> None:
    (ada,) = world.people("Ada")
    await announce(ada, begins(world))
    await ada.press(Verb.EVENT_ANSWER, "yes", on=public(world))
    await world.restart()
    await world.env.settle()
    assert scheduled(world) == [discord.EventStatus.scheduled.value]
    await ada.press(Verb.EVENT_MORE, on=public(world))
    await ada.press(Verb.EVENT_CANCEL)
    await ada.press(Verb.EVENT_CANCEL_NOW)
    assert scheduled(world) == [discord.EventStatus.canceled.value]


async def test_the_scheduled_event_begins_and_ends_with_the_event(world: World) -> None:
    people = world.people(*NAMES)
    ada, at = people[0], begins(world)
    later = at + timedelta(days=1)
    await announce(ada, at, **{"or": f"{later:%Y-%m-%d %H:%M}"})
    more = page(await ada.press(Verb.EVENT_MORE, on=public(world)))
    for date, begin in (("1", later), ("0", at)):
        more = page(await ada.choose(Verb.EVENT_DATE, date, on=more))
        (event,) = world.env.backend.get_guild(world.guild.id).scheduled_events.values()
        assert datetime.fromisoformat(event.scheduled_start_time) == begin
    await all_in(world, people)
    await ada.press(Verb.EVENT_BEGIN, on=more)
    assert scheduled(world) == [discord.EventStatus.active.value]
    await world.env.advance_time(1)
    (thread,) = threads(world)
    for person in people:
        await in_thread(person, thread).press(Verb.CHECK_IN)
    for person in people:
        await in_thread(person, thread).slash("tichu stop")
    await world.env.advance_time(1)
    assert (await the_event(world)).status == "over"
    assert scheduled(world) == [discord.EventStatus.ended.value]


async def test_a_cancelled_event_ends_its_scheduled_event(world: World) -> None:
    ada, *_ = await drawn(world, *NAMES)
    assert scheduled(world) == [discord.EventStatus.active.value]
    await ada.press(Verb.EVENT_MORE, on=public(world))
    await ada.press(Verb.EVENT_CANCEL)
    await ada.press(Verb.EVENT_CANCEL_NOW)
    assert scheduled(world) == [discord.EventStatus.ended.value]


async def test_an_event_goes_on_without_a_scheduled_event(world: World) -> None:
    (ada,) = world.people("Ada")
    path = f"/guilds/{world.guild.id}/scheduled-events"
    world.env.inject_error("POST", path, status=403, code=50013, times=None)
    await announce(ada, begins(world))
    assert scheduled(world) == []
    assert has(public(world), Verb.EVENT_ANSWER)


async def test_nothing_is_announced_where_the_bot_may_not_write(world: World) -> None:
    me = world.bot.user
    assert me is not None
    (ada,) = world.people("Ada")
    deny(world.env, world.channel, me.id, "send_messages")
    answer = await announce(ada, begins(world))
    assert answer.ephemeral
    assert not has(answer, Verb.EVENT_CANCEL)
    assert await world.bot.store.club_events.get(ClubEventId(1)) is None


@pytest.mark.parametrize("when", ["whenever", "1999-01-01 20:00", "2099-01-01 20:00"])
async def test_a_date_that_is_not_possible_gets_a_sentence(world: World, when: str) -> None:
    (ada,) = world.people("Ada")
    answer = page(await ada.slash("tichu event", when=when))
    assert answer.ephemeral
    assert messages(world.env, world.channel) == []


async def test_the_field_shows_how_a_date_is_read(world: World) -> None:
    (ada,) = world.people("Ada")
    chosen = PersonalSettings(zone="Europe/Berlin")
    await world.bot.store.personal_settings.choose(UserId(ada.id), chosen)
    offered = await ada.member.autocomplete(ada.channel, "tichu event", "when", "2 Jan 20:00")
    ((name, value),) = [(each["name"], each["value"]) for each in offered]
    assert value == "2 Jan 20:00"
    assert {"Friday", "January", "2026", "Berlin"} <= {*shown(name, *name.replace(",", "").split())}
    examples = await ada.member.autocomplete(ada.channel, "tichu event", "when", "")
    assert len(examples) == 2
    await ada.slash("tichu event", when=examples[0]["value"])
    assert len(announcements(world)) == 1


async def test_the_field_says_why_a_date_cannot_be_read(world: World) -> None:
    (ada,) = world.people("Ada")
    for typed, why in (("whenever", "I can't tell when"), ("Friday at 8", "morning")):
        (only,) = await ada.member.autocomplete(ada.channel, "tichu event", "when", typed)
        assert why in only["name"]
        assert only["value"] == typed, "no other day is offered"


async def test_a_night_without_people_says_why_it_is_cancelled(world: World) -> None:
    (ada,) = world.people("Ada")
    at = begins(world)
    await announce(ada, at)
    await pass_to(world, at)
    assert (await the_event(world)).status == "cancelled"
    assert "Nobody was in." in text(public(world))
