"""Has everything derived anew while tables are played, when the program derives it in another way.

`python -m bot.history` does it, a process of its own: it computes for minutes, and no click waits
for that. What it puts in place, and when, is told in `bot.storage.rebuild`.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ValidationError

from bot.history.rebuild import DERIVATION
from bot.ids import TableId
from bot.runtime.clock import Clock

log = logging.getLogger(__name__)

_COMMAND: Final = (sys.executable, "-m", "bot.history")
_ROOT: Final = Path(__file__).parents[2]
_AGAIN_S: Final = 3600.0
"""The pause before a rebuild that has failed is tried again, in seconds."""
_ITS_URL: Final = "-"
"""What stands in the place of the file if the database is the one of DATABASE_URL."""
_SHOWN: Final = 10
"""How many tables a log line names."""


class Answer(BaseModel):
    """What the process tells at its end, as JSON on stdout."""

    problem: str = ""
    """Why it has failed, in words for a person; empty if it has not."""
    rounds: int = 0
    """The number of rounds that were counted."""
    matches: int = 0
    """The number of matches that were counted."""
    left: tuple[TableId, ...] = ()
    """The tables that cannot be played again and were left as they were."""


class RebuildFailed(Exception):
    """The figures are as they were; the text says why."""


async def count_anew(database: Path | str, clock: Clock) -> None:
    """Have everything derived anew, once; what fails is tried again an hour later."""
    while True:
        began = clock.now()
        try:
            answer = await rebuilt(database, began)
        except RebuildFailed as error:
            log.error("counting anew has failed: %s The bot tries again in an hour.", error)
            await clock.sleep(_AGAIN_S)
            continue
        seconds = (clock.now() - began).total_seconds()
        told = "counted anew in %.0f s: %s rounds and %s matches"
        log.info(told, seconds, answer.rounds, answer.matches)
        if answer.left:
            named = ", ".join(str(table_id) for table_id in answer.left[:_SHOWN])
            more = " ..." if len(answer.left) > _SHOWN else ""
            log.error("these tables cannot be played again and count as before: %s%s", named, more)
        return


def _environment(database: Path | str) -> dict[str, str]:
    """The environment of the process."""
    kept = {name: value for name, value in os.environ.items() if name != "DISCORD_TOKEN"}
    return {**kept, "DATABASE_URL": database} if isinstance(database, str) else kept


async def rebuilt(
    database: Path | str, now: datetime, *, command: Sequence[str] = _COMMAND
) -> Answer:
    """What the process tells that has derived everything anew. Raises `RebuildFailed`.

    `database` is an absolute path, or a URL, which the process gets by its environment: all may
    read a command line, and it may hold a password. A process that still works is killed if the
    caller is cancelled: figures are as they were then.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            *(_ITS_URL if isinstance(database, str) else str(database), str(DERIVATION)),
            now.isoformat(),
            stdin=asyncio.subprocess.PIPE,  # it ends when this is closed: with the bot
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            cwd=_ROOT,
            env=_environment(database),
        )
    except OSError as error:
        raise RebuildFailed(f"No process can be started ({error.strerror}).") from error
    assert process.stdout is not None
    try:
        told = await process.stdout.read()
        status = await process.wait()
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    try:
        answer = Answer.model_validate_json(told)
    except ValidationError:
        raise RebuildFailed(f"Its process has ended, status {status}.") from None
    if answer.problem:
        raise RebuildFailed(answer.problem)
    return answer
