"""Edits that keep a picture that is still correct, and text where Discord refuses that."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from simcord import HttpLogEntry, ResponseMessage
from simcord.backend.errors import BackendError
from simcord.http import router

from bot.doctor.behaviour import DiscordBehaviour
from bot.ids import MessageId
from cogs.delivery.reactions import EXTRA_EVERY
from cogs.delivery.table_pictures import QUIET_S
from cogs.delivery.uploads import MOST_REFUSED, PictureEdit, PictureSupport
from cogs.pages.table.reactions import Reaction
from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.delivery.uploads import (
    WatchedUploads,
    attachment_urls,
    files_of,
    picture_support,
)
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.table_painters import TablesAtOnce
from tests.cogs.table_play import HandPlayer, seat_without_hands
from tests.cogs.worlds import World, a_world
from tests.simcord_clicks import requests_since, text, with_verb


class Table:
    """A match with pictures, at which people use reactions."""

    def __init__(self, world: World, players: list[HandPlayer]) -> None:
        self.world = world
        self._players = players

    @property
    def message(self) -> ResponseMessage:
        message, _ = self.world.newest_with(Verb.MORE)
        return message

    async def react(self) -> list[HttpLogEntry]:
        """Let the message be edited without a new picture; return the requests."""
        since = len(self.world.env.http_requests)
        player = self._players[0]
        await player.press(Verb.SAY)
        await player.press_with(Verb.REACT, Reaction.THANKS)
        path = f"/messages/{self.message.id}"
        made = requests_since(self.world.env, since)
        return [request for request in made if request.path.endswith(path)]

    async def next_round(self) -> None:
        await fast_forward(self.world, reached(Phase.ROUND_END), players=self._players)
        await self.world.to_next_deadline()
        await fast_forward(self.world, reached(Phase.TURN), players=self._players)


@pytest.fixture
def uploads(monkeypatch: pytest.MonkeyPatch) -> WatchedUploads:
    return WatchedUploads(monkeypatch)


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    async with a_world(tmp_path, tables=TablesAtOnce()) as world:
        people = world.people("Ada", "Ben", "Cai", "Dan")
        players = await seat_without_hands(world, people, target=5000)
        world.let_people_hurry()
        await fast_forward(world, reached(Phase.TURN), players=players)
        yield Table(world, players)


@pytest.fixture
def refuse_kept(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that makes Discord refuse every edit with a kept picture."""
    dispatch = router.dispatch

    def refuses(backend: Any, method: str, path: str, **given: Any) -> Any:
        listed = (given.get("json") or {}).get("attachments") or ()
        if method == "PATCH" and any("filename" not in file for file in listed):
            raise BackendError(400, 50035, "Invalid Form Body")
        return dispatch(backend, method, path, **given)

    return lambda: monkeypatch.setattr(router, "dispatch", refuses)


async def test_kept_picture_is_named_by_its_id_alone(table: Table, uploads: WatchedUploads) -> None:
    before = attachment_urls(table.message)
    (edit,) = await table.react()
    assert edit.json is not None
    (listed,) = edit.json["attachments"]
    assert set(listed) == {"id"}
    assert attachment_urls(table.message) == before
    assert uploads.take() == []


async def test_every_edit_of_a_message_lists_its_files(table: Table) -> None:
    await table.react()
    await table.next_round()
    edits = [r for r in table.world.env.http_requests if r.method == "PATCH"]
    assert edits
    edited = [r for r in edits if "/messages/" in r.path]
    assert [r.path for r in edited if "attachments" not in (r.json or {})] == []


async def test_refused_message_shows_text_at_once_and_is_uploaded_again(
    table: Table, uploads: WatchedUploads, refuse_kept: Callable[[], None]
) -> None:
    refuse_kept()
    uploads.take()
    await table.react()
    assert files_of(table.message) == []
    assert "🙏" in text(table.message)
    await table.world.env.advance_time(QUIET_S)
    assert len(files_of(table.message)) == 1
    assert len(uploads.take()) == 1
    await table.world.env.advance_time(EXTRA_EVERY.total_seconds())


async def test_last_edit_of_a_table_removes_buttons_even_if_refused_once(
    table: Table, refuse_kept: Callable[[], None]
) -> None:
    old = table.message
    refuse_kept()
    await table.next_round()
    assert table.message.id != old.id
    assert not with_verb(old, Verb.MORE)
    assert files_of(old) == []


async def test_gives_up_a_kind_of_edit_after_three_refused_messages(
    table: Table, refuse_kept: Callable[[], None], caplog: pytest.LogCaptureFixture
) -> None:
    refuse_kept()
    support = picture_support(table.world)
    with caplog.at_level(logging.WARNING, "cogs.delivery"):
        for _ in range(MOST_REFUSED):
            assert support.allows(PictureEdit.KEEP, None)
            await table.next_round()
    assert not support.allows(PictureEdit.KEEP, None)
    told = [record for record in caplog.records if "Discord rejects edits" in record.getMessage()]
    assert len(told) == 1
    old = table.message
    await table.next_round()
    assert not with_verb(old, Verb.MORE)


def test_never_gives_up_a_kind_of_edit_that_was_accepted() -> None:
    support = PictureSupport(DiscordBehaviour())
    support.accept(PictureEdit.UPLOAD)
    for message_id in range(2 * MOST_REFUSED):
        support.refuse(PictureEdit.UPLOAD, MessageId(message_id), ValueError("refused"))
        support.refuse(PictureEdit.KEEP, MessageId(message_id), ValueError("refused"))
        assert not support.allows(PictureEdit.UPLOAD, MessageId(message_id))
    assert support.allows(PictureEdit.UPLOAD, None)
    assert not support.allows(PictureEdit.KEEP, None)
