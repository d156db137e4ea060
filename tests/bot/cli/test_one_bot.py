"""One bot a database: what a second one says, and how one takes over from another."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.storage import StorageUnavailable, instance_lock
from tests.bot.cli.stand_ins import TichuBot, line, stand_in
from tests.bot.storage.lock_holder import is_taken


@pytest.fixture
def other_bot(environment: dict[str, str], tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A bot that runs on the database in a process of its own."""
    with stand_in(environment, tmp_path) as process:
        assert line(process.stdout) == "started\n"
        yield process


def test_a_second_bot_ends_with_a_sentence_that_names_the_first(
    client: type[TichuBot],
    naps: list[float],
    other_bot: subprocess.Popen[str],
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    tmp_path: Path,
) -> None:
    with caplog.at_level(logging.INFO):
        assert main([]) == 78
    errors = capsys.readouterr().err
    assert f"{tmp_path}/tichu.db is in use by `python -m bot run`" in errors
    assert f"process {other_bot.pid}, since " in errors
    assert errors.count("\n") == 1
    assert client.done == []
    assert sum(naps) > 30  # so long compose lets the first one end
    assert caplog.text.count("the bot waits up to") == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_a_bot_that_takes_over_waits_until_the_first_has_closed(
    environment: dict[str, str], tmp_path: Path, other_bot: subprocess.Popen[str]
) -> None:
    with stand_in(environment, tmp_path) as next_bot:
        assert f"in use by `python -m bot run`, process {other_bot.pid}" in line(next_bot.stderr)
        other_bot.send_signal(signal.SIGTERM)
        assert line(other_bot.stdout) == "closing\n"
        assert other_bot.communicate("go on\n") == ("closed\n", "")
        assert line(next_bot.stdout) == "started\n"
        next_bot.kill()
        assert next_bot.communicate() == ("", "")  # it has said once that it waits


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_after_kill_9_the_next_bot_starts_at_once(
    environment: dict[str, str], tmp_path: Path, other_bot: subprocess.Popen[str]
) -> None:
    other_bot.send_signal(signal.SIGKILL)
    other_bot.wait()
    with stand_in(environment, tmp_path) as next_bot:
        assert line(next_bot.stdout) == "started\n"
        next_bot.kill()
        assert next_bot.communicate() == ("", "")


def test_a_bot_that_tries_again_keeps_the_database(
    client: type[TichuBot],
    naps: list[float],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    tmp_path: Path,
) -> None:
    """While Discord cannot be reached, too: else two would take turns."""
    taken: list[bool] = []

    class Fails(TichuBot):
        async def start(self, token: str) -> None:
            taken.append(is_taken(tmp_path / "tichu.db"))
            await super().start(token)

    monkeypatch.setattr(sys.modules["bot.client"], "TichuBot", Fails)
    monkeypatch.setattr(client, "problem", TimeoutError())
    monkeypatch.setattr(client, "passes_after", 2)
    assert main([]) == 0
    assert taken == [True] * 3
    assert "in use by" not in caplog.text
    assert not is_taken(tmp_path / "tichu.db")


def test_a_lock_for_which_the_disk_has_no_room_is_waited_for(
    client: type[TichuBot],
    naps: list[float],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    take, tries = instance_lock.take, count()

    def full(database: Path, command: str) -> instance_lock.InstanceLock:
        if next(tries) < 2:
            raise StorageUnavailable("The file cannot be made: No space left on device.")
        return take(database, command)

    monkeypatch.setattr(instance_lock, "take", full)
    assert main([]) == 0
    assert len(naps) == 2
    assert caplog.text.count("No space left on device. The bot tries again in ") == 2
    assert client.done[-2:] == ["logged in", "closed"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_a_bot_that_waits_for_another_one_can_be_stopped(
    environment: dict[str, str], tmp_path: Path, other_bot: subprocess.Popen[str]
) -> None:
    with stand_in(environment, tmp_path) as next_bot:
        assert "the bot waits" in line(next_bot.stderr)
        next_bot.send_signal(signal.SIGTERM)
        assert next_bot.communicate() == ("", "")
        assert next_bot.returncode == 0
    assert other_bot.poll() is None


def test_commands_are_told_to_discord_beside_a_bot(
    client: type[TichuBot], other_bot: subprocess.Popen[str]
) -> None:
    assert main(["sync"]) == 0
    assert other_bot.poll() is None


def test_ratings_are_not_rebuilt_beside_a_bot(
    client: type[TichuBot], other_bot: subprocess.Popen[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rebuild"]) == 2
    assert f"process {other_bot.pid}, " in capsys.readouterr().err
    other_bot.kill()
    other_bot.wait()
    assert main(["rebuild"]) == 0
