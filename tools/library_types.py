"""`python -m tools.library_types FOLDER`: caches mypy's data about the libraries.

Without a cache mypy takes as long for the libraries as for our own code. They change only with
.venv, so `make` reads them once, and `make types` starts from this cache if it has no other.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
OURS = ("engine", "players", "bot", "cogs", "tools", "demo", "bench", "tests")
_UNCHECKED = "data"
"""Unchecked folders in tests/: some need other versions of the libraries."""


def main(argv: Sequence[str] | None = None) -> int:
    """Write the cache to the given folder. Returns the exit status."""
    (name,) = sys.argv[1:] if argv is None else argv
    folder = Path(name)
    folder.mkdir(parents=True)
    program = str(folder / "libraries.py")
    Path(program).write_text(
        "".join(f"import {name}\n" for name in sorted(imported(OURS))), "utf-8"
    )
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "--cache-dir", name, program]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def imported(folders: Iterable[str]) -> set[str]:
    """Return the modules that the code in these folders imports, except our own."""
    files = (file for folder in folders for file in (ROOT / folder).rglob("*.py"))
    names = {name for file in files if _UNCHECKED not in file.parts for name in _imports(file)}
    return {name for name in names if name.partition(".")[0] not in {*OURS, "__future__"}}


def _imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
            yield node.module


if __name__ == "__main__":
    sys.exit(main())
