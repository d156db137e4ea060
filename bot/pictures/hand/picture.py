"""Draws the picture of a hand. Only the drawing process imports this module."""

from __future__ import annotations

from functools import cache, lru_cache

from PIL import Image

from bot.pictures.canvas import (
    BACKGROUND,
    CORNER,
    FELT,
    RIM,
    STRIP,
    WOOD,
    WOOD_EDGE,
    Canvas,
)
from bot.pictures.hand.layout import (
    CARD,
    LOW_PLAY,
    LOW_STEP,
    MARGIN,
    OPEN,
    OPEN_SHOWN,
    PLATE,
    WIDE,
    CardSpot,
    HandLayout,
    layout,
)
from bot.pictures.hand.plates import HandPlates
from bot.pictures.hand.scene import HandScene
from bot.pictures.palette import encode
from bot.pictures.sprites import (
    ARROW,
    BACK,
    INK,
    IVORY,
    card,
    polygon,
    shaded_card,
    shape,
    team_emoji,
)
from bot.pictures.table.layout import WIDTH, Box, Layout
from bot.pictures.table.middle import draw_line, draw_notes, draw_row
from bot.pictures.table.picture import draw_arrows
from bot.pictures.table.plates import SIGN, name_ends
from bot.pictures.table.scene import TableScene
from bot.pictures.typeface import LINE, written_name

RAIL = 16
"""Height of the wood at the near edge of the table."""
BADGE = 36
"""Size of the sign of a received card."""


LEVEL = 3
"""zlib compression level: the usual one takes half as long again for a tenth fewer bytes."""


def draw_hand(scene: HandScene) -> bytes:
    """Return the picture of a scene as a PNG file."""
    return encode(compose(scene), level=LEVEL)


def compose(scene: HandScene) -> Image.Image:
    """Draw a scene in full colour."""
    where = layout(scene)
    felt = where.table.height if where.table else 0
    canvas = Canvas(_empty(where.height, felt).copy())
    for spots in where.hands:
        _hand(canvas, spots)
    if scene.table and where.table:
        _table(canvas, scene.table, where, where.table)
    else:
        _labels(canvas, scene, where)
    return canvas.image


@lru_cache(maxsize=6)
def _empty(height: int, felt: int) -> Image.Image:
    """Draw the ground: the near part of a table of this height, and below it the dark."""
    canvas = Canvas(Image.new("RGB", (WIDTH, height), RIM))
    canvas.put(shape(WIDTH - 4, height - 4, CORNER - 2, BACKGROUND), 2, 2)
    if felt:
        canvas.put(shape(WIDTH - 4, 2 * CORNER, CORNER - 2, FELT), 2, 2)
        canvas.put(shape(WIDTH - 4, felt - CORNER, 0, FELT), 2, CORNER)
        canvas.put(shape(WIDTH - 4, RAIL, 0, WOOD_EDGE), 2, felt - RAIL)
        canvas.put(shape(WIDTH - 4, RAIL - 6, 0, WOOD), 2, felt - RAIL + 3)
        canvas.put(shape(WIDTH - 4, 6, 0, STRIP), 2, felt)
    return canvas.image


def _hand(canvas: Canvas, spots: tuple[CardSpot, ...]) -> None:
    """Draw the cards of a hand; a strip ends in a line, as if cut."""
    for spot in spots:
        name, strip = spot.card.card, spot.height < CARD
        whole = shaded_card if spot.card.quiet else card
        face = _upper(name, CARD, spot.height) if strip else whole(name, CARD)
        canvas.put(face, spot.left, spot.top)
        if spot.card.received and not strip:
            canvas.put(_received(), spot.left + WIDE - BADGE - 6, spot.top + 6)


@cache
def _upper(name: str, height: int, visible: int) -> Image.Image:
    """Return the upper part of a card of this height, with a line below it."""
    face = card(name, height)
    part = face.crop((0, 0, face.width, visible))
    part.paste((*INK, 255), (0, visible - 3, face.width, visible))
    return part


@lru_cache(maxsize=1)
def _received() -> Image.Image:
    """Return the sign of a received card: an arrow into the hand."""
    disc = shape(BADGE, BADGE, BADGE // 2, BACK, INK, 2)
    arrow = polygon(ARROW, BADGE - 14, IVORY, BACK)
    disc.paste(arrow, (7, 9), arrow)
    return disc


def _labels(canvas: Canvas, scene: HandScene, where: HandLayout) -> None:
    """Write the names above two hands."""
    for hand, label in zip(scene.hands, where.labels, strict=True):
        if hand.name and label:
            name = written_name(hand.name)
            left = label.centre - (name.width + SIGN + 8) / 2
            if hand.team is not None:
                canvas.put(team_emoji(hand.team, SIGN), left, label.top + (PLATE - SIGN) / 2)
            canvas.write(name, left + SIGN + 8, label.top + PLATE / 2)


def _table(canvas: Canvas, table: TableScene, where: HandLayout, felt: Layout) -> None:
    """Draw the table part."""
    draw_arrows(canvas, felt.arrows, clockwise=table.clockwise)
    HandPlates(canvas, table, felt).draw()
    for seat in table.seats:
        if seat.open_cards:
            _open_cards(canvas, seat.open_cards, felt.cards)
    if table.middle.cards:
        _play(canvas, table.middle.cards, felt)
    ends = name_ends(table, felt)
    top = felt.cards.top + felt.middle.first
    for line in felt.middle.lines:
        draw_line(canvas, table, line, felt.texts, top + LINE / 2, ends)
        top += LINE
    own = felt.spots[0].plate
    for note in where.notes:
        left = WIDTH - MARGIN - note.width if note.icon else MARGIN
        draw_notes(canvas, (note,), Box(left, own.top, note.width, own.height), own.top + 4)


def _play(canvas: Canvas, cards: tuple[str, ...], felt: Layout) -> None:
    """Draw the cards to beat."""
    height, box = felt.middle.card_height, felt.cards
    if height != LOW_PLAY:
        draw_row(canvas, cards, box, box.top, height)
        return
    half = (len(cards) + 1) // 2
    draw_row(canvas, cards[:half], box, box.top, height)
    draw_row(canvas, cards[half:], box, box.top + LOW_STEP, height)


def _open_cards(canvas: Canvas, cards: tuple[str, ...], box: Box) -> None:
    """Draw the open cards of another seat above the play."""
    faces = [_upper(name, OPEN, OPEN_SHOWN) for name in cards]
    width = faces[0].width
    step = min(width + 4.0, (box.width - width) / max(1, len(faces) - 1))
    left = box.centre - (width + step * (len(faces) - 1)) / 2
    top = box.top - OPEN_SHOWN - 10
    for n, face in enumerate(faces):
        canvas.put(face, left + n * step, top)
