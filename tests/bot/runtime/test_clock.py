"""Timers of the clock: set, replaced, cancelled, expired, failing, set while firing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import pytest

from bot.runtime.clock import LONGEST_NAP_S, Clock
from tests.bot.fake_time import FakeTime, settle
from tests.bot.states import NOON

Ring = Callable[[], Awaitable[None]]


class Bells:
    """Records which timer fires, and when."""

    def __init__(self, time: FakeTime) -> None:
        self.time = time
        self.heard: list[tuple[str, float]] = []

    def bell(self, name: str) -> Ring:
        async def ring() -> None:
            self.heard.append((name, (self.time.now() - NOON).total_seconds()))

        return ring


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


@pytest.fixture
def clock(time: FakeTime) -> Clock:
    return Clock(time.now, time.sleep)


@pytest.fixture
def bells(time: FakeTime) -> Bells:
    return Bells(time)


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


async def test_timers_fire_once_at_their_time(time: FakeTime, clock: Clock, bells: Bells) -> None:
    clock.set(2, at(20), bells.bell("late"))
    clock.set(1, at(5.5), bells.bell("early"))
    await time.run(5)
    assert bells.heard == []
    await time.run(100)
    assert bells.heard == [("early", 5.5), ("late", 20)]


async def test_new_timer_replaces_only_the_one_of_its_key(
    time: FakeTime, clock: Clock, bells: Bells
) -> None:
    clock.set(1, at(10), bells.bell("old"))
    clock.set(2, at(10), bells.bell("other"))
    await settle()
    clock.set(1, at(30), bells.bell("later"))
    await time.run(20)
    assert bells.heard == [("other", 10)]
    clock.set(1, at(25), bells.bell("sooner"))
    await time.run(100)
    assert bells.heard == [("other", 10), ("sooner", 25)]


async def test_postponed_timer_keeps_its_task(time: FakeTime, clock: Clock, bells: Bells) -> None:
    clock.set(1, at(10), bells.bell("early"))
    await settle()
    waiting = asyncio.all_tasks()
    for seconds in range(11, 31):
        clock.set(1, at(seconds), bells.bell(f"at {seconds}"))
    await settle()
    assert asyncio.all_tasks() == waiting
    await time.run(100)
    assert bells.heard == [("at 30", 30)]


async def test_no_time_cancels_a_timer(time: FakeTime, clock: Clock, bells: Bells) -> None:
    clock.set(1, at(10), bells.bell("never"))
    await settle()
    clock.set(1, None, bells.bell("never"))
    clock.set(2, None, bells.bell("never"))
    await time.run(100)
    assert bells.heard == []
    assert time.alarms == []


async def test_same_time_again_changes_nothing(time: FakeTime, clock: Clock, bells: Bells) -> None:
    clock.set(1, at(10), bells.bell("once"))
    clock.set(1, at(10), bells.bell("once"))
    await time.run(100)
    assert bells.heard == [("once", 10)]


async def test_past_timer_fires_at_once(time: FakeTime, clock: Clock, bells: Bells) -> None:
    clock.set(1, at(-3600), bells.bell("past"))
    clock.set(2, at(0), bells.bell("now"))
    await settle()
    assert bells.heard == [("past", 0), ("now", 0)]


async def test_early_end_of_a_sleep_is_slept_again(bells: Bells) -> None:
    time = FakeTime()
    naps: list[float] = []

    async def nap(seconds: float) -> None:
        naps.append(seconds)
        await time.sleep(min(seconds, 4))

    clock = Clock(time.now, nap)
    clock.set(1, at(10), Bells(time).bell("x"))
    await time.run(9)
    assert naps == [10, 6, 2]


async def test_failing_timer_is_logged_and_the_clock_continues(
    time: FakeTime, clock: Clock, bells: Bells, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken() -> None:
        raise ZeroDivisionError("oh")

    clock.set(1, at(1), broken)
    clock.set(2, at(2), bells.bell("next"))
    await time.run(1)
    clock.set(1, at(3), bells.bell("again"))
    await time.run(10)
    assert bells.heard == [("next", 2), ("again", 3)]
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert record.getMessage().startswith("unhandled exception in timer 1:\n")


async def test_firing_timer_may_set_the_next(time: FakeTime, clock: Clock) -> None:
    rung: list[float] = []

    async def ring() -> None:
        clock.set(1, time.now() + timedelta(seconds=3), ring)
        await asyncio.sleep(0)  # not cancelled by the timer it sets itself
        rung.append((time.now() - NOON).total_seconds())

    clock.set(1, at(3), ring)
    await time.run(10)
    assert rung == [3, 6, 9]


async def test_timer_set_while_another_fires_waits_for_its_time(
    time: FakeTime, clock: Clock, bells: Bells
) -> None:
    async def slow() -> None:
        await time.sleep(5)
        bells.heard.append(("slow", 0))

    clock.set(1, at(1), slow)
    await time.run(2)
    clock.set(1, at(3), bells.bell("second"))
    await time.run(10)
    assert bells.heard == [("second", 3), ("slow", 0)]


async def test_expired_timer_can_be_replaced_before_it_fires(
    time: FakeTime, clock: Clock, bells: Bells
) -> None:
    """Somebody acts after the sleep of the timer has ended and before it fires."""
    clock.set(1, at(5), bells.bell("overtaken"))
    await settle()
    time.jump(at(5))
    clock.set(1, at(8), bells.bell("newer"))
    await time.run(100)
    assert bells.heard == [("newer", 8)]


async def test_closing_cancels_all_timers(time: FakeTime, clock: Clock, bells: Bells) -> None:
    for key in range(5):
        clock.set(key, at(key), bells.bell("never"))
    clock.cancel_all()
    await time.run(100)
    assert bells.heard == []
    assert time.alarms == []


async def test_default_sleep_is_the_real_one() -> None:
    rung = asyncio.Event()

    async def ring() -> None:
        rung.set()

    clock = Clock(lambda: datetime.now(UTC))
    clock.set(1, clock.now() + timedelta(milliseconds=1), ring)
    await rung.wait()


# --- suspended machines --------------------------------------------------------------------------


@pytest.fixture
def naps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let clocks use the sleep that they use outside of tests."""
    monkeypatch.setattr("bot.runtime.clock.LONGEST_NAP_S", LONGEST_NAP_S)


class Suspended(FakeTime):
    """Machine whose sleeps ignore a suspension while the time of day advances."""

    def suspend(self, seconds: float) -> None:
        """Suspend for `seconds` seconds; sleeps still take their whole time."""
        gone = timedelta(seconds=seconds)
        self._now += gone
        self._sleepers = [(due + gone, number, awake) for due, number, awake in self._sleepers]


@pytest.mark.usefixtures("naps")
async def test_timer_is_at_most_a_minute_late_after_a_suspension() -> None:
    time = Suspended()
    clock, bells = Clock(time.now, time.sleep), Bells(time)
    clock.set(1, at(3600), bells.bell("due"))
    await time.run(10)
    time.suspend(2 * 3600)
    await time.run(60)
    ((name, when),) = bells.heard
    assert name == "due"
    assert 7210 <= when <= 7210 + 60


@pytest.mark.usefixtures("naps")
async def test_no_timer_sleeps_longer_than_a_minute_at_once() -> None:
    time, naps = FakeTime(), list[float]()

    async def nap(seconds: float) -> None:
        naps.append(seconds)
        await time.sleep(seconds)

    clock, bells = Clock(time.now, nap), Bells(time)
    clock.set(1, at(150), bells.bell("x"))
    await time.run(200)
    assert bells.heard == [("x", 150)]
    assert naps == [60, 60, 30]


@pytest.mark.usefixtures("naps")
async def test_sleep_is_at_most_a_minute_late_after_a_suspension() -> None:
    time = Suspended()
    clock = Clock(time.now, time.sleep)
    sleeper = asyncio.create_task(clock.sleep(3600))
    await time.run(10)
    time.suspend(2 * 3600)
    await time.run(60)
    assert sleeper.done()


@pytest.mark.usefixtures("naps")
@pytest.mark.parametrize("seconds", [0, 0.5, 60, 61, 250])
async def test_sleep_takes_the_requested_time(seconds: float) -> None:
    time = FakeTime()
    sleeper = asyncio.create_task(Clock(time.now, time.sleep).sleep(seconds))
    await time.run(seconds - 0.001)
    assert not sleeper.done() or seconds == 0
    await time.run(0.001)
    assert sleeper.done()


@pytest.mark.usefixtures("naps")
async def test_sleep_is_not_lengthened_when_the_clock_is_set_back() -> None:
    time, behind = FakeTime(), timedelta()
    sleeper = asyncio.create_task(Clock(lambda: time.now() - behind, time.sleep).sleep(90))
    await time.run(59)
    behind = timedelta(hours=1)
    await time.run(31)
    assert sleeper.done()
