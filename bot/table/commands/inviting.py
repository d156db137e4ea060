"""Commands that invite members or a role to a lobby."""

from __future__ import annotations

from dataclasses import dataclass

from bot.ids import RoleId, UserId
from bot.table import inviting
from bot.table.commands.base import Command, Context
from bot.table.inviting import Guest
from bot.table.outcome import Outcome, details_only
from bot.table.state import OpenTable


@dataclass(frozen=True, slots=True)
class Invite(Command):
    """Command to invite members of the server, all or none."""

    guests: tuple[Guest, ...]

    needs_settings = True

    @property
    def others(self) -> tuple[UserId, ...]:
        """User ids of the guests."""
        return tuple(guest.id for guest in self.guests)

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """Return the lobby with these invitations."""
        lobby = inviting.may_invite(table, user_id)
        for guest in self.guests:
            inviting.check_guest(lobby, guest, context.settings_of(guest.id), context.now)
        return details_only(inviting.invite_members(lobby, self.guests, context.now))


@dataclass(frozen=True, slots=True)
class InviteRole(Command):
    """Command to invite the role that the server has chosen for invitations."""

    role_id: RoleId

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """Return the lobby with the role invited."""
        lobby = inviting.may_invite(table, user_id)
        return details_only(inviting.invite_role(lobby, self.role_id, context.now))
