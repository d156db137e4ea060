"""Keeps the demo's page alive while workers make a review."""

from __future__ import annotations

from typing import Any

from simcord import Env

from bot.client import TichuBot
from bot.computers.worker_pool import Work


def make_reviews_outside(env: Env) -> None:
    """Let the page go on during a review, which takes many seconds.

    SimCord shows a click's result once all its work has ended, except for declared waits.
    """
    bot = env.bot
    assert isinstance(bot, TichuBot)
    background = bot.scheduler.background
    work = background.work

    async def outside(task: Work) -> Any:
        return await env.external_wait(work(task), reason="a task of a worker")

    background.work = outside  # type: ignore[method-assign, assignment]
