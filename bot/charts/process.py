"""Has pictures drawn by a process of their own, so that neither clicks nor memory suffer.

Each picture is one short run of `python -m bot.charts`, one after another. Whoever asks gets the
picture or none: then the log says why, without what was to be drawn, and nothing else happens.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from bot.charts.descriptions import Chart

log = logging.getLogger(__name__)

PATIENCE_SECONDS = 60.0
"""The first run on a slow machine has to find its letters, which takes a while."""
MOST_WAITING = 20
_ROOT = Path(__file__).parents[2]
_COMMAND = (sys.executable, "-m", "bot.charts")
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_PNG = b"\x89PNG\r\n\x1a\n"
_LONGEST_REASON = 200


class Painter(Protocol):
    """Who draws pictures; in tests somebody who does so at once, never, or badly."""

    async def draw(self, chart: Chart) -> bytes | None:
        """The PNG file, or `None` if there is none."""


class Pictures:
    """Draws in processes; `cache` is a folder in which matplotlib may keep what it has found out.

    `patience` are the seconds that a process may take; whoever comes when `most` wait gets nothing.
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
