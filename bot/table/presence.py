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
    """Return the table with this person present; unchanged if they were.

    A table that was paused because everybody was away resumes, and so does a round of one person
    alone. Between two rounds that person may have paused it themselves, so the table resumes only
    on request. If it is their turn, their time starts.
    """
    if not comes_back(game, user_id):
        return game
    seat, notes = game.seat_of(user_id), game.notes
    away = tuple(other for other in notes.away if other != seat)
    missed = {other: number for other, number in notes.missed.items() if other != seat}
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
    """Return whether the table must pause because all are gone.

    At live pace it does so only between two rounds.
    """
    return game.deserted and (game.between_rounds or (game.running and game.options.turn_based))


def extend_idle(game: Game, clicks: Mapping[UserId, datetime]) -> Game:
    """Return the table with its idle limit restarted at the last click.

    `clicks` are the last clicks by user. The table is unchanged if it has no idle limit, or if its
    limit would not end later.
    """
    last = [clicks[user] + idle_time(game) for user in game.user_ids() if user in clicks]
    idle = game.timers.deadlines.get("idle")
    if idle is None or max(last, default=idle) <= idle:
        return game
    return game.with_timers(deadlines={**game.timers.deadlines, "idle": max(last)})


def should_store_click(game: Game, now: datetime) -> bool:
    """Return whether a click at `now` must be stored.

    A restart keeps only stored clicks. They matter only if one person plays alone, and no click of
    the last `CLICKS_STORED_EVERY` is stored.
    """
    idle = game.timers.deadlines.get("idle")
    return idle is not None and idle - idle_time(game) + CLICKS_STORED_EVERY <= now


def pause_if_idle(game: Game, clicks: Mapping[UserId, datetime], now: datetime) -> Game:
    """Return the table, paused if the idle limit has expired.

    One person must be alone there. It is not paused if they have clicked meanwhile; `clicks` are
    the last clicks by user. A pause cancels reservations of newcomers, because nobody knows when
    the round will end.
    """
    heard = extend_idle(game, clicks)
    if heard.timers.deadlines["idle"] > now:
        return heard
    paused = game.with_timers(paused=True).with_notes(coming={})
    return reschedule(game, paused, now)
