"""METRICS_PORT: metrics are served from the first attempt to start; errors are one sentence."""

from __future__ import annotations

import socket

import aiohttp
import pytest

from bot.__main__ import main
from bot.storage import StorageUnavailable
from tests.bot.cli.stand_ins import TOKEN, TichuBot
from tests.cogs.status_page import ADDRESS, free_port


def test_serves_metrics_while_waiting_to_retry(
    client: type[TichuBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot is alive but not ready."""
    port = free_port()
    monkeypatch.setenv("METRICS_PORT", str(port))
    monkeypatch.setattr(client, "problem", StorageUnavailable("The disk is full."))
    monkeypatch.setattr(client, "passes_after", 1)
    told: list[tuple[str, int]] = []

    async def sleep(_: float) -> None:
        async with aiohttp.ClientSession(f"http://{ADDRESS}:{port}") as session:
            for page in ("live", "ready"):
                async with session.get(f"/{page}") as found:
                    told.append((page, found.status))

    monkeypatch.setattr("bot.cli.session.sleep", sleep)
    assert main([]) == 0
    assert told == [("live", 200), ("ready", 503)]


def test_reports_a_port_in_use(
    client: type[TichuBot], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as other:
        other.bind((ADDRESS, 0))
        other.listen()
        port = other.getsockname()[1]
        monkeypatch.setenv("METRICS_PORT", str(port))
        assert main(["run"]) == 78
        sentence = capsys.readouterr().err
        assert client.done == []
        monkeypatch.setenv("DISCORD_TOKEN", TOKEN)  # removed from the environment by now
        assert main(["sync"]) == 0  # serves nothing
    assert sentence.startswith(f"METRICS_PORT is {port}, but nothing can be served at {ADDRESS} ")
    assert sentence.count("\n") == 1


@pytest.mark.parametrize(
    "name, value, problem",
    [
        ("METRICS_PORT", "70000", "METRICS_PORT is '70000', but it must be a whole number from 1 "),
        ("METRICS_ADDRESS", "here", "METRICS_ADDRESS is 'here', but it must be an IP address, "),
    ],
)
def test_refuses_an_impossible_port(
    client: type[TichuBot],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    value: str,
    problem: str,
) -> None:
    monkeypatch.setenv(name, value)
    assert main([]) == 78
    assert capsys.readouterr().err.startswith(problem)
    assert client.done == []
