"""Breaks captions and notes into lines that fit into the middle of a table."""

from __future__ import annotations

from typing import NamedTuple

from bot.pictures.table.scene import NAME, Caption, Icon, TableScene
from bot.pictures.typeface import FontText, font_text, name_text, shorten, wrap

LEAST_NAME = 220
"""Minimum width of a name in a line with other words."""
BESIDE_NAME = 64
"""Width of the team's sign beside a name, with the space around both."""
NOTE_PAD = 16
"""Space at both ends of the text of a note."""
NOTE_SIGN = 44
"""Size of the sign of a note."""
NOTE_GAP = 6
"""Space between notes."""


class Line(NamedTuple):
    """Line of text, possibly with a name in it."""

    before: FontText
    """Words before the name; all words if there is none."""
    named: int | None = None
    """Index in `TableScene.seats` of the seat with this name."""
    after: FontText = FontText("")
    """Words after the name."""


class NoteText(NamedTuple):
    """Note whose text is shortened to the available width."""

    icon: Icon
    """Icon in front of the text."""
    text: FontText
    """Shortened text."""

    @property
    def width(self) -> float:
        """Width in pixels."""
        return self.text.width + 2 * NOTE_PAD + (NOTE_SIGN if self.icon else 0)


def caption_lines(scene: TableScene, width: float) -> tuple[Line, ...]:
    """Break the captions of a scene into lines of this width.

    Each caption has at most two lines, or more if it contains a long name.
    """
    lines: list[Line] = []
    for caption in scene.middle.captions:
        lines += _break_caption(scene, caption, width)
    return tuple(lines)


def _break_caption(scene: TableScene, caption: Caption, width: float) -> list[Line]:
    """Break one caption into lines.

    If there is no space for the name beside the words, the name gets a line of its own. Words may
    come before and after it, depending on the language. If there are words on both sides, those
    before the name get only one line.
    """
    if caption.named is None:
        return [Line(text) for text in wrap(caption.text, width, 2)]
    before, _, after = (font_text(part.strip()) for part in caption.text.partition(NAME))
    name = min(name_text(scene.seats[caption.named].name).width, LEAST_NAME)
    if before.width + after.width <= width - name - BESIDE_NAME:
        return [Line(before, caption.named, after)]
    name_line = Line(FontText(""), caption.named)
    lines_before = [Line(text) for text in wrap(before.text, width, 1 if after.text else 2)]
    return [*lines_before, name_line, *(Line(text) for text in wrap(after.text, width, 2))]


def note_rows(scene: TableScene, width: float) -> tuple[tuple[NoteText, ...], ...]:
    """Arrange the notes of a scene in rows of at most this width."""
    text_width = width - 2 * NOTE_PAD - NOTE_SIGN
    rows: list[tuple[NoteText, ...]] = []
    for note in scene.middle.notes:
        fitted = NoteText(note.icon, shorten(font_text(note.text), text_width))
        if rows and width_of((*rows[-1], fitted)) <= width:
            rows[-1] = (*rows[-1], fitted)
        else:
            rows.append((fitted,))
    return tuple(rows)


def width_of(row: tuple[NoteText, ...]) -> float:
    """Return the width of a row of notes."""
    return sum(note.width for note in row) + NOTE_GAP * (len(row) - 1)
