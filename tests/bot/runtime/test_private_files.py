"""Files of the bot are its own: what is new, and what was there before."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from bot.runtime.private_files import make_database_private, warn_of_readable_token

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")


def mode(file: Path) -> int:
    """The permissions of a file."""
    return file.stat().st_mode & 0o777


def made(file: Path, permissions: int, text: str = "") -> Path:
    """A file with these permissions."""
    file.write_text(text)
    file.chmod(permissions)
    return file


@pytest.mark.parametrize("before", [0o644, 0o664, 0o604, 0o666, 0o640])
def test_a_database_of_before_is_made_private(
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


def test_what_its_user_may_not_do_stays_so(tmp_path: Path) -> None:
    database = made(tmp_path / "tichu.db", 0o444)
    make_database_private(database)
    assert mode(database) == 0o400


def test_a_database_that_is_not_there_needs_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    make_database_private(tmp_path / "tichu.db")
    assert caplog.text == ""
    assert list(tmp_path.iterdir()) == []


def test_a_database_of_another_user_is_told_with_what_mends_it(
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
def test_a_token_that_others_may_read_is_told_in_one_line(
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


def test_without_an_env_file_nothing_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    warn_of_readable_token(tmp_path / ".env")
    assert caplog.text == ""
