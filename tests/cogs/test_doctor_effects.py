"""Effects of the doctor's findings on the bot from its next start."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from simcord import HttpLogEntry

from bot.doctor.behaviour import DiscordBehaviour, Findings, FindingsStore
from cogs.delivery.channel_context import OLDEST_EDITED
from cogs.pages.table.reactions import Reaction
from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.delivery.uploads import WatchedUploads, attachment_urls
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.table_painters import TablesAtOnce
from tests.cogs.table_play import seat_without_hands
from tests.cogs.turn_based_people import NONE, seated, tables
from tests.cogs.worlds import World, a_world
from tests.simcord_clicks import Person, has, messages, requests_since, text


async def found_out(world: World, **unexpected: Any) -> None:
    """Store these findings and restart the bot."""
    findings = Findings(behaviour=DiscordBehaviour(**unexpected))
    await FindingsStore(world.bot.store.app_state).save(findings)
    await world.restart()


@asynccontextmanager
async def a_table_with_pictures(folder: Path, **unexpected: Any) -> AsyncIterator[World]:
    """Yield a world with a running match with pictures."""
    async with a_world(folder, tables=TablesAtOnce()) as world:
        await found_out(world, **unexpected)
        players = await seat_without_hands(world, world.people("Ada", "Ben", "Cai", "Dan"))
        world.let_people_hurry()
        await fast_forward(world, reached(Phase.TURN), players=players)
        player = players[0]
        await player.press(Verb.SAY)
        await player.press_with(Verb.REACT, Reaction.THANKS)
        yield world


def edits_of_table(world: World) -> list[HttpLogEntry]:
    """Return the edits of the newest table message."""
    message, _ = world.newest_with(Verb.MORE)
    path = f"/messages/{message.id}"
    return [r for r in world.env.http_requests if r.method == "PATCH" and r.path.endswith(path)]


def kept(edit: HttpLogEntry) -> list[dict[str, Any]]:
    """Return the files that an edit keeps, which it names by id alone."""
    assert edit.json is not None
    return [file for file in edit.json["attachments"] if "filename" not in file]


async def test_reaction_keeps_the_picture_by_default(tmp_path: Path) -> None:
    async with a_table_with_pictures(tmp_path) as world:
        assert kept(edits_of_table(world)[-1])


async def test_uploads_pictures_again_that_cannot_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uploads = WatchedUploads(monkeypatch)
    async with a_table_with_pictures(tmp_path, keeps_pictures_by_id=False) as world:
        edits = edits_of_table(world)
        assert edits
        assert not any(map(kept, edits))
        assert {upload.method for upload in uploads.take()} == {"POST", "PATCH"}
        assert attachment_urls(world.newest_with(Verb.MORE)[0])


async def test_posts_new_messages_where_edits_cannot_add_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uploads = WatchedUploads(monkeypatch)
    async with a_table_with_pictures(tmp_path, edits_bring_uploads=False) as world:
        await world.env.advance_time(60)
        made = uploads.take()
        assert made
        assert {upload.method for upload in made} == {"POST"}


async def posted_in_channel(world: World) -> list[str]:
    """Return the texts in the channel after a table was opened in its own thread."""
    (ada,) = world.people("Ada")
    await ada.slash("tichu new", thread=True)
    return [text(message) for message in messages(world.env, world.channel)]


async def test_posts_a_line_for_a_thread_without_a_notice(world: World) -> None:
    await found_out(world, announces_threads=False)
    lines = await posted_in_channel(world)
    (thread,) = world.channel.threads
    assert f"<#{thread.id}>" in lines


async def test_posts_no_line_for_a_thread_with_a_notice(world: World) -> None:
    lines = await posted_in_channel(world)
    (thread,) = world.channel.threads
    assert f"<#{thread.id}>" not in lines


async def test_posts_a_line_for_the_successor_of_a_deleted_thread(world: World) -> None:
    await found_out(world, announces_threads=False)
    (ada, *_) = await seated(world, NONE, NONE, NONE)
    world.env.backend.delete_channel(ada.channel.id)
    await world.env.settle()
    (notice,) = [m for m in messages(world.env, world.channel) if has(m, Verb.HAND)]
    await Person(world.env, ada.member, world.channel).press(Verb.HAND, on=notice)
    (new,) = world.channel.threads
    assert f"<#{new.id}>" in [text(message) for message in messages(world.env, world.channel)]


@pytest.mark.parametrize("limits", [True, False])
async def test_keeps_old_table_messages_where_edits_are_unlimited(
    world: World, limits: bool
) -> None:
    await found_out(world, limits_old_edits=limits)
    people = await seated(world, NONE, NONE, NONE)
    thread = people[0].channel
    before = {message.id for message in tables(world, thread)}
    await world.env.advance_time(OLDEST_EDITED.total_seconds() + 3600)
    for person in people:
        await person.press(Verb.HAND)
        await person.press(Verb.GRAND, "no")
        await world.env.settle()
    after = {message.id for message in tables(world, thread)}
    assert (before == after) is not limits


@pytest.mark.parametrize("way", ["put", "mention"])
async def test_adds_people_in_the_quieter_way(world: World, way: str) -> None:
    await found_out(world, adds_members_by=way)
    (ada,) = world.people("Ada")
    since = len(world.env.http_requests)
    await ada.slash("tichu new", thread=True)
    (thread,) = world.channel.threads
    made = requests_since(world.env, since)
    put = [r for r in made if "/thread-members/" in r.path]
    line = f"<@{ada.id}>"
    mentions = [r for r in made if r.method == "PATCH" and (r.json or {}).get("content") == line]
    assert (len(put), len(mentions)) == ((1, 0) if way == "put" else (0, 1))
    assert [m for m in messages(world.env, thread) if text(m) in ("👥", line)] == []


@pytest.mark.parametrize("stored", ["", "[]", '{"behaviour": {"unknown": 1}}', "{"])
async def test_unreadable_findings_change_nothing(
    world: World, caplog: pytest.LogCaptureFixture, stored: str
) -> None:
    await world.bot.store.app_state.keep("discord-behaviour", stored)
    with caplog.at_level(logging.INFO):
        await world.restart()
    assert world.bot.discord_behaviour == DiscordBehaviour()
    assert caplog.text.count("ignoring the doctor's unreadable findings") == 1


async def test_logs_unexpected_findings(world: World, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        await found_out(world)
        assert "the doctor says" not in caplog.text
        await found_out(world, edits_bring_uploads=False)
    assert caplog.text.count("findings: edits_bring_uploads=False") == 1
