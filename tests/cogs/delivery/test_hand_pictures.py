"""Pictures of private hands: when they are uploaded, kept and left out, and who sees them."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from simcord.backend.errors import BackendError
from simcord.http import router

from bot.ids import GuildId, UserId
from bot.pictures.hand.contents import hand_scene
from bot.pictures.hand.scene import HandScene
from bot.pictures.process import Drawing
from bot.records import ServerSettings
from bot.text.cards import Speaker
from cogs.delivery.open_hands import IDLE_EVERY
from cogs.delivery.uploads import PATIENCE_S
from cogs.pages.hand.card_order import in_display_order
from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.delivery.uploads import WatchedUploads, attachment_urls, files_of, gallery_items
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.table_painters import TablesSlowly
from tests.cogs.table_play import HandPlayer, dealt, seat_all
from tests.cogs.worlds import SAY, World, a_world
from tests.simcord_clicks import deny, text, with_verb

NAMES = ("Ada", "Ben", "Cai", "Dan")
SOON = IDLE_EVERY.total_seconds() + 0.01
DEAL = {0: "MAHJONG J2 J3 J4", 1: "S8 S9 S10", 2: "P8 P9 P10", 3: "T8 T9 T10"}
TOKEN = re.compile(r"[0-9a-f]{16}\.png")


def file_of(drawing: Drawing) -> bytes:
    """Return the file that the painters of this module make of a scene."""
    return drawing.model_dump_json().encode()


class HandsAtOnce:
    """Painter whose pictures are always in time."""

    def __init__(self) -> None:
        self.asked: list[Drawing] = []

    async def draw(self, drawing: Drawing) -> bytes | None:
        self.asked.append(drawing)
        return file_of(drawing)


class HandsSlowly(TablesSlowly):
    """Painter whose pictures are ready when a test wants it."""

    async def draw(self, drawing: Drawing) -> bytes | None:
        await super().draw(drawing)
        return file_of(drawing)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """Yield a world that draws hands at once."""
    async with a_world(tmp_path, hands=HandsAtOnce()) as world:
        yield world


def scene_of(player: HandPlayer) -> HandScene | None:
    """Return the scene of a player's hand as it is now."""
    world = player.world
    seat = world.game().seat_of(UserId(player.person.id))
    assert seat is not None
    words = Speaker(SAY, world.bot.art)
    return hand_scene(world.game(), seat, words, partial(in_display_order, sorting=words.sorting))


def is_current(player: HandPlayer) -> bool:
    """Return whether the hand shows the picture of the newest state, and nothing else."""
    scene, shown = scene_of(player), files_of(player.hand)
    assert scene is not None
    names = [item["media"]["url"].rpartition("/")[2] for item in gallery_items(player.hand)]
    return [data for _, data in shown] == [file_of(scene)] and names == [name for name, _ in shown]


def has_emojis(player: HandPlayer) -> bool:
    """Return whether the hand is a line of emojis, without a picture."""
    return not files_of(player.hand) and not gallery_items(player.hand) and "## <:" in player.text()


async def seated(world: World) -> list[HandPlayer]:
    """Seat four people whose hands are open, in the exchange."""
    players = await seat_all(world, world.people(*NAMES), target=5000)
    await fast_forward(world, reached(Phase.EXCHANGE), players=players)
    await world.env.advance_time(SOON)
    return players


# --- uploads ----------------------------------------------------------------------------------


async def test_opened_hand_is_a_picture_with_its_text(world: World) -> None:
    ada, *_ = await seated(world)
    await ada.open()
    assert is_current(ada)
    (item,) = gallery_items(ada.hand)
    assert item["description"].startswith("Your hand: ")
    assert "## " not in ada.text()


async def test_taps_that_only_choose_keep_the_picture(
    world: World, uploads: WatchedUploads
) -> None:
    ada, *_ = await seated(world)
    before = attachment_urls(ada.hand)
    uploads.take()
    await ada.press(ada.controls(Verb.PICK)[0])
    await ada.press(Verb.TICHU)
    await ada.press(Verb.REFRESH)
    assert uploads.take() == []
    assert attachment_urls(ada.hand) == before
    assert is_current(ada)


async def test_moves_of_others_upload_only_for_those_who_are_asked(
    world: World, uploads: WatchedUploads
) -> None:
    players = await dealt(world, DEAL)
    ada, ben, _, _ = players
    await world.env.advance_time(SOON)
    assert all(map(is_current, players))
    uploads.take()
    await ada.lay("MAHJONG")
    await ada.wish("none")
    await world.env.advance_time(SOON)
    await world.to_next_deadline()
    await world.env.advance_time(SOON)
    assert all(map(is_current, players))
    scene = scene_of(ben)
    assert scene is not None
    assert scene.table is not None
    assert "Ada" in ben.text(), "the task names the play to beat"
    assert len(uploads.take()) == 2, "Ada's hand alone, and Ben's with the table"
    await ben.press(Verb.PASS)
    await world.env.advance_time(SOON)
    assert all(map(is_current, players))
    assert len(uploads.take()) == 2, "Ben's hand alone, and Cai's with the table"


async def test_chosen_cards_are_a_line_of_emojis(world: World, uploads: WatchedUploads) -> None:
    ada, *_ = await dealt(world, DEAL)
    await world.env.advance_time(SOON)
    uploads.take()
    await ada.choose(Verb.CARDS, "S3")
    assert "sword_3" in ada.text()
    assert uploads.take() == []
    assert is_current(ada)


# --- safety -----------------------------------------------------------------------------------


async def test_name_of_a_file_is_no_function_of_the_cards(world: World) -> None:
    ada, *_ = await seated(world)
    names = set[str]()
    for _ in range(3):
        await ada.open()
        ((name, _),) = files_of(ada.hand)
        assert TOKEN.fullmatch(name)
        names.add(name)
        assert is_current(ada)
    assert len(names) == 3, "the same scene has another name each time"


async def test_every_file_goes_to_the_reader_of_its_hand(world: World) -> None:
    """Through whole rounds: no file of another hand, and none in a public message."""
    players = await seat_all(world, world.people(*NAMES), target=5000)
    for phase in (Phase.EXCHANGE, Phase.TURN, Phase.ROUND_END):
        await fast_forward(world, reached(phase), players=players)
        await world.env.advance_time(SOON)
        for player in players:
            assert scene_of(player) is None or is_current(player)
    await world.to_next_deadline()
    await world.env.advance_time(SOON)
    assert all(map(is_current, players)), "the hands of a new round"
    for channel in world.env.backend.messages.values():
        for message in channel.values():
            if not message.flags & 64:
                assert not any(TOKEN.fullmatch(file["filename"]) for file in message.attachments)


async def test_hand_that_was_left_loses_its_picture(world: World) -> None:
    ada, ben, *_ = await seated(world)
    assert files_of(ben.hand)
    left = ben.hand
    result = await ben.person.slash("tichu leave")
    await ben.person.press(Verb.TO_COMPUTER, on=result.response)
    await world.env.advance_time(SOON)
    assert (files_of(left), gallery_items(left)) == ([], [])
    assert is_current(ada)


async def test_seat_handed_over_shows_its_hand_to_the_new_player_only(world: World) -> None:
    ada, ben, *_ = await seated(world)
    (eva,) = world.people("Eva")
    left = ben.hand
    ((name, _),) = files_of(left)
    result = await ben.person.slash("tichu leave")
    assert result.response is not None
    (select,) = with_verb(result.response, Verb.TO_MEMBER)
    await ben.person.member.select(result.response, [eva.member], custom_id=select.custom_id)
    await eva.press(Verb.TAKE_SEAT)
    assert world.game().seat_of(UserId(eva.id)) is not None
    await world.env.advance_time(SOON)
    assert files_of(left) == []
    new = HandPlayer(world, eva, 0)
    await new.open()
    assert is_current(new)
    ((new_name, _),) = files_of(new.hand)
    assert new_name != name
    assert is_current(ada)


async def test_hands_of_two_chairs_are_one_picture(world: World) -> None:
    players = await seat_all(world, world.people("Ada", "Ben", "Cai"), variant="trichu")
    await fast_forward(world, reached(Phase.LEAD), players=players)
    await world.env.advance_time(SOON)
    assert all(map(is_current, players))
    hands = [len(scene.hands) for scene in map(scene_of, players) if scene is not None]
    assert sorted(hands) == [1, 1, 2], "the dealer sees the Table's hand, too"


# --- emojis instead ---------------------------------------------------------------------------


async def test_late_picture_follows_soon(tmp_path: Path, uploads: WatchedUploads) -> None:
    painter = HandsSlowly()
    async with a_world(tmp_path, hands=painter) as world:
        (ada,) = world.people("Ada")
        await ada.slash("tichu new", computers=3)
        await ada.press(Verb.START)
        await ada.press(Verb.HAND)
        await world.env.advance_time(PATIENCE_S + 0.01)
        player = HandPlayer(world, ada, 0)
        player.hand = ada.latest_private()
        assert has_emojis(player)
        painter.finish()
        await world.env.settle()
        await world.env.advance_time(SOON)
        assert is_current(player)


@pytest.mark.parametrize("method", ["POST", "PATCH"])
async def test_refused_upload_shows_emojis(
    world: World, uploads: WatchedUploads, method: str
) -> None:
    players = await dealt(world, DEAL)
    await world.env.advance_time(SOON)
    uploads.refused[method] = (400, 50035)
    await players[0].lay("MAHJONG")
    await players[0].wish("none")
    await world.to_next_deadline()
    await world.env.advance_time(3 * SOON)
    assert is_current(players[0]), "if its answer was refused, an edit has followed"
    assert (has_emojis if method == "PATCH" else is_current)(players[1])


async def test_refused_keeping_uploads_again(
    world: World, uploads: WatchedUploads, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, *_ = await seated(world)
    dispatch = router.dispatch

    def refuses(backend: Any, method: str, path: str, **given: Any) -> Any:
        body = given.get("json") or {}
        listed = (body.get("data") or body).get("attachments") or ()
        if any("filename" not in file for file in listed):
            raise BackendError(400, 50035, "Invalid Form Body")
        return dispatch(backend, method, path, **given)

    monkeypatch.setattr(router, "dispatch", refuses)
    await ada.press(ada.controls(Verb.PICK)[0])
    assert has_emojis(ada), "at once"
    await world.env.advance_time(SOON)
    await ada.press(ada.controls(Verb.PICK)[0])
    await world.env.advance_time(SOON)
    assert is_current(ada)


async def test_server_default_and_own_choice(world: World) -> None:
    settings = world.bot.store.server_settings
    await settings.choose(GuildId(world.guild.id), ServerSettings(cards="emojis"))
    ada, ben, *_ = await seated(world)
    assert has_emojis(ada)
    for style, wanted in (("picture", is_current), ("emojis", has_emojis), ("usual", has_emojis)):
        result = await ada.person.slash("tichu settings")
        assert result.response is not None
        await ada.person.choose(Verb.CARD_STYLE, style, on=result.response)
        await world.env.advance_time(SOON)
        assert wanted(ada), style
    result = await ada.person.slash("tichu settings")
    assert result.response is not None
    await ada.person.choose(Verb.CARD_STYLE, "text", on=result.response)
    await world.env.advance_time(SOON)
    assert "<:" not in text(ada.hand)
    assert has_emojis(ben)


async def test_without_permission_to_attach_files_hands_are_emojis(world: World) -> None:
    ada, *_ = await seated(world)
    assert is_current(ada)
    deny(world.env, world.channel, world.env.backend.bot_user.id, "attach_files")
    await ada.press(ada.controls(Verb.PICK)[0])
    assert has_emojis(ada)


async def test_logs_name_no_picture(world: World, caplog: pytest.LogCaptureFixture) -> None:
    players = await seated(world)
    names = [name for player in players for name, _ in files_of(player.hand)]
    assert names
    assert not any(name in record.getMessage() for record in caplog.records for name in names)
