"""`python -m bot import-log`: plays rounds from files again, by the rules of the engine.

Reads logs that BrettspielWelt wrote, our own ones, and our JSON. Needs no settings. See
docs/replay.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from bot.formats.bsw_check import Disagreement, check
from bot.formats.bsw_read import Unreadable, decoded, lines_of, read_log
from bot.formats.json_read import Altered, NoDocument, is_document, read_document
from bot.runtime.progress import progress, tell
from engine import IllegalAction

NAME = "import-log"
HELP = "play rounds from files again: logs of BrettspielWelt and our JSON (no settings needed)"
AGREES, DISAGREES, UNREADABLE = 0, 1, 2
"""The exit statuses. With several files it is the highest of theirs."""
LARGEST_FILE = 32 * 2**20
"""Larger files are not read, in bytes. A log of one match has some 30,000."""
_MOST_NOTES = 20
"""The largest number of oddities of each kind that are told of a file."""
_LONGEST_LINE = 120
"""The longest part of a line that is shown, in characters."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the files to read."""
    parser.add_argument(
        "files", metavar="FILE", nargs="+", type=Path, help="a log (.tch), or our JSON (.json)"
    )


def carry_out(arguments: argparse.Namespace) -> int:
    """Print for each file whether the engine agrees with it. Returns the worst status."""
    statuses = []
    for file in progress(arguments.files, "import-log", unit="files"):
        lines, status = compare(file)
        first, *others = map(_shown, lines)
        tell("\n".join((f"{_shown(str(file))}: {first}", *(f"  {line}" for line in others))))
        statuses.append(status)
    return max(statuses)


def compare(file: Path) -> tuple[list[str], int]:
    """Return the verdict about a file, then what is to be said of single lines; and the exit status."""
    try:
        with file.open("rb") as opened:
            content = opened.read(LARGEST_FILE + 1)
    except OSError as error:
        return [f"cannot be read: {error.strerror or error}"], UNREADABLE
    if len(content) > LARGEST_FILE:
        size = LARGEST_FILE // 2**20
        return [f"is not read: it is larger than {size} MB. Split it where games end."], UNREADABLE
    return _document(content) if is_document(content) else _log(content)


def _document(content: bytes) -> tuple[list[str], int]:
    """Return the verdict about a document of ours, and the exit status."""
    try:
        game = read_document(content)
    except NoDocument as problem:
        return [f"is no JSON of finished rounds: {problem}"], UNREADABLE
    except Altered as altered:
        return [f"disagreement in {altered.place}", _in_words(altered.reason)], DISAGREES
    return [f"{_rounds(len(game.rounds))}, no disagreement"], AGREES


def _log(content: bytes) -> tuple[list[str], int]:
    """Return the verdict about a log of BrettspielWelt, what is said of its lines, and the status."""
    text = decoded(content)
    try:
        if "\0" in text:
            raise Unreadable(text.count("\n", 0, text.index("\0")) + 1, "this is no text")
        log = read_log(text)
    except Unreadable as problem:
        return [f"is no log of BrettspielWelt: {problem}"], UNREADABLE
    checked = check(log)
    verdict = _rounds(checked.rounds)
    if checked.broken_off == (log.rounds[-1].line,):
        verdict += ", the last one broken off"
    elif checked.broken_off:
        lines = ", ".join(map(str, checked.broken_off[:_MOST_NOTES]))
        verdict += f", {len(checked.broken_off)} broken off (from line {lines})"
    if checked.wrong:
        verdict += f", {checked.good} of them good"
    else:
        verdict += ", no disagreement"
    told = [verdict]
    lines_of_log = lines_of(text)
    for wrong in checked.wrong[:_MOST_NOTES]:
        told += _wrong(wrong, lines_of_log[wrong.line - 1].strip())
    told += [f"line {note.line}: {note.text}" for note in checked.notes[:_MOST_NOTES]]
    more = max(len(checked.wrong) - _MOST_NOTES, 0) + max(len(checked.notes) - _MOST_NOTES, 0)
    if more:
        told.append(f"and {more} more")
    if any(isinstance(wrong, Unreadable) for wrong in checked.wrong):
        return told, UNREADABLE
    return told, DISAGREES if checked.wrong else AGREES


def _wrong(wrong: Disagreement | Unreadable, line: str) -> Iterator[str]:
    """What is said of a line that is at fault."""
    if isinstance(wrong, Unreadable):
        yield f"line {wrong.line} cannot be read, so its round is left out: {wrong.problem}"
        yield f"  the log: {line}"
    else:
        yield f"disagreement in line {wrong.line}"
        yield f"  the log: {line}"
        yield f"  the engine: {_in_words(wrong.reason)}"


def _rounds(number: int) -> str:
    return "1 round" if number == 1 else f"{number} rounds"


def _shown(line: str) -> str:
    """Return a line as it can be printed: without what would steer a terminal, and not endless."""
    line = "".join(sign if sign.isprintable() else "?" for sign in line[: _LONGEST_LINE + 1])
    return line if len(line) <= _LONGEST_LINE else line[:_LONGEST_LINE] + "…"


def _in_words(reason: ValueError | str) -> str:
    """What the engine says: a sentence, with the number of the rule for a refusal."""
    if not isinstance(reason, IllegalAction):
        return str(reason)
    # Imported here: the texts load discord.py, which takes a second.
    from bot.text import speech
    from bot.text.sentences import sentence

    return f"{sentence(speech('en'), reason)} ({reason.rule})"
