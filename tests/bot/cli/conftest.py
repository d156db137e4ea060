"""Fixtures for tests of commands: valid settings, a stand-in client, no real pauses.

The database answers in the thread of the command, because these tests are about commands.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import discord
import pytest

from tests.bot.cli.stand_ins import ROOT, TOKEN, VARIABLES, TichuBot
from tests.compiled_once import compile_once
from tests.same_thread import answer_in_this_thread


@pytest.fixture(autouse=True)
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the database answer in this thread."""
    answer_in_this_thread(monkeypatch)
    compile_once(monkeypatch)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Return an environment with valid settings."""
    kept = {name: value for name, value in os.environ.items() if name.upper() not in VARIABLES}
    return kept | {
        "DISCORD_TOKEN": TOKEN,
        "DATABASE_URL": f"sqlite+aiosqlite:///{tmp_path}/tichu.db",
        "HEARTBEAT_FILE": str(tmp_path / "heartbeat"),
        "PYTHONPATH": str(ROOT),
    }


@pytest.fixture
def client(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], tmp_path: Path
) -> type[TichuBot]:
    """Replace `bot.client` by the stand-in and give this process valid settings."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name in VARIABLES & environment.keys():
        monkeypatch.setenv(name, environment[name])
    monkeypatch.chdir(tmp_path)
    module = ModuleType("bot.client")
    module.TichuBot = TichuBot  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "bot.client", module)
    monkeypatch.setattr(TichuBot, "done", [])
    monkeypatch.setattr("bot.cli.console.set_up_logging", lambda *_, **__: None)
    for name in ("warn_nacl", "warn_dave"):  # set by main, restored afterwards
        monkeypatch.setattr(discord.VoiceClient, name, True)
    return TichuBot


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield the path of the configured database; there is no token."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{tmp_path}/bot.db")
    monkeypatch.setenv("HEARTBEAT_FILE", str(tmp_path / "heartbeat"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bot.cli.console.set_up_logging", lambda *_, **__: None)
    yield tmp_path / "bot.db"
    logging.getLogger("bot.storage").setLevel(logging.NOTSET)  # `check` lowers its level


@pytest.fixture
def naps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Collect the pauses between attempts in seconds; none takes real time."""
    slept: list[float] = []

    async def nap(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr("bot.cli.session.sleep", nap)
    return slept
