"""Text on pictures, in the two fonts that come with the bot.

Pillow's basic layout is the same on every machine, but it neither orders text from right to left
nor joins Arabic letters, so this module does both. Raqm, Pillow's other layout engine, can do that,
but needs FriBidi from the system.
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


class FontText(NamedTuple):
    """Text reduced to the letters of a font, with the index of that font in `FACES`."""

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
    return _mirror_brackets(get_display(" ".join(map(_join_arabic, text.split(" ")))))


def _join_arabic(word: str) -> str:
    """Join the Arabic letters of a word.

    Return the word unchanged if the font lacks one of the joined forms, as DejaVu Sans lacks those
    of U+06C9.
    """
    joined = _ARABIC.reshape(word)
    return joined if letters(1).issuperset(map(ord, joined)) else word


def _mirror_brackets(text: str) -> str:
    """Exchange the brackets of each pair, because `get_display` has reversed their order."""
    characters, unpaired = list(text), list[int]()
    for place, character in enumerate(characters):
        partner = _BRACKETS.get(character) or _CLOSING.get(character)
        if partner is None:
            continue
        if unpaired and characters[unpaired[-1]] == partner:
            opening = unpaired.pop()
            if character in _BRACKETS:
                characters[opening], characters[place] = character, partner
        else:
            unpaired.append(place)
    return "".join(characters)


@lru_cache(maxsize=4096)
def _width(text: str, face: int) -> float:
    return _font(face).getlength(in_display_order(text, face))


def font_text(text: str) -> FontText:
    """Return a text without the letters that the fonts lack."""
    return FontText(*spell(text))


def name_text(name: Name) -> FontText:
    """Return a name, or its replacement if the fonts lack its letters."""
    return FontText(*spell_name(name))


@lru_cache(maxsize=4096)
def shorten(text: FontText, width: float, end: int = 0) -> FontText:
    """Shorten a text to a width in pixels: its beginning, `…` and its last `end` letters.

    The beginning is as long as possible. If not even one letter fits, the result is `…`.
    """
    if text.width <= width:
        return text
    tail = ELLIPSIS + (text.text[-end:] if end else "")
    if end and _width(tail, text.face) > width:
        return shorten(text, width)
    low, high = 0, max(0, len(text.text) - end)  # binary search for the longest beginning
    while low < high:
        middle = (low + high + 1) // 2
        if _width(text.text[:middle].rstrip() + tail, text.face) <= width:
            low = middle
        else:
            high = middle - 1
    return FontText(text.text[:low].rstrip() + tail, text.face)


def shorten_distinctly(texts: Sequence[FontText], widths: Sequence[float]) -> list[FontText]:
    """Shorten each text to its width; keep the ends of texts that would look alike."""
    ends = end_lengths(tuple(texts), tuple(widths))
    return list(map(shorten, texts, widths, ends))


@lru_cache(maxsize=256)
def end_lengths(texts: tuple[FontText, ...], widths: tuple[float, ...]) -> tuple[int, ...]:
    """Return the number of letters to keep at the end of each shortened text.

    It is 0, unless the shortened text could be mistaken for another one without its end.
    """
    ends = [0] * len(texts)
    for length in (2, 4):  # four letters if two do not distinguish the text
        shortened = list(map(shorten, texts, widths, ends))
        pairs = list(zip(texts, shortened, strict=True))
        for index, (text, short) in enumerate(pairs):
            if any(
                _could_be(short, other) or _could_be(other_short, text)
                for other, other_short in pairs
                if other != text
            ):
                ends[index] = length
    return tuple(ends)


def _could_be(short: FontText, text: FontText) -> bool:
    """Return whether `short` could be the shortened form of `text`."""
    beginning, ellipsis, end = short.text.partition(ELLIPSIS)
    return bool(ellipsis) and text.text.startswith(beginning) and text.text.endswith(end)


def wrap(text: str, width: float, lines: int) -> list[FontText]:
    """Break a text into at most `lines` lines of this width; shorten the last line if needed."""
    rest = font_text(text)
    if width < rest.width <= 2 * width and lines == 2:  # two lines of similar width look better
        halves = _break_in_two(rest)
        if max(line.width for line in halves) <= width:
            return halves

    wrapped: list[FontText] = []
    while rest.text:
        if rest.width <= width or len(wrapped) == lines - 1:
            wrapped.append(shorten(rest, width))
            break
        words = rest.text.split(" ")
        word_count = 1
        while _width(" ".join(words[: word_count + 1]), rest.face) <= width:
            word_count += 1
        wrapped.append(shorten(FontText(" ".join(words[:word_count]), rest.face), width))
        rest = FontText(" ".join(words[word_count:]), rest.face)
    return wrapped


def wrap_in_two(text: str, width: float) -> list[FontText]:
    """Break a text into two lines of similar width, each shortened to `width`."""
    return [shorten(line, width) for line in _break_in_two(font_text(text))]


def _break_in_two(text: FontText) -> list[FontText]:
    """Break a text into two lines of similar width; the second may be empty."""
    words = text.text.split(" ")
    pairs = [
        [FontText(" ".join(part), text.face) for part in (words[:count], words[count:])]
        for count in range(1, len(words) + 1)
    ]
    return min(pairs, key=lambda pair: max(line.width for line in pair))


def write(image: Image.Image, x: float, y: float, text: FontText, colour: Colour) -> None:
    """Write a text that begins at `x`; `y` is the vertical middle of its capitals."""
    if text.text:
        mask, left, top = _text_mask(text)
        place = round(x) + left, round(y + CAPITAL / 2) + top
        image.paste(colour, (*place, place[0] + mask.width, place[1] + mask.height), mask)


@lru_cache(maxsize=512)
def _text_mask(text: FontText) -> tuple[Image.Image, int, int]:
    """Return the mask of a text, and its offset from the start of the baseline.

    It is cached, because the names at a table are on each of its pictures.
    """
    font, visible = _font(text.face), in_display_order(*text)
    left, top, right, bottom = map(math.floor, font.getbbox(visible, anchor="ls"))
    mask = Image.new("L", (right - left + 2, bottom - top + 2))
    ImageDraw.Draw(mask).text((-left, -top), visible, fill=255, font=font, anchor="ls")
    return mask, left, top
