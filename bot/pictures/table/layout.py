"""Positions of everything on the picture of a table, in pixels."""

from __future__ import annotations

from typing import Literal, NamedTuple

from bot.pictures.table.captions import Line, NoteShown, caption_lines, note_rows
from bot.pictures.table.scene import TableScene
from bot.pictures.typeface import LINE

WIDTH = 900
MARGIN = 8
HEADER = 72
"""Height of the strip with round and scores."""
PLATE = 62
"""Height of a name plate with one line."""
HAND = 58
"""Height of the part of a hand's card backs that the plate does not cover."""
BELOW = 60
"""Height of the line with calls and notes under a plate at the side."""
OPEN_HAND = 96
"""Height of open cards in front of a seat."""
OPEN_ROW = 72
"""Height of a row of open cards at the side of the table."""
MIDDLE, NARROW_MIDDLE = 404, 450
"""Minimum height of the middle of the table, and with two seats at each side.

The usual content fits into it, so that most pictures of a table have the same size.
"""
GAP = 4
"""Space between adjacent plates."""
PEEK = 46
"""Visible height of the beaten cards."""
CARD, SMALL_CARD = 186, 134
"""Height of the cards to beat, and in a narrow space."""
MOST_IN_A_ROW = 8
"""Maximum number of cards to beat in one row."""
ARROW = 38
"""Size of the arrows that show the direction of play."""
BESIDE_ARROWS = 98
"""Distance from the edge of the picture to texts beside an arrow."""
DECK = 140
"""Height of the cards of the deck, while cards are dealt and passed."""
BELOW_CALLS = 240
"""Maximum reach of calls at the sides, from the top of the middle."""
NOTE = 52
"""Height of a note."""

Side = Literal["bottom", "right", "top", "left"]

EDGE = 36
"""Distance of the line on the felt from the edge of the table."""

ROWS = {
    4: (1, 1, 1, 1),
    5: (2, 1, 1, 1),
    6: (2, 1, 2, 1),
    7: (2, 1, 3, 1),
    8: (3, 1, 3, 1),
    9: (3, 2, 2, 2),
    10: (3, 2, 3, 2),
    11: (4, 2, 3, 2),
    12: (4, 2, 4, 2),
}
"""Number of seats -> seats at the bottom, on the right, at the top, on the left."""


class Box(NamedTuple):
    """Rectangle of the picture."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Lower edge."""
        return self.top + self.height

    @property
    def centre(self) -> float:
        """Horizontal middle."""
        return self.left + self.width / 2


class Spot(NamedTuple):
    """Position of a seat: the space for its plate, and its side of the table."""

    side: Side
    plate: Box
    """Maximum extent of the plate."""
    room: Box
    """Horizontal limits of the line beside the hand."""
    call_below: bool = False
    """True if a call has no space beside the hand, so it is below the plate."""


class Stack(NamedTuple):
    """Content of the middle of the table, with heights from the top of the middle."""

    card_height: int
    """Height of the cards to beat."""
    first: float
    """Top of the first line."""
    lines: tuple[Line, ...]
    """Captions."""
    notes: tuple[tuple[NoteShown, ...], ...]
    """Notes, in rows."""
    scores: float
    """Top of the points."""
    height: float
    """Total height."""


class Layout(NamedTuple):
    """Positions of everything."""

    height: int
    """Height of the picture."""
    felt: Box
    """Table."""
    arrows: tuple[Box, ...]
    """Arrows of the direction of play, left and right on the table, without seats there.

    There are none if there are points.
    """
    spots: tuple[Spot, ...]
    """Seats, in the order of the scene."""
    cards: Box
    """Space of plays, between the seats at the sides."""
    texts: Box
    """Space of captions, notes and points."""
    middle: Stack
    """Content of that space."""


def layout(scene: TableScene) -> Layout:
    """Lay out a scene."""
    bottom, right, top, left = ROWS[len(scene.seats)]
    plate = PLATE + LINE * any(seat.title for seat in scene.seats)
    unit = plate + HAND
    open_hand = OPEN_HAND - HAND if any(seat.open_cards for seat in scene.seats) else 0
    beside = 252 if right < 2 else 222
    upper = HEADER + 10 + unit + open_hand + 10
    lower = 10 + unit + MARGIN
    between = Box(MARGIN + beside + 8, upper, WIDTH - 2 * (MARGIN + beside + 8), 0)
    clear = 50 if scene.middle.scores else BESIDE_ARROWS
    texts = between if right > 1 else Box(clear, upper, WIDTH - 2 * clear, 0)
    least = NARROW_MIDDLE if right > 1 else MIDDLE
    middle = _stack(scene, between.width, texts.width, least, CARD)
    if upper + middle.height + lower > WIDTH and len(scene.middle.cards) <= MOST_IN_A_ROW:
        middle = _stack(scene, between.width, texts.width, least, SMALL_CARD)
    tall = middle.height
    height = int(upper + tall + lower)
    spots: list[Spot] = []
    spots += _row("bottom", bottom, height - MARGIN - plate, plate)
    step = (tall - 20) / 2
    spots += _column("right", right, Box(WIDTH - MARGIN - beside, upper, beside, plate), step)
    spots += _row("top", top, HEADER + 10, plate)[::-1]
    spots += _column("left", left, Box(MARGIN, upper, beside, plate), step)[::-1]
    if scene.clockwise:
        spots = _mirrored(spots)
    felt = Box(34, HEADER + 34, WIDTH - 68, height - HEADER - 34 - 36)
    between, texts = between._replace(height=tall), texts._replace(height=tall)
    free = (unit + step) / 2 + 3 if right > 1 else (BELOW_CALLS + tall) / 2
    arrows = tuple(
        Box(x - ARROW / 2, upper + free - ARROW / 2, ARROW, ARROW)
        for x in (felt.left + EDGE, felt.right - EDGE)
        if not scene.middle.scores
    )
    return Layout(height, felt, arrows, tuple(spots), between, texts, middle)


def _stack(scene: TableScene, narrow: float, wide: float, least: float, card_height: int) -> Stack:
    """Lay out the middle with cards of this height and a height of at least `least`.

    The width is `narrow` between the seats at the sides and `wide` below them.
    """
    middle = scene.middle
    lines = caption_lines(scene, narrow if middle.scores else wide)
    notes = note_rows(scene, narrow if middle.scores else wide)
    texts = len(lines) * LINE + len(notes) * (NOTE + 6)
    calls = BELOW_CALLS if wide > narrow else 0
    if middle.scores:
        first = 16.0
    elif middle.cards:
        first = max(calls, PEEK + card_height + 10)
    elif deals(scene):
        first = max(calls, DECK + PEEK / 2, (least - texts + DECK + PEEK / 2) / 2)
    else:
        first = max(calls, (least - texts) / 2)
    end = first + texts
    rows = len(middle.scores)
    if not rows:
        return Stack(card_height, first, lines, notes, end, max(least, end))
    scores = max(calls, end, least - rows * LINE - (LINE if rows < 3 else 0))
    return Stack(card_height, first, lines, notes, scores, max(least, scores + rows * LINE + 4))


def deals(scene: TableScene) -> bool:
    """Return whether cards are dealt or passed, so that the deck is in the middle."""
    marks = {seat.mark for seat in scene.seats}
    return bool(marks & {"waiting", "ready"}) and "turn" not in marks


def _row(side: Side, number: int, top: float, plate: float) -> list[Spot]:
    """Return adjacent seats, from left to right."""
    room = (WIDTH - 2 * MARGIN - GAP * (number - 1)) / number
    width = min(room, 430)
    rooms = [Box(MARGIN + n * (room + GAP), top, room, plate) for n in range(number)]
    return [Spot(side, Box(box.centre - width / 2, top, width, plate), room=box) for box in rooms]


def _column(side: Side, number: int, room: Box, step: float) -> list[Spot]:
    """Return seats above one another, from the lowest up; `room` is that of the highest."""
    first = room.top + HAND + (0 if number > 1 else 8)
    boxes = [room._replace(top=first + n * step) for n in reversed(range(number))]
    return [Spot(side, box, room=box, call_below=number == 1) for box in boxes]


def _mirrored(spots: list[Spot]) -> list[Spot]:
    """Exchange left and right, for clockwise play."""
    other: dict[Side, Side] = {"left": "right", "right": "left"}
    return [
        Spot(
            other.get(spot.side, spot.side),
            spot.plate._replace(left=WIDTH - spot.plate.right),
            spot.room._replace(left=WIDTH - spot.room.right),
            spot.call_below,
        )
        for spot in spots
    ]
