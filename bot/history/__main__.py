"""Rebuild process: `python -m bot.history FILE NUMBER NOW`.

`bot.history.background` starts it with the database file (or `-` for DATABASE_URL), the number of
the derivation that the bot expects, and the current time. It exits when its stdin is closed, which
happens at the latest when the bot exits. It never upgrades the schema while the bot runs, because
that needs the bot's lock.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from contextlib import suppress
from datetime import datetime

from bot.history.background import RebuildOutput
from bot.history.rebuild import DERIVATION, rebuild
from bot.rating.ledger import LEDGER
from bot.runtime.logs import kind_and_place
from bot.storage import StorageError, Store

_NICENESS = 10
"""Niceness of this process above that of the bot, which has priority."""


def main() -> int:
    """Rebuild all derived data, print a `RebuildOutput` and return the exit status."""
    # Clicks have priority. Windows has no `os.nice`.
    with suppress(AttributeError, OSError):
        os.nice(_NICENESS)
    # Ctrl+C reaches all processes of a terminal; the bot then closes stdin.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_when_stdin_closes, daemon=True).start()
    database, derivation, now = sys.argv[1:]
    output = asyncio.run(_run(database, int(derivation), datetime.fromisoformat(now)))
    print(output.model_dump_json())
    return 1 if output.problem else 0


def _exit_when_stdin_closes() -> None:
    """Exit immediately once stdin is closed."""
    # Not sys.stdin: its lock must not be held at interpreter shutdown.
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(1)


async def _run(database: str, derivation: int, now: datetime) -> RebuildOutput:
    """Rebuild all derived data; return the counts or the reason of a failure."""
    if derivation != DERIVATION:
        return RebuildOutput(
            problem="The program was updated while the bot runs: start the bot again."
        )
    try:
        url = os.environ["DATABASE_URL"] if database == "-" else f"sqlite:///{database}"
        store = await Store.open(url, LEDGER)
        try:
            result = await rebuild(store, now)
        finally:
            await store.close()
    except StorageError as error:
        return RebuildOutput(problem=str(error))
    except Exception as error:  # noqa: BLE001 - its text may hold cards
        return RebuildOutput(problem=f"A fault in the program: {kind_and_place(error)}.")
    return RebuildOutput(rounds=result.rounds, matches=result.matches, skipped=result.skipped)


if __name__ == "__main__":
    sys.exit(main())
