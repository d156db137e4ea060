"""`python -m bot health`: report whether the bot is alive, for container health checks.

A container runs it every half a minute, so it imports neither the settings nor other commands.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bot.runtime import heartbeat

if TYPE_CHECKING:
    import argparse

NAME = "health"
HELP = "exit with status 0 if the bot is alive, otherwise 1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def carry_out(arguments: argparse.Namespace) -> int:
    """Check the heartbeat file. Return 0 or 1."""
    return check_heartbeat()


def check_heartbeat() -> int:
    """Check the heartbeat file. Return 0 or 1, never 2: Docker reserves that status."""
    try:
        problem = heartbeat.check(Path(_setting("heartbeat_file") or heartbeat.DEFAULT_FILE))
    except (OSError, UnicodeDecodeError) as error:
        problem = f".env cannot be read: {error}."
    if problem is not None:
        print(" ".join(problem.split()), file=sys.stderr)
    return int(problem is not None)


def _setting(name: str) -> str | None:
    """Return a setting as `bot.runtime.settings` reads it, but without its slow imports."""
    if value := {key.lower(): value for key, value in os.environ.items()}.get(name):
        return value
    from dotenv import dotenv_values  # an image needs no .env

    in_file = dotenv_values(".env", encoding="utf-8-sig")
    return {key.lower(): value for key, value in in_file.items()}.get(name)
