"""Writes text on pictures, in the two fonts that come with the bot.

Source Sans has Latin, Greek and Cyrillic letters. DejaVu Sans is taken for texts that need others
of its letters: Arabic, Hebrew, Armenian, Georgian and more. Names may contain anything; what
neither font has is left out, and a name of which too little is left is replaced.
"""

from __future__ import annotations

import math
import struct
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from bot.pictures.art import FONTS
from bot.pictures.descriptions import Name

Colour = tuple[int, int, int]

CAPITAL = 29
"""The height of capitals and digits in pixels."""
LINE = 50
"""From one line of text to the next."""
ELLIPSIS = "…"


class _Face(NamedTuple):
    """A font file, and the size in which its capitals have the height `CAPITAL`."""

    file: Path
    size: int


FACES = (
    _Face(FONTS / "SourceSansPro-Semibold.ttf", 45),
    _Face(FONTS / "DejaVuSansCondensed-Bold.ttf", 40),
)
"""The fonts: the first that has all letters of a text is taken."""


class Written(NamedTuple):
    """A text as it is written: what of it can be written, and in which of the `FACES`."""

    text: str
    face: int = 0

    @property
    def width(self) -> float:
        """How wide it is, in pixels."""
        return _width(self.text, self.face)


@cache
def _font(face: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FACES[face].file, FACES[face].size)


@lru_cache(maxsize=4096)
def _width(text: str, face: int) -> float:
    return _font(face).getlength(text)


@cache
def letters(face: int) -> frozenset[int]:
    """The code points that a font can write: the best Unicode table of its `cmap`."""
    data = FACES[face].file.read_bytes()
    (tables,) = struct.unpack_from(">H", data, 4)
    records = (struct.unpack_from(">4sLLL", data, 12 + 16 * n) for n in range(tables))
    start = next(offset for tag, _, offset, _ in records if tag == b"cmap")
    (encodings,) = struct.unpack_from(">H", data, start + 2)
    found: set[int] = set()
    for n in range(encodings):
        platform, _, offset = struct.unpack_from(">HHL", data, start + 4 + 8 * n)
        (form,) = struct.unpack_from(">H", data, start + offset)
        if platform in (0, 3) and form == 4:
            found.update(_format_4(data, start + offset))
        elif platform in (0, 3) and form == 12:
            found.update(_format_12(data, start + offset))
    return frozenset(found)


def _format_4(data: bytes, at: int) -> Iterator[int]:
    """The code points of a table of format 4: segments with their last and first ones."""
    (doubled,) = struct.unpack_from(">H", data, at + 6)
    ends = struct.unpack_from(f">{doubled // 2}H", data, at + 14)
    starts = struct.unpack_from(f">{doubled // 2}H", data, at + 16 + doubled)
    for first, last in zip(starts, ends, strict=True):
        yield from range(first, min(last, 0xFFFE) + 1)


def _format_12(data: bytes, at: int) -> Iterator[int]:
    """The code points of a table of format 12: groups with their first and last ones."""
    (groups,) = struct.unpack_from(">L", data, at + 12)
    for n in range(groups):
        first, last, _ = struct.unpack_from(">LLL", data, at + 16 + 12 * n)
        yield from range(first, last + 1)


def plain(text: str) -> str:
    """A text on one line without ornaments, control characters and loose combining marks."""
    signs = unicodedata.normalize("NFKC", " ".join(text.split()))
    kept = "".join(sign for sign in signs if unicodedata.category(sign)[0] not in "MC")
    return " ".join(kept.split())


@lru_cache(maxsize=4096)
def written(text: str) -> Written:
    """What can be written of a text."""
    kept = plain(text)
    best = Written("")
    for face in range(len(FACES)):
        known = letters(face)
        part = Written("".join(sign for sign in kept if ord(sign) in known), face)
        if part.text == kept:
            return part
        if len(part.text) > len(best.text):
            best = part
    return Written(" ".join(best.text.split()), best.face)


@lru_cache(maxsize=4096)
def written_name(name: Name) -> Written:
    """A name; its replacement if less than half of its letters can be written, or it has none."""
    found = written(name.text)
    if 2 * _letters(found.text) >= max(1, _letters(plain(name.text))):
        return found
    return written(name.replacement)


def _letters(text: str) -> int:
    """The number of letters and digits."""
    return sum(sign.isalnum() for sign in text)


@lru_cache(maxsize=4096)
def shortened(text: Written, width: float, end: int = 0) -> Written:
    """A text that is at most so wide (in pixels): the longest beginning, `…` and the `end`.

    `end` is the number of its last letters that are kept. If not even one letter fits it is `…`.
    """
    if text.width <= width:
        return text
    tail = ELLIPSIS + (text.text[-end:] if end else "")
    if end and _width(tail, text.face) > width:
        return shortened(text, width)
    low, high = 0, max(0, len(text.text) - end)
    while low < high:
        middle = (low + high + 1) // 2
        if _width(text.text[:middle].rstrip() + tail, text.face) <= width:
            low = middle
        else:
            high = middle - 1
    return Written(text.text[:low].rstrip() + tail, text.face)


def wrapped(text: str, width: float, lines: int) -> list[Written]:
    """A text in at most so many lines of this width; the last one is shortened."""
    found: list[Written] = []
    rest = written(text)
    if width < rest.width <= 2 * width and lines == 2:
        found = _balanced(rest)
        if max(line.width for line in found) <= width:
            return found
        found = []
    while rest.text:
        if rest.width <= width or len(found) == lines - 1:
            found.append(shortened(rest, width))
            break
        words = rest.text.split(" ")
        count = 1
        while _width(" ".join(words[: count + 1]), rest.face) <= width:
            count += 1
        found.append(shortened(Written(" ".join(words[:count]), rest.face), width))
        rest = Written(" ".join(words[count:]), rest.face)
    return found


def wrapped_in_two(text: str, width: float) -> list[Written]:
    """A text in two lines that are as equal as possible and at most so wide."""
    return [shortened(line, width) for line in _balanced(written(text))]


def _balanced(text: Written) -> list[Written]:
    """A text in two lines that are as equal as possible; the second may be empty."""
    words = text.text.split(" ")
    pairs = [
        [Written(" ".join(part), text.face) for part in (words[:n], words[n:])]
        for n in range(1, len(words) + 1)
    ]
    return min(pairs, key=lambda pair: max(line.width for line in pair))


def write(image: Image.Image, x: float, y: float, text: Written, colour: Colour) -> None:
    """Write a text that begins at `x`; `y` is the middle of its capitals."""
    if text.text:
        shape, left, top = _shape(text)
        place = round(x) + left, round(y + CAPITAL / 2) + top
        image.paste(colour, (*place, place[0] + shape.width, place[1] + shape.height), shape)


@lru_cache(maxsize=512)
def _shape(text: Written) -> tuple[Image.Image, int, int]:
    """The letters of a text, and where they are from the beginning of its base line.

    They are kept, because the names at a table stand on each of its pictures.
    """
    font = _font(text.face)
    left, top, right, bottom = map(math.floor, font.getbbox(text.text, anchor="ls"))
    shape = Image.new("L", (right - left + 2, bottom - top + 2))
    ImageDraw.Draw(shape).text((-left, -top), text.text, fill=255, font=font, anchor="ls")
    return shape, left, top
