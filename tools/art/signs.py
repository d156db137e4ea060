"""Signs of the table, drawn as stickers with a pale edge: turn, calls, bomb, seats.

Each function fills a canvas. Development tool, used by `draw`; needs Pillow.
"""

from __future__ import annotations

from collections.abc import Callable

from tools.art.shapes import Canvas, Place, rays
from tools.art.symbols import FACE

INK = "#2a2733"
BOX = Place(12, 12, 104)
FLAG = (0, -5, 1, 6, 0)  # how far down each edge of the flag's columns is, from left to right


def turn(canvas: Canvas) -> None:
    """Draw the sign of the turn: a bold arrow to the right."""
    canvas.path("M4,32 L48,32 L48,8 L100,50 L48,92 L48,68 L4,68 Z", "#b97400", BOX)
    canvas.path("M12,40 L56,40 L56,25 L87,50 L56,75 L56,60 L12,60 Z", "#ffb21a", BOX)


def tichu(canvas: Canvas) -> None:
    """Draw a Tichu: a round seal with a T."""
    canvas.disc((50, 50), 50, "#c2500a", BOX)
    canvas.disc((50, 50), 41, "#ff8a1f", BOX)
    canvas.text("T", (38, 36, 90, 95), 15, FACE)


def grand(canvas: Canvas) -> None:
    """Draw a Grand Tichu: a bursting seal with a G."""
    canvas.polygon(rays(12, 55, 43), "#8d0f24", BOX)
    canvas.disc((50, 50), 41, "#d3203c", BOX)
    canvas.text("G", (37, 33, 91, 95), 14, FACE)


def out(canvas: Canvas) -> None:
    """Draw the sign for out of cards: a chequered flag."""
    for column in range(4):
        for row in range(3):
            x, y = 18 + column * 21, 2 + row * 21
            left, right = y + FLAG[column], y + FLAG[column + 1]
            corners = [(x, left), (x + 21, right), (x + 21, right + 21), (x, left + 21)]
            canvas.polygon(corners, FACE if (column + row) % 2 else INK, BOX)
    canvas.rim(2, INK)
    canvas.slab((6, -2, 19, 102), 6, "#8a4f1d", BOX)


def bomb(canvas: Canvas) -> None:
    """Draw a bomb: a round body, a fuse and a spark."""
    body = "#343b52"
    canvas.disc((42, 60), 42, body, BOX)
    canvas.polygon([(56, 14), (82, 40), (72, 50), (46, 24)], body, BOX)
    canvas.stroke("M68,28 Q74,14 84,18", 7, "#b98a4a", BOX)
    canvas.polygon(rays(8, 22, 10), "#ff9d1a", Place(BOX.x + 33, BOX.y - 33, BOX.size))
    canvas.path("M16,58 Q16,36 38,32 Q26,42 24,60 Q20,66 16,58 Z", "#aab4d0", BOX)


def wish(canvas: Canvas) -> None:
    """Draw a wish: a thought bubble with a question mark."""
    for x, y, r in ((28, 34, 24), (56, 26, 28), (78, 42, 24), (24, 52, 22), (50, 56, 28)):
        canvas.disc((x, y), r, "#2f7de1", BOX)
    canvas.disc((26, 84), 10, "#2f7de1", BOX)
    canvas.disc((10, 98), 6, "#2f7de1", BOX)
    canvas.text("?", (48, 26, 82, 84), 13, FACE)


def computer(canvas: Canvas) -> None:
    """Draw a computer player: a robot's head."""
    metal, dark = "#5f86a8", "#22384d"
    canvas.stroke("M50,22 L50,8", 7, dark, BOX)
    canvas.disc((50, 6), 9, "#e8590c", BOX)
    canvas.slab((-2, 42, 12, 72), 6, dark, BOX)
    canvas.slab((88, 42, 102, 72), 6, dark, BOX)
    canvas.slab((7, 22, 93, 96), 18, metal, BOX)
    canvas.slab((17, 34, 83, 68), 14, dark, BOX)
    canvas.disc((35, 51), 9, "#6ff0ff", BOX)
    canvas.disc((65, 51), 9, "#6ff0ff", BOX)
    canvas.slab((30, 77, 70, 86), 4, dark, BOX)


def person(canvas: Canvas) -> None:
    """Draw a person: head and shoulders."""
    canvas.disc((50, 26), 26, "#3a8f6b", BOX)
    canvas.path("M2,100 Q0,58 50,58 Q100,58 98,100 Z", "#3a8f6b", BOX)


def seat(canvas: Canvas) -> None:
    """Draw a free seat: an empty chair."""
    wood, cushion = "#8a5a2b", "#c9463c"
    canvas.slab((14, 0, 28, 102), 6, wood, BOX)
    canvas.slab((14, 0, 34, 50), 8, wood, BOX)
    canvas.slab((72, 60, 86, 102), 6, wood, BOX)
    canvas.slab((10, 50, 92, 68), 8, cushion, BOX)


def cardback(canvas: Canvas) -> None:
    """Draw hidden cards: the back of one, with a lozenge."""
    canvas.slab((14, -4, 86, 104), 14, "#7c1d3a", BOX)
    canvas.slab((21, 3, 79, 97), 9, FACE, BOX)
    canvas.slab((26, 8, 74, 92), 6, "#a52a4d", BOX)
    canvas.path("M50,18 L70,50 L50,82 L30,50 Z", FACE, BOX)
    canvas.path("M50,34 L60,50 L50,66 L40,50 Z", "#a52a4d", BOX)


def passing(canvas: Canvas) -> None:
    """Draw a pass: two chevrons, on to the next."""
    canvas.disc((50, 50), 50, "#4d5566", BOX)
    canvas.disc((50, 50), 42, "#7a8498", BOX)
    canvas.stroke("M26,30 L46,50 L26,70", 13, FACE, BOX)
    canvas.stroke("M54,30 L74,50 L54,70", 13, FACE, BOX)


SIGNS: dict[str, Callable[[Canvas], None]] = {
    "turn": turn,
    "tichu": tichu,
    "grand": grand,
    "out": out,
    "bomb": bomb,
    "wish": wish,
    "computer": computer,
    "person": person,
    "seat": seat,
    "cardback": cardback,
    "pass": passing,
}


def sign(name: str) -> Canvas:
    """Return the finished drawing of one sign with its pale edge."""
    canvas = Canvas()
    SIGNS[name](canvas)
    canvas.rim(5, FACE)
    return canvas
