"""`python -m bot.pictures`: the process that draws; `bot.pictures.process` starts and asks it.

It reads drawings from stdin and writes pictures to stdout until stdin is closed, which happens
at the latest when the bot ends. If a drawing fails the answer has the type of the error and its
place, but not its text: that may contain names.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import BinaryIO

from bot.pictures.process_messages import DRAWN, FAILED, LENGTH_BYTES, framed, read
from bot.runtime.logs import kind_and_place

_NICENESS = 5
"""How much lower the priority of this process is than that of the bot."""


def main() -> int:
    """Draw until nobody asks any more; returns the exit status."""
    # Clicks come before pictures. On Windows there is no `os.nice`.
    with suppress(AttributeError, OSError):
        os.nice(_NICENESS)
    # Ctrl+C goes to all processes of a terminal; the bot then closes stdin.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    serve(sys.stdin.buffer, sys.stdout.buffer)
    return 0


def serve(asked: BinaryIO, answers: BinaryIO) -> None:
    """Answer every message until there is no further one."""
    while len(head := asked.read(LENGTH_BYTES)) == LENGTH_BYTES:
        answer = _answer(asked.read(int.from_bytes(head)))
        answers.write(framed(answer))
        answers.flush()


def _answer(message: bytes) -> bytes:
    """Return the picture of a drawing, or why there is none."""
    try:
        from bot.pictures.drawing import draw

        return DRAWN + draw(read(message))
    except Exception as error:  # noqa: BLE001 - its text may hold what was to be drawn
        return FAILED + kind_and_place(error).encode()


if __name__ == "__main__":
    sys.exit(main())
