"""Keeps the demo's page alive while workers make a review, or answer in a round alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from simcord import Env

from bot.client import TichuBot
from bot.computers.worker_pool import Work


def make_reviews_outside(env: Env) -> None:
    """Let the page go on during tasks of workers, which take many seconds on a busy machine.

    SimCord shows a click's result once all its work has ended, except for declared waits. Meanwhile
    the clock of the bot stands still, so a worker that fails would never be replaced.
    """
    bot = env.bot
    assert isinstance(bot, TichuBot)
    background, urgent = bot.scheduler.background, bot.scheduler.urgent
    background.work = _outside(env, background.work)  # type: ignore[method-assign, assignment]
    urgent.work = _outside(env, urgent.work)  # type: ignore[method-assign, assignment]


def _outside(env: Env, work: Callable[[Work], Awaitable[Any]]) -> Callable[[Work], Any]:
    """Return `work` as a wait that SimCord does not wait for."""

    async def outside(task: Work) -> Any:
        return await env.external_wait(work(task), reason="a task of a worker")

    return outside
