"""History of archived threads: visible to those who could see the thread."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord import ChannelHandle

from bot.history.listing import Venue
from bot.ids import ChannelId, optional
from bot.storage.ended_matches import Sight
from cogs.delivery.channel_permissions import may_look, sight_of
from cogs.pages.verbs import Verb
from tests.cogs.history_pages import (
    choose,
    listed,
    page,
    press,
    round_and_table,
    said,
    stored_match,
    tables_on,
)
from tests.cogs.table_play import seat_without_hands
from tests.cogs.worlds import World, refusal
from tests.simcord_clicks import Person, deny, text

PUBLIC, PRIVATE = discord.ChannelType.public_thread.value, discord.ChannelType.private_thread.value


def thread_of(world: World, owner: int, kind: int = PUBLIC) -> ChannelHandle:
    """Create a thread in the channel."""
    world.env.backend.create_thread(world.channel.id, "games", owner, type=kind)
    return world.channel.threads[-1]


async def archive(world: World, thread: ChannelHandle) -> None:
    """Archive the thread, so that the bot no longer knows it."""
    world.env.backend.edit_channel(thread.id, {}, thread_metadata={"archived": True})
    await world.env.settle()
    guild = world.bot.get_guild(world.guild.id)
    assert guild is not None
    assert guild.get_channel_or_thread(thread.id) is None


def bot_id(world: World) -> int:
    """Return the user id of the bot."""
    assert world.bot.user is not None
    return world.bot.user.id


async def stopped_match(world: World, thread: ChannelHandle, *names: str) -> list[Person]:
    """Start and stop a match in this thread; return its players."""
    people = [Person(world.env, found.member, thread) for found in world.people(*names)]
    for user_id in (bot_id(world), *(person.id for person in people)):
        world.env.backend.add_thread_member(thread.id, user_id)
    await seat_without_hands(world, people)
    for person in people:
        await person.slash("tichu stop")
    return people


async def test_match_in_the_bots_thread_is_visible_to_viewers_of_its_channel(
    world: World,
) -> None:
    thread = thread_of(world, bot_id(world))
    await stored_match(world, 3, channel=thread, parent_id=ChannelId(world.channel.id))
    await archive(world, thread)
    hall = world.guild.create_text_channel("hall")
    (eve,) = world.people("Eve", channel=hall)
    at = page(await eve.slash("tichu history", which="server"))
    assert tables_on(at) == [1]
    at = await choose(eve, at, Verb.MATCH, "1")
    at = await choose(eve, at, Verb.REPLAY_ROUND, "1")
    assert round_and_table(at) == [1, 1]
    assert (await choose(eve, at, Verb.SAVE, "txt.match")).attachments
    await press(eve, at, Verb.PROOF)
    assert round_and_table(await said(eve, "verify", table=1, round=1)) == [1, 1]
    deny(world.env, world.channel, eve.id, "view_channel")
    assert await listed(eve, which="server") == []
    for command in ("replay", "verify"):
        assert refusal("no-such-table", number=1) in await said(eve, command, table=1)


@pytest.mark.parametrize("kind", [PUBLIC, PRIVATE])
async def test_match_in_another_thread_is_visible_to_its_players(world: World, kind: int) -> None:
    thread = thread_of(world, world.people("Owner")[0].id, kind)
    ada, ben = await stopped_match(world, thread, "Ada", "Ben")
    await archive(world, thread)
    (eve,) = world.people("Eve")
    for person in (ada, ben):
        outside = Person(world.env, person.member, world.channel)
        at = page(await outside.slash("tichu history", which="server"))
        assert tables_on(at) == [1]
        opened = await choose(outside, at, Verb.MATCH, "1")
        assert refusal("no-round-over") in text(opened)
        assert round_and_table(await said(outside, "verify", table=1)) == [1, 1]
        assert refusal("no-round-over") in await said(outside, "replay", table=1)
    assert await listed(eve, which="server") == []
    for command in ("replay", "verify"):
        assert refusal("no-such-table", number=1) in await said(eve, command, table=1)


async def test_later_table_in_the_bots_thread_has_the_same_visibility(
    world: World,
) -> None:
    await stopped_match(world, thread_of(world, bot_id(world)), "Ada", "Ben")
    await archive(world, world.channel.threads[-1])
    (eve,) = world.people("Eve")
    assert await listed(eve, which="server") == [1]


def shown(sight: Sight, venue: Venue) -> bool:
    """Return whether the history shows a match of this venue to this sight."""
    place, parent = venue.channel_id, venue.parent_channel_id
    if place in sight.seen or place in sight.known:
        return place in sight.seen
    return parent in sight.seen if parent in sight.known else venue.sat


async def test_history_shows_exactly_the_visible_matches(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ada,) = world.people("Ada")
    hidden = world.guild.create_text_channel("hidden")
    deny(world.env, hidden, ada.id, "view_channel")
    threads = [thread_of(world, bot_id(world)), thread_of(world, bot_id(world), PRIVATE)]
    gone = thread_of(world, bot_id(world))
    world.env.backend.create_thread(hidden.id, "games", bot_id(world), type=PUBLIC)
    await archive(world, gone)
    asked: list[Any] = []

    def watched(interaction: Any) -> Sight:
        asked.append(interaction)
        return sight_of(interaction)

    monkeypatch.setattr("cogs.clicks.history.sight_of", watched)
    elsewhere = world.guild.create_text_channel("elsewhere")
    await Person(world.env, ada.member, elsewhere).slash("tichu history")
    (interaction,) = asked
    sight = sight_of(interaction)
    places = [world.channel, hidden, elsewhere, gone, *threads, *hidden.threads]
    ids = [*(place.id for place in places), 4242]
    looked = {
        venue: may_look(interaction, venue)
        for place in ids
        for parent in (None, world.channel.id, hidden.id, 4243)
        for venue in (
            Venue(ChannelId(place), optional(ChannelId, parent), sat=True),
            Venue(ChannelId(place), optional(ChannelId, parent), sat=False),
        )
    }
    assert {venue: shown(sight, venue) for venue in looked} == looked
    assert set(looked.values()) == {True, False}
