"""Reduces texts to the letters that the fonts of the pictures have; names may contain any letter.

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


class Spelling(NamedTuple):
    """Text reduced to the letters of a font, with the index of that font in `FACES`."""

    text: str
    face: int = 0


@cache
def letters(face: int) -> frozenset[int]:
    """Return the code points that a font supports.

    They are listed in the Unicode tables of its `cmap` (OpenType).
    """
    data = FACES[face].file.read_bytes()
    (tables,) = struct.unpack_from(">H", data, 4)
    records = (struct.unpack_from(">4sLLL", data, 12 + 16 * index) for index in range(tables))
    cmap = next(offset for tag, _, offset, _ in records if tag == b"cmap")
    (encodings,) = struct.unpack_from(">H", data, cmap + 2)
    code_points: set[int] = set()
    for index in range(encodings):
        platform, _, offset = struct.unpack_from(">HHL", data, cmap + 4 + 8 * index)
        (table_format,) = struct.unpack_from(">H", data, cmap + offset)
        if platform in (0, 3) and table_format == 4:
            code_points.update(_format_4(data, cmap + offset))
        elif platform in (0, 3) and table_format == 12:
            code_points.update(_format_12(data, cmap + offset))
    return frozenset(code_points)


def _format_4(data: bytes, start: int) -> Iterator[int]:
    """Yield the code points of a table of format 4.

    It has segments of code points. The last code points of all segments are listed first, then the
    first code points of all segments.
    """
    (doubled_count,) = struct.unpack_from(">H", data, start + 6)
    ends = struct.unpack_from(f">{doubled_count // 2}H", data, start + 14)
    starts = struct.unpack_from(f">{doubled_count // 2}H", data, start + 16 + doubled_count)
    for first, last in zip(starts, ends, strict=True):
        yield from range(first, min(last, 0xFFFE) + 1)  # 0xFFFF ends the table


def _format_12(data: bytes, start: int) -> Iterator[int]:
    """Yield the code points of a table of format 12.

    It has groups, each with its first and its last code point.
    """
    (group_count,) = struct.unpack_from(">L", data, start + 12)
    for index in range(group_count):
        first, last, _ = struct.unpack_from(">LLL", data, start + 16 + 12 * index)
        yield from range(first, last + 1)


def plain(text: str) -> str:
    """Reduce a text to one line without ornaments, control characters and combining marks.

    Ornamental letters, such as those in circles, are replaced by plain letters. Characters of the
    first font, such as ½ or º, stay.
    """
    composed, in_font = unicodedata.normalize("NFC", " ".join(text.split())), letters(0)
    simplified = "".join(
        character if ord(character) in in_font else unicodedata.normalize("NFKC", character)
        for character in composed
    )
    cleaned = "".join(
        character for character in simplified if unicodedata.category(character)[0] not in "MC"
    )
    return " ".join(cleaned.split())


@lru_cache(maxsize=4096)
def spell(text: str) -> Spelling:
    """Return a text in the first font that has all its letters.

    If there is no such font, return the text in the font that has most of its letters, without the
    others.
    """
    whole = plain(text)
    best = Spelling("")
    for face in range(len(FACES)):
        in_font = letters(face)
        part = Spelling(
            "".join(character for character in whole if ord(character) in in_font), face
        )
        if part.text == whole:
            return part
        if len(part.text) > len(best.text):
            best = part
    return Spelling(" ".join(best.text.split()), best.face)


def can_be_written(name: str) -> bool:
    """Return whether a name has letters and digits, and at least half of them can be written."""
    return 2 * _count_letters(spell(name).text) >= max(1, _count_letters(plain(name)))


@lru_cache(maxsize=1024)
def spell_name(name: Name) -> Spelling:
    """Return a name, or its replacement if the fonts lack its letters."""
    return spell(name.text if can_be_written(name.text) else name.replacement)


def _count_letters(text: str) -> int:
    """Count the letters and digits."""
    return sum(character.isalnum() for character in text)
