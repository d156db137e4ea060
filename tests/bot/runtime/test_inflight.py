"""Work in flight at shutdown: finished, or cancelled when it takes too long."""

from __future__ import annotations

import asyncio

import pytest

from bot.runtime.inflight import MOST_TURNS, InFlight, wait_for_all
from tests.bot.fake_time import settle


class Answer:
    """Answer that takes until `done` is set."""

    def __init__(self, inflight: InFlight) -> None:
        self.inflight = inflight
        self.done = asyncio.Event()
        self.task = asyncio.create_task(self._work())

    async def _work(self) -> None:
        self.inflight.add_current_task()
        self.inflight.add_current_task()
        await self.done.wait()


async def test_shutdown_waits_for_answers_in_flight() -> None:
    inflight = InFlight()
    first, second = Answer(inflight), Answer(inflight)
    await settle()
    second.done.set()
    await second.task
    end = asyncio.create_task(inflight.wait(3600))
    await settle()
    assert not end.done()
    first.done.set()
    await end
    assert not first.task.cancelled()


async def test_cancels_work_that_takes_too_long() -> None:
    inflight = InFlight()
    answer = Answer(inflight)
    await settle()
    await inflight.wait(0)
    await settle()
    assert answer.task.cancelled()


async def test_steps_of_the_shutdown_share_one_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now)
    inflight = InFlight()
    assert inflight.remaining(1.0) == 1.0
    inflight.close_within(4.0)
    assert inflight.closing
    assert inflight.remaining(1.0) == 1.0
    now = 103.5
    assert inflight.remaining(1.0) == 0.5
    now = 200.0
    assert inflight.remaining(1.0) == 0.0


async def test_shutdown_does_not_wait_for_its_own_task() -> None:
    inflight = InFlight()
    inflight.add_current_task()
    await inflight.wait(3600)
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
    await wait_for_all([], 0)
    await wait_for_all([fails(), stubborn], 0)
    assert not stubborn.done()
    ended.set()
    await stubborn


# --- turns ----------------------------------------------------------------------------------------


class Turn:
    """Click that waits for its turn and then takes until `done` is set."""

    def __init__(self, inflight: InFlight, order: list[Turn]) -> None:
        self.inflight = inflight
        self.order = order
        self.done = asyncio.Event()
        self.task = asyncio.create_task(self._work())

    async def _work(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        await self.inflight.wait_for_turn(task)
        self.order.append(self)
        await self.done.wait()


async def test_turns_are_limited_and_in_order_of_arrival() -> None:
    inflight, order = InFlight(), list[Turn]()
    clicks = [Turn(inflight, order) for _ in range(MOST_TURNS + 2)]
    await settle()
    assert order == clicks[:MOST_TURNS]
    assert inflight.must_wait
    assert inflight.waiting == 2
    clicks[5].done.set()
    await settle()
    assert order == clicks[: MOST_TURNS + 1]
    clicks[-1].task.cancel()
    await settle()
    assert inflight.waiting == 0
    for click in clicks:
        click.done.set()
    await settle()
    assert not inflight.must_wait


async def test_long_answer_does_not_hold_up_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.runtime.inflight.LONGEST_TURN_S", -1.0)
    inflight, order = InFlight(), list[Turn]()
    clicks = [Turn(inflight, order) for _ in range(MOST_TURNS + 1)]
    await settle()
    assert order == clicks
    for click in clicks:
        click.done.set()
    await asyncio.wait([click.task for click in clicks])
    await settle()
    assert not inflight.must_wait
