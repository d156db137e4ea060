"""Pool of worker processes that decide for computer players, and review rounds.

`bot.client` creates it, and `bot.computers.decision_scheduler` submits the work. A process
that dies, hangs or cannot start is replaced. A worker process imports only this file and the
players. It reports an error by type and place only, because the text may name cards.

No process pool of a library fits: pebble and loky cannot ask a running task to finish early (pebble
kills the process, which must then be prepared again), and they limit preparation by wall-clock
time, where `bot.computers.preparing` needs CPU time. `bot.pictures.process` shares no code with
this file, because it has one process, JSON messages, no preparation and no threads.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from bot.computers.preparing import TURN_SECONDS, Hangs, Progress, reporting, wait_until_prepared
from bot.runtime.logs import kind_and_place

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess


log = logging.getLogger(__name__)

PLAYERS = "players.levels"
"""Module that worker processes import to decide."""
FIRST_REPORT_SECONDS = 10.0
"""Delay before the first log line about unfinished preparation, in seconds.

Each further line comes after twice the delay of the previous one.
"""
PATIENCE_SECONDS = 10.0
"""Time after the limit of a question until its worker counts as hanging, in seconds."""
_LONGEST_PAUSE_SECONDS = 300.0
"""Maximum pause between two attempts to replace a process, in seconds."""
_NICENESS = 5
"""Niceness of worker processes: clicks come before decisions."""
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
"""Environment variables that limit numeric libraries to one thread."""

_FINISH = b""
"""Message that asks a busy worker to finish early."""

_context = multiprocessing.get_context("spawn")
"""Spawned processes, because a bot with threads and an event loop must not be forked."""


@dataclass(frozen=True, slots=True, repr=False)
class Work:
    """Call of a function of `players.levels` in a worker. Its `stop` is added there."""

    function: Literal["choose", "advise", "review_task", "solo_actions", "solo_expert_action"]
    """Name of the function."""
    arguments: Mapping[str, Any]
    """Arguments by name."""
    seconds: float
    """Time limit, in seconds."""


class WorkerFailed(Exception):
    """Raised if a worker gives no answer. The text has the reason, but nothing of the question."""


class _Worker:
    """Worker process and the connection to it.

    `start`, `run` and `join` block the calling thread. `finish_early` and `kill` do not.
    """

    def __init__(self, players: str, cache: Path | None, patience: float, turn: float) -> None:
        self.failures = 0
        """Number of replacements of the process since its last answer."""
        self._arguments = players, str(cache.absolute()) if cache is not None else None, turn
        """Arguments of `serve` after the connection."""
        self._patience = patience
        self._turn = turn
        self._lock = threading.Lock()
        """Lock for starting and killing, so that no process starts after `kill`."""
        self._sending = threading.Lock()
        """Lock for writing to the connection."""
        self._process: SpawnProcess | None = None
        self._connection: Connection[Any, Any] | None = None
        self._closed = False

    @property
    def alive(self) -> bool:
        """Return whether the process exists."""
        return self._process is not None

    def start(self, on_progress: Callable[[Progress], None]) -> None:
        """Start the process and wait until its players are prepared.

        A process that has compiled code keeps 350 MB more than one that reads it from disk, so the
        latter replaces it. Call `on_progress` with each report. Raise `WorkerFailed`.
        """
        if self._start_process(on_progress):
            self._end()
            self._start_process(on_progress)

    def _start_process(self, on_progress: Callable[[Progress], None]) -> bool:
        """Start a process and wait until it is prepared. Return whether it has compiled code."""
        with self._lock:
            if self._closed:
                raise WorkerFailed("closed")
            ours, theirs = _context.Pipe()
            process = _context.Process(
                target=serve, args=(theirs, *self._arguments), name="thinker", daemon=True
            )
            process.start()
            theirs.close()
            self._connection, self._process = ours, process
        try:
            has_compiled: bool = self._receive(
                lambda connection: wait_until_prepared(connection, self._turn, on_progress)
            )
        except WorkerFailed:
            self._end()
            raise
        return has_compiled

    def run(self, work: Work) -> Any:
        """Return the result of the process.

        Raise `WorkerFailed`; then the process may no longer be `alive`.
        """
        assert self._connection is not None
        try:
            with self._sending:
                self._connection.send((work.function, dict(work.arguments)))
        except Exception as error:  # noqa: BLE001 - its text may hold what was to be sent
            self._end()
            raise WorkerFailed(kind_and_place(error)) from None
        answer = self._receive(partial(_receive_within, work.seconds + self._patience))
        self.failures = 0
        return answer

    def finish_early(self) -> None:
        """Ask the process to finish early, without waiting for it.

        No-op while a question is being sent.
        """
        if self._connection is not None and self._sending.acquire(blocking=False):
            with suppress(OSError):
                self._connection.send_bytes(_FINISH)
            self._sending.release()

    def _receive(self, wait: Callable[[Connection[Any, Any]], Any]) -> Any:
        """Return the answer that `wait` reads from the connection. Raise `WorkerFailed`."""
        assert self._connection is not None
        try:
            failure, answer = wait(self._connection)
        except Hangs as error:
            self._end()
            raise WorkerFailed(f"the process hangs: {error}") from None
        except Exception as error:  # noqa: BLE001 - its text may hold what was received
            self._end()
            raise WorkerFailed(f"the process is gone, or hangs ({type(error).__name__})") from None
        if failure is not None:
            raise WorkerFailed(failure)
        return answer

    def _end(self) -> None:
        """Kill the process and wait for its end."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.join()

    def kill(self) -> None:
        """Kill the process permanently. A thread waiting for its answer gets `WorkerFailed`."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()

    def join(self) -> None:
        """Wait for the end of the killed process."""
        self._end()


def _receive_within(seconds: float, connection: Connection[Any, Any]) -> Any:
    """Return the next message of a process. Raise `TimeoutError` after `seconds`."""
    if not connection.poll(seconds):
        raise TimeoutError
    return connection.recv()


class Workers:
    """Pool of `count` worker processes.

    `cache` is the folder of compiled code, `players` the module that decides. `patience` is in
    seconds (see `PATIENCE_SECONDS`), and so is `turn`, the time between two progress reports.
    `changed` is called when `novices_sit_in` changes.
    """

    def __init__(
        self,
        count: int,
        cache: Path | None = None,
        *,
        players: str = PLAYERS,
        patience: float = PATIENCE_SECONDS,
        turn: float = TURN_SECONDS,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self.replaced = 0
        """Number of processes that were restarted."""
        self._novices_sit_in = False
        self._changed = changed
        self._all = [_Worker(players, cache, patience, turn) for _ in range(count)]
        self._free: list[_Worker] = []
        """Workers that are ready and idle."""
        self._busy: dict[asyncio.Future[Any], _Worker] = {}
        """Busy workers, by the future of their answer."""
        self._not_started = list(self._all)
        self._threads = ThreadPoolExecutor(max(1, count), thread_name_prefix="thinker")
        """A thread for each worker, which waits for its answers."""
        self._closed = False
        self._preparing_since: float | None = None
        """Loop time of the first worker's start; `None` once it is ready."""
        self._next_report = FIRST_REPORT_SECONDS
        """Seconds after the start until the next progress line."""

    @property
    def size(self) -> int:
        """Number of workers that are ready or busy."""
        return len(self._free) + len(self._busy)

    @property
    def novices_sit_in(self) -> bool:
        """Return whether no Expert is ready and players should be notified.

        False during the first moments, because preparation is usually short.
        """
        return self._novices_sit_in

    @property
    def free(self) -> int:
        """Number of workers that are ready and idle."""
        return len(self._free)

    def start(self) -> None:
        """Start all processes, without waiting for them.

        The first starts alone, because it may compile code that the others then load from disk.
        """
        if self._not_started:
            log.info("preparing Experts; Novices play until they are ready")
            self._preparing_since = asyncio.get_running_loop().time()
            self._start_worker(self._not_started.pop())

    def _start_worker(self, worker: _Worker) -> None:
        """Start the process of a worker in its thread."""
        if not self._closed:
            loop, context = asyncio.get_running_loop(), copy_context()

            def on_progress(progress: Progress) -> None:  # called in the worker's thread
                loop.call_soon_threadsafe(self._on_progress, progress, context=context)

            starting = asyncio.wrap_future(self._threads.submit(worker.start, on_progress))
            starting.add_done_callback(partial(self._on_started, worker))

    def _on_progress(self, progress: Progress) -> None:
        """Log the progress of a process while no Expert is ready."""
        if self._closed or self.size:
            return
        self._set_novices_sit_in(True)
        now = asyncio.get_running_loop().time()
        if self._preparing_since is None:
            self._preparing_since, self._next_report = now, FIRST_REPORT_SECONDS
        elapsed = now - self._preparing_since
        if elapsed >= self._next_report:
            self._next_report = 2 * elapsed
            log.info(
                "preparing Experts: %s of %s functions compiled (%.0f s of CPU time in %.0f s)",
                *(progress.compiled, progress.functions, progress.processor_seconds, elapsed),
            )

    def _set_novices_sit_in(self, novices: bool) -> None:
        """Set whether Novices sit in; notify the listener of a change."""
        if novices != self._novices_sit_in:
            self._novices_sit_in = novices
            self._changed()

    def _on_started(self, worker: _Worker, done: asyncio.Future[None]) -> None:
        """Make a started worker available, or restart one that failed to start."""
        error = done.exception()
        if self._closed:
            return
        if error is not None:
            log.error("worker process failed to start, Novices play: %s", error)
            self._set_novices_sit_in(not self.size)
            self._replace(worker)
            return
        self._free.append(worker)
        self._set_novices_sit_in(False)
        if self._preparing_since is not None:
            elapsed = asyncio.get_running_loop().time() - self._preparing_since
            log.info("Experts ready after %.0f s", elapsed)
            self._preparing_since = None
        while self._not_started:
            self._start_worker(self._not_started.pop())

    def _replace(self, worker: _Worker) -> None:
        """Restart a process: immediately after its first failure, then with growing pauses."""
        exponent = min(worker.failures, 9)  # avoids huge numbers; 2 ** 9 s exceeds the maximum
        pause = min(2.0**exponent - 1.0, _LONGEST_PAUSE_SECONDS)
        worker.failures += 1
        self.replaced += 1
        asyncio.get_running_loop().call_later(pause, self._start_worker, worker)

    def submit(self, work: Work) -> asyncio.Future[Any]:
        """Submit work to a free worker. If it fails, the future raises `WorkerFailed`."""
        worker = self._free.pop()
        future = asyncio.wrap_future(self._threads.submit(worker.run, work))
        self._busy[future] = worker
        future.add_done_callback(self._on_finished)
        return future

    def cancel(self, future: asyncio.Future[Any]) -> None:
        """Ask the worker with this future to finish early."""
        if future in self._busy:
            self._busy[future].finish_early()

    def _on_finished(self, done: asyncio.Future[Any]) -> None:
        """Make a worker available again, or replace it if its process is gone."""
        done.exception()  # retrieved, so that asyncio does not warn
        worker = self._busy.pop(done)
        if self._closed:
            return
        if worker.alive:
            self._free.append(worker)
        else:
            self._replace(worker)

    async def close(self) -> None:
        """Kill all processes. The futures of pending questions fail."""
        self._closed = True
        self._free.clear()
        for worker in self._all:
            worker.kill()
        await asyncio.to_thread(self._join)

    def _join(self) -> None:
        """Wait for the end of all threads and processes."""
        self._threads.shutdown()
        for worker in self._all:
            worker.join()


# --- in the worker process -----------------------------------------------------------------------


def serve(connection: Connection[Any, Any], players: str, cache: str | None, turn: float) -> None:
    """Prepare the players with a report every `turn` seconds, then answer until the bot exits."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the bot handles Ctrl-C and ends this process
    threading.Thread(target=_exit_with_the_bot, daemon=True).start()
    with suppress(AttributeError, OSError):  # Windows has no `os.nice`
        os.nice(_NICENESS)
    if cache is not None:
        os.environ.setdefault("NUMBA_CACHE_DIR", cache)
    for variable in _ONE_THREAD:
        os.environ.setdefault(variable, "1")
    with suppress(EOFError, OSError):
        levels = _prepare(connection, players, turn)
        while levels is not None:
            question = connection.recv_bytes()
            if question != _FINISH:  # a request to finish may come after the answer
                connection.send_bytes(_answer(levels, question, connection.poll))


def _prepare(connection: Connection[Any, Any], players: str, turn: float) -> Any:
    """Prepare the module that decides, and report to the bot whether it failed.

    Return the module, or `None` if it failed.
    """
    try:
        with reporting(connection, turn):
            levels = importlib.import_module(players)
            has_compiled = levels.prepare("expert")
    except Exception as error:  # noqa: BLE001 - reported to the bot
        connection.send((kind_and_place(error), False))
        return None
    connection.send((None, has_compiled))
    return levels


def _answer(levels: Any, question: bytes, stop: Callable[[], bool]) -> bytes:
    """Return the failure (`None` if there is none) and the result, pickled like `question`.

    The function finishes early when `stop` returns true.
    """
    try:
        function, arguments = pickle.loads(question)
        return pickle.dumps((None, getattr(levels, function)(**arguments, stop=stop)))
    except Exception as error:  # noqa: BLE001 - reported to the bot
        return pickle.dumps((kind_and_place(error), None))


def _exit_with_the_bot() -> None:
    """Wait until the process of the bot has ended, and exit."""
    bot = multiprocessing.parent_process()
    if bot is not None:
        bot.join()
        os._exit(1)
