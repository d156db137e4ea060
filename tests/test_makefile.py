"""Targets of the Makefile that delete something, and `rehearse`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_LITESTREAM = """#!/bin/sh
[ "$COPY_URL" = "s3://copies/tichu?endpoint=x&region=y" ] || exit 3
[ "$1 $2 $3 $4 $6" = "restore -config litestream.yml -o data/tichu.db" ] || exit 4
echo restored >"$5"
"""
_PYTHON = """#!/bin/sh
[ "$1 $2 $3 $4" = "-m bot check --file" ] && cat "$5" && echo "$5"
exit 1
"""
MAKEFILE = Path(__file__).parents[1] / "Makefile"

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="needs make")


def make(folder: Path, target: str) -> subprocess.CompletedProcess[str]:
    """Run a target in this folder, which has no packages to install."""
    for name in ("requirements.txt", "requirements-dev.txt"):
        (folder / name).touch()
    command = ["make", "--no-print-directory", "-f", str(MAKEFILE), target]
    command.append(f"PYTHON={sys.executable}")
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_linked_environment_is_not_cleared(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "file").touch()
    (tmp_path / ".venv").symlink_to("elsewhere")
    made = make(tmp_path, ".venv/ready")
    assert made.returncode
    assert ".venv is a link" in made.stderr
    assert [file.name for file in (tmp_path / "elsewhere").iterdir()] == ["file"]


def test_cleaning_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "file").touch()
    (tmp_path / "engine").mkdir()
    for link in (tmp_path / ".venv", tmp_path / "engine" / "__pycache__"):
        link.symlink_to(tmp_path / "elsewhere")
    assert make(tmp_path, "clean").returncode == 0
    assert [file.name for file in (tmp_path / "elsewhere").iterdir()] == ["file"]


def test_rehearsal_checks_a_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its exit status is an error if the check finds one, and the file is deleted anyway."""
    programs = tmp_path / "programs"
    for file, text in (
        (programs / "litestream", _LITESTREAM),
        (tmp_path / ".venv-run/bin/python", _PYTHON),
        (tmp_path / "requirements-postgres.txt", ""),
        (tmp_path / ".venv-run/ready", ""),
        (
            tmp_path / "litestream.env",
            'DATABASE=data/tichu.db\nCOPY_URL="s3://copies/tichu?endpoint=x&region=y"\n',
        ),
    ):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o700)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    made = make(tmp_path, "rehearse")
    content, restored = made.stdout.split()
    assert content == "restored"
    assert not Path(restored).parent.exists()
    assert made.returncode == 2
