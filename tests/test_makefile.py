"""Targets of the Makefile that delete something."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

MAKEFILE = Path(__file__).parents[1] / "Makefile"

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="needs make")


def make(folder: Path, target: str) -> subprocess.CompletedProcess[str]:
    """Run a target in this folder, which has no packages to install."""
    for name in ("requirements.txt", "requirements-dev.txt"):
        (folder / name).touch()
    command = ["make", "-f", str(MAKEFILE), target, f"PYTHON={sys.executable}"]
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
