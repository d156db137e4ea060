"""Cached pieces that the picture of a table is composed of."""

from __future__ import annotations

from functools import cache, lru_cache

from PIL import Image, ImageDraw

from bot.art.names import icon_file
from bot.pictures.art import CARD_HEIGHT, CARD_WIDTH, card_file
from bot.pictures.typeface import Colour
from engine import Team

FINE = 4
"""Scale factor of shapes while drawing, for smooth edges."""

Points = tuple[tuple[float, float], ...]

INK = (24, 26, 32)
IVORY = (251, 246, 230)
YELLOW = (255, 214, 64)
GREY = (168, 178, 190)
GREEN = (130, 228, 140)
RED = (255, 90, 90)
STRAW = (214, 170, 110)
BACK = (150, 34, 62)
_SHADE = 0.38
"""Share of black in the face of a shaded card."""
_WIDTH_FOR_LOZENGE = 80
"""Width above which the back of a card has a lozenge."""
TEAM_COLOURS: tuple[Colour, Colour] = ((74, 158, 255), (255, 150, 40))
"""Colours of the signs of both teams."""

DIAMOND: Points = ((50, 0), (100, 50), (50, 100), (0, 50))
CROWN: Points = (
    (4, 86), (0, 26), (26, 52), (50, 12), (74, 52), (100, 26), (96, 86),
)  # fmt: skip
ARROW: Points = ((6, 10), (94, 10), (50, 92))
CHEVRON: Points = ((20, 4), (44, 4), (82, 50), (44, 96), (20, 96), (58, 50))
CROSS: Points = (
    (18, 4), (50, 36), (82, 4), (96, 18), (64, 50), (96, 82),
    (82, 96), (50, 64), (18, 96), (4, 82), (36, 50), (4, 18),
)  # fmt: skip
CHECK: Points = ((2, 54), (16, 40), (38, 62), (84, 12), (98, 26), (38, 92))
GLASS: Points = ((14, 0), (86, 0), (86, 12), (58, 50), (86, 88), (86, 100), (14, 100), (14, 88), (42, 50), (14, 12))  # fmt: skip # noqa: E501
BROOM: Points = (
    (88, 0), (100, 10), (58, 56), (66, 66), (44, 98), (2, 92), (0, 60), (34, 36), (44, 44),
)  # fmt: skip


def shape(
    width: int, height: int, radius: int, fill: Colour, edge: Colour | None = None, rim: int = 0
) -> Image.Image:
    """Return a rectangle with round corners and, if it has an `edge`, a `rim` of that colour."""
    image = Image.new("RGB", (width, height), edge or fill)
    if edge and rim:
        inner = width - 2 * rim, height - 2 * rim
        image.paste(fill, (rim, rim, width - rim, height - rim), rounded_mask(*inner, radius - rim))
    image.putalpha(rounded_mask(width, height, radius))
    return image


def rounded_mask(width: int, height: int, radius: int) -> Image.Image:
    """Return the mask of a rectangle with round corners: the opacity of each pixel."""
    mask = Image.new("L", (width, height), 255)
    if radius > 0:
        corner = _corner(radius)
        for flip, place in (
            (None, (0, 0)),
            (Image.Transpose.FLIP_LEFT_RIGHT, (width - radius, 0)),
            (Image.Transpose.FLIP_TOP_BOTTOM, (0, height - radius)),
            (Image.Transpose.ROTATE_180, (width - radius, height - radius)),
        ):
            mask.paste(corner if flip is None else corner.transpose(flip), place)
    return mask


@lru_cache(maxsize=32)
def _corner(radius: int) -> Image.Image:
    """Return the mask of a round upper left corner with this radius."""
    size = radius * FINE
    disc = Image.new("L", (size, size))
    ImageDraw.Draw(disc).ellipse((0, 0, 2 * size - 1, 2 * size - 1), fill=255)
    return disc.resize((radius, radius), Image.Resampling.BOX)


@cache
def polygon(
    points: Points, size: int, fill: Colour, edge: Colour = INK, up: bool = False
) -> Image.Image:
    """Return a polygon with an edge around it.

    Its `points` are given in a box of 100x100. `up` turns it upside down.
    """
    side = size * FINE
    rim = 2.5 * FINE
    scale = (side - 2 * rim) / 100
    image = Image.new("RGBA", (side, side), (*edge, 0))
    pen = ImageDraw.Draw(image)
    corners = [(rim + x * scale, rim + (100 - y if up else y) * scale) for x, y in points]
    pen.line([*corners, corners[0], corners[1]], fill=edge, width=round(2 * rim), joint="curve")
    pen.polygon(corners, fill=edge)
    pen.polygon(corners, fill=fill)
    return image.resize((size, size), Image.Resampling.BOX)


@cache
def team_emoji(team: Team, size: int) -> Image.Image:
    """Return the sign of a team: a disc for the first team, a diamond for the second team."""
    if team == 1:
        return polygon(DIAMOND, size, TEAM_COLOURS[1])
    rim = round(size / 12)
    return shape(size, size, size // 2, TEAM_COLOURS[0], INK, rim)


@cache
def pause(size: int) -> Image.Image:
    """Return the icon of a paused table: two bars."""
    image = Image.new("RGBA", (size, size))
    for left in (size // 4, size * 5 // 9):
        image.paste(INK, (left, size // 5, left + size // 5, size - size // 5))
    return image


@cache
def card(name: str, height: int) -> Image.Image:
    """Return the face of a card in notation, of this height."""
    with Image.open(card_file(name)) as file:
        image = file.convert("RGBA")
    return resize(image, round(height * CARD_WIDTH / CARD_HEIGHT), height)


@cache
def shaded_card(name: str, height: int) -> Image.Image:
    """Return the darkened face of a card, for cards that were beaten or cannot be used."""
    image = card(name, height)
    dark = Image.new("RGBA", image.size, (*INK, 255))
    mixed = Image.blend(image, dark, _SHADE)
    mixed.putalpha(image.getchannel("A"))
    return mixed


@cache
def back(width: int, height: int) -> Image.Image:
    """Return the back of a card; small backs have no lozenge, to leave space for a number."""
    image = shape(width, height, 9, IVORY, INK, 2)
    inner = shape(width - 10, height - 10, 5, BACK)
    image.paste(inner, (5, 5), inner)
    if width > _WIDTH_FOR_LOZENGE:
        for size, colour in ((64, IVORY), (48, BACK), (24, IVORY)):
            lozenge = polygon(DIAMOND, size, colour, colour)
            image.paste(lozenge, ((width - size) // 2, (height - size) // 2), lozenge)
    return image


@cache
def icon(name: str, size: int) -> Image.Image:
    """Return the icon with this name, such as `bomb`."""
    with Image.open(icon_file(name)) as file:
        return resize(file.convert("RGBA"), size, size)


def resize(image: Image.Image, width: int, height: int) -> Image.Image:
    """Resize an image."""
    if image.size == (width, height):
        return image
    # Colours are weighted by opacity, so that no dark fringe remains.
    small = image.convert("RGBa").resize((width, height), Image.Resampling.LANCZOS)
    return small.convert("RGBA")
