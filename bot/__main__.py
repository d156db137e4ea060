"""`python -m bot [run|sync|health|rebuild|verify|import-log]`: the bot, and what is done beside it.

What a person can mend is told in one sentence on stderr: status 2 if arguments, settings, token or
storage are wrong, 1 if Discord cannot be reached, the bot does not live, a commitment or a log is
wrong. Importing Discord takes a second, so it waits until it is needed.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import signal
import sys
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.cli import import_log, verify
from bot.rating.ledger import LEDGER
from bot.runtime import heartbeat
from bot.runtime.gc_schedule import Garbage
from bot.runtime.logs import set_up_logging
from bot.runtime.settings import Settings, SettingsError, load_settings

if TYPE_CHECKING:
    from bot.client import TichuBot

log = logging.getLogger("bot")

Work = Callable[["TichuBot", Settings], Coroutine[Any, Any, None]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command in `arguments` (default: of the process); the exit status comes out."""
    given = _parser().parse_args(arguments)
    command = given.command
    if command == "verify":
        return _verify(given)
    if command == "import-log":
        return _import(given.files)
    try:
        settings = load_settings()
    except SettingsError as error:
        return _complain(str(error), status=1 if command == "health" else 2)
    if command == "health":
        problem = heartbeat.check(settings.heartbeat_file)
        return 0 if problem is None else _complain(problem, status=1)
    set_up_logging(
        settings.log_level,
        settings.log_format,
        secret=settings.discord_token.get_secret_value(),
    )
    if command == "rebuild":
        return _rebuild(settings)
    if command == "sync":
        # Explicitly, and therefore not also by itself at the start.
        return _with_bot(_sync, settings.model_copy(update={"sync_commands": "never"}))
    return _with_bot(_run, settings)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bot",
        description="A Discord bot that runs Tichu games.",
        epilog="The settings come from the environment and the file .env; see .env.example.",
    )
    parser.set_defaults(command="run")
    commands = parser.add_subparsers(metavar="run | sync | health | rebuild | verify | import-log")
    for name, explanation in (
        ("run", "start the bot (the default)"),
        ("sync", "tell Discord the slash commands, then stop"),
        ("health", "exit with status 0 if the bot is alive, otherwise 1"),
        ("rebuild", "derive rounds, ratings and leaderboards anew from the stored actions"),
    ):
        commands.add_parser(name, help=explanation).set_defaults(command=name)
    verifying = commands.add_parser(
        "verify",
        help="recompute a deal from its secret (no settings needed)",
        description="Recomputes a deal from its secret; see docs/fair-deals.md.",
    )
    verify.add_arguments(verifying)
    verifying.set_defaults(command="verify")
    importing = commands.add_parser(
        "import-log",
        help="play logs of BrettspielWelt again (no settings needed)",
        description="Plays logs of Nanjing by BrettspielWelt again; see docs/replay.md.",
    )
    import_log.add_arguments(importing)
    importing.set_defaults(command="import-log")
    return parser


def _rebuild(settings: Settings) -> int:
    """Derives everything anew; status 1 if a table had to be left as it was."""
    from datetime import UTC, datetime

    from bot.history.rebuild import rebuild
    from bot.storage import StorageError, Store

    async def work() -> int:
        store = await Store.open(settings.database_url, LEDGER)
        try:
            rebuilt = await rebuild(store, datetime.now(UTC))
        finally:
            await store.close()
        print(f"{rebuilt.rounds} rounds and {rebuilt.matches} matches counted anew.")
        for table in rebuilt.left:
            _complain(f"Table {table} cannot be played again and was left as it was.")
        return 1 if rebuilt.left else 0

    try:
        return asyncio.run(work())
    except StorageError as error:
        return _complain(f"{error} Is the bot still running? Stop it first.")


def _verify(given: argparse.Namespace) -> int:
    """Says what a secret deals; status 1 if the commitment is another."""
    try:
        lines, right = verify.verify(given)
    except verify.Problem as problem:
        return _complain(str(problem))
    print("\n".join(lines))
    return 0 if right else 1


def _import(files: Sequence[Path]) -> int:
    """Says of each log whether the engine agrees with it; the worst status comes out."""
    statuses = []
    for file in files:
        said, status = import_log.compare(file)
        print(said)
        statuses.append(status)
    return max(statuses)


def _with_bot(work: Work, settings: Settings) -> int:
    """Does `work` with a bot and closes it; errors become sentences and an exit status."""
    import aiohttp
    import discord

    from bot.storage import StorageUnavailable

    try:
        asyncio.run(_open_and_close(work, settings))
    except (KeyboardInterrupt, asyncio.CancelledError):
        return 0
    except discord.LoginFailure:
        return _complain(
            "DISCORD_TOKEN is refused by Discord: copy the token again, or reset it, on the "
            '"Bot" page of your application in the Discord Developer Portal.'
        )
    except discord.Forbidden as error:
        return _complain(
            f"Discord forbids this ({error.text or error.status}): if DEV_GUILD_ID is set, "
            "invite the bot to that server first."
        )
    except StorageUnavailable as error:
        return _complain(str(error))
    except (aiohttp.ClientConnectionError, discord.DiscordServerError) as error:
        return _complain(f"Discord cannot be reached: {error}", status=1)
    except Exception:
        log.exception("The bot stopped because of an error nobody foresaw")
        return 1
    return 0


async def _open_and_close(work: Work, settings: Settings) -> None:
    import discord

    from bot.client import TichuBot

    # The bot never speaks, so it needs no packages for it.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    _cancel_on_terminate()
    async with TichuBot(settings) as bot:
        await work(bot, settings)


async def _run(bot: TichuBot, settings: Settings) -> None:
    bot.garbage = Garbage()  # it is for the whole process
    await bot.start(settings.discord_token.get_secret_value())


async def _sync(bot: TichuBot, settings: Settings) -> None:
    await bot.login(settings.discord_token.get_secret_value())
    count = await bot.sync_commands()
    print(f"{count} commands synced.")


def _cancel_on_terminate() -> None:
    """Lets the first SIGTERM cancel the running task, as asyncio already does for Ctrl-C."""
    task = asyncio.current_task()
    assert task is not None
    loop = asyncio.get_running_loop()
    with contextlib.suppress(NotImplementedError):  # Windows has no SIGTERM to speak of

        def stop() -> None:
            # Once: a second signal must not interrupt the closing.
            loop.add_signal_handler(signal.SIGTERM, lambda: None)
            task.cancel()

        loop.add_signal_handler(signal.SIGTERM, stop)


def _complain(problem: str, *, status: int = 2) -> int:
    """Prints the problem on one line of stderr and gives the exit status back."""
    print(" ".join(problem.split()), file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
