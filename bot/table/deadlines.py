"""When the clock has to act next on a table: absolute times, recomputed after every change."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from bot.table import auto_pass, turn_based
from bot.table.details import Deadlines
from bot.table.options import TableOptions
from bot.table.state import Game, Lobby, OpenTable, seats_waited_for, window_on_table
from engine import Phase, Seat

LOBBY_MINUTES = 30
"""Minutes without a change after which a lobby is closed; a turn-based one after a turn's time."""
START_SECONDS = 30
"""The countdown to the first round, where a full lobby starts by itself."""
NEXT_ROUND_SECONDS = 20
"""The countdown to the next round."""
RESUME_SECONDS = 5
"""The countdown after a pause."""
GRACE_SECONDS = 30
"""The time people get for what ran out while the bot was away."""
IDLE = timedelta(minutes=15)
"""Whoever plays alone has no turn limit: without a click for this time their table pauses."""
LATE = timedelta(seconds=10)
"""A delay of this length is one that people notice."""
PAUSED_DAYS = 7
"""Days after which a paused table is closed."""

PAUSES = {"human": (1.0, 2.6), "quick": (0.2, 0.4)}
"""Seconds a computer player takes before it moves, by pace; never by what it holds."""
_AFTER_WINDOW = timedelta(milliseconds=100)
"""A computer player moves this long after the window before has closed, at the earliest."""


def lobby_deadline(options: TableOptions, now: datetime) -> Deadlines:
    """The deadline of a lobby that somebody just touched."""
    if options.turn_based:
        return {"lobby": now + timedelta(seconds=options.turn_limit_s)}
    return {"lobby": now + timedelta(minutes=LOBBY_MINUTES)}


def idle_time(game: Game) -> timedelta:
    """How long one person alone may do nothing before their table pauses."""
    options = game.options
    return timedelta(seconds=options.turn_limit_s) if options.turn_based else IDLE


def lobby_deadlines(lobby: Lobby, now: datetime) -> Deadlines:
    """The deadlines of a lobby that has just changed: it may be about to start by itself.

    Each change begins the countdown anew. A lobby that was full when it was opened waits for its
    host until then: nobody has just sat down there.
    """
    times = lobby_deadline(lobby.options, now)
    if lobby.options.auto_start and lobby.full:
        times["start"] = now + timedelta(seconds=START_SECONDS)
    return times


def kept_waiting(table: OpenTable, now: datetime) -> bool:
    """Whether people have waited for the bot while it was away.

    That is so if something was due at a match for a while. Nobody waits for the end of a table, and
    nobody sits at a turn-based one.
    """
    if table.options.turn_based:
        return False
    due = (when for name, when in table.timers.deadlines.items() if name != "abandoned")
    return isinstance(table, Game) and min(due, default=now) <= now - LATE


def after_downtime(table: OpenTable, now: datetime) -> OpenTable:
    """The table after the bot was away: people get a moment for what ran out meanwhile.

    Computer players take the time to think anew. A table that was stored without a timer that it
    needs gets it: versions before 0.2 had a turn limit and a countdown for whoever plays alone.
    """
    grace = now + timedelta(seconds=GRACE_SECONDS)
    soon: Deadlines = dict.fromkeys(("start", "turn", "next_round", "idle"), grace)
    soon["think"] = now + _pause(table)
    times = {
        name: soon.get(name, when) if when < now else when
        for name, when in table.timers.deadlines.items()
    }
    table = table.with_timers(deadlines=times)
    if not isinstance(table, Game):
        closes = times or lobby_deadline(table.options, now)
        return table.with_timers(deadlines=closes) if table.open else table
    if table.timers.turns:
        table = turn_based.after_downtime(table, now)
        times = table.timers.deadlines
    needed = deadlines(table, table, now).keys() - {"nudge"}
    return table if needed <= times.keys() else rescheduled(table, table, now)


def rescheduled(before: OpenTable, after: Game, now: datetime) -> Game:
    """The game after a change, with the deadlines that follow from it: see `deadlines`.

    Who was nudged matters only as long as the same things lie on the table.
    """
    nudged = after.timers.nudged if _same_position(before, after) else ()
    return after.with_timers(
        deadlines=deadlines(before, after, now),
        nudged=nudged,
        turns=turn_based.turns_open(after, now),
        turns_aside=turn_based.turns_aside(after),
        lost_thread=after.timers.lost_thread if after.timers.paused else None,
    )


def deadlines(before: OpenTable, after: Game, now: datetime) -> Deadlines:
    """The deadlines of a table after a change; those of an unchanged position stay as they were."""
    if not after.running:
        return {}
    old = before.timers.deadlines if _same_position(before, after) else {}
    if after.timers.paused:
        nudges = turn_based.deadlines_of(after, turn_based.turns_open(after, now))
        closes: Deadlines = {"abandoned": old.get("abandoned", now + _longest_pause(after))}
        return _newcomers(after, now) | nudges | closes
    if after.phase is Phase.ROUND_END:
        return _newcomers(after, now) | _to_next_round(before, after, old, now)
    times = _of_computers(before, after, old, now) | _of_people(before, after, old, now)
    return times | _of_auto_pass(after, old, now)


def _of_auto_pass(game: Game, old: Deadlines, now: datetime) -> Deadlines:
    """When the seat on turn passes by itself, if it does."""
    if auto_pass.passes_by_itself(game) is None:
        return {}
    return {"auto_pass": old.get("auto_pass", now + auto_pass.pause(game))}


def _of_computers(before: OpenTable, after: Game, old: Deadlines, now: datetime) -> Deadlines:
    """When the open bomb window is closed, and when computer players move."""
    times: Deadlines = {}
    if _window_runs(after):
        times["window"] = old.get("window", now + _window(after))
    if _computer_thinks(after):
        times["think"] = _think_until(before, after, old, now)
        if "window" in times:
            # The pause runs from the play before on, so a window costs the table no extra wait.
            times["think"] = max(times["think"], times["window"] + _AFTER_WINDOW)
    return times


def _of_people(before: OpenTable, after: Game, old: Deadlines, now: datetime) -> Deadlines:
    """When the turn of the people who are waited for is over, and when they get their one nudge.

    Nobody hurries one person alone; but if they are gone, the table need not stay open for them.
    """
    if not after.awaited:
        return {}
    if after.alone:
        return {"idle": old.get("idle", now + idle_time(after))}
    if after.options.turn_based:
        return turn_based.deadlines_of(after, turn_based.turns_open(after, now))
    since = now
    if isinstance(before, Game) and "turn" in old:
        since = old["turn"] - _turn_limit(before)
    times: Deadlines = {"turn": since + _turn_limit(after)}
    already_nudged = "turn" in old and "nudge" not in old
    if not already_nudged:
        times["nudge"] = old.get("nudge", now + timedelta(seconds=after.options.nudge_s))
    return times


def _turn_limit(game: Game) -> timedelta:
    """How long the people who are waited for have; where they differ, those with less time.

    The first answers of a round and the exchange take twice as long as a turn. Who has chosen more
    time has twice as much again.
    """
    opening = game.phase in (Phase.GRAND, Phase.EXCHANGE) and not game.round.asked
    more = game.notes.more_time.issuperset(game.awaited)
    return timedelta(seconds=game.options.turn_limit_s) * (2 if opening else 1) * (2 if more else 1)


def out_of_time(game: Game) -> tuple[Seat, ...]:
    """The chairs of those whose turn is over when the deadline of the turn has come."""
    if game.options.turn_based:
        turns, over = game.timers.turns, game.timers.deadlines["turn"]
        return tuple(seat for seat in game.awaited if turns[seat].until <= over)
    hurried = tuple(seat for seat in game.awaited if seat not in game.notes.more_time)
    return hurried or game.awaited


def _same_position(before: OpenTable, after: Game) -> bool:
    """Whether the same things lie on the table, and the same answers are owed."""
    if not before.running:
        return False
    asked = before.round.asked if isinstance(before, Game) else 0
    return before.revision == after.revision and asked == after.round.asked


def _newcomers(game: Game, now: datetime) -> Deadlines:
    """When those sit down who take a seat after the round: at once when it is over."""
    return {"newcomers": now} if game.between_rounds and game.notes.coming else {}


def _to_next_round(before: OpenTable, after: Game, old: Deadlines, now: datetime) -> Deadlines:
    """When the next round is dealt: at once if all are ready.

    One person alone is not hurried here either: it is dealt when they want it.
    """
    if after.all_ready:
        return {"next_round": now}
    if after.alone:
        return {"idle": old.get("idle", now + idle_time(after))}
    wait = RESUME_SECONDS if before.timers.paused else NEXT_ROUND_SECONDS
    return {"next_round": old.get("next_round", now + timedelta(seconds=wait))}


def _window_runs(game: Game) -> bool:
    """Whether the clock ends the bomb window, or gives it its usual time at turn-based pace.

    After that time it stays open there without a clock, as long as a person has to go on.
    """
    if not game.window_open:
        return False
    return game.going_on is None or game.timers.open_window != window_on_table(game.round)


def _computer_thinks(game: Game) -> bool:
    """Whether a computer player has to decide something, now or when the window has closed.

    Not as long as a person keeps the window open.
    """
    if game.going_on is not None:
        return False
    coming = game.next_on_turn if game.window_open else None
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
    rng = random.Random(f"{table.id}:{table.revision}")
    return timedelta(seconds=rng.uniform(*PAUSES[table.options.pace]))


def _window(game: Game) -> timedelta:
    """How long a bomb window stays open: not long where no person holds cards.

    Whether a bomb lies there never matters: that would tell of it.
    """
    longest = timedelta(milliseconds=game.options.rules.bomb_window_ms)
    if any(hand.size and not game.computer(seat) for seat, hand in enumerate(game.round.hands)):
        return longest
    return min(longest, timedelta(seconds=PAUSES[game.options.pace][0]))


def _longest_pause(game: Game) -> timedelta:
    """How long a table may be paused before it is closed."""
    return turn_based.LONGEST_PAUSE if game.options.turn_based else timedelta(days=PAUSED_DAYS)
