"""Where everything is on the picture of a table: numbers only, in pixels."""

from __future__ import annotations

from typing import Literal, NamedTuple

from bot.pictures.table.scene import TableScene
from bot.pictures.typeface import LINE

WIDTH = 900
MARGIN = 8
HEADER = 72
"""The height of the strip with round and scores."""
PLATE = 62
"""The height of a name plate with one line."""
HAND = 58
"""How far the backs of a hand stick out from behind the plate."""
BELOW = 60
"""The height of the line with calls and notes under a plate at the side."""
OPEN_HAND = 96
"""The height of cards that lie open before a seat."""
MIDDLE = 392
"""The height of the middle of the table."""
GAP = 4
"""The space between plates that are beside one another."""

Side = Literal["bottom", "right", "top", "left"]

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
"""How many sit at the bottom, on the right, at the top, on the left, by the number of seats."""


class Box(NamedTuple):
    """A part of the picture."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.top + self.height

    @property
    def centre(self) -> float:
        """The middle between the left and the right edge."""
        return self.left + self.width / 2


class Spot(NamedTuple):
    """Where a seat is shown: the room for its plate, and at which side of the table."""

    side: Side
    plate: Box
    """The widest that the plate may be."""
    room: Box
    """How far to the left and right what is beside the hand may reach."""
    call_below: bool = False
    """Whether a call has no room beside the hand, but below the plate."""


class Layout(NamedTuple):
    """Where everything is."""

    height: int
    """The height of the picture."""
    felt: Box
    """The table."""
    spots: tuple[Spot, ...]
    """The seats, in the order of the scene."""
    cards: Box
    """Where plays lie: between the seats at the sides."""
    texts: Box
    """Where captions and notes are."""


def layout(scene: TableScene) -> Layout:
    """The places of everything in a scene."""
    bottom, right, top, left = ROWS[len(scene.seats)]
    plate = PLATE + LINE * any(seat.title for seat in scene.seats)
    unit = plate + HAND
    open_hand = OPEN_HAND - HAND if any(seat.open_cards for seat in scene.seats) else 0
    beside = 252 if right < 2 else 222
    upper = HEADER + 10 + unit + open_hand + 10
    tall = max(MIDDLE, 2 * unit + 20) if right > 1 else MIDDLE
    if len(scene.middle.scores) > 2:
        tall += LINE  # below the calls of those at the sides
    lower = upper + tall
    height = int(lower + 10 + unit + MARGIN)
    spots: list[Spot] = []
    spots += _row("bottom", bottom, height - MARGIN - plate, plate)
    spots += _column("right", right, WIDTH - MARGIN - beside, beside, upper, plate)
    spots += _row("top", top, HEADER + 10, plate)[::-1]
    spots += _column("left", left, MARGIN, beside, upper, plate)[::-1]
    if scene.clockwise:
        spots = _mirrored(spots)
    between = Box(MARGIN + beside + 8, upper, WIDTH - 2 * (MARGIN + beside + 8), tall)
    texts = between if right > 1 else Box(50, upper, WIDTH - 100, tall)
    felt = Box(34, HEADER + 34, WIDTH - 68, height - HEADER - 34 - 36)
    return Layout(height, felt, tuple(spots), between, texts)


def _row(side: Side, number: int, top: float, plate: float) -> list[Spot]:
    """Seats beside one another, from left to right."""
    room = (WIDTH - 2 * MARGIN - GAP * (number - 1)) / number
    width = min(room, 430)
    rooms = [Box(MARGIN + n * (room + GAP), top, room, plate) for n in range(number)]
    return [Spot(side, Box(box.centre - width / 2, top, width, plate), room=box) for box in rooms]


def _column(
    side: Side, number: int, left: float, width: float, upper: float, plate: float
) -> list[Spot]:
    """Seats above one another, from the lowest up."""
    step = HAND + plate + 20
    first = upper + HAND + (0 if number > 1 else 8)
    boxes = [Box(left, first + n * step, width, plate) for n in reversed(range(number))]
    return [Spot(side, box, room=box, call_below=number == 1) for box in boxes]


def _mirrored(spots: list[Spot]) -> list[Spot]:
    """The spots for clockwise play: left and right exchanged."""
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
