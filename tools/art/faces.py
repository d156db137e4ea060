"""Redraws the cards on the picture of a table: `python -m tools.art.faces`.

They are larger than the emojis and have the shape of real cards: rank and suit are in the upper
left corner, so that they stay visible below other cards. Development tool, needs Pillow.
"""

from __future__ import annotations

import io

from PIL import Image

from bot.art import names
from bot.pictures.art import CARD_HEIGHT, CARD_WIDTH, card_file
from tools.art import beasts
from tools.art.draw import EDGE, TEAL
from tools.art.shapes import Canvas, Place
from tools.art.symbols import FACE, INKS, SUITS

COLOURS = 64
BEASTS = {"DRAGON": beasts.dragon, "PHOENIX": beasts.phoenix, "DOG": beasts.dog}


def canvas() -> Canvas:
    """Return an empty canvas of the size of a card."""
    return Canvas(CARD_WIDTH, CARD_HEIGHT)


def blank() -> Canvas:
    """Return an empty card: ivory with a dark edge."""
    card = canvas()
    card.slab((0, 0, CARD_WIDTH - 0.2, CARD_HEIGHT - 0.2), 17, EDGE)
    card.slab((3.5, 3.5, CARD_WIDTH - 3.7, CARD_HEIGHT - 3.7), 14, FACE)
    return card


def face(card: str) -> Canvas:
    """Return the face of a card in notation."""
    drawn = blank()
    if card in BEASTS:
        beast = BEASTS[card]
        beast(drawn, Place(12, 16, 36))
        beast(drawn, Place(34, 76, 84))
    elif card == "MAHJONG":
        drawn.text("1", (14, 14, 36, 64), 11, TEAL)
        drawn.slab((13, 53.5, 43, 64), 5, TEAL)
        beasts.sparrow(drawn, Place(12, 74, 34))
        beasts.sparrow(drawn, Place(46, 92, 76))
    else:
        suit, rank = card[0], card[1:]
        if rank == "10":
            drawn.text(rank, (9, 14, 53, 64), 9.5, INKS[suit])
        else:
            drawn.text(rank, (12, 14, 48, 64), 11, INKS[suit])
        SUITS[suit](drawn, Place(13, 74, 34))
        SUITS[suit](drawn, Place(47, 94, 74))
    return drawn


def file_of(card: str) -> bytes:
    """Return the PNG file of a card in notation."""
    picture = face(card).finished()
    picture = picture.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    file = io.BytesIO()
    picture.save(file, "PNG", optimize=True)
    return file.getvalue()


def main() -> None:
    """Write all files."""
    for card in names.CARDS:
        card_file(card).parent.mkdir(exist_ok=True)
        card_file(card).write_bytes(file_of(card))


if __name__ == "__main__":
    main()
