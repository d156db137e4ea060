"""Rate limit of a user's requests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bot.runtime.cooldowns import Cooldowns

ADA, BEN = 1, 2


class Time:
    """Simulated time."""

    def __init__(self) -> None:
        self.at = datetime(2031, 5, 4, 12, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at

    def passes(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


def taps(time: Time, cooldowns: Cooldowns, number: int, every_s: float, cost: float = 1) -> int:
    """Return how many of Ada's taps at this pace are accepted."""
    accepted = 0
    for _ in range(number):
        accepted += cooldowns.spend(ADA, cost)
        time.passes(every_s)
    return accepted


def test_accepts_a_burst_and_limits_what_follows() -> None:
    time = Time()
    cooldowns = Cooldowns(time.now, burst=40, per_second=4)
    assert taps(time, cooldowns, 100, 0) == 40
    time.passes(1)
    assert taps(time, cooldowns, 100, 0) == 4
    time.passes(3600)
    assert taps(time, cooldowns, 100, 0) == 40


def test_limits_a_hundred_a_second_and_accepts_four_a_second() -> None:
    time = Time()
    cooldowns = Cooldowns(time.now, burst=40, per_second=4)
    assert taps(time, cooldowns, 1000, 0.01) <= 40 + 4 * 10
    time.passes(10)
    assert taps(time, cooldowns, 1000, 0.25) == 1000


def test_expensive_requests_are_accepted_less_often() -> None:
    time = Time()
    cooldowns = Cooldowns(time.now, burst=40, per_second=4)
    assert taps(time, cooldowns, 100, 0, cost=10) == 4
    time.passes(1)
    assert taps(time, cooldowns, 100, 0, cost=10) == 0
    assert taps(time, cooldowns, 100, 0) == 4


def test_refused_requests_cost_nothing() -> None:
    time = Time()
    cooldowns = Cooldowns(time.now, burst=40, per_second=4)
    taps(time, cooldowns, 1000, 0)
    time.passes(0.25)
    assert cooldowns.spend(ADA, 1)


def test_users_have_separate_limits() -> None:
    time = Time()
    cooldowns = Cooldowns(time.now, burst=40, per_second=4)
    taps(time, cooldowns, 100, 0)
    assert not cooldowns.spend(ADA, 1)
    assert cooldowns.spend(BEN, 1)


def test_clock_set_back_locks_nobody_out() -> None:
    time = Time()
    cooldowns = Cooldowns(time.now, burst=40, per_second=4)
    taps(time, cooldowns, 100, 0)
    time.passes(-3600)
    assert not cooldowns.spend(ADA, 1)
    time.passes(1)
    assert taps(time, cooldowns, 100, 0) == 4


def test_idle_users_are_dropped() -> None:
    time = Time()
    cooldowns = Cooldowns(time.now, burst=40, per_second=4)
    for user in range(1000):
        cooldowns.spend(user, 1)
    assert len(cooldowns) == 1000
    time.passes(0.25)
    cooldowns.spend(ADA, 1)
    assert len(cooldowns) == 1


def test_refund_can_be_spent_again_up_to_the_limit() -> None:
    time = Time()
    cooldowns = Cooldowns(time.now, burst=3, per_second=0.5)
    assert taps(time, cooldowns, 3, 0) == 3
    cooldowns.give_back(ADA, 1)
    assert taps(time, cooldowns, 3, 0) == 1
    time.passes(5)
    cooldowns.give_back(ADA, 1)
    cooldowns.give_back(BEN, 1)
    assert taps(time, cooldowns, 9, 0) == 3
