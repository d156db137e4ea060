"""Rebuilds derived data while the bot runs, after the derivation has changed.

A separate process, `python -m bot.history`, does the work: it computes for minutes, and clicks must
not wait for it. `bot.storage.rebuild` describes when it replaces which data.
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
_RETRY_S: Final = 3600.0
"""Delay before a failed rebuild is retried, in seconds."""
_FROM_ENVIRONMENT: Final = "-"
"""Placeholder for the file if the database is that of DATABASE_URL."""
_MOST_LOGGED_TABLES: Final = 10
"""Maximum number of tables in a log line."""


class RebuildOutput(BaseModel):
    """Final output of the process, as JSON on stdout."""

    problem: str = ""
    """Reason of the failure, for people to read; empty on success."""
    rounds: int = 0
    """Number of rounds that were counted."""
    matches: int = 0
    """Number of matches that were counted."""
    skipped: tuple[TableId, ...] = ()
    """Tables that were skipped, and so not changed, because they cannot be replayed."""


class RebuildFailed(Exception):
    """Raised when the rebuild failed and the data are unchanged. The message has the reason."""


async def rebuild_in_background(database: Path | str, clock: Clock) -> None:
    """Rebuild all derived data once. Retry an hour after a failure."""
    while True:
        start = clock.now()
        try:
            output = await run_rebuild(database, start)
        except RebuildFailed as error:
            log.error("rebuild failed, retrying in an hour: %s", error)
            await clock.sleep(_RETRY_S)
            continue
        seconds = (clock.now() - start).total_seconds()
        message = "rebuild finished in %.0f s: %s rounds, %s matches"
        log.info(message, seconds, output.rounds, output.matches)
        if output.skipped:
            tables = ", ".join(str(table_id) for table_id in output.skipped[:_MOST_LOGGED_TABLES])
            more = " ..." if len(output.skipped) > _MOST_LOGGED_TABLES else ""
            log.error("rebuild skipped tables that cannot be replayed: %s%s", tables, more)
        return


def _process_environment(database: Path | str) -> dict[str, str]:
    """Return the environment of the process, without the bot's token."""
    environment = {name: value for name, value in os.environ.items() if name != "DISCORD_TOKEN"}
    return {**environment, "DATABASE_URL": database} if isinstance(database, str) else environment


async def run_rebuild(
    database: Path | str, now: datetime, *, command: Sequence[str] = _COMMAND
) -> RebuildOutput:
    """Run the rebuild process and return its output. Raise `RebuildFailed`.

    `database` is an absolute path or a URL. A URL is passed in the environment, because it may
    contain a password and command lines are public. If the caller is cancelled, the process is
    killed and the data stay unchanged.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            *(_FROM_ENVIRONMENT if isinstance(database, str) else str(database), str(DERIVATION)),
            now.isoformat(),
            stdin=asyncio.subprocess.PIPE,  # the process exits when it is closed
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            cwd=_ROOT,
            env=_process_environment(database),
        )
    except OSError as error:
        raise RebuildFailed(f"No process can be started ({error.strerror}).") from error
    assert process.stdout is not None
    try:
        stdout = await process.stdout.read()
        status = await process.wait()
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    try:
        output = RebuildOutput.model_validate_json(stdout)
    except ValidationError:
        raise RebuildFailed(f"Its process has ended, status {status}.") from None
    if output.problem:
        raise RebuildFailed(output.problem)
    return output
