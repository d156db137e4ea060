"""Actions beside the game: hold, pause, be ready, vote, nudge.

Pure functions from one table to the next; they raise `Refused` if the action is not possible.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

from bot.errors import Reason, Refused
from bot.ids import UserId
from bot.records import Count
from bot.table.deadlines import reschedule
from bot.table.details import Hold, LostThread
from bot.table.permission import own_seat
from bot.table.state import WAIT_SECONDS, WAITS_PER_ROUND, Game, window_id
from bot.table.turn_based import QUIET, to_nudge
from engine import WINDOW_PHASES, Phase, Seat

VoteConsequence = Literal["not-yet", "now", "with-result"]
"""Consequence of a vote: play on, stop, or end with a result."""


def hold_window(game: Game, seat: Seat) -> Game:
    """Return the table with its bomb window held open for `WAIT_SECONDS` more.

    Each seat may hold `WAITS_PER_ROUND` windows per round, and each window can be held only once.
    """
    if game.round.phase not in WINDOW_PHASES:
        raise Refused(Reason.NO_WINDOW)
    if game.awaited_in_window is not None and "window" not in game.timers.deadlines:
        raise Refused(Reason.WINDOW_STAYS_OPEN)
    if game.holder is not None:
        raise Refused(Reason.WINDOW_HELD)
    used = game.notes.waits.get(seat, 0)
    if used >= WAITS_PER_ROUND:
        raise Refused(Reason.NO_WAITS_LEFT, limit=WAITS_PER_ROUND)
    extension = timedelta(seconds=WAIT_SECONDS)
    times = {
        name: when + extension if name in ("window", "think") else when
        for name, when in game.timers.deadlines.items()
    }
    held = game.with_notes(
        waits={**game.notes.waits, seat: used + 1},
        hold=Hold(chair=seat, window=window_id(game.round)),
    )
    return held.with_timers(deadlines=times)


def pause(game: Game, paused: bool, now: datetime) -> Game:
    """Return the table paused between two rounds, or resumed.

    After a pause nobody counts as ready, except a person who plays alone and resumes. There is no
    pause at turn-based pace, because everybody has hours before the next round.
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
    return reschedule(game, after, now)


def pause_for_lost_thread(game: Game, lost: LostThread, now: datetime) -> Game:
    """Return the turn-based table paused because its people cannot play in its thread.

    They are notified once, even if the table was already paused for another reason.
    """
    if game.timers.lost_thread == lost:
        return game
    paused = game.with_timers(paused=True, lost_thread=lost).with_notes(coming={}, ready=())
    return reschedule(game, paused, now)


def ready(game: Game, user_id: UserId, now: datetime) -> Game:
    """Return the table with this person ready for the next round.

    When everybody present is ready, the next round begins at once, even in a pause.
    """
    own_seat(game, user_id)
    if not game.between_rounds:
        raise Refused(Reason.BETWEEN_ROUNDS_ONLY)
    after = game
    if user_id not in game.notes.ready:
        after = game.with_notes(ready=(*game.notes.ready, user_id))
    if after.all_ready:
        after = after.with_timers(paused=False)
    return reschedule(game, after, now)


def vote_to_stop(game: Game, user_id: UserId, *, moderator: bool) -> tuple[Game, VoteConsequence]:
    """Return the table with this person's vote to stop, and the consequence of the vote.

    A moderator decides alone. Otherwise more than half of the people present must vote to stop;
    absent people do not count. When a person leaves or becomes away, the match does not stop even
    if the votes are a majority now, but people may vote again.

    An open-ended match ends with a result, either at once between two rounds, or after the current
    round. It ends without a result if people vote again within that round, or if a moderator who
    does not play stops it (G27).
    """
    if moderator:
        return _ended(game) if game.seat_of(user_id) is not None else (game, "now")
    own_seat(game, user_id)
    votes = game.notes.votes
    if user_id not in votes:
        votes = (*votes, user_id)
    against = tuple(user for user in game.notes.against if user != user_id)
    voted = game.with_notes(votes=votes, against=against)
    count, needed = votes_to_stop(voted)
    return (voted, "not-yet") if count < needed else _ended(voted)


def play_on(game: Game, user_id: UserId) -> Game:
    """Return the table with this person's vote against stopping, replacing their earlier vote.

    The vote is over when nobody wants to stop any more, or a majority has become impossible.
    """
    own_seat(game, user_id)
    if not game.notes.votes:
        return game
    votes = tuple(user for user in game.notes.votes if user != user_id)
    against = tuple(sorted({*game.notes.against, user_id}))
    return keep_votes_of_seated(game.with_notes(votes=votes, against=against))


def keep_votes_of_seated(game: Game) -> Game:
    """Return the table without votes of people who do not sit there any more.

    The vote is over when nobody wants to stop any more, or a majority has become impossible.
    """
    seated = game.user_ids()
    votes = tuple(user for user in game.notes.votes if user in seated)
    against = tuple(user for user in game.notes.against if user in seated)
    after = game.with_notes(votes=votes, against=against)
    _, majority = votes_to_stop(after)
    possible_votes = sum(user not in against for user in _voters(after))
    return after if votes and possible_votes >= majority else _without_votes(after)


def votes_to_stop(game: Game) -> tuple[Count, Count]:
    """Return the number of votes to stop, and the number that is a majority."""
    voters = _voters(game)
    return sum(user in game.notes.votes for user in voters), len(voters) // 2 + 1


def _voters(game: Game) -> set[UserId]:
    """Return the people who are present or have voted to stop."""
    seated = set(game.user_ids())
    present = {chair.user_id for chair in game.people() if not game.gone(chair.seat)}
    return seated & (present | set(game.notes.votes))


def _without_votes(game: Game) -> Game:
    return game.with_notes(votes=(), against=())


def ending(game: Game) -> VoteConsequence:
    """Return the consequence of a decided vote.

    An open-ended match does not end yet, because the current round is finished first.
    """
    open_ended = game.match.variant.open_ended(game.match.options)
    if not open_ended or game.last_round:
        return "now"
    return "with-result" if game.phase is Phase.ROUND_END else "not-yet"


def _ended(game: Game) -> tuple[Game, VoteConsequence]:
    """Return the table after a decided vote, and the consequence of the vote."""
    consequence = ending(game)
    if consequence == "not-yet":
        game = replace(_without_votes(game), last_round=True)
    return game, consequence


def nudge_awaited(
    game: Game, clicks: Mapping[UserId, datetime], now: datetime
) -> tuple[Game, tuple[UserId, ...]]:
    """Return the table after a nudge at live pace, and the users nudged.

    Each awaited person is nudged once as long as the cards on the table do not change. `clicks` are
    the times of the last clicks by user. A user who has just clicked is nudged later, if they are
    still awaited.
    """
    already_nudged = game.timers.nudged
    candidates = [user for user in awaited_users(game) if user not in already_nudged]
    nudge_times = {user: clicks[user] + QUIET if user in clicks else now for user in candidates}
    users = tuple(user for user in candidates if nudge_times[user] <= now)
    later_times = [when for when in nudge_times.values() if when > now]
    deadlines = dict(game.timers.deadlines)
    deadlines.pop("nudge", None)
    if later_times:
        deadlines["nudge"] = min(later_times)
    return game.with_timers(deadlines=deadlines, nudged=(*already_nudged, *users)), users


def nudges_now(game: Game, now: datetime) -> bool:
    """Return whether a nudge of awaited people is due."""
    due = game.timers.deadlines.get("nudge")
    return due is not None and due <= now


def awaited_users(game: Game) -> tuple[UserId, ...]:
    """Return the people who must act, in order of their chairs."""
    users = (game.chairs[seat].user_id for seat in game.awaited)
    return tuple(user for user in users if user is not None)


def nudged_users(game: Game) -> tuple[UserId, ...]:
    """Return the awaited people who have been nudged, for display.

    At turn-based pace this includes people notified of a pause because all have missed two turns.
    """
    timers = game.timers
    if not game.running or timers.lost_thread or (timers.paused and not game.options.turn_based):
        return ()
    if game.options.turn_based:
        chairs = (seat for seat in to_nudge(game, timers.turns) if not timers.turns[seat].nudge_at)
        return tuple(user for seat in chairs if (user := game.chairs[seat].user_id) is not None)
    return tuple(user for user in awaited_users(game) if user in game.timers.nudged)
