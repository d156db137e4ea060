"""Draws the seats above a hand: smaller than at a table, with hand and plate in one row."""

from __future__ import annotations

from bot.pictures.canvas import PALE, SHADE, WHITE
from bot.pictures.hand.layout import COUNT, plate_width
from bot.pictures.sprites import ARROW, YELLOW, back, icon, polygon
from bot.pictures.table.layout import Spot
from bot.pictures.table.plates import PILL_PAD, Piece, Plates, width_of
from bot.pictures.table.scene import SceneSeat
from bot.pictures.typeface import FontText, font_text

MARK = 44
"""Size of the arrow at the seat on turn."""


class HandPlates(Plates):
    """Draws the seats of the table part."""

    def draw_seat(self, seat: SceneSeat, spot: Spot, name: FontText) -> None:
        """Draw one seat."""
        if spot.side == "bottom":
            self._draw_own_seat(seat, spot, name)
            return
        room = spot.room
        plate = self._plate_piece(seat, spot, name)
        count = self._count_piece(seat)
        width = plate.width + (COUNT if count else 0)
        left = {"left": room.left, "right": room.right - width}.get(
            spot.side, room.centre - width / 2
        )
        middle = room.top + room.height / 2
        if count:
            count.draw(left, middle)
        plate.draw(left + width - plate.width, middle)
        below = self._pieces_below(seat, room.width)
        below_left = {"left": left, "right": room.right - width_of(below)}.get(
            spot.side, room.centre - width_of(below) / 2
        )
        self._draw_pieces(below, below_left, room.bottom + 28)

    def _draw_own_seat(self, seat: SceneSeat, spot: Spot, name: FontText) -> None:
        """Draw the plate above a hand of the reader: the call is beside it, the cards are below."""
        room, plate = spot.room, self._plate_piece(seat, spot, name)
        pieces: list[Piece] = []
        for brief in (False, True):
            call = self._brief_call_pieces(seat) if brief else self._call_pieces(seat, PILL_PAD)
            place = self._count_piece(seat) if seat.place else None
            pieces = [*([place] if place else []), *self._turn_arrow(seat, up=False), plate]
            pieces += [*self._note_pieces(seat, PILL_PAD), *call]
            if width_of(pieces) <= room.width:
                break
        width = width_of(pieces)
        left = min(max(room.left, room.centre - width / 2), room.right - width)
        self._draw_pieces(pieces, left, room.top + room.height / 2)

    def _plate_piece(self, seat: SceneSeat, spot: Spot, name: FontText) -> Piece:
        """Return the plate of a seat, with its signs and its name."""
        name_pieces = [*self._name_signs(seat), self._text_piece(name, self._text_colour(seat))]
        width = min(spot.plate.width, plate_width(seat))
        height = spot.plate.height
        fill, edge = self._plate_colours(seat)
        if spot.side == "bottom":
            edge = WHITE

        def draw(left: float, middle: float) -> None:
            top = middle - height / 2
            slab = self._canvas.slab
            slab(left, top + 4, width, height, radius=16, fill=SHADE)
            slab(left, top, width, height, radius=16, fill=fill, edge=edge, rim=4)
            self._draw_pieces(name_pieces, left + (width - width_of(name_pieces)) / 2, middle)

        return Piece(width, draw)

    def _count_piece(self, seat: SceneSeat) -> Piece | None:
        """Return the number of a seat's cards on a card back, or its place if it is out."""
        if seat.place is not None:
            place = font_text(str(seat.place))

            def draw_place(left: float, middle: float) -> None:
                self._canvas.put(icon("out", 42), left - 2, middle - 21)
                self._canvas.write(place, left + 38, middle)

            return Piece(COUNT, draw_place)
        if not seat.cards:
            return None
        number, image = font_text(str(seat.cards)), back(54, 58)

        def draw_count(left: float, middle: float) -> None:
            self._canvas.put(image, left + 4, middle - image.height / 2)
            self._canvas.write(number, left + 4 + (image.width - number.width) / 2, middle)

        return Piece(COUNT, draw_count)

    def _pieces_below(self, seat: SceneSeat, width: float) -> list[Piece]:
        """Return the row below a plate: turn or pass, and the call, in words if they fit."""
        if seat.team is None:
            return []
        pieces: list[Piece] = []
        # From the longest form to the shortest: pass as a word or icon, call in words or as icon.
        for in_words, brief in ((True, False), (False, False), (False, True)):
            pieces = self._turn_arrow(seat, up=True)
            if seat.mark == "passed":
                passed = self._text_piece(font_text(seat.word), PALE)
                pieces.append(passed if in_words else self._image_piece(icon("pass", 46)))
            pieces += self._brief_call_pieces(seat) if brief else self._call_pieces(seat, PILL_PAD)
            if width_of(pieces) <= width:
                break
        return pieces

    def _turn_arrow(self, seat: SceneSeat, *, up: bool) -> list[Piece]:
        """Return the arrow of the seat on turn; nothing for other seats."""
        if seat.mark != "turn":
            return []
        return [self._image_piece(polygon(ARROW, MARK, YELLOW, up=up))]
