"""Invitations to a lobby, free seats, and tables that wait for a person.

All permissions for invitations are defined here. Commands check them under the lock of the table,
and the page behind **Invite** checks them before an invitation is counted.

Pure functions from one lobby to the next; they raise `Refused` if the action is not possible.
Members are invited one by one, or all together by a role, mentioned at most once per lobby.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from bot.errors import Reason, Refused
from bot.ids import RoleId, UserId
from bot.records import Count, PersonalSettings
from bot.table.deadlines import lobby_deadline
from bot.table.interruptions import awaited_users
from bot.table.permission import may_sit, own_lobby
from bot.table.quiet_hours import quiet_until
from bot.table.seats import free_seats
from bot.table.state import Game, Lobby, OpenTable
from engine import Seat


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

    They must sit there themselves, and there must be room for another person. Nobody is invited to
    the table of an event, for which people have signed up.
    """
    lobby = own_lobby(table, user_id)
    if lobby.options.event is not None:
        raise Refused(Reason.TABLE_OF_EVENT)
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

    `settings` are the guest's. Public facts are checked first. Then `pay` is called, which counts
    the invitation and may raise `Refused`, too. The guest's settings are checked last, so that a
    user cannot find them out without using up an invitation.
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
    return _with_extended_deadline(lobby.with_invitations(members=members), now)


def invite_role(lobby: Lobby, role_id: RoleId, now: datetime) -> Lobby:
    """Return the lobby with the members of this role invited."""
    if lobby.invitations.role_id is not None:
        raise Refused(Reason.ROLE_CALLED_ALREADY)
    return _with_extended_deadline(lobby.with_invitations(role_id=role_id), now)


def _with_extended_deadline(lobby: Lobby, now: datetime) -> Lobby:
    return lobby.with_timers(
        deadlines={**lobby.timers.deadlines, **lobby_deadline(lobby.options, now)}
    )


def available_seat_count(table: OpenTable, user_id: UserId) -> Count:
    """Return the number of seats that this newcomer can take or reserve.

    A paused round has none, because it may never end.
    """
    if not isinstance(table, Game):
        return table.room if may_sit(table, user_id) else 0
    if not table.running or (table.timers.paused and not table.between_rounds):
        return 0
    return len(free_seats(table, user_id))


def is_awaited(table: OpenTable, user_id: UserId) -> bool:
    """Return whether this person must act before play can go on."""
    if not isinstance(table, Game) or not table.running or table.timers.paused:
        return False
    return user_id in awaited_users(table)


def turn_end(table: OpenTable, user_id: UserId) -> datetime | None:
    """Return the end of this person's turn, if it has one."""
    if not is_awaited(table, user_id):
        return None
    turn = table.timers.turns.get(table.seat_of(user_id) or 0)
    return turn.until if turn is not None else table.timers.deadlines.get("turn")


def computer_partners(game: Game, own: Seat | None) -> tuple[Seat, ...]:
    """Return the seats of this person's partners that a newcomer could take.

    In a game without fixed partners there are none, because the next round changes them. Nor are
    there any at a table that is only for the people of an event.
    """
    event = game.options.event
    if event is not None and event.entrants_only:
        return ()
    free = free_seats(game)
    team = next((seats for seats in game.options.teams if own in seats), ())
    return tuple(seat for seat in team if seat in free) if game.running else ()
