"""Permissions at a table, and checks for stale buttons.

Each command checks them once, under the lock of its table (`bot.table.commands`). So do read-only
requests, for a hand with a half-made choice or for an Expert's advice.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bot.errors import Reason, Refused, Stale
from bot.ids import Revision, UserId
from bot.table.presence import mark_present
from bot.table.state import Game, Lobby, OpenTable, TableState, play_to_beat_id
from engine import Combination, Seat

OWN_SEAT: Seat = -2
"""Sentinel: the caller's own seat."""


def require_open(table: OpenTable) -> None:
    """Raise `Refused` if the table is over."""
    if not table.open:
        raise Refused(Reason.TABLE_OVER)


def require_lobby(table: OpenTable) -> Lobby:
    """Return the table as a lobby; raise `Refused` if it is none."""
    require_open(table)
    if not isinstance(table, Lobby):
        raise Refused(Reason.ALREADY_STARTED)
    return table


def require_game(table: OpenTable) -> Game:
    """Return the table as a running game; raise `Refused` if it is none."""
    require_open(table)
    if not isinstance(table, Game):
        raise Refused(Reason.NOT_STARTED)
    return table


def own_seat(table: TableState, user_id: UserId) -> Seat:
    """Return the seat of this person; raise `Refused` without one."""
    seat = table.seat_of(user_id)
    if seat is None:
        raise Refused(Reason.NOT_SEATED)
    return seat


def may_sit(table: OpenTable, user_id: UserId) -> bool:
    """Return whether this person may sit here; at some tables of events not everybody may."""
    event = table.options.event
    return event is None or not event.entrants_only or user_id in table.invitations.entrants


def seats_for(table: OpenTable, user_id: UserId) -> Sequence[Seat]:
    """Return the seats in which this person may sit: those of their side, or else all."""
    for side, team in zip(table.invitations.sides, table.options.teams, strict=False):
        if user_id in side:
            return team
    return range(len(table.chairs))


def require_entrant(table: OpenTable, user_id: UserId) -> None:
    """Raise `Refused` if only other people may sit at this table of an event."""
    if not may_sit(table, user_id):
        raise Refused(Reason.ENTRANTS_ONLY)


def own_lobby(table: OpenTable, user_id: UserId) -> Lobby:
    """Return the lobby of this person; raise `Refused` without one."""
    lobby = require_lobby(table)
    own_seat(lobby, user_id)
    return lobby


def acting_seat(
    table: OpenTable,
    user_id: UserId,
    seat: Seat = OWN_SEAT,
    revision: Revision | None = None,
    *,
    present_at: datetime | None = None,
) -> tuple[Game, Seat]:
    """Return the running game, and the seat that this person acts for.

    `revision` is the revision of the button, or `None` if it does not matter. If `present_at` is
    given, the person is marked as present at that time. Raises `Refused` if they do not sit there,
    if no match is running, or if they do not decide for `seat`. Raises `Stale` if the table has
    another revision.
    """
    chair = own_seat(table, user_id)
    game = require_game(table)
    if revision is not None and revision != game.revision:
        raise Stale(ahead=revision > game.revision)
    if seat == OWN_SEAT:
        seat = chair
    elif seat not in game.seats_of_chair(chair):
        raise Refused(Reason.NOT_YOUR_HAND)
    return (game if present_at is None else mark_present(game, user_id, present_at)), seat


def bombs_on(
    table: OpenTable, user_id: UserId, seat: Seat, target: str
) -> tuple[Game, tuple[Combination, ...]]:
    """Return the running game, and the possible bombs on `target`.

    Raises the errors of `acting_seat`, and `Stale` unless `target` is still the play to beat.
    """
    game, seat = acting_seat(table, user_id, seat)
    view = game.situation(seat).current
    if play_to_beat_id(view) != target:
        raise Stale
    return game, view.bombs
