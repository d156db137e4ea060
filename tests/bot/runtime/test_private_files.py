"""Permissions of the bot's files, new and existing."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from bot.runtime.private_files import make_database_private, warn_of_readable_token

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")


def mode(file: Path) -> int:
    """Return the permissions of a file."""
    return file.stat().st_mode & 0o777


def made(file: Path, permissions: int, text: str = "") -> Path:
    """Create a file with these permissions."""
    file.write_text(text)
    file.chmod(permissions)
    return file


@pytest.mark.parametrize("before", [0o644, 0o664, 0o604, 0o666, 0o640])
def test_existing_database_becomes_private(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, before: int
) -> None:
    database = tmp_path / "tichu.db"
    files = [made(tmp_path / f"tichu.db{ending}", before) for ending in ("", "-wal", "-shm")]
    other = made(tmp_path / "notes.txt", before)
    make_database_private(database)
    assert [mode(file) for file in files] == [0o600] * 3
    assert mode(other) == before
    assert [f"{file} was accessible to other users" in caplog.text for file in files] == [True] * 3
    caplog.clear()
    make_database_private(database)
    assert caplog.text == ""


def test_restrictions_of_the_owner_stay(tmp_path: Path) -> None:
    database = made(tmp_path / "tichu.db", 0o444)
    make_database_private(database)
    assert mode(database) == 0o400


def test_ignores_a_missing_database(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    make_database_private(tmp_path / "tichu.db")
    assert caplog.text == ""
    assert list(tmp_path.iterdir()) == []


def test_database_of_another_user_is_logged_with_a_remedy(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = made(tmp_path / "tichu.db", 0o644)

    def refuse(self: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refuse)
    make_database_private(database)
    assert "is accessible to other users; chmod failed: Operation not permitted" in caplog.text


@pytest.mark.parametrize(
    "text, permissions, warned",
    [
        ("DISCORD_TOKEN=abc\n", 0o644, True),
        ("LOG_LEVEL=INFO\nexport discord_token = 'abc'\n", 0o640, True),
        ("DISCORD_TOKEN=abc\n", 0o600, False),
        ("DISCORD_TOKEN=\nDISCORD_TOKEN_FILE=/run/secrets/token\n", 0o644, False),
        ("#DISCORD_TOKEN=abc\n", 0o644, False),
    ],
)
def test_readable_token_is_logged_in_one_line(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    text: str,
    permissions: int,
    warned: bool,
) -> None:
    file = made(tmp_path / ".env", permissions, text)
    with caplog.at_level(logging.INFO):
        warn_of_readable_token(file)
    assert [record.getMessage().endswith(f": chmod 600 {file}") for record in caplog.records] == (
        [True] if warned else []
    )
    assert "abc" not in caplog.text
    assert mode(file) == permissions


def test_logs_nothing_without_an_env_file(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    warn_of_readable_token(tmp_path / ".env")
    assert caplog.text == ""
