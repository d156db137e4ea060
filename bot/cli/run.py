"""`python -m bot run`: start the bot and keep it running."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from bot.cli.console import settings_and_logs
from bot.cli.session import with_bot
from bot.runtime.gc_schedule import Garbage
from bot.runtime.settings import Settings

if TYPE_CHECKING:
    from bot.client import TichuBot

NAME = "run"
HELP = "start the bot (the default)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command takes no arguments."""


def carry_out(arguments: argparse.Namespace) -> int:
    """Run the bot until it is stopped. Returns the exit status; raises `SettingsError`."""
    return with_bot(_run, settings_and_logs())


async def _run(bot: TichuBot, settings: Settings) -> None:
    bot.garbage = Garbage()  # it is for the whole process
    await bot.start(settings.discord_token.get_secret_value())
