"""Draws the middle of a table: plays, captions, notes, and the points of a round."""

from __future__ import annotations

from bot.pictures.easel import PALE, PILL, SHADE, WHITE, Easel
from bot.pictures.sprites import CROWN, YELLOW, back, card, icon, polygon, shaded, team_sign
from bot.pictures.table.layout import Box, Layout
from bot.pictures.table.plates import GAP, SIGN
from bot.pictures.table.scene import NAME, Caption, Score, TableScene
from bot.pictures.typeface import LINE, Written, shortened, wrapped, written, written_name

CARD = 186
"""The height of the cards to beat."""
SMALL_CARD = 134
"""Their height when they lie in two rows."""
BEFORE = 112
"""The height of the cards that were beaten."""
DECK = 140
"""The height of the cards of the deck."""
PEEK = 50
"""How much of these is seen."""
MOST_IN_A_ROW = 8
BELOW_CALLS = 240
"""From the top of the middle to where no call of those at the sides reaches."""
INSET = 28
"""The space beside rows of points."""
LEAST_NAME = 220
"""The width that a name has at least in a line with other words."""
NOTE = 52
"""The height of a note."""


def draw_middle(easel: Easel, scene: TableScene, where: Layout) -> None:
    """Draw all of it."""
    middle = scene.middle
    box = where.texts
    if middle.scores:
        # Calls of those at the sides reach into the upper half.
        box, top = where.cards, where.cards.top + 16
    elif middle.cards:
        top = _plays(easel, middle.cards, middle.before, where.cards)
    else:
        top = _space_above(easel, scene, where)
    for number, caption in enumerate(middle.captions):
        top = _caption(easel, scene, caption, box, top, most=2 if number == 0 else 1)
    if middle.notes:
        _notes(easel, scene, box, top + 6)
    rows = len(middle.scores)
    top = max(top, box.bottom - 4 - rows * LINE - (LINE if rows < 3 else 0))
    for score in middle.scores:
        _score(easel, scene, score, where.texts, top + LINE / 2)
        top += LINE


def _space_above(easel: Easel, scene: TableScene, where: Layout) -> float:
    """Draw the deck while cards are dealt and passed. Returns where captions begin."""
    box, middle = where.texts, scene.middle
    lines = len(middle.captions) * LINE + (NOTE if middle.notes else 0)
    marks = {seat.mark for seat in scene.seats}
    if marks & {"waiting", "ready"} and "turn" not in marks:
        top = box.top + max(0, (box.height - DECK - PEEK / 2 - lines) / 2)
        image = back(DECK * 132 // 186, DECK)
        for n in (-1, 0, 1):
            easel.put(image, box.centre + 34 * n - image.width / 2, top)
        return top + DECK + PEEK / 2
    calls = BELOW_CALLS if box.width > where.cards.width else 0
    return box.top + max(calls, (box.height - lines) / 2)


def _plays(easel: Easel, cards: tuple[str, ...], before: tuple[str, ...], box: Box) -> float:
    """Draw the play to beat, and above it the upper edge of the play before it.

    Returns where the next line begins.
    """
    top = box.top + PEEK
    if before:
        _row(easel, before, box, box.top, BEFORE, dark=True)
    if len(cards) <= MOST_IN_A_ROW:
        _row(easel, cards, box, top, CARD)
    else:
        half = (len(cards) + 1) // 2
        _row(easel, cards[:half], box, top - 16, SMALL_CARD)
        _row(easel, cards[half:], box, top + CARD - SMALL_CARD, SMALL_CARD)
    return top + CARD + 10


def _row(
    easel: Easel, cards: tuple[str, ...], box: Box, top: float, height: int, *, dark: bool = False
) -> None:
    """Draw cards that lie on one another, from left to right."""
    faces = [shaded(name, height) if dark else card(name, height) for name in cards]
    width = faces[0].width
    step = min(width * 0.72, (box.width - width) / max(1, len(faces) - 1))
    left = box.centre - (width + step * (len(faces) - 1)) / 2
    if not dark:
        whole = width + step * (len(faces) - 1)
        easel.slab(left - 3, top - 1, whole + 6, height + 7, radius=16, fill=SHADE)
    for number, face in enumerate(faces):
        easel.put(face, left + number * step, top)


def _caption(
    easel: Easel, scene: TableScene, caption: Caption, box: Box, top: float, most: int
) -> float:
    """Write a caption of at most so many lines; returns where the next line begins."""
    if caption.named is None:
        for line in wrapped(caption.text, box.width, most):
            easel.write(line, box.centre - line.width / 2, top + LINE / 2)
            top += LINE
        return top
    seat = scene.seats[caption.named]
    before, _, after = caption.text.partition(NAME)
    full = written_name(seat.name).width
    if written(before).width + written(after).width > box.width - min(full, LEAST_NAME):
        # The name has a line of its own, the other words the next one.
        alone = Caption(text=NAME, named=caption.named)
        top = _caption(easel, scene, alone, box, top, most=1)
        return _caption(easel, scene, Caption(text=f"{before} {after}"), box, top, most=1)
    parts = [written(before), written(after)]
    sign = team_sign(seat.team, SIGN) if seat.team is not None else None
    used = sum(part.width + 10 for part in parts if part.text) + (sign.width + GAP if sign else 0)
    name = shortened(written_name(seat.name), max(60.0, box.width - used))
    left = box.centre - (used + name.width) / 2
    middle = top + LINE / 2
    if parts[0].text:
        easel.write(parts[0], left, middle, PALE)
        left += parts[0].width + 10
    if sign:
        easel.put(sign, left, middle - sign.height / 2)
        left += sign.width + GAP
    easel.write(name, left, middle, WHITE)
    easel.write(parts[1], left + name.width + 10, middle, PALE)
    return top + LINE


def _notes(easel: Easel, scene: TableScene, box: Box, top: float) -> None:
    """Draw the notes beside one another."""
    pieces: list[tuple[str, Written]] = [
        (note.icon, shortened(written(note.text), box.width / 2)) for note in scene.middle.notes
    ]
    widths = [text.width + 32 + (48 if sign else 0) for sign, text in pieces]
    left = box.centre - (sum(widths) + GAP * (len(widths) - 1)) / 2
    for (sign, text), width in zip(pieces, widths, strict=True):
        easel.slab(left, top, width, NOTE, radius=NOTE // 2, fill=PILL)
        at = left + 16
        if sign:
            easel.put(icon(sign, 44), left + 10, top + (NOTE - 44) / 2)
            at += 44
        easel.write(text, at, top + NOTE / 2)
        left += width + GAP


def _score(easel: Easel, scene: TableScene, score: Score, box: Box, middle: float) -> None:
    """Write the points of a round and the total in a row: crown, sign, names, points, total."""
    change, total = written(score.change), written(score.total)
    left, right = box.left + INSET, box.right - INSET
    if score.won:
        easel.put(polygon(CROWN, SIGN, YELLOW), left, middle - SIGN / 2)
    left += SIGN + 10
    if score.team is not None:
        easel.put(team_sign(score.team, SIGN), left, middle - SIGN / 2)
    left += SIGN + 10
    arrow = written("→")
    at = right - total.width
    easel.write(total, at, middle, YELLOW if score.won else WHITE)
    at = right - 180
    easel.write(arrow, at, middle, PALE)
    at -= change.width + 12
    easel.write(change, at, middle, PALE)
    easel.write(_names(scene, score, right - 310 - left), left, middle)


def _names(scene: TableScene, score: Score, width: float) -> Written:
    """The names of those whose points these are, at most so wide."""
    if score.holder is not None:
        return shortened(written_name(scene.seats[score.holder].name), width)
    names = [written_name(seat.name) for seat in scene.seats if seat.team == score.team]
    joint = written("&")
    space = joint.width + 20
    each = (width - space * (len(names) - 1)) / len(names)
    if space * (len(names) - 1) + sum(name.width for name in names) > width:
        names = [shortened(name, each) for name in names]
    return written(" & ".join(name.text for name in names))
