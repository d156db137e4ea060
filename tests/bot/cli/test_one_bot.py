"""One bot for each database: the refusal of a second one, and the handover between two."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest

from bot import __version__
from bot.__main__ import main
from bot.storage import StorageUnavailable, instance_lock
from tests.bot.cli.stand_ins import TichuBot, line, stand_in
from tests.bot.storage.lock_holder import held_elsewhere, is_taken


@pytest.fixture
def other_bot(tmp_path: Path) -> Iterator[None]:
    """Let another bot hold the database."""
    with held_elsewhere(tmp_path / "tichu.db"):
        yield


@pytest.mark.usefixtures("other_bot")
def test_second_bot_names_the_first_and_ends(
    client: type[TichuBot],
    naps: list[float],
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    tmp_path: Path,
) -> None:
    with caplog.at_level(logging.INFO):
        assert main([]) == 78
    errors = capsys.readouterr().err
    assert f"{tmp_path}/tichu.db is in use by `python -m bot run`" in errors
    assert f"process {os.getpid()}, since " in errors
    assert errors.count("\n") == 1
    assert client.done == []
    assert sum(naps) > 30  # compose gives the first one 30 s to end
    assert caplog.text.count("waiting up to") == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_takeover_waits_until_the_first_bot_has_closed(
    client: type[TichuBot],
    environment: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    tmp_path: Path,
) -> None:
    """SIGTERM ends the first (a process of its own), Ctrl-C the second; both close cleanly."""
    (tmp_path / "tichu.db").write_bytes(b"not empty")
    (tmp_path / "tichu.db").chmod(0o600)
    looks = count(1)

    async def look_again(_: float) -> None:
        assert client.done == []
        if next(looks) == 1:
            first.send_signal(signal.SIGTERM)
            assert line(first.stdout) == "closing\n"
            first.send_signal(signal.SIGTERM)  # a second signal must not disturb the shutdown
        else:
            told, logged = first.communicate("go on\n")
            assert told == "closed\n"
            (first_line,) = logged.splitlines()
            assert first_line.endswith(f"tichu-bot {__version__}")
            assert first.returncode == 0

    class Interrupted(TichuBot):
        async def start(self, token: str) -> None:
            await super().start(token)
            signal.raise_signal(signal.SIGINT)
            await asyncio.Event().wait()

    monkeypatch.setattr(sys.modules["bot.client"], "TichuBot", Interrupted)
    monkeypatch.setattr("bot.cli.session.sleep", look_again)
    with stand_in(environment, tmp_path) as first, caplog.at_level(logging.INFO):
        assert line(first.stdout) == "started\n"
        assert main([]) == 0
    assert caplog.text.count(f"in use by `python -m bot run`, process {first.pid}") == 1
    assert next(looks) == 3
    assert client.done == ["made", "logged in", "closed"]
    assert not is_taken(tmp_path / "tichu.db")


def test_retrying_bot_keeps_the_database(
    client: type[TichuBot],
    naps: list[float],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    tmp_path: Path,
) -> None:
    """Also while Discord is unreachable: otherwise two bots would take turns."""
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


def test_retries_a_lock_on_a_full_disk(
    client: type[TichuBot],
    naps: list[float],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    take, tries = instance_lock.acquire, count()

    def full(database: Path, command: str, *, shared: bool) -> ExitStack:
        if next(tries) < 2:
            raise StorageUnavailable("The file cannot be made: No space left on device.")
        return take(database, command, shared=shared)

    monkeypatch.setattr(instance_lock, "acquire", full)
    assert main([]) == 0
    assert len(naps) == 2
    assert caplog.text.count("No space left on device. Retrying in ") == 2
    assert client.done[-2:] == ["logged in", "closed"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.usefixtures("other_bot")
def test_waiting_bot_can_be_stopped(
    client: type[TichuBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []

    async def stopped(seconds: float) -> None:
        waited.append(seconds)
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.Event().wait()

    monkeypatch.setattr("bot.cli.session.sleep", stopped)
    assert main([]) == 0
    assert len(waited) == 1
    assert client.done == []


@pytest.mark.usefixtures("other_bot")
def test_sync_works_beside_a_running_bot(client: type[TichuBot]) -> None:
    assert main(["sync"]) == 0


def test_refuses_to_rebuild_beside_a_running_bot(
    client: type[TichuBot], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with held_elsewhere(tmp_path / "tichu.db"):
        assert main(["rebuild"]) == 2
        assert f"process {os.getpid()}, " in capsys.readouterr().err
    assert main(["rebuild"]) == 0
