"""Commands refused by Discord: the bot runs, logs the reason, and retries."""

from __future__ import annotations

import logging
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord import app_commands
from simcord import Env

from bot.cli.start_problems import problem_of
from bot.runtime import command_sync
from tests.bot.test_client import Home, a_table, synced
from tests.simcord_clicks import messages
from tests.strict_places import know_places

ROUTE = "/applications/*/commands"
INVALID = {
    "code": 50035,
    "message": "Invalid Form Body",
    "errors": {"0": {"description": {"_errors": [{"code": "BAD_LENGTH", "message": "Too long."}]}}},
}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def invalid(*_: object, **__: object) -> Any:
    response: Any = SimpleNamespace(status=400, reason="Bad Request")
    raise discord.HTTPException(response, INVALID)


async def more(interaction: discord.Interaction[Any]) -> None:
    """Do nothing."""


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [text for text in caplog.messages if "slash commands" in text]


async def test_refused_commands_are_logged_with_their_reason_and_the_bot_runs(
    home: Home, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = home.bot()
    monkeypatch.setattr(discord.http.HTTPClient, "bulk_upsert_global_commands", invalid)
    async with home.running(bot) as env:
        await env.settle()
        (line,) = told(caplog)
        assert "400" in line
        assert "50035" in line
        assert "tichu" in line
        assert "description: Too long." in line
        assert "python -m bot sync" in line, "none were registered before"
        assert "\n" not in line
        assert bot.beaten_at is not None, "it has started"
        await env.advance_time(2 * 3600)  # twice the longest pause between retries
        assert len(told(caplog)) == 1


async def test_refused_commands_keep_the_registered_ones(
    home: Home, caplog: pytest.LogCaptureFixture
) -> None:
    async with home.running(home.bot()) as env:
        newer = home.bot()
        newer.tree.add_command(app_commands.Command(name="more", description="X", callback=more))
        env.inject_error("PUT", ROUTE, status=403, code=50001, message="Missing Access")
        await home.restart(newer)
        await env.settle()
        assert messages(env, (await a_table(home)).channel)
        (line,) = told(caplog)
        assert "50001" in line
        assert "Missing Access" in line
        assert "stay in use" in line
        assert "python -m bot sync" not in line


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_commands_are_registered_after_an_outage(
    home: Home, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    def fails(env: Env) -> None:
        env.inject_error("PUT", ROUTE, status=status, times=3)

    caplog.set_level(logging.INFO, logger=command_sync.__name__)
    bot = home.bot()
    async with home.running(bot, beforehand=fails) as env:
        await env.settle()
        assert bot.beaten_at is not None, "it has started"
        await env.advance_time(60 + 120 + 239)
        assert len(told(caplog)) == 3
        assert "retrying in 240 s" in told(caplog)[-1]
        await env.advance_time(1)
        assert len(told(caplog)) == 3
        assert any("2 commands synced" in text for text in caplog.messages)
        assert len(synced(env)) == 4
        assert await home.restart(home.bot()) == []


async def test_sync_prints_the_refusal_in_one_sentence(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = home.bot()
    async with home.running(bot):
        monkeypatch.setattr(bot.http, "bulk_upsert_global_commands", invalid)
        with pytest.raises(discord.HTTPException) as refused:
            await bot.sync_commands()
    problem = problem_of(refused.value)
    assert problem is not None
    assert not problem.passes
    assert "tichu" in problem.sentence
    assert "description: Too long." in problem.sentence
    assert "\n" not in problem.sentence


def contexts(env: Env) -> dict[str, tuple[list[int], list[int]]]:
    """Return the installation and interaction contexts of each registered command."""
    registered = env.backend.commands[None].values()
    return {each["name"]: (each["integration_types"], each["contexts"]) for each in registered}


async def test_commands_have_the_installations_that_the_application_allows(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with home.running(home.bot()) as env:
        await env.settle()
        assert contexts(env) == {"tichu": ([0], [0, 1]), "Tichu profile": ([0], [0])}
        know_places(monkeypatch)  # there the application allows both
        await home.restart(home.bot())
        await env.settle()
        assert contexts(env) == {"tichu": ([0, 1], [0, 1, 2]), "Tichu profile": ([0], [0])}
