"""`python -m bot sync`: register the slash commands with Discord, then exit."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from bot.cli.console import settings_and_logs
from bot.cli.session import with_bot
from bot.runtime.settings import Settings

if TYPE_CHECKING:
    from bot.client import TichuBot

NAME = "sync"
HELP = "tell Discord the slash commands, then stop"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def carry_out(arguments: argparse.Namespace) -> int:
    """Sync the commands. Return the exit status; raise `SettingsError`."""
    return with_bot(_sync, settings_and_logs())


async def _sync(bot: TichuBot, settings: Settings) -> None:
    await bot.login(settings.discord_token.get_secret_value())
    count = await bot.sync_commands()
    print(f"{count} commands synced.")
