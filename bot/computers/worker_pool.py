"""Processes in which computer players think, so that the bot itself never has to wait for them.

`bot.client` makes them, `bot.computers.thinking` asks them. A process that dies, hangs or cannot
start is replaced; until then there is one less, or none. A worker process imports only this file
and the players. The bot learns of an error there by its type and place only, never with cards.

Not a process pool of a library: pebble and loky cannot ask a running task to finish early (pebble
kills the process, which has then to be prepared again), and limit preparation by time of day, which
`bot.computers.preparing` does by processor time. Not shared with `bot.pictures.process` either:
that has one process, JSON messages, no preparation and no threads.
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
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.computers.preparing import TURN_SECONDS, Hangs, Progress, prepared, reporting
from bot.runtime.logs import kind_and_place
from engine import View
from players.levels import Advice, Level
from players.manners import Manner

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess


log = logging.getLogger(__name__)

PLAYERS = "players.levels"
"""The module that worker processes import to decide."""
FIRST_NEWS_SECONDS = 10.0
"""When the operator is told for the first time that Experts are still being prepared.

Then after twice as long each time.
"""
PATIENCE_SECONDS = 10.0
"""The longest an answer may take beyond the time that a player was given to think."""
_LONGEST_PAUSE_SECONDS = 300.0
"""The longest pause between two attempts to replace a process."""
_NICENESS = 5
"""How much lower the priority of a worker process is than that of the bot."""
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
"""Variables by which numeric libraries are told to use one thread: each process has one."""

_FINISH = b""
"""The message that asks a worker at work to finish early."""

_context = multiprocessing.get_context("spawn")
"""Each process starts afresh. The bot has threads and an event loop, so it must not be forked."""


@dataclass(frozen=True, slots=True, repr=False)
class Work:
    """One question for a worker."""

    view: View
    """What the seat that decides can see."""
    level: Level | None
    """The level of the computer player; `None` if advice of an Expert is wanted."""
    seed: int
    """The seed of its random choices."""
    seconds: float
    """How long an Expert may think."""
    manner: Manner = "steady"
    """What the computer player likes to do."""


Thought = tuple[Advice, ...]
"""The answer of a worker: for advice several actions, the best first; else the one chosen.

Empty if nothing is asked of the seat.
"""


class WorkerFailed(Exception):
    """A worker gave no answer. The text says why, and nothing of the question."""


class _Worker:
    """One worker process, and the connection to it.

    `start`, `ask` and `join` block the thread that calls them. `finish_early` and `kill` do not.
    """

    def __init__(self, players: str, cache: Path | None, patience: float, turn: float) -> None:
        self.failures = 0
        """How often the process was replaced since its last answer."""
        self._arguments = players, str(cache.absolute()) if cache is not None else None, turn
        """What `serve` gets in the process, beside the connection."""
        self._patience = patience
        self._turn = turn
        self._lock = threading.Lock()
        """Held while the process is started or killed, so that none is started after `kill`."""
        self._sending = threading.Lock()
        """Held while something is written to the connection."""
        self._process: SpawnProcess | None = None
        self._connection: Connection[Any, Any] | None = None
        self._closed = False

    @property
    def up(self) -> bool:
        """Whether the process is there."""
        return self._process is not None

    def start(self, heard: Callable[[Progress], None]) -> None:
        """Start the process and wait until its players are prepared. Raises `WorkerFailed`.

        `heard` is called with each report of the process until then.
        """
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
            self._received(lambda connection: prepared(connection, self._turn, heard))
        except WorkerFailed:
            self._end()
            raise

    def ask(self, work: Work) -> Thought:
        """The answer of the process. Raises `WorkerFailed`; then it may no longer be `up`."""
        assert self._connection is not None
        try:
            with self._sending:
                question = (work.level, work.view, work.seed, work.seconds, work.manner)
                self._connection.send(question)
        except Exception as error:  # noqa: BLE001 - its text may hold what was to be sent
            self._end()
            raise WorkerFailed(kind_and_place(error)) from None
        answer = self._received(partial(_answer_within, work.seconds + self._patience))
        self.failures = 0
        return answer

    def finish_early(self) -> None:
        """Ask the process to finish early, without waiting for it.

        This has no effect while a question is still being sent.
        """
        if self._connection is not None and self._sending.acquire(blocking=False):
            with suppress(OSError):
                self._connection.send_bytes(_FINISH)
            self._sending.release()

    def _received(self, wait: Callable[[Connection[Any, Any]], Any]) -> Thought:
        """What the process says, as `wait` gets it from the connection. Raises `WorkerFailed`."""
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
        thought: Thought = answer
        return thought

    def _end(self) -> None:
        """End the process, whatever it is doing."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.join()

    def kill(self) -> None:
        """End the process for good. A thread that waits for its answer gets `WorkerFailed`."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()

    def join(self) -> None:
        """Wait until the killed process has ended."""
        self._end()


def _answer_within(seconds: float, connection: Connection[Any, Any]) -> Any:
    """The next message of a process. Raises `TimeoutError` if none comes within `seconds`."""
    if not connection.poll(seconds):
        raise TimeoutError
    return connection.recv()


class Workers:
    """The worker processes, `count` of them; compiled code is kept in the folder `cache`.

    `players` is the module that decides. `patience` is in seconds, as is `turn`, the time between
    two reports of a process that prepares. `changed` is called when `novices_sit_in` has changed.
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
        """How many processes were gone, or could not start, and were begun again."""
        self._novices_sit_in = False
        self._changed = changed
        self._all = [_Worker(players, cache, patience, turn) for _ in range(count)]
        self._free: list[_Worker] = []
        """Workers that are ready and have nothing to do."""
        self._busy: dict[asyncio.Future[Thought], _Worker] = {}
        """Workers at work, by the future of their answer."""
        self._not_started = list(self._all)
        self._threads = ThreadPoolExecutor(max(1, count), thread_name_prefix="thinker")
        """One thread for each worker, which waits for its answers."""
        self._closed = False
        self._began: float | None = None
        """When the first worker was started, until it is ready; the time of the event loop."""
        self._next_news = FIRST_NEWS_SECONDS
        """How long after that the operator is told again how far it is."""

    @property
    def size(self) -> int:
        """The number of workers that are ready or at work."""
        return len(self._free) + len(self._busy)

    @property
    def novices_sit_in(self) -> bool:
        """Whether no Expert is ready, and people should know: it takes more than a moment."""
        return self._novices_sit_in

    @property
    def free(self) -> int:
        """The number of workers that are ready and have nothing to do."""
        return len(self._free)

    def start(self) -> None:
        """Start all processes, without waiting for them.

        The first one is started alone, because it may have to compile code that the others then
        find on disk.
        """
        if self._not_started:
            log.info("preparing Experts; Novices play until they are ready")
            self._began = asyncio.get_running_loop().time()
            self._begin(self._not_started.pop())

    def _begin(self, worker: _Worker) -> None:
        """Start the process of a worker in its thread."""
        if not self._closed:
            loop, context = asyncio.get_running_loop(), copy_context()

            def heard(progress: Progress) -> None:
                """In the worker's thread."""
                loop.call_soon_threadsafe(self._heard, progress, context=context)

            starting = asyncio.wrap_future(self._threads.submit(worker.start, heard))
            starting.add_done_callback(partial(self._started, worker))

    def _heard(self, progress: Progress) -> None:
        """A process still prepares: tell it where people wait for the first Expert."""
        if self._closed or self.size:
            return
        self._sit_in(True)
        now = asyncio.get_running_loop().time()
        if self._began is None:
            self._began, self._next_news = now, FIRST_NEWS_SECONDS
        took = now - self._began
        if took >= self._next_news:
            self._next_news = 2 * took
            log.info(
                "preparing Experts: %s of %s functions compiled (%.0f s of CPU time in %.0f s)",
                *(progress.compiled, progress.functions, progress.processor_seconds, took),
            )

    def _sit_in(self, novices: bool) -> None:
        """Note whether Novices sit in, and tell it if that is new."""
        if novices != self._novices_sit_in:
            self._novices_sit_in = novices
            self._changed()

    def _started(self, worker: _Worker, done: asyncio.Future[None]) -> None:
        """Use a worker whose process has been started, or start it again if that failed."""
        error = done.exception()
        if self._closed:
            return
        if error is not None:
            log.error("worker process failed to start, Novices play: %s", error)
            self._sit_in(not self.size)
            self._replace(worker)
            return
        self._free.append(worker)
        self._sit_in(False)
        if self._began is not None:
            took = asyncio.get_running_loop().time() - self._began
            log.info("Experts ready after %.0f s", took)
            self._began = None
        while self._not_started:
            self._begin(self._not_started.pop())

    def _replace(self, worker: _Worker) -> None:
        """Replace a process that is gone: at once the first time, then after longer pauses."""
        pause = min(2.0 ** min(worker.failures, 9) - 1.0, _LONGEST_PAUSE_SECONDS)
        worker.failures += 1
        self.replaced += 1
        asyncio.get_running_loop().call_later(pause, self._begin, worker)

    def ask(self, work: Work) -> asyncio.Future[Thought]:
        """Give a question to a free worker. The future fails with `WorkerFailed` if it does."""
        worker = self._free.pop()
        thinking = asyncio.wrap_future(self._threads.submit(worker.ask, work))
        self._busy[thinking] = worker
        thinking.add_done_callback(self._finished)
        return thinking

    def hurry(self, asked: asyncio.Future[Thought]) -> None:
        """Cancel: ask the worker with this question to finish early."""
        if asked in self._busy:
            self._busy[asked].finish_early()

    def _finished(self, done: asyncio.Future[Thought]) -> None:
        """Make a worker free again, or replace it if its process is gone."""
        done.exception()  # asyncio complains of exceptions that nobody has looked at
        worker = self._busy.pop(done)
        if self._closed:
            return
        if worker.up:
            self._free.append(worker)
        else:
            self._replace(worker)

    async def close(self) -> None:
        """End all processes. The futures of open questions fail."""
        self._closed = True
        self._free.clear()
        for worker in self._all:
            worker.kill()
        await asyncio.to_thread(self._join)

    def _join(self) -> None:
        """Wait until all threads and processes have ended."""
        self._threads.shutdown()
        for worker in self._all:
            worker.join()


# --- in the worker process -----------------------------------------------------------------------


def serve(connection: Connection[Any, Any], players: str, cache: str | None, turn: float) -> None:
    """Prepare the players, reporting every `turn` seconds; then answer until the bot is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the bot, which ends this process
    threading.Thread(target=_end_with_the_bot, daemon=True).start()
    # Clicks come before thoughts. On Windows there is no `os.nice`.
    with suppress(AttributeError, OSError):
        os.nice(_NICENESS)
    if cache is not None:
        os.environ.setdefault("NUMBA_CACHE_DIR", cache)
    for variable in _ONE_THREAD:
        os.environ.setdefault(variable, "1")
    with suppress(EOFError, OSError):
        levels = _prepared(connection, players, turn)
        while levels is not None:
            question = connection.recv_bytes()
            if question != _FINISH:  # a request to finish may come after the answer
                connection.send_bytes(_answer(levels, question, connection.poll))


def _prepared(connection: Connection[Any, Any], players: str, turn: float) -> Any:
    """The module that decides, ready for use, or `None` if it fails. Tells the bot which."""
    try:
        with reporting(connection, turn):
            levels = importlib.import_module(players)
            levels.prepare("expert")
    except Exception as error:  # noqa: BLE001 - whatever it is, the bot is told
        connection.send((kind_and_place(error), ()))
        return None
    connection.send((None, ()))
    return levels


def _answer(levels: Any, question: bytes, stop: Callable[[], bool]) -> bytes:
    """What went wrong, if anything did, and the answer; pickled, like the question.

    An Expert finishes early when `stop` returns true.
    """
    try:
        level, view, seed, seconds, manner = pickle.loads(question)
        if level is None:
            thought = levels.advise(view, seed, seconds, stop=stop)
        else:
            action = levels.choose(level, view, seed, seconds, stop=stop, manner=manner)
            thought = () if action is None else (levels.Advice(action, 0.0),)
        return pickle.dumps((None, thought))
    except Exception as error:  # noqa: BLE001 - whatever it is, the bot is told
        return pickle.dumps((kind_and_place(error), ()))


def _end_with_the_bot() -> None:
    """Wait until the process of the bot is gone, for whatever reason, and end this one."""
    bot = multiprocessing.parent_process()
    if bot is not None:
        bot.join()
        os._exit(1)
