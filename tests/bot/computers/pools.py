"""Worker pools that answer only when a test lets them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bot.computers.worker_pool import Decision, Work
from engine import Action
from players.levels import Advice
from tests.bot.brains import Brain


class SlowPool:
    """Pool of `size` workers, each of which thinks until the test answers for it."""

    def __init__(self, size: int = 4) -> None:
        self.size = size
        self.novices_sit_in = False
        self.at_work: list[tuple[Work, asyncio.Future[Decision]]] = []
        self.asked: list[Work] = []
        self.cancelled: list[asyncio.Future[Decision]] = []

    @property
    def free(self) -> int:
        """Return the number of idle workers."""
        return self.size - len(self.at_work)

    def submit(self, work: Work) -> asyncio.Future[Decision]:
        """Hand the work to an idle worker."""
        assert self.free > 0
        answer: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
        self.asked.append(work)
        self.at_work.append((work, answer))
        return answer

    def cancel(self, asked: asyncio.Future[Decision]) -> None:
        """Record the request; the work continues."""
        self.cancelled.append(asked)

    def answer(self, brain: Brain) -> None:
        """Let all busy workers answer with this brain."""
        self.give(lambda work: _one(brain(work.view)))

    def give(self, thought: Callable[[Work], Decision]) -> None:
        """Let all busy workers answer this, or fail with what it raises."""
        done, self.at_work = self.at_work, []
        for work, answer in done:
            try:
                answer.set_result(thought(work))
            except Exception as error:  # noqa: BLE001 - a worker that fails
                answer.set_exception(error)


class Advisers(SlowPool):
    """Workers that answer at once with a brain and give the test's advice."""

    def __init__(self, brain: Brain, advice: Callable[[Work], Decision]) -> None:
        super().__init__()
        self._brain = brain
        self._advice = advice

    def submit(self, work: Work) -> asyncio.Future[Decision]:
        """Return an answer that is already there."""
        answer = super().submit(work)
        self.give(lambda at: self._advice(at) if at.level is None else _one(self._brain(at.view)))
        return answer


def _one(action: Action | None) -> Decision:
    return () if action is None else (Advice(action, 0.0),)
