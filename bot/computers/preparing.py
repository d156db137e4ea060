"""Progress reports of worker processes that prepare, and detection of hanging ones.

Preparation compiles the Expert. That takes half a minute of CPU time, which may be hours on a busy
machine, so there is no limit in wall-clock time. The process reports its CPU time. It counts as
hanging if it uses no CPU time any more, or far too much.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from players.preparation import compiled_functions

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

TURN_SECONDS = 3.0
"""Interval of the reports, in seconds; a turn is one wait of this length."""
TURNS_WITHOUT_WORK = 400
"""Number of successive turns without CPU time after which a process counts as hanging.

Turns are counted instead of seconds, so that a suspended machine does not count.
"""
_LEAST_WORK_SECONDS = 1.0
"""Least CPU time that counts as work, in seconds; the reports themselves use less."""
LONGEST_PROCESSOR_SECONDS = 7200.0
"""Maximum CPU time of preparation, in seconds: two hundred times the usual."""


class Hangs(Exception):
    """Raised if a process hangs in its preparation. The text has the symptom."""


class Progress(NamedTuple):
    """Progress report of a process that prepares."""

    processor_seconds: float
    """CPU time used so far."""
    compiled: int
    """Number of functions compiled or loaded from disk."""
    functions: int
    """Number of functions that can be compiled; not all are needed."""


class _Reader(Protocol):
    """Reading half of a connection."""

    def poll(self, timeout: float, /) -> bool: ...

    def recv(self) -> Any: ...


def wait_until_prepared(
    connection: _Reader, turn: float, on_progress: Callable[[Progress], None]
) -> Any:
    """Return the final message of a process that prepares; call `on_progress` with each report.

    `turn` seconds without a message count as a turn without work. Raise `Hangs`, and errors of the
    connection.
    """
    last_work_s = 0.0  # CPU time in the last report that showed work
    turns_without_work = 0
    while turns_without_work < TURNS_WITHOUT_WORK:
        turns_without_work += 1
        if not connection.poll(turn):
            continue
        message = connection.recv()
        if not isinstance(message, Progress):
            return message
        on_progress(message)
        if message.processor_seconds > LONGEST_PROCESSOR_SECONDS:
            raise Hangs("its CPU time exceeds the limit")
        if message.processor_seconds >= last_work_s + _LEAST_WORK_SECONDS:
            last_work_s, turns_without_work = message.processor_seconds, 0
    raise Hangs("it has stopped using CPU time")


@contextmanager
def reporting(connection: Connection[Any, Any], turn: float) -> Iterator[None]:
    """Send a report every `turn` seconds from a thread until the block exits.

    The block must not send anything itself.
    """
    over = threading.Event()

    def report() -> None:
        with suppress(OSError):  # the bot is gone
            while not over.wait(turn):
                connection.send(Progress(time.process_time(), *compiled_functions()))

    thread = threading.Thread(target=report, name="reports", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
