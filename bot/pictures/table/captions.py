"""Lines of text in the middle of a table, as far as they depend on its width."""

from __future__ import annotations

from typing import NamedTuple

from bot.pictures.table.scene import NAME, Caption, Icon, TableScene
from bot.pictures.typeface import Written, shorten, wrap, written, written_name

LEAST_NAME = 220
"""Minimum width of a name in a line with other words."""
BESIDE_NAME = 64
"""Width of its team's sign, with the space around both."""
NOTE_PAD = 16
"""Space beside the text of a note."""
NOTE_SIGN = 44
"""Size of the sign of a note."""
NOTE_GAP = 6
"""Space between notes."""


class Line(NamedTuple):
    """Line of text, possibly with a name in it."""

    before: Written
    """Words before the name; all words if there is none."""
    named: int | None = None
    """Index in `TableScene.seats` of the seat with this name."""
    after: Written = Written("")
    """Words after the name."""


class NoteShown(NamedTuple):
    """Note, ready to be written."""

    icon: Icon
    """Sign in front of it."""
    text: Written
    """Text."""

    @property
    def width(self) -> float:
        """Width in pixels."""
        return self.text.width + 2 * NOTE_PAD + (NOTE_SIGN if self.icon else 0)


def caption_lines(scene: TableScene, width: float) -> tuple[Line, ...]:
    """Break the captions of a scene into lines of this width.

    Each has at most two lines, or more because of a long name.
    """
    lines: list[Line] = []
    for caption in scene.middle.captions:
        lines += _lines(scene, caption, width)
    return tuple(lines)


def _lines(scene: TableScene, caption: Caption, width: float) -> list[Line]:
    """Break one caption into lines.

    Its words get lines of their own if the name needs the space. They are before or after it,
    depending on the language; those before it are in one line.
    """
    if caption.named is None:
        return [Line(text) for text in wrap(caption.text, width, 2)]
    before, _, after = (written(part.strip()) for part in caption.text.partition(NAME))
    name = min(written_name(scene.seats[caption.named].name).width, LEAST_NAME)
    if before.width + after.width <= width - name - BESIDE_NAME:
        return [Line(before, caption.named, after)]
    alone = Line(Written(""), caption.named)
    first = [Line(text) for text in wrap(before.text, width, 1 if after.text else 2)]
    return [*first, alone, *(Line(text) for text in wrap(after.text, width, 2))]


def note_rows(scene: TableScene, width: float) -> tuple[tuple[NoteShown, ...], ...]:
    """Arrange the notes of a scene in rows of at most this width."""
    room = width - 2 * NOTE_PAD - NOTE_SIGN
    rows: list[tuple[NoteShown, ...]] = []
    for note in scene.middle.notes:
        shown = NoteShown(note.icon, shorten(written(note.text), room))
        if rows and width_of((*rows[-1], shown)) <= width:
            rows[-1] = (*rows[-1], shown)
        else:
            rows.append((shown,))
    return tuple(rows)


def width_of(row: tuple[NoteShown, ...]) -> float:
    """Return the width of a row of notes."""
    return sum(note.width for note in row) + NOTE_GAP * (len(row) - 1)
