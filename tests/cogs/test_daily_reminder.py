"""The reminder of the deal of the day: its setting by clicks, its message, and refused messages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from simcord import ResponseMessage

from bot.art.emojis import Emojis
from bot.errors import Reason
from bot.ids import UserId
from bot.records import PersonalSettings
from bot.text import speech
from bot.text.cards import Speaker
from cogs.pages.daily.reminder import reminder_notice
from cogs.pages.settings.nudges import refused_reminder
from cogs.pages.verbs import Verb
from tests.cogs.forged_clicks import forge_use
from tests.cogs.history_pages import page
from tests.cogs.test_settings import press, settings, switches, told
from tests.cogs.turn_based_people import direct as direct_messages
from tests.cogs.worlds import SAY, World, refusal
from tests.simcord_clicks import Person, find, has, text

MORNING = datetime(2031, 11, 12, 9, tzinfo=UTC)
MIDNIGHT = datetime(2031, 11, 13, tzinfo=UTC)
EVENING = datetime(2031, 11, 12, 18, tzinfo=UTC)
DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
REFUSED = refused_reminder(PersonalSettings(reminder_refused=True), SAY)[0]


def direct(world: World, person: Person) -> list[ResponseMessage]:
    """Return a user's direct messages, without answers to their clicks there."""
    return [each for each in direct_messages(world, person) if not each.ephemeral]


async def start_at(world: World, moment: datetime) -> None:
    """Stop the bot and restart it at this moment."""
    world.bot.tables.close()
    world.env.backend.advance_clock((moment - world.env.now()).total_seconds())
    await world.restart()


async def chosen(world: World, person: Person) -> PersonalSettings:
    """Return the stored settings of a user."""
    return await world.bot.store.personal_settings.get(UserId(person.id))


async def choose(person: Person, value: str) -> ResponseMessage:
    """Choose a time on the page with calls, or none; return the page."""
    shown = await press(person, await settings(person), Verb.NUDGES)
    select = switches(shown)[Verb.DAILY_REMINDER]
    return page(await person.member.select(shown, [value], custom_id=select.custom_id))


async def test_reminder_by_clicks_and_a_restart(world: World) -> None:
    await start_at(world, MORNING)
    ada, ben = world.people("Ada", "Ben")
    assert (await chosen(world, ada)).daily_reminder is None
    shown = await choose(ada, str(18 * 60))
    assert f"<t:{int(EVENING.timestamp())}:t>" in text(shown)
    assert (await chosen(world, ada)).daily_reminder == 18 * 60
    await start_at(world, EVENING - 2 * MINUTE)
    await world.env.advance_time(60)
    assert direct(world, ada) == []
    await world.env.advance_time(120)
    (message,) = direct(world, ada)
    first_line = text(message).splitlines()[0]
    assert "<" not in first_line, "a lock screen shows no markup"
    shown = page(
        await ada.member.user.click(message, custom_id=find(message, Verb.DAILY).custom_id)
    )
    assert has(shown, Verb.DAILY_PLAY)
    await start_at(world, EVENING + 59 * MINUTE)
    await world.env.advance_time(60)
    assert (len(direct(world, ada)), direct(world, ben)) == (1, [])
    await start_at(world, EVENING + DAY)
    await world.env.advance_time(60)
    assert len(direct(world, ada)) == 2
    await choose(ada, "none")
    await start_at(world, EVENING + 2 * DAY)
    await world.env.advance_time(60)
    assert len(direct(world, ada)) == 2


async def test_reminder_has_the_language_of_the_reader(world: World) -> None:
    await start_at(world, MORNING)
    (ada,) = world.people("Ada")
    shown = await settings(ada)
    language = switches(shown)[Verb.LANGUAGE].custom_id
    await ada.member.select(shown, ["de"], custom_id=language)
    await choose(ada, str(18 * 60))
    await start_at(world, EVENING)
    await world.env.advance_time(60)
    (message,) = direct(world, ada)
    expected = reminder_notice(MIDNIGHT, Speaker(speech("de"), Emojis.plain()))
    assert text(message) == expected.content


async def test_client_language_is_stored_only_while_it_is_needed(world: World) -> None:
    (ada,) = world.people("Ada")
    await choose(ada, str(18 * 60))
    assert (await chosen(world, ada)).seen_language == "en-US"
    await choose(ada, "none")
    assert (await chosen(world, ada)).seen_language is None


async def test_closed_direct_messages_turn_it_off_and_say_so(world: World) -> None:
    await start_at(world, MORNING)
    (ada,) = world.people("Ada")
    await choose(ada, str(18 * 60))
    channel = world.env.backend.get_dm_channel(ada.id)
    path = f"/channels/{channel.id}/messages"
    world.env.inject_error("POST", path, status=403, code=50007, times=None)
    await start_at(world, EVENING)
    await world.env.advance_time(60)
    assert (await chosen(world, ada)).daily_reminder is None
    shown = await settings(ada)
    assert REFUSED in text(shown)
    assert REFUSED in text(await press(ada, shown, Verb.NUDGES))
    assert REFUSED not in text(await choose(ada, str(19 * 60)))
    assert REFUSED not in text(await settings(ada))


async def test_outage_delays_it_and_sends_it_once(world: World) -> None:
    await start_at(world, MORNING)
    (ada,) = world.people("Ada")
    await choose(ada, str(18 * 60))
    channel = world.env.backend.get_dm_channel(ada.id)
    world.env.inject_error("POST", f"/channels/{channel.id}/messages", status=503, times=3)
    await start_at(world, EVENING)
    await world.env.advance_time(300)
    assert len(direct(world, ada)) == 1
    assert (await chosen(world, ada)).daily_reminder == 18 * 60


@pytest.mark.parametrize("values", [["1440"], ["-1"], ["x"], [], ["60", "120"]])
async def test_refuses_forged_times(world: World, values: list[str]) -> None:
    (ada,) = world.people("Ada")
    shown = await press(ada, await settings(ada), Verb.NUDGES)
    custom_id = find(shown, Verb.DAILY_REMINDER).custom_id
    data = {"custom_id": custom_id, "component_type": 3, "values": values}
    result = await forge_use(ada, shown, {"type": 3, "custom_id": custom_id}, data)
    assert told(result) == refusal(Reason.UNKNOWN_BUTTON)
    assert (await chosen(world, ada)).daily_reminder is None


async def test_erasure_ends_it(world: World) -> None:
    await start_at(world, MORNING)
    (ada,) = world.people("Ada")
    await choose(ada, str(18 * 60))
    shown = await press(ada, await settings(ada), Verb.FORGET_ME)
    await press(ada, shown, Verb.FORGET_ME_NOW)
    await start_at(world, EVENING)
    await world.env.advance_time(60)
    assert direct(world, ada) == []
