"""Real worker processes: they answer, die, hang and fail without harm to the bot."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from bot.computers import preparing, worker_pool
from bot.computers.worker_pool import Work, WorkerFailed, Workers
from engine import Pass, view
from tests.bot.computers import strange_players
from tests.bot.computers.strange_players import (
    CANNOT_START,
    COMPILING,
    CRASHES,
    ENVIRONMENT,
    FAILS,
    HANGS,
    NOTHING,
    PONDERS,
    SENSIBLE,
    STANDS_STILL,
    UNREADABLE,
)
from tests.engine.positions import table

PLAYERS = strange_players.__name__
PATIENCE = 3600.0
"""Seconds beyond the time limit that tests wait for workers on slow machines."""
VIEW = view(table("TURN B", trick="A S8", hands={"B": "SA +5"}), 1)


def work(what: int, level: str | None = "expert", seconds: float = 0.1) -> Work:
    arguments = {"view": VIEW, "seed": what, "seconds": seconds}
    if level is None:
        return Work("advise", arguments, seconds)
    return Work("choose", {"level": level, **arguments}, seconds)


@pytest.fixture
async def workers(tmp_path: Path) -> AsyncIterator[Workers]:
    made = Workers(2, tmp_path / "77", players=PLAYERS, patience=PATIENCE)
    made.start()
    await until(lambda: made.free == 2)
    yield made
    await made.close()


async def until(there: Callable[[], bool]) -> None:
    while not there():
        await asyncio.sleep(0.02)


async def process_of(workers: Workers) -> int:
    """Return the number of the process that answers next."""
    action = await workers.submit(work(SENSIBLE))
    assert isinstance(action, Pass)
    return action.seat


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()[0]
    except ProcessLookupError:
        return False
    except FileNotFoundError:  # no such folder, or it ended just now
        return Path("/proc/self").exists() is False
    return state != "Z"  # the new parent may not have reaped it yet


async def test_process_that_has_compiled_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once: where compiled code cannot be stored, the next process would compile it again."""
    monkeypatch.setenv(COMPILING, str(tmp_path / "prepared"))
    workers = Workers(1, tmp_path / "77", players=PLAYERS, patience=PATIENCE)
    workers.start()
    await until(lambda: workers.free == 1)
    first, second = map(int, (tmp_path / "prepared").read_text("ascii").split())
    assert await process_of(workers) == second
    assert not alive(first)
    assert workers.replaced == 0, "nothing has failed"
    await workers.close()


async def test_workers_answer_many_questions(workers: Workers) -> None:
    """One pool answers one question after the other; each proves something."""
    await answer_in_processes_of_their_own(workers)
    await load_little_ignore_ctrl_c_and_keep_what_they_compile(workers)
    await end_a_thought_that_nobody_waits_for_any_more(workers)
    await tell_what_fails_without_the_cards(workers)
    await tell_what_cannot_be_answered(workers)


async def answer_in_processes_of_their_own(workers: Workers) -> None:
    both = await asyncio.gather(*(workers.submit(work(SENSIBLE)) for _ in range(2)))
    numbers = {answer.seat for answer in both}
    assert len(numbers) == 2
    assert os.getpid() not in numbers
    assert (workers.size, workers.free) == (2, 2)
    asked = workers.submit(work(SENSIBLE, level=None, seconds=0.25))
    assert (workers.size, workers.free) == (2, 1), "one is at work"
    assert (await asked)[0].points == 0.25
    assert await workers.submit(work(NOTHING)) is None
    task = Work("review_task", {"task": "a decision"}, 0.1)
    assert await workers.submit(task) == ("a decision", False), "it need not finish early"


async def load_little_ignore_ctrl_c_and_keep_what_they_compile(
    workers: Workers,
) -> None:
    action = await workers.submit(work(ENVIRONMENT))
    assert action == Pass(77)


async def end_a_thought_that_nobody_waits_for_any_more(workers: Workers) -> None:
    asked = workers.submit(work(PONDERS, seconds=60.0))
    other = workers.submit(work(SENSIBLE))
    await other
    while not asked.done():  # a message that arrives while the question is sent is ignored
        workers.cancel(asked)
        await asyncio.sleep(0.05)
    workers.cancel(asked)
    assert await asked != await other
    assert workers.free == 2
    assert len({await process_of(workers) for _ in range(2)}) == 1, "both still answer"


async def tell_what_fails_without_the_cards(workers: Workers) -> None:
    before = await process_of(workers)
    with pytest.raises(WorkerFailed) as failed:
        await workers.submit(work(FAILS))
    assert str(failed.value).startswith("ValueError in strange_players.py:")
    assert failed.value.__cause__ is None
    assert await process_of(workers) == before, "it is none the worse for it"


async def tell_what_cannot_be_answered(workers: Workers) -> None:
    with pytest.raises(WorkerFailed, match=r"Error in worker_pool\.py"):
        await workers.submit(work(UNREADABLE))
    assert workers.free == 2


async def test_replaces_lost_workers(workers: Workers) -> None:
    """Workers are lost one after the other; each time the pool returns to two."""
    for what in (CRASHES, HANGS):
        await replace_one_that_dies_or_hangs(workers, what)
    await tell_what_cannot_be_sent_without_the_cards(workers)
    await replace_one_that_is_killed_while_it_rests(workers)


async def replace_one_that_dies_or_hangs(workers: Workers, what: int) -> None:
    before = await process_of(workers)
    with pytest.raises(WorkerFailed):
        await workers.submit(work(what, seconds=0.1 if what == CRASHES else -PATIENCE))
    assert (workers.size, workers.free) == (1, 1)
    assert await process_of(workers) != before, "the other one goes on meanwhile"
    assert not alive(before)
    await until(lambda: workers.free == 2)
    assert await process_of(workers) != before


async def tell_what_cannot_be_sent_without_the_cards(workers: Workers) -> None:
    secret = {"the Dragon": lambda: None}
    with pytest.raises(WorkerFailed) as failed:
        await workers.submit(Work("advise", {"view": secret}, 0.1))
    assert "Dragon" not in str(failed.value)
    assert failed.value.__cause__ is None
    await until(lambda: workers.free == 2)


async def replace_one_that_is_killed_while_it_rests(workers: Workers) -> None:
    resting = await process_of(workers)
    os.kill(resting, signal.SIGKILL)
    with pytest.raises(WorkerFailed):
        await workers.submit(work(SENSIBLE))
    await until(lambda: workers.free == 2)


async def test_logs_that_novices_play_until_experts_are_ready(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    workers = Workers(2, players=PLAYERS)
    workers.start()
    assert caplog.messages == ["preparing Experts; Novices play until they are ready"]
    await until(lambda: workers.free == 2)
    assert len(caplog.messages) == 2
    assert re.fullmatch(r"Experts ready after \d+ s", caplog.messages[1])
    await workers.close()


class Changes:
    """Records each notification about Novices that sit in."""

    def __init__(self) -> None:
        self.told: list[bool] = []

    def pool(self, count: int = 2) -> Workers:
        """Return a pool that reports to this record."""

        def changed() -> None:
            self.told.append(made.novices_sit_in)

        made = Workers(count, players=PLAYERS, turn=0.01, changed=changed)
        return made


@pytest.fixture
def obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of a file that stops all progress of the preparation while it exists."""
    file = tmp_path / "obstacle"
    file.touch()
    monkeypatch.setenv(STANDS_STILL, str(file))
    return file


async def test_logs_the_progress_of_the_preparation(
    caplog: pytest.LogCaptureFixture, obstacle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(worker_pool, "FIRST_REPORT_SECONDS", 0.001)
    changes = Changes()
    workers = changes.pool(1)
    workers.start()
    assert changes.told == [], "usually it takes a moment, of which nobody need know"
    await until(lambda: len(caplog.messages) >= 2)
    assert re.fullmatch(
        r"preparing Experts: \d+ of \d+ functions compiled \(\d+ s of CPU time in \d+ s\)",
        caplog.messages[1],
    )
    obstacle.unlink()
    await until(lambda: workers.free == 1)
    assert changes.told == [True, False]
    assert "Experts ready" in caplog.text
    await workers.close()


async def test_restarts_a_hanging_preparation(
    caplog: pytest.LogCaptureFixture, obstacle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = Changes()
    workers = changes.pool(1)
    with monkeypatch.context() as patience:
        patience.setattr(preparing, "TURNS_WITHOUT_WORK", 5)
        workers.start()
        await until(lambda: "failed to start" in caplog.text)
        assert workers.novices_sit_in
    assert "it has stopped using CPU time" in caplog.text
    obstacle.unlink()
    await until(lambda: workers.free == 1)
    assert changes.told == [True, False]
    await workers.close()


async def test_retries_workers_that_cannot_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    obstacle = tmp_path / "obstacle"
    obstacle.touch()
    monkeypatch.setenv(CANNOT_START, str(obstacle))
    changes = Changes()
    workers = changes.pool()
    workers.start()
    await until(lambda: caplog.text.count("worker process failed to start") == 2)
    assert "RuntimeError in strange_players.py" in caplog.text
    assert (workers.size, workers.free, workers.novices_sit_in) == (0, 0, True)
    obstacle.unlink()
    await until(lambda: workers.free == 2)
    assert changes.told == [True, False]
    await workers.close()


async def test_reports_a_missing_module(caplog: pytest.LogCaptureFixture) -> None:
    workers = Workers(1, players="players.nowhere")
    workers.start()
    await until(lambda: "ModuleNotFoundError" in caplog.text)
    await workers.close()


async def test_closing_ends_all_processes_at_once() -> None:
    workers = Workers(2, players=PLAYERS, patience=PATIENCE)
    workers.start()
    await until(lambda: workers.free == 2)
    processes = [await process_of(workers)]
    hanging = workers.submit(work(HANGS))
    processes.append(await process_of(workers))
    assert len(set(processes)) == 2
    await workers.close()  # and not only after its time limit
    with pytest.raises(WorkerFailed):
        await hanging
    assert not any(map(alive, processes))
    assert (workers.size, workers.free) == (0, 0)


async def test_closing_does_not_wait_for_starting_workers(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING)
    workers = Workers(2, players=PLAYERS)
    await workers.close()
    workers = Workers(2, players=PLAYERS)
    workers.start()
    await asyncio.sleep(0)
    await workers.close()
    assert caplog.text == ""


_BOT = """
import asyncio
from bot.computers.worker_pool import Workers
from tests.bot.computers.test_worker_pool import *

async def main():
    workers = Workers(2, players=PLAYERS)
    workers.start()
    await until(lambda: workers.free == 2)
    print(await process_of(workers), flush=True)
    hanging = workers.submit(work(HANGS))
    print(await process_of(workers), flush=True)
    await asyncio.Event().wait()

if __name__ == "__main__":
    asyncio.run(main())
"""


async def test_workers_end_when_the_bot_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "bot_of_a_test.py"
    script.write_text(_BOT)
    root = str(Path(__file__).parents[3])
    bot = subprocess.Popen(
        [sys.executable, script], cwd=root, env=os.environ | {"PYTHONPATH": root}, stdout=-1
    )
    assert bot.stdout is not None
    processes = [int(bot.stdout.readline()) for _ in range(2)]
    assert all(map(alive, processes))
    bot.kill()
    bot.wait()
    bot.stdout.close()
    await until(lambda: not any(map(alive, processes)))
