"""Parser of BrettspielWelt logs.

Only the form is checked here; `bsw_check` checks the rules.

Real logs are rarely complete. A seat is identified by its number, so its player may change within a
round. Foreign lines are skipped. A round that cannot be read is abandoned, but other rounds are
still used. No regular expressions are used, so reading a line takes time linear in its length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Any

from bot.formats.bsw_cards import CARD_WORDS, read_card_words, read_handle, read_rank_word
from engine import CardSet, Gifts, Points, Rank, Seat

SEATS = 4
NOBODY: Seat = -1
HEADINGS = ("Gr.Tichukarten", "Startkarten", "Rundenverlauf")
"""Headings in a round: the first eight cards of each seat, the whole hands, the play."""
_MOST_LINES = 100_000
"""Maximum number of lines in a log. A match has about 1,200."""
_MOST_DIGITS = 6
"""Maximum number of digits in a result."""
_CARDS = frozenset(CARD_WORDS.values())


class Kind(Enum):
    """Kind of a line."""

    TICHU = auto()
    GRAND = auto()
    BOMBS = auto()
    """Seats that hold bombs after the exchange."""
    PLAY = auto()
    PASS = auto()
    GIFT = auto()
    """Receiver of a trick won with the Dragon."""
    RESULT = auto()


_CALLS = {
    "Tichu:": Kind.TICHU,
    "Grosses Tichu:": Kind.GRAND,
    "GrosseTichu:": Kind.GRAND,
}
_EXCHANGE, _BOMBS, _GIFT, _WISH, _RESULT = (
    "Schupfen:",
    "BOMBE:",
    "Drache an:",
    "Wunsch:",
    "Ergebnis:",
)
_BEGINNINGS = (
    *(f"({seat})" for seat in range(SEATS)),
    *_CALLS,
    _EXCHANGE,
    _BOMBS,
    _GIFT,
    _WISH,
    _RESULT,
)
"""Beginnings of all lines of a log except headings; all other lines are foreign."""


class Unreadable(Exception):
    """Raised when a line cannot be read. The message has its number and the problem."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line
        """Line number, from 1."""
        self.problem = problem
        """Description of the problem, in English."""


@dataclass(frozen=True, slots=True)
class Note:
    """Anomaly in a log that does not prevent reading it."""

    line: int
    """Line number, from 1."""
    text: str
    """Description of the anomaly, in English. It may quote the log."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Line of a round. Its kind determines which fields are used."""

    line: int
    """Line number in the log, from 1."""
    kind: Kind
    seat: Seat = NOBODY
    """Seat that called, played, passed or receives the trick; else `NOBODY`."""
    cards: CardSet = 0
    """Cards of a play."""
    wish: Rank | None = None
    """Rank wished for with a play."""
    seats: tuple[Seat, ...] = ()
    """Seats that hold bombs after the exchange."""
    result: tuple[Points, Points] = (0, 0)
    """Points of the team of seats 0 and 2, and of the team of seats 1 and 3."""


@dataclass(slots=True)
class LoggedRound:
    """Round of a log. Lists by seat are empty if the log ends before these lines."""

    line: int
    """Number of the line in which the round begins, from 1."""
    names: list[str] = field(default_factory=list)
    """Names of the players at the deal, by seat."""
    first: list[CardSet] = field(default_factory=list)
    """First eight cards by seat."""
    hands: list[CardSet] = field(default_factory=list)
    """Whole hands of 14 cards by seat."""
    given: list[Gifts] = field(default_factory=list)
    """Exchange: the gifts of each seat, by seat. Each gift is one card."""
    exchange_line: int = 0
    """Number of the line in which the exchange begins; 0 without one."""
    entries: list[Entry] = field(default_factory=list)
    """Calls, plays, passes and so on, in the order of the log."""
    problem: Unreadable | None = None
    """Error at which the round was abandoned, if any."""

    @property
    def finished(self) -> bool:
        """Return whether the log contains the result of the round."""
        return bool(self.entries) and self.entries[-1].kind is Kind.RESULT


@dataclass(slots=True)
class Log:
    """Content of a log: at least one round, perhaps of several games."""

    rounds: list[LoggedRound] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    """Anomalies, sorted by line."""
    open_line: int = 0
    """Number of the last line, if it has no line end and so may be cut off; else 0."""


CUT_OFF = "left out, as the file ends within this line"
"""Note about the last line of a log if it is cut off."""


def decode_log(content: bytes) -> str:
    """Decode a log as UTF-8 (with or without a BOM), or else as Latin-1."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def lines_of(text: str) -> list[str]:
    """Split a log into lines, with the line ends of any system."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def read_log(text: str) -> Log:
    """Parse a log. Raise `Unreadable` if it contains no round, or too many lines."""
    lines = lines_of(text)
    if len(lines) > _MOST_LINES:
        raise Unreadable(_MOST_LINES + 1, "the lines are too many; split it where games end")
    return _Reader(lines).log()


class _Reader:
    """Line-by-line parser."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._log = Log(open_line=len(lines) if lines[-1].strip() else 0)
        self._line_number = 0
        """Number of the line being read, from 1."""
        self._foreign_line = -1
        """Number of the last foreign line; -1 if there was none."""
        self._handles: list[str] = []
        """Current names by seat, as written in the log."""
        self._called: set[tuple[Kind, Seat]] = set()
        """Calls in this round so far."""

    def log(self) -> Log:
        """Read and return the whole log. Raise `Unreadable` if it has no round."""
        rounds = self._log.rounds
        for line in self._next_lines():
            heading = _heading(line)
            if heading == HEADINGS[0]:
                rounds.append(LoggedRound(self._line_number))
                self._called.clear()
            elif not rounds or rounds[-1].finished:
                self._note_foreign_line(line)
                continue
            if rounds[-1].problem is not None:
                continue  # the rest of an abandoned round
            try:
                self._read_line(rounds[-1], heading, line)
            except Unreadable as problem:
                self._abandon_round(rounds[-1], problem)
        if not rounds:
            raise Unreadable(1, "there is no round in it")
        return self._log

    def _read_line(self, round_: LoggedRound, heading: str, line: str) -> None:
        """Read a line of a round, and the lines that belong to it."""
        if heading == HEADINGS[0]:
            self._read_hands(round_, round_.first, 8)
        elif heading == HEADINGS[1]:
            self._read_hands(round_, round_.hands, 14)
        elif heading:
            if not round_.given:
                raise self._unreadable("play begins before the exchange")
        elif not round_.hands:
            raise self._unreadable("the hands (Startkarten) are missing")
        elif line == _EXCHANGE:
            self._read_exchange(round_)
        elif line.startswith(_WISH):
            self._add_wish(round_, line.removeprefix(_WISH).strip())
        else:
            self._add_entry(round_, self._read_entry(line))

    def _abandon_round(self, round_: LoggedRound, problem: Unreadable) -> None:
        """Abandon a round because of a problem.

        If the problem is only that the last line is cut off, it becomes a note.
        """
        if problem.line == self._log.open_line:
            self._log.notes.append(Note(problem.line, CUT_OFF))
        else:
            round_.problem = problem
        for block in (round_.first, round_.hands, round_.given):
            if len(block) < SEATS:
                block.clear()

    def _next_lines(self) -> Iterator[str]:
        """Yield the remaining lines without blanks at the ends; skip empty and foreign lines.

        A heading that ended `_lines_by_seat` is yielded again.
        """
        while self._line_number < len(self._lines):
            self._line_number += 1
            line = self._lines[self._line_number - 1].strip(" \t")
            if _heading(line) or line.startswith(_BEGINNINGS):
                yield line
            elif line:
                self._note_foreign_line(line)

    def _lines_by_seat(self) -> Iterator[tuple[Seat, str]]:
        """Yield the next four lines, each with the seat that it should be of.

        Stop before a heading and at the end of the log.
        """
        for seat, line in zip(range(SEATS), self._next_lines(), strict=False):
            if _heading(line):
                self._line_number -= 1  # so that the heading is read again
                return
            yield seat, line

    def _note_foreign_line(self, line: str) -> None:
        """Note that a foreign line is skipped, unless the line before it was foreign, too."""
        if self._foreign_line != self._line_number - 1:
            self._log.notes.append(Note(self._line_number, f"left out, no line of a log: {line}"))
        self._foreign_line = self._line_number

    def _unreadable(self, problem: str) -> Unreadable:
        """Return the error for the line being read."""
        return Unreadable(self._line_number, problem)

    def _read_cards(self, words: Sequence[str]) -> CardSet:
        """Return the set of cards with these names."""
        try:
            return read_card_words(words)
        except ValueError as error:
            raise self._unreadable(str(error)) from None

    def _clear_if_cut_off(self, block: list[Any], problem: str) -> bool:
        """Clear the values of a block of lines if the log ends within it.

        Return whether the block has a value for every seat. Raise `Unreadable` with this problem if
        the log goes on after an incomplete block.
        """
        if len(block) == SEATS:
            return True
        if self._line_number < len(self._lines):
            raise self._unreadable(problem)
        block.clear()
        return False

    # --- the deal and the exchange ----------------------------------------------------------------

    def _read_hands(self, round_: LoggedRound, hands: list[CardSet], size: int) -> None:
        """Read `size` cards of each seat into `hands`, from lines such as ``(0)name S8 …``."""
        if hands:
            raise self._unreadable("these cards were dealt before")
        is_first_eight = size == 8
        handles: list[str] = []
        for seat, line in self._lines_by_seat():
            player, *words = line.rsplit(maxsplit=size)
            has_extra_card = player.rsplit(maxsplit=1)[-1] in _CARDS
            if not player.startswith(f"({seat})") or len(words) < size or has_extra_card:
                raise self._unreadable(f"this should be ({seat}), a name and {size} cards")
            handles.append(player.removeprefix(f"({seat})").strip())
            hands.append(self._read_cards(words))
            if not is_first_eight:
                self._note_player(seat, handles[-1])
        is_complete = self._clear_if_cut_off(hands, "the cards of some seat are missing")
        if is_complete and is_first_eight:
            self._handles = handles
            round_.names = list(map(read_handle, handles))

    def _read_exchange(self, round_: LoggedRound) -> None:
        """Read the exchange from lines ``(0)name gibt: name: S8 - name: B9 - name: Hu - ``."""
        if round_.given:
            raise self._unreadable("cards were passed before")
        round_.exchange_line = self._line_number
        for seat, line in self._lines_by_seat():
            giver, text = self._split_seat(line)
            beginning = f"{self._handles[seat]} gibt:"  # a name may contain “gibt:”, too
            handle, separator, gifts = (
                text.partition(beginning)
                if text.startswith(beginning)
                else text.partition(" gibt:")
            )
            words = self._split_gifts(seat, gifts)
            if giver != seat or not separator or len(words) < SEATS - 1:
                raise self._unreadable(f"this should be what ({seat}) gives to the three others")
            self._note_player(seat, handle)
            cards = (self._read_cards([word]) for word in words)
            round_.given.append(tuple(sorted(zip(_receivers(seat), cards, strict=True))))
        self._clear_if_cut_off(round_.given, "the cards that some seat passes are missing")

    def _split_gifts(self, giver: Seat, text: str) -> list[str]:
        """Return the names of the three cards in ``name: S8 - name: B9 - name: Hu - ``.

        Return no names if the text does not have this form.
        """
        text = text.strip().removesuffix("-").rstrip()
        rest, words = text, []
        for receiver in _receivers(giver):  # known names may contain a hyphen or a colon
            start = f"{self._handles[receiver]}: "
            if rest.startswith(start):
                word, _, rest = rest.removeprefix(start).partition(" - ")
                words.append(word)
        if len(words) == SEATS - 1 and not rest:
            return words
        parts = [part.rpartition(": ") for part in text.split(" - ", SEATS - 1)]
        if len(parts) != SEATS - 1:
            return []
        for receiver, (handle, _, _) in zip(_receivers(giver), parts, strict=True):
            self._note_player(receiver, handle)
        return [word for _, _, word in parts]

    # --- players ----------------------------------------------------------------------------------

    def _split_seat(self, text: str) -> tuple[Seat, str]:
        """Split a text such as ``(0)name: S8`` into the seat and the rest after its brackets."""
        if not text.startswith(_BEGINNINGS[:SEATS]):
            raise self._unreadable("this should name a seat")
        return int(text[1]), text[3:]

    def _note_player(self, seat: Seat, handle: str) -> None:
        """Note if another player is at a seat than before. An omitted name is no change."""
        handle, previous = handle.strip(), self._handles[seat]
        if handle in ("", previous) or self._line_number == self._log.open_line:
            return
        change = f"seat {seat} is now {read_handle(handle)}"
        if previous:
            change += f", before it was {read_handle(previous)}"
        self._log.notes.append(Note(self._line_number, change))
        self._handles[seat] = handle

    def _read_seat(self, text: str) -> Seat:
        """Return the seat in a text such as ``(0)name``."""
        seat, handle = self._split_seat(text.strip())
        self._note_player(seat, handle)
        return seat

    def _read_seats(self, text: str) -> tuple[Seat, ...]:
        """Return the seats in a text such as ``(0)name (2)name``, in order."""
        rest = text.strip()
        seats: list[Seat] = []
        while rest and len(seats) < SEATS:
            seat, rest = self._split_seat(rest)
            current_handle = self._handles[seat]
            if rest == current_handle or rest.startswith(f"{current_handle} ("):
                handle, rest = current_handle, rest.removeprefix(current_handle)
            else:
                handle, separator, rest = rest.partition(" (")
                rest = separator + rest
            self._note_player(seat, handle)
            seats.append(seat)
            rest = rest.lstrip()
        if rest:
            raise self._unreadable("this names too many seats")
        return tuple(seats)

    # --- calls, plays and the result --------------------------------------------------------------

    def _read_entry(self, line: str) -> Entry:
        """Parse a line that belongs neither to the deal nor to the exchange and is no wish."""
        for word, kind in _CALLS.items():
            if line.startswith(word):
                return Entry(self._line_number, kind, self._read_seat(line.removeprefix(word)))
        if line.startswith(_RESULT):
            result = self._read_result(line.removeprefix(_RESULT))
            return Entry(self._line_number, Kind.RESULT, result=result)
        if line.startswith(_BOMBS):
            seats = self._read_seats(line.removeprefix(_BOMBS))
            return Entry(self._line_number, Kind.BOMBS, seats=seats)
        if line.startswith(_GIFT):
            return Entry(self._line_number, Kind.GIFT, self._read_seat(line.removeprefix(_GIFT)))
        return self._read_turn(line)

    def _read_result(self, text: str) -> tuple[Points, Points]:
        """Parse the points of both teams, such as ``165 - 35``."""
        points = text.strip().split(" - ")
        digits = [number.removeprefix("-") for number in points]
        if len(points) != 2 or not all(
            each.isascii() and each.isdigit() and len(each) <= _MOST_DIGITS for each in digits
        ):
            raise self._unreadable("this should be the points of both teams")
        return int(points[0]), int(points[1])

    def _read_turn(self, line: str) -> Entry:
        """Parse a play or a pass, such as ``(0)name: S8 G8`` or ``(0)name passt.``."""
        seat, text = self._split_seat(line)
        if text.endswith(" passt."):
            self._note_player(seat, text.removesuffix(" passt."))
            return Entry(self._line_number, Kind.PASS, seat)
        handle, colon, words = text.rpartition(": ")
        if not colon:
            raise self._unreadable("this is not a line of a log")
        cards = self._read_cards(words.split())
        self._note_player(seat, handle)
        return Entry(self._line_number, Kind.PLAY, seat, cards)

    def _add_entry(self, round_: LoggedRound, entry: Entry) -> None:
        """Add an entry to a round, but not a call that the round already has."""
        if entry.kind in _CALLS.values():
            if (entry.kind, entry.seat) in self._called:
                return
            self._called.add((entry.kind, entry.seat))
        round_.entries.append(entry)

    def _add_wish(self, round_: LoggedRound, word: str) -> None:
        """Add a wish to the last play. Tichu calls may stand between the two lines."""
        for place in reversed(range(len(round_.entries))):
            entry = round_.entries[place]
            if entry.kind is Kind.PLAY and entry.wish is None:
                try:
                    wish = read_rank_word(word)
                except ValueError as error:
                    raise self._unreadable(str(error)) from None
                round_.entries[place] = replace(entry, wish=wish)
                return
            if entry.kind is not Kind.TICHU:
                break
        raise self._unreadable("a wish belongs behind the play of the Mah Jong")


def _receivers(giver: Seat) -> list[Seat]:
    """Return the receivers of a seat's gifts in log order: next, partner, previous."""
    return [(giver + step) % SEATS for step in (1, 2, 3)]


def _heading(line: str) -> str:
    """Return the heading (of `HEADINGS`) in a line, or an empty string for other lines."""
    text = line.strip("-").strip()
    has_frame = line.startswith("---") and line.endswith("---")
    return text if has_frame and text in HEADINGS else ""
