"""Work on a database that is killed (SIGKILL) at many points: what a test asks for.

`tests.bot.killing` does it, a process of its own, and says how.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from tests.campaign import SOAK

ROOT = Path(__file__).parents[2]


class Found(NamedTuple):
    """What the kills have shown."""

    points: int
    """The number of points at which the work can be killed."""
    killed: int
    """The number of kills."""
    wrong: list[list[Any]]
    """Points after which not all was as it should be, with what was not."""
    halves: int
    """The number of kills after which the database was neither as before nor as afterwards."""


def kill_at_points(work: str, database: Path, number: int) -> Found:
    """Kill `work` (``update`` or ``rebuild``) on copies of a database, at so many of its points.

    In a campaign it is killed at all of them.
    """
    wanted = sys.maxsize if SOAK else number
    told = subprocess.run(
        [sys.executable, "-m", "tests.bot.killing", work, str(database), str(wanted)],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
    )
    return Found(*json.loads(told.stdout))
