"""Positions of everything on the picture of a replay, in pixels.

The hands are in two columns around the table, in turn order. An odd number of seats leaves the
whole lowest row to the first one.
"""

from __future__ import annotations

from typing import NamedTuple

from bot.pictures.replay.scene import ReplayScene
from bot.pictures.table.captions import NoteText, caption_lines, note_rows
from bot.pictures.table.layout import (
    DECK,
    HEADER,
    PEEK,
    WIDTH,
    Box,
    Layout,
    Spot,
    Stack,
    shows_deck,
)
from bot.pictures.typeface import LINE

MARGIN = 14
"""Space at the edges of the picture, and between the columns."""
PLATE = 58
"""Height of a name plate."""
RAIL = 14
"""Height of the wood at both edges of the felt."""
PLAY = 150
"""Height of the cards to beat."""
LEAST_PLAY = 110
"""Minimum height of the last cards, above the points of the round."""
NOTE_ROOM = 280
"""Maximum width of a note, beside the lower caption."""
MOST_IN_A_ROW = 7
"""Maximum number of cards of a hand in one row."""
FEW_SEATS = 6
"""Maximum number of seats with large cards."""
NAME_ROOM = 236
"""Maximum width of a plate."""


class Sizes(NamedTuple):
    """Sizes of the cards of a hand."""

    card: int
    """Height of a card."""
    row: int
    """Visible height of a card in the upper of two rows."""

    @property
    def height(self) -> int:
        """Height of a hand."""
        return self.row + self.card


LARGE, SMALL = Sizes(124, 84), Sizes(90, 62)


class ReplayLayout(NamedTuple):
    """Positions of everything."""

    table: Layout
    """Table, in the terms of pictures of tables."""
    hands: tuple[Box, ...]
    """Space of each hand, in the order of the seats."""
    sizes: Sizes
    """Sizes of its cards."""
    notes: tuple[NoteText, ...]
    """Notes beside the captions."""


def layout(scene: ReplayScene) -> ReplayLayout:
    """Lay out a scene."""
    table, count = scene.table, len(scene.table.seats)
    sizes = LARGE if count <= FEW_SEATS else SMALL
    row_height = PLATE + 8 + sizes.height + MARGIN
    stack = _stack(scene)

    # rows of hands above and below the felt
    rows = (count + 1) // 2
    above = (rows + 1) // 2
    felt = Box(0, HEADER + MARGIN + above * row_height, WIDTH, stack.height + 2 * RAIL + 16)
    height = int(felt.bottom + MARGIN + (rows - above) * row_height)
    tops = [float(HEADER + MARGIN + n * row_height) for n in range(above)]
    tops += [felt.bottom + MARGIN + n * row_height for n in range(rows - above)]

    # the seats
    cells = _cells(count, tops)
    if table.clockwise:
        cells = [box._replace(left=WIDTH - box.right) for box in cells]
    spots = tuple(
        Spot("bottom", box._replace(width=min(NAME_ROOM, box.width), height=PLATE), room=box)
        for box in cells
    )
    hands = tuple(
        box._replace(top=box.top + PLATE + 8, height=float(sizes.height)) for box in cells
    )

    inner = Box(MARGIN, felt.top + RAIL + 8, WIDTH - 2 * MARGIN, stack.height)
    where = Layout(height, felt, (), spots, inner, _texts(scene, inner), stack)
    notes = tuple(note for row in note_rows(table, NOTE_ROOM) for note in row)
    return ReplayLayout(where, hands, sizes, notes)


def _cells(count: int, tops: list[float]) -> list[Box]:
    """Return the space of each seat in anticlockwise turn order.

    It begins in the lowest row, at the left. It goes up the right column and down the left one.
    """
    width = (WIDTH - 3 * MARGIN) / 2
    left, right = (
        [Box(x, top, width, PLATE) for top in tops] for x in (MARGIN, WIDTH - MARGIN - width)
    )
    if count % 2:  # the first seat has the whole lowest row
        first = left.pop()._replace(width=WIDTH - 2 * MARGIN)
        right.pop()
        return [first, *reversed(right), *left]
    return [left.pop(), *reversed(right), *left]


def _texts(scene: ReplayScene, inner: Box) -> Box:
    """Return the space of captions and points; points get narrower lines."""
    middle = scene.table.middle
    if middle.scores:
        return Box(50, inner.top, WIDTH - 100, inner.height)
    return inner


def _stack(scene: ReplayScene) -> Stack:
    """Lay out the middle; with the usual content it always has the same height."""
    middle = scene.table.middle
    lines = caption_lines(scene.table, _texts(scene, Box(MARGIN, 0, WIDTH - 2 * MARGIN, 0)).width)
    texts = len(lines) * LINE
    usual = PEEK + PLAY + 12 + 2 * LINE
    if middle.scores:
        rows = len(middle.scores) * LINE
        room = usual - texts - rows - 24
        cards = min(PLAY, max(LEAST_PLAY, room)) if middle.cards else 0
        height = max(usual, cards + texts + rows + 24)
        first = cards + (height - cards - texts - rows - 16) / 2
        return Stack(cards, first, lines, (), first + texts + 16, height)
    if middle.cards:
        first = float(PEEK + PLAY + 12)
    elif shows_deck(scene.table):
        first = float(DECK + PEEK)
    else:
        first = (usual - texts) / 2
    end = first + texts
    return Stack(PLAY, first, lines, (), end, max(usual, end))
