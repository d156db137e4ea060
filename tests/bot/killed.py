"""Work on a database that is killed (SIGKILL) at many points: what a test asks for.

`tests.bot.killing` does it, a process of its own, and says how.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
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


def kill_at_points(works: Mapping[str, Path], number: int) -> dict[str, Found]:
    """Kill each work (``update``, ``rebuild``) at `number` of its points, on database copies.

    One process does it all: to start it takes as long as some kills. In a campaign each work is
    killed at all of its points.
    """
    wanted = sys.maxsize if SOAK else number
    pairs = (str(word) for pair in works.items() for word in pair)
    told = subprocess.run(
        [sys.executable, "-m", "tests.bot.killing", str(wanted), *pairs],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
    )
    return {work: Found(*found) for work, found in json.loads(told.stdout).items()}
