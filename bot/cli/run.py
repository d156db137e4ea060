"""`python -m bot run`: start the bot and keep it running."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from types import FrameType
from typing import TYPE_CHECKING

from bot.cli.console import CONFIGURATION, complain, settings_and_logs
from bot.cli.session import with_bot
from bot.runtime.gc_schedule import GarbageSchedule
from bot.runtime.settings import Settings, SettingsError

if TYPE_CHECKING:
    from bot.client import TichuBot

NAME = "run"
HELP = "start the bot (the default)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the option `--stay`."""
    parser.add_argument(
        "--stay",
        action="store_true",
        help="do not exit after an error that only the operator can fix: print it and wait to be "
        "stopped (for containers that are restarted whenever they exit)",
    )


def carry_out(arguments: argparse.Namespace) -> int:
    """Run the bot until it is stopped. Return the exit status; raise `SettingsError`.

    With `--stay` nothing is raised: the message is printed, and the process waits to be stopped.
    """
    try:
        status = with_bot(_run, settings_and_logs(), keep_trying=True)
    except SettingsError as error:
        if not arguments.stay:
            raise
        status = complain(str(error), status=CONFIGURATION)
    if arguments.stay and status == CONFIGURATION:
        _wait_to_be_stopped()
    return status


def _wait_to_be_stopped() -> None:
    """Wait for Ctrl-C, which returns, or for SIGTERM, which ends the process."""

    def stop(number: int, frame: FrameType | None) -> None:
        sys.exit(CONFIGURATION)

    signal.signal(signal.SIGTERM, stop)
    try:
        complain("The bot is waiting to be stopped; fix this, then start it again.")
        threading.Event().wait()
    except KeyboardInterrupt:
        return


async def _run(bot: TichuBot, settings: Settings) -> None:
    for name in ("DATABASE_URL", "POSTGRES_PASSWORD"):  # child processes inherit the environment
        os.environ.pop(name, None)
    bot.garbage = GarbageSchedule()  # one for the whole process
    await bot.start(settings.discord_token.get_secret_value())
