"""At a running table, beside the game: hold a window, pause, be ready, vote to stop, be nudged.

Pure functions from a table to the next; `Refused` when it is not possible.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

from bot.errors import Reason, Refused
from bot.ids import UserId
from bot.records import Count
from bot.table.deadlines import rescheduled
from bot.table.details import Hold, LostThread
from bot.table.permission import own_seat
from bot.table.state import WAIT_SECONDS, WAITS_PER_ROUND, Game, window_on_table
from bot.table.turn_based import QUIET, to_nudge
from engine import WINDOWS, Phase, Seat

Ending = Literal["not-yet", "now", "with-result"]
"""What a vote to stop leads to: play goes on (perhaps in the last round), no result, a result."""


def hold_window(game: Game, seat: Seat) -> Game:
    """Keep the open bomb window open for ten seconds more, twice a round for each seat.

    A window can be held only once, whoever does it, so it lasts ten seconds longer at most.
    """
    if game.round.phase not in WINDOWS:
        raise Refused(Reason.NO_WINDOW)
    if game.going_on is not None and "window" not in game.timers.deadlines:
        raise Refused(Reason.WINDOW_STAYS_OPEN)
    if game.holder is not None:
        raise Refused(Reason.WINDOW_HELD)
    used = game.notes.waits.get(seat, 0)
    if used >= WAITS_PER_ROUND:
        raise Refused(Reason.NO_WAITS_LEFT, limit=WAITS_PER_ROUND)
    more = timedelta(seconds=WAIT_SECONDS)
    times = {
        name: when + more if name in ("window", "think") else when
        for name, when in game.timers.deadlines.items()
    }
    held = game.with_notes(
        waits={**game.notes.waits, seat: used + 1},
        hold=Hold(chair=seat, window=window_on_table(game.round)),
    )
    return held.with_timers(deadlines=times)


def pause(game: Game, paused: bool, now: datetime) -> Game:
    """Stop the countdown between two rounds, or let a table that is paused go on.

    After a pause everybody is asked anew whether they are ready. Whoever plays alone and goes on is
    ready. At turn-based pace there is nothing to stop: everybody has hours for the next round.
    """
    if game.timers.paused == paused:
        return game
    if paused and game.options.turn_based:
        raise Refused(Reason.NO_PAUSE)
    if paused and game.phase is not Phase.ROUND_END:
        raise Refused(Reason.BETWEEN_ROUNDS_ONLY)
    after = game.with_timers(paused=paused)
    if paused:
        after = after.with_notes(ready=())
    elif game.alone and game.between_rounds:
        after = after.with_notes(ready=tuple(game.user_ids()))
    return rescheduled(game, after, now)


def halted(game: Game, lost: LostThread, now: datetime) -> Game:
    """The turn-based table paused where it is, since its thread is closed to its people.

    They hear of it once, also if it was paused before.
    """
    if game.timers.lost_thread == lost:
        return game
    still = game.with_timers(paused=True, lost_thread=lost).with_notes(coming={}, ready=())
    return rescheduled(game, still, now)


def ready(game: Game, user_id: UserId, now: datetime) -> Game:
    """The table on which this person is ready for the next round.

    It begins at once, even after a pause, when everybody who is there is.
    """
    own_seat(game, user_id)
    if not game.between_rounds:
        raise Refused(Reason.BETWEEN_ROUNDS_ONLY)
    after = game
    if user_id not in game.notes.ready:
        after = game.with_notes(ready=(*game.notes.ready, user_id))
    if after.all_ready:
        after = after.with_timers(paused=False)
    return rescheduled(game, after, now)


def vote_to_stop(game: Game, user_id: UserId, *, moderator: bool) -> tuple[Game, Ending]:
    """The table with this vote, and whether it stops now.

    A moderator decides alone; otherwise more than half of the people who are there must ask:
    nobody waits for those who are away. Only a vote decides: when somebody leaves or is away, the
    other votes stay what they are, and whoever has voted may ask again. An open-ended match ends
    with a result: between two rounds at once, in a round with that round. Asked for once more in
    it, or by a moderator who does not play, it stops without one (G27).
    """
    if moderator:
        return _ending(game) if game.seat_of(user_id) is not None else (game, "now")
    own_seat(game, user_id)
    votes = game.notes.votes
    if user_id not in votes:
        votes = (*votes, user_id)
    against = tuple(user for user in game.notes.against if user != user_id)
    voted = game.with_notes(votes=votes, against=against)
    count, needed = votes_to_stop(voted)
    return (voted, "not-yet") if count < needed else _ending(voted)


def play_on(game: Game, user_id: UserId) -> Game:
    """The table on which this person does not want to stop, whatever they wanted before.

    The vote is over when nobody wants to stop any more, or too few are left who could.
    """
    own_seat(game, user_id)
    if not game.notes.votes:
        return game
    votes = tuple(user for user in game.notes.votes if user != user_id)
    against = tuple(sorted({*game.notes.against, user_id}))
    return vote_of_those_seated(game.with_notes(votes=votes, against=against))


def vote_of_those_seated(game: Game) -> Game:
    """The table with what is left of a vote when only those count who sit there.

    It is over when nobody of them wants to stop, or too few could.
    """
    seated = game.user_ids()
    votes = tuple(user for user in game.notes.votes if user in seated)
    against = tuple(user for user in game.notes.against if user in seated)
    after = game.with_notes(votes=votes, against=against)
    _, needed = votes_to_stop(after)
    possible = sum(user not in against for user in _voters(after))
    return after if votes and possible >= needed else _without_votes(after)


def votes_to_stop(game: Game) -> tuple[Count, Count]:
    """How many people want to stop, and how many must: more than half of the voters."""
    voters = _voters(game)
    return sum(user in game.notes.votes for user in voters), len(voters) // 2 + 1


def _voters(game: Game) -> set[UserId]:
    """Who is there, or has asked to stop."""
    seated = set(game.user_ids())
    there = {chair.user_id for chair in game.people() if not game.gone(chair.seat)}
    return seated & (there | set(game.notes.votes))


def _without_votes(game: Game) -> Game:
    return game.with_notes(votes=(), against=())


def _ending(game: Game) -> tuple[Game, Ending]:
    """What follows when the end is decided: a round of an open-ended match is played out first."""
    open_ended = game.match.variant.open_ended(game.match.options)
    if not open_ended or game.last_round:
        return game, "now"
    if game.phase is Phase.ROUND_END:
        return game, "with-result"
    return replace(_without_votes(game), last_round=True), "not-yet"


def nudged(
    game: Game, clicks: Mapping[UserId, datetime], now: datetime
) -> tuple[Game, tuple[UserId, ...]]:
    """The table after a nudge at live pace, and the users who are nudged with it.

    Those are the people who are waited for, each once as long as the same things lie on the table.
    `clicks` are the last clicks by user: who has just clicked is nudged later, if still waited for.
    """
    before = game.timers.nudged
    waiting = [user for user in awaited_users(game) if user not in before]
    free = {user: clicks[user] + QUIET if user in clicks else now for user in waiting}
    users = tuple(user for user in waiting if free[user] <= now)
    later = [when for when in free.values() if when > now]
    times = dict(game.timers.deadlines)
    times.pop("nudge", None)
    if later:
        times["nudge"] = min(later)
    return game.with_timers(deadlines=times, nudged=(*before, *users)), users


def nudges_now(game: Game, now: datetime) -> bool:
    """Whether somebody who is waited for is about to be nudged."""
    due = game.timers.deadlines.get("nudge")
    return due is not None and due <= now


def awaited_users(game: Game) -> tuple[UserId, ...]:
    """The people who have to do something before play can go on, by their chairs."""
    users = (game.chairs[seat].user_id for seat in game.awaited)
    return tuple(user for user in users if user is not None)


def nudged_users(game: Game) -> tuple[UserId, ...]:
    """Those who have been nudged and are still waited for: the names that a nudge shows.

    At turn-based pace also those who were told that the table is paused, as nobody has moved.
    """
    timers = game.timers
    if not game.running or timers.lost_thread or (timers.paused and not game.options.turn_based):
        return ()
    if game.options.turn_based:
        chairs = (seat for seat in to_nudge(game, timers.turns) if not timers.turns[seat].nudge_at)
        return tuple(user for seat in chairs if (user := game.chairs[seat].user_id) is not None)
    return tuple(user for user in awaited_users(game) if user in game.timers.nudged)
