"""Picture of the table: with the newest state, later, or not at all; never an outdated one."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from cogs.delivery.table_pictures import QUIET_S
from cogs.delivery.uploads import PATIENCE_S, PAUSE
from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.conftest import ErrorRecords
from tests.cogs.delivery.pictured_tables import (
    PEOPLE,
    all_ready,
    change,
    edits,
    shows_picture,
    shows_words,
    table_message,
)
from tests.cogs.delivery.test_refusals import take_away
from tests.cogs.delivery.uploads import (
    WatchedUploads,
    attachment_urls,
    files_of,
    gallery_items,
)
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.table_painters import TablesAtOnce, TablesSlowly
from tests.cogs.worlds import World, a_world
from tests.simcord_clicks import messages, with_verb

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


async def test_shown_picture_is_neither_drawn_nor_uploaded_again(
    quick: World, at_once: TablesAtOnce, uploads: WatchedUploads
) -> None:
    """The table of a finished round keeps its picture when it loses its buttons."""
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


async def test_without_permission_the_table_is_shown_as_text(
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


async def test_message_gets_the_newest_picture_after_a_restart(quick: World) -> None:
    await change(quick)
    message = table_message(quick)
    await quick.restart()
    await quick.env.advance_time(QUIET_S)
    assert table_message(quick).id == message.id
    assert shows_picture(quick, message, quick.game())
    await change(quick)
    assert shows_picture(quick, message, quick.game())


async def test_restart_while_a_picture_is_drawn(slow: World, slowly: TablesSlowly) -> None:
    """The pending change is shown, and its picture follows after the restart."""
    message = table_message(slow)
    await change(slow)
    assert len(slowly.at_work) == 1
    await slow.restart()
    await all_ready(slow, slowly)
    assert table_message(slow).id == message.id
    assert shows_picture(slow, message, slow.game())


# --- late ----------------------------------------------------------------------------------------


async def test_late_picture_is_shown_when_the_table_is_idle(
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


async def test_late_picture_is_shown_with_the_next_change(
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


async def test_only_the_newest_of_quick_changes_is_uploaded(
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


async def test_late_picture_of_a_lobby_is_shown_when_it_is_idle(
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


async def test_failing_painter_leaves_the_text(
    quick: World, at_once: TablesAtOnce, errors: ErrorRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors.allow("unhandled exception while drawing")

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


# --- random failures -----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
async def test_no_message_ever_shows_an_outdated_picture(
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
