"""Background tasks of workers: after all questions of tables, in turn, and retried once."""

from __future__ import annotations

import asyncio
import random
from datetime import timedelta
from typing import Any

import pytest

from bot.computers import background_tasks
from bot.computers.background_tasks import BackgroundTasks
from bot.computers.decision_scheduler import DecisionScheduler
from bot.computers.worker_pool import Work, WorkerFailed
from bot.errors import Refused
from engine import Pass
from tests.bot.computers.pools import SlowPool
from tests.bot.computers.test_decision_scheduler import playing
from tests.bot.fake_time import FakeTime, settle
from tests.bot.games import any_manner, plain_brain
from tests.bot.states import timed
from tests.engine.positions import table

LEAD = table("LEAD B", hands={"B": "+14"})


def named(name: str) -> Work:
    """Return a task with this name."""
    return Work("review_task", {"task": name}, 1.0)


class Preemptible(SlowPool):
    """Workers that finish early, with a worthless result, when they are asked to."""

    def cancel(self, asked: asyncio.Future[Any]) -> None:
        """End the work of this future in the next step of the event loop."""
        super().cancel(asked)
        asyncio.get_running_loop().call_soon(self._end, asked)

    def _end(self, asked: asyncio.Future[Any]) -> None:
        self.at_work = [(work, answer) for work, answer in self.at_work if answer is not asked]
        if not asked.done():
            asked.set_result("worthless")


class World:
    """A scheduler in simulated time with some workers."""

    def __init__(self, pool: SlowPool) -> None:
        self.pool, self.time = pool, FakeTime()
        self.scheduler = DecisionScheduler(
            self.time.now, any_manner(plain_brain(1)), pool, random.Random(1)
        )

    @property
    def background(self) -> BackgroundTasks:
        """Return the queue."""
        return self.scheduler.background

    async def ask(self, *tasks: str) -> list[asyncio.Task[Any]]:
        """Submit background tasks."""
        asked = [asyncio.create_task(self.background.work(named(name))) for name in tasks]
        await settle()
        return asked

    def question(self) -> None:
        """Let a computer player have the lead; its decision is due in a second."""
        at = playing(LEAD, 1)
        self.scheduler.update(timed(at, {"think": self.time.now() + timedelta(seconds=1)}))

    def asked(self) -> list[object]:
        """Return all work so far: the task, or the name of the function."""
        return [work.arguments.get("task", work.function) for work in self.pool.asked]


@pytest.fixture
def world() -> World:
    return World(Preemptible(1))


def _fail(work: Work) -> None:
    raise WorkerFailed("the process is gone")


def _fail_with_cards(work: Work) -> None:
    raise ValueError("the Dragon")


async def test_a_task_gets_its_result(world: World) -> None:
    (asked,) = await world.ask("a")
    assert world.background.running
    world.pool.give(lambda work: (work.function, work.arguments))
    assert await asked == ("review_task", {"task": "a"})
    assert not world.background.running


async def test_a_question_interrupts_the_task_on_the_only_worker(world: World) -> None:
    """The decision is there in time, and the task runs again."""
    (asked,) = await world.ask("a")
    world.question()
    await settle()
    assert world.asked() == ["a", "choose"]
    at = playing(LEAD, 1)
    assert world.pool.asked[1].seconds > 0.3, "as long as without a task"
    world.pool.answer(lambda seen: Pass(1))
    await settle()
    assert list(world.scheduler.decisions(at, ("move",)).values()) == [Pass(1)]
    assert world.scheduler.late == 0
    assert world.asked() == ["a", "choose", "a"]
    assert not asked.done(), "the worthless result was discarded"
    world.pool.give(lambda work: "judged")
    assert await asked == "judged"


async def test_a_question_does_not_interrupt_while_a_worker_is_free() -> None:
    world = World(Preemptible(2))
    await world.ask("a")
    world.question()
    await settle()
    assert world.asked() == ["a", "choose"]
    assert world.pool.cancelled == []


@pytest.mark.parametrize("task", [(), ("a",)])
async def test_a_task_does_not_shorten_a_decision(task: tuple[str, ...]) -> None:
    """It gives way, so its worker counts as free."""
    world = World(Preemptible(2))
    await world.ask(*task)
    world.question()
    await settle()
    (question,) = (work for work in world.pool.asked if work.function == "choose")
    assert question.seconds == pytest.approx(0.94, abs=0.02)


async def test_no_task_begins_while_a_question_waits(world: World) -> None:
    world.question()
    await world.ask("a")
    assert world.asked() == ["choose"]
    assert world.background.waiting == 1
    world.pool.answer(lambda seen: Pass(1))
    await settle()
    assert world.asked() == ["choose", "a"]
    assert world.background.waiting == 0


async def test_reviews_take_turns() -> None:
    """Only one task runs at a time, however many workers are free."""
    world = World(Preemptible(3))

    async def review(name: str) -> None:
        for number in range(3):
            await world.background.work(named(f"{name}{number}"))

    reviews = asyncio.gather(review("a"), review("b"))
    await settle()
    while not reviews.done():
        assert len(world.pool.at_work) == 1
        world.pool.give(lambda work: None)
        await settle()
    assert world.asked() == ["a0", "b0", "a1", "b1", "a2", "b2"]


async def test_an_interrupted_task_keeps_its_turn(world: World) -> None:
    await world.ask("a", "b")
    world.question()
    await settle()
    world.pool.answer(lambda seen: Pass(1))
    await settle()
    assert world.asked() == ["a", "choose", "a"]


async def test_a_failed_task_is_retried_once(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = await world.ask("a", "b")
    world.pool.give(_fail)
    await settle()
    world.pool.give(lambda work: "judged")
    assert await first == "judged"
    await settle()
    for _ in range(2):
        world.pool.give(_fail_with_cards)
        await settle()
    with pytest.raises(Refused) as refused:
        await second
    assert refused.value.code == "busy"
    assert "Dragon" not in caplog.text + str(refused.value)
    assert "the process is gone" in caplog.text
    assert world.asked() == ["a", "a", "b", "b"]


async def test_waits_for_a_worker_that_starts_later(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background_tasks, "_RETRY_SECONDS", 0.0)
    world.pool.size = 0
    (asked,) = await world.ask("a")
    assert world.asked() == []
    world.pool.size = 1
    while not world.pool.at_work:
        await asyncio.sleep(0.001)
    world.pool.give(lambda work: "judged")
    assert await asked == "judged"


async def test_refuses_a_task_that_waits_too_long(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background_tasks, "_LONGEST_WAIT_SECONDS", 0.001)
    (asked,) = await world.ask("a")
    with pytest.raises(Refused) as refused:
        await asked
    assert refused.value.code == "busy"
    await settle()
    assert not world.background.running, "its worker was asked to finish"


async def test_drops_a_task_that_nobody_waits_for(world: World) -> None:
    first, second, third = await world.ask("a", "b", "c")
    for asked in (first, second):
        asked.cancel()
    await settle()
    assert world.asked() == ["a", "c"]
    world.pool.give(lambda work: "judged")
    assert await third == "judged"


async def test_refuses_without_workers_and_at_the_exit(world: World) -> None:
    without = DecisionScheduler(world.time.now, any_manner(plain_brain(1))).background
    assert not without.available
    with pytest.raises(Refused) as refused:
        await without.work(named("a"))
    assert refused.value.code == "no-experts"
    asked = await world.ask("a", "b")
    world.scheduler.close()
    world.pool.give(_fail)  # as the pool does when it is closed
    for task in asked:
        with pytest.raises(Refused) as refused:
            await task
        assert refused.value.code == "restarting"
