"""Command line of the bot: `python -m bot [COMMAND]`. `--help` lists the commands.

Each command is a module of `bot.cli`. A problem that the operator can fix is reported in one
sentence on stderr. The exit status is 2 for wrong arguments, 78 for wrong settings, token or
storage (see `bot.cli.console.CONFIGURATION`), and 1 if Discord cannot be reached, the bot is not
alive, or a commitment, a log or the database is wrong.
"""

from __future__ import annotations

import sys

if __name__ == "__main__" and sys.argv[1:] == ["health"]:
    from bot.cli.health import check_heartbeat

    sys.exit(check_heartbeat())  # without the imports below, which take 0.4 s

import argparse
import os
from collections.abc import Sequence
from typing import Protocol

from bot import __version__
from bot.cli import (
    backup,
    check,
    copy_database,
    doctor,
    forget,
    health,
    import_log,
    rebuild,
    report,
    restore,
    run,
    sync,
    verify,
)
from bot.cli.console import CONFIGURATION, complain
from bot.runtime.private_files import make_new_files_private
from bot.runtime.settings import SettingsError


class Command(Protocol):
    """Interface of the command modules of `bot.cli`."""

    NAME: str
    """Name on the command line."""
    HELP: str
    """Line in `--help`."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments of the command to its parser."""

    def carry_out(self, arguments: argparse.Namespace) -> int:
        """Run the command; return the exit status."""


COMMANDS: tuple[Command, ...] = (
    run,
    sync,
    doctor,
    health,
    backup,
    restore,
    copy_database,
    check,
    rebuild,
    forget,
    verify,
    import_log,
    report,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command in `argv` (default: that of the process); return the exit status."""
    arguments = parser().parse_args(argv)
    command: Command = arguments.command
    status = 1
    try:
        status = command.carry_out(arguments)
        sys.stdout.flush()
    except SettingsError as error:
        return complain(str(error), status=CONFIGURATION)
    except BrokenPipeError:  # the reader, such as `head`, has exited
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the buffered rest
    return status


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    top = argparse.ArgumentParser(
        prog="python -m bot",
        description="A Discord bot that runs Tichu games.",
        epilog="The settings come from the environment and the file .env; see .env.example.",
    )
    top.add_argument("--version", action="version", version=f"tichu-bot {__version__}")
    top.set_defaults(command=run, stay=False)
    names = " | ".join(command.NAME for command in COMMANDS)
    subparsers = top.add_subparsers(metavar=names)
    for command in COMMANDS:
        subparser = subparsers.add_parser(
            command.NAME,
            help=command.HELP,
            description=f"{command.HELP[0].upper()}{command.HELP[1:]}.",
        )
        command.add_arguments(subparser)
        subparser.set_defaults(command=command)
    return top


if __name__ == "__main__":
    make_new_files_private()
    sys.exit(main())
