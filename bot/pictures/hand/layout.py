"""Positions of everything on the picture of a hand, in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from bot.pictures.art import CARD_HEIGHT, CARD_WIDTH
from bot.pictures.hand.scene import HandCard, HandScene, HandShown
from bot.pictures.table.captions import NoteShown, caption_lines, note_rows
from bot.pictures.table.layout import ARROW, WIDTH, Box, Layout, Side, Spot, Stack
from bot.pictures.table.plates import GAP as PIECE_GAP
from bot.pictures.table.plates import PAD, signs
from bot.pictures.table.scene import SeatShown, TableScene
from bot.pictures.typeface import LINE, written_name
from engine import Seat

MARGIN = 12
"""Space at the edges of the picture."""
CARD = 168
"""Height of a card of the hand."""
WIDE = round(CARD * CARD_WIDTH / CARD_HEIGHT)
"""Width of a card of the hand: 46 pixels when a phone shows the picture 350 pixels wide."""
GAP = 5
"""Space between adjacent cards."""
MOST_IN_A_ROW = 7
DROP = 14
"""Distance by which cards lie lower that cannot be used now."""
UPPER = 118
"""Distance of two rows; the lower one leaves ranks and suits of the upper one visible."""
STRIP = 104
"""Visible height of a hand beside one that acts; it lies in one row."""

PLATE = 60
"""Height of a name plate."""
SIGNS = 54
"""Height of the line with call and pass under a plate, in games with teams."""
COUNT = 64
"""Width of the number of cards beside a plate."""
APART = 8
"""Space between seats in a row."""
LEAST_PLATE = 96
SIDE = 214
"""Width of a seat at a side of the play."""
PLAY, LOW_PLAY = 150, 128
"""Height of the cards to beat, in one row and in two."""
LOW_STEP = 74
"""Distance of two rows of cards to beat."""
MOST_NARROW = 9
"""Maximum number of cards to beat in one row between seats at the sides."""
OPEN, OPEN_SHOWN = 112, 72
"""Height of the open cards of another seat, and the visible part."""
BESIDE_ARROWS = 60
"""Distance of captions from the edges of the picture, where arrows show the direction of play."""
NOTE_ROOM = 300
"""Maximum width of a note."""
ARRANGED = {
    2: (1, 0), 3: (0, 3), 4: (0, 4), 5: (1, 3), 6: (1, 4),
    7: (2, 3), 8: (2, 4), 9: (3, 3), 10: (3, 4), 11: (4, 3),
}  # fmt: skip
"""Number of other seats -> seats at each side of the play, seats above it."""


class CardSpot(NamedTuple):
    """Position of a card of a hand."""

    card: HandCard
    left: float
    top: float
    height: int
    """Height of its visible part."""


class HandLayout(NamedTuple):
    """Positions of everything."""

    height: int
    """Height of the picture."""
    hands: tuple[tuple[CardSpot, ...], ...]
    """Cards of each hand; later ones lie above earlier ones."""
    labels: tuple[Box | None, ...]
    """Space of the plate above each hand, if it has one."""
    table: Layout | None
    """Table part, in the terms of pictures of tables: the upper `table.height` pixels."""
    notes: tuple[NoteShown, ...] = ()
    """Points in the trick and the wish, at the left and at the right of the own plate."""


def layout(scene: HandScene) -> HandLayout:
    """Lay out a scene."""
    felt = _felt(scene, scene.table) if scene.table else None
    top = float(MARGIN + (felt.table.height if felt else 0))
    hands: list[tuple[CardSpot, ...]] = []
    labels: list[Box | None] = []
    for hand in scene.hands:
        labels.append(Box(MARGIN, top, WIDTH - 2 * MARGIN, PLATE) if hand.name else None)
        if hand.name:
            top += PLATE + 10
        spots = _hand(hand, top)
        hands.append(spots)
        top = max(spot.top + spot.height for spot in spots) + MARGIN
    if felt is None:
        return HandLayout(int(top), tuple(hands), tuple(labels), None)
    for hand, label in zip(scene.hands, labels, strict=True):
        if label:
            felt.spots[hand.seat] = Spot("bottom", label._replace(width=430), room=label)
    seats = scene.table.seats if scene.table else ()
    table = felt.table._replace(spots=tuple(felt.spots[seat.seat] for seat in seats))
    return HandLayout(int(top), tuple(hands), tuple(labels), table, felt.notes)


# --- the hands ------------------------------------------------------------------------------------


def _hand(hand: HandShown, top: float) -> tuple[CardSpot, ...]:
    """Return the positions of a hand: one or two rows, or a strip if another hand acts."""
    if not hand.acts:
        return _row(hand.cards, top, STRIP)
    if len(hand.cards) <= MOST_IN_A_ROW:
        return _row(hand.cards, top, CARD)
    half = (len(hand.cards) + 1) // 2
    return _row(hand.cards[:half], top, CARD) + _row(
        hand.cards[half:], top + UPPER, CARD, columns=half
    )


def _row(
    cards: Sequence[HandCard], top: float, height: int, columns: int = 0
) -> tuple[CardSpot, ...]:
    """Return a row of cards; its columns, by default as many as its cards, are centred."""
    columns = columns or len(cards)
    step = min(WIDE + GAP, (WIDTH - 2 * MARGIN - WIDE) / max(1, columns - 1))
    left = (WIDTH - WIDE - step * (columns - 1)) / 2
    return tuple(
        CardSpot(card, left + n * step, top + DROP * card.quiet, height)
        for n, card in enumerate(cards)
    )


# --- the table ------------------------------------------------------------------------------------


class _Felt(NamedTuple):
    """Table part, without the plates of hands."""

    table: Layout
    spots: dict[Seat, Spot]
    """Seats by number."""
    notes: tuple[NoteShown, ...]


def _felt(scene: HandScene, table: TableScene) -> _Felt:
    """Lay out the table part: the others, the play to beat, a caption, and the own plate."""
    own, held = table.seats[0].seat, {hand.seat for hand in scene.hands}
    others = [seat for seat in table.seats[1:] if seat.seat not in held]
    unit = PLATE + (SIGNS if any(seat.team is not None for seat in table.seats) else 8)
    sides, above = ARRANGED[len(others)]
    upper = MARGIN + (unit if above else 0)
    beside = upper + sides * unit
    spots = _around(others, sides, above, unit, upper, clockwise=table.clockwise)
    if any(seat.open_cards for seat in table.seats):
        upper += OPEN_SHOWN + 10
    inset = MARGIN + (SIDE + 8 if sides else 0)
    cards = Box(inset, upper, WIDTH - 2 * inset, 0)
    rows = 1 if len(table.middle.cards) <= MOST_NARROW or not sides else 2
    play = {1: PLAY, 2: LOW_STEP + LOW_PLAY}[rows] + 10 if table.middle.cards else 0
    texts = cards
    arrows: tuple[Box, ...] = ()
    if upper + play >= beside:
        texts = Box(BESIDE_ARROWS, upper, WIDTH - 2 * BESIDE_ARROWS, 0)
        arrows = tuple(
            Box(left, upper + play + (LINE - ARROW) / 2, ARROW, ARROW)
            for left in (MARGIN, WIDTH - MARGIN - ARROW)
        )
    lines = caption_lines(table, texts.width)
    bottom = max(upper + play + LINE * len(lines), beside) + 6
    notes = tuple(note for row in note_rows(table, NOTE_ROOM) for note in row)
    spots[own] = _own_spot(bottom, notes)
    first = play if table.middle.cards else (bottom - upper - LINE * len(lines)) / 2
    stack = Stack(PLAY if rows == 1 else LOW_PLAY, first, lines, (), 0, bottom - upper)
    height = int(bottom) + PLATE + 10
    felt = Box(0, 0, WIDTH, height)
    return _Felt(Layout(height, felt, arrows, (), cards, texts, stack), spots, notes)


def _own_spot(top: float, notes: tuple[NoteShown, ...]) -> Spot:
    """Return the position of the own seat, between the points at the left and the wish."""
    left = right = float(MARGIN)
    for note in notes:
        if note.icon:
            right += note.width + 10
        else:
            left += note.width + 10
    room = Box(left, top, WIDTH - left - right, PLATE)
    return Spot("bottom", room._replace(width=min(room.width, 300)), room=room)


def _around(
    others: Sequence[SeatShown], sides: int, above: int, unit: int, upper: int, *, clockwise: bool
) -> dict[Seat, Spot]:
    """Return the positions of the other seats, which are in turn order.

    Play goes up the right side, along the top to the left and down the left side, or the other way
    round if it is `clockwise`.
    """
    others = others[::-1] if clockwise else others
    right, left = (
        [Box(x, upper + n * unit, SIDE, PLATE) for n in range(sides)]
        for x in (WIDTH - MARGIN - SIDE, MARGIN)
    )
    around: list[tuple[Side, Box]] = [
        *(("right", box) for box in reversed(right)),
        *(("top", box) for box in reversed(_abreast(others[sides : sides + above][::-1]))),
        *(("left", box) for box in left),
    ]
    return {
        seat.seat: Spot(side, box._replace(width=box.width - COUNT), room=box)
        for seat, (side, box) in zip(others, around, strict=True)
    }


def _abreast(seats: Sequence[SeatShown]) -> list[Box]:
    """Return the spaces of seats above the play, from left to right, as wide as their names need.

    Where there is not enough space, the long names share what the short ones leave.
    """
    if not seats:
        return []
    natural = [COUNT + plate_width(seat) for seat in seats]
    whole = WIDTH - 2 * MARGIN - APART * (len(seats) - 1)
    fair = whole / len(seats)
    short = [width for width in natural if width <= fair]
    if sum(natural) <= whole:
        spare = (whole - sum(natural)) / len(seats)
        widths = [width + spare for width in natural]
    else:
        rest = (whole - sum(short)) / (len(seats) - len(short))
        widths = [width if width <= fair else rest for width in natural]
    lefts = accumulate(widths, lambda left, width: left + width + APART, initial=float(MARGIN))
    return [Box(left, MARGIN, width, PLATE) for left, width in zip(lefts, widths, strict=False)]


def plate_width(seat: SeatShown) -> float:
    """Return the width of a plate with the whole name."""
    before = sum(image.width + PIECE_GAP for image in signs(seat))
    return max(LEAST_PLATE, before + written_name(seat.name).width + 2 * PAD + 12)
