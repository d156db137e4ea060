"""Token and files of a real bot process and its child processes."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.runtime.heartbeat import check
from bot.runtime.settings import load_settings
from tests.bot.cli.stand_ins import TOKEN, VARIABLES, line

BOT = """
import asyncio, json, multiprocessing, os, runpy, sys, types
from pathlib import Path

class TichuBot:
    '''The parts of the bot that make files and processes, without Discord.'''
    def __init__(self, settings):
        from bot.computers.worker_pool import Workers
        from bot.pictures.process import Pictures
        from bot.runtime.heartbeat import Heartbeat
        self.settings, self.pictures = settings, Pictures()
        self.heartbeat = Heartbeat(settings.heartbeat_file)
        cache = settings.database_file.parent / "compiled"
        self.workers = Workers(1, cache, players="tests.bot.computers.strange_players")
    async def __aenter__(self):
        from bot.rating.ledger import LEDGER
        from bot.storage import Store
        self.store = await Store.open(self.settings.database_url, LEDGER)
        return self
    async def __aexit__(self, *problem):
        await self.workers.close()
        await self.pictures.close()
        await self.store.close()
    async def start(self, token):
        self.heartbeat.beat()
        await self.store.app_state.keep("a", "b")
        self.workers.start()
        painter = await self.pictures._running_process()
        while not self.workers.free:
            await asyncio.sleep(0.02)
        worker = self.workers._free[0]._process
        # What multiprocessing starts beside them, and what a command in a shell would get.
        others = [int(pid) for pid in self.children()]
        seen = await asyncio.create_subprocess_exec(
            sys.executable, "-c", "import json, os; print(json.dumps(dict(os.environ)))", stdout=-1
        )
        (environment, _) = await seen.communicate()
        folder = self.settings.database_file.parent
        modes = {str(path.relative_to(folder.parent)): path.stat().st_mode & 0o777
                 for path in (folder, *folder.rglob("*"))}
        told = {"token": token, "worker": worker.pid, "painter": painter.pid, "others": others,
                "environment": json.loads(environment), "modes": modes}
        print(json.dumps(told), flush=True)
        await asyncio.to_thread(sys.stdin.readline)
    def children(self):
        files = Path("/proc/self/task").glob("*/children")
        return [pid for file in files for pid in file.read_text().split()]

if __name__ == "__main__":
    client = types.ModuleType("bot.client")
    client.TichuBot = TichuBot
    sys.modules["bot.client"] = client
    sys.argv = ["bot"]
    runpy.run_module("bot", run_name="__main__", alter_sys=False)
"""

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc is Linux's")
"""Skips tests that read /proc on other systems."""


@contextmanager
def running(
    environment: dict[str, str], folder: Path, *, umask: int = 0
) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """Run a bot with a worker and a drawing process; yield it and what it reports of itself."""
    script = folder / "bot_of_a_test.py"
    script.write_text(BOT)
    with subprocess.Popen(
        [sys.executable, str(script)],
        cwd=folder,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        umask=umask,
    ) as process:
        try:
            told = line(process.stdout)
            assert told, "it has ended"
            yield process, json.loads(told)
            process.communicate("\n")
        finally:
            process.kill()


@pytest.fixture
def data(environment: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """Return the environment of a bot whose data folder does not exist yet."""
    return environment | {
        "DATABASE_URL": f"sqlite+aiosqlite:///{tmp_path}/data/tichu.db",
        "HEARTBEAT_FILE": str(tmp_path / "data" / "heartbeat"),
    }


def environment_of(process: int) -> str:
    """Return the environment with which a process was started."""
    return Path(f"/proc/{process}/environ").read_bytes().decode()


@linux
def test_child_processes_do_not_get_secrets(data: dict[str, str], tmp_path: Path) -> None:
    """Files that the bot creates are private to its user."""
    with running(data | {"POSTGRES_PASSWORD": "secret"}, tmp_path) as (bot, told):
        assert told["token"] == TOKEN
        started = {told["worker"], told["painter"], *told["others"]}
        assert len(started) >= 2
        for process in started:
            assert "HEARTBEAT_FILE=" in environment_of(process), "it is the environment of the bot"
            assert TOKEN not in environment_of(process)
            assert "DATABASE_URL=" not in environment_of(process)
            assert "POSTGRES_PASSWORD=" not in environment_of(process)
        assert TOKEN not in told["environment"].values()
        assert TOKEN in environment_of(bot.pid), "the system keeps what a process began with"
        modes = told["modes"]
        assert {"data", "data/heartbeat"} <= modes.keys()
        assert {f"data/tichu.db{end}" for end in ("", "-wal", "-shm", ".lock")} <= modes.keys()
        assert modes.pop("data") == 0o700
        assert {name for name, mode in modes.items() if mode & 0o077} == set()
        assert check(tmp_path / "data" / "heartbeat") is None, "its own user reads it"


@pytest.fixture
def command(
    data: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., None]]:
    """Run a command like `python -m bot` in a process with the usual umask."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name in VARIABLES & data.keys():
        monkeypatch.setenv(name, data[name])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bot.cli.console.set_up_logging", lambda *_, **__: None)

    def carry_out(*arguments: str) -> None:
        monkeypatch.setattr(sys, "argv", ["bot", *arguments])
        monkeypatch.delitem(sys.modules, "bot.__main__", raising=False)
        with pytest.raises(SystemExit) as ended:
            runpy.run_module("bot", run_name="__main__", alter_sys=False)
        assert ended.value.code == 0

    before = os.umask(0)
    yield carry_out
    os.umask(before)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_commands_write_private_files(
    command: Callable[..., None], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Files that others could read before become private."""
    database, told = tmp_path / "data" / "tichu.db", "was accessible to other users"
    command("rebuild")
    assert database.stat().st_mode & 0o777 == 0o600
    assert told not in caplog.text
    database.chmod(0o644)
    command("backup", "copy.db")
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600
    assert caplog.text.count(f"{database} {told}") == 1
    assert database.stat().st_mode & 0o777 == 0o600


def test_token_from_a_file_is_in_no_environment(
    monkeypatch: pytest.MonkeyPatch, data: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    for name in VARIABLES & data.keys() - {"DISCORD_TOKEN"}:
        monkeypatch.setenv(name, data[name])
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(tmp_path / "token"))
    assert load_settings(None).discord_token.get_secret_value() == TOKEN
    assert TOKEN not in os.environ.values()
