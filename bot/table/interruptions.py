"""At a running table, beside the game: hold a window, pause, vote to stop, be nudged.

Pure functions from a table to the next; `Refused` when it is not possible.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

from bot.errors import Reason, Refused
from bot.ids import UserId
from bot.table.deadlines import rescheduled
from bot.table.permission import own_seat
from bot.table.state import WAIT_SECONDS, WAITS_PER_ROUND, Game
from engine import WINDOWS, Phase, Seat

QUIET = timedelta(minutes=1)
"""Nobody is pinged within this time of their last click."""

Ending = Literal["not-yet", "now", "with-result"]
"""What a vote to stop leads to: play goes on (perhaps in the last round), no result, a result."""


def hold_window(game: Game, seat: Seat) -> Game:
    """Keep the open bomb window open for ten seconds more, twice a round for each seat."""
    if game.round.phase not in WINDOWS:
        raise Refused(Reason.NO_WINDOW)
    used = game.notes.waits.get(seat, 0)
    if used >= WAITS_PER_ROUND:
        raise Refused(Reason.NO_WAITS_LEFT, limit=WAITS_PER_ROUND)
    more = timedelta(seconds=WAIT_SECONDS)
    times = {
        name: when + more if name in ("window", "think") else when
        for name, when in game.timers.deadlines.items()
    }
    held = game.with_notes(waits={**game.notes.waits, seat: used + 1})
    return held.with_timers(deadlines=times)


def pause(game: Game, paused: bool, now: datetime) -> Game:
    """Stop the countdown between two rounds, or let a table that is paused go on."""
    if game.timers.paused == paused:
        return game
    if paused and game.phase is not Phase.ROUND_END:
        raise Refused(Reason.BETWEEN_ROUNDS_ONLY)
    return rescheduled(game, game.with_timers(paused=paused), now)


def vote_to_stop(game: Game, user_id: UserId, *, moderator: bool) -> tuple[Game, Ending]:
    """The table with this vote, and whether it stops now.

    A moderator decides alone; otherwise more than half of the people who are there must ask:
    nobody waits for those who are away. An open-ended match ends with a result: between two rounds
    at once, in a round with that round. Asked for once more in it, or by a moderator who does not
    play, it stops without one (G27).
    """
    if moderator:
        return _ending(game) if game.seat_of(user_id) is not None else (game, "now")
    own_seat(game, user_id)
    votes = tuple(sorted({*game.notes.votes, user_id}))
    return decided(game.with_notes(votes=votes))


def decided(game: Game) -> tuple[Game, Ending]:
    """The table and what the votes so far lead to: more than half of the people there decide."""
    votes, voters = votes_to_stop(game)
    if 2 * votes <= voters:
        return game, "not-yet"
    return _ending(game)


def votes_to_stop(game: Game) -> tuple[int, int]:
    """How many want to stop, and of how many: of those who are there, or have asked for it."""
    votes = set(game.user_ids()).intersection(game.notes.votes)
    there = {chair.user_id for chair in game.people() if chair.seat not in game.notes.away}
    return len(votes), len(there | votes)


def _ending(game: Game) -> tuple[Game, Ending]:
    """What follows when the end is decided: a round of an open-ended match is played out first."""
    open_ended = game.match.variant.open_ended(game.match.options)
    if not open_ended or game.last_round:
        return game, "now"
    if game.phase is Phase.ROUND_END:
        return game, "with-result"
    return replace(game.with_notes(votes=()), last_round=True), "not-yet"


def nudged(
    game: Game, clicks: Mapping[UserId, datetime], now: datetime
) -> tuple[Game, tuple[UserId, ...]]:
    """The table after a nudge, and the users who are pinged with it.

    Those are the people who are waited for, each once as long as the same things lie on the table.
    `clicks` are the last clicks by user: who has just clicked is pinged later, if still waited for.
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


def awaited_users(game: Game) -> tuple[UserId, ...]:
    """The people who have to do something before play can go on, by their chairs."""
    users = (game.chairs[seat].user_id for seat in game.awaited)
    return tuple(user for user in users if user is not None)


def pinged(game: Game) -> tuple[UserId, ...]:
    """Those who have been pinged and are still waited for: the names that a ping shows."""
    if not game.running or game.timers.paused:
        return ()
    return tuple(user for user in awaited_users(game) if user in game.timers.nudged)
