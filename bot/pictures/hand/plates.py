"""Draws the seats above a hand: smaller than at a table, with the number of cards in one line."""

from __future__ import annotations

from bot.pictures.canvas import PALE, SHADE, WHITE
from bot.pictures.hand.layout import COUNT, plate_width
from bot.pictures.sprites import ARROW, YELLOW, back, icon, polygon
from bot.pictures.table.layout import Spot
from bot.pictures.table.plates import PILL_PAD, Piece, Plates, width_of
from bot.pictures.table.scene import SeatShown
from bot.pictures.typeface import Written, written

MARK = 44
"""Size of the arrow at the seat on turn."""


class HandPlates(Plates):
    """Seats of the table part."""

    def draw_seat(self, seat: SeatShown, spot: Spot, name: Written) -> None:
        """Draw one seat."""
        if spot.side == "bottom":
            self._own(seat, spot, name)
            return
        room = spot.room
        plate = self._plate(seat, spot, name)
        count = self._count(seat)
        whole = plate.width + (COUNT if count else 0)
        left = {"left": room.left, "right": room.right - whole}.get(
            spot.side, room.centre - whole / 2
        )
        middle = room.top + room.height / 2
        if count:
            count.draw(left, middle)
        plate.draw(left + whole - plate.width, middle)
        below = self._below_plate(seat, room.width)
        at = {"left": left, "right": room.right - width_of(below)}.get(
            spot.side, room.centre - width_of(below) / 2
        )
        self._line(below, at, room.bottom + 28)

    def _own(self, seat: SeatShown, spot: Spot, name: Written) -> None:
        """Draw the own seat, or the plate above another hand: the call beside it, no number."""
        room, plate = spot.room, self._plate(seat, spot, name)
        pieces: list[Piece] = []
        for brief in (False, True):
            call = self._brief_call(seat) if brief else self._call(seat, PILL_PAD)
            out = self._count(seat) if seat.place else None
            pieces = [*([out] if out else []), *self._turn(seat, up=False), plate]
            pieces += [*self._notes(seat, PILL_PAD), *call]
            if width_of(pieces) <= room.width:
                break
        whole = width_of(pieces)
        left = min(max(room.left, room.centre - whole / 2), room.right - whole)
        self._line(pieces, left, room.top + room.height / 2)

    def _plate(self, seat: SeatShown, spot: Spot, name: Written) -> Piece:
        """Return the plate with signs and name."""
        first = [*self._before_name(seat), self._text(name, self._ink(seat))]
        width = min(spot.plate.width, plate_width(seat))
        height = spot.plate.height
        fill, edge = self._colours(seat)
        if spot.side == "bottom":
            edge = WHITE

        def draw(left: float, middle: float) -> None:
            top = middle - height / 2
            slab = self._canvas.slab
            slab(left, top + 4, width, height, radius=16, fill=SHADE)
            slab(left, top, width, height, radius=16, fill=fill, edge=edge, rim=4)
            self._line(first, left + (width - width_of(first)) / 2, middle)

        return Piece(width, draw)

    def _count(self, seat: SeatShown) -> Piece | None:
        """Return the number of cards on a card back, or the place of a seat that is out."""
        if seat.place is not None:
            place = written(str(seat.place))

            def flag(left: float, middle: float) -> None:
                self._canvas.put(icon("out", 42), left - 2, middle - 21)
                self._canvas.write(place, left + 38, middle)

            return Piece(COUNT, flag)
        if not seat.cards:
            return None
        number, image = written(str(seat.cards)), back(54, 58)

        def draw(left: float, middle: float) -> None:
            self._canvas.put(image, left + 4, middle - image.height / 2)
            self._canvas.write(number, left + 4 + (image.width - number.width) / 2, middle)

        return Piece(COUNT, draw)

    def _below_plate(self, seat: SeatShown, width: float) -> list[Piece]:
        """Return the line below a plate: turn or pass, and the call, in words if they fit."""
        if seat.team is None:
            return []
        found: list[Piece] = []
        for word, brief in ((True, False), (False, False), (False, True)):
            found = self._turn(seat, up=True)
            if seat.mark == "passed":
                passed = self._text(written(seat.word), PALE)
                found.append(passed if word else self._image(icon("pass", 46)))
            found += self._brief_call(seat) if brief else self._call(seat, PILL_PAD)
            if width_of(found) <= width:
                break
        return found

    def _turn(self, seat: SeatShown, *, up: bool) -> list[Piece]:
        """Return the arrow at the seat on turn."""
        if seat.mark != "turn":
            return []
        return [self._image(polygon(ARROW, MARK, YELLOW, up=up))]
