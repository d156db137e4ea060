"""Draws the seats of a table: plates with names, hands, calls, and whose turn it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from PIL import Image

from bot.pictures.easel import RIM, STRIP, WHITE, Easel
from bot.pictures.scene import CallShown, SeatShown, TableScene
from bot.pictures.sprites import (
    ARROW,
    BROOM,
    CHECK,
    CROSS,
    CROWN,
    GLASS,
    GREEN,
    GREY,
    INK,
    RED,
    STRAW,
    YELLOW,
    back,
    card,
    icon,
    polygon,
    team_sign,
)
from bot.pictures.table_layout import (
    BELOW,
    HAND,
    MARGIN,
    OPEN_HAND,
    PLATE,
    WIDTH,
    Layout,
    Spot,
)
from bot.pictures.typeface import LINE, Colour, Written, shortened, written, written_name

SIGN = 38
"""The size of signs beside texts."""
PAD = 7
"""The space between the edge of a plate and its text."""
NEUTRAL: tuple[Colour, Colour] = (52, 57, 68), (128, 136, 152)
TEAMS: tuple[tuple[Colour, Colour], ...] = (
    ((22, 56, 112), (74, 158, 255)),
    ((104, 56, 10), (255, 150, 40)),
)
"""The colours of a plate and of its edge, by team."""
TICHU, GRAND = (206, 84, 8), (176, 20, 48)
"""What calls are written on."""
ON_TURN: tuple[Colour, Colour] = YELLOW, WHITE
PILL_PAD = 13
"""The same on smaller grounds, where there is room."""
LEAST = 190
"""The smallest width of a plate."""
GAP = 6
"""The space between pieces that are beside one another."""
BACK_WIDTH = 54
MOST_BACKS = 3


class Piece(NamedTuple):
    """Something in a line beside a hand: how wide it is, and what draws it."""

    width: float
    draw: Callable[[float, float], None]
    """Draws it; takes its left edge and the middle of its height."""


class Plates:
    """All seats of a scene."""

    def __init__(self, easel: Easel, scene: TableScene, where: Layout) -> None:
        self._easel = easel
        self._scene = scene
        self._where = where

    def draw(self) -> None:
        """Draw every seat."""
        names = short_names(self._scene, self._where)
        for seat, spot, name in zip(self._scene.seats, self._where.spots, names, strict=True):
            self._seat(seat, spot, name)

    def _seat(self, seat: SeatShown, spot: Spot, name: Written) -> None:
        """Draw one seat: what is beside its plate first, since the plate covers some of it."""
        box = spot.plate
        first = [*self._before_name(seat), self._text(name, self._ink(seat))]
        title = shortened(written(seat.title), box.width - 2 * PAD) if seat.title else None
        calls = self._calls(seat)
        below = calls if spot.call_below and not seat.open_cards else []
        after = [] if below else calls
        beside = [*self._hand(seat, spot), *after]
        if not seat.open_cards and _width_of(beside) > box.width:
            after = self._calls(seat, PAD) if after else []
            beside = [*self._hand(seat, spot, tight=True), *after]
        width = max(LEAST, _width_of(first) + 2 * PAD + 12, title.width + 2 * PAD if title else 0)
        width = min(box.width, width)
        if spot.call_below:
            width = min(box.width, max(width, _width_of(beside) + 12))
        left = {"left": box.left, "right": box.right - width}.get(spot.side, box.centre - width / 2)
        middle = box.bottom + HAND / 2 if spot.side == "top" else box.top - HAND / 2
        if seat.open_cards:
            left = box.left - 120
            self._line(beside, left + width + GAP, box.top + PLATE / 2)
            self._open_hand(seat, box.centre, box.bottom + 8)
        else:
            at = min(left + 6, WIDTH - MARGIN - _width_of(beside))
            width += max(0.0, left - at)
            left = min(left, at)
            self._line(beside, at, middle)
        at = left if spot.side == "left" else box.right - _width_of(below)
        self._line(below, at, box.bottom + BELOW / 2)
        fill, edge = self._colours(seat)
        self._easel.slab(left, box.top, width, box.height, radius=16, fill=fill, edge=edge, rim=4)
        self._line(first, left + (width - _width_of(first)) / 2, box.top + PLATE / 2)
        if title:
            at = left + (width - title.width) / 2
            self._easel.write(title, at, box.top + PLATE / 2 + LINE - 4, self._ink(seat))

    # --- colours ------------------------------------------------------------------------------

    @staticmethod
    def _colours(seat: SeatShown) -> tuple[Colour, Colour]:
        """The colours of a plate and of its edge."""
        if seat.mark == "turn":
            return ON_TURN
        fill, edge = NEUTRAL if seat.team is None else TEAMS[seat.team]
        if seat.sitter == "nobody":
            return STRIP, edge
        return (fill, YELLOW) if seat.mark == "waiting" else (fill, edge)

    @staticmethod
    def _ink(seat: SeatShown) -> Colour:
        """The colour of the letters on a plate."""
        if seat.mark == "turn":
            return INK
        return GREY if seat.sitter == "nobody" else WHITE

    # --- lines of pieces ------------------------------------------------------------------------

    def _line(self, pieces: list[Piece], left: float, middle: float) -> None:
        """Draw pieces beside one another."""
        for piece in pieces:
            piece.draw(left, middle)
            left += piece.width + GAP

    def _image(self, image: Image.Image) -> Piece:
        """A piece that is an image."""
        return Piece(
            image.width,
            lambda left, middle: self._easel.put(image, left, middle - image.height / 2),
        )

    def _text(self, text: Written, colour: Colour = WHITE) -> Piece:
        """A piece that is a text."""
        return Piece(text.width, lambda left, middle: self._easel.write(text, left, middle, colour))

    def _pill(
        self,
        text: str,
        fill: Colour,
        colour: Colour = WHITE,
        sign: Image.Image | None = None,
        pad: int = PILL_PAD,
    ) -> Piece:
        """A piece that is a text on a ground of its own, perhaps with a sign behind it."""
        label = written(text)
        width = label.width + 2 * pad + (sign.width + 6 if sign else 0)

        def draw(left: float, middle: float) -> None:
            self._easel.slab(left, middle - 25, width, 50, radius=14, fill=fill, edge=INK, rim=2)
            self._easel.write(label, left + pad, middle, colour)
            if sign:
                self._easel.put(sign, left + pad + label.width + 6, middle - sign.height / 2)

        return Piece(width, draw)

    def _before_name(self, seat: SeatShown) -> list[Piece]:
        """The signs in front of a name."""
        return [self._image(image) for image in signs(seat)]

    def _hand(self, seat: SeatShown, spot: Spot, *, tight: bool = False) -> list[Piece]:
        """The line beside the plate: cards or place, points, what the seat does.

        With `tight` it is as narrow as possible.
        """
        pieces = []
        up = spot.side != "top" or bool(seat.open_cards)
        if seat.place is not None:
            pieces.append(self._image(icon("out", 52)))
            pieces.append(self._text(written(str(seat.place))))
        elif seat.cards:
            pieces.append(self._backs(seat.cards, 1 if tight else MOST_BACKS, up=up))
        if seat.score:
            pieces.append(self._pill(seat.score, INK))
        mark = {
            "turn": lambda: polygon(ARROW, 40 if tight else 54, YELLOW, INK, up=spot.side == "top"),
            "waiting": lambda: polygon(GLASS, 46, YELLOW),
            "ready": lambda: polygon(CHECK, 46, GREEN),
            "passed": lambda: icon("pass", 50),
        }.get(seat.mark)
        if mark:
            pieces.append(self._image(mark()))
        return pieces

    def _backs(self, count: int, most: int, *, up: bool) -> Piece:
        """Some backs of cards with their number on the last one."""
        number = written(str(count))
        backs = min(count, most)
        image = back(BACK_WIDTH, 76)
        width = BACK_WIDTH + 9 * (backs - 1)

        def draw(left: float, middle: float) -> None:
            top = middle - HAND / 2 + 4 if up else middle + HAND / 2 - 4 - image.height
            for n in range(backs):
                self._easel.put(image, left + 9 * n, top)
            at = left + 9 * (backs - 1) + (BACK_WIDTH - number.width) / 2
            self._easel.write(number, at, middle + (4 if up else -4))

        return Piece(width, draw)

    def _calls(self, seat: SeatShown, pad: int = PILL_PAD) -> list[Piece]:
        """The call of a seat, and notes about it."""
        pieces = [] if seat.call is None else [self._call(seat.call)]
        return pieces + [self._pill(note, RIM, pad=pad) for note in seat.notes]

    def _call(self, call: CallShown) -> Piece:
        """A call: bright while it is open, marked when it is made or lost."""
        fill = GRAND if call.grand else TICHU
        if call.made is None:
            return self._pill(call.text, fill)
        if call.made:
            return self._pill(call.text, fill, sign=polygon(CHECK, SIGN, GREEN))
        return self._pill(call.text, RIM, GREY, sign=polygon(CROSS, SIGN, RED))

    def _open_hand(self, seat: SeatShown, centre: float, top: float) -> None:
        """Cards that lie open."""
        faces = [card(name, 134) for name in seat.open_cards]
        width = faces[0].width
        step = min(width + 4.0, (860 - width) / max(1, len(faces) - 1))
        left = centre - (width + step * (len(faces) - 1)) / 2
        for n, image in enumerate(faces):
            self._easel.put(image.crop((0, 0, width, OPEN_HAND - 8)), left + n * step, top)
        end = left + step * (len(faces) - 1) + width
        self._easel.slab(left, top + OPEN_HAND - 9, end - left, 4, radius=0, fill=INK)


def _width_of(pieces: list[Piece]) -> float:
    """How wide pieces beside one another are."""
    return sum(piece.width for piece in pieces) + GAP * max(0, len(pieces) - 1)


def signs(seat: SeatShown) -> list[Image.Image]:
    """The signs in front of a name."""
    found = []
    if seat.badge == "crown":
        found.append(polygon(CROWN, SIGN, YELLOW))
    elif seat.badge == "broom":
        found.append(polygon(BROOM, SIGN, STRAW))
    if seat.team is not None:
        found.append(team_sign(seat.team, SIGN))
    if seat.sitter == "computer":
        found.append(icon("computer", 46))
    return found


def short_names(scene: TableScene, where: Layout) -> list[Written]:
    """The names as they fit on their plates; where two would be equal, their ends are kept."""
    rooms = [
        spot.plate.width - 2 * PAD - sum(image.width + GAP for image in signs(seat))
        for seat, spot in zip(scene.seats, where.spots, strict=True)
    ]
    names = [written_name(seat.name) for seat in scene.seats]
    short = [shortened(name, room) for name, room in zip(names, rooms, strict=True)]
    for end in (2, 4):
        same = Counter(short)
        short = [
            shortened(name, room, end) if same[found] > 1 else found
            for name, room, found in zip(names, rooms, short, strict=True)
        ]
    return short
