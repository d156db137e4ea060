"""Terminal of the operator: shows instructions and reads lines."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from typing import Final

_STDIN: Final = 0
_YES: Final = frozenset({"y", "yes"})
_NO: Final = frozenset({"n", "no"})


class Terminal:
    """Shows lines with `show`, and waits for the operator's input.

    A thread reads the lines, because asyncio cannot wait for a terminal on every system. `read`
    blocks until there is input, and returns no bytes at its end.
    """

    def __init__(
        self, show: Callable[[str], object], read: Callable[[], bytes] | None = None
    ) -> None:
        self.show = show
        self._read = read or (lambda: os.read(_STDIN, 4096))
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._thread: threading.Thread | None = None

    async def line(self) -> str | None:
        """Wait for the next line; return `None` at the end of the input."""
        if self._thread is None:
            loop = asyncio.get_running_loop()
            self._thread = threading.Thread(target=self._read_lines, args=(loop,), daemon=True)
            self._thread.start()
        line = await self._lines.get()
        if line is None:
            self._lines.put_nowait(None)
        return line

    async def ask(self, question: str) -> bool | None:
        """Ask until the answer is yes or no; return `None` if the operator skips the question."""
        while True:
            self.show(f"{question} [y/n, Enter to leave it out]")
            answer = (await self.line() or "").strip().lower()
            if not answer:
                return None
            if answer in _YES | _NO:
                return answer in _YES

    def _read_lines(self, loop: asyncio.AbstractEventLoop) -> None:
        """Forward lines to the event loop; runs in the thread, which ends with the process."""
        unfinished = b""
        while chunk := self._read():
            *lines, unfinished = (unfinished + chunk).split(b"\n")
            for line in lines:
                loop.call_soon_threadsafe(self._lines.put_nowait, line.decode(errors="replace"))
        loop.call_soon_threadsafe(self._lines.put_nowait, None)
