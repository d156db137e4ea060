"""Supersampled canvas with SVG-like paths, discs, strokes and glyphs.

Everything is in pixels of the finished picture, independent of the supersampling. Development tool,
used by the drawing modules only; needs Pillow.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from PIL import Image, ImageChops, ImageDraw

from tools.art.letters import LETTERS, NARROW

SIZE = 128
OVERSAMPLING = 8
STEPS = 24  # straight pieces per curve

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom
TOKENS = re.compile(r"[MLCQZ]|-?\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Place:
    """Placement of a symbol that is drawn in a box of 100x100."""

    x: float = 0.0
    """Left edge of the box in the picture."""
    y: float = 0.0
    """Upper edge of the box in the picture."""
    size: float = 100.0
    """Width and height of the box in the picture."""
    mirror: bool = False
    """True to mirror it horizontally."""
    turn: float = 0.0
    """Clockwise rotation in degrees."""

    def put(self, point: Point) -> Point:
        """Return the point of the picture for a point of the symbol's box."""
        x, y = point[0] - 50.0, point[1] - 50.0
        if self.mirror:
            x = -x
        angle = math.radians(self.turn)
        x, y = x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)
        scale = self.size / 100.0
        return self.x + (x + 50.0) * scale, self.y + (y + 50.0) * scale


WHOLE = Place()


def outline(path: str) -> list[Point]:
    """Return the points of one closed path (`M L C Q Z`, absolute), with curves as lines."""
    tokens = TOKENS.findall(path)
    points: list[Point] = []
    command, index = "", 0
    while index < len(tokens):
        if tokens[index].isalpha():
            command, index = tokens[index], index + 1
            if command == "Z":
                break
        count = {"M": 1, "L": 1, "Q": 2, "C": 3}[command]
        values = [float(token) for token in tokens[index : index + 2 * count]]
        index += 2 * count
        corners = list(zip(values[::2], values[1::2], strict=True))
        if count == 1:
            points += corners
        else:
            points += [_bezier([points[-1], *corners], n / STEPS) for n in range(1, STEPS + 1)]
    return points


def _bezier(points: Sequence[Point], t: float) -> Point:
    """Return the point at `t` (0..1) of a Bezier curve (de Casteljau)."""
    while len(points) > 1:
        points = [(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for a, b in pairwise(points)]
    return points[0]


def rays(count: int, outer: float, inner: float, turn: float = 0.0) -> list[Point]:
    """Return the corners of a star with `count` points around the middle of the box."""
    corners = []
    for n in range(2 * count):
        radius = inner if n % 2 else outer
        angle = math.radians(turn - 90.0 + n * 180.0 / count)
        corners.append((50.0 + radius * math.cos(angle), 50.0 + radius * math.sin(angle)))
    return corners


class Canvas:
    """Unfinished picture; `finished` returns the RGBA image, by default 128x128 pixels."""

    def __init__(self, width: int = SIZE, height: int = SIZE) -> None:
        self._size = width, height
        big = width * OVERSAMPLING, height * OVERSAMPLING
        self.image = Image.new("RGBA", big, (0, 0, 0, 0))
        self._pen = ImageDraw.Draw(self.image)

    def finished(self) -> Image.Image:
        """Return the picture at its final size, edges smooth, transparent pixels cleared."""
        small = self.image.resize(self._size, Image.Resampling.LANCZOS)
        clear = Image.new("RGBA", small.size, (0, 0, 0, 0))
        return Image.composite(small, clear, small.getchannel("A").point(lambda a: 255 if a else 0))

    def polygon(self, points: Iterable[Point], fill: str, place: Place = WHOLE) -> None:
        """Draw a filled polygon."""
        self._pen.polygon([self._big(place.put(point)) for point in points], fill=fill)

    def path(self, path: str, fill: str, place: Place = WHOLE) -> None:
        """Draw a filled closed path; see `outline`."""
        self.polygon(outline(path), fill, place)

    def disc(self, middle: Point, radius: float, fill: str, place: Place = WHOLE) -> None:
        """Draw a filled circle."""
        x, y = self._big(place.put(middle))
        r = radius * place.size / 100.0 * OVERSAMPLING
        self._pen.ellipse((x - r, y - r, x + r, y + r), fill=fill)

    def stroke(self, path: str, width: float, fill: str, place: Place = WHOLE) -> None:
        """Draw an open line along a path, with round ends and corners."""
        self._line([place.put(point) for point in outline(path)], width * place.size / 100, fill)

    def slab(self, box: Box, radius: float, fill: str, place: Place = WHOLE) -> None:
        """Draw a rectangle (left, top, right, bottom) with rounded corners.

        Ignores `place.turn`.
        """
        corners = [self._big(place.put(box[:2])), self._big(place.put(box[2:]))]
        r = radius * place.size / 100.0 * OVERSAMPLING
        left, right = sorted(corner[0] for corner in corners)
        top, bottom = sorted(corner[1] for corner in corners)
        self._pen.rounded_rectangle((left, top, right, bottom), r, fill=fill)

    def text(self, text: str, box: Box, width: float, fill: str) -> None:
        """Draw letters of the own alphabet that fill the box, with strokes of this width."""
        left, top, right, bottom = box
        shares = [NARROW.get(letter, 1.0) for letter in text]
        gap = width * 0.6
        unit = (right - left - gap * (len(text) - 1)) / sum(shares)
        for letter, share in zip(text, shares, strict=True):
            wide = unit * share
            for path in LETTERS[letter]:
                self._line(
                    [
                        (
                            left + width / 2 + x * (wide - width) / 100,
                            top + width / 2 + y * (bottom - top - width) / 100,
                        )
                        for x, y in outline(path)
                    ],
                    width,
                    fill,
                )
            left += wide + gap

    def rim(self, width: float, fill: str) -> None:
        """Draw an edge of even width around everything drawn so far."""
        alpha = self.image.getchannel("A")
        wide = alpha
        for n in range(48):
            angle = math.tau * n / 48
            reach = width * OVERSAMPLING
            dx, dy = round(reach * math.cos(angle)), round(reach * math.sin(angle))
            moved = Image.new("L", alpha.size, 0)
            moved.paste(alpha, (dx, dy))
            wide = ImageChops.lighter(wide, moved)
        under = Image.new("RGBA", self.image.size, (0, 0, 0, 0))
        under.paste(Image.new("RGBA", self.image.size, fill), (0, 0), wide)
        self.image = Image.alpha_composite(under, self.image)
        self._pen = ImageDraw.Draw(self.image)

    def lay(self, other: Canvas) -> None:
        """Paste another canvas on top of this one."""
        self.image = Image.alpha_composite(self.image, other.image)
        self._pen = ImageDraw.Draw(self.image)

    def _line(self, points: Sequence[Point], width: float, fill: str) -> None:
        """Draw straight bars between the points, and a disc on every point."""
        big = [self._big(point) for point in points]
        half = width * OVERSAMPLING / 2
        for (ax, ay), (bx, by) in pairwise(big):
            length = math.hypot(bx - ax, by - ay) or 1.0
            dx, dy = (ay - by) * half / length, (bx - ax) * half / length
            bar = [(ax + dx, ay + dy), (bx + dx, by + dy), (bx - dx, by - dy), (ax - dx, ay - dy)]
            self._pen.polygon(bar, fill=fill)
        for x, y in big:
            self._pen.ellipse((x - half, y - half, x + half, y + half), fill=fill)

    @staticmethod
    def _big(point: Point) -> Point:
        return point[0] * OVERSAMPLING, point[1] * OVERSAMPLING
