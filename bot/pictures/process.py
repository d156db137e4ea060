"""Has pictures drawn in another process, so that no click waits and the bot stays small.

Each picture is one short run of `python -m bot.pictures`, one after another. The caller gets the
picture, or `None` if that fails. Then the log says why, but not what was to be drawn.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from bot.pictures.descriptions import Chart

log = logging.getLogger(__name__)

PATIENCE_SECONDS = 60.0
"""The longest a process may take. On a slow machine the first one has to find the fonts."""
MOST_WAITING = 20
"""The largest number of pictures that may wait for their turn."""
_ROOT = Path(__file__).parents[2]
_COMMAND = (sys.executable, "-m", "bot.pictures")
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_PNG = b"\x89PNG\r\n\x1a\n"
"""How a PNG file begins."""
_LONGEST_REASON = 200
"""The number of characters of an error that are logged."""


class Painter(Protocol):
    """Draws pictures: `Pictures`, or in tests something that does so at once, never, or badly."""

    async def draw(self, chart: Chart) -> bytes | None:
        """The PNG file, or `None` if there is none."""


class Pictures:
    """Draws each picture in a process of its own, one after another.

    `cache` is a folder in which matplotlib may keep what it knows of fonts. A process may take
    `patience` seconds. When `most` pictures wait, further ones are not drawn.
    """

    def __init__(
        self,
        cache: Path,
        *,
        command: Sequence[str] = _COMMAND,
        patience: float = PATIENCE_SECONDS,
        most: int = MOST_WAITING,
    ) -> None:
        self._environment = {"MPLCONFIGDIR": str(cache.absolute())}
        self._command = command
        self._patience = patience
        self._most = most
        self._asked = 0
        self._turn = asyncio.Lock()

    async def draw(self, chart: Chart) -> bytes | None:
        """The PNG file, or `None` if there is none; the log says why."""
        if self._asked > self._most:
            log.warning("a picture was not drawn: %s others wait", self._most)
            return None
        self._asked += 1
        try:
            async with self._turn:
                return await self._drawn(chart.model_dump_json().encode())
        except TimeoutError:
            log.warning("a picture was not drawn: it took more than %s s", self._patience)
        except OSError as error:
            log.warning("a picture was not drawn: no process (%s)", error.strerror)
        finally:
            self._asked -= 1
        return None

    async def _drawn(self, description: bytes) -> bytes | None:
        """The PNG file that a new process draws from this JSON; `None` if it fails."""
        process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=_ROOT,
            env=os.environ | _ONE_THREAD | self._environment,
        )
        try:
            async with asyncio.timeout(self._patience):
                picture, complaints = await process.communicate(description)
        finally:
            if process.returncode is None:
                process.kill()
                await process.communicate()
        if process.returncode == 0 and picture.startswith(_PNG):
            return picture
        reason = complaints.decode(errors="replace").strip().rpartition("\n")[2]
        log.warning(
            "a picture was not drawn: status %s, %s", process.returncode, reason[:_LONGEST_REASON]
        )
        return None
