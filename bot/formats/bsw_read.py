"""A log of BrettspielWelt as rounds with their entries; who may do what is not looked at here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from bot.formats.bsw_cards import CARD, read_card_words, read_rank_word

SEATS = 4
HEADINGS = ("Gr.Tichukarten", "Startkarten", "Rundenverlauf")
_HEADING = re.compile(r"-{3,}\s*(.+?)\s*-{3,}")
_RESULT = re.compile(r"Ergebnis: *(-?\d{1,6}) - (-?\d{1,6})")
Kind = Literal["tichu", "grand", "bombs", "play", "pass", "gift", "result"]
_CALLS: dict[str, Kind] = {
    "Tichu:": "tichu",
    "Grosses Tichu:": "grand",
    "GrosseTichu:": "grand",
}


class Unreadable(Exception):
    """This is not such a log: the number of the line and what is wrong with it, in English."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a round: what `seat` did, or got (gift); -1 where it is nobody's.

    `cards` are those of a play, with its `wish`; `seats` those who hold bombs after the exchange;
    `result` what the teams of seats 0 and 2 and of seats 1 and 3 got.
    """

    line: int
    kind: Kind
    seat: int = -1
    cards: int = 0
    wish: int | None = None
    seats: tuple[int, ...] = ()
    result: tuple[int, int] = (0, 0)


@dataclass(slots=True)
class LoggedRound:
    """One round: names, the first eight cards and the whole hand of each seat, the exchange.

    `given` has for each seat pairs of receiver and set of one card; it is empty where the round
    was broken off before. `line` is where the round begins, `exchange_line` where its exchange.
    """

    line: int
    names: list[str] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    hands: list[int] = field(default_factory=list)
    given: list[tuple[tuple[int, int], ...]] = field(default_factory=list)
    exchange_line: int = 0
    entries: list[Entry] = field(default_factory=list)

    @property
    def finished(self) -> bool:
        """Whether it has a result."""
        return bool(self.entries) and self.entries[-1].kind == "result"


def decoded(content: bytes) -> str:
    """The text of a log: UTF-8 (with a mark in front or not), else Latin-1."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def read_log(text: str) -> list[LoggedRound]:
    """All rounds of a log. Raises `Unreadable`."""
    return _Reader(text.split("\n")).rounds()


class _Reader:
    """Reads line by line; `at` is the number of the line that is read, from 1."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self.at = 0

    def rounds(self) -> list[LoggedRound]:
        found: list[LoggedRound] = []
        for line in self._rest():
            heading = _heading(line)
            if heading == HEADINGS[0]:
                found.append(LoggedRound(self.at))
                self._hands(found[-1], 8)
            elif not found:
                raise self._wrong("a log begins with the first cards (Gr.Tichukarten)")
            elif found[-1].finished:
                raise self._wrong("nothing but another round can follow a result")
            elif heading == HEADINGS[1]:
                self._hands(found[-1], 14)
            elif heading != HEADINGS[2]:
                self._line(found[-1], line)
            elif not found[-1].given:
                raise self._wrong("play begins before the exchange")
        if not found:
            raise Unreadable(1, "there is no round in it")
        return found

    def _rest(self) -> Iterator[str]:
        """The lines that say something, without blanks around them."""
        while self.at < len(self._lines):
            self.at += 1
            line = self._lines[self.at - 1].strip(" \t\r")
            if line:
                yield line

    def _wrong(self, problem: str) -> Unreadable:
        return Unreadable(self.at, problem)

    def _cards(self, words: Sequence[str]) -> int:
        try:
            return read_card_words(words)
        except ValueError as error:
            raise self._wrong(str(error)) from None

    def _hands(self, round_: LoggedRound, size: int) -> None:
        """The cards of all seats, one line each: ``(0)name S8 …``."""
        hands = round_.first if size == 8 else round_.hands
        if hands:
            raise self._wrong("these cards were dealt before")
        for seat, line in zip(range(SEATS), self._rest(), strict=False):
            found = re.fullmatch(rf"\({seat}\)(.*?)((?: +{CARD}){{{size}}})", line)
            if found is None:
                raise self._wrong(f"this should be ({seat}), a name and {size} cards")
            if size == 8:
                round_.names.append(found[1])
            elif found[1] != round_.names[seat]:
                raise self._wrong(f"seat {seat} had another name before")
            hands.append(self._cards(found[2].split()))
        if len(hands) < SEATS:
            raise self._wrong("the cards of some seat are missing")

    def _line(self, round_: LoggedRound, line: str) -> None:
        """One line of the opening or of play."""
        if not round_.hands:
            raise self._wrong("the hands (Startkarten) are missing")
        if line == "Schupfen:":
            self._exchange(round_)
        else:
            entry = self._entry(round_, line)
            if entry is not None:
                round_.entries.append(entry)

    def _exchange(self, round_: LoggedRound) -> None:
        """Four lines ``(0)name gibt: name: S8 - name: B9 - name: Hu - ``."""
        if round_.given:
            raise self._wrong("cards were passed before")
        round_.exchange_line = self.at
        for seat, line in zip(range(SEATS), self._rest(), strict=False):
            receivers = [(seat + step) % SEATS for step in (1, 2, 3)]
            gifts = r" - ".join(rf"{re.escape(round_.names[to])}: ({CARD})" for to in receivers)
            form = rf"\({seat}\){re.escape(round_.names[seat])} gibt: *{gifts}(?: -)?"
            found = re.fullmatch(form, line)
            if found is None:
                raise self._wrong(f"this should be what ({seat}) gives to the three others")
            cards = (self._cards([word]) for word in found.groups())
            round_.given.append(tuple(sorted(zip(receivers, cards, strict=True))))
        if len(round_.given) < SEATS:
            raise self._wrong("the cards that some seat passes are missing")

    def _entry(self, round_: LoggedRound, line: str) -> Entry | None:
        """A line of play, or `None` for a wish, which belongs to the play of the Mah Jong."""
        for word, kind in _CALLS.items():
            if line.startswith(word):
                return Entry(self.at, kind, self._seat(round_, line.removeprefix(word)))
        word, colon, rest = line.partition(":")
        result = _RESULT.fullmatch(line)
        if result is not None:
            return Entry(self.at, "result", result=(int(result[1]), int(result[2])))
        if colon and word == "BOMBE":
            return Entry(self.at, "bombs", seats=self._seats(round_, rest))
        if colon and word == "Drache an":
            return Entry(self.at, "gift", self._seat(round_, rest))
        if colon and word == "Wunsch":
            self._wish(round_, rest.strip())
            return None
        for seat, name in enumerate(round_.names):
            start = f"({seat}){name}"
            if line == f"{start} passt.":
                return Entry(self.at, "pass", seat)
            if line.startswith(f"{start}: "):
                words = line.removeprefix(f"{start}: ").split()
                return Entry(self.at, "play", seat, self._cards(words))
        raise self._wrong("this is not a line of a log")

    def _wish(self, round_: LoggedRound, word: str) -> None:
        """The wish of the last play; a call may stand between the two."""
        for place in reversed(range(len(round_.entries))):
            entry = round_.entries[place]
            if entry.kind == "play" and entry.wish is None:
                try:
                    wish = read_rank_word(word)
                except ValueError as error:
                    raise self._wrong(str(error)) from None
                round_.entries[place] = Entry(entry.line, "play", entry.seat, entry.cards, wish)
                return
            if entry.kind != "tichu":
                break
        raise self._wrong("a wish belongs behind the play of the Mah Jong")

    def _seat(self, round_: LoggedRound, text: str) -> int:
        seats = self._seats(round_, text)
        if len(seats) != 1:
            raise self._wrong("this should name one seat")
        return seats[0]

    def _seats(self, round_: LoggedRound, text: str) -> tuple[int, ...]:
        """Seats with their names, one after another: ``(0)name (2)name``."""
        rest, seats = text.strip(), []
        while rest:
            for seat, name in enumerate(round_.names):
                start = f"({seat}){name}"
                if rest == start or rest.startswith(f"{start} ("):
                    seats.append(seat)
                    rest = rest.removeprefix(start).strip()
                    break
            else:
                raise self._wrong("this names nobody at the table")
        return tuple(seats)


def _heading(line: str) -> str:
    """What stands between the dashes of a heading, else nothing."""
    found = _HEADING.fullmatch(line)
    return found[1] if found is not None and found[1] in HEADINGS else ""
