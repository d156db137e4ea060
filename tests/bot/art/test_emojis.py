"""Finding, uploading and renaming application emojis, and the fallback to plain text."""

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
FACES = [names.card_name(card) for card in names.CARDS]


class Kept:
    """Memory that never fails."""

    def __init__(self) -> None:
        self.versions: dict[str, str] = {}

    async def recall(self) -> dict[str, str] | None:
        return dict(self.versions)

    async def remember(self, versions: Mapping[str, str]) -> None:
        self.versions = dict(versions)


class World:
    """A running bot, the emojis of its application, and the stored emoji versions."""

    def __init__(self, bot: commands.Bot, env: simcord.Env) -> None:
        self.bot = bot
        self.env = env
        self.memory = Kept()

    async def load(self) -> UploadedEmojis:
        """Return the emojis as loaded when the bot starts."""
        return await UploadedEmojis.load(self.bot, self.memory)

    async def started(self) -> UploadedEmojis:
        """Return the emojis after a start of the bot and its uploads."""
        emojis = await self.load()
        await emojis.bring_up_to_date()
        return emojis

    def ids(self) -> dict[str, int]:
        """Return emoji ids by name."""
        return {emoji.name: emoji.id for emoji in self.env.backend.application_emojis.values()}

    def redrawn(self, name: str) -> str:
        """Give the emoji with this name an outdated picture; return that version."""
        self.memory.versions[str(self.ids()[name])] = "0000"
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


def test_plain_emojis_are_text() -> None:
    assert_all_text(Emojis.plain())


async def test_refuses_unknown_cards_and_icons() -> None:
    with pytest.raises(ValueError, match="no such card"):
        Emojis.plain().card("S1")
    with pytest.raises(ValueError, match="no such icon"):
        Emojis.plain().icon("S8")


async def test_first_start_uploads_everything_and_second_start_nothing(world: World) -> None:
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


async def test_changed_art_takes_the_name_of_the_old_emoji(world: World) -> None:
    await world.started()
    before = world.ids()
    old = world.redrawn("sword_8")
    emojis = await world.load()
    assert emojis.card("S8") == f"<:sword_8:{before['sword_8']}>"  # better than none until then
    await emojis.bring_up_to_date()
    assert_all_pictures(emojis)
    after = world.ids()
    assert after[f"sword_8_{old}"] == before["sword_8"], "old messages keep their picture"
    assert after["sword_8"] != before["sword_8"]
    assert world.requests("DELETE") == 0
    assert (await world.load()).missing() == []


async def test_restored_art_uses_its_old_emoji_again(world: World) -> None:
    ours = world.put(f"sword_8_{versions()['sword_8']}")
    await world.started()
    assert world.ids()["sword_8"] == ours


async def test_does_not_touch_changed_art_and_foreign_emojis(world: World) -> None:
    for name in set(FACES) - {"sword_8"}:
        world.put(name)
    old = world.put("sword_8_0000")
    foreign = ["tichu_logo", "tichu_s8", "joker_a1b2", "s8_a1b2"]
    for name in foreign:
        world.put(name)
    emojis = await world.load()
    assert emojis.card("S8") == f"<:sword_8_0000:{old}>"
    await emojis.bring_up_to_date()
    assert_all_pictures(emojis)
    assert sorted(world.names()) == sorted([*names.pictures(), "sword_8_0000", *foreign])


async def test_interrupted_update_is_finished_at_the_next_start(world: World) -> None:
    """The bot stopped between the rename of the old emoji and the upload of the new one."""
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


async def test_without_stored_versions_an_emoji_counts_as_current(world: World) -> None:
    await world.started()
    world.redrawn("sword_8")
    world.memory.versions.clear()
    emojis = await world.load()
    assert emojis.missing() == []
    assert {world.memory.versions[str(emoji)] for emoji in world.ids().values()} == {
        *versions().values()
    }


async def test_uses_text_until_the_emoji_list_can_be_read(
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


@pytest.mark.parametrize("status", [400, 403])
async def test_refused_upload_does_not_stop_the_others(
    world: World, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    emojis = await world.load()
    world.env.inject_error("POST", ROUTE, status=status, times=2)
    await emojis.bring_up_to_date()
    assert emojis.missing() == FACES[:2]
    (warning,) = [text for text in caplog.messages if text.startswith("emojis")]
    assert f"{ALL - 2} of {ALL} uploaded" in warning
    assert FACES[0] in warning
    await emojis.bring_up_to_date()
    assert_all_pictures(emojis)


async def test_server_error_ends_the_attempt(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    emojis = await world.load()
    world.env.inject_error("POST", ROUTE, status=503, times=1)
    await emojis.bring_up_to_date()
    assert world.requests("POST") == 1
    assert len([text for text in caplog.messages if text.startswith("emojis")]) == 1
    await emojis.bring_up_to_date()
    assert_all_pictures(emojis)


async def test_lost_connection_means_text(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def lost(**_: object) -> discord.Emoji:
        raise ConnectionResetError(104, "reset by peer")

    emojis = await world.load()
    monkeypatch.setattr(world.bot, "create_application_emoji", lost)
    await emojis.bring_up_to_date()
    assert_all_text(emojis)


async def test_finds_an_upload_whose_answer_was_lost(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = world.bot.create_application_emoji

    async def lost(*, name: str, image: bytes) -> discord.Emoji:
        await create(name=name, image=image)
        raise TimeoutError

    emojis = await world.load()
    with monkeypatch.context() as patch:
        patch.setattr(world.bot, "create_application_emoji", lost)
        await emojis.bring_up_to_date()
    assert world.names() == FACES[:1]
    await emojis.bring_up_to_date()
    assert_all_pictures(emojis)
    assert world.requests("POST") == ALL


async def test_uploads_card_faces_first_and_can_use_them_alone(world: World) -> None:
    faces = iter(FACES)
    shown = []

    class Stopped(BaseException):
        """Simulates a kill of the bot."""

    async def create(*, name: str, image: bytes) -> discord.Emoji:
        shown.append(emojis.card_emoji("S8") is not None)
        if name not in FACES:
            raise Stopped
        assert name == next(faces)
        return await upload(name=name, image=image)

    emojis, upload = await world.load(), world.bot.create_application_emoji
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(world.bot, "create_application_emoji", create)
        with pytest.raises(Stopped):
            await emojis.bring_up_to_date()
    assert shown == [False] * len(FACES) + [True], "no hand is half pictures and half text"
    for uploaded in (emojis, await world.load()):
        assert all(uploaded.card_emoji(card) for card in names.CARDS)
        assert not any(uploaded.icon_emoji(icon) for icon in names.ICONS)


async def test_symbols_do_not_wait_for_card_faces(world: World) -> None:
    for name in {*names.pictures()} - {"sword_8"}:
        world.put(name)
    emojis = await world.load()
    assert not any(emojis.card_emoji(card) for card in names.CARDS)
    assert all(emojis.icon_emoji(icon) for icon in names.ICONS)


@pytest.mark.parametrize("answered", [False, True])
@pytest.mark.parametrize("replaced", [False, True])
async def test_resumes_after_a_kill_at_an_upload(
    world: World, monkeypatch: pytest.MonkeyPatch, answered: bool, replaced: bool
) -> None:
    """Also when the art changes again in between: an older picture is never taken for a new one."""
    if replaced:
        await world.started()
        world.redrawn("sword_8")
        world.redrawn("star_A")

    class Killed(BaseException):
        """Simulates a kill: nothing runs after it."""

    async def create(*, name: str, image: bytes) -> discord.Emoji:
        if name == "star_A" and not answered:
            raise Killed
        uploaded = await upload(name=name, image=image)
        if name == "star_A":
            raise Killed
        return uploaded

    upload, emojis = world.bot.create_application_emoji, await world.load()
    with monkeypatch.context() as patch:
        patch.setattr(world.bot, "create_application_emoji", create)
        with pytest.raises(Killed):
            await emojis.bring_up_to_date()
    there, posts = world.ids(), world.requests("POST")
    first = dict(versions())

    again = await world.load()
    assert set(again.missing()) == {*names.pictures()} - there.keys()
    for name in FACES:  # and an update brings new pictures of everything
        monkeypatch.setitem(versions(), name, "ffff")
    newer = await world.load()
    assert set(newer.missing()) >= set(FACES)
    await newer.bring_up_to_date()
    assert_all_pictures(newer)
    kept = there.keys() & names.pictures().keys() - set(FACES)
    assert world.requests("POST") - posts == ALL - len(kept)
    for name in there.keys() & set(FACES):
        assert world.ids()[f"{name}_{first[name]}"] == there[name]


async def test_uploads_one_at_a_time_and_never_twice(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    create, running = world.bot.create_application_emoji, 0

    async def slow(*, name: str, image: bytes) -> discord.Emoji:
        nonlocal running
        running += 1
        assert running == 1
        await asyncio.sleep(0)
        try:
            return await create(name=name, image=image)
        finally:
            running -= 1

    monkeypatch.setattr(world.bot, "create_application_emoji", slow)
    emojis = await world.load()
    await asyncio.gather(emojis.bring_up_to_date(), emojis.bring_up_to_date())
    assert world.requests("POST") == ALL
    assert_all_pictures(emojis)


async def test_uses_emojis_that_another_process_uploaded(world: World) -> None:
    other, uploading = await world.load(), await world.load()
    await uploading.bring_up_to_date()
    assert_all_text(other)
    await other.refresh()
    assert_all_pictures(other)


async def test_logs_upload_progress(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Discord accepts one upload a minute; every tenth is logged."""
    create = world.bot.create_application_emoji

    async def limited(*, name: str, image: bytes) -> discord.Emoji:
        uploaded = await create(name=name, image=image)
        emojis.on_rate_limit(60.0, accepted=True)
        return uploaded

    caplog.set_level(logging.INFO, logger=module.__name__)
    monkeypatch.setattr(world.bot, "create_application_emoji", limited)
    emojis = await world.load()
    await emojis.bring_up_to_date()
    assert [text for text in caplog.messages if text.startswith("emojis")] == [
        *(f"emojis: {done} of 67 uploaded, next in 60 s" for done in range(1, 67, 10)),
        "emojis: all 67 uploaded",
    ]
    emojis.on_rate_limit(0.5, accepted=False)
    assert emojis.wait_s == 0.5
    assert "0.5" not in caplog.text
