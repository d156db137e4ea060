"""Text on pictures, in the two fonts that come with the bot.

Pillow's basic layout is the same on every machine, but it neither orders text from right to left
nor joins Arabic letters. Raqm, its other layout engine, does, but needs FriBidi from the system.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from arabic_reshaper import ArabicReshaper
from bidi import get_display
from PIL import Image, ImageDraw, ImageFont

from bot.pictures.descriptions import Name
from bot.pictures.letters import FACES, letters, spell, spell_name

Colour = tuple[int, int, int]

CAPITAL = 29
"""Height of capitals and digits in pixels."""
LINE = 50
"""Distance of two lines of text."""
ELLIPSIS = "…"
_ARABIC = ArabicReshaper({"ARABIC LIGATURE ALLAH": False})  # DejaVu Sans has no such ligature
_BRACKETS = {"(": ")", "[": "]", "{": "}", "«": "»"}
_CLOSING = {closing: opening for opening, closing in _BRACKETS.items()}


class Written(NamedTuple):
    """Writable part of a text, and the index of its font in `FACES`."""

    text: str
    face: int = 0

    @property
    def width(self) -> float:
        """Width in pixels."""
        return _width(self.text, self.face)


@cache
def _font(face: int) -> ImageFont.FreeTypeFont:
    file, size = FACES[face]
    return ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)


def in_display_order(text: str, face: int) -> str:
    """Return the characters in visual order from left to right, with Arabic letters joined."""
    if face == 0:  # Source Sans has no letters that are written from right to left
        return text
    return _with_mirrored_brackets(get_display(" ".join(map(_joined, text.split(" ")))))


def _joined(word: str) -> str:
    """Join Arabic letters, unless the font lacks a joined form (DejaVu Sans: those of U+06C9)."""
    joined = _ARABIC.reshape(word)
    return joined if letters(1).issuperset(map(ord, joined)) else word


def _with_mirrored_brackets(text: str) -> str:
    """Swap the brackets of each pair that `get_display` has reversed."""
    signs, unpaired = list(text), list[int]()
    for place, sign in enumerate(signs):
        other = _BRACKETS.get(sign) or _CLOSING.get(sign)
        if other is None:
            continue
        if unpaired and signs[unpaired[-1]] == other:
            before = unpaired.pop()
            if sign in _BRACKETS:
                signs[before], signs[place] = sign, other
        else:
            unpaired.append(place)
    return "".join(signs)


@lru_cache(maxsize=4096)
def _width(text: str, face: int) -> float:
    return _font(face).getlength(in_display_order(text, face))


def written(text: str) -> Written:
    """Return the writable part of a text."""
    return Written(*spell(text))


def written_name(name: Name) -> Written:
    """Return a name, or its replacement if it cannot be written."""
    return Written(*spell_name(name))


@lru_cache(maxsize=4096)
def shorten(text: Written, width: float, end: int = 0) -> Written:
    """Shorten a text to a width in pixels: its longest beginning, `…` and its `end`.

    `end` is the number of its last letters that are kept. If not even one letter fits, the result
    is `…`.
    """
    if text.width <= width:
        return text
    tail = ELLIPSIS + (text.text[-end:] if end else "")
    if end and _width(tail, text.face) > width:
        return shorten(text, width)
    low, high = 0, max(0, len(text.text) - end)
    while low < high:
        middle = (low + high + 1) // 2
        if _width(text.text[:middle].rstrip() + tail, text.face) <= width:
            low = middle
        else:
            high = middle - 1
    return Written(text.text[:low].rstrip() + tail, text.face)


def shorten_distinctly(texts: Sequence[Written], widths: Sequence[float]) -> list[Written]:
    """Shorten each of these texts to its width; ambiguous ones keep their end."""
    ends = kept_ends(tuple(texts), tuple(widths))
    return list(map(shorten, texts, widths, ends))


@lru_cache(maxsize=256)
def kept_ends(texts: tuple[Written, ...], widths: tuple[float, ...]) -> tuple[int, ...]:
    """Return the number of letters to keep at the end of each shortened text.

    It is positive if the shortened text is ambiguous with another one of the texts, or that one
    with it.
    """
    ends = [0] * len(texts)
    for longer in (2, 4):
        short = list(map(shorten, texts, widths, ends))
        for n, one in enumerate(texts):
            others = [(text, kept) for text, kept in zip(texts, short, strict=True) if text != one]
            if any(_could_be(short[n], text) or _could_be(kept, one) for text, kept in others):
                ends[n] = longer
    return tuple(ends)


def _could_be(short: Written, text: Written) -> bool:
    """Return whether `short` could be the shortened form of `text`."""
    beginning, cut, end = short.text.partition(ELLIPSIS)
    return bool(cut) and text.text.startswith(beginning) and text.text.endswith(end)


def wrap(text: str, width: float, lines: int) -> list[Written]:
    """Break a text into at most `lines` lines of this width, and shorten the last one."""
    found: list[Written] = []
    rest = written(text)
    if width < rest.width <= 2 * width and lines == 2:
        found = _balanced(rest)
        if max(line.width for line in found) <= width:
            return found
        found = []
    while rest.text:
        if rest.width <= width or len(found) == lines - 1:
            found.append(shorten(rest, width))
            break
        words = rest.text.split(" ")
        count = 1
        while _width(" ".join(words[: count + 1]), rest.face) <= width:
            count += 1
        found.append(shorten(Written(" ".join(words[:count]), rest.face), width))
        rest = Written(" ".join(words[count:]), rest.face)
    return found


def wrap_in_two(text: str, width: float) -> list[Written]:
    """Break a text into two lines of similar width, each shortened to `width`."""
    return [shorten(line, width) for line in _balanced(written(text))]


def _balanced(text: Written) -> list[Written]:
    """Break a text into two lines of similar width; the second may be empty."""
    words = text.text.split(" ")
    pairs = [
        [Written(" ".join(part), text.face) for part in (words[:n], words[n:])]
        for n in range(1, len(words) + 1)
    ]
    return min(pairs, key=lambda pair: max(line.width for line in pair))


def write(image: Image.Image, x: float, y: float, text: Written, colour: Colour) -> None:
    """Write a text that begins at `x`; `y` is the vertical middle of its capitals."""
    if text.text:
        shape, left, top = _shape(text)
        place = round(x) + left, round(y + CAPITAL / 2) + top
        image.paste(colour, (*place, place[0] + shape.width, place[1] + shape.height), shape)


@lru_cache(maxsize=512)
def _shape(text: Written) -> tuple[Image.Image, int, int]:
    """Return the mask of a text, and its offset from the start of the baseline.

    Cached, because the names at a table are on each of its pictures.
    """
    font, drawn = _font(text.face), in_display_order(*text)
    left, top, right, bottom = map(math.floor, font.getbbox(drawn, anchor="ls"))
    shape = Image.new("L", (right - left + 2, bottom - top + 2))
    ImageDraw.Draw(shape).text((-left, -top), drawn, fill=255, font=font, anchor="ls")
    return shape, left, top
