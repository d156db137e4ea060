"""`python -m bot`: exit statuses, one-line complaints, and a clean end.

The settings' errors and the signals are tried in real processes, with a stand-in for the client.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import ClassVar, Self

import aiohttp
import discord
import pytest

from bot.__main__ import main
from bot.runtime.heartbeat import Heartbeat
from bot.runtime.settings import Settings

ROOT = Path(__file__).parents[3]
TOKEN = "MTA.Gx1.not-a-real-token"
VARIABLES = {name.upper() for name in Settings.model_fields}

STAND_IN = """
import asyncio, sys, types
client = types.ModuleType("bot.client")
class TichuBot:
    def __init__(self, settings): pass
    async def __aenter__(self): return self
    async def __aexit__(self, *problem):
        print("closing", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        print("closed", flush=True)
    async def start(self, token):
        print("started", flush=True)
        await asyncio.Event().wait()
client.TichuBot = TichuBot
storage = types.ModuleType("bot.storage")
class StorageUnavailable(Exception): pass
storage.StorageUnavailable = StorageUnavailable
sys.modules.update({"bot.client": client, "bot.storage": storage})
from bot.__main__ import main
sys.exit(main([]))
"""


class StorageUnavailable(Exception):
    """Stands in for the storage's own."""


class TichuBot:
    """Stands in for the client: starts with the given problem, counts what is done with it."""

    problem: ClassVar[BaseException | None] = None
    done: ClassVar[list[str]] = []

    def __init__(self, settings: Settings) -> None:
        self.done.append(f"made, sync {settings.sync_commands}")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.done.append("closed")

    async def start(self, token: str) -> None:
        await self.login(token)

    async def login(self, token: str) -> None:
        assert token == TOKEN
        if self.problem is not None:
            raise self.problem
        self.done.append("logged in")

    async def sync_commands(self) -> int:
        self.done.append("synced")
        return 11


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The environment of a process whose settings are all right."""
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
    """The stand-in in the place of `bot.client`, and right settings for this process."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name in VARIABLES & environment.keys():
        monkeypatch.setenv(name, environment[name])
    monkeypatch.chdir(tmp_path)
    modules = {"bot.client": TichuBot, "bot.storage": StorageUnavailable}
    for name, thing in modules.items():
        module = ModuleType(name)
        setattr(module, thing.__name__, thing)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(TichuBot, "done", [])
    monkeypatch.setattr("bot.cli.console.set_up_logging", lambda *_, **__: None)
    for name in ("warn_nacl", "warn_dave"):  # set by main, put back afterwards
        monkeypatch.setattr(discord.VoiceClient, name, True)
    return TichuBot


def run(
    environment: dict[str, str], folder: Path, *arguments: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("command", [[], ["run"], ["sync"]])
def test_without_a_token(environment: dict[str, str], tmp_path: Path, command: list[str]) -> None:
    del environment["DISCORD_TOKEN"]
    result = run(environment, tmp_path, *command)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("DISCORD_TOKEN is not set: copy ")
    assert result.stderr.count("\n") == 1


def test_with_a_wrong_database(environment: dict[str, str], tmp_path: Path) -> None:
    environment["DATABASE_URL"] = "mysql://localhost/tichu"
    result = run(environment, tmp_path)
    assert result.returncode == 2
    assert result.stderr.startswith("DATABASE_URL is 'mysql://localhost/tichu', but it must be ")
    assert result.stderr.count("\n") == 1
    assert TOKEN not in result.stderr


def test_health(environment: dict[str, str], tmp_path: Path) -> None:
    result = run(environment, tmp_path, "health")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("The bot is not running: ")
    assert result.stderr.count("\n") == 1
    Heartbeat(tmp_path / "heartbeat").beat()
    result = run(environment, tmp_path, "health")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_health_is_bad_without_settings(environment: dict[str, str], tmp_path: Path) -> None:
    del environment["DISCORD_TOKEN"]
    result = run(environment, tmp_path, "health")
    assert result.returncode == 1  # Docker reserves 2
    assert result.stderr.count("\n") == 1


def test_health_does_not_wait_for_discord(environment: dict[str, str], tmp_path: Path) -> None:
    Heartbeat(tmp_path / "heartbeat").beat()
    code = (
        "import sys; from bot.__main__ import main; status = main(['health'])\n"
        "sys.exit(3 if {'discord', 'sqlalchemy'} & sys.modules.keys() else status)"
    )
    finished = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, check=False
    )
    assert finished.returncode == 0


def test_an_unknown_command(environment: dict[str, str], tmp_path: Path) -> None:
    result = run(environment, tmp_path, "dance")
    assert result.returncode == 2
    assert "usage: python -m bot" in result.stderr


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_closes_the_bot(environment: dict[str, str], tmp_path: Path, number: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", STAND_IN],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "started\n"
    process.send_signal(number)
    assert process.stdout.readline() == "closing\n"
    if number == signal.SIGTERM:
        process.send_signal(number)  # a second one must not spoil the closing
    output, errors = process.communicate("go on\n")
    assert (process.returncode, output, errors) == (0, "closed\n", "")


def test_run(client: type[TichuBot]) -> None:
    assert main([]) == 0
    assert client.done == ["made, sync auto", "logged in", "closed"]


def test_sync(client: type[TichuBot], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sync"]) == 0
    assert client.done == ["made, sync never", "logged in", "synced", "closed"]
    assert capsys.readouterr().out == "11 commands synced.\n"


class Refusal:
    """The little of an HTTP response that discord.py's exceptions look at."""

    status = 403
    reason = "Forbidden"


@pytest.mark.parametrize(
    "problem, status, sentence",
    [
        (discord.LoginFailure("no"), 2, "DISCORD_TOKEN is refused by Discord: copy "),
        (StorageUnavailable("The disk\nis full."), 2, "The disk is full.\n"),
        (aiohttp.ClientConnectionError("no network"), 1, "Discord cannot be reached: no network"),
        (
            discord.Forbidden(Refusal(), "Missing Access"),
            2,
            "Discord forbids this (Missing Access): if DEV_GUILD_ID ",
        ),
    ],
)
def test_a_problem_that_people_can_mend_is_one_line(
    client: type[TichuBot],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    problem: Exception,
    status: int,
    sentence: str,
) -> None:
    monkeypatch.setattr(client, "problem", problem)
    assert main(["run"]) == status
    errors = capsys.readouterr().err
    assert errors.startswith(sentence)
    assert errors.count("\n") == 1
    assert client.done[-1] == "closed"


def test_a_mistake_of_ours_is_logged_without_its_text(
    client: type[TichuBot], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Games are played again at a start: the text may name cards."""
    monkeypatch.setattr(client, "problem", ValueError("S2 DRAGON"))
    assert main(["run"]) == 1
    assert "nobody foresaw" in caplog.text
    assert "raise " in caplog.text
    assert caplog.text.rstrip().endswith("ValueError")
    assert "DRAGON" not in caplog.text


def test_a_problem_of_the_machine_is_logged_with_its_text(
    client: type[TichuBot], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The operator has to know what to mend."""
    monkeypatch.setattr(client, "problem", OSError("no space left on the device"))
    assert main(["run"]) == 1
    assert "no space left on the device" in caplog.text


def test_a_cancelled_bot_is_a_stopped_bot(
    client: type[TichuBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "problem", asyncio.CancelledError())
    assert main(["run"]) == 0
    assert client.done[-1] == "closed"


# --- verify ----------------------------------------------------------------------------------

SECRET = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
COMMITMENT = "05024012157cbd98781e44c64147bec9c82556ce7a8390e9e666274430dadde1"
AT_A_TABLE = ("--table", "12", "--round", "3", "--word", " caf\u00e9", "--word", "\u2663  lucky ")


def test_verify_needs_no_settings(environment: dict[str, str], tmp_path: Path) -> None:
    del environment["DISCORD_TOKEN"]
    arguments = ("verify", SECRET, *AT_A_TABLE, "--dealer", "2", "--commitment", COMMITMENT)
    done = run(environment, tmp_path, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    commitment, verdict, deck, *hands = done.stdout.splitlines()
    assert commitment == f"commitment: {COMMITMENT}"
    assert "belongs" in verdict
    cards = deck.removeprefix("deck: ").split()
    assert cards[:4] == ["P5", "S3", "P7", "P4"]
    assert [hand.split(":")[0] for hand in hands] == ["seat 1", "seat 2", "seat 3", "seat 4"]
    for place in range(4):  # the dealer is seat 2
        held = hands[(place + 1) % 4].split(": ")[1].split()
        assert sorted(held) == sorted(cards[place::4])
    assert not list(tmp_path.glob("*.db"))


def test_verify_tells_another_commitment(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", SECRET, "--commitment", COMMITMENT.upper()]) == 0
    assert "--table" in capsys.readouterr().out
    assert main(["verify", SECRET, "--commitment", SECRET]) == 1
    assert "NOT" in capsys.readouterr().out


def test_verify_gives_the_first_dealer_of_the_first_round(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["verify", SECRET, "--table", "1"]) == 0
    assert "first dealer, if drawn: seat 2" in capsys.readouterr().out
    assert main(["verify", SECRET, *AT_A_TABLE]) == 0
    assert "first dealer" not in capsys.readouterr().out


def test_verify_turns_the_hands_with_the_direction(capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for direction in ("anticlockwise", "clockwise"):
        option = f"direction={direction}"
        given = ["verify", SECRET, "--table", "1", "--dealer", "1", "--option", option]
        assert main(given) == 0
        found.append([line for line in capsys.readouterr().out.splitlines() if "seat " in line[:5]])
    plain, turned = ([line.split(": ")[1] for line in lines] for lines in found)
    assert turned == [plain[0], plain[3], plain[2], plain[1]]


@pytest.mark.parametrize(
    "arguments, problem",
    [
        (("12",), "64 hexadecimal digits"),
        (("zz" * 32,), "64 hexadecimal digits"),
        ((SECRET, "--table", "-1"), "2^64"),
        ((SECRET, "--table", "1", "--round", "0"), "2^32"),
        ((SECRET, "--table", "1", "--word", "x" * 65), "1 to 64"),
        ((SECRET, "--table", "1", "--word", ""), "1 to 64"),
        ((SECRET, "--table", "1", "--dealer", "5"), "from 1 to 4"),
        ((SECRET, "--table", "1", "--option", "sauce=red"), "not an option"),
        ((SECRET, "--table", "1", "--option", "target=7"), "target"),
    ],
)
def test_verify_complains_in_one_line(
    arguments: tuple[str, ...], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", *arguments]) == 2
    told = capsys.readouterr()
    assert problem in told.err
    assert (told.out, told.err.count("\n")) == ("", 1)
