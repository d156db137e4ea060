"""Who is invited to a lobby: everybody once, and nobody who does not want it.

Who may invite and who may be invited stands here alone: the commands ask it under the lock of the
table, and the page behind **Invite** before it counts an invitation.

Pure functions from a lobby to the next; `Refused` when it is not possible. The rest of a server is
invited through a role, which is mentioned once a lobby.
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
    """A member of the server who is to be invited, as Discord tells of them."""

    id: UserId
    """The user."""
    name: str
    """What they are called on the server, as text that is safe to show."""
    is_bot: bool = False
    """Whether it is another application, which cannot play."""
    sees: bool = True
    """Whether they see the channel of the table."""


def wants_invitations(settings: PersonalSettings, now: datetime) -> bool:
    """Whether somebody who has chosen this may be called to a table now."""
    return settings.invitations and quiet_until(settings, now) is None


def may_invite(table: OpenTable, user_id: UserId) -> Lobby:
    """The lobby to which this person may invite others now; `Refused` if there is none.

    They sit there themselves, and somebody can still sit down.
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
    """`Refused` unless this guest may be invited now; `settings` are what they have chosen.

    What everybody can see is looked at first. Then `pay` is called, which may refuse, too. What the
    guest wants comes last: whoever learns that has paid for it.
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


def invited(lobby: Lobby, guests: Sequence[Guest], now: datetime) -> Lobby:
    """The lobby to which these guests are invited; it stays open long enough for them to come."""
    members = (*lobby.invitations.members, *(guest.id for guest in guests))
    return _kept_open(lobby.with_invitations(members=members), now)


def role_called(lobby: Lobby, role_id: RoleId, now: datetime) -> Lobby:
    """The lobby to which those who hold this role are invited."""
    if lobby.invitations.role_id is not None:
        raise Refused(Reason.ROLE_CALLED_ALREADY)
    return _kept_open(lobby.with_invitations(role_id=role_id), now)


def _kept_open(lobby: Lobby, now: datetime) -> Lobby:
    return lobby.with_timers(
        deadlines={**lobby.timers.deadlines, **lobby_deadline(lobby.options, now)}
    )
