"""At a running table, beside the game: hold a window, pause, vote to stop, be nudged.

Pure functions from a table state to the next; `Refused` when it is not possible.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

from bot.errors import Reason, Refused
from bot.table.deadlines import deadlines
from bot.table.state import WAIT_SECONDS, WAITS_PER_ROUND, TableState, seats_waited_for
from engine.state import WINDOWS, Phase


def hold_window(state: TableState, seat: int) -> TableState:
    """Keep the open bomb window open for ten seconds more, twice a round for each seat."""
    if state.round is None or state.round.phase not in WINDOWS:
        raise Refused(Reason.NO_WINDOW)
    used = state.desk.waits.get(seat, 0)
    if used >= WAITS_PER_ROUND:
        raise Refused(Reason.NO_WAITS_LEFT, limit=WAITS_PER_ROUND)
    more = timedelta(seconds=WAIT_SECONDS)
    times = {
        name: when + more if name in ("window", "think") else when
        for name, when in state.desk.deadlines.items()
    }
    waits = {**state.desk.waits, seat: used + 1}
    return _with_desk(state, deadlines=times, waits=waits)


def pause(state: TableState, paused: bool, now: datetime) -> TableState:
    """Stop the countdown between two rounds, or let it go on."""
    if state.phase is not Phase.ROUND_END:
        raise Refused(Reason.BETWEEN_ROUNDS_ONLY)
    if state.desk.paused == paused:
        return state
    after = _with_desk(state, paused=paused, deadlines={})
    return _with_desk(after, deadlines=deadlines(state, after, now))


Ending = Literal["not-yet", "now", "with-result"]


def vote_to_stop(state: TableState, user_id: int, *, moderator: bool) -> tuple[TableState, Ending]:
    """The table with this vote, and whether it stops now.

    A moderator stops it at once, the host a lobby; otherwise more than half of the people who are
    there must ask: nobody waits for those who are away.
    An open-ended match ends with a result: between two rounds at once, in a round with that round;
    asked for once more in it, or by a moderator who does not play, it stops without one (G27).
    """
    if not moderator and state.seat_of(user_id) is None:
        raise Refused(Reason.NOT_SEATED)
    if state.status == "lobby":
        if not moderator and user_id != state.host_id:
            raise Refused(Reason.HOST_ONLY)
        return state, "now"
    if moderator:
        return _ending(state) if state.seat_of(user_id) is not None else (state, "now")
    votes = {*state.desk.votes, user_id}
    return decided(_with_desk(state, votes=tuple(sorted(votes))))


def decided(state: TableState) -> tuple[TableState, Ending]:
    """What the votes so far lead to: more than half of the people who are still there decide."""
    votes, voters = votes_to_stop(state)
    if 2 * votes <= voters:
        return state, "not-yet"
    return _ending(state)


def votes_to_stop(state: TableState) -> tuple[int, int]:
    """How many want to stop, and of how many: of those who are there, or have asked for it."""
    people = {chair.user_id for chair in state.people()}
    votes = people.intersection(state.desk.votes)
    there = {chair.user_id for chair in state.people() if chair.seat not in state.desk.away}
    return len(votes), len(there | votes)


def _ending(state: TableState) -> tuple[TableState, Ending]:
    open_ended = state.options.game.open_ended(state.options.rules())
    if not open_ended or state.desk.last_round:
        return state, "now"
    if state.phase is Phase.ROUND_END:
        return state, "with-result"
    return _with_desk(state, votes=(), last_round=True), "not-yet"


def nudged(state: TableState) -> tuple[TableState, tuple[int, ...]]:
    """The table after its one nudge in this position, and the users who are waited for."""
    assert state.match is not None
    waited = seats_waited_for(state.match)
    chairs = {state.decider(seat) for seat in waited}
    users = [chair.user_id for chair in state.people() if chair.seat in chairs]
    times = {name: when for name, when in state.desk.deadlines.items() if name != "nudge"}
    return _with_desk(state, deadlines=times), tuple(user for user in users if user is not None)


def _with_desk(state: TableState, **values: object) -> TableState:
    return replace(state, desk=state.desk.model_copy(update=values))
