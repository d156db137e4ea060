"""When the clock has to act next on a table: absolute times, recomputed after every change."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from bot.table.decisions import next_on_turn
from bot.table.desk import Deadlines
from bot.table.state import Game, OpenTable, seats_waited_for
from engine import Phase

LOBBY_MINUTES = 30
"""A lobby in which nothing happens for so long is closed."""
NEXT_ROUND_SECONDS = 20
"""The countdown to the next round."""
RESUME_SECONDS = 5
"""The countdown after a pause."""
GRACE_SECONDS = 30
"""The time people get for what ran out while the bot was away."""
PAUSED_DAYS = 7
"""A table that is paused for so long is closed."""

PAUSES = {"human": (1.0, 2.6), "quick": (0.2, 0.4)}
"""Seconds a computer player takes before it moves, by pace; never by what it holds."""
_AFTER_WINDOW = timedelta(milliseconds=100)
"""A computer player moves this long after the window before has closed, at the earliest."""


def lobby_deadline(now: datetime) -> Deadlines:
    """The deadline of a lobby that somebody just touched."""
    return {"lobby": now + timedelta(minutes=LOBBY_MINUTES)}


def after_downtime(table: OpenTable, now: datetime) -> OpenTable:
    """The table after the bot was away: people get a moment for what ran out meanwhile.

    Computer players take the time to think anew.
    """
    soon: Deadlines = dict.fromkeys(("turn", "next_round"), now + timedelta(seconds=GRACE_SECONDS))
    soon["think"] = now + _pause(table)
    times = {
        name: soon.get(name, when) if when < now else when
        for name, when in table.timers.deadlines.items()
    }
    return table.with_timers(deadlines=times)


def rescheduled(before: OpenTable, after: Game, now: datetime) -> Game:
    """The game after a change, with the deadlines that follow from it: see `deadlines`."""
    return after.with_timers(deadlines=deadlines(before, after, now))


def deadlines(before: OpenTable, after: Game, now: datetime) -> Deadlines:
    """The deadlines of a table after a change; those of an unchanged position stay as they were."""
    if not after.running:
        return {}
    old = before.timers.deadlines if _same_position(before, after) else {}
    if after.phase is Phase.ROUND_END:
        return _between_rounds(before, after, old, now)
    return _of_computers(before, after, old, now) | _of_people(after, old, now)


def _of_computers(before: OpenTable, after: Game, old: Deadlines, now: datetime) -> Deadlines:
    """When the open bomb window is closed, and when computer players move."""
    times: Deadlines = {}
    if after.window_open:
        times["window"] = old.get("window", now + _window(after))
    if _computer_thinks(after):
        times["think"] = _think_until(before, after, old, now)
        if after.window_open:
            # The pause runs from the play before on, so a window costs the table no extra wait.
            times["think"] = max(times["think"], times["window"] + _AFTER_WINDOW)
    return times


def _of_people(game: Game, old: Deadlines, now: datetime) -> Deadlines:
    """When the turn of the people who are waited for is over, and when they get their one nudge."""
    if all(map(game.computer, seats_waited_for(game.match))):
        return {}
    times: Deadlines = {"turn": old.get("turn", now + timedelta(seconds=game.options.turn_limit_s))}
    already_nudged = "turn" in old and "nudge" not in old
    if not already_nudged:
        times["nudge"] = old.get("nudge", now + timedelta(seconds=game.options.nudge_s))
    return times


def _same_position(before: OpenTable, after: Game) -> bool:
    """Whether the same things lie on the table, and the same answers are owed."""
    if not before.running:
        return False
    asked = before.round.asked if isinstance(before, Game) else 0
    return before.revision == after.revision and asked == after.round.asked


def _between_rounds(before: OpenTable, after: Game, old: Deadlines, now: datetime) -> Deadlines:
    """When the next round is dealt: at once if all are ready. Or when a paused table is closed."""
    if after.timers.paused:
        return {"abandoned": old.get("abandoned", now + timedelta(days=PAUSED_DAYS))}
    if after.all_ready:
        return {"next_round": now}
    wait = RESUME_SECONDS if before.timers.paused else NEXT_ROUND_SECONDS
    return {"next_round": old.get("next_round", now + timedelta(seconds=wait))}


def _computer_thinks(game: Game) -> bool:
    """Whether a computer player has to decide something, now or when the window has closed."""
    coming = next_on_turn(game) if game.window_open else None
    seats = seats_waited_for(game.match) if coming is None else (coming,)
    return any(map(game.computer, seats))


def _think_until(before: OpenTable, after: Game, old: Deadlines, now: datetime) -> datetime:
    """When computer players move. A call makes them think again: its caller has yet to play."""
    called = isinstance(before, Game) and before.round.calls != after.round.calls
    if "think" in old and not called:
        return old["think"]
    return now + _pause(after)


def _pause(table: OpenTable) -> timedelta:
    """How long a computer player takes this time: by chance, but the same for the same position.

    The chance is seeded with what everybody can see. The number of all actions would not do: it
    counts sealed bombs, and whoever knows the pauses could find out.
    """
    chance = random.Random(f"{table.id}:{table.revision}")
    return timedelta(seconds=chance.uniform(*PAUSES[table.options.pace]))


def _window(game: Game) -> timedelta:
    """How long a bomb window stays open: not long where no person holds cards.

    Whether a bomb lies there never matters: that would tell of it.
    """
    longest = timedelta(milliseconds=game.options.rules.bomb_window_ms)
    if any(hand.size and not game.computer(seat) for seat, hand in enumerate(game.round.hands)):
        return longest
    return min(longest, timedelta(seconds=PAUSES[game.options.pace][0]))
