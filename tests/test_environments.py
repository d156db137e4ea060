"""Environments in which the bot runs: that of `make run`, and the Docker image."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


@pytest.mark.parametrize("target", ["run", "sync"])
def test_make_runs_the_bot_with_the_packages_of_the_image(target: str) -> None:
    command = ["make", "--no-print-directory", "--dry-run", "--always-make", target]
    shown = subprocess.check_output(command, cwd=ROOT, text=True)
    (installed,) = re.findall(r"--require-hashes -r (\S+)", shown)
    assert re.findall(r"^COPY (\S+) /requirements.txt", DOCKERFILE, re.MULTILINE) == [installed]
    last = shown.splitlines()[-1]
    assert last.startswith(".venv-run/")
    assert "python -m bot" in last


def test_image_removes_exactly_the_tests_of_three_packages(tmp_path: Path) -> None:
    kept = [tmp_path / "numpy" / "testing", tmp_path / "bot" / "tests"]
    removed = [
        tmp_path / "numpy" / "lib" / "tests" / "data",
        tmp_path / "numba" / "tests",
        tmp_path / "networkx" / "classes" / "tests",
    ]
    for folder in (*kept, *removed):
        folder.mkdir(parents=True)
    (find,) = re.findall(r"find /venv/lib .*?-exec rm -r \{\} \+", DOCKERFILE, re.DOTALL)
    subprocess.run(find.replace("/venv/lib", str(tmp_path)), shell=True, check=True)
    assert all(folder.is_dir() for folder in kept)
    assert not any(folder.exists() for folder in removed)
    assert not (tmp_path / "numpy" / "lib" / "tests").exists()
