"""Runs a bot for as long as a command needs it: for `run` and `sync`.

A mistake that a person can correct is told in one sentence on stderr.
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
"""What a command does with the bot."""
_LONG_S: Final = 600.0
"""Seconds that a bot must run to have started well: its next failure counts as the first."""
_LOOK_EVERY_S: Final = 0.5
"""The time between two looks whether it has ended."""
_NO_ROOM_S: Final = 60.0
"""The time between two tries if the disk has no room for the lock."""


def with_bot(work: Work, settings: Settings, *, keep_trying: bool = False) -> int:
    """Open a bot, do `work` with it and close it. Returns the exit status.

    With `keep_trying` it begins anew, after a pause, as long as what is wrong may pass by itself.
    From the first try to the last no other bot gets the database, and it is told how the bot is, as
    METRICS_PORT says (`bot.status`).

    Returns the status as `exit_status` does.
    """
    return exit_status(_tried(work, settings, keep_trying=keep_trying))


def exit_status(work: Coroutine[Any, Any, None]) -> int:
    """Run `work` until it ends or is stopped. Returns the exit status.

    The status is `CONFIGURATION` if only a person can mend it (settings, token, storage); 1 if
    Discord cannot be reached or the program has a mistake.
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
            # its text tells the operator what to mend
            log.exception("The bot stopped because of an error nobody foresaw")
        else:
            log.error(
                "The bot stopped because of an error nobody foresaw:\n%s", kinds_and_frames(error)
            )
        return 1
    return 0


async def _tried(work: Work, settings: Settings, *, keep_trying: bool) -> None:
    """Do `work` with a bot, and once more with another one if the first has failed."""
    from bot.status.telling import told

    if not keep_trying:
        await _open_and_close(work, settings)
        return
    with await _database_to_itself(settings):
        async with told(settings) as current:
            await _again_and_again(work, settings, current)


async def _again_and_again(work: Work, settings: Settings, current: CurrentBot) -> None:
    """Do `work` with one bot after another until one does it."""
    from bot.cli.start_problems import problem_of

    loop, failures = asyncio.get_running_loop(), 0
    while True:
        began = loop.time()
        try:
            return await _open_and_close(work, settings, current)
        except Exception as error:
            problem = problem_of(error)
            if problem is None or not problem.passes:
                raise
            failures = 1 if loop.time() - began > _LONG_S else failures + 1
            pause = problem.pause_s(failures)
            log.warning("%s The bot tries again in %.0f s.", problem.sentence, pause)
        await sleep(pause)


async def _database_to_itself(settings: Settings) -> contextlib.ExitStack:
    """Lock the file of the database, once the bot before this one has ended.

    On a server nothing is locked here, as leases do that. Processes with some of the bot's shards
    share the lock. A full disk is waited for. Raises
    `StorageUnfit`: `InUse` if the other bot does not end within some time, as there are two then.
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
                told = "the database %s is in use by %s: the bot waits up to %.0f s for it to end"
                log.info(told, backends.name(url), error.holder, OTHER_ENDS_WITHIN_S)
            pause = _LOOK_EVERY_S
            waited += pause
        except StorageUnfit:
            raise
        except StorageUnavailable as error:
            pause = _NO_ROOM_S
            log.warning("%s The bot tries again in %.0f s.", error, pause)
        await sleep(pause)


async def _open_and_close(
    work: Work, settings: Settings, current: CurrentBot | None = None
) -> None:
    """Do `work` with a bot that is closed afterwards, whatever happens."""
    import discord

    from bot.client import TichuBot

    # The bot never speaks, so it needs no packages for it.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    async with TichuBot(settings) as bot:
        with contextlib.nullcontext() if current is None else current.now(bot):
            await work(bot, settings)


def _cancel_on_terminate() -> None:
    """Let the first SIGTERM cancel the running task, as asyncio already does for Ctrl-C."""
    task = asyncio.current_task()
    assert task is not None
    loop = asyncio.get_running_loop()
    with contextlib.suppress(NotImplementedError):  # Windows has no SIGTERM to speak of

        def stop() -> None:
            # Once: a second signal must not interrupt the closing.
            loop.add_signal_handler(signal.SIGTERM, lambda: None)
            task.cancel()

        loop.add_signal_handler(signal.SIGTERM, stop)
