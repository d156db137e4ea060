"""Drawing process: `python -m bot.pictures`, a child of `bot.pictures.process`.

It reads drawings from stdin and writes pictures to stdout until stdin is closed, which happens at
the latest when the bot exits. If a drawing fails, the response has the type of the error and its
place, but not its text, which may contain names.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import BinaryIO

from bot.pictures.process_messages import DRAWN, FAILED, LENGTH_BYTES, frame, read
from bot.runtime.logs import kind_and_place

_NICENESS = 5
"""Niceness of this process relative to the bot."""


def main() -> int:
    """Draw until stdin is closed, and return the exit status."""
    # Clicks have priority over pictures. Windows has no `os.nice`.
    with suppress(AttributeError, OSError):
        os.nice(_NICENESS)
    # Ctrl+C reaches all processes of a terminal; the bot then closes stdin.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    serve(sys.stdin.buffer, sys.stdout.buffer)
    return 0


def serve(requests: BinaryIO, responses: BinaryIO) -> None:
    """Respond to every message until the end of the input."""
    while len(head := requests.read(LENGTH_BYTES)) == LENGTH_BYTES:
        answer = _answer(requests.read(int.from_bytes(head)))
        responses.write(frame(answer))
        responses.flush()


def _answer(message: bytes) -> bytes:
    """Return the picture of a drawing, or the reason of the failure."""
    try:
        from bot.pictures.drawing import draw

        return DRAWN + draw(read(message))
    except Exception as error:  # noqa: BLE001 - its text may hold what was to be drawn
        return FAILED + kind_and_place(error).encode()


if __name__ == "__main__":
    sys.exit(main())
