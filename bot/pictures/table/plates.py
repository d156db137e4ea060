"""Draws the seats of a table: name plates, hands, calls, notes and marks."""

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
from bot.pictures.table.scene import Mark, SceneCall, SceneSeat, TableScene
from bot.pictures.typeface import (
    LINE,
    Colour,
    FontText,
    end_lengths,
    font_text,
    name_text,
    shorten,
    shorten_distinctly,
    wrap_in_two,
)

SIGN = 38
"""Size of the signs beside texts, such as those of teams."""
PAD = 6
"""Space between the edge of a plate and its text."""
NEUTRAL: tuple[Colour, Colour] = (52, 57, 68), (128, 136, 152)
"""Colours of a plate and of its edge, in games without teams."""
TEAMS: tuple[tuple[Colour, Colour], ...] = (
    ((22, 56, 112), (74, 158, 255)),
    ((104, 56, 10), (255, 150, 40)),
)
"""Colours of a plate and of its edge, by team."""
TICHU, GRAND = (192, 74, 4), (176, 20, 48)
"""Background colours of calls."""
ON_TURN: tuple[Colour, Colour] = YELLOW, WHITE
"""Colours of the plate of the seat on turn, and of its edge."""
ROW = 52
"""Distance between the lines under a plate."""
PILL_PAD = 13
"""Space between the edge of a pill (a text with its own background) and its text.

`PAD` replaces it where there is not enough space.
"""
LEAST = 190
"""Minimum width of a plate."""
GAP = 6
"""Space between adjacent pieces."""
BACK_WIDTH = 54
"""Width of the card backs of a hand."""
BACK_STEP = 9
"""Distance between two of the card backs of a hand, which overlap."""
MOST_BACKS = 3
"""Maximum number of card backs; the number of cards is written on the last one."""
TEXT_HEIGHT = 50
"""Height of a text with its own background."""


class TextStyle(NamedTuple):
    """Colours and shape of a text with its own background."""

    fill: Colour
    ink: Colour = WHITE
    edge: Colour = INK
    radius: int = 14


NOTE = TextStyle(BACKGROUND, PALE, edge=GREY, radius=25)
"""Style of notes: an outline with round ends, so that they are not mistaken for calls."""


class Piece(NamedTuple):
    """Part of a row that is drawn from left to right, such as an image or a text."""

    width: float
    draw: Callable[[float, float], None]
    """Function that draws the piece at this left edge and vertical middle."""


class Plates:
    """Draws all seats of a scene."""

    def __init__(self, canvas: Canvas, scene: TableScene, where: Layout) -> None:
        self._canvas = canvas
        self._scene = scene
        self._where = where

    def draw(self) -> None:
        """Draw every seat."""
        names = short_names(self._scene, self._where)
        for seat, spot, name in zip(self._scene.seats, self._where.spots, names, strict=True):
            self.draw_seat(seat, spot, name)

    def draw_seat(self, seat: SceneSeat, spot: Spot, name: FontText) -> None:
        """Draw one seat.

        The row beside the plate is drawn first, because the plate covers part of the hand.
        """
        box = spot.plate
        name_pieces = [*self._name_signs(seat), self._text_piece(name, self._text_colour(seat))]
        title = fitting_title(seat.title, box.width - 2 * PAD) if seat.title else None
        # Above and below the middle, open cards take the whole width of the picture.
        wide = bool(seat.open_cards) and spot.side not in ("left", "right")
        inline = not spot.call_below or wide
        beside = self._pieces_beside(seat, spot, inline=inline)

        # the extent of the plate
        width = max(
            LEAST, width_of(name_pieces) + 2 * PAD + 12, title.width + 2 * PAD if title else 0
        )
        width = min(box.width, width)
        if spot.side in ("left", "right"):
            width = min(box.width, max(width, width_of(beside) + 12))
        left = {"left": box.left, "right": box.right - width}.get(spot.side, box.centre - width / 2)

        # hand, call and notes
        middle = box.bottom + HAND / 2 if spot.side == "top" else box.top - HAND / 2
        if wide:
            left = box.left - 120
            self._draw_pieces(beside, left + width + GAP, box.top + PLATE / 2)
            self._draw_open_row(seat.open_cards, box.centre, box.bottom + 8, 860, OPEN_HAND)
        else:
            line_left = max(spot.room.left, min(left + 6, spot.room.right - width_of(beside)))
            width += max(0.0, left - line_left)
            left = min(left, line_left)
            self._draw_pieces(beside, line_left, middle)
        if not inline:
            self._draw_below(seat, spot)
            self._draw_open_rows(seat, spot)

        # the plate itself
        fill, edge = self._plate_colours(seat)
        self._canvas.slab(left, box.top + 4, width, box.height, radius=16, fill=SHADE)
        self._canvas.slab(left, box.top, width, box.height, radius=16, fill=fill, edge=edge, rim=4)
        self._draw_pieces(
            name_pieces, left + (width - width_of(name_pieces)) / 2, box.top + PLATE / 2
        )
        if title:
            line_left = left + (width - title.width) / 2
            self._canvas.write(
                title, line_left, box.top + PLATE / 2 + LINE - 4, self._text_colour(seat)
            )

    def _pieces_beside(self, seat: SceneSeat, spot: Spot, *, inline: bool) -> list[Piece]:
        """Return the row beside the plate: hand and mark, with `inline` also the call and notes.

        It is the longest form that fits.
        """
        pieces: list[Piece] = []
        # `tight` makes all pieces narrow, `mark` is a word, its sign or nothing, and a `brief` call
        # is only an icon.
        for tight, mark, brief in (
            (False, seat.word or "sign", False),
            (True, seat.word or "sign", False),
            (False, "sign", False),
            (True, "" if seat.mark == "passed" else "sign", False),
            (True, "", False),
            (True, "", True),
        ):
            pad = PAD if tight else PILL_PAD
            pieces = self._hand_pieces(seat, spot, mark, tight=tight)
            if inline:
                pieces += self._brief_call_pieces(seat) if brief else self._call_pieces(seat, pad)
                remaining = spot.room.width - width_of(pieces) if brief else math.inf
                pieces += self._note_pieces(seat, pad, remaining)
            wide = bool(seat.open_cards) and spot.side not in ("left", "right")
            if wide or width_of(pieces) <= spot.room.width:
                break
        return pieces

    # --- colours ------------------------------------------------------------------------------

    @staticmethod
    def _plate_colours(seat: SceneSeat) -> tuple[Colour, Colour]:
        """Return the colours of a seat's plate and of its edge."""
        if seat.mark == "turn":
            return ON_TURN
        fill, edge = NEUTRAL if seat.team is None else TEAMS[seat.team]
        if seat.sitter == "nobody":
            return STRIP, edge
        return (fill, YELLOW) if seat.mark in ("waiting", "plays") else (fill, edge)

    @staticmethod
    def _text_colour(seat: SceneSeat) -> Colour:
        """Return the colour of the texts on a seat's plate."""
        if seat.mark == "turn":
            return INK
        return GREY if seat.sitter == "nobody" else WHITE

    # --- lines of pieces ------------------------------------------------------------------------

    def _draw_pieces(self, pieces: list[Piece], left: float, middle: float) -> None:
        """Draw pieces in a row that begins at `left`."""
        for piece in pieces:
            piece.draw(left, middle)
            left += piece.width + GAP

    def _image_piece(self, image: Image.Image) -> Piece:
        """Return a piece with an image."""
        return Piece(
            image.width,
            lambda left, middle: self._canvas.put(image, left, middle - image.height / 2),
        )

    def _text_piece(self, text: FontText, colour: Colour = WHITE) -> Piece:
        """Return a piece with a text."""
        return Piece(
            text.width, lambda left, middle: self._canvas.write(text, left, middle, colour)
        )

    def _pill_piece(
        self,
        text: str,
        style: TextStyle,
        sign: Image.Image | None = None,
        pad: int = PILL_PAD,
    ) -> Piece:
        """Return a piece with a text on its own background, followed by the sign, if any."""
        label = font_text(text)
        width = label.width + 2 * pad + (sign.width + 6 if sign else 0)

        def draw(left: float, middle: float) -> None:
            self._draw_background(left, middle, width, TEXT_HEIGHT, style)
            self._canvas.write(label, left + pad, middle, style.ink)
            if sign:
                self._canvas.put(sign, left + pad + label.width + 6, middle - sign.height / 2)

        return Piece(width, draw)

    def _draw_background(
        self, left: float, middle: float, width: float, height: float, style: TextStyle
    ) -> None:
        """Draw the background of a text."""
        top, rim = middle - height / 2, 2 if style.edge == INK else 3
        self._canvas.slab(
            left, top, width, height, radius=style.radius, fill=style.fill, edge=style.edge, rim=rim
        )

    def _name_signs(self, seat: SceneSeat) -> list[Piece]:
        """Return the signs in front of a name as pieces."""
        return [self._image_piece(image) for image in name_signs(seat)]

    def _hand_pieces(self, seat: SceneSeat, spot: Spot, mark: str, *, tight: bool) -> list[Piece]:
        """Return the pieces for the hand of a seat (or its place), its points, and its mark.

        `mark` is “sign” for the sign of the mark, or a word to write instead. With `tight` all
        pieces are as narrow as possible.
        """
        pieces = []
        if seat.place is not None:
            pieces.append(self._image_piece(icon("out", 52)))
            separator = " ·" if seat.score else ""  # separates the place from the points
            pieces.append(self._text_piece(font_text(f"{seat.place}{separator}")))
        elif seat.cards:
            cards_above = spot.side != "top" or bool(seat.open_cards)
            pieces.append(self._card_backs(seat.cards, 1 if tight else MOST_BACKS, up=cards_above))
        if seat.score:
            pieces.append(self._text_piece(font_text(seat.score), YELLOW))
        up = spot.side == "top"
        size = 36 if tight else 54
        mark_images: dict[Mark, Callable[[], Image.Image]] = {
            "turn": lambda: polygon(ARROW, size, YELLOW, up=up),
            "plays": lambda: polygon(ARROW, size, YELLOW, up=up),
            "waiting": lambda: polygon(GLASS, 36 if tight else 46, YELLOW),
            "ready": lambda: polygon(CHECK, 46, GREEN),
            "passed": lambda: icon("pass", 50),
        }
        if mark == "sign" and seat.mark:
            pieces.append(self._image_piece(mark_images[seat.mark]()))
        elif mark and mark != "sign":
            pieces.append(self._text_piece(font_text(mark), PALE))
        return pieces

    def _card_backs(self, count: int, most: int, *, up: bool) -> Piece:
        """Return up to `most` card backs, with the number of cards on the last one."""
        number = font_text(str(count))
        backs = min(count, most)
        image = back(BACK_WIDTH, 76)
        width = BACK_WIDTH + BACK_STEP * (backs - 1)

        def draw(left: float, middle: float) -> None:
            top = middle - HAND / 2 + 4 if up else middle + HAND / 2 - 4 - image.height
            for index in range(backs):
                self._canvas.put(image, left + BACK_STEP * index, top)
            number_left = left + BACK_STEP * (backs - 1) + (BACK_WIDTH - number.width) / 2
            self._canvas.write(number, number_left, middle + (4 if up else -4))

        return Piece(width, draw)

    def _draw_below(self, seat: SceneSeat, spot: Spot) -> None:
        """Draw the call and the notes under a plate at the side, one below the other."""
        room, middle = spot.plate, spot.plate.bottom + BELOW / 2
        call = self._call_pieces(seat, PILL_PAD)
        if width_of(call) > room.width:
            call = self._call_pieces(seat, PAD)
        if width_of(call) > room.width:
            call_piece, call = self._two_line_call(seat), []
            left = room.left if spot.side == "left" else room.right - call_piece.width
            call_piece.draw(left, middle + ROW / 2)
            if spot.side == "left":
                room = room._replace(left=room.left + call_piece.width + GAP)
            else:
                room = room._replace(left=room.left - call_piece.width - GAP)
        for row in (call, self._note_pieces(seat, PILL_PAD, room.width)):
            if row:
                left = room.left if spot.side == "left" else room.right - width_of(row)
                self._draw_pieces(row, left, middle)
                middle += ROW

    def _note_pieces(self, seat: SceneSeat, pad: int, width: float = math.inf) -> list[Piece]:
        """Return the notes about a seat; together they are at most `width` wide."""
        note_width = width / max(1, len(seat.notes)) - GAP - 2 * pad
        texts = [shorten(font_text(note), note_width).text for note in seat.notes]
        return [self._pill_piece(text, NOTE, pad=pad) for text in texts]

    def _call_pieces(self, seat: SceneSeat, pad: int) -> list[Piece]:
        """Return the call of a seat, with a sign once it is made or failed."""
        if seat.call is None:
            return []
        return [
            self._pill_piece(seat.call.text, call_style(seat.call), _outcome_sign(seat.call), pad)
        ]

    def _brief_call_pieces(self, seat: SceneSeat) -> list[Piece]:
        """Return the call of a seat without words: its icon, and the sign of its outcome."""
        if seat.call is None:
            return []
        sign = _outcome_sign(seat.call)
        images = [icon("grand" if seat.call.grand else "tichu", 50), *([sign] if sign else [])]
        return [self._image_piece(image) for image in images]

    def _two_line_call(self, seat: SceneSeat) -> Piece:
        """Return the call of a seat in two lines; the sign of its outcome is in the second one."""
        assert seat.call is not None
        style, sign = call_style(seat.call), _outcome_sign(seat.call)
        text_width = self._where.cards.left - 2 * PAD - 20 - SIGN
        lines = wrap_in_two(seat.call.text, text_width)
        last_width = lines[-1].width + (SIGN + 6 if sign else 0)
        width = max(lines[0].width, last_width) + 2 * PAD

        def draw(left: float, middle: float) -> None:
            self._draw_background(left, middle, width, ROW + TEXT_HEIGHT, style)
            for row, line in enumerate(lines):
                self._canvas.write(line, left + PAD, middle + ROW * (row - 0.5), style.ink)
            if sign:
                at = left + PAD + lines[-1].width + 6
                self._canvas.put(sign, at, middle + ROW * (len(lines) - 1.5) - SIGN / 2)

        return Piece(width, draw)

    def _draw_open_rows(self, seat: SceneSeat, spot: Spot) -> None:
        """Draw open cards in two rows under a plate at the side, and under its call."""
        cards, half = seat.open_cards, (len(seat.open_cards) + 1) // 2
        top = spot.plate.bottom + 8 + (BELOW if seat.call is not None else 0)
        for row in filter(None, (cards[:half], cards[half:])):
            self._draw_open_row(row, spot.plate.centre, top, spot.plate.width, OPEN_ROW)
            top += OPEN_ROW + 2

    def _draw_open_row(
        self, cards: Sequence[str], centre: float, top: float, most: float, height: int
    ) -> None:
        """Draw the upper part of open cards in a row of this height, at most this wide."""
        faces = [card(name, round(1.4 * height)) for name in cards]
        width = faces[0].width
        step = min(width + 4.0, (most - width) / max(1, len(faces) - 1))
        left = centre - (width + step * (len(faces) - 1)) / 2
        for index, image in enumerate(faces):
            self._canvas.put(image.crop((0, 0, width, height - 8)), left + index * step, top)
        right = left + step * (len(faces) - 1) + width
        self._canvas.slab(left, top + height - 9, right - left, 4, radius=0, fill=INK)


def call_style(call: SceneCall) -> TextStyle:
    """Return the style of a call; a failed one is dark with a red edge."""
    if call.made is False:
        return TextStyle(STRIP, GREY, edge=RED)
    return TextStyle(GRAND if call.grand else TICHU)


def _outcome_sign(call: SceneCall) -> Image.Image | None:
    """Return the sign of a call's outcome: a tick, a cross, or none while it is open."""
    if call.made is None:
        return None
    return polygon(CHECK, SIGN, GREEN) if call.made else polygon(CROSS, SIGN, RED)


def width_of(pieces: list[Piece]) -> float:
    """Return the width of a row of pieces."""
    return sum(piece.width for piece in pieces) + GAP * max(0, len(pieces) - 1)


def name_signs(seat: SceneSeat) -> list[Image.Image]:
    """Return the signs in front of a name: badge, team, computer."""
    images = []
    if seat.badge == "crown":
        images.append(polygon(CROWN, SIGN, YELLOW))
    elif seat.badge == "broom":
        images.append(polygon(BROOM, SIGN, STRAW))
    if seat.team is not None:
        images.append(team_emoji(seat.team, SIGN))
    if seat.sitter == "computer":
        images.append(icon("computer", 46))
    return images


def short_names(scene: TableScene, where: Layout) -> list[FontText]:
    """Return the names shortened to their plates, but still distinct."""
    return shorten_distinctly(_full_names(scene), _name_widths(scene, where))


def name_ends(scene: TableScene, where: Layout) -> tuple[int, ...]:
    """Return how many letters of the end of each name its plate keeps."""
    return end_lengths(_full_names(scene), _name_widths(scene, where))


def fitting_title(title: str, width: float) -> FontText:
    """Shorten a title, but keep the number at its end, which distinguishes the Burghers."""
    return shorten(font_text(title), width, 2 if title[-1].isdigit() else 0)


def _full_names(scene: TableScene) -> tuple[FontText, ...]:
    """Return the full names of all seats."""
    return tuple(name_text(seat.name) for seat in scene.seats)


def _name_widths(scene: TableScene, where: Layout) -> tuple[float, ...]:
    """Return the maximum width of each name."""
    return tuple(
        spot.plate.width - 2 * PAD - sum(image.width + GAP for image in name_signs(seat))
        for seat, spot in zip(scene.seats, where.spots, strict=True)
    )
