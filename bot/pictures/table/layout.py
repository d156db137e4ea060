"""Where everything is on the picture of a table: numbers only, in pixels."""

from __future__ import annotations

from typing import Literal, NamedTuple

from bot.pictures.table.captions import Line, NoteShown, caption_lines, note_rows
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
MIDDLE, NARROW_MIDDLE = 404, 450
"""The least height of the middle of the table, and if two sit at each of its sides: what is usually
there has room, so that most pictures of a table have the same size."""
GAP = 4
"""The space between plates that are beside one another."""
PEEK = 46
"""How much is seen of the cards that were beaten."""
CARD, SMALL_CARD = 186, 134
"""The height of the cards to beat, and where there is little room."""
MOST_IN_A_ROW = 8
"""The largest number of cards to beat that lie in one row."""
ARROW = 38
"""The size of the arrows that say which way play goes."""
BESIDE_ARROWS = 98
"""From the edge of the picture to where texts begin that are beside an arrow."""
DECK = 140
"""The height of the cards of the deck, while cards are dealt and passed."""
BELOW_CALLS = 240
"""From the top of the middle to where no call of those at the sides reaches."""
NOTE = 52
"""The height of a note."""

Side = Literal["bottom", "right", "top", "left"]

EDGE = 36
"""How far the line on the felt is from the edge of the table."""

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


class Stack(NamedTuple):
    """What is in the middle of the table, one below the other, from the top of the middle on."""

    card_height: int
    """The height of the cards to beat."""
    first: float
    """Where the first line begins."""
    lines: tuple[Line, ...]
    """The captions."""
    notes: tuple[tuple[NoteShown, ...], ...]
    """The notes, in rows."""
    scores: float
    """Where the points begin."""
    height: float
    """The height of all of it."""


class Layout(NamedTuple):
    """Where everything is."""

    height: int
    """The height of the picture."""
    felt: Box
    """The table."""
    arrows: tuple[Box, ...]
    """Where arrows say which way play goes: on its left and on its right, where nobody sits. There
    are none where points are."""
    spots: tuple[Spot, ...]
    """The seats, in the order of the scene."""
    cards: Box
    """Where plays lie: between the seats at the sides."""
    texts: Box
    """Where captions, notes and points are."""
    middle: Stack
    """What is there, one below the other."""


def layout(scene: TableScene) -> Layout:
    """Return the places of everything in a scene."""
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
    """What is in the middle, with cards of this height; it is at least so high.

    The room is `narrow` between the seats at the sides and `wide` below them.
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
    """Return whether cards are dealt or passed: then the deck is in the middle."""
    marks = {seat.mark for seat in scene.seats}
    return bool(marks & {"waiting", "ready"}) and "turn" not in marks


def _row(side: Side, number: int, top: float, plate: float) -> list[Spot]:
    """Seats beside one another, from left to right."""
    room = (WIDTH - 2 * MARGIN - GAP * (number - 1)) / number
    width = min(room, 430)
    rooms = [Box(MARGIN + n * (room + GAP), top, room, plate) for n in range(number)]
    return [Spot(side, Box(box.centre - width / 2, top, width, plate), room=box) for box in rooms]


def _column(side: Side, number: int, room: Box, step: float) -> list[Spot]:
    """Seats above one another, from the lowest up; `room` is that of the highest one."""
    first = room.top + HAND + (0 if number > 1 else 8)
    boxes = [room._replace(top=first + n * step) for n in reversed(range(number))]
    return [Spot(side, box, room=box, call_below=number == 1) for box in boxes]


def _mirrored(spots: list[Spot]) -> list[Spot]:
    """Return the spots for clockwise play: left and right exchanged."""
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
