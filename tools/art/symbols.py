"""Symbols of the four suits in 100x100 boxes, and their inks.

Jade, sword, pagoda, star. The silhouettes (ring, blade, tiers, five points) differ even without
colour. Development tool, used by `draw`; needs Pillow.
"""

from __future__ import annotations

from tools.art.shapes import Canvas, Place, rays

FACE = "#fbf6e6"
INKS = {"J": "#08774a", "S": "#182142", "P": "#6a32b4", "T": "#c8320a"}


def jade(canvas: Canvas, place: Place) -> None:
    """Draw a jade disc with its round hole."""
    canvas.disc((50, 50), 49, INKS["J"], place)
    canvas.disc((50, 50), 38, "#2fb878", place)
    canvas.disc((50, 50), 26, INKS["J"], place)
    canvas.disc((50, 50), 17, FACE, place)


def sword(canvas: Canvas, place: Place) -> None:
    """Draw an upright sword: broad blade with a bright fuller, guard, grip and pommel."""
    ink = INKS["S"]
    canvas.path("M50,-12 L67,10 L65,60 L35,60 L33,10 Z", ink, place)
    canvas.path("M50,4 L53,12 L53,56 L47,56 L47,12 Z", "#c3cfe8", place)
    canvas.path("M6,52 Q50,64 94,52 L95,66 Q72,75 50,75 Q28,75 5,66 Z", ink, place)
    canvas.slab((42, 70, 58, 90), 3, ink, place)
    canvas.disc((50, 87), 11, ink, place)


def pagoda(canvas: Canvas, place: Place) -> None:
    """Draw three roofs with upturned eaves, each wider than the one above, on pale walls."""
    ink, wall = INKS["P"], "#cdb8f2"
    canvas.slab((36, 26, 64, 40), 0, wall, place)
    canvas.slab((27, 56, 73, 70), 0, wall, place)
    canvas.path(
        "M50,-10 L58,7 Q65,17 80,14 Q79,25 72,29 L28,29 Q21,25 20,14 Q35,17 42,7 Z", ink, place
    )
    canvas.path(
        "M38,36 L62,36 Q70,46 91,43 Q90,55 82,60 L18,60 Q10,55 9,43 Q30,46 38,36 Z", ink, place
    )
    canvas.path(
        "M29,67 L71,67 Q80,77 102,74 Q101,92 92,98 L8,98 Q-1,92 -2,74 Q20,77 29,67 Z", ink, place
    )


def star(canvas: Canvas, place: Place) -> None:
    """Draw a plump star with five points."""
    low = Place(place.x, place.y + place.size * 0.04, place.size)
    canvas.polygon(rays(5, 55, 25), INKS["T"], low)
    canvas.polygon(rays(5, 33, 15), "#ff8a3c", low)


SUITS = {"J": jade, "S": sword, "P": pagoda, "T": star}
