"""Block of code with commands that verify deals on another computer."""

from __future__ import annotations

from collections.abc import Iterable

from bot.boards.board import Board
from bot.cli.verify import command_line
from bot.text.cards import Speaker
from engine import Options


def boards_block(boards: Iterable[Board], words: Speaker) -> str:
    """Return the block with the commands for the deals of boards."""
    options = Options()
    commands = (
        command_line(options, each.fair_deal, each.round_number, each.dealer) for each in boards
    )
    return commands_block(commands, words)


def commands_block(commands: Iterable[str], words: Speaker) -> str:
    """Return the block with these commands, which contain no three backticks in a row."""
    title = words.say("Check it yourself with this program:")
    return "\n".join([title, "```", *commands, "```"])
