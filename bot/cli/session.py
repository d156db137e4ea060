"""Runs a bot for as long as a command needs it: for `run` and `sync`.

A mistake that a person can correct is told in one sentence on stderr.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from bot.cli.console import complain
from bot.runtime.logs import kinds_and_frames
from bot.runtime.settings import Settings

if TYPE_CHECKING:
    from bot.client import TichuBot

log = logging.getLogger("bot")

Work = Callable[["TichuBot", Settings], Coroutine[Any, Any, None]]
"""What a command does with the bot."""


def with_bot(work: Work, settings: Settings) -> int:
    """Open a bot, do `work` with it and close it. Returns the exit status.

    The status is 2 if the token, the permissions or the storage are wrong, 1 if Discord cannot be
    reached or the program has a mistake.
    """
    import aiohttp
    import discord

    from bot.storage import StorageUnavailable

    try:
        asyncio.run(_open_and_close(work, settings))
    except (KeyboardInterrupt, asyncio.CancelledError):
        return 0
    except discord.LoginFailure:
        return complain(
            "DISCORD_TOKEN is refused by Discord: copy the token again, or reset it, on the "
            '"Bot" page of your application in the Discord Developer Portal.'
        )
    except discord.Forbidden as error:
        return complain(
            f"Discord forbids this ({error.text or error.status}): if DEV_GUILD_ID is set, "
            "invite the bot to that server first."
        )
    except StorageUnavailable as error:
        return complain(str(error))
    except (aiohttp.ClientConnectionError, discord.DiscordServerError) as error:
        return complain(f"Discord cannot be reached: {error}", status=1)
    except (discord.DiscordException, OSError):  # its text tells the operator what to mend
        log.exception("The bot stopped because of an error nobody foresaw")
        return 1
    except Exception as error:  # noqa: BLE001 - games are read at a start: its text may name cards
        log.error(
            "The bot stopped because of an error nobody foresaw:\n%s", kinds_and_frames(error)
        )
        return 1
    return 0


async def _open_and_close(work: Work, settings: Settings) -> None:
    """Do `work` with a bot that is closed afterwards, whatever happens."""
    import discord

    from bot.client import TichuBot

    # The bot never speaks, so it needs no packages for it.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    _cancel_on_terminate()
    async with TichuBot(settings) as bot:
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
