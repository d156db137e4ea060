"""What somebody chooses about their own game while they sit at a table."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.ids import UserId
from bot.records import PersonalSettings
from bot.table.commands.base import Command, Context
from bot.table.deadlines import rescheduled
from bot.table.outcome import Outcome, noted
from bot.table.permission import own_seat, require_game
from bot.table.personal import with_settings
from bot.table.state import OpenTable


@dataclass(frozen=True, slots=True)
class FollowSettings(Command):
    """Let a running match follow what this person has chosen in `/tichu settings`."""

    settings: PersonalSettings

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome | None:
        """The game that knows it; `None` if nothing of it concerns the game.

        Whoever is on turn passes by themselves from now on, or no longer. A limit that runs already
        stays as it is: longer ones begin with the next turn.
        """
        game = require_game(table)
        chair = game.chairs[own_seat(game, user_id)]
        notes = with_settings(game.notes, chair, self.settings)
        if notes == game.notes:
            return None
        after = replace(game, notes=notes)
        return noted(rescheduled(after, after, context.now))
