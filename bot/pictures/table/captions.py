"""The lines of text in the middle of a table: which there are, as far as their width decides it."""

from __future__ import annotations

from typing import NamedTuple

from bot.pictures.table.scene import NAME, Caption, Icon, TableScene
from bot.pictures.typeface import Written, shortened, wrapped, written, written_name

LEAST_NAME = 220
"""The width that a name has at least in a line with other words."""
BESIDE_NAME = 64
"""The width of its team's sign, with the space around both."""
NOTE_PAD = 16
"""The space beside the text of a note."""
NOTE_SIGN = 44
"""The size of the sign of a note."""
NOTE_GAP = 6
"""The space between notes."""


class Line(NamedTuple):
    """A line of text, perhaps with a name in it."""

    before: Written
    """The words before the name; all words if there is none."""
    named: int | None = None
    """The index of the seat in `TableScene.seats` whose name it is."""
    after: Written = Written("")
    """The words after the name."""


class NoteShown(NamedTuple):
    """A note as it is written."""

    icon: Icon
    """The sign in front of it."""
    text: Written
    """Its words."""

    @property
    def width(self) -> float:
        """How wide it is, in pixels."""
        return self.text.width + 2 * NOTE_PAD + (NOTE_SIGN if self.icon else 0)


def caption_lines(scene: TableScene, width: float) -> tuple[Line, ...]:
    """Return the captions of a scene in lines of this width: each has at most two, but for a long name."""
    lines: list[Line] = []
    for caption in scene.middle.captions:
        lines += _lines(scene, caption, width)
    return tuple(lines)


def _lines(scene: TableScene, caption: Caption, width: float) -> list[Line]:
    """Return one caption. Its words are in lines of their own if the name needs the room.

    They stand before or after it, as the language has them; those before it are in one line.
    """
    if caption.named is None:
        return [Line(text) for text in wrapped(caption.text, width, 2)]
    before, _, after = (written(part.strip()) for part in caption.text.partition(NAME))
    name = min(written_name(scene.seats[caption.named].name).width, LEAST_NAME)
    if before.width + after.width <= width - name - BESIDE_NAME:
        return [Line(before, caption.named, after)]
    alone = Line(Written(""), caption.named)
    first = [Line(text) for text in wrapped(before.text, width, 1 if after.text else 2)]
    return [*first, alone, *(Line(text) for text in wrapped(after.text, width, 2))]


def note_rows(scene: TableScene, width: float) -> tuple[tuple[NoteShown, ...], ...]:
    """Return the notes of a scene in rows of at most this width."""
    room = width - 2 * NOTE_PAD - NOTE_SIGN
    rows: list[tuple[NoteShown, ...]] = []
    for note in scene.middle.notes:
        shown = NoteShown(note.icon, shortened(written(note.text), room))
        if rows and width_of((*rows[-1], shown)) <= width:
            rows[-1] = (*rows[-1], shown)
        else:
            rows.append((shown,))
    return tuple(rows)


def width_of(row: tuple[NoteShown, ...]) -> float:
    """How wide notes beside one another are."""
    return sum(note.width for note in row) + NOTE_GAP * (len(row) - 1)
