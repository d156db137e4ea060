"""Application emojis: they are found, uploaded and replaced; text where Discord refuses."""

from __future__ import annotations

import asyncio
import base64
import logging
import re

import discord
import pytest
import simcord
from discord.ext import commands

from bot.art import names
from bot.art import uploads as module
from bot.art.emojis import Emojis
from bot.art.uploads import UploadedEmojis, versions

ROUTE = "/applications/*/emojis"
ALL = len(names.CARDS) + len(names.ICONS)


class World:
    """A running bot, and the emojis that Discord has for its application."""

    def __init__(self, bot: commands.Bot, env: simcord.Env) -> None:
        self.bot = bot
        self.env = env

    def names(self) -> list[str]:
        return [emoji.name for emoji in self.env.backend.application_emojis.values()]

    def put(self, name: str) -> int:
        return self.env.backend.create_application_emoji(name).id

    def requests(self, method: str) -> int:
        return sum(
            entry.method == method and entry.path.startswith("/applications/")
            for entry in self.env.backend.http_requests
        )

    def refuse(self, method: str, times: int | None = None) -> None:
        path = f"{ROUTE}/*" if method == "DELETE" else ROUTE
        self.env.inject_error(method, path, status=403, code=50013, times=times)


@pytest.fixture
def simcord_bot() -> commands.Bot:
    return commands.Bot(commands.when_mentioned, intents=discord.Intents(guilds=True))


@pytest.fixture
def world(simcord_bot: commands.Bot, simcord_env: simcord.Env) -> World:
    return World(simcord_bot, simcord_env)


def assert_all_pictures(emojis: Emojis) -> None:
    for card in names.CARDS:
        assert re.fullmatch(r"<:tichu_\w+:\d+>", emojis.card(card))
        assert str(emojis.card_emoji(card)) == emojis.card(card) == emojis.card(f"{card}#2")
    for icon in names.ICONS:
        assert re.fullmatch(r"<:tichu_icon_\w+:\d+>", emojis.icon(icon))
        assert str(emojis.icon_emoji(icon)) == emojis.icon(icon)


def assert_all_text(emojis: Emojis) -> None:
    for card in names.CARDS:
        assert emojis.card(card) == names.card_plain(card)
        assert emojis.card_emoji(card) is None
    for icon in names.ICONS:
        assert emojis.icon(icon) == names.icon_plain(icon)
        assert emojis.icon_emoji(icon) is None


def test_plain_is_text() -> None:
    assert_all_text(Emojis.plain())


async def test_what_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="no such card"):
        Emojis.plain().card("S1")
    with pytest.raises(ValueError, match="no such icon"):
        Emojis.plain().icon("S8")


async def test_first_start_uploads_everything_second_start_nothing(world: World) -> None:
    emojis = await UploadedEmojis.load(world.bot)
    assert_all_text(emojis)
    assert world.requests("POST") == 0
    await emojis.upload_missing()
    assert_all_pictures(emojis)
    assert sorted(world.names()) == sorted(versions().values())

    again = await UploadedEmojis.load(world.bot)
    assert_all_pictures(again)
    assert again.missing() == []
    await again.upload_missing()
    assert world.requests("POST") == ALL
    assert world.requests("DELETE") == 0


async def test_uploads_the_file_itself(world: World) -> None:
    await (await UploadedEmojis.load(world.bot)).upload_missing()
    sent = {
        entry.json["name"]: entry.json["image"]
        for entry in world.env.backend.http_requests
        if entry.method == "POST" and entry.json
    }
    kind, data = sent[versions()["tichu_dragon"]].split(",")
    assert kind == "data:image/png;base64"
    assert base64.b64decode(data) == names.card_file("DRAGON").read_bytes()


async def test_changed_art_replaces_the_old_emoji(world: World) -> None:
    old = world.put("tichu_s8_0000")
    foreign = ["tichu_logo", "tichu_s8", "tichu_joker_a1b2", "s8_a1b2"]
    for name in foreign:
        world.put(name)
    emojis = await UploadedEmojis.load(world.bot)
    assert emojis.card("S8") == f"<:tichu_s8_0000:{old}>"  # better than none meanwhile
    await emojis.upload_missing()
    assert_all_pictures(emojis)
    assert sorted(world.names()) == sorted([*versions().values(), *foreign])


async def test_second_copies_are_deleted(world: World) -> None:
    copies = [world.put(versions()["tichu_s8"]) for _ in range(2)]
    emojis = await UploadedEmojis.load(world.bot)
    await emojis.upload_missing()
    left = [number for number in copies if number in world.env.backend.application_emojis]
    assert [emojis.card("S8")] == [f"<:{versions()['tichu_s8']}:{number}>" for number in left]


async def test_a_refused_list_means_text_and_is_asked_again(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.refuse("GET", times=2)
    emojis = await UploadedEmojis.load(world.bot)
    assert_all_text(emojis)
    await emojis.upload_missing()
    assert_all_text(emojis)
    assert world.requests("POST") == 0
    assert [record.levelno for record in caplog.records if record.name == module.__name__] == [
        logging.WARNING,
        logging.WARNING,
    ]
    await emojis.upload_missing()
    assert_all_pictures(emojis)


async def test_refused_uploads_leave_text_for_those_only(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    emojis = await UploadedEmojis.load(world.bot)
    world.refuse("POST", times=2)
    await emojis.upload_missing()
    missing = emojis.missing()
    assert len(missing) == 2
    for card in names.CARDS:
        assert (emojis.card_emoji(card) is None) == (names.card_name(card) in missing)
    warnings = [record for record in caplog.records if record.name == module.__name__]
    assert len(warnings) == 1
    assert "2 picture(s)" in warnings[0].getMessage()
    await emojis.upload_missing()
    assert_all_pictures(emojis)


async def test_an_old_picture_stays_while_its_successor_is_refused(world: World) -> None:
    old = world.put("tichu_s8_0000")
    emojis = await UploadedEmojis.load(world.bot)
    world.refuse("POST")
    await emojis.upload_missing()
    assert emojis.card("S8") == f"<:tichu_s8_0000:{old}>"
    assert world.names() == ["tichu_s8_0000"]


async def test_a_refused_deletion_is_only_a_warning(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.put("tichu_s8_0000")
    emojis = await UploadedEmojis.load(world.bot)
    world.refuse("DELETE", times=1)
    await emojis.upload_missing()
    assert_all_pictures(emojis)
    assert "tichu_s8_0000" in world.names()
    assert "tichu_s8_0000" in caplog.text
    await emojis.upload_missing()
    assert "tichu_s8_0000" not in world.names()


async def test_an_emoji_deleted_by_somebody_else_is_no_problem(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    old = world.put("tichu_s8_0000")
    emojis = await UploadedEmojis.load(world.bot)
    del world.env.backend.application_emojis[old]
    await emojis.upload_missing()
    assert_all_pictures(emojis)
    assert not [record for record in caplog.records if record.name == module.__name__]


async def test_a_lost_connection_means_text(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def lost(**_: object) -> discord.Emoji:
        raise ConnectionResetError(104, "reset by peer")

    emojis = await UploadedEmojis.load(world.bot)
    monkeypatch.setattr(world.bot, "create_application_emoji", lost)
    await emojis.upload_missing()
    assert_all_text(emojis)


async def test_few_uploads_at_once_and_never_twice(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    create, running, most = world.bot.create_application_emoji, 0, 0

    async def slow(*, name: str, image: bytes) -> discord.Emoji:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        try:
            return await create(name=name, image=image)
        finally:
            running -= 1

    monkeypatch.setattr(world.bot, "create_application_emoji", slow)
    emojis = await UploadedEmojis.load(world.bot)
    await asyncio.gather(emojis.upload_missing(), emojis.upload_missing())
    assert most == module.MOST_AT_ONCE
    assert world.requests("POST") == ALL
    assert_all_pictures(emojis)
