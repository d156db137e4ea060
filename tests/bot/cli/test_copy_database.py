"""`copy-database`, and what commands for files answer about PostgreSQL."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.cli.console import CONFIGURATION
from bot.runtime.settings import POSTGRES, SettingsError, load_settings
from tests.bot.stored_versions import DEVELOPMENT, place

pytestmark = pytest.mark.sqlite("test_postgres.py copies there and back")


def content(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as opened:
        return sorted(line for line in opened.iterdump() if line.startswith("INSERT"))


def test_copies_everything_and_only_into_an_empty_database(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place(DEVELOPMENT, tmp_path / "old.db")
    assert main(["copy-database", "old.db", "DATABASE_URL"]) == 0
    assert "42 tables, 6305 rows, each of them compared" in capsys.readouterr().out
    assert content(database) == content(tmp_path / "old.db")
    assert main(["copy-database", "old.db", str(database)]) == 2
    assert (
        capsys.readouterr().err == "The target holds something already: name an empty database.\n"
    )
    assert content(database) == content(tmp_path / "old.db")
    assert main(["copy-database", "nowhere.db", "other.db"]) == 2
    assert capsys.readouterr().err == "There is no database nowhere.db.\n"
    assert not (tmp_path / "other.db").exists()


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_refers_to_the_tools_of_the_database_server(
    database: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
) -> None:
    monkeypatch.setenv("DATABASE_URL", f"{POSTGRES}bot:hidden@host/tichu")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    assert main([command, "file.db"]) == CONFIGURATION
    told = capsys.readouterr().err
    assert told.startswith("DATABASE_URL names PostgreSQL, whose own tools do that: pg_")
    assert "hidden" not in told


def test_reports_the_missing_postgresql_package(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", f"{POSTGRES}bot:hidden@host/tichu")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(SettingsError, match="asyncpg is not installed") as refused:
        load_settings(None, with_token=False)
    assert "hidden" not in str(refused.value)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    settings = load_settings(None, with_token=False)
    assert (settings.database_file, settings.data_folder) == (None, database.parent)
    monkeypatch.setenv("DATABASE_URL", f"{POSTGRES}bot:hidden@host?password=hidden")
    with pytest.raises(SettingsError, match="user:password@host/database") as refused:
        load_settings(None, with_token=False)
    assert "hidden" not in str(refused.value)
