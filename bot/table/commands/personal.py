"""Command to apply changed personal settings at a table."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.ids import UserId
from bot.records import PersonalSettings
from bot.table.commands.base import Command, Context
from bot.table.deadlines import reschedule
from bot.table.outcome import Outcome, details_only
from bot.table.permission import own_seat, require_game
from bot.table.personal import with_settings
from bot.table.state import OpenTable


@dataclass(frozen=True, slots=True)
class FollowSettings(Command):
    """Command to apply a person's settings from `/tichu settings` to a running match."""

    settings: PersonalSettings

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome | None:
        """Return the game with these settings, or `None` if unaffected.

        Automatic passes apply at once, also to the current turn. A turn limit that is running stays
        unchanged; a longer one begins with the next turn.
        """
        game = require_game(table)
        chair = game.chairs[own_seat(game, user_id)]
        notes = with_settings(game.notes, chair, self.settings)
        if notes == game.notes:
            return None
        after = replace(game, notes=notes)
        return details_only(reschedule(after, after, context.now))
