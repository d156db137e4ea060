"""Reads a log of BrettspielWelt: its rounds, and in each the hands, calls, plays and so on.

Only the form is checked here. Whether what the log tells is legal is checked by `bsw_check`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from bot.formats.bsw_cards import CARD, read_card_words, read_rank_word
from engine import CardSet, Gifts, Points, Rank, Seat

SEATS = 4
NOBODY: Seat = -1
HEADINGS = ("Gr.Tichukarten", "Startkarten", "Rundenverlauf")
"""The headings in a round: the first eight cards, the whole hands, play."""
_HEADING = re.compile(r"-{3,}\s*(.+?)\s*-{3,}")
_RESULT = re.compile(r"Ergebnis: *(-?\d{1,6}) - (-?\d{1,6})")


class Kind(Enum):
    """What a line of a log tells."""

    TICHU = auto()
    GRAND = auto()
    BOMBS = auto()
    """Who holds bombs after the exchange."""
    PLAY = auto()
    PASS = auto()
    GIFT = auto()
    """Who is given the trick of the Dragon."""
    RESULT = auto()


_CALLS = {
    "Tichu:": Kind.TICHU,
    "Grosses Tichu:": Kind.GRAND,
    "GrosseTichu:": Kind.GRAND,
}


class Unreadable(Exception):
    """A text is not a log. The message has the number of a line and says what is wrong with it."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a round. Which fields are used depends on its kind."""

    line: int
    """The number of the line in the log, from 1."""
    kind: Kind
    seat: Seat = NOBODY
    """Who called, played or passed, or who is given the trick. `NOBODY` for bombs and results."""
    cards: CardSet = 0
    """The set of cards of a play."""
    wish: Rank | None = None
    """The rank wished for with a play."""
    seats: tuple[Seat, ...] = ()
    """Who holds bombs after the exchange."""
    result: tuple[Points, Points] = (0, 0)
    """The points of the team of seats 0 and 2, and of the team of seats 1 and 3."""


@dataclass(slots=True)
class LoggedRound:
    """One round of a log. Lists by seat are empty where the log ends before."""

    line: int
    """The number of the line in which the round begins, from 1."""
    names: list[str] = field(default_factory=list)
    """The names by seat."""
    first: list[CardSet] = field(default_factory=list)
    """The first eight cards by seat."""
    hands: list[CardSet] = field(default_factory=list)
    """The whole hands of 14 cards by seat."""
    given: list[Gifts] = field(default_factory=list)
    """The exchange: what each seat gives, by seat. Each gift is one card."""
    exchange_line: int = 0
    """The number of the line in which the exchange begins; 0 without one."""
    entries: list[Entry] = field(default_factory=list)
    """Calls, plays, passes and so on, in the order of the log."""

    @property
    def finished(self) -> bool:
        """Whether the log tells the result of the round."""
        return bool(self.entries) and self.entries[-1].kind is Kind.RESULT


def decoded(content: bytes) -> str:
    """The text of a log in UTF-8 (with or without a mark in front) or else in Latin-1."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def read_log(text: str) -> list[LoggedRound]:
    """All rounds of a log. Raises `Unreadable` if the text is not a log."""
    return _Reader(text.split("\n")).rounds()


class _Reader:
    """Reads a log line by line."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self.line_number = 0
        """The number of the line being read, from 1."""

    def rounds(self) -> list[LoggedRound]:
        """All rounds; raises `Unreadable`."""
        rounds: list[LoggedRound] = []
        for line in self._rest():
            heading = _heading(line)
            if heading == HEADINGS[0]:
                rounds.append(LoggedRound(self.line_number))
                self._hands(rounds[-1], 8)
            elif not rounds:
                raise self._wrong("a log begins with the first cards (Gr.Tichukarten)")
            elif rounds[-1].finished:
                raise self._wrong("nothing but another round can follow a result")
            elif heading == HEADINGS[1]:
                self._hands(rounds[-1], 14)
            elif heading != HEADINGS[2]:
                self._line(rounds[-1], line)
            elif not rounds[-1].given:
                raise self._wrong("play begins before the exchange")
        if not rounds:
            raise Unreadable(1, "there is no round in it")
        return rounds

    def _rest(self) -> Iterator[str]:
        """The lines not read yet that are not empty, without blanks around them."""
        while self.line_number < len(self._lines):
            self.line_number += 1
            line = self._lines[self.line_number - 1].strip(" \t\r")
            if line:
                yield line

    def _wrong(self, problem: str) -> Unreadable:
        """The error for the line being read."""
        return Unreadable(self.line_number, problem)

    def _cards(self, words: Sequence[str]) -> CardSet:
        """The set of cards that these words name."""
        try:
            return read_card_words(words)
        except ValueError as error:
            raise self._wrong(str(error)) from None

    def _hands(self, round_: LoggedRound, size: int) -> None:
        """Read the cards of all seats, `size` of each; a line is ``(0)name S8 …``."""
        hands = round_.first if size == 8 else round_.hands
        if hands:
            raise self._wrong("these cards were dealt before")
        for seat, line in zip(range(SEATS), self._rest(), strict=False):
            match = re.fullmatch(rf"\({seat}\)(.*?)((?: +{CARD}){{{size}}})", line)
            if match is None:
                raise self._wrong(f"this should be ({seat}), a name and {size} cards")
            if size == 8:
                round_.names.append(match[1])
            elif match[1] != round_.names[seat]:
                raise self._wrong(f"seat {seat} had another name before")
            hands.append(self._cards(match[2].split()))
        if len(hands) < SEATS:
            raise self._wrong("the cards of some seat are missing")

    def _line(self, round_: LoggedRound, line: str) -> None:
        """Read a line that is neither a heading nor a hand, and those that belong to it."""
        if not round_.hands:
            raise self._wrong("the hands (Startkarten) are missing")
        if line == "Schupfen:":
            self._exchange(round_)
        else:
            entry = self._entry(round_, line)
            if entry is not None:
                round_.entries.append(entry)

    def _exchange(self, round_: LoggedRound) -> None:
        """Read the exchange: four lines ``(0)name gibt: name: S8 - name: B9 - name: Hu - ``."""
        if round_.given:
            raise self._wrong("cards were passed before")
        round_.exchange_line = self.line_number
        for seat, line in zip(range(SEATS), self._rest(), strict=False):
            receivers = [(seat + step) % SEATS for step in (1, 2, 3)]
            gifts = r" - ".join(
                rf"{re.escape(round_.names[receiver])}: ({CARD})" for receiver in receivers
            )
            form = rf"\({seat}\){re.escape(round_.names[seat])} gibt: *{gifts}(?: -)?"
            match = re.fullmatch(form, line)
            if match is None:
                raise self._wrong(f"this should be what ({seat}) gives to the three others")
            cards = (self._cards([word]) for word in match.groups())
            round_.given.append(tuple(sorted(zip(receivers, cards, strict=True))))
        if len(round_.given) < SEATS:
            raise self._wrong("the cards that some seat passes are missing")

    def _entry(self, round_: LoggedRound, line: str) -> Entry | None:
        """The entry for a line; `None` for a wish, which is added to the play of the Mah Jong."""
        for word, kind in _CALLS.items():
            if line.startswith(word):
                return Entry(self.line_number, kind, self._seat(round_, line.removeprefix(word)))
        result = _RESULT.fullmatch(line)
        if result is not None:
            return Entry(self.line_number, Kind.RESULT, result=(int(result[1]), int(result[2])))
        if line.startswith("BOMBE:"):
            seats = self._seats(round_, line.removeprefix("BOMBE:"))
            return Entry(self.line_number, Kind.BOMBS, seats=seats)
        if line.startswith("Drache an:"):
            seat = self._seat(round_, line.removeprefix("Drache an:"))
            return Entry(self.line_number, Kind.GIFT, seat)
        if line.startswith("Wunsch:"):
            self._wish(round_, line.removeprefix("Wunsch:").strip())
            return None
        return self._turn(round_, line)

    def _turn(self, round_: LoggedRound, line: str) -> Entry:
        """The entry for a play or a pass: ``(0)name: S8 G8`` or ``(0)name passt.``."""
        for seat, name in enumerate(round_.names):
            start = f"({seat}){name}"
            if line == f"{start} passt.":
                return Entry(self.line_number, Kind.PASS, seat)
            if line.startswith(f"{start}: "):
                words = line.removeprefix(f"{start}: ").split()
                return Entry(self.line_number, Kind.PLAY, seat, self._cards(words))
        raise self._wrong("this is not a line of a log")

    def _wish(self, round_: LoggedRound, word: str) -> None:
        """Add a wish to the last play. A call may stand between the two."""
        for place in reversed(range(len(round_.entries))):
            entry = round_.entries[place]
            if entry.kind is Kind.PLAY and entry.wish is None:
                try:
                    wish = read_rank_word(word)
                except ValueError as error:
                    raise self._wrong(str(error)) from None
                round_.entries[place] = replace(entry, wish=wish)
                return
            if entry.kind is not Kind.TICHU:
                break
        raise self._wrong("a wish belongs behind the play of the Mah Jong")

    def _seat(self, round_: LoggedRound, text: str) -> Seat:
        """The one seat that a text names."""
        seats = self._seats(round_, text)
        if len(seats) != 1:
            raise self._wrong("this should name one seat")
        return seats[0]

    def _seats(self, round_: LoggedRound, text: str) -> tuple[Seat, ...]:
        """The seats that a text names, one after another: ``(0)name (2)name``."""
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
    """Which of the `HEADINGS` a line is; empty if it is none."""
    match = _HEADING.fullmatch(line)
    return match[1] if match is not None and match[1] in HEADINGS else ""
