"""Where somebody can sit down, and which of their own tables wait for them."""

from __future__ import annotations

from datetime import datetime

from bot.ids import UserId
from bot.records import Count
from bot.table.interruptions import awaited_users
from bot.table.seats import free_seats
from bot.table.state import Game, OpenTable
from engine import Seat


def seats_to_take(table: OpenTable, user_id: UserId) -> Count:
    """How many seats this newcomer can have: free ones, and those of computer players.

    There is none at a round that is paused: nobody knows whether it will ever go on.
    """
    if not isinstance(table, Game):
        return table.room
    if not table.running or (table.timers.paused and not table.between_rounds):
        return 0
    return len(free_seats(table, user_id))


def waits_for(table: OpenTable, user_id: UserId) -> bool:
    """Whether this person has to do something before play can go on."""
    if not isinstance(table, Game) or not table.running or table.timers.paused:
        return False
    return user_id in awaited_users(table)


def turn_ends(table: OpenTable, user_id: UserId) -> datetime | None:
    """When the time of this person is over, if they are waited for and have a limit."""
    if not waits_for(table, user_id):
        return None
    turn = table.timers.turns.get(table.seat_of(user_id) or 0)
    return turn.until if turn is not None else table.timers.deadlines.get("turn")


def computer_partners(game: Game, own: Seat | None) -> tuple[Seat, ...]:
    """The partners of whoever sits on this chair whose seats a newcomer could have.

    Only where partners are fixed: elsewhere the next round brings others.
    """
    free = free_seats(game)
    team = next((seats for seats in game.options.teams if own in seats), ())
    return tuple(seat for seat in team if seat in free) if game.running else ()
