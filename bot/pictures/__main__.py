"""`python -m bot.pictures`: reads a description as JSON from stdin, writes the PNG file to stdout.

`bot.pictures.process` starts it for one picture. After an error the status is 1, and the last line
on stderr has the type of the error and its place, but not its text: that may contain names.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from bot.pictures.descriptions import read
from bot.runtime.logs import kind_and_place

_NICENESS = 5
"""How much lower the priority of this process is than that of the bot."""


def main() -> int:
    """Draw one picture; returns the exit status."""
    # Clicks come before pictures. On Windows there is no `os.nice`.
    with suppress(AttributeError, OSError):
        os.nice(_NICENESS)
    try:
        from bot.pictures.drawing import draw

        picture = draw(read(sys.stdin.buffer.read()))
    except Exception as error:  # noqa: BLE001 - its text may hold what was to be drawn
        print(kind_and_place(error), file=sys.stderr)
        return 1
    sys.stdout.buffer.write(picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
