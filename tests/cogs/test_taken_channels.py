"""Lobbies whose channel is taken, and those whose host has left the server."""

from __future__ import annotations

from simcord import InteractionResult, ResponseMessage

from bot.ids import UserId
from cogs.pages.verbs import Verb
from tests.cogs.forged_clicks import forge
from tests.cogs.worlds import World, refusal
from tests.simcord_clicks import controls, deny, messages, text


def page(result: InteractionResult) -> ResponseMessage:
    """Return the private page that answers a command or click."""
    assert result.response is not None
    assert result.response.ephemeral
    return result.response


def private(result: InteractionResult) -> str:
    """Return the text of that page."""
    return text(page(result))


async def test_taken_channel_offers_a_thread_for_the_same_table(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new")
    asked = {"variant": "trichu", "rounds": 6, "computers": 2, "hints": True}
    refused = await ben.slash("tichu new", **asked)
    assert refusal("channel-taken") in private(refused)
    await ben.press(Verb.IN_THREAD, on=page(refused))
    (thread,) = world.channel.threads
    table = world.table(thread)
    assert (table.host_id, table.options.variant, table.options.rules.rounds) == (
        ben.id,
        "trichu",
        6,
    )
    assert table.options.hints
    assert [chair.kind for chair in table.chairs] == ["person", "computer", "computer"]
    assert world.table().host_id == ada.id


async def test_taken_channel_offers_no_thread_that_cannot_be_opened(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new")
    deny(world.env, world.channel, ben.id, "create_public_threads")
    refused = await ben.slash("tichu new")
    assert refusal("channel-taken") in private(refused)
    assert controls(page(refused)) == []


async def test_forged_options_of_a_thread_open_nothing(world: World) -> None:
    (ada,) = world.people("Ada")
    await ada.slash("tichu new")
    message = messages(world.env, world.channel)[-1]
    for args in ("", "x", "0,variant", "0,variant.bridge", "0,nudge_s.1", "0,turn_limit_s.7"):
        await forge(ada, message, f"b:in-thread:{args}")
    assert world.channel.threads == []


async def test_host_who_left_the_server_is_replaced(world: World) -> None:
    ada, ben, cai = world.people("Ada", "Ben", "Cai")
    await ada.slash("tichu new", computers=1)
    for person in (ben, cai):
        await world.join(person)
    assert refusal("host-only", host=ada.id) in private(await ben.press(Verb.START))
    world.guild.remove_member(ada.member)
    assert refusal("host-only", host=ben.id) in private(await cai.press(Verb.START))
    assert (world.table().host_id, world.table().seat_of(UserId(ada.id))) == (ben.id, None)
    await ben.press(Verb.FILL)
    await ben.press(Verb.START)
    assert world.table().running


async def test_lobby_of_a_lone_host_who_left_the_server_yields_its_channel(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new", computers=3)
    abandoned = world.table()
    assert refusal("channel-taken") in private(await ben.slash("tichu new"))
    world.guild.remove_member(ada.member)
    await ben.slash("tichu new")
    assert world.table().id != abandoned.id
    assert world.table().host_id == ben.id
    await world.env.settle()
    old, new = messages(world.env, world.channel)[-2:]
    assert Verb.JOIN not in {control.verb for control in controls(old)}
    assert Verb.JOIN in {control.verb for control in controls(new)}


async def test_lobby_with_others_stays_when_its_host_has_left_the_server(world: World) -> None:
    ada, ben, cai = world.people("Ada", "Ben", "Cai")
    await ada.slash("tichu new")
    await world.join(ben)
    world.guild.remove_member(ada.member)
    assert refusal("channel-taken") in private(await cai.slash("tichu new"))
    assert (world.table().host_id, world.table().seat_of(UserId(ada.id))) == (ben.id, None)
