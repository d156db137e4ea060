"""Finds the letters that the fonts of the pictures have, because names may contain anything.

Source Sans has Latin, Greek and Cyrillic letters. DejaVu Sans is used for texts with other letters
that it has: Arabic, Hebrew, Armenian, Georgian and more. Letters of neither font are omitted, and a
name that loses too much is replaced. This needs no Pillow, so the bot itself can use it.
"""

from __future__ import annotations

import struct
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from bot.pictures.art import FONTS
from bot.pictures.descriptions import Name


class Face(NamedTuple):
    """Font file, and the size at which its capitals have the right height."""

    file: Path
    size: int


FACES = (
    Face(FONTS / "SourceSansPro-Semibold.ttf", 45),
    Face(FONTS / "DejaVuSansCondensed-Bold.ttf", 40),
)
"""Fonts in order of preference: the first one with all letters of a text is used."""


class Spelled(NamedTuple):
    """Text reduced to the letters of a font, and the index of that font in `FACES`."""

    text: str
    face: int = 0


@cache
def letters(face: int) -> frozenset[int]:
    """Return the code points that a font supports, from the Unicode tables of its `cmap`."""
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


def _format_4(data: bytes, start: int) -> Iterator[int]:
    """Yield the code points of a format 4 table: segments with their last and first ones."""
    (doubled,) = struct.unpack_from(">H", data, start + 6)
    ends = struct.unpack_from(f">{doubled // 2}H", data, start + 14)
    starts = struct.unpack_from(f">{doubled // 2}H", data, start + 16 + doubled)
    for first, last in zip(starts, ends, strict=True):
        yield from range(first, min(last, 0xFFFE) + 1)


def _format_12(data: bytes, start: int) -> Iterator[int]:
    """Yield the code points of a format 12 table: groups with their first and last ones."""
    (groups,) = struct.unpack_from(">L", data, start + 12)
    for n in range(groups):
        first, last, _ = struct.unpack_from(">LLL", data, start + 16 + 12 * n)
        yield from range(first, last + 1)


def plain(text: str) -> str:
    """Reduce a text to one line without ornaments, control characters and combining marks.

    Characters of the first font, such as ½ or º, are not ornaments.
    """
    composed, known = unicodedata.normalize("NFC", " ".join(text.split())), letters(0)
    signs = "".join(
        sign if ord(sign) in known else unicodedata.normalize("NFKC", sign) for sign in composed
    )
    kept = "".join(sign for sign in signs if unicodedata.category(sign)[0] not in "MC")
    return " ".join(kept.split())


@lru_cache(maxsize=4096)
def spell(text: str) -> Spelled:
    """Return the part of a text that can be written, and its font."""
    kept = plain(text)
    best = Spelled("")
    for face in range(len(FACES)):
        known = letters(face)
        part = Spelled("".join(sign for sign in kept if ord(sign) in known), face)
        if part.text == kept:
            return part
        if len(part.text) > len(best.text):
            best = part
    return Spelled(" ".join(best.text.split()), best.face)


def can_be_written(name: str) -> bool:
    """Return whether a name has letters, and at least half of them can be written."""
    return 2 * _letters(spell(name).text) >= max(1, _letters(plain(name)))


@lru_cache(maxsize=1024)
def spell_name(name: Name) -> Spelled:
    """Return a name, or its replacement if it cannot be written."""
    return spell(name.text if can_be_written(name.text) else name.replacement)


def _letters(text: str) -> int:
    """Count the letters and digits."""
    return sum(sign.isalnum() for sign in text)
