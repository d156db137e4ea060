"""Draws the picture of a replay. Only the drawing process imports this module."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from bot.pictures.canvas import BACKGROUND, CORNER, FELT, RIM, STRIP, WOOD, WOOD_EDGE, Canvas
from bot.pictures.palette import encode
from bot.pictures.replay.layout import MARGIN, MOST_IN_A_ROW, RAIL, ReplayLayout, Sizes, layout
from bot.pictures.replay.plates import ReplayPlates
from bot.pictures.replay.scene import ReplayScene
from bot.pictures.sprites import back, card, shape
from bot.pictures.table.layout import DECK, HEADER, PEEK, WIDTH, Box, shows_deck
from bot.pictures.table.middle import BEFORE, draw_line, draw_notes, draw_row, draw_score
from bot.pictures.table.picture import draw_header
from bot.pictures.table.plates import name_ends
from bot.pictures.table.scene import TableScene
from bot.pictures.typeface import LINE

LEVEL = 3
"""zlib compression level, as for hands."""


def draw_replay(scene: ReplayScene) -> bytes:
    """Return the picture of a scene as a PNG file."""
    return encode(compose(scene), level=LEVEL)


def compose(scene: ReplayScene) -> Image.Image:
    """Draw a scene in full colour."""
    where, table = layout(scene), scene.table
    canvas = Canvas(_draw_background(where.table.height, where.table.felt).copy())
    draw_header(canvas, table)
    ReplayPlates(canvas, table, where.table, scene.hands).draw()
    for hand, seat, box in zip(scene.hands, table.seats, where.hands, strict=True):
        if hand:
            _draw_open_hand(canvas, hand, box, where.sizes)
        elif seat.cards:
            _draw_hidden_hand(canvas, seat.cards, box, where.sizes)
    _draw_middle(canvas, table, where)
    return canvas.image


@lru_cache(maxsize=6)
def _draw_background(height: int, felt: Box) -> Image.Image:
    """Draw the background: the header, a dark area, and the felt between wooden rails."""
    canvas = Canvas(Image.new("RGB", (WIDTH, height), RIM))
    canvas.put(shape(WIDTH - 4, height - 4, CORNER - 2, BACKGROUND), 2, 2)
    canvas.put(shape(WIDTH - 4, 2 * CORNER, CORNER - 2, STRIP), 2, 2)
    canvas.put(shape(WIDTH - 4, HEADER - CORNER, 0, STRIP), 2, CORNER)
    canvas.put(shape(WIDTH - 4, round(felt.height), 0, FELT), 2, felt.top)
    for top in (felt.top, felt.bottom - RAIL):
        canvas.put(shape(WIDTH - 4, RAIL, 0, WOOD_EDGE), 2, top)
        canvas.put(shape(WIDTH - 4, RAIL - 6, 0, WOOD), 2, top + 3)
    return canvas.image


# --- the hands ------------------------------------------------------------------------------------


def _draw_open_hand(canvas: Canvas, cards: tuple[str, ...], box: Box, sizes: Sizes) -> None:
    """Draw an open hand in one row, or in two rows that overlap.

    In a wide space it is always one row.
    """
    width = card(cards[0], sizes.card).width
    if len(cards) <= MOST_IN_A_ROW or box.width > WIDTH / 2:
        _row(canvas, [card(name, sizes.card) for name in cards], box, box.top, width)
        return
    upper, lower = cards[:MOST_IN_A_ROW], cards[MOST_IN_A_ROW:]
    _row(canvas, [card(name, sizes.card) for name in upper], box, box.top, width)
    _row(canvas, [card(name, sizes.card) for name in lower], box, box.top + sizes.row, width)


def _row(canvas: Canvas, faces: list[Image.Image], box: Box, top: float, width: int) -> None:
    """Draw a row of cards from the left; they overlap as much as in a full row."""
    most = max(len(faces), MOST_IN_A_ROW)
    step = min(width + 4.0, (box.width - width) / (most - 1))
    for n, face in enumerate(faces):
        canvas.put(face, box.left + n * step, top)


def _draw_hidden_hand(canvas: Canvas, count: int, box: Box, sizes: Sizes) -> None:
    """Draw the backs of a hidden hand."""
    image = back(round(sizes.card * 0.71), sizes.card)
    step = min(26.0, (box.width - image.width) / max(1, count - 1))
    for n in range(count):
        canvas.put(image, box.left + n * step, box.top)


# --- the table ------------------------------------------------------------------------------------


def _draw_middle(canvas: Canvas, table: TableScene, where: ReplayLayout) -> None:
    """Draw plays, captions, notes and points."""
    middle, stack, box = table.middle, where.table.middle, where.table.cards
    if middle.scores:
        draw_row(canvas, middle.cards, box, box.top + 4, stack.card_height)
    elif middle.cards:
        if middle.before:
            draw_row(canvas, middle.before, box, box.top, BEFORE, dark=True)
        draw_row(canvas, middle.cards, box, box.top + PEEK, stack.card_height)
    elif shows_deck(table):
        image = back(DECK * 132 // 186, DECK)
        for n in (-1, 0, 1):
            canvas.put(image, box.centre + 34 * n - image.width / 2, box.top + 12)

    texts, ends = where.table.texts, name_ends(table, where.table)
    # The line with a name has notes at both sides.
    beside = max((note.width for note in where.notes), default=0.0)
    between_notes = texts._replace(left=texts.left + beside, width=texts.width - 2 * beside)
    top = box.top + stack.first
    for line in stack.lines:
        room = texts if line.named is None else between_notes
        draw_line(canvas, table, line, room, top + LINE / 2, ends)
        top += LINE
    top = box.top + stack.scores
    for score in middle.scores:
        draw_score(canvas, table, score, texts, top + LINE / 2, ends)
        top += LINE
    for note in where.notes:
        left = WIDTH - MARGIN - note.width if note.icon else MARGIN
        draw_notes(canvas, (note,), Box(left, 0, note.width, 0), box.top + stack.scores - LINE)
