"""`/tichu settings`: personal choices, and the monthly ranking set up by managers."""

from __future__ import annotations

import logging
import re
from datetime import UTC, datetime
from itertools import product
from typing import Any
from zoneinfo import ZoneInfo

import discord
import pytest
from simcord import ChannelHandle, InteractionResult, ResponseMessage
from simcord.backend import serializers

from bot.ids import GuildId, UserId
from bot.records import PersonalSettings
from bot.score_records import Preferences
from bot.storage import StorageUnavailable
from bot.storage.personal_settings import PreferenceStore
from bot.text.people import channel_mention
from bot.text.sentences import read_failed
from cogs.pages.verbs import Verb
from tests.campaign import sample
from tests.cogs.conftest import ErrorRecords
from tests.cogs.forged_clicks import ARGUMENTS, VALUES, forge, forge_use
from tests.cogs.history_pages import page
from tests.cogs.worlds import SAY, World, refusal
from tests.simcord_clicks import Control, Person, controls, deny, fire_all, newcomers, text, texts

_CHANNELS = 8
TIMES = re.compile(r"<t:(\d+):t>")
"""Times of day, which Discord shows in the reader's own time zone."""
EVERYBODYS = {
    *("card-style", "always-pass", "more-time", "sorting", "language", "listed"),
    *("worldwide", "show-accuracy", "compare-accuracy"),
    *("forget-me", "settings", "calls"),
}
"""Verbs of the first page, as everybody sees it."""
LOOK = {"settings", "calls", "server", "server-set", "honours"}
"""Verbs of the page with the monthly ranking."""


def manager(world: World, name: str = "Mo") -> Person:
    """Return a member who may manage the guild."""
    (person,) = world.people(name)
    rights = discord.Permissions(manage_guild=True)
    role = world.guild.create_role("managers", permissions=rights)
    world.env.backend.guilds[world.guild.id].members[person.id].role_ids.append(role.id)
    return person


def told(result: InteractionResult) -> str:
    """Return the private sentence of the answer."""
    (answer,) = (a for a in (result.response, *result.followups) if a is not None and a.ephemeral)
    return text(answer)


def switches(message: ResponseMessage) -> dict[str, Control]:
    """Return the controls of the page by verb."""
    return {control.verb: control for control in controls(message)}


async def wanted(world: World, person: Person) -> Preferences:
    """Return the stored preferences of a user."""
    return await world.bot.store.preferences.get(UserId(person.id))


async def own(world: World, person: Person) -> PersonalSettings:
    """Return the stored personal settings of a user."""
    return await world.bot.store.personal_settings.get(UserId(person.id))


async def settings(person: Person) -> ResponseMessage:
    """Return the settings page."""
    return page(await person.slash("tichu settings"))


async def press(person: Person, message: ResponseMessage, wanted: str) -> ResponseMessage:
    """Press a button of the page; return the answer, which is that page."""
    button = switches(message)[wanted]
    answer = page(await person.member.click(message, custom_id=button.custom_id))
    assert answer.id == message.id
    return answer


async def look(person: Person) -> ResponseMessage:
    """Return the page with the monthly ranking."""
    shown = await settings(person)
    (button,) = (c for c in controls(shown) if (c.verb, c.args) == ("server", "look"))
    return page(await person.member.click(shown, custom_id=button.custom_id))


async def choose(person: Person, message: ResponseMessage, channel: ChannelHandle) -> str:
    """Choose a channel for the monthly ranking; return the new text of the page."""
    select = switches(message)["honours"]
    result = await person.member.select(message, [channel], custom_id=select.custom_id)
    assert page(result).id == message.id
    return text(message)


async def forge_channel(
    person: Person, message: ResponseMessage, channel_id: int, *, known: bool = True
) -> InteractionResult:
    """Choose a channel in a select that is not on this message."""
    custom_id = "c:honours:"
    select = {"type": _CHANNELS, "custom_id": custom_id}
    data: dict[str, Any] = {"custom_id": custom_id, "component_type": _CHANNELS}
    data |= {"values": [str(channel_id)], "resolved": {}}
    if known:
        backend = person.env.backend
        channel = dict(serializers.channel_payload(backend, backend.get_channel(channel_id)))
        data["resolved"] = {"channels": {str(channel_id): {**channel, "permissions": "0"}}}
    return await forge_use(person, message, select, data)


async def test_users_choose_their_own_preferences(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    shown = await settings(ada)
    assert set(switches(shown)) == EVERYBODYS
    assert switches(shown)["listed"].args == "off"
    assert switches(shown)["worldwide"].args == "on"
    before = texts(shown)[-1]

    await press(ada, shown, "worldwide")
    assert await wanted(world, ada) == Preferences(worldwide=True)
    assert switches(shown)["worldwide"].args == "off"
    assert (joined := texts(shown)[-1]) != before, "the sentences say so, too"
    await press(ada, shown, "listed")
    assert await wanted(world, ada) == Preferences(hidden=True, worldwide=True)
    assert switches(shown)["listed"].args == "on"
    assert not switches(shown)["worldwide"].enabled, "who is hidden is on no leaderboard"
    assert texts(shown)[-1] not in (before, joined)
    await world.restart()
    await press(ada, shown, "listed")
    assert await wanted(world, ada) == Preferences(worldwide=True)
    assert switches(shown)["worldwide"].enabled
    assert texts(shown)[-1] == joined
    assert await wanted(world, ben) == Preferences()


async def test_users_choose_how_and_when_they_are_nudged(world: World) -> None:
    world.let_people_hurry()
    (ada,) = world.people("Ada")
    shown = await settings(ada)
    await press(ada, shown, "calls")
    assert set(switches(shown)) == {
        *("settings", "calls", "turn-call", "invitations", "quiet", "daily-reminder")
    }
    before = text(shown)
    for way in ("direct", "none"):
        await ada.choose(Verb.NUDGE_WAY, way, on=shown)
        assert (await own(world, ada)).nudge_way == way
    await press(ada, shown, "invitations")
    await ada.choose(Verb.QUIET, "1260", args="from", on=shown)
    assert (await own(world, ada)).quiet == (21 * 60, 7 * 60)
    await ada.choose(Verb.QUIET, "480", args="until", on=shown)
    await ada.choose(Verb.QUIET, "1260", args="until", on=shown)
    assert (await own(world, ada)).quiet == (13 * 60, 21 * 60), "never without a length"

    offered = await ada.member.autocomplete(ada.channel, "tichu settings", "zone", "new y")
    assert [choice["value"] for choice in offered] == ["America/New_York"]
    assert offered[0]["name"].startswith("New York, United States – ")
    every = await ada.member.autocomplete(ada.channel, "tichu settings", "zone", "")
    assert len(every) > 20
    shown = page(await ada.slash("tichu settings", zone=offered[0]["value"]))
    chosen = PersonalSettings(
        nudge_way="none", invitations=False, zone="America/New_York", quiet=(13 * 60, 21 * 60)
    )
    assert await own(world, ada) == chosen
    begin, end = (datetime.fromtimestamp(int(each), UTC) for each in TIMES.findall(text(shown)))
    local = ZoneInfo("America/New_York")
    assert [at.astimezone(local).hour for at in (begin, end)] == [13, 21]
    await world.restart()
    world.let_people_hurry()
    assert await own(world, ada) == chosen
    assert refusal("no-such-zone") in told(await ada.slash("tichu settings", zone="Atlantis"))
    odd = [value for value in VALUES if value != "none" and not value.isdecimal()]
    ids = ("s:quiet:from", "s:quiet:until", "s:quiet:", "s:turn-call:")
    for custom_id, value in sample(product(ids, (*odd, "1440", "-60", "9" * 20)), 25):
        await forge(ada, shown, custom_id, [value])
    assert await own(world, ada) == chosen

    await ada.choose(Verb.QUIET, "none", args="from", on=shown)
    await press(ada, shown, "invitations")
    await ada.choose(Verb.NUDGE_WAY, "mention", on=shown)
    await ada.slash("tichu settings", zone="utc")
    assert await own(world, ada) == PersonalSettings()
    shown = await settings(ada)
    await press(ada, shown, "calls")
    assert text(shown) == before


async def test_two_concurrent_choices_both_count(world: World) -> None:
    (ada,) = world.people("Ada")
    first, second = await settings(ada), await settings(ada)
    clicks = (
        ada.member.click(page, custom_id=switches(page)[name].custom_id)
        for page, name in ((first, "listed"), (second, "worldwide"))
    )
    await fire_all(world.env, clicks)
    assert await wanted(world, ada) == Preferences(hidden=True, worldwide=True)


async def test_read_failure_is_not_reported_as_unsaved(
    world: World, errors: ErrorRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors.allow("database read error")
    (ada,) = world.people("Ada")
    shown = await settings(ada)

    async def fails(*_: object) -> Preferences:
        raise StorageUnavailable("Error while reading the database: it is damaged.")

    button = switches(shown)["listed"]
    with monkeypatch.context() as broken:
        broken.setattr(PreferenceStore, "get", fails)
        result = await ada.member.click(shown, custom_id=button.custom_id)
    assert read_failed(SAY) in told(result)
    assert await wanted(world, ada) == Preferences()


async def test_manager_chooses_a_channel_and_none(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    mo = manager(world)
    channel = world.bot.store.monthly_rankings.channel
    assert set(switches(await settings(mo))) == EVERYBODYS | {"server"}
    shown = await look(mo)
    assert set(switches(shown)) == LOOK
    assert "<#" not in text(shown)

    halls = world.guild.create_text_channel("hall"), world.guild.create_news_channel("news")
    for hall in halls:
        assert channel_mention(hall.id) in await choose(mo, shown, hall)
        assert await channel(GuildId(world.guild.id)) == hall.id
    await press(mo, shown, "no-honours")
    assert await channel(GuildId(world.guild.id)) is None
    assert "no-honours" not in switches(shown)
    assert "<#" not in text(shown)
    assert f"honours_channel changed to None (was {hall.id})" in caplog.text


async def test_refuses_a_channel_without_permission_to_write(world: World) -> None:
    mo = manager(world)
    hall, closed = (world.guild.create_text_channel(name) for name in ("hall", "closed"))
    assert world.bot.user is not None
    deny(world.env, closed, world.bot.user.id, "send_messages")
    shown = await look(mo)
    await choose(mo, shown, hall)
    said = await choose(mo, shown, closed)
    channel = channel_mention(closed.id)
    assert refusal("cannot-write", channel=channel, permissions="Send Messages") in said
    assert channel_mention(hall.id) in said
    assert await world.bot.store.monthly_rankings.channel(GuildId(world.guild.id)) == hall.id


async def test_shows_managers_the_fault_of_a_channel(world: World) -> None:
    mo = manager(world)
    hall = world.guild.create_text_channel("hall")
    await choose(mo, await look(mo), hall)
    assert world.bot.user is not None
    deny(world.env, hall, world.bot.user.id, "view_channel")
    trouble = refusal(
        "cannot-write",
        channel=channel_mention(hall.id),
        permissions="View Channel and Send Messages",
    )
    assert trouble in text(await look(mo))
    world.env.backend.delete_channel(hall.id)
    shown = await look(mo)
    assert refusal("no-such-channel") in text(shown)
    await press(mo, shown, "no-honours")
    assert refusal("no-such-channel") not in text(shown)


async def test_controls_of_managers_are_refused_to_others(world: World) -> None:
    mo, (ada,) = manager(world), world.people("Ada")
    hall = world.guild.create_text_channel("hall")
    await choose(mo, await look(mo), hall)
    shown = await settings(ada)
    assert set(switches(shown)) == EVERYBODYS
    assert f"{hall.id}" not in text(shown)
    assert refusal("managers-only") in told(await forge(ada, shown, "b:no-honours:"))
    refused = await forge_channel(ada, shown, world.channel.id)
    assert refusal("managers-only") in told(refused)
    assert await world.bot.store.monthly_rankings.channel(GuildId(world.guild.id)) == hall.id


async def test_old_page_is_refused_to_a_former_manager(world: World) -> None:
    mo = manager(world)
    shown = await look(mo)
    world.env.backend.guilds[world.guild.id].members[mo.id].role_ids.clear()
    select = switches(shown)["honours"]
    result = await mo.member.select(shown, [world.channel], custom_id=select.custom_id)
    assert refusal("managers-only") in told(result)
    assert await world.bot.store.monthly_rankings.channel(GuildId(world.guild.id)) is None
    await press(mo, shown, "settings")
    assert set(switches(shown)) == EVERYBODYS


async def test_refuses_forged_channels(world: World) -> None:
    world.let_people_hurry()
    mo = manager(world)
    shown = await look(mo)
    other = world.env.create_guild("Other").create_text_channel("elsewhere")
    voice = world.guild.create_voice_channel("voice")
    (eve,) = newcomers(world.env, world.guild, world.channel, "Eve")
    await eve.slash("tichu new", thread=True)
    (thread,) = world.channel.threads
    for channel in (other, voice, thread):
        await forge_channel(mo, shown, channel.id)
        assert refusal("no-such-channel") in text(shown)
        shown = await look(mo)
    for channel_id in (1, 2**63):
        refused = await forge_channel(mo, shown, channel_id, known=False)
        assert refusal("unknown-button") in told(refused)
    for value in sample(VALUES, 8):
        await forge(mo, shown, "s:honours:", [value])
        shown = await look(mo)
    assert await world.bot.store.monthly_rankings.channel(GuildId(world.guild.id)) is None


@pytest.mark.parametrize("name", ["listed", "worldwide"])
async def test_forged_switches_change_nothing(world: World, name: str) -> None:
    (ada,) = world.people("Ada")
    shown = await settings(ada)
    for argument in (argument for argument in ARGUMENTS if argument not in ("on", "off")):
        await forge(ada, shown, f"b:{name}:{argument}")
    assert await wanted(world, ada) == Preferences()
