"""The table picture of a position in a lesson."""

from __future__ import annotations

from bot.ids import UserId
from bot.pictures.table.contents import table_scene
from bot.pictures.table.scene import TableScene
from bot.table.private_game import game_without_table
from bot.table.state import Chair
from bot.text.cards import Speaker
from cogs.pages.lessons.table import lesson_name
from engine import Match

LESSON_FILE = "table.png"
"""The name of the attachment with the picture."""


def lesson_scene(match: Match, words: Speaker) -> TableScene:
    """Return the scene of a lesson's position, which is drawn like that of a table."""
    seats = range(match.variant.chair_count(match.options))
    chairs = [
        Chair(
            seat=seat, kind="person", user_id=UserId(seat + 1), name=lesson_name(match, seat, words)
        )
        for seat in seats
    ]
    return table_scene(game_without_table(match, chairs), words)
