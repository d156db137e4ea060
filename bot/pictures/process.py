"""Has pictures drawn in another process, so that no click waits and the bot stays small.

`Pictures` starts `python -m bot.pictures` when the first picture is wanted and keeps it: it draws
one picture after another. A process that dies or hangs is ended, and the next picture gets a new
one. The caller gets the picture, or `None`. Then the log says why, but not what was to be drawn.
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
from bot.pictures.process_messages import DRAWN, LENGTH_BYTES, Drawing, framed, written
from bot.pictures.replay.scene import ReplayScene
from bot.pictures.table.scene import TableScene

__all__ = ["TABLE_SUFFIX", "Drawing", "Painter", "Pictures"]

log = logging.getLogger(__name__)

TABLE_SUFFIX = "png"
"""How the name of a file with a drawn table ends."""

PATIENCE_SECONDS = 60.0
"""The longest a picture may take, with the start of the process."""
MOST_WAITING = 200
"""The largest number of pictures that may wait for their turn."""
_SHARE_OF_CHARTS = 4
"""Charts get at most the waiting places divided by this: the rest is for pictures of tables."""
FIRST_PAUSE_SECONDS = 1.0
"""How long no process is started after one has failed; twice as long after each further failure."""
LONGEST_PAUSE_SECONDS = 300.0
"""The longest such pause."""

_ROOT = Path(__file__).parents[2]
_COMMAND = (sys.executable, "-m", "bot.pictures")
_LONGEST_REASON = 200
"""The number of characters of an error that are logged."""
_LONGEST_ANSWER = 1 << 24
"""The largest number of bytes that an answer may have."""


class Painter(Protocol):
    """Draws pictures: `Pictures`, or in tests something that does so at once, never, or badly."""

    async def draw(self, drawing: Drawing) -> bytes | None:
        """The PNG file, or `None` if there is none. Raises nothing."""


class _Failed(Exception):
    """There is no picture; the text says why, and nothing of what was to be drawn."""


class _Ended(_Failed):
    """The process has ended before it had answered."""


class Pictures:
    """Draws pictures in a process of its own, one after another: first tables, then charts.

    A picture may take `patience` seconds. When `most` pictures wait, further ones are not drawn,
    and charts when a quarter of them are charts: who shows a table asks for one picture of it at a
    time, and then for one of its newest state.
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
        """How many processes have died, hung, or could not be started."""
        self._failures = 0
        """How many processes have failed since the last picture."""
        self._rests_until = 0.0
        """The time of the event loop before which no process is started."""
        self._busy = False
        """Whether a picture is being drawn."""
        self._waiting: list[tuple[bool, int, asyncio.Future[None]]] = []
        """Who waits for their turn, as a heap: tables first, then by the time they came."""
        self._numbers = count()
        self._at_work: set[asyncio.Task[bytes | None]] = set()
        self._closed = asyncio.Event()

    async def draw(self, drawing: Drawing) -> bytes | None:
        """The PNG file, or `None` if there is none; the log says why.

        A caller that is cancelled leaves the line; a picture that is already being drawn is
        finished, and nobody gets it.
        """
        if self._closed.is_set():
            return None
        chart = not isinstance(drawing, TableScene | HandScene | ReplayScene)
        charts = sum(later for later, *_ in self._waiting)
        if len(self._waiting) >= self._most or (chart and charts * _SHARE_OF_CHARTS >= self._most):
            log.warning("picture not drawn: %s are already queued", len(self._waiting))
            return None
        await self._turn(later=chart)
        task = asyncio.create_task(self._drawn(drawing), name="picture")
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)
        return await asyncio.shield(task)

    @property
    def waiting(self) -> int:
        """How many pictures wait for their turn."""
        return len(self._waiting)

    async def close(self) -> None:
        """End the process; what is being drawn or waits is not drawn."""
        self._closed.set()
        self._end()
        await asyncio.gather(*self._at_work, return_exceptions=True)
        if self._process is not None:
            await self._process.wait()

    # --- one after another -----------------------------------------------------------------------

    async def _turn(self, *, later: bool) -> None:
        """Wait until nobody else has a picture drawn; from then on this caller has the turn."""
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
        """Give the turn to the next one who waits."""
        while self._waiting:
            _, _, called = heapq.heappop(self._waiting)
            if not called.done():  # else its caller is being cancelled at this moment
                called.set_result(None)
                return
        self._busy = False

    # --- the process -----------------------------------------------------------------------------

    async def _drawn(self, drawing: Drawing) -> bytes | None:
        """The picture that the process draws; afterwards the turn is the next caller's."""
        try:
            async with asyncio.timeout(self._patience):
                picture = await self._asked(written(drawing))
        except _Failed as problem:
            self._report(str(problem))
        except TimeoutError:
            self._failed()
            self._report(f"it took more than {self._patience} s")
        except OSError as error:
            self._failed()
            self._report(f"no process ({error.strerror})")
        else:
            self._failures = 0
            return picture
        finally:
            self._call_next()
        return None

    async def _asked(self, message: bytes) -> bytes:
        """The picture of this message. Raises `_Failed`, or `OSError` if no process starts.

        A process may have died since the last picture: then a new one is asked.
        """
        kept = self._process
        try:
            return await self._answer(message)
        except _Ended:
            if self._process is not kept:
                raise
        return await self._answer(message)

    async def _answer(self, message: bytes) -> bytes:
        """The picture that the process answers with; raises what `_asked` raises."""
        process = await self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(framed(message))
            await process.stdin.drain()
            length = int.from_bytes(await process.stdout.readexactly(LENGTH_BYTES))
            if not 0 < length <= _LONGEST_ANSWER:
                self._failed()
                raise _Failed("an answer that is none")
            answer = await process.stdout.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError):
            self._failed()
            status = await process.wait()
            raise _Ended(f"the process has ended, status {status}") from None
        if answer[:1] != DRAWN:
            raise _Failed(answer[1:].decode(errors="replace"))
        return answer[1:]

    async def _started(self) -> asyncio.subprocess.Process:
        """The process, a new one if there is none. Raises `_Failed` during a pause."""
        if self._process is not None and self._process.returncode is None:
            return self._process
        if self._closed.is_set():
            raise _Failed("closed")
        if asyncio.get_running_loop().time() < self._rests_until:
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

    def _failed(self) -> None:
        """End the process; the pause until the next one is longer after each failure."""
        self._end()
        self.failed += 1
        pause = min(FIRST_PAUSE_SECONDS * 2**self._failures, LONGEST_PAUSE_SECONDS)
        self._rests_until = asyncio.get_running_loop().time() + (pause if self._failures else 0)
        self._failures = min(self._failures + 1, 16)

    def _end(self) -> None:
        """Kill the process, if there is one."""
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                _kill(self._process)

    def _report(self, reason: str) -> None:
        """Say in the log why there is no picture."""
        if not self._closed.is_set():
            log.warning("picture not drawn: %s", reason[:_LONGEST_REASON])


def _kill(process: asyncio.subprocess.Process) -> None:
    """Kill a process that may be ending just now; `ProcessLookupError` if it is gone.

    `Process.kill` would look first whether it has ended. If so, whoever waits for its status would
    find none, and asyncio would log that.
    """
    if sys.platform == "win32":
        process.kill()
    else:
        os.kill(process.pid, signal.SIGKILL)
