"""The picture of the table: with the newest state, or later, or not at all; never a wrong one."""

from __future__ import annotations

import logging
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from simcord import ResponseMessage

from bot.pictures.table.contents import table_scene
from bot.pictures.table.scene_text import scene_text
from bot.table.state import Lobby, OpenTable
from bot.text.cards import Speaker
from cogs.delivery.table_message import POSTED_EVERY
from cogs.delivery.table_pictures import QUIET_S
from cogs.delivery.uploads import PATIENCE_S, PAUSE
from cogs.pages.table.lobby import lobby_page
from cogs.pages.table.page import table_page
from cogs.pages.verbs import Verb
from engine import Match, Phase
from tests.cogs.conftest import ErrorRecords
from tests.cogs.delivery.lossy import LossyDiscord
from tests.cogs.delivery.test_refusals import take_away
from tests.cogs.delivery.uploads import (
    WatchedUploads,
    attachment_urls,
    files_of,
    gallery_items,
    picture_support,
    same_text,
)
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.table_painters import TablesAtOnce, TablesSlowly, picture_of
from tests.cogs.table_play import sit_down
from tests.cogs.worlds import SAY, World, a_world
from tests.simcord_clicks import has, messages, with_verb

PEOPLE = ("Ada", "Ben", "Cai", "Dan")
EDITS_REFUSED = (400, 50035)


@pytest.fixture
def uploads(monkeypatch: pytest.MonkeyPatch) -> WatchedUploads:
    """Every upload is noted."""
    return WatchedUploads(monkeypatch)


@pytest.fixture
def at_once() -> TablesAtOnce:
    """A painter whose pictures are always in time."""
    return TablesAtOnce()


@pytest.fixture
async def quick(tmp_path: Path, at_once: TablesAtOnce) -> AsyncIterator[World]:
    """A world in which pictures are always in time, and a match in it that has just begun."""
    async with a_world(tmp_path, tables=at_once) as world:
        await begin(world)
        yield world


@pytest.fixture
def slowly() -> TablesSlowly:
    """A painter whose pictures are ready when a test wants it."""
    return TablesSlowly()


@pytest.fixture
async def slow(tmp_path: Path, slowly: TablesSlowly) -> AsyncIterator[World]:
    """A world in which a picture takes as long as a test wants, and a match that has begun."""
    async with a_world(tmp_path, tables=slowly) as world:
        await begin(world)
        await all_ready(world, slowly)
        yield world


async def begin(world: World) -> None:
    """Let four people sit down and play as far as the first lead."""
    ada, *others = world.people(*PEOPLE)
    await ada.slash("tichu new", target=5000)
    await world.env.advance_time(PATIENCE_S)
    await sit_down(world, others)
    await world.env.advance_time(PATIENCE_S)
    await ada.press(Verb.START)
    await world.env.advance_time(PATIENCE_S)
    await fast_forward(world, reached(Phase.LEAD))


async def all_ready(world: World, painter: TablesSlowly) -> None:
    """Let everything be drawn, until the newest picture is there."""
    await world.env.advance_time(PATIENCE_S)
    while painter.at_work:
        painter.finish()
        await world.env.settle()
        await world.env.advance_time(QUIET_S)


async def change(world: World) -> None:
    """Let the next play lie on the table; nobody is asked to hurry."""
    seq = world.game().seq

    def played(match: Match) -> bool:
        return match.phase is Phase.ROUND_END or len(_plays(match)) > before

    before = len(_plays(world.game().match))
    await fast_forward(world, played)
    assert world.game().seq > seq


def _plays(match: Match) -> list[object]:
    """The plays of this round, passes left out."""
    assert match.round is not None
    past = [step for trick in match.round.past for step in trick.steps]
    return [step for step in (*past, *match.round.trick) if step.combination is not None]


def words_of(world: World) -> Speaker:
    """The words of a public message."""
    return Speaker(SAY, world.bot.art)


def table_message(world: World) -> ResponseMessage:
    """The message that shows the table."""
    wanted = world.game().messages.table
    (found,) = [m for m in messages(world.env, world.channel) if m.id == wanted]
    return found


def shows_picture(world: World, message: ResponseMessage, state: OpenTable) -> bool:
    """Whether the message shows the picture of this state and no other."""
    scene = table_scene(state, words_of(world))
    return (
        [data for _, data in files_of(message)] == [picture_of(scene)]
        and [item["media"]["url"].rpartition("/")[2] for item in gallery_items(message)]
        == [name for name, _ in files_of(message)]
        and [item["description"] for item in gallery_items(message)]
        == [scene_text(scene, words_of(world))]
    )


def shows_words(world: World, message: ResponseMessage) -> bool:
    """Whether the message tells how the table is, in words alone."""
    table, words = world.table(), words_of(world)
    page = lobby_page(table, words) if isinstance(table, Lobby) else table_page(table, words)
    return (files_of(message), gallery_items(message)) == ([], []) and same_text(message, page)


def edits(world: World, since: int) -> int:
    """How often a message of the channel was edited since then."""
    return sum(
        request.method == "PATCH" and request.path.startswith("/channels/")
        for request in world.env.http_requests[since:]
    )


# --- in time -------------------------------------------------------------------------------------


async def test_each_change_is_one_edit_with_one_picture(
    quick: World, uploads: WatchedUploads
) -> None:
    names = set()
    for _ in range(6):
        begin = len(quick.env.http_requests)
        await change(quick)
        assert shows_picture(quick, table_message(quick), quick.game())
        assert edits(quick, begin) == 1
        (upload,) = uploads.take()
        assert upload.method == "PATCH"
        names.add(upload.name)
    assert len(names) == 6, "every state's picture has a name of its own"
    assert with_verb(table_message(quick), Verb.HAND)


async def test_lobby_shows_its_picture_until_the_match_begins(
    tmp_path: Path, at_once: TablesAtOnce, uploads: WatchedUploads
) -> None:
    async with a_world(tmp_path, tables=at_once) as world:
        ada, ben, *_ = world.people(*PEOPLE)
        await ada.slash("tichu new")
        (message,) = messages(world.env, world.channel)
        assert shows_picture(world, message, world.lobby())
        await world.join(ben)
        assert shows_picture(world, message, world.lobby())
        assert [upload.method for upload in uploads.take()] == ["POST", "POST"]
        await ada.slash("tichu table")
        (message,) = messages(world.env, world.channel)
        assert shows_picture(world, message, world.lobby())
        await ben.slash("tichu leave")
        assert shows_picture(world, message, world.lobby())
        await ada.slash("tichu stop")
        assert (files_of(message), gallery_items(message)) == ([], [])


async def test_what_is_shown_is_neither_drawn_nor_uploaded_again(
    quick: World, at_once: TablesAtOnce, uploads: WatchedUploads
) -> None:
    """The table of a round that is over keeps its picture when it loses its buttons."""
    await fast_forward(quick, reached(Phase.ROUND_END))
    old, over = table_message(quick), quick.game()
    assert with_verb(old, Verb.HAND)
    before = attachment_urls(old)
    asked = len(at_once.asked)
    uploads.take()
    await quick.to_next_deadline()
    assert not with_verb(old, Verb.HAND)
    assert shows_picture(quick, old, over)
    assert attachment_urls(old) == before
    (upload,) = uploads.take()
    assert upload.method == "POST", "the table of the new round"
    assert len(at_once.asked) == asked + 1
    assert with_verb(table_message(quick), Verb.HAND)
    assert shows_picture(quick, table_message(quick), quick.game())


async def test_without_the_permission_the_table_is_told_in_words(
    quick: World, at_once: TablesAtOnce, uploads: WatchedUploads
) -> None:
    take_away(quick, "attach_files")
    asked = len(at_once.asked)
    await change(quick)
    assert shows_words(quick, table_message(quick))
    await quick.env.advance_time(PAUSE.total_seconds())
    assert len(at_once.asked) == asked
    take_away(quick)
    uploads.take()
    await change(quick)
    assert shows_picture(quick, table_message(quick), quick.game())
    assert len(uploads.take()) == 1


async def test_after_a_restart_the_message_gets_the_newest_picture(quick: World) -> None:
    await change(quick)
    message = table_message(quick)
    await quick.restart()
    await quick.env.advance_time(QUIET_S)
    assert table_message(quick).id == message.id
    assert shows_picture(quick, message, quick.game())
    await change(quick)
    assert shows_picture(quick, message, quick.game())


async def test_a_restart_while_a_picture_is_drawn(slow: World, slowly: TablesSlowly) -> None:
    """What waited for the picture is shown, and the picture comes after the restart."""
    message = table_message(slow)
    await change(slow)
    assert len(slowly.at_work) == 1
    await slow.restart()
    await all_ready(slow, slowly)
    assert table_message(slow).id == message.id
    assert shows_picture(slow, message, slow.game())


# --- late ----------------------------------------------------------------------------------------


async def test_late_picture_comes_when_it_is_quiet(
    slow: World, slowly: TablesSlowly, uploads: WatchedUploads
) -> None:
    begin = len(slow.env.http_requests)
    await change(slow)
    assert edits(slow, begin) == 0, "the picture may still come in time"
    await slow.env.advance_time(PATIENCE_S)
    assert edits(slow, begin) == 1
    assert shows_words(slow, table_message(slow))
    slowly.finish()
    await slow.env.settle()
    assert edits(slow, begin) == 1, "the next change may come soon"
    await slow.env.advance_time(QUIET_S)
    assert edits(slow, begin) == 2
    assert shows_picture(slow, table_message(slow), slow.game())
    assert len(uploads.take()) == 1
    await slow.env.advance_time(60)
    assert edits(slow, begin) == 2


async def test_late_picture_comes_with_the_next_change(
    slow: World, slowly: TablesSlowly, uploads: WatchedUploads
) -> None:
    await change(slow)
    await slow.env.advance_time(PATIENCE_S)
    slowly.finish()
    await slow.env.advance_time(QUIET_S / 2)
    begin = len(slow.env.http_requests)
    await change(slow)
    slowly.finish()
    await slow.env.settle()
    assert edits(slow, begin) == 1
    assert shows_picture(slow, table_message(slow), slow.game())
    assert len(uploads.take()) == 1
    await slow.env.advance_time(60)
    assert edits(slow, begin) == 1


async def test_of_quick_changes_only_the_newest_is_uploaded(
    slow: World, slowly: TablesSlowly, uploads: WatchedUploads
) -> None:
    begin, asked = len(slow.env.http_requests), len(slowly.asked)
    for _ in range(4):
        await change(slow)
    slowly.finish()
    await slow.env.settle()
    slowly.finish()
    await slow.env.settle()
    assert shows_picture(slow, table_message(slow), slow.game())
    assert edits(slow, begin) == len(uploads.take()) == 1
    assert len(slowly.asked) == asked + 2, "the states between are skipped"
    assert slowly.most_at_once == 1


async def test_drawing_that_never_ends_delays_nothing(
    slow: World, slowly: TablesSlowly, uploads: WatchedUploads
) -> None:
    for _ in range(3):
        begin = len(slow.env.http_requests)
        await change(slow)
        await slow.env.advance_time(PATIENCE_S)
        assert shows_words(slow, table_message(slow))
        assert edits(slow, begin) == 1
    await slow.env.advance_time(20)
    assert edits(slow, begin) == 1
    assert uploads.take() == []
    assert slowly.most_at_once == 1


async def test_late_picture_of_a_lobby_comes_when_it_is_quiet(
    tmp_path: Path, slowly: TablesSlowly
) -> None:
    async with a_world(tmp_path, tables=slowly) as world:
        ada, ben, *_ = world.people(*PEOPLE)
        await ada.slash("tichu new")
        assert messages(world.env, world.channel) == []
        await world.env.advance_time(PATIENCE_S)
        (message,) = messages(world.env, world.channel)
        assert shows_words(world, message)
        await all_ready(world, slowly)
        assert shows_picture(world, message, world.lobby())
        await world.join(ben)
        await world.env.advance_time(PATIENCE_S)
        assert shows_words(world, message)
        await all_ready(world, slowly)
        assert shows_picture(world, message, world.lobby())


async def test_a_painter_that_fails_leaves_the_words(
    quick: World, at_once: TablesAtOnce, errors: ErrorRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors.allow("no picture")

    async def fails(_: object) -> None:
        raise RuntimeError("no colours left")

    with monkeypatch.context() as broken:
        broken.setattr(at_once, "draw", fails)
        await change(quick)
        assert shows_words(quick, table_message(quick))
        await quick.env.advance_time(20)
    assert len(errors.allowed) == 2, "once at the change, once when it was quiet"
    await change(quick)
    assert shows_picture(quick, table_message(quick), quick.game())


# --- what Discord does not take ------------------------------------------------------------------


def refusals(caplog: pytest.LogCaptureFixture) -> int:
    """How often the log says that a kind of edit is given up."""
    return sum("Discord refuses edits" in record.getMessage() for record in caplog.records)


async def test_where_edits_are_refused_pictures_are_posted(
    quick: World, uploads: WatchedUploads, caplog: pytest.LogCaptureFixture
) -> None:
    uploads.refused["PATCH"] = EDITS_REFUSED
    picture_support(quick)._accepted.clear()  # the lobby was edited with pictures
    first = table_message(quick)
    with caplog.at_level(logging.WARNING, "cogs.delivery"):
        await change(quick)
        assert shows_words(quick, first)
        assert len(uploads.take()) == 1
        await quick.env.advance_time(POSTED_EVERY.total_seconds())
        second = table_message(quick)
        assert second.id != first.id
        assert shows_picture(quick, second, quick.game())
        for _ in range(3):  # only the first one tries to bring a picture
            begin = len(quick.env.http_requests)
            await change(quick)
            assert edits(quick, begin) == 1
            assert shows_words(quick, second)
            await quick.env.advance_time(QUIET_S)
            assert table_message(quick).id == second.id, "not so soon again"
        await quick.env.advance_time(POSTED_EVERY.total_seconds())
        assert shows_picture(quick, table_message(quick), quick.game())
        assert [upload.method for upload in uploads.take()] == ["POST", "PATCH", "POST"]
        assert refusals(caplog) == 0
        for tried in (["PATCH"], []):  # the third refused message is the last one
            await change(quick)
            assert [upload.method for upload in uploads.take()] == tried
            assert refusals(caplog) == 1
            await quick.env.advance_time(POSTED_EVERY.total_seconds())
            assert shows_picture(quick, table_message(quick), quick.game())
            assert [upload.method for upload in uploads.take()] == ["POST"]
    tables = [m for m in messages(quick.env, quick.channel) if with_verb(m, Verb.HAND)]
    assert len(tables) == 1


async def test_a_refused_lobby_is_shown_in_words(
    tmp_path: Path, at_once: TablesAtOnce, uploads: WatchedUploads
) -> None:
    async with a_world(tmp_path, tables=at_once) as world:
        ada, ben, *_ = world.people(*PEOPLE)
        await ada.slash("tichu new")
        (message,) = messages(world.env, world.channel)
        uploads.refused["POST"] = EDITS_REFUSED
        world.repeats_answers = True
        await world.join(ben)
        assert shows_words(world, message)
        uploads.refused.clear()


@pytest.mark.parametrize("status", [403, 413, 500, 503])
async def test_an_upload_that_fails_leaves_the_words(
    quick: World, uploads: WatchedUploads, status: int
) -> None:
    """For a while, and not for ever."""
    uploads.refused["PATCH"] = status, 0
    await change(quick)
    await quick.env.advance_time(20)
    assert shows_words(quick, table_message(quick))
    assert len(uploads.take()) == 1
    await change(quick)
    assert shows_words(quick, table_message(quick))
    assert uploads.take() == []
    uploads.refused.clear()
    await quick.env.advance_time(PAUSE.total_seconds())
    await change(quick)
    assert shows_picture(quick, table_message(quick), quick.game())


@pytest.mark.parametrize("status", [413, 500, 503])
async def test_words_come_at_once_where_an_upload_fails(
    quick: World, uploads: WatchedUploads, status: int
) -> None:
    for method in ("PATCH", "POST"):
        uploads.refused[method] = status, 0
    before = quick.env.now()
    await change(quick)
    assert shows_words(quick, table_message(quick))
    assert quick.env.now() == before


async def test_a_post_in_words_that_finds_the_first_one_is_written_again(
    quick: World, uploads: WatchedUploads, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord has posted the picture, but the answer was lost."""
    lossy = LossyDiscord(monkeypatch)
    await fast_forward(quick, reached(Phase.ROUND_END))
    lossy.lost_messages = 1
    await quick.to_next_deadline()
    assert shows_words(quick, table_message(quick))
    (message,) = [m for m in messages(quick.env, quick.channel) if has(m, Verb.MORE)]
    assert message.id == quick.game().messages.table


@pytest.mark.parametrize("status", [413, 503])
async def test_a_quiet_table_gets_its_picture_when_the_pause_ends(
    quick: World, uploads: WatchedUploads, status: int
) -> None:
    uploads.refused["PATCH"] = status, 0
    await change(quick)
    await quick.env.advance_time(20)
    assert shows_words(quick, table_message(quick))
    uploads.refused.clear()
    begin = len(quick.env.http_requests)
    await quick.env.advance_time(PAUSE.total_seconds())
    assert shows_picture(quick, table_message(quick), quick.game())
    assert edits(quick, begin) == 1


async def test_a_table_that_cannot_be_posted_with_its_picture_is_posted_without(
    quick: World, uploads: WatchedUploads
) -> None:
    await fast_forward(quick, reached(Phase.ROUND_END))
    uploads.refused["POST"] = 413, 40005
    uploads.take()
    await quick.to_next_deadline()
    assert shows_words(quick, table_message(quick))
    assert len(uploads.take()) == 1


# --- everything at once --------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
async def test_whatever_is_late_or_refused_no_message_shows_what_is_past(
    slow: World, slowly: TablesSlowly, uploads: WatchedUploads, seed: int
) -> None:
    async def short_time(world: World) -> None:
        await world.env.advance_time(0.1)

    async def finish(world: World) -> None:
        slowly.finish()
        await world.env.settle()

    rng = random.Random(seed)
    for _ in range(30):
        await rng.choice((change, short_time, finish, finish))(slow)
        if rng.random() < 0.1:
            uploads.refused["PATCH"] = rng.choice([(500, 0), (413, 40005)])
        elif rng.random() < 0.3:
            uploads.refused.clear()
        if gallery_items(message := table_message(slow)):
            (alt,) = [item["description"] for item in gallery_items(message)]
            assert [name for name, _ in files_of(message)], alt
        if slow.game().phase is Phase.ROUND_END:
            break
    uploads.refused.clear()
    await slow.env.advance_time(PAUSE.total_seconds())
    if slow.game().phase is not Phase.ROUND_END:
        await change(slow)
    await all_ready(slow, slowly)
    assert shows_picture(slow, table_message(slow), slow.game())
    assert slowly.most_at_once == 1
