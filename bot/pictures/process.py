"""Process that draws pictures, so that no click waits and the bot stays small.

`Pictures` starts `python -m bot.pictures` for the first picture and keeps it; it draws one picture
at a time. A process that dies or hangs is killed, and the next picture gets a new one. The caller
gets the picture, or `None`. The log then has the reason, but not the content of the picture.
"""

from __future__ import annotations

import asyncio
import heapq
import logging
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Protocol

from bot.pictures.hand.scene import HandScene
from bot.pictures.process_messages import DRAWN, LENGTH_BYTES, Drawing, frame, written
from bot.pictures.replay.scene import ReplayScene
from bot.pictures.table.scene import TableScene

__all__ = ["TABLE_SUFFIX", "Drawing", "Painter", "Pictures"]

log = logging.getLogger(__name__)

TABLE_SUFFIX = "png"
"""Suffix of the file name of a table picture."""

PATIENCE_SECONDS = 60.0
"""Timeout of a picture, including the start of the process, in seconds."""
MOST_WAITING = 200
"""Maximum number of pictures that wait."""
_SHARE_OF_CHARTS = 4
"""Divisor of `MOST_WAITING` for charts; the rest of the queue is for pictures of tables."""
FIRST_PAUSE_SECONDS = 1.0
"""Pause before a new process after a failure, in seconds; doubled by each further failure."""
LONGEST_PAUSE_SECONDS = 300.0
"""Maximum pause before a new process, in seconds."""

_ROOT = Path(__file__).parents[2]
_COMMAND = (sys.executable, "-m", "bot.pictures")
_LONGEST_REASON = 200
"""Maximum number of characters of an error in the log."""
_LONGEST_ANSWER = 1 << 24
"""Maximum size of a response, in bytes."""


class Painter(Protocol):
    """Drawer of pictures: `Pictures`, or in tests one that answers at once, never, or badly."""

    async def draw(self, drawing: Drawing) -> bytes | None:
        """Return the PNG file, or `None` if there is none. Raises nothing."""


class _Failed(Exception):
    """Raised if there is no picture. The text has the reason, nothing of the content."""


class _Ended(_Failed):
    """Raised if the process has ended before its response."""


class Pictures:
    """Queue of pictures for one process: tables first, then charts.

    A picture may take `patience` seconds. Pictures are rejected while `most` wait, and charts while
    a quarter of the queue are charts. A table requests one picture at a time, and then one of its
    newest state.
    """

    def __init__(
        self,
        *,
        command: Sequence[str] = _COMMAND,
        patience: float = PATIENCE_SECONDS,
        most: int = MOST_WAITING,
    ) -> None:
        self._command = command
        self._patience = patience
        self._most = most
        self._process: asyncio.subprocess.Process | None = None
        self.failed = 0
        """Number of processes that died, hung, or failed to start."""
        self._failures = 0
        """Number of failures since the last picture."""
        self._paused_until = 0.0
        """Loop time before which no process is started."""
        self._busy = False
        """True while a picture is being drawn."""
        self._waiting: list[tuple[bool, int, asyncio.Future[None]]] = []
        """Waiting callers as a heap: tables first, then in order of arrival."""
        self._numbers = count()
        self._at_work: set[asyncio.Task[bytes | None]] = set()
        self._closed = asyncio.Event()

    async def draw(self, drawing: Drawing) -> bytes | None:
        """Return the PNG file, or `None` if there is none, with the reason in the log.

        A caller that is cancelled leaves the queue; a picture that is already being drawn is
        finished and dropped.
        """
        if self._closed.is_set():
            return None
        chart = not isinstance(drawing, TableScene | HandScene | ReplayScene)
        charts = sum(later for later, *_ in self._waiting)
        if len(self._waiting) >= self._most or (chart and charts * _SHARE_OF_CHARTS >= self._most):
            log.warning("picture not drawn: %s are already queued", len(self._waiting))
            return None
        await self._turn(later=chart)
        task = asyncio.create_task(self._draw_in_turn(drawing), name="picture")
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)
        return await asyncio.shield(task)

    @property
    def waiting(self) -> int:
        """Number of waiting pictures."""
        return len(self._waiting)

    async def close(self) -> None:
        """Kill the process; running and waiting pictures are not drawn."""
        self._closed.set()
        self._end()
        await asyncio.gather(*self._at_work, return_exceptions=True)
        if self._process is not None:
            await self._process.wait()

    # --- one after another -----------------------------------------------------------------------

    async def _turn(self, *, later: bool) -> None:
        """Wait for the turn of this caller."""
        if not self._busy:
            self._busy = True
            return
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        place = later, next(self._numbers), called
        heapq.heappush(self._waiting, place)
        try:
            await called
        except asyncio.CancelledError:
            if place in self._waiting:
                self._waiting.remove(place)
                heapq.heapify(self._waiting)
            elif not called.cancelled():
                self._call_next()
            raise

    def _call_next(self) -> None:
        """Pass the turn to the next waiting caller."""
        while self._waiting:
            _, _, called = heapq.heappop(self._waiting)
            if not called.done():  # else its caller is being cancelled at this moment
                called.set_result(None)
                return
        self._busy = False

    # --- the process -----------------------------------------------------------------------------

    async def _draw_in_turn(self, drawing: Drawing) -> bytes | None:
        """Return the picture that the process draws, then pass the turn on."""
        try:
            async with asyncio.timeout(self._patience):
                picture = await self._request(written(drawing))
        except _Failed as problem:
            self._log_failure(str(problem))
        except TimeoutError:
            self._end_after_failure()
            self._log_failure(f"it took more than {self._patience} s")
        except OSError as error:
            self._end_after_failure()
            self._log_failure(f"no process ({error.strerror})")
        else:
            self._failures = 0
            return picture
        finally:
            self._call_next()
        return None

    async def _request(self, message: bytes) -> bytes:
        """Return the picture for a message. Raise `_Failed`, or `OSError` if no process starts.

        If the process has died since the last picture, a new one is used.
        """
        kept = self._process
        try:
            return await self._exchange(message)
        except _Ended:
            if self._process is not kept:
                raise
        return await self._exchange(message)

    async def _exchange(self, message: bytes) -> bytes:
        """Send a message and return the picture. Raise the errors of `_request`."""
        process = await self._running_process()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(frame(message))
            await process.stdin.drain()
            length = int.from_bytes(await process.stdout.readexactly(LENGTH_BYTES))
            if not 0 < length <= _LONGEST_ANSWER:
                self._end_after_failure()
                raise _Failed("invalid response")
            answer = await process.stdout.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError):
            self._end_after_failure()
            status = await process.wait()
            raise _Ended(f"the process has ended, status {status}") from None
        if answer[:1] != DRAWN:
            raise _Failed(answer[1:].decode(errors="replace"))
        return answer[1:]

    async def _running_process(self) -> asyncio.subprocess.Process:
        """Return the process, or start one. Raise `_Failed` during a pause."""
        if self._process is not None and self._process.returncode is None:
            return self._process
        if self._closed.is_set():
            raise _Failed("closed")
        if asyncio.get_running_loop().time() < self._paused_until:
            raise _Failed("processes have failed; the next one is started later")
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            cwd=_ROOT,
        )
        if self._closed.is_set():
            self._end()
        return self._process

    def _end_after_failure(self) -> None:
        """Kill the process, and lengthen the pause before the next one."""
        self._end()
        self.failed += 1
        pause = min(FIRST_PAUSE_SECONDS * 2**self._failures, LONGEST_PAUSE_SECONDS)
        self._paused_until = asyncio.get_running_loop().time() + (pause if self._failures else 0)
        self._failures = min(self._failures + 1, 16)

    def _end(self) -> None:
        """Kill the process, if there is one."""
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                _kill(self._process)

    def _log_failure(self, reason: str) -> None:
        """Log why there is no picture."""
        if not self._closed.is_set():
            log.warning("picture not drawn: %s", reason[:_LONGEST_REASON])


def _kill(process: asyncio.subprocess.Process) -> None:
    """Kill a process that may be ending just now; `ProcessLookupError` if it is gone.

    `Process.kill` would first poll the process. If it has ended, `Process.wait` would then find no
    status, and asyncio would log that.
    """
    if sys.platform == "win32":
        process.kill()
    else:
        os.kill(process.pid, signal.SIGKILL)
