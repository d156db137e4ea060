"""`python -m players`: compiles the Expert ahead of its first use."""

from __future__ import annotations

import sys
from time import perf_counter

from players.levels import prepare


def main() -> int:
    """Compile the Expert, or load the compiled code. Returns the exit status."""
    start = perf_counter()
    prepare("expert")
    print(f"The Expert is ready after {perf_counter() - start:.0f} s.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
