"""Prints the notes of the release from CHANGELOG.md: `python -m tools.release`.

`--version` prints the version instead. The exit status is an error if CHANGELOG.md has no section
for the version in bot/__init__.py, or an empty one.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from bot import __version__

ROOT = Path(__file__).parents[1]


def notes(changelog: str, version: str) -> str:
    """Return the section of this version, without its heading."""
    found = re.search(
        rf"^## \[{re.escape(version)}\].*?\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL
    )
    if found is None or not found[1].strip():
        sys.exit(f"CHANGELOG.md has no notes in a section ## [{version}]")
    return found[1].strip()


def main() -> None:
    """Print the notes, or only the version."""
    text = notes((ROOT / "CHANGELOG.md").read_text("utf-8"), __version__)
    print(__version__ if sys.argv[1:] == ["--version"] else text)


if __name__ == "__main__":
    main()
