"""Computer players for worker processes that do what the seed says."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from engine import Action, Pass, View
from players.levels import Advice, Level
from players.manners import Manner

COMPILING = "COMPILING"
"""Variable with the path of a file for the processes that prepare; each has compiled code then."""
SENSIBLE, CRASHES, HANGS, FAILS, UNREADABLE, NOTHING, ENVIRONMENT, PONDERS = range(8)
CANNOT_START = "CANNOT_START"
"""Variable with the path of a file; while the file exists, preparing fails."""
STANDS_STILL = "STANDS_STILL"
"""Variable with the path of a file; while the file exists, preparing makes no progress."""


def prepare(level: Level) -> bool:
    """Prepare nothing, unless the test wants a failure, a standstill or code that was compiled."""
    if _is_there(CANNOT_START):
        raise RuntimeError("it does not compile")
    while _is_there(STANDS_STILL):
        time.sleep(0.01)
    path = os.environ.get(COMPILING)
    if path:
        with Path(path).open("a", encoding="ascii") as file:
            print(os.getpid(), file=file)
    return bool(path)


def _is_there(variable: str) -> bool:
    path = os.environ.get(variable)
    return bool(path) and Path(path or "").exists()


Stop = Callable[[], bool]


def choose(
    level: Level, view: View, seed: int, seconds: float, *, stop: Stop, manner: Manner = "steady"
) -> Action | None:
    """Return a pass with the process number as seat, or fail as the seed says."""
    if seed == CRASHES:
        os.kill(os.getpid(), signal.SIGKILL)
    if seed == HANGS:
        time.sleep(10**6)
    while seed == PONDERS and not stop():
        time.sleep(0.01)
    if seed == FAILS:
        raise ValueError(f"{view.hand} is too much")
    if seed == UNREADABLE:
        return lambda: None  # type: ignore[return-value]
    if seed == ENVIRONMENT:
        heavy = [name for name in ("discord", "sqlalchemy", "bot.client") if name in sys.modules]
        assert not heavy, heavy
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        return Pass(int(Path(os.environ["NUMBA_CACHE_DIR"]).name))
    return None if seed == NOTHING else Pass(os.getpid())


def advise(view: View, seed: int, seconds: float, *, stop: Stop) -> tuple[Advice, ...]:
    """Advise the same, with a made-up value."""
    action = choose("expert", view, seed, seconds, stop=stop)
    return () if action is None else (Advice(action, seconds),)


def review_task(task: object, *, stop: Stop) -> tuple[object, bool]:
    """Return the task, and whether it is to finish early."""
    return task, stop()
