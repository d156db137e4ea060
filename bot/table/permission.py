"""Who may do something at a table, and which buttons are stale.

Each command asks here once, under the lock of its table (`bot.table.commands`); so does whoever
only looks: at a hand with a choice begun on it, or at what an Expert would do.
"""

from __future__ import annotations

from datetime import datetime

from bot.errors import Reason, Refused, Stale
from bot.ids import Revision, UserId
from bot.table.presence import returned
from bot.table.state import Game, Lobby, OpenTable, TableState, play_to_beat
from engine import Combination, Seat

OWN: Seat = -2
"""In place of a seat: the own seat of whoever asks."""


def require_open(table: OpenTable) -> None:
    """`Refused` if the table is over."""
    if not table.open:
        raise Refused(Reason.TABLE_OVER)


def require_lobby(table: OpenTable) -> Lobby:
    """The lobby that this table is; `Refused` if it has begun to play, or is closed."""
    require_open(table)
    if not isinstance(table, Lobby):
        raise Refused(Reason.ALREADY_STARTED)
    return table


def require_game(table: OpenTable) -> Game:
    """The running game that this table is; `Refused` before its start and after its end."""
    require_open(table)
    if not isinstance(table, Game):
        raise Refused(Reason.NOT_STARTED)
    return table


def own_seat(table: TableState, user_id: UserId) -> Seat:
    """The seat on which this person sits; `Refused` if they do not sit there."""
    seat = table.seat_of(user_id)
    if seat is None:
        raise Refused(Reason.NOT_SEATED)
    return seat


def own_lobby(table: OpenTable, user_id: UserId) -> Lobby:
    """The lobby at which this person sits; `Refused` if they do not, or if it is no lobby."""
    lobby = require_lobby(table)
    own_seat(lobby, user_id)
    return lobby


def seated(
    table: OpenTable, user_id: UserId, seat: Seat = OWN, revision: Revision | None = None
) -> tuple[Game, Seat]:
    """The running game, and the seat that this person acts for.

    `revision` is the one that the button was made for, `None` if it does not matter. `Refused` if
    they do not sit there, nothing is played, or they do not decide for `seat`; `Stale` if
    `revision` is not that of the table.
    """
    chair = own_seat(table, user_id)
    game = require_game(table)
    if revision is not None and revision != game.revision:
        raise Stale
    if seat == OWN:
        return game, chair
    if seat not in game.seats_of_chair(chair):
        raise Refused(Reason.NOT_YOUR_HAND)
    return game, seat


def acting(
    table: OpenTable,
    user_id: UserId,
    now: datetime,
    seat: Seat = OWN,
    revision: Revision | None = None,
) -> tuple[Game, Seat]:
    """As `seated`, with this person there: whoever acts is not away."""
    game, seat = seated(table, user_id, seat, revision)
    return returned(game, user_id, now), seat


def bombs_on(
    table: OpenTable, user_id: UserId, seat: Seat, target: str
) -> tuple[Game, tuple[Combination, ...]]:
    """The running game, and the bombs that may be thrown on the play `target`.

    Raises what `seated` raises, and `Stale` unless it is still the play to beat.
    """
    game, seat = seated(table, user_id, seat)
    view = game.situation(seat).now
    if play_to_beat(view) != target:
        raise Stale
    return game, view.bombs
