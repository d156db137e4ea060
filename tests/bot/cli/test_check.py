"""`python -m bot check`: lists the faults of a database and their remedy."""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.cli.check import age
from tests.bot.played_database import place_played_database

RIGHT = re.compile(
    r"The newest move is \d+ \w+ old \([-0-9]{10} [:0-9]{8} UTC\)\.\n"
    r"\d+ started tables, \d+ rounds and \d+ matches that are over, and \d+ solo rounds: "
    r"every game can be replayed, every score is correct\.\n"
)


def change(file: Path, *statements: str) -> None:
    """Change a database without the bot."""
    with closing(sqlite3.connect(file)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize("beside", [True, False])
def test_accepts_a_correct_database(
    database: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    beside: bool,
) -> None:
    """The database stays unchanged, even where no file can be created beside it."""
    asyncio.run(place_played_database(database))
    before = database.read_bytes()
    monkeypatch.setattr(os, "access", lambda path, *_, **__: beside or path != database.parent)
    assert main(["check"]) == 0
    output, errors = capsys.readouterr()
    assert RIGHT.fullmatch(output), output
    assert errors == ""
    assert [path.name for path in database.parent.iterdir()] == ["bot.db"]
    assert database.read_bytes() == before


def test_recommends_a_rebuild_for_stale_figures(
    database: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.cli.check._MOST_PRINTED", 1)
    asyncio.run(place_played_database(database))
    change(database, "UPDATE round_scores SET score = score + 1")
    assert main(["check"]) == 1
    _, *lines = capsys.readouterr().out.splitlines()
    assert "stored values differ from the replay (score)" in lines[0]
    assert re.fullmatch(r"\.\.\. and \d+ more of this kind\.", lines[1])
    assert lines[2].startswith("`python -m bot rebuild` repairs all of these")
    assert lines[3].endswith("every game can be replayed.")
    assert main(["rebuild"]) == 0
    assert main(["check"]) == 0
    assert RIGHT.search(capsys.readouterr().out)


def test_recommends_a_backup_for_damaged_actions(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(place_played_database(database))
    assert main(["backup", "copy.db"]) == 0
    change(database, "DROP TRIGGER actions_never_go", "DELETE FROM actions WHERE seq = 20")
    capsys.readouterr()
    assert main(["check"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert any("cannot be replayed: stored action 2" in line for line in lines)
    assert "`python -m bot restore FILE` restores that backup" in lines[-1]
    assert main(["check", "--file", "copy.db"]) == 0
    assert main(["restore", "copy.db"]) == 0
    assert main(["check"]) == 0


def test_names_the_database_of_a_newer_version(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not the copy that is checked, which is gone afterwards."""
    asyncio.run(place_played_database(database))
    change(database, "UPDATE alembic_version SET version_num = '9999'")
    assert main(["check"]) == 2
    problem = capsys.readouterr().err
    assert problem.startswith(f"The database {database} has schema 9999, ")
    kept = database.with_name("bot-schema-")
    assert f"python -m bot restore {kept}" in problem


def test_names_a_file_in_the_current_folder(
    database: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(place_played_database(database))
    change(database, "UPDATE alembic_version SET version_num = '9999'")
    monkeypatch.chdir(database.parent)
    assert main(["check", "--file", database.name]) == 2
    assert capsys.readouterr().err.startswith(f"The database {database.name} has schema 9999, ")


def test_reports_a_damaged_or_missing_file(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check"]) == 2
    assert capsys.readouterr() == ("", f"There is no database {database}.\n")
    database.touch()
    assert main(["check"]) == 2
    assert capsys.readouterr().err == f"The file {database} is empty; it holds no database.\n"
    database.write_text("Dear diary, " * 500)
    assert main(["check"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"The file {database} is damaged, or no database."
    assert "`python -m bot restore FILE`" in lines[1]


@pytest.mark.parametrize(
    "seconds, words",
    [(-5, "0 s"), (1.4, "1 s"), (119, "119 s"), (120, "2 min"), (7300, "2 h"), (9e6, "104 days")],
)
def test_ages_have_the_largest_suitable_unit(seconds: float, words: str) -> None:
    assert age(seconds) == words
