"""`python -m bot import-log`: checks by the rules of the engine logs that BrettspielWelt wrote.

Needs no settings. See docs/replay.md.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bot.formats.bsw_check import Disagreement, check
from bot.formats.bsw_read import Unreadable, decoded, read_log
from bot.runtime.progress import progress, tell
from engine import IllegalAction

NAME = "import-log"
HELP = "play logs of BrettspielWelt again (no settings needed)"
AGREES, DISAGREES, UNREADABLE = 0, 1, 2
"""The exit statuses. With several files it is the highest of theirs."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the files to read."""
    parser.add_argument("files", metavar="FILE", nargs="+", type=Path, help="a log (.tch)")


def carry_out(arguments: argparse.Namespace) -> int:
    """Print for each log whether the engine agrees with it. Returns the worst of their statuses."""
    statuses = []
    for file in progress(arguments.files, "import-log", unit="logs"):
        answer, status = compare(file)
        tell(answer)
        statuses.append(status)
    return max(statuses)


def compare(file: Path) -> tuple[str, int]:
    """The verdict about a file in one or more lines, and the exit status for it."""
    try:
        text = decoded(file.read_bytes())
        rounds = read_log(text)
    except OSError as error:
        return f"{file}: cannot be read: {error.strerror or error}", UNREADABLE
    except Unreadable as problem:
        return f"{file}: is no log of BrettspielWelt: {problem}", UNREADABLE
    try:
        checked = check(rounds)
    except Disagreement as disagreement:
        line = text.split("\n")[disagreement.line - 1].strip()
        lines = [
            f"{file}: {_rounds(len(rounds))}, disagreement in line {disagreement.line}",
            f"  the log: {line}",
            f"  the engine: {_in_words(disagreement.reason)}",
        ]
        return "\n".join(lines), DISAGREES
    broken = checked.rounds - checked.finished
    end = ", the last one broken off" if broken else ""
    return f"{file}: {_rounds(checked.rounds)}{end}, no disagreement", AGREES


def _rounds(number: int) -> str:
    return "1 round" if number == 1 else f"{number} rounds"


def _in_words(reason: IllegalAction | str) -> str:
    """What the engine says: a sentence, with the number of the rule for a refusal."""
    if isinstance(reason, str):
        return reason
    # Imported here: the texts load discord.py, which takes a second.
    from bot.text import speech
    from bot.text.sentences import sentence

    return f"{sentence(speech('en'), reason)} ({reason.rule})"
