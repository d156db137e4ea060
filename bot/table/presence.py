"""Return of absent people by any click, and pauses of deserted tables.

A person who lets the turn limit pass is marked as away (`Batch.mark_away`), and a computer player
acts for them (`Game.computer`) until they are back. When nobody is present any more, the round is
still played to its end. Then the table pauses until one of its people clicks.

A person who plays alone with computer players has no turn limit and no countdown to the next round,
and is never away by being late. After a time without a click their table pauses, also within a
round.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from bot.ids import UserId
from bot.table.deadlines import idle_time, reschedule
from bot.table.state import Game

CLICKS_STORED_EVERY = timedelta(minutes=1)
"""Shortest interval at which clicks of a person who plays alone are stored.

Clicks with other effects are always stored.
"""


def comes_back(game: Game, user_id: UserId) -> bool:
    """Return whether a click of this person ends an absence or a pause."""
    seat, notes = game.seat_of(user_id), game.notes
    if seat is None or not game.running:
        return False
    return seat in notes.away or seat in notes.missed or game.resumes


def mark_present(game: Game, user_id: UserId, now: datetime) -> Game:
    """Return the table with this person present, unchanged if they were present already.

    A pause ends if it began because everybody was away, or within a round because a person who
    plays alone was idle. Between two rounds that person may have paused the table themselves, so it
    resumes on request only. If it is the person's turn, their time starts.
    """
    if not comes_back(game, user_id):
        return game
    own_seat, notes = game.seat_of(user_id), game.notes
    away = tuple(seat for seat in notes.away if seat != own_seat)
    missed = {seat: number for seat, number in notes.missed.items() if seat != own_seat}
    return with_arrival(game, game.with_notes(away=away, missed=missed), now)


def with_arrival(before: Game, after: Game, now: datetime) -> Game:
    """Return the table after an arrival or return, with new deadlines.

    A pause for lack of people is lifted. Deadlines that `after` still has are kept.
    """
    if (before.yields or before.resumes) and not after.deserted:
        after = after.with_timers(paused=False)
    before = before.with_timers(deadlines=after.timers.deadlines)
    return reschedule(before, after, now)


def pauses_now(game: Game) -> bool:
    """Return whether the table must pause because all its people are gone.

    At live pace the current round is finished first.
    """
    return game.deserted and (game.between_rounds or (game.running and game.options.turn_based))


def extend_idle(game: Game, clicks: Mapping[UserId, datetime]) -> Game:
    """Return the table with its idle deadline postponed because of the last click.

    `clicks` are the times of the last clicks by user. The table is unchanged if it has no idle
    deadline, or already a later one.
    """
    new_deadlines = [clicks[user] + idle_time(game) for user in game.user_ids() if user in clicks]
    idle = game.timers.deadlines.get("idle")
    if idle is None or max(new_deadlines, default=idle) <= idle:
        return game
    return game.with_timers(deadlines={**game.timers.deadlines, "idle": max(new_deadlines)})


def should_store_click(game: Game, now: datetime) -> bool:
    """Return whether a click at `now` must be stored, so that a restart does not lose it.

    Clicks matter only where an idle deadline runs. After a stored click, further clicks are not
    stored for `CLICKS_STORED_EVERY`.
    """
    idle = game.timers.deadlines.get("idle")
    if idle is None:
        return False
    last_stored_click = idle - idle_time(game)  # which the idle deadline was computed from
    return last_stored_click + CLICKS_STORED_EVERY <= now


def pause_if_idle(game: Game, clicks: Mapping[UserId, datetime], now: datetime) -> Game:
    """Return the table of a person who plays alone, paused if they have been idle too long.

    If they have clicked meanwhile, only the idle deadline is postponed; `clicks` are the times of
    the last clicks by user. A pause cancels reservations of newcomers, because nobody knows when
    the round will end.
    """
    extended = extend_idle(game, clicks)
    if extended.timers.deadlines["idle"] > now:
        return extended
    paused = game.with_timers(paused=True).with_notes(coming={})
    return reschedule(game, paused, now)
