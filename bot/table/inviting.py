"""Invitations to a lobby: each guest once, and none against their settings.

All permissions for invitations are defined here. Commands check them under the lock of the table,
and the page behind **Invite** checks them before an invitation is counted.

Pure functions from one lobby to the next; they raise `Refused` if the action is not possible. All
other members of a server are invited through a role, which is mentioned once a lobby.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from bot.errors import Reason, Refused
from bot.ids import RoleId, UserId
from bot.records import PersonalSettings
from bot.table.deadlines import lobby_deadline
from bot.table.permission import own_lobby
from bot.table.quiet_hours import quiet_until
from bot.table.state import Lobby, OpenTable


class Guest(NamedTuple):
    """A member of the server to be invited, with data from Discord."""

    id: UserId
    """Id of the user."""
    name: str
    """Display name on the server, as text that is safe to show."""
    is_bot: bool = False
    """True for another application, which cannot play."""
    sees: bool = True
    """True if they can see the channel of the table."""


def wants_invitations(settings: PersonalSettings, now: datetime) -> bool:
    """Return whether these settings allow an invitation now."""
    return settings.invitations and quiet_until(settings, now) is None


def may_invite(table: OpenTable, user_id: UserId) -> Lobby:
    """Return the lobby if this person may invite, else raise `Refused`.

    They must sit there themselves, and there must be room for another person.
    """
    lobby = own_lobby(table, user_id)
    if not lobby.room:
        raise Refused(Reason.TABLE_FULL)
    return lobby


def check_guest(
    lobby: Lobby,
    guest: Guest,
    settings: PersonalSettings,
    now: datetime,
    pay: Callable[[], None] | None = None,
) -> None:
    """Raise `Refused` unless this guest may be invited now.

    `settings` are the guest's. Public facts are checked first. Then `pay` is called, which may
    raise `Refused`, too. The guest's settings are checked last, so that learning them always costs
    an invitation.
    """
    if guest.is_bot:
        raise Refused(Reason.MEMBER_IS_BOT, name=guest.name)
    if lobby.seat_of(guest.id) is not None:
        raise Refused(Reason.MEMBER_SEATED, name=guest.name)
    if guest.id in lobby.invitations.members:
        raise Refused(Reason.INVITED_ALREADY, name=guest.name)
    if not guest.sees:
        raise Refused(Reason.SEES_NO_CHANNEL, name=guest.name)
    if pay is not None:
        pay()
    if not wants_invitations(settings, now):
        raise Refused(Reason.NOT_TO_BE_INVITED, name=guest.name)


def invite_members(lobby: Lobby, guests: Sequence[Guest], now: datetime) -> Lobby:
    """Return the lobby with these guests invited, and its deadline extended."""
    members = (*lobby.invitations.members, *(guest.id for guest in guests))
    return _kept_open(lobby.with_invitations(members=members), now)


def invite_role(lobby: Lobby, role_id: RoleId, now: datetime) -> Lobby:
    """Return the lobby with the members of this role invited."""
    if lobby.invitations.role_id is not None:
        raise Refused(Reason.ROLE_CALLED_ALREADY)
    return _kept_open(lobby.with_invitations(role_id=role_id), now)


def _kept_open(lobby: Lobby, now: datetime) -> Lobby:
    return lobby.with_timers(
        deadlines={**lobby.timers.deadlines, **lobby_deadline(lobby.options, now)}
    )
