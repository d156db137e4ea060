"""HTTP endpoints `/metrics`, `/live` and `/ready`, if METRICS_PORT is set.

The event loop itself serves them, so a response of `/live` proves that the loop runs.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Final

from bot.runtime.background import retry_until_done
from bot.runtime.settings import Settings, SettingsError
from bot.runtime.shards import format_ids
from bot.status import log_summary
from bot.status.current_bot import CurrentBot, measure_loop_lag, shards
from bot.status.metrics import Metric, current_metrics

if TYPE_CHECKING:
    from aiohttp import web

    from bot.client import TichuBot

LONGEST_SILENCE_S: Final = 60.0
"""Maximum age of the last heartbeat, in seconds, before `/live` reports a failure.

There is a heartbeat every 15 s.
"""
LONGEST_WRITE_S: Final = 5.0
"""Timeout of a test write, in seconds, before `/ready` reports a failure."""
_LAST_ANSWERS_S: Final = 0.5
"""Time for responses in flight at shutdown, in seconds."""


class StatusPages:
    """Responses of the endpoints."""

    def __init__(self, current: CurrentBot) -> None:
        self._current = current
        self._test_write: asyncio.Task[str | None] | None = None
        """Test write in flight."""

    def metrics(self) -> Iterable[Metric]:
        """Return the metrics of the bot."""
        return () if self._current.bot is None else current_metrics(self._current.bot)

    def not_alive(self) -> str | None:
        """Return why the bot must be restarted, in one sentence, or `None` if it is alive.

        A bot that waits for Discord is alive.
        """
        bot = self._current.bot
        if bot is None or bot.beaten_at is None:
            return None
        age = bot.metrics.now() - bot.beaten_at
        if age > LONGEST_SILENCE_S:
            return f"The bot hangs: its last heartbeat was {age:.0f} s ago."
        return None

    async def not_ready(self) -> str | None:
        """Return why play is impossible, in one sentence; `None` if the bot is ready."""
        bot = self._current.bot
        if bot is None or not bot.is_ready():
            return "The bot has not logged in to Discord yet."
        own = shards(bot)
        if interrupted := [shard.number for shard in own if not shard.connected]:
            return (
                f"Not connected to Discord: shard {format_ids(interrupted)} of {bot.shard_count}."
            )
        if unserved := [shard.number for shard in own if not shard.served]:
            return f"Without a lease: shard {format_ids(unserved)} of {bot.shard_count}."
        trouble = await self._write_failure(bot)
        return None if trouble is None else f"Nothing can be stored: {trouble}."

    def shards(self) -> list[str]:
        """Return a line for each shard of this process, unless it is the only one."""
        bot = self._current.bot
        if bot is None or bot.shard_count in (None, 1):
            return []
        return [
            f"shard {shard.number}: {'connected' if shard.connected else 'not connected'}, "
            f"{'lease' if shard.served else 'no lease'}"
            for shard in shards(bot)
        ]

    async def _write_failure(self, bot: TichuBot) -> str | None:
        """Return why nothing can be stored, or `None`.

        A test write that times out continues. Later calls wait for it instead of starting another.
        """
        if self._test_write is None:
            self._test_write = asyncio.create_task(bot.store.write_failure(), name="readiness")
        test_write = self._test_write
        done, _ = await asyncio.wait({test_write}, timeout=LONGEST_WRITE_S)
        if not done:
            return f"it takes longer than {LONGEST_WRITE_S:.0f} s"
        self._test_write = None
        return test_write.result()


@asynccontextmanager
async def serve(current: CurrentBot, address: str, port: int) -> AsyncIterator[None]:
    """Serve the endpoints until the block exits. Raise `SettingsError` if the port is taken."""
    from aiohttp import web

    application = _application(StatusPages(current))
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=_LAST_ANSWERS_S)
    await runner.setup()
    try:
        site = web.TCPSite(runner, address, port)
        try:
            await site.start()
        except OSError as error:
            raise SettingsError(
                f"METRICS_PORT is {port}, but nothing can be served at {address} port {port} "
                f"({error.strerror}): choose another port, or stop what uses it."
            ) from None
        yield
    finally:
        await runner.cleanup()


def _application(pages: StatusPages) -> web.Application:
    """Return the web application."""
    from aiohttp import web

    from bot.status.exposition import CONTENT_TYPE, Exposition

    exposition = Exposition(pages.metrics)

    async def metrics(_: web.Request) -> web.Response:
        return web.Response(body=exposition.text(), headers={"Content-Type": CONTENT_TYPE})

    async def live(_: web.Request) -> web.Response:
        return answer("The bot lives.", pages.not_alive())

    async def ready(_: web.Request) -> web.Response:
        return answer("The bot is ready.", await pages.not_ready(), pages.shards())

    def answer(well: str, problem: str | None, lines: Iterable[str] = ()) -> web.Response:
        text = "".join(f"{line}\n" for line in (problem or well, *lines))
        return web.Response(text=text, status=200 if problem is None else 503)

    application = web.Application()
    handlers: dict[str, Callable[[web.Request], Awaitable[web.StreamResponse]]] = {
        "/metrics": metrics,
        "/live": live,
        "/ready": ready,
    }
    for path, handler in handlers.items():
        application.router.add_get(path, handler)
    return application


@asynccontextmanager
async def report_metrics(settings: Settings) -> AsyncIterator[CurrentBot]:
    """Report metrics of the yielded `CurrentBot` until the block exits.

    Raises `SettingsError` if METRICS_PORT is not available.
    """
    current = CurrentBot()
    jobs = {"loop-lag": measure_loop_lag}
    if settings.metrics_port is None:
        jobs["log-summary"] = log_summary.run
    tasks = [
        asyncio.create_task(retry_until_done(partial(job, current), name, asyncio.sleep), name=name)
        for name, job in jobs.items()
    ]
    try:
        if settings.metrics_port is None:
            yield current
        else:
            async with serve(current, settings.metrics_address, settings.metrics_port):
                yield current
    finally:
        for task in tasks:
            task.cancel()
