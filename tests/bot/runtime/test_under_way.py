"""Work in flight at shutdown: finished, or cancelled when it takes too long."""

from __future__ import annotations

import asyncio

import pytest

from bot.runtime.under_way import UnderWay, finished
from tests.bot.fake_time import settle


class Answer:
    """Answer that takes until `done` is set."""

    def __init__(self, under_way: UnderWay) -> None:
        self.under_way = under_way
        self.done = asyncio.Event()
        self.task = asyncio.create_task(self._work())

    async def _work(self) -> None:
        self.under_way.note()
        self.under_way.note()
        await self.done.wait()


async def test_shutdown_waits_for_answers_in_flight() -> None:
    under_way = UnderWay()
    first, second = Answer(under_way), Answer(under_way)
    await settle()
    second.done.set()
    await second.task
    end = asyncio.create_task(under_way.finish(3600))
    await settle()
    assert not end.done()
    first.done.set()
    await end
    assert not first.task.cancelled()


async def test_cancels_work_that_takes_too_long() -> None:
    under_way = UnderWay()
    answer = Answer(under_way)
    await settle()
    await under_way.finish(0)
    await settle()
    assert answer.task.cancelled()


async def test_steps_of_the_shutdown_share_one_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now)
    under_way = UnderWay()
    assert under_way.left(1.0) == 1.0
    under_way.close_within(4.0)
    assert under_way.closing
    assert under_way.left(1.0) == 1.0
    now = 103.5
    assert under_way.left(1.0) == 0.5
    now = 200.0
    assert under_way.left(1.0) == 0.0


async def test_shutdown_does_not_wait_for_its_own_task() -> None:
    under_way = UnderWay()
    under_way.note()
    await under_way.finish(3600)
    current = asyncio.current_task()
    assert current is not None
    assert not current.cancelling()


async def test_ignores_errors_and_work_that_resists_cancellation() -> None:
    ended = asyncio.Event()

    async def fails() -> None:
        raise ValueError

    async def goes_on() -> None:
        while not ended.is_set():
            try:
                await ended.wait()
            except asyncio.CancelledError:
                continue

    stubborn = asyncio.create_task(goes_on())
    await finished([], 0)
    await finished([fails(), stubborn], 0)
    assert not stubborn.done()
    ended.set()
    await stubborn
