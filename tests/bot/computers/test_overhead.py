"""Overhead of a question to a worker, as estimated from its answers."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.computers.decision_scheduler import DecisionScheduler
from bot.ids import Revision
from bot.table.deadlines import PAUSES, deadlines
from bot.table.options import TableOptions
from tests.bot.computers.pools import SlowPool
from tests.bot.fake_time import FakeTime, settle
from tests.bot.games import any_manner, plain_brain
from tests.bot.states import chairs, state, timed
from tests.engine.positions import table


class Asked:
    """One worker that is asked again and again, with 0.2 seconds for each answer."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(PAUSES, "quick", (0.2, 0.2))
        self._pool, self._time = SlowPool(1), FakeTime()
        self._scheduler = DecisionScheduler(
            self._time.now, any_manner(plain_brain(1)), self._pool, random.Random(1)
        )
        options = TableOptions(pace="quick")
        self._table = state(table("LEAD B"), chairs=chairs(computers=(0, 1, 2, 3)), options=options)
        self._revision = 0

    async def ask(self, times: int, overhead: float, part: float = 1.0) -> float:
        """Ask `times` times; each answer takes a part of the thinking time plus the overhead.

        Returns the thinking time granted at last, in seconds.
        """
        for _ in range(times):
            self._revision += 1
            after = replace(self._table, revision=Revision(self._revision))
            self._scheduler.update(timed(after, deadlines(self._table, after, self._time.now())))
            assert len(self._pool.asked) == self._revision, "however busy it is"
            seconds = self._pool.asked[-1].seconds
            self._time.jump(self._time.seconds_from_now(part * seconds + overhead))
            self._pool.answer(lambda seen: None)
            await settle()
        return seconds


async def test_thinking_time_recovers_after_a_busy_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = Asked(monkeypatch)
    assert await asked.ask(1, overhead=30) == pytest.approx(0.08)
    assert await asked.ask(19, overhead=30) < 0.08, "it thinks less"
    assert await asked.ask(60, overhead=0.003) == pytest.approx(0.08)


async def test_early_answers_do_not_change_the_overhead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A simple decision takes a quarter of the time while the machine is as busy as before."""
    asked = Asked(monkeypatch)
    busy = await asked.ask(60, overhead=0.09)
    assert busy < 0.07
    assert await asked.ask(60, overhead=0.01, part=0.25) == pytest.approx(busy, abs=0.001)
