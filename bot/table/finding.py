"""Search for free seats, and for tables that wait for a person."""

from __future__ import annotations

from datetime import datetime

from bot.ids import UserId
from bot.records import Count
from bot.table.interruptions import awaited_users
from bot.table.seats import free_seats
from bot.table.state import Game, OpenTable
from engine import Seat


def seats_to_take(table: OpenTable, user_id: UserId) -> Count:
    """Return the number of seats that this newcomer can have.

    There is none in a paused round, which may never go on.
    """
    if not isinstance(table, Game):
        return table.room
    if not table.running or (table.timers.paused and not table.between_rounds):
        return 0
    return len(free_seats(table, user_id))


def waits_for(table: OpenTable, user_id: UserId) -> bool:
    """Return whether this person must act before play can go on."""
    if not isinstance(table, Game) or not table.running or table.timers.paused:
        return False
    return user_id in awaited_users(table)


def turn_ends(table: OpenTable, user_id: UserId) -> datetime | None:
    """Return the end of this person's turn, if it has one."""
    if not waits_for(table, user_id):
        return None
    turn = table.timers.turns.get(table.seat_of(user_id) or 0)
    return turn.until if turn is not None else table.timers.deadlines.get("turn")


def computer_partners(game: Game, own: Seat | None) -> tuple[Seat, ...]:
    """Return the seats of this chair's partners that a newcomer could have.

    There are none without fixed partners, because the next round changes them.
    """
    free = free_seats(game)
    team = next((seats for seats in game.options.teams if own in seats), ())
    return tuple(seat for seat in team if seat in free) if game.running else ()
