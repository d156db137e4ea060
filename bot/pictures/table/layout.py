"""Layout of the picture of a table: positions and sizes in pixels."""

from __future__ import annotations

from typing import Literal, NamedTuple

from bot.pictures.table.captions import Line, NoteText, caption_lines, note_rows
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
"""Minimum height of the middle of the table, with one and with two seats at each side.

The usual content fits into this height, so that most pictures of a table have the same size.
"""
GAP = 4
"""Space between adjacent plates."""
PEEK = 46
"""Visible height of the beaten cards."""
CARD, SMALL_CARD = 186, 134
"""Height of the cards to beat: the usual one, and the one if the picture would be too high."""
MOST_IN_A_ROW = 8
"""Maximum number of cards to beat in one row."""
ARROW = 38
"""Size of the arrows that show the direction of play."""
BESIDE_ARROWS = 98
"""Distance from the edge of the picture to texts beside an arrow."""
BESIDE_SCORES = 50
"""Distance from the edge of the picture to the points of a round, when there are no arrows."""
SIDE_WIDTH, NARROW_SIDE_WIDTH = 252, 222
"""Width of a seat at the side, with one and with two seats at each side."""
DECK = 140
"""Height of the cards of the deck, while cards are dealt and passed."""
BELOW_CALLS = 240
"""Lower end of the calls of the seats at the sides, from the top of the middle."""
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
    """Space whose left and right edges limit the row beside the plate."""
    call_below: bool = False
    """True if a call has no space beside the hand, so it is below the plate."""


class Stack(NamedTuple):
    """Layout of the middle of the table; positions are measured from the top of the middle."""

    card_height: int
    """Height of the cards to beat."""
    first: float
    """Top of the first line."""
    lines: tuple[Line, ...]
    """Captions."""
    notes: tuple[tuple[NoteText, ...], ...]
    """Notes, in rows."""
    scores: float
    """Top of the points."""
    height: float
    """Total height."""


class Layout(NamedTuple):
    """Layout of a scene."""

    height: int
    """Height of the picture."""
    felt: Box
    """Space of the table itself."""
    arrows: tuple[Box, ...]
    """Arrows that show the direction of play, at the left and at the right of the felt.

    Empty while the middle shows points.
    """
    spots: tuple[Spot, ...]
    """Seats, in the order of the scene."""
    cards: Box
    """Space of plays, between the seats at the sides."""
    texts: Box
    """Space of captions, notes and points."""
    middle: Stack
    """Layout of cards, captions, notes and points in these spaces."""


def layout(scene: TableScene) -> Layout:
    """Return the layout of a scene."""
    # heights of the seats above and below the middle
    bottom, right, top, left = ROWS[len(scene.seats)]
    plate = PLATE + LINE * any(seat.title for seat in scene.seats)
    seat_height = plate + HAND
    open_hand = OPEN_HAND - HAND if any(seat.open_cards for seat in scene.seats) else 0
    side_width = SIDE_WIDTH if right < 2 else NARROW_SIDE_WIDTH
    upper = HEADER + 10 + seat_height + open_hand + 10
    lower = 10 + seat_height + MARGIN

    # the middle, whose content decides the height of the picture
    cards = Box(MARGIN + side_width + 8, upper, WIDTH - 2 * (MARGIN + side_width + 8), 0)
    edge_distance = BESIDE_SCORES if scene.middle.scores else BESIDE_ARROWS
    texts = cards if right > 1 else Box(edge_distance, upper, WIDTH - 2 * edge_distance, 0)
    least_height = NARROW_MIDDLE if right > 1 else MIDDLE
    middle = _lay_out_middle(scene, cards.width, texts.width, least_height, CARD)
    # A picture should not be higher than wide.
    if upper + middle.height + lower > WIDTH and len(scene.middle.cards) <= MOST_IN_A_ROW:
        middle = _lay_out_middle(scene, cards.width, texts.width, least_height, SMALL_CARD)
    middle_height = middle.height
    height = int(upper + middle_height + lower)

    # the seats, anticlockwise from the bottom
    spots: list[Spot] = []
    spots += _row_spots("bottom", bottom, height - MARGIN - plate, plate)
    step = (middle_height - 20) / 2
    spots += _column_spots(
        "right", right, Box(WIDTH - MARGIN - side_width, upper, side_width, plate), step
    )
    spots += _row_spots("top", top, HEADER + 10, plate)[::-1]
    spots += _column_spots("left", left, Box(MARGIN, upper, side_width, plate), step)[::-1]
    if scene.clockwise:
        spots = _mirror(spots)

    felt = Box(34, HEADER + 34, WIDTH - 68, height - HEADER - 34 - 36)
    cards, texts = cards._replace(height=middle_height), texts._replace(height=middle_height)
    # An arrow is between the two seats at its side, or below the call of a single one.
    arrow_middle = (seat_height + step) / 2 + 3 if right > 1 else (BELOW_CALLS + middle_height) / 2
    arrows = tuple(
        Box(x - ARROW / 2, upper + arrow_middle - ARROW / 2, ARROW, ARROW)
        for x in (felt.left + EDGE, felt.right - EDGE)
        if not scene.middle.scores
    )
    return Layout(height, felt, arrows, tuple(spots), cards, texts, middle)


def _lay_out_middle(
    scene: TableScene, narrow: float, wide: float, least_height: float, card_height: int
) -> Stack:
    """Lay out the middle with cards of this height; the middle is at least `least_height` high.

    `narrow` is the width of the middle between the seats at the sides, `wide` the width below these
    seats.
    """
    middle = scene.middle
    lines = caption_lines(scene, narrow if middle.scores else wide)
    notes = note_rows(scene, narrow if middle.scores else wide)
    texts_height = len(lines) * LINE + len(notes) * (NOTE + 6)
    calls_end = BELOW_CALLS if wide > narrow else 0
    if middle.scores:
        first_line = 16.0
    elif middle.cards:
        first_line = max(calls_end, PEEK + card_height + 10)
    elif shows_deck(scene):
        first_line = max(
            calls_end, DECK + PEEK / 2, (least_height - texts_height + DECK + PEEK / 2) / 2
        )
    else:
        first_line = max(calls_end, (least_height - texts_height) / 2)
    end = first_line + texts_height
    rows = len(middle.scores)
    if not rows:
        return Stack(card_height, first_line, lines, notes, end, max(least_height, end))

    # the points, at the lower end of the middle
    scores_top = max(calls_end, end, least_height - rows * LINE - (LINE if rows < 3 else 0))
    return Stack(
        card_height,
        first_line,
        lines,
        notes,
        scores_top,
        max(least_height, scores_top + rows * LINE + 4),
    )


def shows_deck(scene: TableScene) -> bool:
    """Return whether the middle shows the deck, because cards are being dealt or passed."""
    marks = {seat.mark for seat in scene.seats}
    return bool(marks & {"waiting", "ready"}) and "turn" not in marks


def _row_spots(side: Side, count: int, top: float, plate: float) -> list[Spot]:
    """Return the positions of seats side by side, from left to right."""
    room = (WIDTH - 2 * MARGIN - GAP * (count - 1)) / count
    width = min(room, 430)
    rooms = [Box(MARGIN + index * (room + GAP), top, room, plate) for index in range(count)]
    return [Spot(side, Box(box.centre - width / 2, top, width, plate), room=box) for box in rooms]


def _column_spots(side: Side, count: int, room: Box, step: float) -> list[Spot]:
    """Return the positions of seats one above the other, from the lowest up.

    `room` is the space of the highest seat, `step` the distance between two seats.
    """
    first = room.top + HAND + (0 if count > 1 else 8)
    boxes = [room._replace(top=first + index * step) for index in reversed(range(count))]
    return [Spot(side, box, room=box, call_below=count == 1) for box in boxes]


def _mirror(spots: list[Spot]) -> list[Spot]:
    """Return the positions with left and right exchanged, for clockwise play."""
    opposite: dict[Side, Side] = {"left": "right", "right": "left"}
    return [
        Spot(
            opposite.get(spot.side, spot.side),
            spot.plate._replace(left=WIDTH - spot.plate.right),
            spot.room._replace(left=WIDTH - spot.room.right),
            spot.call_below,
        )
        for spot in spots
    ]
