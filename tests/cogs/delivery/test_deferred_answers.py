"""Deferred answers: sent to the right message, and nothing private in public.

A deferred new answer (type 5) is finished by editing `@original`. After a deferred update (type 6)
`@original` is the message that was clicked on, possibly a public one (discord-api-docs,
interactions/receiving-and-responding.mdx).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
from simcord import HttpLogEntry, InteractionResult

from bot.ids import UserId
from bot.records import LessonProgress
from bot.storage.personal_settings import LessonStore, PersonalSettingsStore
from cogs.delivery.replies import DEFER_AFTER, Reply
from cogs.pages.controls import Page
from cogs.pages.controls import text as words
from cogs.pages.lessons.picture import LESSON_FILE
from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.delivery.lossy import LossyDiscord
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.history_pages import page, pictures
from tests.cogs.table_painters import TablesAtOnce
from tests.cogs.table_play import seat_without_hands
from tests.cogs.test_lessons import FIRST
from tests.cogs.worlds import World, a_world
from tests.simcord_clicks import requests_since, text


@pytest.fixture
def slowly(world: World, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that makes reading a user's settings slow, once for each user."""
    quick, asked = PersonalSettingsStore.get, set[object]()

    async def slow(store: PersonalSettingsStore, user_id: UserId) -> Any:
        if user_id not in asked:
            asked.add(user_id)
            await world.bot.clock.sleep(2 * DEFER_AFTER.total_seconds())
        return await quick(store, user_id)

    return lambda: monkeypatch.setattr(PersonalSettingsStore, "get", slow)


async def deferred(world: World, asked: Awaitable[InteractionResult]) -> list[HttpLogEntry]:
    """Return the bot's requests for an interaction whose answer takes long."""
    before = len(world.env.http_requests)
    result = await asked
    await world.env.advance_time(DEFER_AFTER.total_seconds() + 0.1)
    assert result.deferred
    await world.env.advance_time(2 * DEFER_AFTER.total_seconds())
    return requests_since(world.env, before)


def kinds(requests: list[HttpLogEntry]) -> list[str]:
    """Return the kinds of these requests, without ids and tokens."""
    return [
        f"{made.method} {made.path.split('/')[1]} {made.path.split('/')[-1]}" for made in requests
    ]


async def test_deferred_command_edits_the_original(
    world: World, slowly: Callable[[], None]
) -> None:
    (ada,) = world.people("Ada")
    slowly()
    made = await deferred(world, ada.slash("tichu rules"))
    assert kinds(made) == ["POST interactions callback", "PATCH webhooks @original"]
    assert ada.latest_private().ephemeral
    assert ada.public() == []


async def test_hand_is_not_written_into_the_public_message(
    world: World, slowly: Callable[[], None]
) -> None:
    people = world.people("Ada", "Ben", "Cai", "Dan")
    await seat_without_hands(world, people)
    await fast_forward(world, reached(Phase.LEAD))
    await world.restart()
    slowly()
    ada = people[world.game().round.turn or 0]
    (table,) = [message for message in ada.public() if message.id == world.game().messages.table]
    before = text(table)
    made = await deferred(world, ada.press(Verb.HAND, on=table))
    assert "PATCH webhooks @original" not in kinds(made)
    assert text(table) == before
    hand = ada.latest_private()
    shown = text(hand)
    assert hand.ephemeral
    await fast_forward(world, lambda match: len(match.round.trick) > 0)  # type: ignore[union-attr]
    await world.env.advance_time(3)
    assert text(hand) != shown, "it is kept fresh"
    assert shown.splitlines()[-1] not in text(table)


async def test_followup_gets_its_picture_by_its_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page that was clicked on has been deleted when the answer comes."""
    step = next(number for number, step in enumerate(FIRST.steps) if step.picture)
    async with a_world(tmp_path, tables=TablesAtOnce()) as world:
        (ada,) = world.people("Ada")
        await world.bot.store.lessons.keep(UserId(ada.id), FIRST.name, LessonProgress(step=step))
        listed = page(await ada.slash("tichu learn"))
        progress = LessonStore.progress

        async def slow(*given: Any) -> Any:
            await world.bot.clock.sleep(2 * DEFER_AFTER.total_seconds())
            return await progress(*given)

        monkeypatch.setattr(LessonStore, "progress", slow)
        world.env.inject_error("PATCH", "/webhooks/*/@original", status=404, code=10008)
        made = await deferred(world, ada.press(Verb.LESSON, FIRST.name, on=listed))
        shown = ada.latest_private()
        assert kinds(made)[-1] == f"PATCH webhooks {shown.id}"
        assert pictures(shown) == [LESSON_FILE]


async def test_private_page_is_not_written_into_a_lost_public_answer(
    world: World, lossy: LossyDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The public line was accepted, but both its answer and the check for it were lost."""
    (ada,) = world.people("Ada")
    world.repeats_answers = True
    lossy.lost_answers = 1
    world.env.inject_error("GET", "/webhooks/*/@original", status=503)

    async def answered(interaction: discord.Interaction[Any], *_: Any, **__: Any) -> None:
        reply = Reply(interaction)
        with suppress(aiohttp.ClientError):
            await reply.send_to_all("for all")
        message_id = await reply.show_beside(Page(words("private")))
        await reply.private_message(message_id).edit(Page(words("still private")))

    group = world.bot.tree.get_command("tichu")
    assert isinstance(group, discord.app_commands.Group)
    command = group.get_command("hand")
    monkeypatch.setattr(command, "_callback", answered)
    monkeypatch.setattr(command, "binding", None)
    await ada.slash("tichu hand")
    (line,) = ada.public()
    assert text(line) == "for all"
    (private,) = ada.private()
    assert text(private) == "still private"
