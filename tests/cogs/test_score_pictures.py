"""Picture of a finished match: added to its result when ready, without delay for anybody."""

from __future__ import annotations

from pathlib import Path

import pytest
from simcord import ResponseMessage

from bot.pictures.descriptions import PlacesChart
from bot.pictures.result.scene import ResultCard
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.delivery.channel_context import OLDEST_EDITED
from cogs.delivery.uploads import PATIENCE_S, PAUSE
from cogs.pages.table.result import SCORE_FILE
from cogs.pages.table.result_card import card_text_of
from cogs.pages.verbs import Verb
from engine import Pass, read_action
from tests.bot.pictures.painters import DOT, Inline, Ready, Slow
from tests.cogs.conftest import ErrorRecords
from tests.cogs.delivery.test_table_channel import ENDS_AT_ONCE, result_messages
from tests.cogs.delivery.uploads import WatchedUploads
from tests.cogs.fast_forward import fast_forward, match_over
from tests.cogs.finished import check_finished, check_rematch
from tests.cogs.table_play import HandPlayer, act, dealt_without_hands, seat_without_hands
from tests.cogs.worlds import SAY, World, a_world
from tests.simcord_clicks import controls, deny, messages, numbers, shown, text, with_verb

GALLERY = 12
NAMES = ("Ada", "Ben", "Cai", "Dan")


async def to_the_end(world: World) -> HandPlayer:
    """Play a match that a missed wish ends in its first round; return Ada, without an open hand."""
    options = {"missed-wish": "penalty", "target": 100}
    ada, *_ = await dealt_without_hands(world, ENDS_AT_ONCE, **options)
    await act(world, read_action(0, "play:MAHJONG wish=8"))
    await world.to_next_deadline()
    await act(world, Pass(1))
    await world.env.settle()
    assert world.last_game().status == "finished"
    return ada


async def with_a_late_picture(world: World) -> HandPlayer:
    """Play a match whose result was posted without waiting for its picture; return Ada."""
    ada = await to_the_end(world)
    await world.env.advance_time(PATIENCE_S)
    return ada


def result(world: World) -> ResponseMessage:
    (message,) = [m for m in messages(world.env, world.channel) if with_verb(m, Verb.REMATCH)]
    return message


def galleries(message: ResponseMessage) -> list[dict[str, object]]:
    """Return the pictures of a message as Discord shows them."""
    (frame,) = message._message.components
    return [
        item for part in frame["components"] if part["type"] == GALLERY for item in part["items"]
    ]


def files(message: ResponseMessage) -> dict[str, bytes | None]:
    cdn = message._env.backend.cdn
    return {file["filename"]: cdn.get(file["url"]) for file in message._message.attachments}


def described(world: World, painter: Ready, match: Game | None = None) -> str:
    """Return the alternative text of the only requested picture, by default of the last match."""
    (card,) = painter.asked
    assert isinstance(card, ResultCard | PlacesChart)
    return card_text_of(match or world.last_game(), card, Speaker(SAY, world.bot.art))


async def test_result_of_a_match_gets_its_picture(tmp_path: Path) -> None:
    painter = Inline()
    async with a_world(tmp_path, painter=painter) as world:
        ada = await to_the_end(world)
        message = result(world)
        (item,) = galleries(message)
        assert item["description"] == described(world, painter)
        assert numbers(str(item["description"])) == [1, 100, 200, 0]
        assert shown(str(item["description"]), *NAMES) == ["Ada", "Cai", "Ben", "Dan"]
        ((name, picture),) = files(message).items()
        assert name == SCORE_FILE
        assert picture is not None
        assert picture.startswith(b"\x89PNG")
        last = await check_finished(world, ada.person)
        await check_rematch(world, last, ada.person)


async def test_rounds_before_the_last_get_none(tmp_path: Path) -> None:
    painter = Ready()
    async with a_world(tmp_path, seed=2, painter=painter) as world:
        await seat_without_hands(world, world.people("Ada"), target=200)
        await fast_forward(world, match_over)
        (card,) = painter.asked
        assert isinstance(card, ResultCard)
        chart = card.chart
        assert chart is not None
        assert len(chart.lines[0].values) > 1
        results = result_messages(world)
        assert len(results) == len(chart.lines[0].values)
        assert [files(m) for m in results] == [{}] * (len(results) - 1) + [{SCORE_FILE: DOT}]
        assert [len(galleries(m)) for m in results] == [0] * (len(results) - 1) + [1]


async def test_nobody_waits_for_a_slow_painter(tmp_path: Path) -> None:
    painter = Slow()
    async with a_world(tmp_path, painter=painter) as world:
        ada = await with_a_late_picture(world)
        message = result(world)
        before = text(message)
        assert (galleries(message), files(message)) == ([], {})
        last = await check_finished(world, ada.person)
        await check_rematch(world, last, ada.person)
        (drawing,) = painter.at_work
        drawing.set_result(DOT)
        await world.env.settle()
        assert files(message) == {SCORE_FILE: DOT}
        (item,) = galleries(message)
        assert item["description"] == described(world, painter, last)
        assert text(message) == before
        assert [control.verb for control in controls(message)] == [
            "rematch",
            "new-partners",
            "new-lobby",
            "replay",
            "review",
            "share-replay",
        ]


async def test_result_without_a_picture_stays_unchanged(tmp_path: Path) -> None:
    painter = Slow()
    async with a_world(tmp_path, painter=painter) as world:
        ada = await with_a_late_picture(world)
        requests = len(world.env.http_requests)
        painter.at_work[0].set_result(None)
        await world.env.settle()
        assert world.env.http_requests[requests:] == []
        await check_finished(world, ada.person)


async def test_failing_painter_is_only_a_logged_error(tmp_path: Path, errors: ErrorRecords) -> None:
    painter = Slow()
    async with a_world(tmp_path, painter=painter) as world:
        errors.allow("unhandled exception while drawing")
        ada = await with_a_late_picture(world)
        painter.at_work[0].set_exception(RuntimeError("no colours left"))
        await world.env.settle()
        assert len(errors.allowed) == 1
        await check_finished(world, ada.person)


async def test_deleted_result_gets_no_picture(tmp_path: Path) -> None:
    painter = Slow()
    async with a_world(tmp_path, painter=painter) as world:
        await with_a_late_picture(world)
        world.env.backend.delete_message(world.channel.id, result(world).id)
        count = len(messages(world.env, world.channel))
        painter.at_work[0].set_result(DOT)
        await world.env.settle()
        assert len(messages(world.env, world.channel)) == count


@pytest.mark.parametrize("status", [403, 413, 500])
async def test_refused_picture_leaves_the_result_unchanged(tmp_path: Path, status: int) -> None:
    painter = Slow()
    async with a_world(tmp_path, painter=painter) as world:
        ada = await with_a_late_picture(world)
        world.env.inject_error("PATCH", "/channels/*", status=status, code=0, times=None)
        painter.at_work[0].set_result(DOT)
        await world.env.advance_time(60)
        assert galleries(result(world)) == []
        world.env.backend.faults.clear()
        last = await check_finished(world, ada.person)
        await check_rematch(world, last, ada.person)


@pytest.mark.parametrize("late", [False, True])
async def test_picture_is_retried_after_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, late: bool
) -> None:
    painter, uploads = Slow() if late else Ready(), WatchedUploads(monkeypatch)
    async with a_world(tmp_path, painter=painter) as world:
        uploads.refused = {"POST": (503, 0), "PATCH": (503, 0)}
        ada = await with_a_late_picture(world)
        if isinstance(painter, Slow):
            painter.at_work[0].set_result(DOT)
        await world.env.advance_time(PAUSE.total_seconds() - 10)
        assert len(uploads.take()) == 1, "the channel is left in peace for a while"
        assert galleries(result(world)) == []
        await check_finished(world, ada.person)
        for _ in range(2):
            await world.env.advance_time(PAUSE.total_seconds())
            if isinstance(painter, Slow):
                painter.at_work[-1].set_result(DOT)
                await world.env.settle()
            uploads.refused.clear()
        assert files(result(world)) == {SCORE_FILE: DOT}
        assert [upload.method for upload in uploads.take()] == ["PATCH", "PATCH"]


async def test_picture_is_given_up_at_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uploads = WatchedUploads(monkeypatch)
    async with a_world(tmp_path, painter=Ready()) as world:
        uploads.refused = {"POST": (503, 0), "PATCH": (503, 0)}
        await to_the_end(world)
        await world.env.advance_time(OLDEST_EDITED.total_seconds() + 120)
        assert uploads.take()
        await world.env.advance_time(600)
        assert uploads.take() == []


async def test_late_picture_is_posted_where_edits_cannot_add_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    painter, uploads = Slow(), WatchedUploads(monkeypatch)
    async with a_world(tmp_path, painter=painter) as world:
        await with_a_late_picture(world)
        uploads.refused["PATCH"] = 400, 50035
        painter.at_work[0].set_result(DOT)
        await world.env.settle()
        assert (galleries(result(world)), files(result(world))) == ([], {})
        alone = messages(world.env, world.channel)[-1]
        (item,) = galleries(alone)
        assert item["description"] == described(world, painter)
        assert files(alone) == {SCORE_FILE: DOT}
        assert [upload.method for upload in uploads.take()] == ["PATCH", "POST"]


async def test_without_permission_for_files_nothing_is_drawn(tmp_path: Path) -> None:
    painter = Ready()
    async with a_world(tmp_path, painter=painter) as world:
        assert world.bot.user is not None
        deny(world.env, world.channel, world.bot.user.id, "attach_files")
        ada = await to_the_end(world)
        assert painter.asked == []
        await check_finished(world, ada.person)


async def test_restart_drops_a_pending_picture(tmp_path: Path) -> None:
    painter = Slow()
    async with a_world(tmp_path, painter=painter) as world:
        ada = await with_a_late_picture(world)
        (drawing,) = painter.at_work
        await world.restart()
        assert drawing.cancelled()
        assert galleries(result(world)) == []
        await ada.person.slash("tichu new")
        assert world.table().status == "lobby"


async def test_grand_seigneur_gets_a_picture_of_places(tmp_path: Path) -> None:
    painter = Ready()
    async with a_world(tmp_path, painter=painter) as world:
        people = world.people("Ada")
        await seat_without_hands(world, people, variant="grandseigneur", rounds=2, seats=5)
        await fast_forward(world, match_over)
        (chart,) = painter.asked
        assert isinstance(chart, PlacesChart)
        assert {len(line.values) for line in chart.lines} == {2}
        (item,) = galleries(result(world))
        assert item["description"] == described(world, painter)
