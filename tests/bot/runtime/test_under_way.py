"""What is under way when the bot ends: it is finished, or cancelled if it takes too long."""

from __future__ import annotations

import asyncio

import pytest

from bot.runtime.under_way import UnderWay, finished
from tests.bot.fake_time import settle


class Answer:
    """Answers somebody, and needs until `done` for it."""

    def __init__(self, under_way: UnderWay) -> None:
        self.under_way = under_way
        self.done = asyncio.Event()
        self.task = asyncio.create_task(self._work())

    async def _work(self) -> None:
        self.under_way.note()
        self.under_way.note()
        await self.done.wait()


async def test_the_end_waits_for_answers_that_are_under_way() -> None:
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


async def test_what_takes_too_long_is_cancelled() -> None:
    under_way = UnderWay()
    answer = Answer(under_way)
    await settle()
    await under_way.finish(0)
    await settle()
    assert answer.task.cancelled()


async def test_steps_of_the_end_share_one_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
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


async def test_whoever_ends_the_bot_does_not_wait_for_themselves() -> None:
    under_way = UnderWay()
    under_way.note()
    await under_way.finish(3600)
    current = asyncio.current_task()
    assert current is not None
    assert not current.cancelling()


async def test_errors_are_forgotten_and_what_cannot_be_cancelled_is_not_waited_for() -> None:
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
