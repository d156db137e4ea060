"""Application emojis: they are found, uploaded and renamed; text where Discord refuses."""

from __future__ import annotations

import asyncio
import base64
import logging
import re
from collections.abc import Mapping

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


class Kept:
    """A memory that is never in trouble."""

    def __init__(self) -> None:
        self.versions: dict[int, str] = {}

    async def recall(self) -> dict[int, str]:
        return dict(self.versions)

    async def remember(self, versions: Mapping[int, str]) -> None:
        self.versions = dict(versions)


class World:
    """A running bot, the emojis of its application, and what the bot remembers."""

    def __init__(self, bot: commands.Bot, env: simcord.Env) -> None:
        self.bot = bot
        self.env = env
        self.memory = Kept()

    async def load(self) -> UploadedEmojis:
        """The emojis at a start of the bot."""
        return await UploadedEmojis.load(self.bot, self.memory)

    async def started(self) -> UploadedEmojis:
        """The emojis after a start of the bot."""
        emojis = await self.load()
        await emojis.bring_up_to_date()
        return emojis

    def ids(self) -> dict[str, int]:
        """Name -> id."""
        return {emoji.name: emoji.id for emoji in self.env.backend.application_emojis.values()}

    def redrawn(self, name: str) -> str:
        """Let the emoji with this name show an older picture; gives the version of that."""
        self.memory.versions[self.ids()[name]] = "0000"
        return "0000"

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
        path = f"{ROUTE}/*" if method == "PATCH" else ROUTE
        self.env.inject_error(method, path, status=403, code=50013, times=times)


@pytest.fixture
def simcord_bot() -> commands.Bot:
    return commands.Bot(commands.when_mentioned, intents=discord.Intents(guilds=True))


@pytest.fixture
def world(simcord_bot: commands.Bot, simcord_env: simcord.Env) -> World:
    return World(simcord_bot, simcord_env)


def assert_all_pictures(emojis: Emojis) -> None:
    for card in names.CARDS:
        assert re.fullmatch(rf"<:{names.card_name(card)}:\d+>", emojis.card(card))
        assert str(emojis.card_emoji(card)) == emojis.card(card) == emojis.card(f"{card}#2")
    for icon in names.ICONS:
        assert re.fullmatch(rf"<:{names.icon_name(icon)}:\d+>", emojis.icon(icon))
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
    emojis = await world.load()
    assert_all_text(emojis)
    assert world.requests("POST") == 0
    await emojis.bring_up_to_date()
    assert_all_pictures(emojis)
    assert sorted(world.names()) == sorted(names.pictures())

    again = await world.load()
    assert_all_pictures(again)
    assert again.missing() == []
    await again.bring_up_to_date()
    assert world.requests("POST") == ALL
    assert world.requests("PATCH") == 0


async def test_uploads_the_file_itself(world: World) -> None:
    await world.started()
    sent = {
        entry.json["name"]: entry.json["image"]
        for entry in world.env.backend.http_requests
        if entry.method == "POST" and entry.json
    }
    kind, data = sent["dragon"].split(",")
    assert kind == "data:image/png;base64"
    assert base64.b64decode(data) == names.card_file("DRAGON").read_bytes()


async def test_names_of_before_are_changed_and_the_emojis_stay(world: World) -> None:
    """Old messages point at the ids and keep their pictures."""
    before = {
        new: world.put(f"{old}_{versions()[new]}") for old, new in names.older_names().items()
    }
    emojis = await world.load()
    assert emojis.card("S8") == f"<:tichu_s8_{versions()['sword_8']}:{before['sword_8']}>"
    await emojis.bring_up_to_date()
    assert_all_pictures(emojis)
    assert world.ids() == before
    assert world.requests("POST") == world.requests("DELETE") == 0


async def test_changed_art_takes_the_name_of_the_old_emoji(world: World) -> None:
    await world.started()
    before = world.ids()
    old = world.redrawn("sword_8")
    emojis = await world.load()
    assert emojis.card("S8") == f"<:sword_8:{before['sword_8']}>"  # better than none meanwhile
    await emojis.bring_up_to_date()
    assert_all_pictures(emojis)
    after = world.ids()
    assert after[f"sword_8_{old}"] == before["sword_8"], "old messages keep their picture"
    assert after["sword_8"] != before["sword_8"]
    assert world.requests("DELETE") == 0
    assert (await world.load()).missing() == []


async def test_art_that_is_as_it_was_once_gets_its_old_emoji_back(world: World) -> None:
    ours = world.put(f"sword_8_{versions()['sword_8']}")
    await world.started()
    assert world.ids()["sword_8"] == ours


async def test_changed_art_under_a_name_of_before_is_left_alone(world: World) -> None:
    old = world.put("tichu_s8_0000")
    foreign = ["tichu_logo", "tichu_s8", "tichu_joker_a1b2", "s8_a1b2"]
    for name in foreign:
        world.put(name)
    emojis = await world.load()
    assert emojis.card("S8") == f"<:tichu_s8_0000:{old}>"
    await emojis.bring_up_to_date()
    assert_all_pictures(emojis)
    assert sorted(world.names()) == sorted([*names.pictures(), "tichu_s8_0000", *foreign])


async def test_what_was_cut_off_half_way_is_finished_at_the_next_start(world: World) -> None:
    """The name was taken from the old picture, and the bot went down before the upload."""
    await world.started()
    old = world.redrawn("sword_8")
    world.refuse("POST", times=1)
    await world.started()
    assert "sword_8" not in world.names()
    emojis = await world.load()
    assert emojis.card("S8") == f"<:sword_8_{old}:{world.ids()[f'sword_8_{old}']}>"
    await emojis.bring_up_to_date()
    assert_all_pictures(emojis)


async def test_a_refused_rename_leaves_the_old_picture_in_use(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    await world.started()
    before = world.ids()
    world.redrawn("sword_8")
    world.refuse("PATCH", times=1)
    emojis = await world.started()
    assert emojis.missing() == ["sword_8"]
    assert emojis.card("S8") == f"<:sword_8:{before['sword_8']}>"
    assert world.ids() == before
    assert "sword_8" in caplog.text
    await emojis.bring_up_to_date()
    assert emojis.missing() == []


async def test_without_memory_what_has_the_name_is_todays_picture(world: World) -> None:
    await world.started()
    world.redrawn("sword_8")
    world.memory.versions.clear()
    emojis = await world.load()
    assert emojis.missing() == []
    assert set(world.memory.versions.values()) == set(versions().values())


async def test_a_refused_list_means_text_and_is_asked_again(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.refuse("GET", times=2)
    emojis = await world.load()
    assert_all_text(emojis)
    await emojis.bring_up_to_date()
    assert_all_text(emojis)
    assert world.requests("POST") == 0
    assert [record.levelno for record in caplog.records if record.name == module.__name__] == [
        logging.WARNING,
        logging.WARNING,
    ]
    await emojis.bring_up_to_date()
    assert_all_pictures(emojis)


async def test_refused_uploads_leave_text_for_those_only(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    emojis = await world.load()
    world.refuse("POST", times=2)
    await emojis.bring_up_to_date()
    missing = emojis.missing()
    assert len(missing) == 2
    for card in names.CARDS:
        assert (emojis.card_emoji(card) is None) == (names.card_name(card) in missing)
    warnings = [record for record in caplog.records if record.name == module.__name__]
    assert len(warnings) == 1
    assert "2 picture(s)" in warnings[0].getMessage()
    await emojis.bring_up_to_date()
    assert_all_pictures(emojis)


async def test_a_lost_connection_means_text(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def lost(**_: object) -> discord.Emoji:
        raise ConnectionResetError(104, "reset by peer")

    emojis = await world.load()
    monkeypatch.setattr(world.bot, "create_application_emoji", lost)
    await emojis.bring_up_to_date()
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
    emojis = await world.load()
    await asyncio.gather(emojis.bring_up_to_date(), emojis.bring_up_to_date())
    assert most == module.MOST_AT_ONCE
    assert world.requests("POST") == ALL
    assert_all_pictures(emojis)
