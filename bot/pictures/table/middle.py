"""Draws the middle of a table: plays, captions, notes, and the points of a round."""

from __future__ import annotations

from bot.pictures.canvas import PALE, PILL, SHADE, WHITE, Canvas
from bot.pictures.sprites import (
    CROWN,
    INK,
    YELLOW,
    back,
    card,
    icon,
    pause,
    polygon,
    shaded_card,
    team_emoji,
)
from bot.pictures.table.captions import (
    NOTE_GAP,
    NOTE_PAD,
    NOTE_SIGN,
    Line,
    NoteText,
    width_of,
)
from bot.pictures.table.layout import (
    DECK,
    MOST_IN_A_ROW,
    NOTE,
    PEEK,
    SMALL_CARD,
    Box,
    Layout,
    shows_deck,
)
from bot.pictures.table.plates import GAP, SIGN, name_ends
from bot.pictures.table.scene import Score, TableScene
from bot.pictures.typeface import LINE, FontText, font_text, name_text, shorten

BEFORE = 112
"""Height of the beaten cards."""
CARD_STEP = 0.72
"""Distance between two cards of a play, as a part of the width of a card."""
INSET = 28
"""Space at both ends of a row of points."""


def draw_middle(canvas: Canvas, scene: TableScene, where: Layout) -> None:
    """Draw the middle of a table."""
    middle, stack, box = scene.middle, where.middle, where.texts
    if middle.scores:
        # The calls of the seats at the sides leave only the width of the cards.
        box = where.cards
    elif middle.cards:
        _draw_plays(canvas, middle.cards, middle.before, where)
    elif shows_deck(scene):
        image = back(DECK * 132 // 186, DECK)
        for offset in (-1, 0, 1):
            left = box.centre + 34 * offset - image.width / 2
            canvas.put(image, left, box.top + stack.first - DECK - PEEK / 2)
    ends = name_ends(scene, where)
    top = box.top + stack.first
    for line in stack.lines:
        draw_line(canvas, scene, line, box, top + LINE / 2, ends)
        top += LINE
    top += 6
    for row in stack.notes:
        draw_notes(canvas, row, box, top)
        top += NOTE + 6
    top = box.top + stack.scores
    for score in middle.scores:
        draw_score(canvas, scene, score, where.texts, top + LINE / 2, ends)
        top += LINE


def _draw_plays(
    canvas: Canvas, cards: tuple[str, ...], before: tuple[str, ...], where: Layout
) -> None:
    """Draw the play to beat, and above it the upper edge of the previous play."""
    box, height = where.cards, where.middle.card_height
    top = box.top + PEEK
    if before:
        draw_row(canvas, before, box, box.top, BEFORE, dark=True)
    if len(cards) <= MOST_IN_A_ROW:
        draw_row(canvas, cards, box, top, height)
    else:
        half = (len(cards) + 1) // 2
        draw_row(canvas, cards[:half], box, top - 16, SMALL_CARD)
        draw_row(canvas, cards[half:], box, top + height - SMALL_CARD, SMALL_CARD)


def draw_row(
    canvas: Canvas, cards: tuple[str, ...], box: Box, top: float, height: int, *, dark: bool = False
) -> None:
    """Draw a row of overlapping cards, from left to right; beaten ones are `dark`."""
    faces = [shaded_card(name, height) if dark else card(name, height) for name in cards]
    width = faces[0].width
    step = min(width * CARD_STEP, (box.width - width) / max(1, len(faces) - 1))
    left = box.centre - (width + step * (len(faces) - 1)) / 2
    if not dark:
        total_width = width + step * (len(faces) - 1)
        canvas.slab(left - 3, top - 1, total_width + 6, height + 7, radius=16, fill=SHADE)
    for index, face in enumerate(faces):
        canvas.put(face, left + index * step, top)


def draw_line(
    canvas: Canvas, scene: TableScene, line: Line, box: Box, middle: float, ends: tuple[int, ...]
) -> None:
    """Write a line of text in the middle of a box, and shorten its name if necessary.

    `ends` is the number of letters to keep at the end of each name (see `name_ends`).
    """
    if line.named is None:
        canvas.write(line.before, box.centre - line.before.width / 2, middle)
        return
    seat = scene.seats[line.named]
    sign = team_emoji(seat.team, SIGN) if seat.team is not None else None
    parts = [part for part in (line.before, line.after) if part.text]
    other_width = sum(part.width + 10 for part in parts) + (sign.width + GAP if sign else 0)
    name = shorten(name_text(seat.name), max(60.0, box.width - other_width), ends[line.named])
    left = box.centre - (other_width + name.width) / 2
    if line.before.text:
        canvas.write(line.before, left, middle, PALE)
        left += line.before.width + 10
    if sign:
        canvas.put(sign, left, middle - sign.height / 2)
        left += sign.width + GAP
    canvas.write(name, left, middle, WHITE)
    canvas.write(line.after, left + name.width + 10, middle, PALE)


def draw_notes(canvas: Canvas, row: tuple[NoteText, ...], box: Box, top: float) -> None:
    """Draw a row of notes."""
    left = box.centre - width_of(row) / 2
    for note in row:
        paused = note.icon == "paused"
        fill, ink = (YELLOW, INK) if paused else (PILL, WHITE)
        canvas.slab(left, top, note.width, NOTE, radius=NOTE // 2, fill=fill)
        text_left = left + NOTE_PAD
        if note.icon:
            sign = pause(NOTE_SIGN) if paused else icon(note.icon, NOTE_SIGN)
            canvas.put(sign, left + 10, top + (NOTE - NOTE_SIGN) / 2)
            text_left += NOTE_SIGN
        canvas.write(note.text, text_left, top + NOTE / 2, ink)
        left += note.width + NOTE_GAP


def draw_score(
    canvas: Canvas, scene: TableScene, score: Score, box: Box, middle: float, ends: tuple[int, ...]
) -> None:
    """Write the points of a team or seat in a row: crown, team, names, points, total."""
    change, total = font_text(score.change), font_text(score.total)
    left, right = box.left + INSET, box.right - INSET
    if score.won:
        canvas.put(polygon(CROWN, SIGN, YELLOW), left, middle - SIGN / 2)
    left += SIGN + 10
    if score.team is not None:
        canvas.put(team_emoji(score.team, SIGN), left, middle - SIGN / 2)
    left += SIGN + 10
    arrow = font_text("→")
    text_left = right - total.width
    canvas.write(total, text_left, middle, YELLOW if score.won else WHITE)
    text_left = right - 180
    canvas.write(arrow, text_left, middle, PALE)
    text_left -= change.width + 12
    canvas.write(change, text_left, middle, PALE)
    canvas.write(_score_names(scene, score, right - 310 - left, ends), left, middle)


def _score_names(scene: TableScene, score: Score, width: float, ends: tuple[int, ...]) -> FontText:
    """Return the names of the players with these points, shortened to this width."""
    if score.holder is not None:
        return shorten(name_text(scene.seats[score.holder].name), width, ends[score.holder])
    seats = [index for index, seat in enumerate(scene.seats) if seat.team == score.team]
    names = [name_text(scene.seats[index].name) for index in seats]
    space = (font_text("&").width + 20) * (len(names) - 1)
    if space + sum(name.width for name in names) > width:
        name_width = (width - space) / len(names)
        names = [
            shorten(name, name_width, ends[index]) for index, name in zip(seats, names, strict=True)
        ]
    return font_text(" & ".join(name.text for name in names))
