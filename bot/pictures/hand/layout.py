"""Layout of the picture of a hand: positions and sizes in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from bot.pictures.art import CARD_HEIGHT, CARD_WIDTH
from bot.pictures.hand.scene import HandCard, HandScene, SceneHand
from bot.pictures.table.captions import NoteText, caption_lines, note_rows
from bot.pictures.table.layout import ARROW, WIDTH, Box, Layout, Side, Spot, Stack
from bot.pictures.table.plates import GAP as PIECE_GAP
from bot.pictures.table.plates import PAD, name_signs
from bot.pictures.table.scene import SceneSeat, TableScene
from bot.pictures.typeface import LINE, name_text
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
"""Distance by which unusable cards are lower than the others."""
ROW_DISTANCE = 118
"""Distance of two rows; the lower one does not cover ranks and suits of the upper one."""
STRIP = 104
"""Visible height of the cards of a hand that is drawn smaller; they are in one row."""

PLATE = 60
"""Height of a name plate."""
SIGNS = 54
"""Height of the row with call and pass below a plate, in games with teams."""
COUNT = 64
"""Width of the card back with the number of cards, beside a plate."""
SEAT_GAP = 8
"""Space between seats in a row."""
LEAST_PLATE = 96
SIDE = 214
"""Width of a seat at a side of the play."""
PLAY, LOW_PLAY = 150, 128
"""Height of the cards to beat, if they are in one row, and if they are in two rows."""
LOW_STEP = 74
"""Distance of two rows of cards to beat."""
MOST_NARROW = 9
"""Maximum number of cards to beat in one row between seats at the sides."""
OPEN, OPEN_VISIBLE = 112, 72
"""Height of the open cards of another seat, and of their visible part."""
BESIDE_ARROWS = 60
"""Distance of captions from the edges of the picture, to leave space for the arrows there."""
NOTE_WIDTH = 300
"""Maximum width of a note."""
SEAT_ROWS = {
    2: (1, 0), 3: (0, 3), 4: (0, 4), 5: (1, 3), 6: (1, 4),
    7: (2, 3), 8: (2, 4), 9: (3, 3), 10: (3, 4), 11: (4, 3),
}  # fmt: skip
"""By the number of other seats: how many are at each side of the play, and above it."""


class CardSpot(NamedTuple):
    """Position of a card of a hand."""

    card: HandCard
    left: float
    top: float
    height: int
    """Height of the visible part of the card."""


class HandLayout(NamedTuple):
    """Layout of the picture of a hand."""

    height: int
    """Height of the picture."""
    hands: tuple[tuple[CardSpot, ...], ...]
    """Cards of each hand, in drawing order, so each card is above the previous one."""
    labels: tuple[Box | None, ...]
    """Space of the plate above each hand, if it has one."""
    table: Layout | None
    """Layout of the table part, which is the upper `table.height` pixels of the picture."""
    notes: tuple[NoteText, ...] = ()
    """Notes beside the own plate: points in the trick at the left, the wish at the right."""


def layout(scene: HandScene) -> HandLayout:
    """Return the layout of a scene."""
    part = _lay_out_table(scene, scene.table) if scene.table else None
    top = float(MARGIN + (part.table.height if part else 0))
    hands: list[tuple[CardSpot, ...]] = []
    labels: list[Box | None] = []
    for hand in scene.hands:
        labels.append(Box(MARGIN, top, WIDTH - 2 * MARGIN, PLATE) if hand.name else None)
        if hand.name:
            top += PLATE + 10
        spots = _hand_spots(hand, top)
        hands.append(spots)
        top = max(spot.top + spot.height for spot in spots) + MARGIN
    if part is None:
        return HandLayout(int(top), tuple(hands), tuple(labels), None)
    for hand, label in zip(scene.hands, labels, strict=True):
        if label:
            part.spots[hand.seat] = Spot("bottom", label._replace(width=430), room=label)
    seats = scene.table.seats if scene.table else ()
    table = part.table._replace(spots=tuple(part.spots[seat.seat] for seat in seats))
    return HandLayout(int(top), tuple(hands), tuple(labels), table, part.notes)


# --- the hands ------------------------------------------------------------------------------------


def _hand_spots(hand: SceneHand, top: float) -> tuple[CardSpot, ...]:
    """Return the positions of a hand's cards: one or two rows, or a strip if drawn smaller."""
    if not hand.acts:
        return _row_spots(hand.cards, top, STRIP)
    if len(hand.cards) <= MOST_IN_A_ROW:
        return _row_spots(hand.cards, top, CARD)
    half = (len(hand.cards) + 1) // 2
    return _row_spots(hand.cards[:half], top, CARD) + _row_spots(
        hand.cards[half:], top + ROW_DISTANCE, CARD, columns=half
    )


def _row_spots(
    cards: Sequence[HandCard], top: float, height: int, columns: int = 0
) -> tuple[CardSpot, ...]:
    """Return the positions of a row of cards.

    The row is centred. It has space for this number of `columns`, by default one for each card.
    """
    columns = columns or len(cards)
    step = min(WIDE + GAP, (WIDTH - 2 * MARGIN - WIDE) / max(1, columns - 1))
    left = (WIDTH - WIDE - step * (columns - 1)) / 2
    return tuple(
        CardSpot(card, left + index * step, top + DROP * card.quiet, height)
        for index, card in enumerate(cards)
    )


# --- the table ------------------------------------------------------------------------------------


class _TablePart(NamedTuple):
    """Layout of the table part. The seats that have a hand below get their positions later."""

    table: Layout
    spots: dict[Seat, Spot]
    """Positions of the seats, by number of the seat."""
    notes: tuple[NoteText, ...]


def _lay_out_table(scene: HandScene, table: TableScene) -> _TablePart:
    """Lay out the table part: other seats, play to beat, captions, and the own plate with notes."""
    own, seats_of_hands = table.seats[0].seat, {hand.seat for hand in scene.hands}
    others = [seat for seat in table.seats[1:] if seat.seat not in seats_of_hands]
    seat_height = PLATE + (SIGNS if any(seat.team is not None for seat in table.seats) else 8)
    at_each_side, above = SEAT_ROWS[len(others)]
    play_top = MARGIN + (seat_height if above else 0)
    sides_bottom = play_top + at_each_side * seat_height
    spots = _spots_around(
        others, at_each_side, above, seat_height, play_top, clockwise=table.clockwise
    )
    if any(seat.open_cards for seat in table.seats):
        play_top += OPEN_VISIBLE + 10
    cards_left = MARGIN + (SIDE + 8 if at_each_side else 0)
    cards = Box(cards_left, play_top, WIDTH - 2 * cards_left, 0)
    rows = 1 if len(table.middle.cards) <= MOST_NARROW or not at_each_side else 2
    play_height = {1: PLAY, 2: LOW_STEP + LOW_PLAY}[rows] + 10 if table.middle.cards else 0
    texts = cards
    arrows: tuple[Box, ...] = ()
    if play_top + play_height >= sides_bottom:
        texts = Box(BESIDE_ARROWS, play_top, WIDTH - 2 * BESIDE_ARROWS, 0)
        arrows = tuple(
            Box(left, play_top + play_height + (LINE - ARROW) / 2, ARROW, ARROW)
            for left in (MARGIN, WIDTH - MARGIN - ARROW)
        )
    lines = caption_lines(table, texts.width)
    bottom = max(play_top + play_height + LINE * len(lines), sides_bottom) + 6
    notes = tuple(note for row in note_rows(table, NOTE_WIDTH) for note in row)
    spots[own] = _own_spot(bottom, notes)
    first_line = play_height if table.middle.cards else (bottom - play_top - LINE * len(lines)) / 2
    stack = Stack(PLAY if rows == 1 else LOW_PLAY, first_line, lines, (), 0, bottom - play_top)
    height = int(bottom) + PLATE + 10
    felt = Box(0, 0, WIDTH, height)
    return _TablePart(Layout(height, felt, arrows, (), cards, texts, stack), spots, notes)


def _own_spot(top: float, notes: tuple[NoteText, ...]) -> Spot:
    """Return the position of the own seat: between the points at its left and the wish."""
    left = right = float(MARGIN)
    for note in notes:
        if note.icon:
            right += note.width + 10
        else:
            left += note.width + 10
    room = Box(left, top, WIDTH - left - right, PLATE)
    return Spot("bottom", room._replace(width=min(room.width, 300)), room=room)


def _spots_around(
    others: Sequence[SceneSeat],
    at_each_side: int,
    in_top_row: int,
    seat_height: int,
    top: int,
    *,
    clockwise: bool,
) -> dict[Seat, Spot]:
    """Return the positions of the other seats, which are given in turn order.

    Play goes up the right side, along the top to the left, and down the left side. If it is
    `clockwise`, it goes the other way round. There are `at_each_side` seats at each side,
    each `seat_height` high, from `top` downwards, and `in_top_row` seats above the play.
    """
    others = others[::-1] if clockwise else others
    right, left = (
        [Box(box_left, top + index * seat_height, SIDE, PLATE) for index in range(at_each_side)]
        for box_left in (WIDTH - MARGIN - SIDE, MARGIN)
    )
    boxes: list[tuple[Side, Box]] = [
        *(("right", box) for box in reversed(right)),
        *(
            ("top", box)
            for box in reversed(
                _plates_in_a_row(others[at_each_side : at_each_side + in_top_row][::-1])
            )
        ),
        *(("left", box) for box in left),
    ]
    return {
        seat.seat: Spot(side, box._replace(width=box.width - COUNT), room=box)
        for seat, (side, box) in zip(others, boxes, strict=True)
    }


def _plates_in_a_row(seats: Sequence[SceneSeat]) -> list[Box]:
    """Return the spaces of the seats above the play, from left to right.

    If there is space for all names, the rest is divided evenly. Otherwise short names get what
    they need, and long names share what is left.
    """
    if not seats:
        return []
    needed = [COUNT + plate_width(seat) for seat in seats]
    total_width = WIDTH - 2 * MARGIN - SEAT_GAP * (len(seats) - 1)
    equal_share = total_width / len(seats)
    short_widths = [width for width in needed if width <= equal_share]
    if sum(needed) <= total_width:
        spare = (total_width - sum(needed)) / len(seats)
        widths = [width + spare for width in needed]
    else:
        long_width = (total_width - sum(short_widths)) / (len(seats) - len(short_widths))
        widths = [width if width <= equal_share else long_width for width in needed]
    lefts = accumulate(widths, lambda left, width: left + width + SEAT_GAP, initial=float(MARGIN))
    return [Box(left, MARGIN, width, PLATE) for left, width in zip(lefts, widths, strict=False)]


def plate_width(seat: SceneSeat) -> float:
    """Return the width that a plate needs for its signs and the whole name."""
    signs_width = sum(image.width + PIECE_GAP for image in name_signs(seat))
    return max(LEAST_PLATE, signs_width + name_text(seat.name).width + 2 * PAD + 12)
