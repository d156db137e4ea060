"""`python -m bot doctor`: arguments, output and refusals."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.__main__ import main
from bot.doctor import steps
from bot.doctor.client import DoctorClient, SetupError
from bot.doctor.examination import Examination
from bot.doctor.observation import StepSkipped
from bot.doctor.visit import Visit
from tests.bot.cli.stand_ins import TOKEN
from tests.bot.doctor.clinic import clinic
from tests.bot.storage.lock_holder import held_elsewhere

pytestmark = pytest.mark.usefixtures("client")


@pytest.fixture
def simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the doctor work in a simulated Discord."""

    @asynccontextmanager
    async def visiting(
        examination: Examination, channel_id: int, token: str, terminal: object
    ) -> AsyncIterator[Visit]:
        assert (channel_id, token) == (5, TOKEN)
        async with clinic() as there:
            there.refuse("PATCH", r"/channels/\d+/messages/\d+")
            there.refuse("POST", r"/channels/\d+/threads", 403, 50013)
            there.examination = examination
            with there.env.time_context():
                yield there.visit(by_hand=terminal is not None)

    monkeypatch.setattr("bot.doctor.client.visiting", visiting)


@pytest.mark.usefixtures("simulated")
def test_prints_a_block_for_each_step(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "5", "--no-hand", "--steps", "4,13"]) == 0
    printed = capsys.readouterr().out
    assert "\n4. Edit it and bring another picture\n   Expected: 200, a new id.\n" in printed
    assert "   Discord:  400/50035. (OTHERWISE)\n   So:       Pictures come with" in printed
    assert "Left out: it needs a person." in printed
    assert "1 of 2 steps done; unexpected: 4." in printed


@pytest.mark.usefixtures("simulated")
def test_later_run_shows_earlier_findings(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["doctor", "5", "--no-hand", "--steps", "4"])
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)  # a process reads it once

    async def left_out(visit: Visit) -> Any:
        raise StepSkipped("not now")

    without = tuple(
        type(step)(step.number, step.title, step.expected, left_out) for step in steps.STEPS
    )
    monkeypatch.setattr(steps, "STEPS", without)
    main(["doctor", "5", "--no-hand", "--steps", "4"])
    assert "Left out: not now.\n   2026-01-01: 400/50035. " in capsys.readouterr().out


@pytest.mark.usefixtures("simulated")
def test_prints_json_as_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "5", "--no-hand", "--json", "--steps", "4,13"]) == 0
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    fourth, thirteenth = document["steps"]
    assert fourth == {
        "number": 4,
        "title": "Edit it and bring another picture",
        "expected": "200, a new id",
        "observed": "400/50035",
        "as_expected": False,
        "effect": "Pictures come with new messages only, from the next start on.",
        "skipped": None,
        "failed": None,
    }
    assert thirteenth["skipped"] == "it needs a person"
    assert document["behaviour"]["edits_bring_uploads"] is False
    assert document["left_behind"] == []
    assert "4. Edit it" in printed.err


@pytest.mark.usefixtures("simulated")
def test_step_that_cannot_be_done_is_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "5", "--no-hand", "--steps", "9"]) == 1
    assert "NOT DONE: the doctor could not start a thread (403/50013" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["x"], ["5", "--steps", "0"], ["5", "--steps", "a"], []])
def test_refuses_wrong_arguments(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["doctor", *arguments])
    assert ended.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_names_a_running_bot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with held_elsewhere(tmp_path / "tichu.db"):
        assert main(["doctor", "5"]) == 78
    errors = capsys.readouterr().err
    assert "is in use by `python -m bot run`" in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize(
    "problem, status, sentence",
    [
        (SetupError("In #tests the bot needs more."), 2, "In #tests the bot needs more."),
        (discord.LoginFailure("no"), 78, "DISCORD_TOKEN is refused by Discord"),
        (TimeoutError("slow"), 1, "Discord cannot be reached: slow."),
    ],
)
def test_failed_login_is_one_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    problem: Exception,
    status: int,
    sentence: str,
) -> None:
    async def fails(*_: object) -> None:
        raise problem

    monkeypatch.setattr(DoctorClient, "login", fails)
    assert main(["doctor", "5", "--json"]) == status
    printed = capsys.readouterr()
    assert printed.out == ""
    assert sentence in printed.err
    assert printed.err.count("\n") == 1
