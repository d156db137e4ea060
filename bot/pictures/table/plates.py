"""Draws the seats of a table: plates with names, hands, calls, and marks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from PIL import Image

from bot.pictures.canvas import BACKGROUND, PALE, SHADE, STRIP, WHITE, Canvas
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
    team_emoji,
)
from bot.pictures.table.layout import (
    BELOW,
    HAND,
    OPEN_HAND,
    OPEN_ROW,
    PLATE,
    Layout,
    Spot,
)
from bot.pictures.table.scene import CallShown, Mark, SeatShown, TableScene
from bot.pictures.typeface import (
    LINE,
    Colour,
    Written,
    kept_ends,
    shorten,
    shorten_distinctly,
    wrap_in_two,
    written,
    written_name,
)

SIGN = 38
"""Size of signs beside texts."""
PAD = 6
"""Space between the edge of a plate and its text."""
NEUTRAL: tuple[Colour, Colour] = (52, 57, 68), (128, 136, 152)
TEAMS: tuple[tuple[Colour, Colour], ...] = (
    ((22, 56, 112), (74, 158, 255)),
    ((104, 56, 10), (255, 150, 40)),
)
"""Colours of a plate and of its edge, by team."""
TICHU, GRAND = (192, 74, 4), (176, 20, 48)
"""Backgrounds of calls."""
ON_TURN: tuple[Colour, Colour] = YELLOW, WHITE
ROW = 52
"""Distance of lines under a plate."""
PILL_PAD = 13
"""`PAD` of smaller backgrounds, if there is space."""
LEAST = 190
"""Minimum width of a plate."""
GAP = 6
"""Space between adjacent pieces."""
BACK_WIDTH = 54
MOST_BACKS = 3


class Look(NamedTuple):
    """Style of a text with its own background."""

    fill: Colour
    ink: Colour = WHITE
    edge: Colour = INK
    radius: int = 14


NOTE = Look(BACKGROUND, PALE, edge=GREY, radius=25)
"""Style of notes: a round outline only, so that they are not mistaken for calls."""


class Piece(NamedTuple):
    """Piece of the line beside a hand: its width and its drawing function."""

    width: float
    draw: Callable[[float, float], None]
    """Function that draws it; takes its left edge and its vertical middle."""


class Plates:
    """All seats of a scene."""

    def __init__(self, canvas: Canvas, scene: TableScene, where: Layout) -> None:
        self._canvas = canvas
        self._scene = scene
        self._where = where

    def draw(self) -> None:
        """Draw every seat."""
        names = short_names(self._scene, self._where)
        for seat, spot, name in zip(self._scene.seats, self._where.spots, names, strict=True):
            self.draw_seat(seat, spot, name)

    def draw_seat(self, seat: SeatShown, spot: Spot, name: Written) -> None:
        """Draw one seat: the line beside its plate first, because the plate covers part of it."""
        box = spot.plate
        first = [*self._before_name(seat), self._text(name, self._ink(seat))]
        title = fitting_title(seat.title, box.width - 2 * PAD) if seat.title else None
        wide = bool(seat.open_cards) and spot.side not in ("left", "right")
        inline = not spot.call_below or wide
        beside = self._beside(seat, spot, inline=inline)
        width = max(LEAST, width_of(first) + 2 * PAD + 12, title.width + 2 * PAD if title else 0)
        width = min(box.width, width)
        if spot.side in ("left", "right"):
            width = min(box.width, max(width, width_of(beside) + 12))
        left = {"left": box.left, "right": box.right - width}.get(spot.side, box.centre - width / 2)
        middle = box.bottom + HAND / 2 if spot.side == "top" else box.top - HAND / 2
        if wide:
            left = box.left - 120
            self._line(beside, left + width + GAP, box.top + PLATE / 2)
            self._open_row(seat.open_cards, box.centre, box.bottom + 8, 860, OPEN_HAND)
        else:
            at = max(spot.room.left, min(left + 6, spot.room.right - width_of(beside)))
            width += max(0.0, left - at)
            left = min(left, at)
            self._line(beside, at, middle)
        if not inline:
            self._below(seat, spot)
            self._open_rows(seat, spot)
        fill, edge = self._colours(seat)
        self._canvas.slab(left, box.top + 4, width, box.height, radius=16, fill=SHADE)
        self._canvas.slab(left, box.top, width, box.height, radius=16, fill=fill, edge=edge, rim=4)
        self._line(first, left + (width - width_of(first)) / 2, box.top + PLATE / 2)
        if title:
            at = left + (width - title.width) / 2
            self._canvas.write(title, at, box.top + PLATE / 2 + LINE - 4, self._ink(seat))

    def _beside(self, seat: SeatShown, spot: Spot, *, inline: bool) -> list[Piece]:
        """Return the line beside the plate, with as many words as fit.

        With `inline` it includes calls and notes.
        """
        found: list[Piece] = []
        for tight, mark, brief in (
            (False, seat.word or "sign", False),
            (True, seat.word or "sign", False),
            (False, "sign", False),
            (True, "" if seat.mark == "passed" else "sign", False),
            (True, "", False),
            (True, "", True),
        ):
            pad = PAD if tight else PILL_PAD
            found = self._hand(seat, spot, mark, tight=tight)
            if inline:
                found += self._brief_call(seat) if brief else self._call(seat, pad)
                left = spot.room.width - width_of(found) if brief else math.inf
                found += self._notes(seat, pad, left)
            wide = bool(seat.open_cards) and spot.side not in ("left", "right")
            if wide or width_of(found) <= spot.room.width:
                break
        return found

    # --- colours ------------------------------------------------------------------------------

    @staticmethod
    def _colours(seat: SeatShown) -> tuple[Colour, Colour]:
        """Return the colours of a plate and of its edge."""
        if seat.mark == "turn":
            return ON_TURN
        fill, edge = NEUTRAL if seat.team is None else TEAMS[seat.team]
        if seat.sitter == "nobody":
            return STRIP, edge
        return (fill, YELLOW) if seat.mark in ("waiting", "plays") else (fill, edge)

    @staticmethod
    def _ink(seat: SeatShown) -> Colour:
        """Return the colour of the letters on a plate."""
        if seat.mark == "turn":
            return INK
        return GREY if seat.sitter == "nobody" else WHITE

    # --- lines of pieces ------------------------------------------------------------------------

    def _line(self, pieces: list[Piece], left: float, middle: float) -> None:
        """Draw pieces in a row."""
        for piece in pieces:
            piece.draw(left, middle)
            left += piece.width + GAP

    def _image(self, image: Image.Image) -> Piece:
        """Return a piece with an image."""
        return Piece(
            image.width,
            lambda left, middle: self._canvas.put(image, left, middle - image.height / 2),
        )

    def _text(self, text: Written, colour: Colour = WHITE) -> Piece:
        """Return a piece with a text."""
        return Piece(
            text.width, lambda left, middle: self._canvas.write(text, left, middle, colour)
        )

    def _pill(
        self,
        text: str,
        look: Look,
        sign: Image.Image | None = None,
        pad: int = PILL_PAD,
    ) -> Piece:
        """Return a piece with a text on its own background, and a sign after it if given."""
        label = written(text)
        width = label.width + 2 * pad + (sign.width + 6 if sign else 0)

        def draw(left: float, middle: float) -> None:
            self._ground(left, middle, width, 50, look)
            self._canvas.write(label, left + pad, middle, look.ink)
            if sign:
                self._canvas.put(sign, left + pad + label.width + 6, middle - sign.height / 2)

        return Piece(width, draw)

    def _ground(self, left: float, middle: float, width: float, height: float, look: Look) -> None:
        """Draw the background of a text."""
        top, rim = middle - height / 2, 2 if look.edge == INK else 3
        self._canvas.slab(
            left, top, width, height, radius=look.radius, fill=look.fill, edge=look.edge, rim=rim
        )

    def _before_name(self, seat: SeatShown) -> list[Piece]:
        """Return the signs in front of a name."""
        return [self._image(image) for image in signs(seat)]

    def _hand(self, seat: SeatShown, spot: Spot, mark: str, *, tight: bool) -> list[Piece]:
        """Return the line beside the plate: cards or place, points, and the mark.

        The mark is a sign if `mark` is “sign”, else that word. With `tight` everything is as narrow
        as possible.
        """
        pieces = []
        if seat.place is not None:
            pieces.append(self._image(icon("out", 52)))
            apart = " ·" if seat.score else ""  # otherwise a place and points read like one number
            pieces.append(self._text(written(f"{seat.place}{apart}")))
        elif seat.cards:
            out_above = spot.side != "top" or bool(seat.open_cards)
            pieces.append(self._backs(seat.cards, 1 if tight else MOST_BACKS, up=out_above))
        if seat.score:
            pieces.append(self._text(written(seat.score), YELLOW))
        up = spot.side == "top"
        size = 36 if tight else 54
        signs: dict[Mark, Callable[[], Image.Image]] = {
            "turn": lambda: polygon(ARROW, size, YELLOW, up=up),
            "plays": lambda: polygon(ARROW, size, YELLOW, up=up),
            "waiting": lambda: polygon(GLASS, 36 if tight else 46, YELLOW),
            "ready": lambda: polygon(CHECK, 46, GREEN),
            "passed": lambda: icon("pass", 50),
        }
        if mark == "sign" and seat.mark:
            pieces.append(self._image(signs[seat.mark]()))
        elif mark and mark != "sign":
            pieces.append(self._text(written(mark), PALE))
        return pieces

    def _backs(self, count: int, most: int, *, up: bool) -> Piece:
        """Return some card backs with their number on the last one."""
        number = written(str(count))
        backs = min(count, most)
        image = back(BACK_WIDTH, 76)
        width = BACK_WIDTH + 9 * (backs - 1)

        def draw(left: float, middle: float) -> None:
            top = middle - HAND / 2 + 4 if up else middle + HAND / 2 - 4 - image.height
            for n in range(backs):
                self._canvas.put(image, left + 9 * n, top)
            at = left + 9 * (backs - 1) + (BACK_WIDTH - number.width) / 2
            self._canvas.write(number, at, middle + (4 if up else -4))

        return Piece(width, draw)

    def _below(self, seat: SeatShown, spot: Spot) -> None:
        """Draw call and notes under a plate at the side, one below the other."""
        room, middle = spot.plate, spot.plate.bottom + BELOW / 2
        call = self._call(seat, PILL_PAD)
        if width_of(call) > room.width:
            call = self._call(seat, PAD)
        if width_of(call) > room.width:
            lines, call = self._call_in_two(seat), []
            at = room.left if spot.side == "left" else room.right - lines.width
            lines.draw(at, middle + ROW / 2)
            if spot.side == "left":
                room = room._replace(left=room.left + lines.width + GAP)
            else:
                room = room._replace(left=room.left - lines.width - GAP)
        for row in (call, self._notes(seat, PILL_PAD, room.width)):
            if row:
                at = room.left if spot.side == "left" else room.right - width_of(row)
                self._line(row, at, middle)
                middle += ROW

    def _notes(self, seat: SeatShown, pad: int, width: float = math.inf) -> list[Piece]:
        """Return the notes about a seat, shortened to this total width."""
        each = width / max(1, len(seat.notes)) - GAP - 2 * pad
        texts = [shorten(written(note), each).text for note in seat.notes]
        return [self._pill(text, NOTE, pad=pad) for text in texts]

    def _call(self, seat: SeatShown, pad: int) -> list[Piece]:
        """Return the call of a seat: bright while it is open, marked when it is made or lost."""
        if seat.call is None:
            return []
        return [self._pill(seat.call.text, call_look(seat.call), _outcome(seat.call), pad)]

    def _brief_call(self, seat: SeatShown) -> list[Piece]:
        """Return the call of a seat as signs only."""
        if seat.call is None:
            return []
        sign = _outcome(seat.call)
        images = [icon("grand" if seat.call.grand else "tichu", 50), *([sign] if sign else [])]
        return [self._image(image) for image in images]

    def _call_in_two(self, seat: SeatShown) -> Piece:
        """Return the call of a seat in two lines, with its sign in the second one."""
        assert seat.call is not None
        look, sign = call_look(seat.call), _outcome(seat.call)
        room = self._where.cards.left - 2 * PAD - 20 - SIGN
        lines = wrap_in_two(seat.call.text, room)
        last = lines[-1].width + (SIGN + 6 if sign else 0)
        width = max(lines[0].width, last) + 2 * PAD

        def draw(left: float, middle: float) -> None:
            self._ground(left, middle, width, ROW + 50, look)
            for row, line in enumerate(lines):
                self._canvas.write(line, left + PAD, middle + ROW * (row - 0.5), look.ink)
            if sign:
                at = left + PAD + lines[-1].width + 6
                self._canvas.put(sign, at, middle + ROW * (len(lines) - 1.5) - SIGN / 2)

        return Piece(width, draw)

    def _open_rows(self, seat: SeatShown, spot: Spot) -> None:
        """Draw open cards in two rows under a plate at the side, and under its call."""
        cards, half = seat.open_cards, (len(seat.open_cards) + 1) // 2
        top = spot.plate.bottom + 8 + (BELOW if seat.call is not None else 0)
        for row in filter(None, (cards[:half], cards[half:])):
            self._open_row(row, spot.plate.centre, top, spot.plate.width, OPEN_ROW)
            top += OPEN_ROW + 2

    def _open_row(
        self, cards: Sequence[str], centre: float, top: float, most: float, height: int
    ) -> None:
        """Draw the upper part of open cards in a row of this height, at most this wide."""
        faces = [card(name, round(1.4 * height)) for name in cards]
        width = faces[0].width
        step = min(width + 4.0, (most - width) / max(1, len(faces) - 1))
        left = centre - (width + step * (len(faces) - 1)) / 2
        for n, image in enumerate(faces):
            self._canvas.put(image.crop((0, 0, width, height - 8)), left + n * step, top)
        end = left + step * (len(faces) - 1) + width
        self._canvas.slab(left, top + height - 9, end - left, 4, radius=0, fill=INK)


def call_look(call: CallShown) -> Look:
    """Return the style of a call: dark with a red edge if it is lost."""
    if call.made is False:
        return Look(STRIP, GREY, edge=RED)
    return Look(GRAND if call.grand else TICHU)


def _outcome(call: CallShown) -> Image.Image | None:
    """Return the sign of a call that is made or lost."""
    if call.made is None:
        return None
    return polygon(CHECK, SIGN, GREEN) if call.made else polygon(CROSS, SIGN, RED)


def width_of(pieces: list[Piece]) -> float:
    """Return the width of a row of pieces."""
    return sum(piece.width for piece in pieces) + GAP * max(0, len(pieces) - 1)


def signs(seat: SeatShown) -> list[Image.Image]:
    """Return the signs in front of a name."""
    found = []
    if seat.badge == "crown":
        found.append(polygon(CROWN, SIGN, YELLOW))
    elif seat.badge == "broom":
        found.append(polygon(BROOM, SIGN, STRAW))
    if seat.team is not None:
        found.append(team_emoji(seat.team, SIGN))
    if seat.sitter == "computer":
        found.append(icon("computer", 46))
    return found


def short_names(scene: TableScene, where: Layout) -> list[Written]:
    """Return the names shortened to their plates; ambiguous ones keep their end."""
    return shorten_distinctly(_names(scene), _rooms(scene, where))


def name_ends(scene: TableScene, where: Layout) -> tuple[int, ...]:
    """Return the number of letters kept at the end of each name, as on the plates."""
    return kept_ends(_names(scene), _rooms(scene, where))


def fitting_title(title: str, width: float) -> Written:
    """Shorten a title, but keep a number at its end, which distinguishes Burghers."""
    return shorten(written(title), width, 2 if title[-1].isdigit() else 0)


def _names(scene: TableScene) -> tuple[Written, ...]:
    """Return the full names of all seats."""
    return tuple(written_name(seat.name) for seat in scene.seats)


def _rooms(scene: TableScene, where: Layout) -> tuple[float, ...]:
    """Return the maximum width of each name."""
    return tuple(
        spot.plate.width - 2 * PAD - sum(image.width + GAP for image in signs(seat))
        for seat, spot in zip(scene.seats, where.spots, strict=True)
    )
