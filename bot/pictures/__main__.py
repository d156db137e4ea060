"""Drawing process: `python -m bot.pictures`, a child of `bot.pictures.process`.

It reads drawings from stdin and writes pictures to stdout until stdin is closed, at the latest when
the bot exits. If a drawing fails, the response names the type of the exception and its place in the
code, but not its text, which may contain names of players.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import BinaryIO

from bot.pictures.process_messages import DRAWN, FAILED, LENGTH_BYTES, frame, parse_drawing
from bot.runtime.logs import kind_and_place

_NICENESS = 5
"""Niceness of this process relative to the bot."""


def main() -> int:
    """Draw until stdin is closed, and return the exit status."""
    # The bot, which responds to clicks, has priority. Windows has no `os.nice`.
    with suppress(AttributeError, OSError):
        os.nice(_NICENESS)
    # Ctrl+C reaches all processes of a terminal. This one exits when the bot closes stdin.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    serve(sys.stdin.buffer, sys.stdout.buffer)
    return 0


def serve(requests: BinaryIO, responses: BinaryIO) -> None:
    """Respond to each request until the end of the input."""
    while len(length := requests.read(LENGTH_BYTES)) == LENGTH_BYTES:
        response = _respond(requests.read(int.from_bytes(length)))
        responses.write(frame(response))
        responses.flush()


def _respond(request: bytes) -> bytes:
    """Return the response to a request: the picture, or the reason why drawing failed."""
    try:
        from bot.pictures.drawing import draw

        return DRAWN + draw(parse_drawing(request))
    except Exception as error:  # noqa: BLE001 - its text may hold what was to be drawn
        return FAILED + kind_and_place(error).encode()


if __name__ == "__main__":
    sys.exit(main())
