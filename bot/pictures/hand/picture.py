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
    OPEN_VISIBLE,
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
from bot.pictures.typeface import LINE, name_text

RAIL = 16
"""Height of the wooden edge between the table part and the hand."""
BADGE = 36
"""Size of the badge of a received card."""


LEVEL = 3
"""zlib compression level. That of tables would save a tenth of the bytes in half as long again."""


def draw_hand(scene: HandScene) -> bytes:
    """Return the picture of a scene as a PNG file."""
    return encode(compose(scene), level=LEVEL)


def compose(scene: HandScene) -> Image.Image:
    """Draw a scene, not yet with the colours of the palette."""
    where = layout(scene)
    felt = where.table.height if where.table else 0
    canvas = Canvas(_draw_background(where.height, felt).copy())
    for spots in where.hands:
        _draw_hand_cards(canvas, spots)
    if scene.table and where.table:
        _draw_table_part(canvas, scene.table, where, where.table)
    else:
        _draw_labels(canvas, scene, where)
    return canvas.image


@lru_cache(maxsize=6)
def _draw_background(height: int, felt_height: int) -> Image.Image:
    """Draw the background: the felt of the table part (`felt_height` pixels) above a dark area."""
    canvas = Canvas(Image.new("RGB", (WIDTH, height), RIM))
    canvas.put(shape(WIDTH - 4, height - 4, CORNER - 2, BACKGROUND), 2, 2)
    if felt_height:
        canvas.put(shape(WIDTH - 4, 2 * CORNER, CORNER - 2, FELT), 2, 2)
        canvas.put(shape(WIDTH - 4, felt_height - CORNER, 0, FELT), 2, CORNER)
        canvas.put(shape(WIDTH - 4, RAIL, 0, WOOD_EDGE), 2, felt_height - RAIL)
        canvas.put(shape(WIDTH - 4, RAIL - 6, 0, WOOD), 2, felt_height - RAIL + 3)
        canvas.put(shape(WIDTH - 4, 6, 0, STRIP), 2, felt_height)
    return canvas.image


def _draw_hand_cards(canvas: Canvas, spots: tuple[CardSpot, ...]) -> None:
    """Draw the cards of a hand. Of a hand that is drawn smaller only the tops are visible."""
    for spot in spots:
        name, is_cut = spot.card.card, spot.height < CARD
        draw_face = shaded_card if spot.card.quiet else card
        image = _card_top(name, CARD, spot.height) if is_cut else draw_face(name, CARD)
        canvas.put(image, spot.left, spot.top)
        if spot.card.received and not is_cut:
            canvas.put(_received_badge(), spot.left + WIDE - BADGE - 6, spot.top + 6)


@cache
def _card_top(name: str, height: int, visible: int) -> Image.Image:
    """Return the upper part of a card of this height, with a line at the lower end."""
    face = card(name, height)
    part = face.crop((0, 0, face.width, visible))
    part.paste((*INK, 255), (0, visible - 3, face.width, visible))
    return part


@lru_cache(maxsize=1)
def _received_badge() -> Image.Image:
    """Return the badge of a received card: an arrow that points down into the hand."""
    disc = shape(BADGE, BADGE, BADGE // 2, BACK, INK, 2)
    arrow = polygon(ARROW, BADGE - 14, IVORY, BACK)
    disc.paste(arrow, (7, 9), arrow)
    return disc


def _draw_labels(canvas: Canvas, scene: HandScene, where: HandLayout) -> None:
    """Write the names above hands, with the signs of their teams."""
    for hand, label in zip(scene.hands, where.labels, strict=True):
        if hand.name and label:
            name = name_text(hand.name)
            left = label.centre - (name.width + SIGN + 8) / 2
            if hand.team is not None:
                canvas.put(team_emoji(hand.team, SIGN), left, label.top + (PLATE - SIGN) / 2)
            canvas.write(name, left + SIGN + 8, label.top + PLATE / 2)


def _draw_table_part(canvas: Canvas, table: TableScene, where: HandLayout, felt: Layout) -> None:
    """Draw the table part of the picture."""
    draw_arrows(canvas, felt.arrows, clockwise=table.clockwise)
    HandPlates(canvas, table, felt).draw()
    for seat in table.seats:
        if seat.open_cards:
            _draw_open_cards(canvas, seat.open_cards, felt.cards)
    if table.middle.cards:
        _draw_play(canvas, table.middle.cards, felt)
    ends = name_ends(table, felt)
    top = felt.cards.top + felt.middle.first
    for line in felt.middle.lines:
        draw_line(canvas, table, line, felt.texts, top + LINE / 2, ends)
        top += LINE
    own = felt.spots[0].plate
    for note in where.notes:
        left = WIDTH - MARGIN - note.width if note.icon else MARGIN
        draw_notes(canvas, (note,), Box(left, own.top, note.width, own.height), own.top + 4)


def _draw_play(canvas: Canvas, cards: tuple[str, ...], felt: Layout) -> None:
    """Draw the cards to beat, in one row or in two lower ones."""
    height, box = felt.middle.card_height, felt.cards
    if height != LOW_PLAY:
        draw_row(canvas, cards, box, box.top, height)
        return
    half = (len(cards) + 1) // 2
    draw_row(canvas, cards[:half], box, box.top, height)
    draw_row(canvas, cards[half:], box, box.top + LOW_STEP, height)


def _draw_open_cards(canvas: Canvas, cards: tuple[str, ...], box: Box) -> None:
    """Draw the tops of another seat's open cards above the play."""
    faces = [_card_top(name, OPEN, OPEN_VISIBLE) for name in cards]
    width = faces[0].width
    step = min(width + 4.0, (box.width - width) / max(1, len(faces) - 1))
    left = box.centre - (width + step * (len(faces) - 1)) / 2
    top = box.top - OPEN_VISIBLE - 10
    for index, face in enumerate(faces):
        canvas.put(face, left + index * step, top)
