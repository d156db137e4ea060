"""How a worker process tells that it still prepares, and how the bot notices one that hangs.

To prepare is mostly to compile the Expert: half a minute of processor time, and hours on a machine
that gives the process little of it. So there is no limit in time of day. The process reports how
much processor time it has used. It hangs if it uses none any more, or far too much.
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
"""The time between two reports, and how long the bot waits for one at a time."""
TURNS_WITHOUT_WORK = 400
"""The number of turns, one after another, after which a process without work hangs.

Turns are counted, not seconds: while the whole machine stands still, none goes by.
"""
_LEAST_WORK_SECONDS = 1.0
"""The processor time that counts as work; less is used up by the reports themselves."""
LONGEST_PROCESSOR_SECONDS = 7200.0
"""The longest processor time that preparing may take: two hundred times what it usually takes."""


class Hangs(Exception):
    """A process does not get on with its preparation; the text says how that was noticed."""


class Progress(NamedTuple):
    """A report of a process that prepares."""

    processor_seconds: float
    """The processor time that it has used."""
    compiled: int
    """The number of functions that are compiled, or were read from disk."""
    functions: int
    """The number of functions that can be compiled; some of them are not needed."""


class _Told(Protocol):
    """What is used of a connection."""

    def poll(self, timeout: float, /) -> bool: ...

    def recv(self) -> Any: ...


def prepared(connection: _Told, turn: float, heard: Callable[[Progress], None]) -> Any:
    """What a process says at the end of its preparation; `heard` is called with each report.

    If it is silent for `turn` seconds, that is a turn without work. Raises `Hangs`, and what the
    connection raises.
    """
    worked, without_work = 0.0, 0
    while without_work < TURNS_WITHOUT_WORK:
        without_work += 1
        if not connection.poll(turn):
            continue
        said = connection.recv()
        if not isinstance(said, Progress):
            return said
        heard(said)
        if said.processor_seconds > LONGEST_PROCESSOR_SECONDS:
            raise Hangs("it uses processor time without an end")
        if said.processor_seconds >= worked + _LEAST_WORK_SECONDS:
            worked, without_work = said.processor_seconds, 0
    raise Hangs("it uses no processor time any more")


@contextmanager
def reporting(connection: Connection[Any, Any], turn: float) -> Iterator[None]:
    """Report on the connection, in a thread and every `turn` seconds, while the block runs.

    Nothing else may be sent meanwhile.
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
