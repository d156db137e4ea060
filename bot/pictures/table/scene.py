"""What is on the picture of a table, as values: they go to the drawing process as JSON.

All words are there in the reader's language, names of people as they are. Two scenes are equal if
their pictures are. `contents` makes them, `picture` draws them.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from bot.pictures.descriptions import Name
from engine import Seat, Team

NAME = "{name}"
"""What stands in a caption in the place of a name."""

Sitter = Literal["person", "computer", "nobody", "table"]
"""Who sits on a seat: also nobody, in a lobby, or Trichu's Table, whose cards lie open."""

Mark = Literal["", "turn", "plays", "waiting", "ready", "passed"]
"""What is expected of a seat: to play, or to play for Trichu's Table, which is on turn; to answer
or to pass cards, or it has done so; it passed."""

Badge = Literal["", "crown", "broom"]
"""The sign of those who have won, of a Great Lord, or of a Wretch."""

Icon = Literal["", "bomb", "wish", "paused"]
"""The sign in front of a note."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)


class CallShown(_Frozen):
    """A call at a seat."""

    text: str
    """Its name, such as “Grand Tichu”."""
    grand: bool
    """Whether it is a Grand Tichu; else it is a Tichu."""
    made: bool | None = None
    """Whether it was made, `None` while nobody is out."""


class SeatShown(_Frozen):
    """One seat."""

    seat: Seat
    """Its number."""
    name: Name
    """Who sits there; where it cannot be written, a replacement with the number of the seat."""
    sitter: Sitter = "person"
    """Who that is."""
    team: Team | None = None
    """The team, where there are two."""
    title: str = ""
    """The title in Grand Seigneur."""
    badge: Badge = ""
    """The sign that decorates the name."""
    cards: int = 0
    """The number of cards in hand; 0 also where none are dealt."""
    open_cards: tuple[str, ...] = ()
    """The cards that lie open before the seat, in notation without copies (`S8`)."""
    call: CallShown | None = None
    """The call, if any."""
    score: str = ""
    """Its points in the match, where each seat has points of its own, such as “160 pts”."""
    place: int | None = None
    """1 if this seat was the first to go out, 2 for the second ...; `None` with cards."""
    mark: Mark = ""
    """What is expected of it."""
    word: str = ""
    """What the mark says in one word, if there is one."""
    notes: tuple[str, ...] = ()
    """Short words about it, such as “away”."""


class Score(_Frozen):
    """The points of a team, or of a seat that has points of its own."""

    team: Team | None
    """The team, where there are two."""
    holder: int | None = None
    """The index of the seat in `TableScene.seats`, where each has points of its own."""
    change: str = ""
    """The points of the round that is over."""
    total: str
    """The points in the match."""
    won: bool = False
    """Whether the match is won with them."""


class Caption(_Frozen):
    """A line of text in the middle of the table."""

    text: str
    """The words; a name is to be put in where they contain `NAME`."""
    named: int | None = None
    """The index of the seat in `TableScene.seats` whose name it is."""


class Note(_Frozen):
    """A short text with a sign in front of it."""

    icon: Icon
    text: str


class Middle(_Frozen):
    """What lies in the middle of the table."""

    cards: tuple[str, ...] = ()
    """The play to beat: its cards in notation without copies, as they are laid. In a lobby the
    special cards, for their looks."""
    before: tuple[str, ...] = ()
    """The play before it."""
    captions: tuple[Caption, ...] = ()
    """What it is, or what everybody waits for; the most important line first."""
    notes: tuple[Note, ...] = ()
    """Points in the trick, the wish, whether bombs may be thrown."""
    scores: tuple[Score, ...] = ()
    """After a round: its points."""


class TableScene(_Frozen):
    """The picture of a table."""

    kind: Literal["table"] = "table"
    language: str
    """The language of all words."""
    clockwise: bool
    """Which way play runs round the table."""
    heading: str
    """Which round it is and how long the match lasts; in a lobby, which game it is."""
    scores: tuple[Score, ...] = ()
    """The points of the teams in the match so far."""
    seats: tuple[SeatShown, ...]
    """All seats in turn order. The first one is at the bottom of the picture."""
    middle: Middle = Middle()
    """What lies in the middle."""
