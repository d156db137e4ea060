"""`python -m bot import-log`: replay rounds from files by the rules of the engine.

Reads BrettspielWelt logs, original or ours, and our JSON. Needs no settings. See docs/replay.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from bot.formats.bsw_check import Disagreement, check
from bot.formats.bsw_read import Unreadable, decode_log, lines_of, read_log
from bot.formats.json_read import Altered, NoDocument, is_document, read_document
from bot.runtime.progress import print_line, progress
from engine import IllegalAction

NAME = "import-log"
HELP = "play rounds from files again: logs of BrettspielWelt and our JSON (no settings needed)"
AGREES, DISAGREES, UNREADABLE = 0, 1, 2
"""Exit statuses. With several files the highest one is returned."""
LARGEST_FILE = 32 * 2**20
"""Maximum size of a file, in bytes. A log of one match has some 30,000."""
_MOST_NOTES = 20
"""Maximum number of printed notes of each kind per file."""
_LONGEST_LINE = 120
"""Maximum length of a quoted line, in characters."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the files to read."""
    parser.add_argument(
        "files", metavar="FILE", nargs="+", type=Path, help="a log (.tch), or our JSON (.json)"
    )


def carry_out(arguments: argparse.Namespace) -> int:
    """Print for each file whether the engine agrees. Return the worst status."""
    statuses = []
    for file in progress(arguments.files, "import-log", unit="files"):
        lines, status = compare(file)
        first, *others = map(_shown, lines)
        print_line("\n".join((f"{_shown(str(file))}: {first}", *(f"  {line}" for line in others))))
        statuses.append(status)
    return max(statuses)


def compare(file: Path) -> tuple[list[str], int]:
    """Return the verdict about a file and its details, and the exit status."""
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
    """Return the verdict about a JSON document, and the exit status."""
    try:
        game = read_document(content)
    except NoDocument as problem:
        return [f"is no JSON of finished rounds: {problem}"], UNREADABLE
    except Altered as altered:
        return [f"disagreement in {altered.place}", _in_words(altered.reason)], DISAGREES
    return [f"{_rounds(len(game.rounds))}, no disagreement"], AGREES


def _log(content: bytes) -> tuple[list[str], int]:
    """Return the verdict about a BrettspielWelt log and its details, and the status."""
    text = decode_log(content)
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
    report = [verdict]
    lines_of_log = lines_of(text)
    for wrong in checked.wrong[:_MOST_NOTES]:
        report += _wrong(wrong, lines_of_log[wrong.line - 1].strip())
    report += [f"line {note.line}: {note.text}" for note in checked.notes[:_MOST_NOTES]]
    more = max(len(checked.wrong) - _MOST_NOTES, 0) + max(len(checked.notes) - _MOST_NOTES, 0)
    if more:
        report.append(f"and {more} more")
    if any(isinstance(wrong, Unreadable) for wrong in checked.wrong):
        return report, UNREADABLE
    return report, DISAGREES if checked.wrong else AGREES


def _wrong(wrong: Disagreement | Unreadable, line: str) -> Iterator[str]:
    """Yield the lines about a faulty line."""
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
    """Return a line that is safe to print: without control characters, and cut."""
    line = "".join(sign if sign.isprintable() else "?" for sign in line[: _LONGEST_LINE + 1])
    return line if len(line) <= _LONGEST_LINE else line[:_LONGEST_LINE] + "…"


def _in_words(reason: ValueError | str) -> str:
    """Return the engine's reason as a sentence, with the rule number of a refusal."""
    if not isinstance(reason, IllegalAction):
        return str(reason)
    # Imported here, because the texts load discord.py, which takes a second.
    from bot.text import speech
    from bot.text.sentences import sentence

    return f"{sentence(speech('en'), reason)} ({reason.rule})"
