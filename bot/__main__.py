"""`python -m bot [COMMAND]`: the bot, and what is done beside it. `--help` lists the commands.

Each command is a module of `bot.cli`. What a person can mend is told in one sentence on stderr.
The exit status is 2 if arguments, settings, token or storage are wrong, and 1 if Discord cannot be
reached, the bot is not alive, or a commitment or log is wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Protocol

from bot.cli import health, import_log, rebuild, report, run, sync, verify
from bot.cli.console import complain
from bot.runtime.settings import SettingsError


class Command(Protocol):
    """A module of `bot.cli`: its name and help line, its arguments, and what it does."""

    NAME: str
    HELP: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add what stands behind the command's name on the command line."""

    def carry_out(self, given: argparse.Namespace) -> int:
        """Do the work. Returns the exit status."""


COMMANDS: tuple[Command, ...] = (run, sync, health, rebuild, verify, import_log, report)


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out the command in `arguments` (default: of the process). Returns the exit status."""
    given = _parser().parse_args(arguments)
    command: Command = given.command
    try:
        return command.carry_out(given)
    except SettingsError as error:
        return complain(str(error))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bot",
        description="A Discord bot that runs Tichu games.",
        epilog="The settings come from the environment and the file .env; see .env.example.",
    )
    parser.set_defaults(command=run)
    names = " | ".join(command.NAME for command in COMMANDS)
    subparsers = parser.add_subparsers(metavar=names)
    for command in COMMANDS:
        subparser = subparsers.add_parser(
            command.NAME, help=command.HELP, description=f"{command.HELP.capitalize()}."
        )
        command.add_arguments(subparser)
        subparser.set_defaults(command=command)
    return parser


if __name__ == "__main__":
    sys.exit(main())
