"""Draws the line above each hand of a replay: name, call, place, pass, and points."""

from __future__ import annotations

from bot.pictures.canvas import PALE, SHADE, Canvas
from bot.pictures.replay.layout import PLATE
from bot.pictures.sprites import icon
from bot.pictures.table.layout import Layout, Spot
from bot.pictures.table.plates import PAD, PILL_PAD, Piece, Plates, width_of
from bot.pictures.table.scene import SceneSeat, TableScene
from bot.pictures.typeface import FontText, font_text

LEAST = 110
"""Minimum width of a plate."""


class ReplayPlates(Plates):
    """Seats of a replay."""

    def __init__(
        self,
        canvas: Canvas,
        scene: TableScene,
        where: Layout,
        hands: tuple[tuple[str, ...], ...],
    ) -> None:
        super().__init__(canvas, scene, where)
        self._open = {seat.seat for seat, hand in zip(scene.seats, hands, strict=True) if hand}

    def draw_seat(self, seat: SceneSeat, spot: Spot, name: FontText) -> None:
        """Draw the line above one hand, with as many words as fit."""
        room, pieces = spot.room, list[Piece]()
        for has_words, has_notes in ((True, True), (False, True), (False, False)):
            pieces = [self._plate(seat, spot, name), *self._state(seat, words=has_words)]
            pieces += self._note_pieces(seat, PILL_PAD if has_words else PAD) if has_notes else []
            if width_of(pieces) <= room.width:
                break
        self._draw_pieces(pieces, room.left, room.top + PLATE / 2)

    def _plate(self, seat: SceneSeat, spot: Spot, name: FontText) -> Piece:
        """Return the plate with signs and name."""
        name_pieces = [*self._name_signs(seat), self._text_piece(name, self._text_colour(seat))]
        width = min(spot.plate.width, max(LEAST, width_of(name_pieces) + 2 * PAD + 12))
        fill, edge = self._plate_colours(seat)

        def draw(left: float, middle: float) -> None:
            top, slab = middle - PLATE / 2, self._canvas.slab
            slab(left, top + 4, width, PLATE - 4, radius=16, fill=SHADE)
            slab(left, top, width, PLATE - 4, radius=16, fill=fill, edge=edge, rim=4)
            name_left = left + (width - width_of(name_pieces)) / 2
            self._draw_pieces(name_pieces, name_left, middle - 2)

        return Piece(width, draw)

    def _state(self, seat: SceneSeat, *, words: bool) -> list[Piece]:
        """Return the place or the number of hidden cards, the call, and the pass.

        Without `words`, the call is only an icon.
        """
        pieces: list[Piece] = []
        if seat.place is not None:
            pieces += [
                self._image_piece(icon("out", 46)),
                self._text_piece(font_text(str(seat.place))),
            ]
        elif seat.cards and seat.seat not in self._open:
            pieces.append(self._text_piece(font_text(f"×{seat.cards}"), PALE))
        pieces += self._call_pieces(seat, PILL_PAD) if words else self._brief_call_pieces(seat)
        if seat.mark == "passed":
            pieces.append(self._text_piece(font_text(seat.word), PALE))
        return pieces
