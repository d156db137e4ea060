"""`python -m bot import-log`: check rounds in files by replaying them with the engine.

It reads logs of BrettspielWelt, logs and JSON written by this bot. It needs no settings. See
docs/replay.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from bot.formats.bsw_check import Disagreement, check
from bot.formats.bsw_read import Unreadable, decode_log, lines_of, read_log
from bot.formats.json_read import InconsistentDocument, InvalidDocument, is_document, read_document
from bot.runtime.progress import print_line, progress
from engine import IllegalAction

NAME = "import-log"
HELP = "play rounds from files again: logs of BrettspielWelt and our JSON (no settings needed)"
AGREES, DISAGREES, UNREADABLE = 0, 1, 2
"""Exit statuses. With several files the highest one is returned."""
LARGEST_FILE = 4 * 2**20
"""Maximum size of a file, in bytes.

The log of a match has about 30,000. As JSON a round has 20,000, with twelve players 70,000.
"""
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
    """Print for each file whether the engine agrees with it. Return the highest exit status."""
    statuses = []
    for file in progress(arguments.files, "import-log", unit="files"):
        lines, status = verdict_on(file)
        first, *others = map(_printable, lines)
        print_line(
            "\n".join((f"{_printable(str(file))}: {first}", *(f"  {line}" for line in others)))
        )
        statuses.append(status)
    return max(statuses)


def verdict_on(file: Path) -> tuple[list[str], int]:
    """Return the verdict on a file, followed by lines of details, and the exit status."""
    try:
        with file.open("rb") as stream:
            content = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        return [f"cannot be read: {error.strerror or error}"], UNREADABLE
    if len(content) > LARGEST_FILE:
        size = LARGEST_FILE // 2**20
        return [f"is not read: it is larger than {size} MB. Split it where games end."], UNREADABLE
    return _document_verdict(content) if is_document(content) else _log_verdict(content)


def _document_verdict(content: bytes) -> tuple[list[str], int]:
    """Return the verdict on a JSON document, with details, and the exit status."""
    try:
        game = read_document(content)
    except InvalidDocument as problem:
        return [f"is no JSON of finished rounds: {problem}"], UNREADABLE
    except InconsistentDocument as altered:
        return [f"disagreement in {altered.place}", _reason_text(altered.reason)], DISAGREES
    return [f"{_count_rounds(len(game.rounds))}, no disagreement"], AGREES


def _log_verdict(content: bytes) -> tuple[list[str], int]:
    """Return the verdict on a BrettspielWelt log, with details, and the exit status."""
    text = decode_log(content)
    try:
        if "\0" in text:
            raise Unreadable(text.count("\n", 0, text.index("\0")) + 1, "this is no text")
        log = read_log(text)
    except Unreadable as problem:
        return [f"is no log of BrettspielWelt: {problem}"], UNREADABLE
    result = check(log)

    verdict = _count_rounds(result.rounds)
    if result.broken_off == (log.rounds[-1].line,):
        verdict += ", the last one broken off"
    elif result.broken_off:
        lines = ", ".join(map(str, result.broken_off[:_MOST_NOTES]))
        verdict += f", {len(result.broken_off)} broken off (from line {lines})"
    if result.wrong:
        verdict += f", {result.good} of them good"
    else:
        verdict += ", no disagreement"

    report = [verdict]
    lines_of_log = lines_of(text)
    for fault in result.wrong[:_MOST_NOTES]:
        report += _fault_lines(fault, lines_of_log[fault.line - 1].strip())
    report += [f"line {note.line}: {note.text}" for note in result.notes[:_MOST_NOTES]]
    omitted = max(len(result.wrong) - _MOST_NOTES, 0) + max(len(result.notes) - _MOST_NOTES, 0)
    if omitted:
        report.append(f"and {omitted} more")
    if any(isinstance(fault, Unreadable) for fault in result.wrong):
        return report, UNREADABLE
    return report, DISAGREES if result.wrong else AGREES


def _fault_lines(wrong: Disagreement | Unreadable, line: str) -> Iterator[str]:
    """Yield lines of the report about a faulty line of a log."""
    if isinstance(wrong, Unreadable):
        yield f"line {wrong.line} cannot be read, so its round is left out: {wrong.problem}"
        yield f"  the log: {line}"
    else:
        yield f"disagreement in line {wrong.line}"
        yield f"  the log: {line}"
        yield f"  the engine: {_reason_text(wrong.reason)}"


def _count_rounds(number: int) -> str:
    return "1 round" if number == 1 else f"{number} rounds"


def _printable(line: str) -> str:
    """Return a line without control characters, cut to `_LONGEST_LINE`."""
    line = "".join(
        character if character.isprintable() else "?" for character in line[: _LONGEST_LINE + 1]
    )
    return line if len(line) <= _LONGEST_LINE else line[:_LONGEST_LINE] + "…"


def _reason_text(reason: ValueError | str) -> str:
    """Return the reason of a disagreement as a sentence; a refusal also has its rule number."""
    if not isinstance(reason, IllegalAction):
        return str(reason)
    # Imported here, because the texts load discord.py, which takes a second.
    from bot.text import speech
    from bot.text.sentences import sentence

    return f"{sentence(speech('en'), reason)} ({reason.rule})"
