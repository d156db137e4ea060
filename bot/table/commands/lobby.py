"""Commands in a lobby: sit down, stand up, arrange seats, choose options, invite, start."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar

from bot.errors import Reason, Refused, Stale
from bot.ids import Revision, RoleId, UserId
from bot.records import Change
from bot.table import inviting, lobby
from bot.table.batch import Batch
from bot.table.closing import stop_outcome
from bot.table.commands.base import Command, Context
from bot.table.dealing import next_deal
from bot.table.inviting import Guest
from bot.table.outcome import Outcome, details_only, write_details
from bot.table.permission import require_lobby
from bot.table.personal import first_notes
from bot.table.state import Lobby, OpenTable
from engine import Seat


class _InLobby(Command):
    """Base of commands that change the chairs or the options of a lobby."""

    __slots__ = ()

    at_events: ClassVar[bool] = False
    """True if the command is possible at the table of an event."""

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome | None:
        """Return the changed lobby, or `None` if it does not change."""
        before = require_lobby(table)
        if before.options.event is not None and not self.at_events:
            raise Refused(Reason.TABLE_OF_EVENT)
        changed = self.changed(before, user_id)
        if changed == before:
            return None
        after = lobby.renew(changed, context.now)
        change = Change(
            seats=after.seat_records(),
            host_id=after.host_id,
            details=write_details(after),
            options=after.options.model_dump_json() if after.options != before.options else None,
            status=after.status,
            ended_at=context.now if after.status == "expired" else None,
        )
        return Outcome(after, change)

    @abstractmethod
    def changed(self, table: Lobby, user_id: UserId) -> Lobby:
        """Return the lobby after the command, unchanged if there is nothing to do."""


@dataclass(frozen=True, slots=True)
class Join(_InLobby):
    """Command to sit down at the table, or in one of its teams."""

    name: str
    team: int | None = None

    at_events = True

    def changed(self, table: Lobby, user_id: UserId) -> Lobby:
        """Return the lobby with this person."""
        return lobby.join(table, user_id, self.name, self.team)


@dataclass(frozen=True, slots=True)
class Leave(_InLobby):
    """Command to stand up."""

    at_events = True

    def changed(self, table: Lobby, user_id: UserId) -> Lobby:
        """Return the lobby without this person."""
        return lobby.leave(table, user_id)


@dataclass(frozen=True, slots=True)
class CheckIn(_InLobby):
    """Command to be there, at the table of an event."""

    at_events = True

    def changed(self, table: Lobby, user_id: UserId) -> Lobby:
        """Return the lobby with this person there."""
        return lobby.check_in(table, user_id)


@dataclass(frozen=True, slots=True)
class ReplaceHost(_InLobby):
    """Command to free the chair of a host who has left the server; the next person becomes host."""

    host_id: UserId

    at_events = True

    def changed(self, table: Lobby, user_id: UserId) -> Lobby:
        """Return the lobby without this host, unchanged if the host is another one by now."""
        return lobby.leave(table, self.host_id) if table.host_id == self.host_id else table


@dataclass(frozen=True, slots=True)
class Fill(_InLobby):
    """Command to add the computer players that are needed for a start."""

    def changed(self, table: Lobby, user_id: UserId) -> Lobby:
        """Return the lobby with as many players as the game needs."""
        return lobby.fill(table, user_id)


@dataclass(frozen=True, slots=True)
class ChangeOption(_InLobby):
    """Command to set an option; both texts are those of `TableOptions.changed`."""

    name: str
    value: str

    def changed(self, table: Lobby, user_id: UserId) -> Lobby:
        """Return the lobby with this option."""
        return lobby.change_option(table, user_id, self.name, self.value)


@dataclass(frozen=True, slots=True)
class ChangeOptions(_InLobby):
    """Command to set several options, chosen when the options had this digest."""

    choices: tuple[tuple[str, str], ...]
    digest: str

    def changed(self, table: Lobby, user_id: UserId) -> Lobby:
        """Return the lobby with these options."""
        return lobby.change_options(table, user_id, self.choices, self.digest)


def _require_revision(table: Lobby, revision: Revision) -> Lobby:
    """Return the lobby; raise `Stale` unless it has the revision of the button."""
    if table.revision != revision:
        raise Stale
    return table


@dataclass(frozen=True, slots=True)
class AddComputer(_InLobby):
    """Command to put a computer player on a free chair, chosen at this revision."""

    seat: Seat
    revision: Revision

    def changed(self, table: Lobby, user_id: UserId) -> Lobby:
        """Return the lobby with the computer player."""
        return lobby.add_computer(_require_revision(table, self.revision), user_id, self.seat)


@dataclass(frozen=True, slots=True)
class Remove(_InLobby):
    """Command to free another player's chair, chosen at this revision."""

    seat: Seat
    revision: Revision

    def changed(self, table: Lobby, user_id: UserId) -> Lobby:
        """Return the lobby without that player."""
        return lobby.remove(_require_revision(table, self.revision), user_id, self.seat)


@dataclass(frozen=True, slots=True)
class SwapSeats(_InLobby):
    """Command to exchange two chairs, chosen at this revision."""

    first: Seat
    second: Seat
    revision: Revision

    def changed(self, table: Lobby, user_id: UserId) -> Lobby:
        """Return the lobby with these two chairs exchanged."""
        return lobby.swap(_require_revision(table, self.revision), user_id, self.first, self.second)


@dataclass(frozen=True, slots=True)
class Start(Command):
    """Command to start the match and deal its first round.

    With `fill` computer players take the seats that are still needed.
    """

    fill: bool = False

    needs_ratings = True
    needs_settings = True

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """Return the new game."""
        before = require_lobby(table)
        filled = lobby.fill(before, user_id) if self.fill else before
        lobby.check_start(filled, user_id)
        complete = lobby.without_empty_chairs(filled)
        deal = next_deal(complete, context.draw, context.prepare(complete))
        complete = replace(complete, deal=deal.secrets)
        notes = first_notes(complete.chairs, context.settings)
        batch = Batch.start(
            complete, context.now, deal.first_dealer, deal.source, context.ratings, notes
        )
        outcome = batch.finish()
        update: dict[str, object] = {
            "seats": outcome.after.seat_records(),
            "host_id": complete.host_id,
        }
        if complete.options != before.options:
            update["options"] = complete.options.model_dump_json()
        return outcome._replace(change=outcome.change.model_copy(update=update))


@dataclass(frozen=True, slots=True)
class CloseLobby(Command):
    """Command to close the lobby of an event that has no use for it any more."""

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """Return the closed lobby."""
        return stop_outcome(require_lobby(table), context.now)


@dataclass(frozen=True, slots=True)
class MoveDeadline(_InLobby):
    """Command to close the lobby of a turn-based event at another time (`EventLink.until`)."""

    until: datetime

    at_events = True

    def changed(self, table: Lobby, user_id: UserId) -> Lobby:
        """Return the lobby with that time."""
        if table.options.event is None:
            raise Refused(Reason.UNKNOWN_BUTTON)
        event = table.options.event.model_copy(update={"until": self.until})
        return replace(table, options=table.options.model_copy(update={"event": event}))


@dataclass(frozen=True, slots=True)
class Admit(Command):
    """Command to let these people of an event sit at its table, by side."""

    sides: tuple[tuple[UserId, ...], ...]

    @property
    def others(self) -> tuple[UserId, ...]:
        """User ids of these people."""
        return tuple(user_id for side in self.sides for user_id in side)

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """Return the table with these people in place of those who played for the sides."""
        event, before = table.options.event, table.invitations
        if event is None or not event.entrants_only:
            raise Refused(Reason.UNKNOWN_BUTTON)
        replaced = {each for side in before.sides for each in side}
        others = (each for each in before.entrants if each not in replaced)
        entrants = tuple(dict.fromkeys((*self.others, *others)))
        return details_only(table.with_invitations(entrants=entrants, sides=self.sides))


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
