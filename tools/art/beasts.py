"""Pictures of the four special cards, each in a 100x100 box.

Dragon, phoenix, dog and sparrow. Development tool, used by `draw`; needs Pillow.
"""

from __future__ import annotations

from tools.art.shapes import Canvas, Place
from tools.art.symbols import FACE

NIGHT = "#2a1a1f"


def dragon(canvas: Canvas, place: Place) -> None:
    """Draw a dragon's head in profile: jaws open, horns swept back, mane and beard."""
    red, gold = "#b0122c", "#e39a12"
    canvas.path(
        "M44,30 L62,22 L66,10 L76,22 L92,14 L89,30 L104,36 L93,48 L106,60 L91,66"
        " L100,82 L84,82 L84,100 L46,100 Z",
        gold,
        place,
    )
    canvas.path("M34,28 Q36,2 64,-8 Q52,6 56,26 Z", gold, place)
    canvas.path("M8,82 Q22,90 34,86 L26,96 L21,91 L14,99 L12,90 L5,92 Z", gold, place)
    canvas.path(
        "M-2,50 Q-2,34 12,36 Q26,34 32,22 L46,28 Q54,22 62,28 Q80,40 80,62 Q80,82 72,100 L42,100"
        " Q48,92 43,84 Q26,92 6,84 Q2,78 4,69 Q22,75 36,67 L45,58 L29,58 L22,69 L17,58 L11,59"
        " L7,67 L4,58 Q-2,56 -2,50 Z",
        red,
        place,
    )
    canvas.path("M28,44 L50,36 Q50,50 38,49 Q32,48 28,44 Z", FACE, place)
    canvas.disc((42, 44), 4.2, NIGHT, place)
    canvas.disc((8, 46), 3.5, FACE, place)


def phoenix(canvas: Canvas, place: Place) -> None:
    """Draw a rising bird from the front: wings high, crest, and a tail of three flames."""
    flame, gold = "#d4420a", "#ffb21a"
    for mirror in (False, True):
        side = Place(place.x, place.y, place.size, mirror)
        canvas.path(
            "M50,38 Q36,34 28,22 Q18,12 14,-4 Q6,6 8,18 L-2,14 Q-4,26 6,34 L-4,34 Q0,46 12,50"
            " L4,54 Q16,64 32,62 L50,70 Z",
            flame,
            side,
        )
        canvas.path("M46,62 Q44,82 24,86 Q34,90 30,102 Q48,98 54,70 Z", flame, side)
        canvas.path("M47,46 Q34,44 24,32 Q26,48 47,56 Z", gold, side)
    canvas.path("M50,22 Q66,40 60,64 Q56,84 50,108 Q44,84 40,64 Q34,40 50,22 Z", flame, place)
    canvas.path("M50,36 Q58,48 55,62 Q53,74 50,88 Q47,74 45,62 Q42,48 50,36 Z", gold, place)
    canvas.disc((50, 22), 12, flame, place)
    canvas.path("M42,16 L28,24 L42,28 Z", gold, place)
    canvas.path("M44,14 Q40,4 44,-6 L50,6 L58,-6 Q60,4 57,14 Z", flame, place)
    canvas.disc((48, 20), 3.5, FACE, place)


def dog(canvas: Canvas, place: Place) -> None:
    """Draw a dog's face with hanging ears."""
    coat, ear, nose = "#a8672c", "#5f3413", "#2a1710"
    canvas.path(
        "M50,4 C78,4 86,24 85,48 C84,78 70,98 50,98 C30,98 16,78 15,48 C14,24 22,4 50,4 Z",
        coat,
        place,
    )
    for mirror in (False, True):
        side = Place(place.x, place.y, place.size, mirror)
        canvas.path("M36,6 C12,-4 -4,18 -2,52 C-1,76 16,78 21,56 C23,42 28,28 38,18 Z", ear, side)
        canvas.disc((36, 42), 6.5, nose, side)
    canvas.path(
        "M50,50 C64,50 72,62 72,74 C72,90 62,96 50,96 C38,96 28,90 28,74 C28,62 36,50 50,50 Z",
        FACE,
        place,
    )
    canvas.path("M36,58 C36,50 64,50 64,58 C64,66 56,72 50,72 C44,72 36,66 36,58 Z", nose, place)
    canvas.stroke("M50,70 L50,80", 4.5, nose, place)
    canvas.stroke("M38,80 Q44,88 50,80 Q56,88 62,80", 4.5, nose, place)


def sparrow(canvas: Canvas, place: Place) -> None:
    """Draw a plump sparrow in profile, tail up."""
    ink, wing, beak = "#0b6680", "#7cc3d4", "#e39a12"
    canvas.stroke("M42,80 L38,98 L30,98", 5, ink, place)
    canvas.stroke("M56,80 L54,98 L46,98", 5, ink, place)
    canvas.path("M14,26 L-4,36 L14,42 Z", beak, place)
    canvas.path(
        "M10,34 C8,8 46,4 52,26 C60,38 72,40 98,24 L102,36 Q94,52 84,58 C80,82 56,92 38,84"
        " C18,76 8,56 10,34 Z",
        ink,
        place,
    )
    canvas.path("M40,46 C54,38 66,52 82,50 C76,70 44,76 40,46 Z", wing, place)
    canvas.disc((28, 29), 5, FACE, place)
