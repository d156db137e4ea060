"""Pictures refused by Discord: text at once, and the picture later or in a new message."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from cogs.delivery.table_message import POSTED_EVERY
from cogs.delivery.table_pictures import QUIET_S
from cogs.delivery.uploads import PAUSE
from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.delivery.lossy import LossyDiscord
from tests.cogs.delivery.pictured_tables import (
    PEOPLE,
    change,
    edits,
    shows_picture,
    shows_words,
    table_message,
)
from tests.cogs.delivery.uploads import WatchedUploads, picture_support
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.table_painters import TablesAtOnce
from tests.cogs.worlds import World, a_world
from tests.simcord_clicks import has, messages, with_verb

EDITS_REFUSED = (400, 50035)


def refusals(caplog: pytest.LogCaptureFixture) -> int:
    """Return how often the log says that a kind of edit is given up."""
    return sum("Discord rejects edits" in record.getMessage() for record in caplog.records)


async def test_posts_pictures_where_edits_are_refused(
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


async def test_refused_lobby_is_shown_as_text(
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
async def test_failed_upload_leaves_the_text(
    quick: World, uploads: WatchedUploads, status: int
) -> None:
    """For a while, not permanently."""
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
async def test_text_is_shown_at_once_where_an_upload_fails(
    quick: World, uploads: WatchedUploads, status: int
) -> None:
    for method in ("PATCH", "POST"):
        uploads.refused[method] = status, 0
    before = quick.env.now()
    await change(quick)
    assert shows_words(quick, table_message(quick))
    assert quick.env.now() == before


async def test_text_post_that_finds_the_picture_post_edits_it(
    quick: World, uploads: WatchedUploads, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord posted the picture, but its answer was lost."""
    lossy = LossyDiscord(monkeypatch)
    await fast_forward(quick, reached(Phase.ROUND_END))
    lossy.lost_messages = 1
    await quick.to_next_deadline()
    assert shows_words(quick, table_message(quick))
    (message,) = [m for m in messages(quick.env, quick.channel) if has(m, Verb.MORE)]
    assert message.id == quick.game().messages.table


@pytest.mark.parametrize("status", [413, 503])
async def test_idle_table_gets_its_picture_when_the_pause_ends(
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


async def test_table_is_posted_without_a_refused_picture(
    quick: World, uploads: WatchedUploads
) -> None:
    await fast_forward(quick, reached(Phase.ROUND_END))
    uploads.refused["POST"] = 413, 40005
    uploads.take()
    await quick.to_next_deadline()
    assert shows_words(quick, table_message(quick))
    assert len(uploads.take()) == 1
