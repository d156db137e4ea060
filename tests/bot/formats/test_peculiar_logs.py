"""Logs from the field: harmless gaps, aborted rounds, other encodings, and files of other kinds."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import repeat
from random import Random

import pytest

from bench.walks import random_options
from bot.formats.bsw_cards import write_handles
from bot.formats.bsw_check import Disagreement, check
from bot.formats.bsw_read import Unreadable, decode_log, read_log
from bot.formats.bsw_write import can_be_written, write_log
from bot.history.played_round import PlayedRound
from engine import Call, Called, DragonGiven, Options, Passed, Played, TrickTaken
from tests.bot.stored_rounds import rounds_of

NAMES = ("Jörg", "B (x) y", "[C]", "Dan")
HANDLES = write_handles(NAMES)


@cache
def fitting() -> list[PlayedRound]:
    """Return random anticlockwise rounds that a log can hold, played on first use."""
    found = []
    for seed in range(30):
        if not random_options(Random(seed)).clockwise:
            options, rounds = rounds_of(seed, 2)
            found += [played for played in rounds if can_be_written(options, [played])]
    return found


def first_with(*kinds: type, call: Call | None = None) -> str:
    """Return the log of the first round with events like these."""
    for played in fitting():
        events = [event for position in played.positions for event in position.events]
        calls = {event.call for event in events if isinstance(event, Called)}
        if {*map(type, events)} >= {*kinds} and (call is None or call in calls):
            return log(played)
    raise AssertionError(f"no round with {kinds}, {call}")


def log(*rounds: PlayedRound) -> str:
    return write_log(Options(), rounds, repeat(NAMES, len(rounds)))


def agreed(text: str) -> tuple[int, int]:
    """Return the numbers of rounds and of results in a log; raise its first fault."""
    checked = check(read_log(text))
    for wrong in checked.wrong:
        raise wrong
    return checked.rounds, checked.good


def test_a_winner_need_not_pass_their_own_trick() -> None:
    seen = 0
    for played in fitting()[:20]:
        lines = log(played).split("\n")
        winners = []
        for place, line in enumerate(lines[:-1]):
            # After such a pass somebody leads or gets the Dragon, so it may be the winner's own.
            passed = line.endswith(" passt.") and lines[place - 1].endswith(" passt.")
            leads = ":" in lines[place + 1] and lines[place + 1][:3] == line[:3]
            if passed and leads:
                winners.append(place)
        if not winners:
            continue
        seen += 1
        kept = [line for place, line in enumerate(lines) if place not in winners]
        assert agreed("\n".join(kept)) == (1, 1)
    assert seen > 5


def test_refuses_a_second_pass_of_a_winner() -> None:
    text = first_with(TrickTaken, Passed)
    lines = text.split("\n")
    place = next(
        place
        for place, line in enumerate(lines)
        if line.endswith(" passt.") and lines[place + 1].startswith(f"{line[:-7]}: ")
    )
    lines.insert(place, lines[place])
    with pytest.raises(Disagreement, match="must-lead"):
        agreed("\n".join(lines))


def test_reads_both_spellings_of_a_grand_tichu() -> None:
    text = first_with(call=Call.GRAND)
    assert "Grosses Tichu: (" in text
    assert agreed(text) == (1, 1)
    assert agreed(text.replace("Grosses Tichu:", "GrosseTichu:")) == (1, 1)


def test_accepts_a_grand_tichu_of_two_partners() -> None:
    text = log(fitting()[0])
    calls = "".join(f"Grosses Tichu: ({seat}){HANDLES[seat]}\n" for seat in (0, 2))
    lines = [line for line in text.split("\n") if not line.startswith(("Gross", "Ergebnis"))]
    assert agreed("\n".join(lines).replace("Schupfen:", f"{calls}Schupfen:")) == (1, 0)


def test_accepts_a_tichu_before_the_exchange() -> None:
    text = next(found for found in map(log, fitting()) if "Tichu:" not in found)
    early = text.replace("Schupfen:", f"Tichu: (0){HANDLES[0]}\nSchupfen:")
    with pytest.raises(Disagreement, match="result"):
        agreed(early)


def test_compares_results() -> None:
    text = log(fitting()[0])
    result = text.rstrip().split("\n")[-1]
    other = "Ergebnis: 15 - 85" if result != "Ergebnis: 15 - 85" else "Ergebnis: 85 - 15"
    with pytest.raises(Disagreement) as raised:
        agreed(text.replace(result, other))
    assert raised.value.line == len(text.split("\n")) - 1
    assert result.removeprefix("Ergebnis: ") in str(raised.value)


def test_compares_holders_of_bombs() -> None:
    text = next(found for found in map(log, fitting()) if "BOMBE:" in found)
    assert agreed(text) == (1, 1)
    line = next(line for line in text.split("\n") if line.startswith("BOMBE:"))
    named = [f"({seat}){name}" for seat, name in enumerate(HANDLES)]
    others = " ".join(name for name in named if name not in line)
    with pytest.raises(Disagreement, match="Bombs are held by"):
        agreed(text.replace(line, f"BOMBE: {others} "))


def test_round_may_be_broken_off() -> None:
    one, two = log(fitting()[0]), log(fitting()[1])
    lines = two.split("\n")
    play = next(place for place, line in enumerate(lines) if "Rundenverlauf" in line)
    for end in (*range(play, len(lines) - 2, 7), len(lines) - 2):
        assert agreed(one + "\n".join(lines[:end])) == (2, 1)
    broken = "\n".join(one.split("\n")[:-2]) + "\n"
    checked = check(read_log(broken + two))
    assert (checked.rounds, checked.good, checked.broken_off) == (2, 1, (1,))


def test_reads_a_round_broken_off_before_play() -> None:
    lines = log(fitting()[0]).split("\n")
    assert agreed("\n".join(lines[:5])) == (1, 0)
    assert agreed("\n".join(lines[:10])) == (1, 0)


def test_requires_hands_of_one_deck() -> None:
    lines = log(fitting()[0]).split("\n")
    lines[6], lines[7] = lines[6][:7] + lines[7][10:], lines[7]
    changed = "\n".join(lines)
    with pytest.raises((Disagreement, Unreadable)):
        agreed(changed)


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "latin-1"])
def test_accepts_any_text_encoding(code: str) -> None:
    text = first_with(Played, DragonGiven)
    content = text.replace("\n", "\r\n").encode(code)
    assert agreed(decode_log(content)) == (1, 1)
    assert read_log(decode_log(content)).rounds[0].names[0] == "Jörg"


@pytest.mark.parametrize(
    "change, problem",
    [
        (lambda text: text.replace(" Dr ", " Dx ", 1), "'Dx' is not a card"),
        (lambda text: text.replace(" Dr ", " Dr Dr ", 1), "8 cards"),
        (lambda text: text.replace("Schupfen:", "Schupf:"), "is not a card"),
        (lambda text: text.replace(" passt.", " past.", 1), "not a line of a log"),
        (lambda text: text.replace("%5BC%5D: ", "- - ", 1), "gives to the three others"),
        (lambda text: text.replace("Startkarten", "Karten"), "hands .* are missing"),
        (lambda text: text.replace("Schupfen:", "Wunsch:9\nSchupfen:"), "behind the play"),
        (lambda text: text.replace("Schupfen:", "Tichu: Eve\nSchupfen:"), "name a seat"),
        (lambda text: text.replace("Schupfen:", "Tichu: \nSchupfen:"), "name a seat"),
        (lambda text: text.replace("Schupfen:", "BOMBE:" + 5 * " (0)" + "\nSchupfen:"), "too many"),
    ],
)
def test_reports_an_unreadable_line(change: Callable[[str], str], problem: str) -> None:
    text = next(found for found in map(log, fitting()) if " Dr " in "".join(found.split("\n")[1:5]))
    good = log(fitting()[1])
    checked = check(read_log(good + change(text) + good))
    assert (checked.rounds, checked.good, len(checked.wrong)) == (3, 2, 1)
    with pytest.raises(Unreadable, match=problem):
        raise checked.wrong[0]


@pytest.mark.parametrize("text", ["", "Hello", "\n\n", "{", "(0)Ada: S9"])
def test_refuses_a_file_without_a_round(text: str) -> None:
    with pytest.raises(Unreadable, match="line 1: there is no round"):
        read_log(text)


@pytest.mark.parametrize("points", ["9" * 5000, "-" + "1" * 4301, "1234567"])
def test_impossible_result_is_no_log_line(points: str) -> None:
    lines = log(fitting()[0]).split("\n")
    place = next(at for at, line in enumerate(lines) if line.startswith("Ergebnis"))
    lines[place] = f"Ergebnis: {points} - 0"
    with pytest.raises(Unreadable, match=f"line {place + 1}: this should be the points"):
        agreed("\n".join(lines))
