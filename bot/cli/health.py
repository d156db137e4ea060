"""`python -m bot health`: report whether the bot is alive, for container health checks."""

from __future__ import annotations

import argparse

from bot.cli.console import complain
from bot.runtime import heartbeat
from bot.runtime.settings import SettingsError, load_settings

NAME = "health"
HELP = "exit with status 0 if the bot is alive, otherwise 1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def carry_out(arguments: argparse.Namespace) -> int:
    """Check the heartbeat file. Return 0 or 1, never 2: Docker reserves that status."""
    try:
        settings = load_settings(with_token=False)
    except SettingsError as error:
        return complain(str(error), status=1)
    problem = heartbeat.check(settings.heartbeat_file)
    return 0 if problem is None else complain(problem, status=1)
