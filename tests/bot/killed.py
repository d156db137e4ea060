"""Kills (SIGKILL) of work on a database at many points, requested by a test.

`tests.bot.killing` does the work in a process of its own and explains how.
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
    """Results of the kills."""

    points: int
    """Number of points at which the work can be killed."""
    killed: int
    """Number of kills."""
    wrong: list[list[Any]]
    """Points after which the state was wrong, with the differences."""
    halves: int
    """Kills that left the database neither in its old nor in its new state."""


def kill_at_points(works: Mapping[str, Path], number: int) -> dict[str, Found]:
    """Kill each work at `number` of its points, on copies of its database.

    A work is ``update``, ``rebuild``, ``solo`` for a deal of the day that is played, or ``event``
    for changes of an event.

    One process does it all, because starting a process takes as long as some kills. A campaign
    kills each work at all of its points.
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
