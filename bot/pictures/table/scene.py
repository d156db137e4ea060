"""Content of the picture of a table, which is sent to the drawing process as JSON.

Texts are in the reader's language; names of people are not translated. Two scenes are equal if and
only if their pictures are equal. `contents` computes scenes, `picture` draws them.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from bot.pictures.descriptions import Name
from engine import Seat, Team

NAME = "{name}"
"""Placeholder for a name in a caption."""

Sitter = Literal["person", "computer", "nobody", "table"]
"""Kind of player: “nobody” for a free seat, “table” for Trichu's Table with its open cards."""

Mark = Literal["", "turn", "plays", "waiting", "ready", "passed"]
"""Expected action of a seat, or its last one.

A seat with “turn” is on turn, one with “plays” is on turn for Trichu's Table, and one with
“waiting” has to answer a question or to pass cards. It is “ready” once it has done so. A seat with
“passed” has passed on the play to beat.
"""

Badge = Literal["", "crown", "broom"]
"""Sign beside a name: crown for a winner or the Great Lord, broom for the Wretch."""

Icon = Literal["", "bomb", "wish", "paused"]
"""Icon in front of a note."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)


class SceneCall(_Frozen):
    """Call of a seat."""

    text: str
    """Name, such as “Grand Tichu”."""
    grand: bool
    """True for a Grand Tichu, false for a Tichu."""
    made: bool | None = None
    """True if it was made; `None` while nobody is out."""


class SceneSeat(_Frozen):
    """Seat of a table."""

    seat: Seat
    """Number of the seat."""
    name: Name
    """Name of the player, with a replacement that has the number of the seat."""
    sitter: Sitter = "person"
    """Kind of player."""
    team: Team | None = None
    """Team, if there are two."""
    title: str = ""
    """Title in Grand Seigneur."""
    badge: Badge = ""
    """Sign beside the name."""
    cards: int = 0
    """Number of cards in hand; 0 before the deal."""
    open_cards: tuple[str, ...] = ()
    """Open cards, in notation without copies (`S8`)."""
    call: SceneCall | None = None
    """Call, if any."""
    score: str = ""
    """Points of the seat in the match, such as “160 pts”; empty if teams have points."""
    place: int | None = None
    """Place in the order of going out, from 1; `None` while the seat holds cards."""
    mark: Mark = ""
    """Expected action."""
    word: str = ""
    """Word that is written instead of the sign of the mark, if there is space for it."""
    notes: tuple[str, ...] = ()
    """Short remarks, such as “away”."""


class Score(_Frozen):
    """Points of a team, or of a seat if each seat has its own points."""

    team: Team | None
    """Team, if there are two."""
    holder: int | None = None
    """Index in `TableScene.seats` of the seat with these points; `None` for a team."""
    change: str = ""
    """Points from the finished round."""
    total: str
    """Points in the match."""
    won: bool = False
    """True if this team or seat has won the match."""


class Caption(_Frozen):
    """Line of text in the middle of the table."""

    text: str
    """Text; `NAME` in it is replaced by a name."""
    named: int | None = None
    """Index in `TableScene.seats` of the seat with this name."""


class Note(_Frozen):
    """Short text with an icon in front of it."""

    icon: Icon
    text: str


class Middle(_Frozen):
    """Content of the middle of the table."""

    cards: tuple[str, ...] = ()
    """Cards of the play to beat, in notation without copies and in display order.

    In a lobby these are the special cards, as decoration.
    """
    before: tuple[str, ...] = ()
    """Cards of the previous play, which the play to beat has beaten."""
    captions: tuple[Caption, ...] = ()
    """Description of the play, or the current question; the most important line first."""
    notes: tuple[Note, ...] = ()
    """Bomb, points in the trick, the wish, and a pause."""
    scores: tuple[Score, ...] = ()
    """Points after a round."""


class TableScene(_Frozen):
    """Picture of a table."""

    kind: Literal["table"] = "table"
    language: str
    """Language of all texts."""
    clockwise: bool
    """True if play runs clockwise."""
    heading: str
    """Number of the round and length of the match; in a lobby the game."""
    scores: tuple[Score, ...] = ()
    """Points of the teams in the match so far."""
    seats: tuple[SceneSeat, ...]
    """All seats in turn order. The first one is at the bottom of the picture."""
    middle: Middle = Middle()
    """Content of the middle."""
