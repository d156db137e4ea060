"""At a running table, beside the game: hold a window, pause, vote to stop, be nudged.

Pure functions from a table to the next; `Refused` when it is not possible.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

from bot.errors import Reason, Refused
from bot.ids import UserId
from bot.table.deadlines import rescheduled
from bot.table.permission import own_seat
from bot.table.state import WAIT_SECONDS, WAITS_PER_ROUND, Game, seats_waited_for
from engine import WINDOWS, Phase, Seat

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
    """Stop the countdown between two rounds, or let it go on."""
    if game.phase is not Phase.ROUND_END:
        raise Refused(Reason.BETWEEN_ROUNDS_ONLY)
    if game.timers.paused == paused:
        return game
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


def nudged(game: Game) -> tuple[Game, tuple[UserId, ...]]:
    """The table after its one nudge in this position, and the users who are waited for."""
    chairs = {game.decider(seat) for seat in seats_waited_for(game.match)}
    users = [chair.user_id for chair in game.people() if chair.seat in chairs]
    times = dict(game.timers.deadlines)
    times.pop("nudge", None)
    return game.with_timers(deadlines=times), tuple(user for user in users if user is not None)
