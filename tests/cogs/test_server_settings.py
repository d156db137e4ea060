"""Guild settings: chosen by clicks, applied to the next table, and private."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord import ChannelHandle, InteractionResult, ResponseMessage, RoleHandle

from bot.ids import ChannelId, GuildId, RoleId
from bot.records import ServerSettings
from bot.table.options import ServerPolicy, TableOptions
from bot.text.people import channel_mention, role_mention
from cogs.pages.table.blocked import permission_names
from cogs.pages.verbs import Verb
from engine import Options
from tests.cogs.forged_clicks import ARGUMENTS, VALUES, forge
from tests.cogs.history_pages import page
from tests.cogs.table_painters import TablesAtOnce
from tests.cogs.worlds import SAY, World, a_world, refusal
from tests.simcord_clicks import Person, deny, find, has, messages, shown_files, text

OF_SERVER = (
    *(Verb.SERVER, Verb.SERVER_SET, Verb.SERVER_CHANNELS, Verb.SERVER_ROLE),
    *(Verb.SERVER_DEFAULT, Verb.RANKING_CHANNEL, Verb.NO_RANKING_CHANNEL),
)


def give(world: World, person: Person, role: RoleHandle) -> None:
    """Give a user a role."""
    world.env.backend.guilds[world.guild.id].members[person.id].role_ids.append(role.id)


def manager(world: World) -> Person:
    """Return a member who may manage the guild."""
    (person,) = world.people("Mo")
    rights = discord.Permissions(manage_guild=True)
    give(world, person, world.guild.create_role("managers", permissions=rights))
    return person


async def section(person: Person, name: str) -> ResponseMessage:
    """Return one of the pages for managers."""
    shown = page(await person.slash("tichu settings"))
    await person.press(Verb.SERVER, name, on=shown)
    return shown


async def pick(person: Person, shown: ResponseMessage, verb: Verb, args: str, *chosen: Any) -> str:
    """Choose channels or roles in a page's select; return the new text of the page."""
    select = find(shown, verb, args)
    result = await person.member.select(shown, chosen, custom_id=select.custom_id)
    assert page(result).id == shown.id
    return text(shown)


async def choose(person: Person, shown: ResponseMessage, verb: Verb, value: str) -> None:
    """Choose a value, given as name, dot and value, in the select of that name."""
    await person.choose(verb, value, args=value.partition(".")[0], on=shown)


def at(person: Person, channel: ChannelHandle) -> Person:
    """Return the same person in another channel."""
    return Person(person.env, person.member, channel)


async def set_defaults(manager: Person, shown: ResponseMessage, **values: object) -> None:
    """Submit the form of the usual options with these values."""
    await manager.submit(await manager.press(Verb.USUAL_DEFAULTS, on=shown), **values)


async def new(world: World, person: Person, **options: Any) -> TableOptions:
    """Open a table; return its options."""
    await person.slash("tichu new", **options)
    tables = list(world.bot.tables.all())
    assert tables, "no table was opened"
    return tables[-1].options


def told(result: InteractionResult) -> str:
    """Return the private sentence of the answer."""
    (answer,) = (a for a in (result.response, *result.followups) if a is not None and a.ephemeral)
    return text(answer)


def kept(world: World) -> ServerSettings:
    """Return the current settings."""
    return world.bot.store.server_settings.get(GuildId(world.guild.id))


async def test_limits_where_by_whom_and_how_often_tables_are_opened(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    world.let_people_hurry()
    mo, (ada, ben) = manager(world), world.people("Ada", "Ben")
    hall, den = (world.guild.create_text_channel(name) for name in ("hall", "den"))
    shown = await section(mo, "tables")
    before = text(shown)
    assert channel_mention(hall.id) in await pick(mo, shown, Verb.SERVER_CHANNELS, "", hall, den)
    assert kept(world).channels == (hall.id, den.id)
    assert "channels changed to" in caplog.text
    assert f"{world.guild.id}" in caplog.text
    assert str(mo.id) not in caplog.text
    assert messages(world.env, world.channel) == [], "nobody else is told"

    refused = told(await ada.slash("tichu new"))
    assert (
        refusal("no-tables-here", channels=[channel_mention(hall.id), channel_mention(den.id)])
        in refused
    )
    assert refusal("no-tables-here", channels=())[:20] in refused
    await new(world, at(ada, hall), thread=True)
    (thread,) = hall.threads
    await at(ada, thread).press(Verb.LEAVE)
    await new(world, at(ada, thread))  # a thread is allowed where its channel is
    forum, names = world.guild.create_forum_channel("forum"), permission_names(SAY)
    assert world.bot.user is not None
    for denied, told_of in (("send_messages", 0), ("send_messages_in_threads", 1)):
        deny(world.env, forum, world.bot.user.id, denied)
        words = await pick(mo, shown, Verb.SERVER_CHANNELS, "", forum)
        assert words.count(names[denied]) == told_of, "tables are in the posts of a forum"
    await mo.press(Verb.SERVER_SET, "channels.all", on=shown)
    assert text(shown) == before
    await new(world, ada)

    shown = await section(mo, "people")
    await choose(mo, shown, Verb.SERVER_SET, "tables_each.2")
    more = at(ada, den)
    assert refusal("too-many-own-tables", limit=2) in told(await more.slash("tichu new"))
    await choose(mo, shown, Verb.SERVER_SET, "tables_each.usual")
    assert kept(world).tables_each is None

    role = world.guild.create_role("players")
    assert role_mention(role.id) in await pick(mo, shown, Verb.SERVER_ROLE, "opener", role)
    only = refusal("openers-only", role=role_mention(role.id))
    assert only in told(await at(ben, den).slash("tichu new"))
    give(world, ben, role)
    await new(world, at(ben, den))
    await at(ben, den).press(Verb.LEAVE)
    await new(world, at(mo, den))  # managers need no role
    await at(mo, den).press(Verb.LEAVE)
    world.env.backend.delete_role(world.guild.id, role.id)
    await world.env.settle()
    assert refusal("openers-gone") in told(await at(ben, den).slash("tichu new"))
    shown = await section(mo, "people")
    assert role_mention(role.id) not in text(shown)
    await pick(mo, shown, Verb.SERVER_ROLE, "opener")
    assert kept(world) == ServerSettings()
    await new(world, at(ben, den))


async def test_defaults_hints_and_pings_apply_to_the_next_table(world: World) -> None:
    world.let_people_hurry()
    mo, (ada,) = manager(world), world.people("Ada")
    den = world.guild.create_text_channel("den")
    assert await new(world, ada, hints=True) == TableOptions(hints=True)

    shown = await section(mo, "defaults")
    await choose(mo, shown, Verb.SERVER_DEFAULT, "variant.trichu")
    stale = await mo.press(Verb.USUAL_DEFAULTS, on=shown)
    await set_defaults(
        mo,
        shown,
        rounds="rounds.6",
        turn_limit_s="turn_limit_s.60",
        computers="computers.novice",
        switches=["hints.on"],
    )
    answer = await mo.submit(stale, rounds="rounds.9")
    assert refusal("chosen-meanwhile") in text(page(answer))
    await choose(mo, shown, Verb.SERVER_SET, "computers.2")
    assert kept(world).defaults == {
        "variant": "trichu",
        "rounds": "6",
        "turn_limit_s": "60",
        "computers": "novice",
        "hints": "on",
    }
    await mo.press(Verb.SERVER, "tables", on=shown)
    await mo.press(Verb.SERVER_SET, "hints.off", on=shown)
    await mo.press(Verb.SERVER, "people", on=shown)
    await choose(mo, shown, Verb.SERVER_SET, "nudge_s.120")
    assert world.lobby().options == TableOptions(hints=True), "it was opened before"

    policy = ServerPolicy(hints=False, nudge_s=120)
    usual = TableOptions(
        rules=Options("trichu", rounds=6),
        turn_limit_s=60,
        nudge_s=50,
        computers="novice",
        policy=policy,
    )
    assert await new(world, at(ada, den)) == usual
    assert [chair.kind for chair in world.lobby(den).chairs].count("computer") == 2
    opened = await at(ada, den).press(Verb.OPTIONS)
    assert opened.modal is not None
    assert "hints" not in str(opened.modal)
    assert "pace.quick" in str(opened.modal)
    forged = f"b:{world.lobby(den).id}:1:option:hints.on"
    assert refusal("no-hints-allowed") in told(await forge(at(ada, den), shown, forged))
    await at(ada, den).press(Verb.LEAVE)
    answer = await at(ada, den).slash("tichu new", hints=True)
    assert refusal("no-hints-allowed") in told(answer)

    said: dict[str, Any] = {"variant": "nanjing", "computers": 0, "level": "expert"}
    other = await new(world, at(ada, den), **said, **{"turn-limit": 300})
    assert (other.rules, other.turn_limit_s, other.nudge_s) == (Options(), 300, 120)
    assert other.computers == "expert"
    await at(ada, den).press(Verb.LEAVE)

    await mo.press(Verb.SERVER, "defaults", on=shown)
    await set_defaults(mo, shown, turn_limit_s="turn_limit_s.86400")
    assert (await new(world, at(ada, den))).turn_based
    (thread,) = den.threads
    await at(ada, thread).press(Verb.LEAVE)
    news = world.guild.create_news_channel("news")
    for without_threads in (thread, news):
        assert not (await new(world, at(ada, without_threads))).turn_based
        await at(ada, without_threads).press(Verb.LEAVE)
    await mo.press(Verb.SERVER_SET, "defaults.usual", on=shown)
    await mo.press(Verb.SERVER_SET, "threads.on", on=shown)
    options = await new(world, at(ada, den))
    assert options == TableOptions(policy=policy, nudge_s=80)
    assert len(den.threads) == 2
    await new(world, at(ada, news))
    assert world.lobby(news).parent_channel_id is None
    await set_defaults(mo, shown, turn_limit_s="turn_limit_s.86400")
    den, (ben,) = world.guild.create_text_channel("den-2"), world.people("Ben")
    assert world.bot.user is not None
    names = permission_names(SAY)
    for who in (ben.id, world.bot.user.id):
        deny(world.env, den, who, "create_public_threads")
        asked = await at(ben, den).slash("tichu new", thread=True)
        assert names["create_public_threads"] in told(asked)
        assert world.bot.tables.in_channel(ChannelId(den.id)) is None
        assert names["create_public_threads"] in told(await at(ben, den).slash("tichu new"))
        assert not world.lobby(den).options.turn_based
        await at(ben, den).press(Verb.LEAVE)
        deny(world.env, den, who)
    assert den.threads == []


async def test_managers_choose_how_hands_are_shown(world: World) -> None:
    mo = manager(world)
    for style in ("emojis", "text", "picture"):
        shown = await section(mo, "look")
        await mo.choose(Verb.SERVER_SET, f"cards.{style}", args="cards", on=shown)
        assert kept(world).cards == style


async def test_new_tables_have_no_pictures_when_disabled(tmp_path: Path) -> None:
    async with a_world(tmp_path, tables=TablesAtOnce()) as world:
        mo, (ada,) = manager(world), world.people("Ada")
        hall, den = (world.guild.create_text_channel(name) for name in ("hall", "den"))
        await new(world, at(ada, hall), computers=3)
        shown = await section(mo, "look")
        await mo.press(Verb.SERVER_SET, "pictures.off", on=shown)
        await new(world, at(ada, den), computers=3)
        for channel, pictures in ((hall, True), (den, False)):
            await at(ada, channel).press(Verb.START)
            await world.env.advance_time(3)
            posted = [m for m in messages(world.env, channel) if shown_files(m)]
            assert bool(posted) is pictures


async def test_invitations_need_a_mentionable_role(world: World) -> None:
    mo = manager(world)
    quiet = world.guild.create_role("quiet")
    loud = world.guild.create_role("loud", mentionable=True)
    assert world.bot.user is not None
    backend = world.env.backend
    for role_id in backend.guilds[world.guild.id].members[world.bot.user.id].role_ids:
        backend.edit_role(world.guild.id, role_id, {"permissions": 0})
    await world.env.settle()
    shown = await section(mo, "people")
    note = await pick(mo, shown, Verb.SERVER_ROLE, "invitation", quiet)
    assert refusal("role-not-mentionable", role=role_mention(quiet.id)) in note
    assert kept(world).invitation_role_id is None
    await pick(mo, shown, Verb.SERVER_ROLE, "invitation", loud)
    await choose(mo, shown, Verb.SERVER_SET, "invitation_cooldown_s.600")
    await choose(mo, shown, Verb.SERVER_SET, "turn_based_each.0")
    assert "0 each" not in text(shown)
    chosen = ServerSettings(
        invitation_role_id=RoleId(loud.id), invitation_cooldown_s=600, turn_based_each=0
    )
    assert kept(world) == chosen
    await world.restart()
    assert kept(world) == chosen


async def test_chooses_many_channels_page_by_page(world: World) -> None:
    world.let_people_hurry()
    mo = manager(world)
    channels = [world.guild.create_text_channel(f"room-{number}") for number in range(27)]
    ids = tuple(channel.id for channel in channels)
    shown = await section(mo, "tables")
    await pick(mo, shown, Verb.SERVER_CHANNELS, "", *channels[:25])
    await mo.press(Verb.SERVER, "tables.1", on=shown)
    assert channel_mention(ids[25]) in await pick(
        mo, shown, Verb.SERVER_CHANNELS, "", *channels[25:]
    )
    assert channel_mention(ids[0]) not in text(shown)
    assert kept(world).channels == ids
    old = await section(mo, "tables")
    await mo.press(Verb.SERVER, "tables.0", on=shown)
    await pick(mo, shown, Verb.SERVER_CHANNELS, "", *channels[1:25])
    assert kept(world).channels == ids[1:]
    words = await pick(mo, old, Verb.SERVER_CHANNELS, "", *channels[:24])
    assert refusal("chosen-meanwhile") in words
    assert kept(world).channels == ids[1:], "the old page did not show what moved up"
    world.env.backend.delete_channel(ids[1])
    await world.env.settle()
    shown = await section(mo, "tables")
    assert channel_mention(ids[1]) not in text(shown)
    await pick(mo, shown, Verb.SERVER_CHANNELS, "")
    assert kept(world).channels == ids[26:], "the others of that page are taken out"


async def test_forged_guild_settings_change_nothing(world: World) -> None:
    world.let_people_hurry()
    mo, (ada,) = manager(world), world.people("Ada")
    shown = await section(mo, "tables")
    own = page(await ada.slash("tichu settings"))
    assert not has(own, *OF_SERVER)
    for verb in OF_SERVER:
        for custom_id in (f"b:{verb}:hints.off", f"s:{verb}:tables"):
            values = None if custom_id.startswith("b") else ["hints.off"]
            assert refusal("managers-only") in told(await forge(ada, own, custom_id, values))
    verbs = (Verb.SERVER_SET, Verb.SERVER_DEFAULT, Verb.SERVER, Verb.SERVER_ROLE)
    odd = (
        "pictures.usual",
        *("cards.usual", "cards.PICTURE", "cards."),
        "tables_each.0",
        "tables_each.101",
        "nudge_s.9",
        "hints.7",
        "defaults.",
    )
    for argument in (*ARGUMENTS, *odd, "channels.5", "opener_role_id.5", "tables.-1", "look."):
        for verb in verbs:
            await forge(mo, shown, f"b:{verb}:{argument}")
    for value in VALUES:
        for name in ("server-set", "server-default"):
            await forge(mo, shown, f"s:{name}:nudge_s", [value])
        await forge(mo, shown, f"s:server-role:{value if value.isalnum() else ''}"[:60], [value])
    assert kept(world) == ServerSettings()
