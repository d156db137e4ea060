"""Draws a result card. Only the drawing process imports this module."""

from __future__ import annotations

from PIL import Image

from bot.pictures.canvas import CORNER, FELT, PALE, RIM, STRIP, WHITE, WOOD, WOOD_EDGE, Canvas
from bot.pictures.charts.points import lay_out_points
from bot.pictures.charts.sheet import PAPER
from bot.pictures.charts.sheet_picture import compose as compose_chart
from bot.pictures.palette import COLOURS, encode, palette_of
from bot.pictures.result.scene import CardLine, PlayShown, ResultCard
from bot.pictures.sprites import (
    CHECK,
    CROSS,
    CROWN,
    GREEN,
    RED,
    YELLOW,
    icon,
    polygon,
    shape,
    team_emoji,
)
from bot.pictures.table.layout import WIDTH, Box
from bot.pictures.table.middle import draw_row
from bot.pictures.table.plates import SIGN
from bot.pictures.typeface import LINE, font_text, name_text, shorten

HEADER = 72
"""Height of the strip with the game."""
EDGE = 26
"""Space between texts and the edges of the card."""
ROW = 118
"""Height of a team: names and total, and below them calls and bombs."""
PLAY = 150
"""Height of the cards of a play."""
RAIL = 14
"""Height of the wood at both edges of the felt with the play."""
GAP = 14
"""Space between the parts of the card."""


def draw_card(card: ResultCard) -> bytes:
    """Return the card as a PNG file, with its own colours."""
    image = compose(card)
    colours = image.quantize(COLOURS, Image.Quantize.FASTOCTREE).getpalette() or []
    return encode(image, palette_of(bytes(colours[: 3 * COLOURS])))


def compose(card: ResultCard) -> Image.Image:
    """Draw a card in full colour."""
    chart = compose_chart(lay_out_points(card.chart)) if card.chart else None
    play_height = PLAY + 2 * RAIL + 2 * GAP + 2 * LINE if card.play else 0
    straight_top = HEADER + GAP + ROW * len(card.lines)
    play_top = straight_top + (LINE + GAP if card.straight else 0)
    height = play_top + play_height + (chart.height if chart else CORNER)

    canvas = Canvas(Image.new("RGB", (WIDTH, height), RIM))
    canvas.put(shape(WIDTH - 4, height - 4, CORNER - 2, PAPER), 2, 2)
    canvas.put(shape(WIDTH - 4, 2 * CORNER, CORNER - 2, STRIP), 2, 2)
    canvas.put(shape(WIDTH - 4, HEADER - CORNER, 0, STRIP), 2, CORNER)
    canvas.write(shorten(font_text(card.heading), WIDTH - 2 * EDGE), EDGE, HEADER / 2)
    for n, line in enumerate(card.lines):
        _draw_line(canvas, line, HEADER + GAP + n * ROW)
    if card.straight:
        _draw_straight(canvas, card.straight, straight_top + LINE / 2)
    if card.play:
        _draw_play(canvas, card.play, play_top, play_height)
    if chart:  # without its own rim
        inner = chart.crop((3, CORNER, WIDTH - 3, chart.height - 3))
        canvas.image.paste(inner, (3, height - chart.height + CORNER))
    return canvas.image


def _draw_line(canvas: Canvas, line: CardLine, top: float) -> None:
    """Draw a team or player: crown, sign, names, total; calls and bombs below."""
    middle, left = top + LINE / 2 + 4, float(EDGE)
    if line.won:
        canvas.put(polygon(CROWN, SIGN, YELLOW), left, middle - SIGN / 2)
    left += SIGN + 10
    if line.team is not None:
        canvas.put(team_emoji(line.team, SIGN), left, middle - SIGN / 2)
        left += SIGN + 10
    total = font_text(line.total)
    canvas.write(total, WIDTH - EDGE - total.width, middle, YELLOW if line.won else WHITE)

    room = WIDTH - EDGE - total.width - 20 - left
    ampersand = font_text("&")
    step = ampersand.width + 20
    names_room = room - step * (len(line.names) - 1)
    names = [name_text(name) for name in line.names]
    if sum(name.width for name in names) > names_room:
        names = [shorten(name, names_room / len(names)) for name in names]
    name_left = left
    for n, name in enumerate(names):
        if n:
            canvas.write(ampersand, name_left + 10, middle, PALE)
            name_left += step
        canvas.write(name, name_left, middle)
        name_left += name.width
    _draw_facts(canvas, line, left, middle + LINE + 2)


def _draw_facts(canvas: Canvas, line: CardLine, left: float, middle: float) -> None:
    """Draw the calls that were made and failed, and the bombs."""
    for calls in line.calls:
        left = _draw_sign(canvas, icon("grand" if calls.grand else "tichu", 50), left, middle)
        for number, outline, colour in ((calls.made, CHECK, GREEN), (calls.failed, CROSS, RED)):
            if number:
                left = _write_number(canvas, number, left, middle)
                left = _draw_sign(canvas, polygon(outline, 34, colour), left, middle) + 6
        left += 24
    if line.bombs:
        left = _draw_sign(canvas, icon("bomb", 50), left, middle)
        _write_number(canvas, line.bombs, left, middle)


def _draw_sign(canvas: Canvas, image: Image.Image, left: float, middle: float) -> float:
    """Draw a sign; return the left edge of the next piece."""
    canvas.put(image, left, middle - image.height / 2)
    return left + image.width + 8


def _write_number(canvas: Canvas, number: int, left: float, middle: float) -> float:
    """Write a number; return the left edge of the next piece."""
    digits = font_text(str(number))
    canvas.write(digits, left, middle)
    return left + digits.width + 6


def _draw_straight(canvas: Canvas, straight: PlayShown, middle: float) -> None:
    """Write the longest straight: heading, player, combination."""
    heading, text = font_text(straight.heading), font_text(straight.text)
    canvas.write(heading, EDGE, middle, PALE)
    canvas.write(text, WIDTH - EDGE - text.width, middle)
    left = EDGE + heading.width + 24
    if straight.team is not None:
        canvas.put(team_emoji(straight.team, SIGN), left, middle - SIGN / 2)
        left += SIGN + 8
    canvas.write(
        shorten(name_text(straight.name), WIDTH - EDGE - text.width - 24 - left), left, middle
    )


def _draw_play(canvas: Canvas, play: PlayShown, top: float, height: float) -> None:
    """Draw the play on felt, with its heading above and its player below."""
    canvas.put(shape(WIDTH - 4, round(height), 0, FELT), 2, top)
    for edge in (top, top + height - RAIL):
        canvas.put(shape(WIDTH - 4, RAIL, 0, WOOD_EDGE), 2, edge)
        canvas.put(shape(WIDTH - 4, RAIL - 6, 0, WOOD), 2, edge + 3)
    room = WIDTH - 2 * EDGE
    heading = shorten(font_text(play.heading), room)
    canvas.write(heading, (WIDTH - heading.width) / 2, top + RAIL + GAP + LINE / 2 - 6, PALE)
    cards_top = top + RAIL + GAP + LINE - 6
    draw_row(canvas, play.cards, Box(EDGE, cards_top, room, PLAY), cards_top, PLAY)

    # the team, the name and the combination in the middle of the line below
    text = shorten(font_text(play.text), room * 0.6)
    sign_width = 0 if play.team is None else SIGN + 8
    name = shorten(name_text(play.name), room - text.width - sign_width - 30)
    left = (WIDTH - sign_width - name.width - 24 - text.width) / 2
    middle = cards_top + PLAY + LINE / 2 + 8
    if play.team is not None:
        canvas.put(team_emoji(play.team, SIGN), left, middle - SIGN / 2)
    canvas.write(name, left + sign_width, middle)
    canvas.write(text, left + sign_width + name.width + 24, middle, PALE)
