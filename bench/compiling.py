"""`python -m bench.compiling`: compile the Expert and the code of tests and benchmarks.

`make` calls it before tests, benchmarks and the demo. The result is cached beside the sources until
one of them changes.
"""

from __future__ import annotations

import sys

from bench.simulator import simulated_rounds_per_second
from bench.tuning.duels import Table
from bot.runtime.progress import bar
from engine import Options
from players.expert.weights import WEIGHTS
from players.levels import prepare


def main() -> int:
    """Compile, which takes a minute or two the first time. Return the exit status."""
    with bar("compiling", total=3) as steps:
        prepare("expert")
        steps.update()
        simulated_rounds_per_second(Options(), 0.0, 1)
        steps.update()
        Table("nanjing", 1).duel(WEIGHTS, WEIGHTS, 1)
        steps.update()
    return 0


if __name__ == "__main__":
    sys.exit(main())
