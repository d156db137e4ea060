"""Client of the drawing process, which keeps Pillow out of the bot and its event loop free.

`Pictures` starts `python -m bot.pictures` for the first picture and reuses it for all others, one
at a time. A process that hangs is killed, and the next picture gets a new process. If there is no
picture, the caller gets `None`, and the reason is logged without the content of the picture.
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
from bot.pictures.process_messages import DRAWN, LENGTH_BYTES, Drawing, frame, to_json
from bot.pictures.replay.scene import ReplayScene
from bot.pictures.table.scene import TableScene
from bot.runtime.throttled_log import ThrottledLog

__all__ = ["TABLE_SUFFIX", "Drawing", "Painter", "Pictures"]

log = logging.getLogger(__name__)

TABLE_SUFFIX = "png"
"""Suffix of the file name of a table picture."""

_BEHIND = 10
"""Number of waiting pictures from which the process is behind: about 0.1 s of work."""
PATIENCE_SECONDS = 60.0
"""Timeout of a picture, including the start of the process, in seconds."""
MOST_WAITING = 1000
"""Maximum number of pictures that wait: enough for the hands of 200 tables that begin together."""
_PLACES_PER_CHART = 4
"""Charts take at most one of this many places of the queue; tables may take all places."""
FIRST_PAUSE_SECONDS = 1.0
"""Pause before a new process after a failure, in seconds; doubled by each further failure."""
LONGEST_PAUSE_SECONDS = 300.0
"""Maximum pause before a new process, in seconds."""

_ROOT = Path(__file__).parents[2]
_COMMAND = (sys.executable, "-m", "bot.pictures")
_LONGEST_REASON = 200
"""Maximum number of characters of an error in the log."""
_LARGEST_RESPONSE = 1 << 24
"""Maximum size of a response, in bytes."""


class Painter(Protocol):
    """Interface of `Pictures`, which tests replace."""

    async def draw(self, drawing: Drawing) -> bytes | None:
        """Return the PNG file, or `None` if it could not be drawn. Raises nothing."""


class _DrawingFailed(Exception):
    """Raised if a picture could not be drawn. The text has the reason, but none of the content."""


class _ProcessEnded(_DrawingFailed):
    """Raised if the process exited before it responded."""


class Pictures:
    """Queue of pictures for one process: tables first, then charts.

    A picture may take `patience` seconds. At most `most` pictures wait in the queue, of which at
    most a quarter are charts; further requests are rejected. The queue stays short, because a
    table requests one picture at a time, and then the next one of its newest state.
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
        self._failures_in_a_row = 0
        """Number of failures since the last picture that was drawn."""
        self._paused_until = 0.0
        """Loop time before which no process is started."""
        self._full_log = ThrottledLog(log, "picture not drawn")
        self._busy = False
        """True while a picture is being drawn."""
        self._waiting: list[tuple[bool, int, asyncio.Future[None]]] = []
        """Waiting callers as a heap: tables first, then in order of arrival."""
        self._arrivals = count()
        self._running_tasks: set[asyncio.Task[bytes | None]] = set()
        self._closed = asyncio.Event()

    async def draw(self, drawing: Drawing) -> bytes | None:
        """Return the PNG file, or `None` if it could not be drawn; the log then has the reason.

        A caller that is cancelled leaves the queue. If its picture is already being drawn, the
        picture is finished and discarded.
        """
        if self._closed.is_set():
            return None
        chart = not isinstance(drawing, TableScene | HandScene | ReplayScene)
        charts = sum(is_chart for is_chart, *_ in self._waiting)
        if len(self._waiting) >= self._most or (chart and charts * _PLACES_PER_CHART >= self._most):
            self._full_log.failure("too many are queued")
            return None
        self._full_log.success()
        await self._wait_for_turn(chart=chart)
        task = asyncio.create_task(self._draw_in_turn(drawing), name="picture")
        self._running_tasks.add(task)
        task.add_done_callback(self._running_tasks.discard)
        return await asyncio.shield(task)

    @property
    def waiting(self) -> int:
        """Number of waiting pictures."""
        return len(self._waiting)

    @property
    def is_behind(self) -> bool:
        """True if a new picture would wait so long that an answer should not wait for it."""
        return len(self._waiting) >= _BEHIND

    async def close(self) -> None:
        """Kill the process; running and waiting pictures are not drawn."""
        self._closed.set()
        self._kill_process()
        await asyncio.gather(*self._running_tasks, return_exceptions=True)
        if self._process is not None:
            await self._process.wait()

    # --- the queue -------------------------------------------------------------------------------

    async def _wait_for_turn(self, *, chart: bool) -> None:
        """Wait until the process is free for this caller; charts wait longer."""
        if not self._busy:
            self._busy = True
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        entry = chart, next(self._arrivals), turn
        heapq.heappush(self._waiting, entry)
        try:
            await turn
        except asyncio.CancelledError:
            if entry in self._waiting:
                self._waiting.remove(entry)
                heapq.heapify(self._waiting)
            elif not turn.cancelled():  # the turn was passed to this caller, which cannot take it
                self._call_next()
            raise

    def _call_next(self) -> None:
        """Pass the turn to the next waiting caller."""
        while self._waiting:
            _, _, turn = heapq.heappop(self._waiting)
            if not turn.done():  # otherwise the caller is just being cancelled
                turn.set_result(None)
                return
        self._busy = False

    # --- the process -----------------------------------------------------------------------------

    async def _draw_in_turn(self, drawing: Drawing) -> bytes | None:
        """Return the picture that the process draws, and pass the turn to the next caller."""
        try:
            async with asyncio.timeout(self._patience):
                picture = await self._request(to_json(drawing))
        except _DrawingFailed as failure:
            self._log_failure(str(failure))
        except TimeoutError:
            self._kill_after_failure()
            self._log_failure(f"it took more than {self._patience} s")
        except OSError as error:
            self._kill_after_failure()
            self._log_failure(f"no process ({error.strerror})")
        else:
            self._failures_in_a_row = 0
            return picture
        finally:
            self._call_next()
        return None

    async def _request(self, message: bytes) -> bytes:
        """Send a request to the process and return the picture.

        Raise `_DrawingFailed`, or `OSError` if the process cannot be started.

        If the process has exited since the last picture, the request is repeated with a new one.
        """
        process = self._process
        try:
            return await self._exchange(message)
        except _ProcessEnded:
            if self._process is not process:  # a new process has ended, too
                raise
        return await self._exchange(message)

    async def _exchange(self, message: bytes) -> bytes:
        """Send a message once and return the picture. Raise the exceptions of `_request`."""
        process = await self._running_process()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(frame(message))
            await process.stdin.drain()
            length = int.from_bytes(await process.stdout.readexactly(LENGTH_BYTES))
            if not 0 < length <= _LARGEST_RESPONSE:
                self._kill_after_failure()
                raise _DrawingFailed("invalid response")
            response = await process.stdout.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError):
            self._kill_after_failure()
            status = await process.wait()
            raise _ProcessEnded(f"the process has ended, status {status}") from None
        if response[:1] != DRAWN:
            raise _DrawingFailed(response[1:].decode(errors="replace"))
        return response[1:]

    async def _running_process(self) -> asyncio.subprocess.Process:
        """Return the process, started if necessary. Raise `_DrawingFailed` during a pause."""
        if self._process is not None and self._process.returncode is None:
            return self._process
        if self._closed.is_set():
            raise _DrawingFailed("closed")
        if asyncio.get_running_loop().time() < self._paused_until:
            raise _DrawingFailed("processes have failed; the next one is started later")
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            cwd=_ROOT,
        )
        if self._closed.is_set():
            self._kill_process()
        return self._process

    def _kill_after_failure(self) -> None:
        """Kill the process after a failure, and delay the next start.

        The first failure in a row causes no pause. Each later failure doubles the pause.
        """
        self._kill_process()
        self.failed += 1
        failures = self._failures_in_a_row
        pause = min(FIRST_PAUSE_SECONDS * 2**failures, LONGEST_PAUSE_SECONDS) if failures else 0.0
        self._paused_until = asyncio.get_running_loop().time() + pause
        self._failures_in_a_row = min(failures + 1, 16)  # keeps the power small

    def _kill_process(self) -> None:
        """Kill the process, if there is one."""
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                _kill(self._process)

    def _log_failure(self, reason: str) -> None:
        """Log why there is no picture."""
        if not self._closed.is_set():
            log.warning("picture not drawn: %s", reason[:_LONGEST_REASON])


def _kill(process: asyncio.subprocess.Process) -> None:
    """Kill a process. Raise `ProcessLookupError` if it has just exited.

    `Process.kill` would first poll the process. If that reaped its exit status,
    `Process.wait` would find none, and asyncio would log a warning.
    """
    if sys.platform == "win32":
        process.kill()
    else:
        os.kill(process.pid, signal.SIGKILL)
