"""Games made from a table and a match."""

from __future__ import annotations

from bot.table.state import Lobby, past_game
from tests.bot.states import state
from tests.engine.positions import table

TURN = table("TURN B", trick="A S8")
WINDOW = table("WINDOW B", trick="A S8,P8", hands={"B": "S9 P9 +5"})


def test_past_game_has_default_details() -> None:
    played = state(TURN, revision=9, details={"away": (1,), "auto_pass": (2,)}, status="stopped")
    lobby = Lobby(**{name: getattr(played, name) for name in KNOWN})
    for known in (played, lobby):
        found = past_game(known, WINDOW)
        assert found == state(WINDOW, status="stopped")


KNOWN = (
    *("id", "guild_id", "channel_id", "parent_channel_id", "host_id"),
    *("status", "options", "chairs", "created_at"),
)
