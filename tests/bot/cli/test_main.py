"""`python -m bot`: exit statuses, one-line errors and a clean end.

Tests of imports and of `run --stay` use real processes; see also `test_one_bot.py`.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot import __version__
from bot.__main__ import main
from bot.runtime.heartbeat import Heartbeat
from bot.storage import StorageUnavailable, StorageUnfit
from tests.bot.cli.stand_ins import TOKEN, VARIABLES, TichuBot


@pytest.mark.usefixtures("client")
def test_reports_a_missing_token(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DISCORD_TOKEN")
    assert main([]) == 78
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("DISCORD_TOKEN is not set: copy ")
    assert told.err.count("\n") == 1


@pytest.mark.usefixtures("client")
@pytest.mark.parametrize("command", [[], ["run"], ["sync"]])
def test_reports_wrong_settings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", "mysql://localhost/tichu")
    assert main(command) == 78
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("DATABASE_URL is 'mysql://localhost/tichu', but it must be ")
    assert told.err.count("\n") == 1
    assert TOKEN not in told.err


@pytest.mark.usefixtures("client")
def test_health_returns_its_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["health"]) == 1
    told = capsys.readouterr()
    assert told.err.startswith("The bot is not running: ")
    assert (told.out, told.err.count("\n")) == ("", 1)
    Heartbeat(tmp_path / "heartbeat").beat()
    assert main(["health"]) == 0
    assert capsys.readouterr() == ("", "")
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_bytes(b"\xff")
    monkeypatch.delenv("HEARTBEAT_FILE")
    assert main(["health"]) == 1  # Docker reserves 2
    assert capsys.readouterr().err.count("\n") == 1


def test_health_reads_the_place_of_the_heartbeat_from_the_settings(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for variable in ("HEARTBEAT_FILE", "heartbeat_file"):
        monkeypatch.delenv(variable, raising=False)
    Heartbeat(tmp_path / "data" / "heartbeat").beat()
    assert main(["health"]) == 0
    (tmp_path / ".env").write_text("heartbeat_file=elsewhere # a comment\n", "utf-8-sig")
    assert main(["health"]) == 1
    Heartbeat(tmp_path / "elsewhere").beat()
    assert main(["health"]) == 0
    monkeypatch.setenv("HEARTBEAT_FILE", "nowhere")
    assert main(["health"]) == 1


def test_health_imports_no_more_than_it_needs(environment: dict[str, str], tmp_path: Path) -> None:
    Heartbeat(tmp_path / "heartbeat").beat()
    code = (
        "import runpy, sys; sys.argv[1:] = ['health']\n"
        "try: runpy.run_module('bot', run_name='__main__', alter_sys=True)\n"
        "except SystemExit as end: status = end.code\n"
        "sys.exit(3 if {'argparse', 'pydantic', 'dotenv'} & sys.modules.keys() else status)"
    )
    finished = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, check=False
    )
    assert finished.returncode == 0


def test_prints_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert (ended.value.code, capsys.readouterr().out) == (0, f"tichu-bot {__version__}\n")


def test_refuses_an_unknown_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["dance"])
    assert ended.value.code == 2
    assert "usage: python -m bot" in capsys.readouterr().err


def test_runs_the_bot(client: type[TichuBot]) -> None:
    assert main([]) == 0
    assert client.done == ["made", "logged in", "closed"]


@pytest.mark.parametrize("before", ["missing", "empty", "in use"])
def test_warns_of_a_new_database(
    client: type[TichuBot], tmp_path: Path, caplog: pytest.LogCaptureFixture, before: str
) -> None:
    """A wrong path, or a lost volume, would give an empty bot without a word."""
    file = tmp_path / "tichu.db"
    if before != "missing":
        file.write_bytes(b"" if before == "empty" else b"SQLite format 3")
    main(["run"])
    warning = f"no database at {file}; creating an empty one"
    assert ([r.message for r in caplog.records].count(warning)) == (before != "in use")


def test_syncs_commands(client: type[TichuBot], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sync"]) == 0
    assert client.done == ["made", "logged in", "synced", "closed"]
    assert capsys.readouterr().out == "11 commands synced.\n"


def test_reports_a_damaged_database_before_connecting(
    environment: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def asked(*_: object) -> None:
        raise AssertionError("Discord was asked")

    for name in VARIABLES & environment.keys():
        monkeypatch.setenv(name, environment[name])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bot.cli.console.set_up_logging", lambda *_, **__: None)
    monkeypatch.setattr(discord.http.HTTPClient, "static_login", asked)
    (tmp_path / "tichu.db").write_text("Dear diary, " * 500)
    assert main([]) == 78
    errors = capsys.readouterr().err
    assert "the file is not a database" in errors
    assert "`python -m bot restore FILE`" in errors
    assert errors.count("\n") == 1


def answer(status: int, text: str, **headers: str) -> discord.HTTPException:
    """Return the error that discord.py raises for an answer with this status."""
    kinds = {403: discord.Forbidden, 404: discord.NotFound}
    kind = kinds.get(status, discord.DiscordServerError if status >= 500 else discord.HTTPException)
    response: Any = SimpleNamespace(status=status, reason="", headers=headers)
    return kind(response, text)


def closed(code: int) -> discord.ConnectionClosed:
    """Return the error that discord.py raises when Discord closes the connection for good."""
    socket: Any = SimpleNamespace(close_code=code)
    return discord.ConnectionClosed(socket, shard_id=0, code=code)


def no_gateway(cause: Exception | None) -> discord.GatewayNotFound:
    """Return the error that discord.py raises when the gateway address cannot be fetched."""
    error = discord.GatewayNotFound()  # type: ignore[no-untyped-call]
    error.__cause__ = cause
    return error


FOR_A_PERSON = [
    (discord.LoginFailure("no"), "DISCORD_TOKEN is refused by Discord: copy "),
    (closed(4004), "DISCORD_TOKEN is refused by Discord: copy "),
    (answer(401, "no"), "DISCORD_TOKEN is refused by Discord: copy "),
    (no_gateway(answer(401, "no")), "DISCORD_TOKEN is refused by Discord: copy "),
    (StorageUnfit("The file\nis of another program."), "The file is of another program.\n"),
    (answer(403, "Missing Access"), "Discord forbids this (Missing Access): if DEV_GUILD_ID "),
    (answer(400, "Bad\nform"), "Discord refuses this (400, error code 0: Bad form).\n"),
    (answer(404, "Nothing"), "Discord refuses this (404, error code 0: Nothing).\n"),
    (discord.PrivilegedIntentsRequired(0), "Discord refuses what the bot wants to hear of"),
    (closed(4010), "Discord knows no such shard (4010)"),
    (closed(4013), "Discord does not know what the bot wants to hear of"),
    (closed(4014), "Discord refuses what the bot wants to hear of"),
    (closed(4012), "Discord does not speak with this version of the bot"),
]
PASSES = [
    (aiohttp.ClientConnectionError("no network"), "Discord cannot be reached: no network", 5),
    (TimeoutError(), "Discord cannot be reached: TimeoutError", 5),
    (answer(503, "<html>"), "Discord cannot be reached: it answers 503", 5),
    (no_gateway(answer(502, "<html>")), "Discord cannot be reached: it answers 502", 5),
    (no_gateway(None), "Discord cannot be reached: The gateway", 5),
    (answer(429, "slow"), "Discord wants fewer requests", 30),
    (answer(429, "slow", **{"Retry-After": "4000"}), "Discord wants fewer requests", 4000),
    (answer(429, "slow", **{"Retry-After": "tomorrow"}), "Discord wants fewer requests", 30),
    (no_gateway(answer(429, "slow")), "Discord wants fewer requests", 30),
    (discord.RateLimited(700), "Discord wants fewer requests", 700),
    (KeyError("retry_after"), "Discord wants fewer requests", 30),
    (closed(4011), "Discord wants more shards of the bot (4011)", 5),
    (StorageUnavailable("The disk is full."), "The disk is full.", 5),
]


@pytest.mark.parametrize("problem, sentence", FOR_A_PERSON)
@pytest.mark.parametrize("command", ["run", "sync"])
def test_permanent_problem_is_one_line(
    client: type[TichuBot],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    problem: Exception,
    sentence: str,
    command: str,
) -> None:
    """It is tried only once, and the exit status says that a retry is pointless."""
    monkeypatch.setattr(client, "problem", problem)
    assert main([command]) == 78
    errors = capsys.readouterr().err
    assert errors.startswith(sentence)
    assert errors.count("\n") == 1
    assert client.done.count("closed") == 1


@pytest.mark.parametrize("problem, sentence, pause", PASSES)
def test_temporary_problem_is_retried(
    client: type[TichuBot],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    naps: list[float],
    problem: Exception,
    sentence: str,
    pause: float,
) -> None:
    """If the process ended, a supervisor would restart it in a loop and Discord would block it."""
    monkeypatch.setattr(client, "problem", problem)
    monkeypatch.setattr(client, "passes_after", 3)
    with caplog.at_level(logging.WARNING):
        assert main([]) == 0
    assert client.done[-2:] == ["logged in", "closed"]
    assert client.done.count("closed") == 4
    assert naps[0] == pause
    assert naps[0] <= naps[1] <= naps[2]
    lines = [record.getMessage() for record in caplog.records if record.name == "bot"]
    assert [line.startswith(sentence) for line in lines] == [True] * 3
    assert not any(record.exc_info or "\n" in record.getMessage() for record in caplog.records)


def test_pauses_between_attempts_are_bounded(
    client: type[TichuBot], monkeypatch: pytest.MonkeyPatch, naps: list[float]
) -> None:
    monkeypatch.setattr(client, "passes_after", 40)
    monkeypatch.setattr(client, "problem", answer(503, "<html>"))
    assert main([]) == 0
    assert (len(naps), max(naps)) == (40, 60)


@pytest.mark.parametrize("problem, sentence", [each[:2] for each in PASSES])
def test_sync_does_not_retry(
    client: type[TichuBot],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    problem: Exception,
    sentence: str,
) -> None:
    monkeypatch.setattr(client, "problem", problem)
    assert main(["sync"]) == 1
    errors = capsys.readouterr().err
    assert errors.startswith(sentence)
    assert errors.count("\n") == 1


MEND = "The bot is waiting to be stopped; fix this, then start it again.\n"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_run_stay_waits_to_be_stopped(environment: dict[str, str], tmp_path: Path) -> None:
    """For supervisors that restart every process that ends, such as compose."""
    del environment["DISCORD_TOKEN"]
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "run", "--stay"],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline().startswith("DISCORD_TOKEN is not set: ")
    assert process.stderr.readline() == MEND
    assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    output, errors = process.communicate()
    assert (process.returncode, output, errors) == (78, "", "")


@pytest.mark.usefixtures("client")
def test_run_stay_ends_at_ctrl_c(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DISCORD_TOKEN")
    wait = threading.Event.wait

    def wait_for_ctrl_c(event: threading.Event, timeout: float | None = None) -> bool:
        if threading.current_thread() is threading.main_thread():
            signal.raise_signal(signal.SIGINT)
        return wait(event, timeout)  # a progress bar of another test may still have its thread

    monkeypatch.setattr(threading.Event, "wait", wait_for_ctrl_c)
    before = signal.getsignal(signal.SIGTERM)
    try:
        assert main(["run", "--stay"]) == 78
    finally:
        signal.signal(signal.SIGTERM, before)
    output, errors = capsys.readouterr()
    assert (output, errors.count("\n"), errors.endswith(MEND)) == ("", 2, True)


def test_run_stay_ends_where_a_retry_may_help(
    client: type[TichuBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "problem", ValueError("a mistake of ours"))
    assert main(["run", "--stay"]) == 1


def test_unhandled_exception_is_logged_without_its_text(
    client: type[TichuBot], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Games are replayed at a start, so the text may name cards."""
    monkeypatch.setattr(client, "problem", ValueError("S2 DRAGON"))
    assert main(["run"]) == 1
    assert "unhandled exception" in caplog.text
    assert "raise " in caplog.text
    assert caplog.text.rstrip().endswith("ValueError")
    assert "DRAGON" not in caplog.text


def test_error_in_a_callback_is_logged_without_its_text(
    client: type[TichuBot], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    cards = "S2 DRAGON"

    async def login(bot: TichuBot, token: str) -> None:
        asyncio.get_running_loop().call_soon(int, cards)
        await asyncio.sleep(0)

    monkeypatch.setattr(client, "login", login)
    assert main(["sync"]) == 0
    (line,) = [text for text in caplog.messages if text.startswith("Exception in callback")]
    assert line.endswith("ValueError")
    assert cards not in caplog.text


def test_operating_system_error_is_logged_with_its_text(
    client: type[TichuBot], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The operator has to know what to fix."""
    monkeypatch.setattr(client, "problem", OSError("no space left on the device"))
    assert main(["run"]) == 1
    assert "no space left on the device" in caplog.text


def test_cancellation_stops_the_bot(
    client: type[TichuBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "problem", asyncio.CancelledError())
    assert main(["run"]) == 0
    assert client.done[-1] == "closed"


def test_closed_output_pipe_is_no_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The reader may be `head`."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as stdout:
        monkeypatch.setattr(sys, "stdout", stdout)
        assert main(["verify", SECRET, *AT_A_TABLE]) == 0
    assert capsys.readouterr().err == ""


# --- verify ----------------------------------------------------------------------------------

SECRET = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
COMMITMENT = "05024012157cbd98781e44c64147bec9c82556ce7a8390e9e666274430dadde1"
AT_A_TABLE = ("--table", "12", "--round", "3", "--word", " caf\u00e9", "--word", "\u2663  lucky ")


@pytest.mark.usefixtures("client")
def test_verify_needs_no_settings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.delenv("DISCORD_TOKEN")
    given = ["verify", SECRET, *AT_A_TABLE, "--dealer", "2", "--commitment", COMMITMENT]
    assert main(given) == 0
    told = capsys.readouterr()
    assert told.err == ""
    commitment, verdict, deck, *hands = told.out.splitlines()
    assert commitment == f"commitment: {COMMITMENT}"
    assert "belongs" in verdict
    cards = deck.removeprefix("deck: ").split()
    assert cards[:4] == ["P5", "S3", "P7", "P4"]
    assert [hand.split(":")[0] for hand in hands] == ["seat 1", "seat 2", "seat 3", "seat 4"]
    for place in range(4):  # the dealer is seat 2
        held = hands[(place + 1) % 4].split(": ")[1].split()
        assert sorted(held) == sorted(cards[place::4])
    assert not list(tmp_path.glob("*.db"))


def test_verify_reports_a_different_commitment(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", SECRET, "--commitment", COMMITMENT.upper()]) == 0
    assert "--table" in capsys.readouterr().out
    assert main(["verify", SECRET, "--commitment", SECRET]) == 1
    assert "NOT" in capsys.readouterr().out


def test_verify_prints_the_first_dealer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["verify", SECRET, "--table", "1"]) == 0
    assert "first dealer, if drawn: seat 2" in capsys.readouterr().out
    assert main(["verify", SECRET, *AT_A_TABLE]) == 0
    assert "first dealer" not in capsys.readouterr().out


def test_verify_orders_hands_by_the_direction_of_play(capsys: pytest.CaptureFixture[str]) -> None:
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
def test_verify_reports_errors_in_one_line(
    arguments: tuple[str, ...], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", *arguments]) == 2
    told = capsys.readouterr()
    assert problem in told.err
    assert (told.out, told.err.count("\n")) == ("", 1)
