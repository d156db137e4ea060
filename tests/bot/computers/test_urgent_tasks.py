"""Tasks for which a person waits: before all others, but one worker is left for the tables."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from bot.computers import urgent_tasks
from bot.computers.decision_scheduler import DecisionScheduler
from bot.computers.worker_pool import Work, WorkerFailed
from bot.errors import Reason, Refused
from bot.table.state import Game
from tests.bot.computers.pools import SlowPool
from tests.bot.computers.test_decision_scheduler import playing
from tests.bot.fake_time import FakeTime, settle
from tests.bot.games import any_manner, plain_brain
from tests.bot.states import timed
from tests.engine.positions import table

LEAD = table("LEAD B", hands={"B": "+14"})


class World:
    """A scheduler in simulated time with some workers."""

    def __init__(self, size: int) -> None:
        self.pool, self.time = SlowPool(size), FakeTime()
        brain = any_manner(plain_brain(1))
        self.scheduler = DecisionScheduler(self.time.now, brain, self.pool, random.Random(1))

    async def ask(self, *names: str) -> list[asyncio.Task[Any]]:
        """Submit urgent tasks with these names."""
        works = [Work("solo_actions", {"task": name}, 1.0) for name in names]
        asked = [asyncio.create_task(self.scheduler.urgent.work(work)) for work in works]
        await settle()
        return asked

    def question(self) -> Game:
        """Let a computer player have the lead; its decision is due in a second."""
        at = playing(LEAD, 1)
        state = timed(at, {"think": self.time.now() + timedelta(seconds=1)})
        self.scheduler.update(state)
        return state

    def asked(self) -> list[object]:
        """Return all work so far: the task, or the name of the function."""
        return [work.arguments.get("task", work.function) for work in self.pool.asked]


@pytest.fixture
async def background() -> AsyncIterator[World]:
    """Yield a world whose only worker has a task in the background."""
    world = World(1)
    work = Work("review_task", {"task": "review"}, 1.0)
    asked = asyncio.create_task(world.scheduler.background.work(work))
    await settle()
    yield world
    asked.cancel()


def refusal(asked: asyncio.Task[Any]) -> Reason:
    """Return the reason why a task was refused."""
    error = asked.exception()
    assert isinstance(error, Refused)
    return error.code


async def test_a_task_comes_before_questions_that_wait() -> None:
    world = World(1)
    (first,) = await world.ask("a")
    world.question()
    await world.ask("b")
    assert world.asked() == ["a"]
    world.pool.give(lambda work: "done")
    await settle()
    assert await first == "done"
    assert world.asked() == ["a", "b"]
    world.pool.give(lambda work: "done")
    await settle()
    assert world.asked() == ["a", "b", "choose"]


async def test_one_of_several_workers_is_left_for_the_tables() -> None:
    world = World(2)
    await world.ask("a", "b")
    assert world.asked() == ["a"]
    world.question()
    assert world.asked() == ["a", "choose"]
    world.pool.give(lambda work: None)
    await settle()
    assert world.asked() == ["a", "choose", "b"]


async def test_a_task_interrupts_one_in_the_background(background: World) -> None:
    await background.ask("a")
    assert len(background.pool.cancelled) == 1
    background.pool.give(lambda work: None)
    await settle()
    assert background.asked() == ["review", "a"]
    background.pool.give(lambda work: None)
    await settle()
    assert background.asked() == ["review", "a", "review"]


async def test_a_failing_worker_refuses_the_task(caplog: pytest.LogCaptureFixture) -> None:
    world = World(1)
    for error in (WorkerFailed("the process is gone"), ValueError("the Dragon")):
        (asked,) = await world.ask("a")

        def fail(_: Work, error: Exception = error) -> None:
            raise error

        world.pool.give(fail)
        await asyncio.wait([asked])
        assert refusal(asked) is Reason.BUSY
    assert "the process is gone" in caplog.text
    assert "Dragon" not in caplog.text


async def test_a_task_that_waits_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(1)
    await world.ask("a")
    monkeypatch.setattr(urgent_tasks, "_LONGEST_WAIT_SECONDS", 0)
    (asked,) = await world.ask("b")
    await asyncio.wait([asked])
    assert refusal(asked) is Reason.BUSY
    world.pool.give(lambda work: None)
    await settle()
    assert world.asked() == ["a"], "nobody waits for the second one"


async def test_waiting_tasks_are_refused_at_the_end() -> None:
    world = World(1)
    await world.ask("a")
    (asked,) = await world.ask("b")
    world.scheduler.close()
    await asyncio.wait([asked])
    assert refusal(asked) is Reason.RESTARTING
