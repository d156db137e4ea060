"""The table picture of a position in a lesson."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.pictures.table.contents import table_scene
from bot.pictures.table.scene import TableScene
from bot.table.options import TableOptions
from bot.table.state import Chair, Game
from bot.text.cards import Speaker
from cogs.pages.lessons.table import lesson_name
from engine import Match

LESSON_FILE = "table.png"
"""The name of the attachment with the picture."""


def lesson_scene(match: Match, words: Speaker) -> TableScene:
    """Return the scene of a lesson's position, which is drawn like that of a table."""
    seats = range(match.variant.chair_count(match.options))
    chairs = tuple(
        Chair(
            seat=seat, kind="person", user_id=UserId(seat + 1), name=lesson_name(match, seat, words)
        )
        for seat in seats
    )
    game = Game(
        id=TableId(0),
        guild_id=GuildId(0),
        channel_id=ChannelId(0),
        parent_channel_id=None,
        host_id=UserId(1),
        status="playing",
        options=TableOptions(rules=match.options),
        chairs=chairs,
        created_at=datetime.min.replace(tzinfo=UTC),
        match=match,
        seq=0,
    )
    return table_scene(game, words)
