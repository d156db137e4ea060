"""Table message with a nudge: a notice when posted, a page after the first edit."""

from __future__ import annotations

from pathlib import Path

import pytest
from simcord import ResponseMessage

from bot.ids import UserId
from bot.text.people import channel_mention
from cogs.delivery.messages import mentions_of
from cogs.pages.controls import Page
from cogs.pages.controls import text as text_part
from cogs.pages.table.reactions import Reaction
from cogs.pages.verbs import Verb
from tests.cogs.delivery.uploads import WatchedUploads, attachment_urls, files_of, gallery_items
from tests.cogs.table_painters import TablesAtOnce
from tests.cogs.test_turn_based import leads, plays
from tests.cogs.turn_based_people import MENTION, game_of, named_in, seated, tables
from tests.cogs.worlds import World, a_world
from tests.simcord_clicks import Person, messages, requests_since


async def nudged(world: World) -> tuple[list[Person], ResponseMessage]:
    """Return people at a turn-based table, and its message just reposted with a nudge."""
    people = await seated(world, MENTION, MENTION, MENTION, MENTION)
    leader = await leads(world, people)
    await world.env.advance_time(56 * 60)
    await plays(world, leader)
    await world.env.advance_time(3)
    (message,) = tables(world, people[0].channel)
    return people, message


def is_page(message: ResponseMessage) -> bool:
    return message.flags.components_v2


async def react(world: World, person: Person) -> ResponseMessage:
    """Edit the table message by a reaction; return the message afterwards."""
    page = (await person.press(Verb.MORE)).response
    assert page is not None
    await person.press(Verb.REACT, Reaction.THANKS, on=page)
    await world.env.advance_time(60)
    (message,) = tables(world, person.channel)
    return message


async def test_nudging_table_is_content_until_its_first_edit(world: World) -> None:
    people, message = await nudged(world)
    assert not is_page(message)
    first, *more = message.content.splitlines()
    game = game_of(world, people)
    (turn,) = (game.chairs[chair].user_id for chair in game.awaited)
    assert first.startswith(f"Your turn in {channel_mention(people[0].channel.id)}!")
    assert (named_in(message, people), str(turn) in first) == ([turn], True)
    assert "\n".join(more).count("cards") == 4, "the table in words"
    edited = await react(world, people[0])
    assert (edited.id, edited.content, is_page(edited)) == (message.id, "", True)
    assert named_in(edited, people) == []


async def test_picture_of_a_nudging_table_is_uploaded_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uploads = WatchedUploads(monkeypatch)
    async with a_world(tmp_path, tables=TablesAtOnce()) as world:
        people, message = await nudged(world)
        ((name, data),) = files_of(message)
        assert (message.content[:9], is_page(message), bool(data)) == ("Your turn", False, True)
        assert message.attachments[0].description, "what a screen reader says"
        urls = attachment_urls(message)
        uploads.take()
        edited = await react(world, people[0])
        assert is_page(edited)
        assert [item["media"]["url"].rpartition("/")[2] for item in gallery_items(edited)] == [name]
        assert (attachment_urls(edited), uploads.take()) == (urls, [])


async def test_nudge_costs_one_message_at_any_age_of_the_table(world: World) -> None:
    people = await seated(world, MENTION, MENTION, MENTION, MENTION)
    leader, path = await leads(world, people), f"/channels/{people[0].channel.id}/messages"
    await world.env.advance_time(56 * 60)
    since = len(world.env.http_requests)
    await plays(world, leader)
    await world.env.advance_time(3)
    made = [r for r in requests_since(world.env, since) if r.path.startswith(path)]
    assert sorted(request.method for request in made) == ["DELETE", "DELETE", "POST"], (
        "the table with its nudge; the table and the nudge of before go"
    )


async def test_nudge_does_not_name_a_player_who_left(world: World) -> None:
    people = await seated(world, MENTION, MENTION, MENTION, MENTION)
    leader = await leads(world, people)
    name = next(c.name for c in game_of(world, people).people() if c.user_id == leader.id)
    await plays(world, leader)
    await world.env.advance_time(62)
    nudge = next(m for m in messages(world.env, leader.channel) if named_in(m, people))
    assert f"{name} played: " in nudge.content
    await world.leave_match(leader)
    (nudge,) = [m for m in messages(world.env, leader.channel) if m.id == nudge.id]
    assert (" played: " in nudge.content, name in nudge.content) == (True, False)


async def test_worlds_detect_a_ping_without_content(world: World) -> None:
    (ada,) = world.people("Ada")
    channel = world.bot.get_partial_messageable(world.channel.id)
    page = Page(text_part(f"<@{ada.id}>, your turn in <#{channel.id}>!"))
    await channel.send(view=page, allowed_mentions=mentions_of(UserId(ada.id)))
    with pytest.raises(AssertionError):
        world.check_notices()
    world.env.http_requests.clear()
