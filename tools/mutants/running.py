"""Runs of a test suite on a mutant, in a copy of the tree: nearest tests first."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tools.mutants.drawing import Mutant, mutants_of

LEFT_OUT = {
    ".git",
    ".venv",
    ".venv-lock",
    ".venv-run",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    "data",
}
"""Top-level folders of a checkout that are not copied."""
SURVIVED, ABSENT = "survived", "absent"
"""Verdicts in place of a failed test: none failed, or the tree has no such place."""
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


class Suite(NamedTuple):
    """Checkout whose tests are run."""

    name: str
    tree: Path
    """Folder of the checkout."""
    tests: Path | None
    """Another folder to take the tests from; `None` for those of the checkout."""


class Verdict(NamedTuple):
    """Result of a suite for a mutant."""

    suite: str
    """Name of the suite."""
    mutant: Mutant
    """Mutant that was tried."""
    killer: str
    """First test that failed, or `SURVIVED`, or `ABSENT`."""

    @property
    def killed(self) -> bool:
        """True if a test failed."""
        return self.killer not in (SURVIVED, ABSENT)


def suite_of(text: str) -> Suite:
    """Return a suite from `NAME=TREE` or `NAME=TREE,TESTS`. Raises `ValueError`."""
    name, _, places = text.partition("=")
    tree, _, tests = places.partition(",")
    if not (name and tree):
        raise ValueError(f"{text!r} is not NAME=TREE or NAME=TREE,TESTS")
    folder = tests or f"{tree}/tests"
    for place in (tree, folder):
        if not Path(place).is_dir():
            raise ValueError(f"there is no folder {place}")
    return Suite(name, Path(tree), Path(tests) if tests else None)


class Copy:
    """Scratch copy of a suite's tree for trying one mutant after another."""

    def __init__(self, suite: Suite, folder: Path) -> None:
        self.suite = suite
        self.root = folder / suite.name
        top = str(suite.tree)
        shutil.copytree(
            suite.tree,
            self.root,
            ignore=lambda place, entries: LEFT_OUT & set(entries) if place == top else set(),
        )
        if suite.tests is not None:
            shutil.rmtree(self.root / "tests", ignore_errors=True)
            shutil.copytree(suite.tests, self.root / "tests")

    def tried(self, mutant: Mutant, timeout: float) -> Verdict:
        """Run the suite on a mutant until a test fails, and return the verdict.

        Each of the two runs may take `timeout` seconds.
        """
        here = [other for other in self._mutants(mutant.path) if other.key == mutant.key]
        if not here:
            return Verdict(self.suite.name, mutant, ABSENT)
        file = self.root / mutant.path
        source = file.read_bytes()
        file.write_bytes(here[0].applied(source))
        for cached in file.parent.glob(f"__pycache__/{file.stem}.*"):
            cached.unlink()
        try:
            for part in (self._nearest(mutant.path), "tests"):
                killer = self.first_failure(part, timeout)
                if killer:
                    return Verdict(self.suite.name, mutant, killer)
            return Verdict(self.suite.name, mutant, SURVIVED)
        finally:
            file.write_bytes(source)

    def first_failure(self, part: str, timeout: float, workers: int = 1) -> str:
        """Return the first test that fails in a part of the suite; empty if all pass."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-rfE", "--no-header"]
        command += ["-p", "no:cacheprovider", part]
        command += ["-n", str(workers)] if workers > 1 else []
        environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
        try:
            done = subprocess.run(
                command,
                cwd=self.root,
                env=environment,
                capture_output=True,
                text=True,
                timeout=timeout,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"{part}: no end within {timeout:.0f} s"
        if done.returncode == 0:
            return ""
        match = _FAILED.search(done.stdout)
        return match[1] if match else f"{part}: pytest ended with status {done.returncode}"

    def _mutants(self, path: str) -> Sequence[Mutant]:
        return mutants_of(self.root, [path]) if (self.root / path).is_file() else ()

    def _nearest(self, path: str) -> str:
        """Return the folder of tests closest to the mirror of a file's folder."""
        place = Path("tests") / Path(path).parent
        while not (self.root / place).is_dir():
            place = place.parent
        return place.as_posix()
