"""`python -m bot forget USER` on real files: confirmation, refusals, and an open match."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.ids import ChannelId, UserId
from bot.records import PersonalSettings
from bot.table.posts import LinesPost, NewOwnerLine, read_post
from tests.bot.databases import open_store
from tests.bot.forgotten_people import CALLED, all_rows, begin, person, play_on, traces
from tests.bot.storage.lock_holder import held_elsewhere
from tests.bot.table_world import TableWorld, quick

GONE = 1
LONG = quick("nanjing", target=5000)


@pytest.fixture
def file(database: Path) -> Path:
    """Return the configured database, left by a bot that was killed in the middle of a match."""
    asyncio.run(_played(database))
    return database


async def _played(file: Path) -> None:
    playing = file.parent / "playing"
    world = TableWorld(playing)
    await world.open()
    at = await begin(world, ChannelId(1), (0, 1, 2), LONG, 1)
    await play_on(world, at.id, 15)
    await world.store.personal_settings.choose(
        UserId(person(GONE)), PersonalSettings(auto_pass=True)
    )
    for end in ("", "-wal"):  # as after kill -9
        shutil.copy(f"{playing / 'tichu.db'}{end}", f"{file}{end}")
    await world.close()


def command(*arguments: str) -> int:
    """Return the exit status of the command."""
    return main(["forget", *arguments])


def test_erases_nothing_without_a_yes(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = all_rows(file)
    asked: list[str] = []

    def no(question: str) -> str:
        asked.append(question)
        return "no"

    monkeypatch.setattr("builtins.input", no)
    assert command(str(person(GONE))) == 1
    assert len(asked) == 1
    assert CALLED[GONE] in capsys.readouterr().out
    assert all_rows(file) == before


def test_erases_a_user_and_a_computer_takes_the_seat(file: Path) -> None:
    assert command(str(person(GONE)), "--yes") == 0
    assert traces(file, person(GONE), CALLED[GONE]) == []
    assert main(["check"]) == 0
    asyncio.run(_plays_on(file))
    assert main(["rebuild"]) == 0
    assert main(["check"]) == 0
    assert traces(file, person(GONE), CALLED[GONE]) == []
    assert command(str(person(GONE)), "--yes") == 1, "nothing is left to be forgotten"


async def _plays_on(file: Path) -> None:
    store = await open_store(file)
    (table,) = await store.tables.all_open()
    assert {seat.user_id for seat in table.seats} == {person(0), person(2), None}
    (posts,) = (await store.tables.undelivered()).values()
    lines = [post for post in map(read_post, posts) if isinstance(post, LinesPost)]
    owners = [line for post in lines for line in post.lines if isinstance(line, NewOwnerLine)]
    assert [line.before for line in owners] == [""]
    await store.close()
    world = TableWorld(file.parent)
    world.file = file
    await world.open()
    await play_on(world, table.id, 5)
    await world.check_stored(table.id)
    await world.close()


def test_refuses_while_a_bot_runs(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = all_rows(file)
    with held_elsewhere(file):
        assert command(str(person(GONE)), "--yes") == 2
    assert "Forget me" in capsys.readouterr().err
    assert all_rows(file) == before


@pytest.mark.parametrize("given", ["Ada", "-5", "0", str(2**63)])
def test_refuses_an_invalid_id(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command("--", given)
    assert "Discord id" in capsys.readouterr().err
