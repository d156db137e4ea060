"""The lobby: sitting down and standing up, who may do what, when it ends, what it needs."""

from __future__ import annotations

import pytest
from simcord import InteractionResult, SetupError

from bot.table.options import TableOptions
from cogs.delivery.channel_permissions import permission_names
from cogs.pages.verbs import Verb
from tests.cogs.forged_clicks import forge
from tests.cogs.worlds import SAY, World, refusal
from tests.simcord_clicks import (
    Control,
    Person,
    Wire,
    controls,
    deny,
    line_with,
    messages,
    numbers,
    text,
)

NAMES = permission_names(SAY)


def lobby(world: World) -> dict[str, Control]:
    """The buttons of the newest lobby message, by verb."""
    message, _ = world.newest_with(Verb.LEAVE)
    return {control.verb: control for control in controls(message)}


def names(world: World) -> list[str]:
    """Who sits where at the table of the channel."""
    return [chair.name for chair in world.table().chairs]


def private(result: InteractionResult) -> str:
    """The private sentence that was the answer."""
    answers = [result.response, *result.followups]
    (answer,) = [answer for answer in answers if answer is not None and answer.ephemeral]
    return text(answer)


async def swap(world: World, person: Person, *seats: str) -> InteractionResult:
    """Swap two seats, as somebody does it."""
    result = await person.press(Verb.SWAP)
    assert result.response is not None
    (select,) = controls(result.response)
    return await person.member.select(result.response, seats, custom_id=select.custom_id)


async def test_people_sit_down_and_stand_up(world: World) -> None:
    ada, ben, cai, dan, eve = world.people("Ada", "Ben", "Cai", "Dan", "Eve")
    await ada.slash("tichu new")
    assert world.table().options == TableOptions(), "a match to a thousand points"
    assert names(world) == ["Ada", "", "", ""]
    assert not lobby(world)["start"].enabled
    assert not lobby(world)["remove-computer"].enabled
    await ben.press(Verb.JOIN)
    assert refusal("already-seated") in private(await ben.press(Verb.JOIN))
    await cai.press(Verb.JOIN)
    await ben.press(Verb.LEAVE)
    assert names(world) == ["Ada", "", "Cai", ""]
    assert refusal("not-seated") in private(await ben.press(Verb.LEAVE))
    await dan.press(Verb.JOIN)
    await eve.press(Verb.JOIN)
    assert names(world) == ["Ada", "Dan", "Cai", "Eve"]
    assert "Eve" in text(world.newest_with(Verb.LEAVE)[0])
    assert lobby(world)["start"].enabled
    assert not lobby(world)["join"].enabled
    assert not lobby(world)["add-computer"].enabled
    message, join = world.newest_with(Verb.LEAVE)[0], lobby(world)["join"]
    with pytest.raises(SetupError):
        await ben.member.click(message, custom_id=join.custom_id)
    assert refusal("table-full") in private(await forge(ben, message, join.custom_id))
    assert len(messages(world.env, world.channel)) == 1


async def test_computer_players_come_and_go(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new", computers=2)
    assert names(world) == ["Ada", "Computer 1", "Computer 2", ""]
    await ben.press(Verb.ADD_COMPUTER)
    assert names(world) == ["Ada", "Computer 1", "Computer 2", "Computer 3"]
    await ada.press(Verb.REMOVE_COMPUTER)
    assert not lobby(world)["start"].enabled
    await ben.press(Verb.JOIN)
    assert names(world) == ["Ada", "Computer 1", "Computer 2", "Ben"]
    await ada.press(Verb.START)
    assert world.table().running


async def test_only_the_host_starts(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new", computers=2)
    await ben.press(Verb.JOIN)
    assert refusal("host-only") in private(await ben.press(Verb.START))
    assert world.table().status == "lobby"
    await ada.press(Verb.LEAVE)
    assert world.table().host_id == ben.id
    await ada.press(Verb.JOIN)
    assert refusal("host-only") in private(await ada.press(Verb.START))
    await ben.press(Verb.START)
    assert world.table().running


async def test_seats_are_swapped(world: World) -> None:
    ada, ben, cai = world.people("Ada", "Ben", "Cai")
    await ada.slash("tichu new", computers=1)
    await ben.press(Verb.JOIN)
    assert names(world) == ["Ada", "Computer 1", "Ben", ""]
    await swap(world, ada, "1", "2")
    assert names(world) == ["Ada", "Ben", "Computer 1", ""]
    assert text(world.newest_with(Verb.LEAVE)[0]).index("Ben") > 0
    await swap(world, ben, "1", "3")
    assert names(world) == ["Ada", "", "Computer 1", "Ben"]
    assert refusal("host-only") in private(await swap(world, ben, "0", "2"))
    assert refusal("host-only") in private(await swap(world, cai, "0", "1"))
    assert names(world) == ["Ada", "", "Computer 1", "Ben"]
    assert numbers(line_with(world.newest_with(Verb.LEAVE)[0], "Ben")) == [4]


async def test_empty_lobby_is_closed(world: World) -> None:
    (ada,) = world.people("Ada")
    await ada.slash("tichu new", computers=3)
    message, _ = world.newest_with(Verb.LEAVE)
    before = text(message)
    await ada.press(Verb.LEAVE)
    assert world.bot.tables.in_channel(world.channel.id) is None
    assert controls(message) == []
    assert text(message) != before
    await ada.slash("tichu new")
    assert names(world)[0] == "Ada"


async def test_forgotten_lobby_expires_without_a_ping(world: World) -> None:
    wire = Wire(world.env)
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new")
    message, _ = world.newest_with(Verb.LEAVE)
    await world.env.advance_time(29 * 60)
    await ben.press(Verb.JOIN)
    await world.env.advance_time(29 * 60)
    assert world.table().status == "lobby"
    await world.env.advance_time(61)
    assert world.bot.tables.in_channel(world.channel.id) is None
    assert controls(message) == []
    assert len(messages(world.env, world.channel)) == 1
    for sent in wire.sent:
        body = sent.body.get("data") or sent.body
        if "components" in body and sent.method == "POST":
            assert body["allowed_mentions"] == {"parse": []}
    assert private(await forge(ada, message, "b:1:0:join:")) == refusal("table-over")


async def test_one_table_for_each_channel(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new")
    assert refusal("channel-taken") in private(await ben.slash("tichu new"))
    other = world.guild.create_text_channel("other")
    await Person(world.env, ben.member, other).slash("tichu new")
    assert world.table(other).host_id == ben.id
    assert world.table().host_id == ada.id


async def test_missing_permissions_are_named_before_anything_is_posted(world: World) -> None:
    (ada,) = world.people("Ada")
    assert world.bot.user is not None
    me = world.bot.user.id
    deny(world.env, world.channel, me, "send_messages")
    answer = private(await ada.slash("tichu new"))
    assert NAMES["send_messages"] in answer
    assert f"<#{world.channel.id}>" in answer
    deny(world.env, world.channel, me, "create_public_threads", "send_messages_in_threads")
    answer = private(await ada.slash("tichu new", thread=True))
    assert NAMES["create_public_threads"] in answer
    assert NAMES["send_messages_in_threads"] in answer
    assert messages(world.env, world.channel) == []
    assert world.channel.threads == []
    assert await world.bot.store.tables.all_open() == []
    deny(world.env, world.channel, me)
    await ada.slash("tichu new", computers=3)
    deny(world.env, world.channel, me, "send_messages")
    assert NAMES["send_messages"] in private(await ada.press(Verb.START))
    assert world.table().status == "lobby"
    deny(world.env, world.channel, me)
    await ada.press(Verb.START)
    assert world.table().running


async def test_lobby_can_be_posted_again_and_closed_by_the_host(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new")
    first, _ = world.newest_with(Verb.LEAVE)
    await ben.slash("tichu table")
    second, _ = world.newest_with(Verb.LEAVE)
    assert second.id != first.id
    await ben.press(Verb.JOIN)
    assert "Ben" in text(second)
    assert refusal("not-started") in private(await ben.slash("tichu hand"))
    assert refusal("host-only") in private(await ben.slash("tichu stop"))
    await ben.slash("tichu leave")
    assert names(world) == ["Ada", "", "", ""]
    assert "Ben" not in text(second)
    await ada.slash("tichu stop")
    assert controls(second) == []
    assert world.bot.tables.in_channel(world.channel.id) is None
    for command in ("hand", "table", "leave", "stop"):
        assert refusal("no-table-here") in private(await ada.slash(f"tichu {command}"))


async def test_no_thread_inside_a_thread(world: World) -> None:
    (ada,) = world.people("Ada")
    await ada.slash("tichu new", thread=True)
    (thread,) = world.channel.threads
    inside = Person(world.env, ada.member, thread)
    await inside.slash("tichu stop")
    assert refusal("thread-in-thread") in private(await inside.slash("tichu new", thread=True))
    await inside.slash("tichu new")
    assert world.table(thread).host_id == ada.id


async def test_a_server_has_only_so_many_tables(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(world.bot.tables, "_max_per_guild", 1)
    (ada,) = world.people("Ada")
    await ada.slash("tichu new")
    other = Person(world.env, ada.member, world.guild.create_text_channel("other"))
    assert refusal("too-many-tables", limit=1) in private(await other.slash("tichu new"))
    assert refusal("too-many-tables", limit=1) in private(
        await other.slash("tichu new", thread=True)
    )
    assert other.channel.threads == []
