"""Worker pools that answer only when a test lets them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from bot.computers.worker_pool import Work
from engine import Action
from players.levels import Advice
from tests.bot.brains import Brain


class SlowPool:
    """Pool of `size` workers, each of which thinks until the test answers for it."""

    def __init__(self, size: int = 4) -> None:
        self.size = size
        self.novices_sit_in = False
        self.at_work: list[tuple[Work, asyncio.Future[Any]]] = []
        self.asked: list[Work] = []
        self.cancelled: list[asyncio.Future[Any]] = []

    @property
    def free(self) -> int:
        """Return the number of idle workers."""
        return self.size - len(self.at_work)

    def submit(self, work: Work) -> asyncio.Future[Any]:
        """Hand the work to an idle worker."""
        assert self.free > 0
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.asked.append(work)
        self.at_work.append((work, answer))
        return answer

    def cancel(self, asked: asyncio.Future[Any]) -> None:
        """Record the request; the work continues."""
        self.cancelled.append(asked)

    def answer(self, brain: Brain) -> None:
        """Let all busy workers answer with this brain."""
        self.give(lambda work: result(work, brain(work.arguments["view"])))

    def give(self, thought: Callable[[Work], Any]) -> None:
        """Let all busy workers answer this, or fail with what it raises."""
        done, self.at_work = self.at_work, []
        for work, answer in done:
            try:
                answer.set_result(thought(work))
            except Exception as error:  # noqa: BLE001 - a worker that fails
                answer.set_exception(error)


class Advisers(SlowPool):
    """Workers that answer at once with a brain and give the test's advice."""

    def __init__(self, brain: Brain, advice: Callable[[Work], Any]) -> None:
        super().__init__()
        self._brain = brain
        self._advice = advice

    def submit(self, work: Work) -> asyncio.Future[Any]:
        """Return an answer that is already there."""
        answer = super().submit(work)
        self.give(self._think)
        return answer

    def _think(self, work: Work) -> Any:
        if work.function == "advise":
            return self._advice(work)
        return self._brain(work.arguments["view"])


def result(work: Work, action: Action | None) -> Any:
    """Return the result of work that finds this action."""
    if work.function == "advise":
        return () if action is None else (Advice(action, 0.0),)
    return action
