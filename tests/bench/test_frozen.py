"""The players of before stay as they were: today's players are measured against them for ever."""

from __future__ import annotations

import hashlib
from pathlib import Path

from bench import frozen
from bench.decisions import FROZEN

FOLDER = Path(frozen.__file__).parent
DIGESTS = {"expert_2026_11": "31ecf3595d5d8ebff9d003b2f6df81bc"}
"""What all code, weights and records of a player have to come to, by its folder."""


def digest(folder: Path) -> str:
    """A number for the files of a folder, the same however a system ends its lines."""
    found = hashlib.sha256()
    for file in sorted(folder.rglob("*"), key=Path.as_posix):
        if file.suffix in (".py", ".json", ".txt"):
            found.update(file.relative_to(folder).as_posix().encode())
            found.update(file.read_bytes().replace(b"\r\n", b"\n"))
    return found.hexdigest()[:32]


def test_nobody_has_changed_a_player_of_before() -> None:
    """Whoever has to, for the rules' sake, shows that it decides as recorded (`make soak`)."""
    assert {name: digest(FOLDER / name) for name in DIGESTS} == DIGESTS
    assert {name.replace("-", "_") for name in FROZEN} == set(DIGESTS)
