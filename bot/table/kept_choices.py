"""Choices made in advance: pre-moves, and passes until the trick is gathered.

A pre-move is chosen by the next player while a bomb window is still open, and played when the
window has closed. The functions here return the changed game; `bot.table.batch` calls them.
"""

from __future__ import annotations

from collections.abc import Collection

from bot.table.state import ON_TURN, Game
from engine import (
    Action,
    DragonGiven,
    Event,
    GiveTrick,
    LeadGiven,
    Pass,
    Play,
    Played,
    RoundDealt,
    Seat,
    TrickTaken,
    can,
    may_pass,
    verify,
)


def is_premove(game: Game, action: Action) -> bool:
    """Return whether this action is a move in advance, to be made after the open bomb window."""
    is_move = isinstance(action, Play | Pass | GiveTrick)
    return is_move and game.window_open and game.round.turn == action.seat


def keep_premove(game: Game, premove: Action) -> Game:
    """Return the game with this pre-move, replacing an earlier one of its seat.

    Raises `IllegalAction` if the move would not be legal after the window.
    """
    verify(game.views.after_window.match, premove)
    return game.with_kept(premoves={**game.kept.premoves, premove.seat: premove})


def take_back(game: Game, seat: Seat) -> Game:
    """Return the game without a pre-move of this seat."""
    premoves = {other: move for other, move in game.kept.premoves.items() if other != seat}
    return game.with_kept(premoves=premoves)


def clear_dropped_notice(game: Game, seat: Seat) -> Game:
    """Return the game without the notice that this seat's pre-move was dropped."""
    if seat not in game.kept.dropped:
        return game
    return game.with_kept(dropped=_without(game.kept.dropped, seat))


def pass_this_trick(game: Game, seat: Seat, on: bool) -> Game:
    """Return the game in which this seat passes for the rest of the trick, or stays in it."""
    passing, staying = game.kept.auto_pass, game.kept.stays_in
    if on:
        return game.with_kept(auto_pass=_with(passing, seat), stays_in=_without(staying, seat))
    return game.with_kept(auto_pass=_without(passing, seat), stays_in=_with(staying, seat))


def clear_choices(game: Game, seats: Collection[Seat]) -> Game:
    """Return the game without any choices made in advance by these seats."""
    kept = game.kept
    return game.with_kept(
        premoves={seat: move for seat, move in kept.premoves.items() if seat not in seats},
        auto_pass=tuple(seat for seat in kept.auto_pass if seat not in seats),
        stays_in=tuple(seat for seat in kept.stays_in if seat not in seats),
        dropped=tuple(seat for seat in kept.dropped if seat not in seats),
    )


def without_computers(game: Game) -> Game:
    """Return the game without automatic passes of seats that computer players now play."""
    people = tuple(seat for seat in game.kept.auto_pass if not game.computer(seat))
    return game if people == game.kept.auto_pass else game.with_kept(auto_pass=people)


def take_due_choice(game: Game) -> tuple[Game, Action | None]:
    """Return the game after taking the choice that is due, and the choice, or `None`.

    It is the choice of the seat on turn. A pre-move that has become illegal is dropped, and its
    seat is noted in `KeptChoices.dropped`.
    """
    seat = game.round.turn
    if game.phase not in ON_TURN or game.round.asked:
        return game, None
    premove = game.kept.premoves.get(seat)
    if premove is not None:
        game = take_back(game, seat)
        if can(game.match, premove):
            return game, premove
        game = game.with_kept(dropped=_with(game.kept.dropped, seat))
    if seat in game.kept.auto_pass and may_pass(game.match, seat):
        return game, Pass(seat)
    return game, None


def after_event(game: Game, event: Event) -> Game:
    """Return the game with the choices that remain after this event.

    A play drops the pre-moves of others, which were meant for the previous play. Automatic passes
    end when a trick is gathered.
    """
    if isinstance(event, Played) and game.kept.premoves:
        dropped = {seat for seat in game.kept.premoves if seat != event.seat}
        return game.with_kept(premoves={}, dropped=_with(game.kept.dropped, *dropped))
    if isinstance(event, TrickTaken | DragonGiven | LeadGiven | RoundDealt):
        return game.with_kept(auto_pass=(), stays_in=(), dropped=())
    return game


def _with(seats: tuple[Seat, ...], *more: Seat) -> tuple[Seat, ...]:
    return tuple(sorted({*seats, *more}))


def _without(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    return tuple(other for other in seats if other != seat)
