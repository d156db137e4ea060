"""The engine as the package `tichu_engine`."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

import engine
from engine import Options, Phase, View

ENGINE = Path(__file__).parents[2] / "engine"


@pytest.mark.slow
def test_examples_of_the_readme_run_without_the_project(tmp_path: Path) -> None:
    shutil.copytree(ENGINE, tmp_path / "tichu_engine", ignore=shutil.ignore_patterns("__pycache__"))
    # `-m` puts the current folder on the path, and `-S` leaves out all installed packages.
    command = [sys.executable, "-S", "-m", "doctest", "-v", "tichu_engine/README.md"]
    ran = subprocess.run(
        command, cwd=tmp_path, env={}, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert ran.returncode == 0, ran.stdout
    assert "1 passed" in ran.stdout or "Test passed" in ran.stdout


def test_readme_names_the_whole_public_api() -> None:
    attributes = [field.name for kind in (Options, View) for field in fields(kind)]
    names = {*engine.__all__, *attributes, *Phase.__members__, "hand", "actions", "variant"}
    words = re.findall(r"\w+", (ENGINE / "README.md").read_text(encoding="utf-8"))
    assert names - set(words) == {"_actions"}
