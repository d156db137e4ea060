"""Processes in which computer players think, so that the bot itself never has to wait for them.

`bot.client` makes them, `bot.computers.thinking` asks them. One that dies, hangs or cannot start is
replaced; meanwhile there is one less, or none. A worker process imports this file and
the players, no more; what goes wrong there is told by kind and place only, never with cards.
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
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.runtime.logs import kind_and_place
from engine import View
from players.levels import Advice, Level

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess


log = logging.getLogger(__name__)

PLAYERS = "players.levels"
PREPARE_SECONDS = 300.0
"""The longest a process may take to load and compile its players."""
PATIENCE_SECONDS = 10.0
"""The longest an answer may take beyond the time that a player was given to think."""
_LONGEST_PAUSE_SECONDS = 300.0
"""The longest pause between two attempts to replace a process."""
_NICENESS = 5
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")

_AT_ONCE = b""
"""Sent to a worker at work: it is to answer at once."""

_context = multiprocessing.get_context("spawn")
"""Each process starts afresh: the bot has threads and an event loop, which no fork survives."""


@dataclass(frozen=True, slots=True, repr=False)
class Work:
    """One question for a worker; advice of an Expert is wanted where no `level` is given."""

    view: View
    level: Level | None
    seed: int
    seconds: float


Thought = tuple[Advice, ...]
"""What a worker answers: the best first, only that one if no advice was asked for."""


class WorkerFailed(Exception):
    """No answer from a worker; the text says why, and nothing of what it was asked."""


class _Worker:
    """One process and the line to it; the thread that talks to it waits, nobody else does."""

    def __init__(self, players: str, cache: Path | None, patience: float) -> None:
        self.failures = 0
        self._given = players, str(cache.absolute()) if cache is not None else None
        self._patience = patience
        self._lock = threading.Lock()
        self._sending = threading.Lock()
        self._process: SpawnProcess | None = None
        self._line: Connection[Any, Any] | None = None
        self._closed = False

    @property
    def up(self) -> bool:
        """Whether the process is there."""
        return self._process is not None

    def start(self) -> None:
        """Start the process and wait until its players are prepared. Raises `WorkerFailed`."""
        with self._lock:
            if self._closed:
                raise WorkerFailed("closed")
            ours, theirs = _context.Pipe()
            process = _context.Process(
                target=serve, args=(theirs, *self._given), name="thinker", daemon=True
            )
            process.start()
            theirs.close()
            self._line, self._process = ours, process
        try:
            self._hear(PREPARE_SECONDS)
        except WorkerFailed:
            self._end()
            raise

    def ask(self, work: Work) -> Thought:
        """The answer of the process. Raises `WorkerFailed`; if it is gone then, it is not `up`."""
        assert self._line is not None
        try:
            with self._sending:
                self._line.send((work.level, work.view, work.seed, work.seconds))
        except Exception as error:  # noqa: BLE001 - its text may hold what was to be sent
            self._end()
            raise WorkerFailed(kind_and_place(error)) from None
        answer = self._hear(work.seconds + self._patience)
        self.failures = 0
        return answer

    def hurry(self) -> None:
        """Ask the process to answer at once, without waiting.

        While a question is being sent this has no effect.
        """
        if self._line is not None and self._sending.acquire(blocking=False):
            with suppress(OSError):
                self._line.send_bytes(_AT_ONCE)
            self._sending.release()

    def _hear(self, seconds: float) -> Thought:
        assert self._line is not None
        try:
            if not self._line.poll(seconds):
                raise TimeoutError
            failure, answer = self._line.recv()
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
        """End the process for good; whoever waits for it fails at once."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()

    def bury(self) -> None:
        """Wait until the killed process is gone."""
        self._end()


class Workers:
    """The worker processes, `count` of them; compiled code is kept in the folder `cache`."""

    def __init__(
        self,
        count: int,
        cache: Path | None = None,
        *,
        players: str = PLAYERS,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        self._all = [_Worker(players, cache, patience) for _ in range(count)]
        self._free: list[_Worker] = []
        self._busy: dict[asyncio.Future[Thought], _Worker] = {}
        self._unprepared = list(self._all)
        self._threads = ThreadPoolExecutor(max(1, count), thread_name_prefix="thinker")
        self._closed = False
        self._began: float | None = None

    @property
    def size(self) -> int:
        """How many are ready to work, or at work."""
        return len(self._free) + len(self._busy)

    @property
    def free(self) -> int:
        """How many are ready and have nothing to do."""
        return len(self._free)

    def start(self) -> None:
        """Bring all up, without waiting: one first, as it leaves compiled code to the others."""
        if self._unprepared:
            log.info("Experts are being prepared; until then Novices play")
            self._began = asyncio.get_running_loop().time()
            self._bring_up(self._unprepared.pop())

    def _bring_up(self, worker: _Worker) -> None:
        if not self._closed:
            starting = asyncio.wrap_future(self._threads.submit(worker.start))
            starting.add_done_callback(partial(self._started, worker))

    def _started(self, worker: _Worker, done: asyncio.Future[None]) -> None:
        error = done.exception()
        if self._closed:
            return
        if error is not None:
            log.error("a worker process cannot start, Novices play: %s", error)
            self._bring_up_again(worker)
            return
        self._free.append(worker)
        if self._began is not None:
            took = asyncio.get_running_loop().time() - self._began
            log.info("Experts are ready after %.0f s", took)
            self._began = None
        while self._unprepared:
            self._bring_up(self._unprepared.pop())

    def _bring_up_again(self, worker: _Worker) -> None:
        """Replace a process that is gone; at once the first time, then after longer and longer."""
        pause = min(2.0 ** min(worker.failures, 9) - 1.0, _LONGEST_PAUSE_SECONDS)
        worker.failures += 1
        asyncio.get_running_loop().call_later(pause, self._bring_up, worker)

    def ask(self, work: Work) -> asyncio.Future[Thought]:
        """Let a free worker think; the future fails with `WorkerFailed` if it does."""
        worker = self._free.pop()
        thinking = asyncio.wrap_future(self._threads.submit(worker.ask, work))
        self._busy[thinking] = worker
        thinking.add_done_callback(self._back)
        return thinking

    def hurry(self, asked: asyncio.Future[Thought]) -> None:
        """Ask the worker of this question to answer early, as nobody waits for it any more."""
        if asked in self._busy:
            self._busy[asked].hurry()

    def _back(self, done: asyncio.Future[Thought]) -> None:
        done.exception()
        worker = self._busy.pop(done)
        if self._closed:
            return
        if worker.up:
            self._free.append(worker)
        else:
            self._bring_up_again(worker)

    async def close(self) -> None:
        """End all processes; whatever they were asked fails."""
        self._closed = True
        self._free.clear()
        for worker in self._all:
            worker.kill()
        await asyncio.to_thread(self._bury)

    def _bury(self) -> None:
        self._threads.shutdown()
        for worker in self._all:
            worker.bury()


# --- in the worker process -----------------------------------------------------------------------


def serve(line: Connection[Any, Any], players: str, cache: str | None) -> None:
    """Prepare the players, then answer until the bot is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the bot, which ends this process
    threading.Thread(target=_end_with_the_bot, daemon=True).start()
    with suppress(AttributeError, OSError):  # clicks before thoughts; Windows is not nice
        os.nice(_NICENESS)
    if cache is not None:
        os.environ.setdefault("NUMBA_CACHE_DIR", cache)
    for variable in _ONE_THREAD:
        os.environ.setdefault(variable, "1")
    with suppress(EOFError, OSError):
        levels = _prepared(line, players)
        while levels is not None:
            if (asked := line.recv_bytes()) != _AT_ONCE:  # which may come too late
                line.send_bytes(_answer(levels, asked, line.poll))


def _prepared(line: Connection[Any, Any], players: str) -> Any:
    """The module that decides, or `None` if it cannot be used; the bot is told."""
    try:
        levels = importlib.import_module(players)
        levels.prepare("expert")
    except Exception as error:  # noqa: BLE001 - whatever it is, the bot is told
        line.send((kind_and_place(error), ()))
        return None
    line.send((None, ()))
    return levels


def _answer(levels: Any, asked: bytes, stop: Callable[[], bool]) -> bytes:
    """What went wrong, if anything did, and the answer; pickled, as the question was."""
    try:
        level, view, seed, seconds = pickle.loads(asked)
        if level is None:
            thought = levels.advise(view, seed, seconds, stop=stop)
        else:
            action = levels.choose(level, view, seed, seconds, stop=stop)
            thought = () if action is None else (levels.Advice(action, 0.0),)
        return pickle.dumps((None, thought))
    except Exception as error:  # noqa: BLE001 - whatever it is, the bot is told
        return pickle.dumps((kind_and_place(error), ()))


def _end_with_the_bot() -> None:
    """Watch over the bot's process; when it is gone, however that came, so is this one."""
    bot = multiprocessing.parent_process()
    if bot is not None:
        bot.join()
        os._exit(1)
