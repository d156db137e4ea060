"""When the clock has to act next on a table: absolute times, recomputed after every change."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import datetime, timedelta

from bot.table.decisions import next_on_turn
from bot.table.state import Deadline, TableState, seats_waited_for
from engine.state import WINDOWS, Phase, Round

LOBBY_MINUTES = 30
NEXT_ROUND_SECONDS = 20
RESUME_SECONDS = 5
GRACE_SECONDS = 30
PAUSED_DAYS = 7
"""A table that is paused for so long is closed."""

PAUSES = {"human": (1.0, 2.6), "quick": (0.2, 0.4)}
"""Seconds a computer player takes before it moves, by pace; never by what it holds."""
_AFTER_WINDOW = timedelta(milliseconds=100)


def lobby_deadline(now: datetime) -> dict[Deadline, datetime]:
    """The deadline of a lobby that somebody just touched."""
    return {"lobby": now + timedelta(minutes=LOBBY_MINUTES)}


def after_pause(state: TableState, now: datetime) -> TableState:
    """A table after the bot was away: nobody is passed over for a time he could not use.

    Computer players take the time to think anew.
    """
    soon = dict.fromkeys(("turn", "next_round"), now + timedelta(seconds=GRACE_SECONDS))
    soon["think"] = now + _pause(state)
    times = {
        name: soon.get(name, when) if when < now else when
        for name, when in state.desk.deadlines.items()
    }
    return replace(state, desk=state.desk.model_copy(update={"deadlines": times}))


def _pause(state: TableState) -> timedelta:
    """How long a computer player takes this time."""
    return timedelta(seconds=random.uniform(*PAUSES[state.options.pace]))


def deadlines(before: TableState, after: TableState, now: datetime) -> dict[Deadline, datetime]:
    """The deadlines of a table after a change; those of an unchanged position stay as they were."""
    match, round_ = after.match, after.round
    if not after.running or match is None or round_ is None:
        return {}
    old = before.desk.deadlines
    asked = before.round.asked if before.round is not None else 0
    same = before.stamp == after.stamp and before.running and asked == round_.asked
    found: dict[Deadline, datetime] = {}

    def keep(name: Deadline, fresh: datetime) -> None:
        found[name] = old[name] if same and name in old else fresh

    if match.phase is Phase.ROUND_END:
        if after.desk.paused:
            keep("abandoned", now + timedelta(days=PAUSED_DAYS))
        else:
            wait = RESUME_SECONDS if before.desk.paused else NEXT_ROUND_SECONDS
            keep("next_round", now + timedelta(seconds=wait))
        return found
    in_window = round_.phase in WINDOWS
    window = in_window and not round_.asked  # a withdrawal that is being asked for comes first
    if window:
        keep("window", now + _window(after, round_))
    waited = seats_waited_for(match)
    coming = next_on_turn(match) if window else None
    if any(map(after.computer, waited if coming is None else (coming,))):
        called = before.round is not None and before.round.calls != round_.calls
        if called:  # whoever was thinking thinks again; who called has not played yet
            old = {name: when for name, when in old.items() if name != "think"}
        # The pause runs from the play before on, so a window costs the table no extra wait.
        keep("think", now + _pause(after))
        if window:
            found["think"] = max(found["think"], found["window"] + _AFTER_WINDOW)
    people = [seat for seat in waited if not after.computer(seat)]
    if people:
        keep("turn", now + timedelta(seconds=after.options.turn_limit_s))
        if same and "turn" in old and "nudge" not in old:
            pass  # already nudged in this position
        else:
            keep("nudge", now + timedelta(seconds=after.options.nudge_s))
    return found


def _window(state: TableState, round_: Round) -> timedelta:
    """How long a bomb window stays open: not long where no person holds cards.

    Whether a bomb lies there never matters: that would tell of it.
    """
    longest = timedelta(milliseconds=state.options.bomb_window_ms)
    if any(hand.size and not state.computer(seat) for seat, hand in enumerate(round_.hands)):
        return longest
    return min(longest, timedelta(seconds=PAUSES[state.options.pace][0]))
