"""Logs damaged in one place: the place is reported and the other rounds stay good."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.formats import bsw_read
from bot.formats.bsw_check import CheckResult, check
from bot.formats.bsw_read import CUT_OFF, Unreadable, read_log
from tests.bot.formats.test_peculiar_logs import HANDLES, fitting, log
from tests.campaign import examples, sample


def checked(text: str) -> CheckResult:
    return check(read_log(text))


def lines_of_play(text: str) -> Iterator[int]:
    """Yield the indexes of the lines of play in a log of one round, from 0."""
    lines = text.split("\n")
    begin = next(place for place, line in enumerate(lines) if "Rundenverlauf" in line)
    yield from (
        place
        for place, line in enumerate(lines)
        if place > begin and line.startswith("(") and (": " in line or line.endswith(" passt."))
    )


def test_a_seat_may_change_its_player_within_a_round() -> None:
    text = log(fitting()[0])
    lines = text.split("\n")
    exchange = lines.index("Schupfen:")
    for begin in (exchange, *list(lines_of_play(text))[:9:4]):
        told = [
            line.replace(HANDLES[3], "Eve") if place >= begin else line
            for place, line in enumerate(lines)
        ]
        found = checked("\n".join(told))
        assert (found.good, found.wrong) == (1, ())
        first = next(place for place in range(begin, len(lines)) if told[place] != lines[place])
        assert [(note.line, note.text) for note in found.notes] == [
            (first + 1, "seat 3 is now Eve, before it was Dan")
        ]


def test_players_may_change_seats_within_a_round() -> None:
    text = log(fitting()[0])
    lines = text.split("\n")
    begin = next(lines_of_play(text)) + 4
    swapped = "\n".join(lines[begin:]).replace("(1)" + HANDLES[1], "(1)" + HANDLES[3])
    swapped = swapped.replace("(3)" + HANDLES[3], "(3)" + HANDLES[1])
    found = checked("\n".join([*lines[:begin], swapped]))
    assert (found.good, len(found.notes)) == (1, 2)


def test_name_may_be_missing() -> None:
    text = log(fitting()[0])
    begin = text.index("Rundenverlauf")
    without = text[begin:].replace(f"(1){HANDLES[1]}", "(1)")
    assert without != text[begin:]
    found = checked(text[:begin] + without)
    assert (found.good, found.notes) == (1, ())


FOREIGN = ("--END GAME--", "*** Eve: hello", "-" * 80, "Rundenverlauf")


@pytest.mark.parametrize("foreign", FOREIGN)
def test_foreign_line_is_skipped(foreign: str) -> None:
    """At any position; each line is tried at other positions in a normal run."""
    one, two = log(fitting()[0]), log(fitting()[1])
    lines = (one + two).split("\n")
    for place in sample(range(len(lines) + 1), 6, seed=FOREIGN.index(foreign)):
        found = checked("\n".join([*lines[:place], foreign, *lines[place:]]))
        assert (found.rounds, found.good) == (2, 2)
        assert [note.line for note in found.notes] == [place + 1]
        assert foreign in found.notes[0].text


@pytest.mark.slow
def test_a_log_may_end_anywhere() -> None:
    """Every prefix of a log is a log; its last line may be cut off and is then reported."""
    one, two = log(fitting()[0]), log(fitting()[1])
    for end in (*sample(range(len(two) - 30), 10), *range(len(two) - 30, len(two))):
        found = checked(one + two[:end])
        assert found.wrong == (), two[:end][-80:]
        assert found.good == 1 or two[end:] == "\n"
        line = (one + two[:end]).count("\n") + 1
        assert {(note.line, note.text) for note in found.notes} <= {
            (line, CUT_OFF),
            (line, f"left out, no line of a log: {two[:end].split(chr(10))[-1].strip()}"),
        }


def test_complete_wrong_last_line_is_a_disagreement() -> None:
    text = log(fitting()[0])
    begin = text.index("Ergebnis")
    assert checked(f"{text[:begin]}Ergebnis: 7 - 3\n").wrong
    cut = checked(f"{text[:begin]}Ergebnis: 7 - 3")
    assert (cut.wrong, cut.good, len(cut.broken_off)) == ((), 0, 1)


def test_call_logged_twice_counts_once() -> None:
    text = next(found for found in map(log, fitting()) if "\nTichu: " in found)
    line = next(line for line in text.split("\n") if line.startswith("Tichu: "))
    assert checked(text.replace(line, f"{line}\n{line}")).good == 1
    later = text.replace("Ergebnis:", f"{line}\nErgebnis:")
    assert checked(later).good == 1


def test_restarted_round_is_broken_off() -> None:
    text = log(fitting()[0])
    lines = text.split("\n")
    begun = "\n".join(lines[:10]) + "\n"
    found = checked(begun + text + text)
    assert (found.rounds, found.good, found.broken_off, found.wrong) == (3, 2, (1,), ())


def test_reports_incomplete_hands() -> None:
    text = log(fitting()[0])
    lines = text.split("\n")
    found = checked("\n".join(lines[:3]) + "\n" + text)
    assert (found.rounds, found.good, len(found.wrong)) == (2, 1, 1)
    with pytest.raises(Unreadable, match="line 3: the cards of some seat are missing"):
        raise found.wrong[0]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_accepts_any_line_ending(end: str) -> None:
    found = checked(log(fitting()[0], fitting()[1]).replace("\n", end))
    assert (found.rounds, found.good, found.notes) == (2, 2, ())


# --- running time --------------------------------------------------------------------------------

PIECES = (
    " ", "-", "(", ")", "(0)", " (0)", ":", ": ", " - ", "S8 ", " gibt:", "Dan: S8 - ", " passt.",
    "+", "%", "\t", "\xa0", "9", "-9", "Ph", "BOMBE:", "Tichu:", "---x---",
)  # fmt: skip
"""Pieces of text that would make a backtracking reader try again and again."""
BEGINNINGS = (
    "", "(0)", "(0)Dan", "(0)Dan gibt: ", "Schupfen:", "BOMBE: ", "Tichu: ", "Wunsch:",
    "Ergebnis: ", "Drache an: ", "---", "---Gr.Tichukarten",
)  # fmt: skip


def steps(text: str) -> int:
    """Return the number of Python lines executed to read a log."""
    count = 0

    def line(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        count += event == "line"
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        read_log(text)
    finally:
        sys.settrace(before)
    return count


def with_line(line: str) -> Iterator[str]:
    """Yield logs with a line in the hands, in the exchange and in the play."""
    lines = log(fitting()[0]).split("\n")
    for place in (1, 6, lines.index("Schupfen:") + 1, next(lines_of_play("\n".join(lines)))):
        yield "\n".join([*lines[:place], line, *lines[place:]])


@pytest.mark.slow
@examples(8)
@given(st.sampled_from(BEGINNINGS), st.lists(st.sampled_from(PIECES), min_size=1, max_size=3))
def test_steps_grow_linearly_with_the_length_of_a_line(begin: str, pieces: list[str]) -> None:
    for short, long in zip(
        with_line(begin + "".join(pieces) * 200),
        with_line(begin + "".join(pieces) * 400),
        strict=True,
    ):
        assert steps(long) <= 2 * steps(short) + 100


@pytest.mark.parametrize("piece", PIECES)
def test_reads_a_line_of_60000_characters(piece: str) -> None:
    """A quadratic reader would need minutes for such a line, a cubic one days."""
    for begin in sample(BEGINNINGS, 2, seed=PIECES.index(piece)):
        for text in with_line(begin + piece * (60_000 // len(piece))):
            assert read_log(text).rounds


def test_steps_grow_linearly_with_the_number_of_lines() -> None:
    text = log(fitting()[0])
    begin = text.index("Ergebnis")
    for line in (
        "Tichu: (0)\n",
        "BOMBE: (0)\n",
        "(0): S9\n",
        "Wunsch:9\n",
        "x\n",
        "\n",
        "(0) passt.\n",
    ):
        few, many = (steps(text[:begin] + line * number) for number in (200, 400))
        assert many <= 2 * few


def test_readers_use_no_regular_expressions() -> None:
    """Regular expressions may backtrack, and a reader of the code does not see how often."""
    folder = Path(bsw_read.__file__).parent
    for file in folder.glob("*.py"):
        assert "import re\n" not in file.read_text("utf-8"), file.name


def a_byte_changed(text: str) -> st.SearchStrategy[bytes]:
    content = text.encode()
    return st.tuples(st.integers(0, len(content) - 1), st.binary(max_size=3)).map(
        lambda change: content[: change[0]] + change[1] + content[change[0] + 1 :]
    )


@pytest.mark.slow
@examples(15)
@given(st.data())
def test_changed_byte_leaves_the_other_rounds_good(data: st.DataObject) -> None:
    one, two = log(fitting()[0]), log(fitting()[1])
    content = data.draw(a_byte_changed(two))
    read: Callable[[bytes], str] = bsw_read.decode_log
    found = checked(f"{one}{read(content)}\n{one}")
    assert found.good >= 2
    assert len(found.wrong) <= 1
