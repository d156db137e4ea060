"""`python -m bench.compiling`: compile the Expert and the compiled rules before anybody waits.

Numba keeps the result beside the sources until one of them changes. Called by `make` before tests,
benchmarks and the demo.
"""

from __future__ import annotations

import sys

from bench.simulator import simulated_rounds_per_second
from bot.runtime.progress import bar
from engine import Options
from players.levels import prepare


def main() -> int:
    """Compile, which takes up to a minute the first time. Returns the exit status."""
    with bar("compiling", total=2) as steps:
        prepare("expert")
        steps.update()
        simulated_rounds_per_second(Options(), 0.0, 1)
        steps.update()
    return 0


if __name__ == "__main__":
    sys.exit(main())
