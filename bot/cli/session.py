"""Runs a bot for the duration of a command such as `run` or `sync`.

An error that the operator can fix is printed to stderr as one sentence.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from asyncio import sleep
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final

from bot.cli.console import CONFIGURATION, complain
from bot.runtime.background import log_unhandled
from bot.runtime.logs import kinds_and_frames
from bot.runtime.settings import Settings

if TYPE_CHECKING:
    from bot.client import TichuBot
    from bot.status.current_bot import CurrentBot

log = logging.getLogger("bot")

Work = Callable[["TichuBot", Settings], Coroutine[Any, Any, None]]
"""Coroutine function that does the work of a command with an open bot."""
_GOOD_RUN_S: Final = 600.0
"""Minimum run time that resets the count of failures, in seconds."""
_POLL_S: Final = 0.5
"""Interval between two checks for the exit of the previous bot, in seconds."""
_NO_SPACE_PAUSE_S: Final = 60.0
"""Interval between two attempts if the disk has no space for the lock, in seconds."""


def with_bot(work: Work, settings: Settings, *, keep_trying: bool = False) -> int:
    """Open a bot, run `work` with it and close it. Return the exit status.

    With `keep_trying`, repeat this with a pause after each temporary failure. Meanwhile hold the
    lock of the database and serve METRICS_PORT (`bot.status`). See `exit_status` for the status.
    """
    return exit_status(_run_work(work, settings, keep_trying=keep_trying))


def exit_status(work: Coroutine[Any, Any, None]) -> int:
    """Run `work` until it ends or is stopped. Return the exit status.

    It is `CONFIGURATION` if only the operator can fix an error (in settings, token or storage), and
    1 for other errors, for example if Discord is unreachable.
    """
    import discord

    from bot.cli.start_problems import problem_of

    async def stoppable() -> None:
        _cancel_on_terminate()
        asyncio.get_running_loop().set_exception_handler(log_unhandled)
        await work

    try:
        asyncio.run(stoppable())
    except (KeyboardInterrupt, asyncio.CancelledError):
        return 0
    except Exception as error:
        problem = problem_of(error)
        if problem is not None:
            return complain(problem.sentence, status=1 if problem.passes else CONFIGURATION)
        if isinstance(error, discord.DiscordException | OSError):
            # its text tells the operator what to fix
            log.exception("unhandled exception, exiting")
        else:
            log.error("unhandled exception, exiting:\n%s", kinds_and_frames(error))
        return 1
    return 0


async def _run_work(work: Work, settings: Settings, *, keep_trying: bool) -> None:
    """Run `work` with a bot, once or repeatedly, as `with_bot` describes."""
    from bot.status.pages import report_metrics

    if not keep_trying:
        await _open_and_close(work, settings)
        return
    with await _database_lock(settings):
        async with report_metrics(settings) as current:
            await _retry(work, settings, current)


async def _retry(work: Work, settings: Settings, current: CurrentBot) -> None:
    """Run `work` with one bot after another, until it ends without a temporary failure."""
    from bot.cli.start_problems import problem_of

    loop, failures = asyncio.get_running_loop(), 0
    while True:
        started_at = loop.time()
        try:
            return await _open_and_close(work, settings, current)
        except Exception as error:
            problem = problem_of(error)
            if problem is None or not problem.passes:
                raise
            failures = 1 if loop.time() - started_at > _GOOD_RUN_S else failures + 1
            pause = problem.pause_s(failures)
            log.warning("%s Retrying in %.0f s.", problem.sentence, pause)
        await sleep(pause)


async def _database_lock(settings: Settings) -> contextlib.ExitStack:
    """Lock the database file once the previous bot has exited.

    A database on a server is protected by leases instead. Processes with some of the bot's shards
    share the lock. Wait while the disk is too full for the lock. Raise `StorageUnfit`, or `InUse`
    if the previous bot does not exit in time.
    """
    from bot.live.leases import OTHER_ENDS_WITHIN_S
    from bot.storage import StorageUnavailable, StorageUnfit, backends, instance_lock

    url, waited = settings.database_url, 0.0
    while True:
        try:
            return backends.lock(url, "run", shared=settings.shards is not None)
        except instance_lock.InUse as error:
            if waited >= OTHER_ENDS_WITHIN_S:
                raise
            if not waited:
                message = "database %s is in use by %s; waiting up to %.0f s for it to exit"
                log.info(message, backends.name(url), error.holder, OTHER_ENDS_WITHIN_S)
            pause = _POLL_S
            waited += pause
        except StorageUnfit:
            raise
        except StorageUnavailable as error:
            pause = _NO_SPACE_PAUSE_S
            log.warning("%s Retrying in %.0f s.", error, pause)
        await sleep(pause)


async def _open_and_close(
    work: Work, settings: Settings, current: CurrentBot | None = None
) -> None:
    """Open a bot, run `work` with it, and close it even after an error."""
    import discord

    from bot.client import TichuBot

    # The bot does not use voice, so it needs no packages for it.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    async with TichuBot(settings) as bot:
        with contextlib.nullcontext() if current is None else current.now(bot):
            await work(bot, settings)


def _cancel_on_terminate() -> None:
    """Cancel the running task at the first SIGTERM, as asyncio does at Ctrl-C."""
    task = asyncio.current_task()
    assert task is not None
    loop = asyncio.get_running_loop()
    with contextlib.suppress(NotImplementedError):  # Windows has no usable SIGTERM

        def stop() -> None:
            # Only once, because a second signal must not interrupt the shutdown.
            loop.add_signal_handler(signal.SIGTERM, lambda: None)
            task.cancel()

        loop.add_signal_handler(signal.SIGTERM, stop)
