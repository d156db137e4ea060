"""Emoji uploads at the start of the bot: beside the games, with retries."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import discord
import pytest
from simcord import Env

from bot.art.names import CARDS, pictures
from bot.art.uploads import UploadedEmojis
from bot.client import TichuBot
from bot.live.leases import Leases
from bot.live.service import Tables
from tests.bot.test_client import Home, a_table
from tests.simcord_clicks import messages

ROUTE = "/applications/*/emojis"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def uploads(env: Env) -> int:
    return sum(entry.method == "POST" and "emojis" in entry.path for entry in env.http_requests)


async def test_uploads_emojis_once_and_uses_them(home: Home) -> None:
    bot = home.bot()
    async with home.running(bot) as env:
        await env.settle()
        uploaded = {emoji.name for emoji in env.backend.application_emojis.values()}
        assert uploaded == set(pictures())
        assert bot.art.card("S8").startswith("<:sword_8:")
        again = home.bot()
        cursor = len(env.http_requests)
        await home.restart(again)
        await env.settle()
        assert again.art.card("S8") == bot.art.card("S8")
        assert "POST" not in {request.method for request in env.http_requests[cursor:]}


async def test_loads_emojis_later_after_a_failure(home: Home) -> None:
    async with home.running(home.bot()) as env:
        await env.settle()
        again = home.bot()
        env.inject_error("GET", "/applications/*/emojis", status=503, times=3)
        await home.restart(again)
        await env.settle()
        assert not again.art.card("S8").startswith("<")
        await env.advance_time(60 + 120)
        assert again.art.card("S8").startswith("<:sword_8:")


async def test_tables_are_activated_when_the_emojis_are_known(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise their messages would be plain text until the next change."""
    wake, known = Tables.activate_all, []

    def noted_wake(tables: Tables) -> None:
        known.append(again.art.card_emoji("S8") is not None)
        wake(tables)

    bot, again = home.bot(), home.bot()
    async with home.running(bot) as env:
        await env.settle()
        monkeypatch.setattr(Tables, "activate_all", noted_wake)
        await home.restart(again)
        await env.settle()
    assert known == [True]


async def test_knows_the_emojis_before_the_first_click(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord sends clicks as soon as a shard is connected, which is after `setup_hook`."""
    set_up, known = TichuBot.setup_hook, []

    async def noted(bot: TichuBot) -> None:
        await set_up(bot)
        known.append(bot.art.card_emoji("S8") is not None)

    async with home.running(home.bot()) as env:
        await env.settle()
        monkeypatch.setattr(TichuBot, "setup_hook", noted)
        await home.restart(home.bot())
        await env.settle()
    assert known == [True]


async def test_retries_failed_uploads_with_growing_pauses(home: Home) -> None:
    async with home.running(home.bot(), beforehand=fails) as env:
        await env.settle()
        tries = [uploads(env)]
        for seconds in (59, 1, 119, 1, 239, 1):
            await env.advance_time(seconds)
            tries.append(uploads(env))
        assert tries == [1, 1, 2, 2, 3, 3, 4]
        env.backend.faults.clear()
        await env.advance_time(480)
        assert uploads(env) == 4 + len(pictures())
        assert len(env.backend.application_emojis) == len(pictures())


def fails(env: Env) -> None:
    env.inject_error("POST", ROUTE, status=503, times=None)


async def test_does_not_upload_before_the_retry_time(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = home.bot()

    async def banned(**_: object) -> discord.Emoji:
        assert isinstance(bot.art, UploadedEmojis)
        bot.art.on_rate_limit(3000.0, accepted=False)
        raise TimeoutError

    with monkeypatch.context() as patch:
        patch.setattr(bot, "create_application_emoji", banned)
        async with home.running(bot) as env:
            await env.settle()
            patch.undo()
            await env.advance_time(2999)
            assert uploads(env) == 0
            await env.advance_time(1)
            assert uploads(env) == len(pictures())


async def test_play_and_shutdown_do_not_wait_for_uploads(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    cancelled: list[bool] = []

    async def waits(**_: object) -> discord.Emoji:
        try:
            await bot.clock.sleep(3600)
        except asyncio.CancelledError:
            cancelled.append(True)
            raise
        raise TimeoutError

    bot = home.bot()
    monkeypatch.setattr(bot, "create_application_emoji", waits)
    async with home.running(bot) as env:
        ada = await a_table(home)
        assert messages(env, ada.channel)
        await bot.close()
        assert cancelled == [True]


async def test_unhandled_exception_does_not_end_uploads(
    home: Home, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """For example discord.py's `KeyError` for a 429 without a retry time."""
    bot = home.bot()

    async def fail(**_: object) -> discord.Emoji:
        raise KeyError("retry_after")

    with monkeypatch.context() as patch:
        patch.setattr(bot, "create_application_emoji", fail)
        async with home.running(bot) as env:
            await env.settle()
            assert "KeyError" in caplog.text
            patch.undo()
            await env.advance_time(60)
            assert all(bot.art.card_emoji(card) for card in CARDS)


async def test_uses_emojis_uploaded_by_another_process(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    exclusive = Leases.exclusive

    @asynccontextmanager
    async def never(leases: Leases, work: str) -> AsyncIterator[None]:
        if work == "pictures":
            await bot.clock.sleep(24 * 3600)  # another process holds the lease
        async with exclusive(leases, work):
            yield

    monkeypatch.setattr(Leases, "exclusive", never)
    bot = home.bot(shard_count=1, shard_ids="0")
    async with home.running(bot) as env:
        await env.settle()
        for name in pictures():
            env.backend.create_application_emoji(name)
        await env.advance_time(59)
        assert not any(bot.art.card_emoji(card) for card in CARDS)
        await env.advance_time(1)
        assert all(bot.art.card_emoji(card) for card in CARDS)
        assert uploads(env) == 0
