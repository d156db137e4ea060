"""Deadlines of a table: absolute times, recomputed after every change."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from bot.table import auto_pass, turn_based
from bot.table.details import Deadlines, Speed
from bot.table.options import TableOptions
from bot.table.state import Game, Lobby, OpenTable, seats_waited_for, window_on_table
from engine import Phase, Seat

LOBBY_MINUTES = 30
"""Minutes without a change before a live lobby closes.

A turn-based one has a turn's time.
"""
START_SECONDS = 30
"""Seconds of the countdown with which a full lobby starts automatically."""
NEXT_ROUND_SECONDS = 20
"""Seconds of the countdown to the next round."""
RESUME_SECONDS = 5
"""Seconds of the countdown after a pause."""
GRACE_SECONDS = 30
"""Grace period in seconds for deadlines that expired during downtime."""
IDLE = timedelta(minutes=15)
"""Time without a click after which a single person's table pauses.

Such a table has no turn limit.
"""
LATE = timedelta(seconds=10)
"""Smallest delay that people notice."""
PAUSED_DAYS = 7
"""Days after which a paused table is closed."""

PAUSES: dict[Speed, tuple[float, float]] = {
    "slow": (3.0, 5.0),
    "human": (1.0, 2.6),
    "quick": (0.2, 0.4),
}
"""Seconds before a computer player's move, by speed; never by hand."""
_AFTER_WINDOW = timedelta(milliseconds=100)
"""Shortest time between the end of a window and a computer player's move."""


def lobby_deadline(options: TableOptions, now: datetime) -> Deadlines:
    """Return the deadline of a lobby that has just been touched."""
    if options.turn_based:
        return {"lobby": now + timedelta(seconds=options.turn_limit_s)}
    return {"lobby": now + timedelta(minutes=LOBBY_MINUTES)}


def idle_time(game: Game) -> timedelta:
    """Return the idle time after which the table of one person alone pauses."""
    options = game.options
    return timedelta(seconds=options.turn_limit_s) if options.turn_based else IDLE


def lobby_deadlines(lobby: Lobby, now: datetime) -> Deadlines:
    """Return the deadlines of a changed lobby, including its automatic start.

    Each change restarts the countdown. A lobby that was full when it was opened has none, because
    nobody has just sat down. It waits for its host.
    """
    times = lobby_deadline(lobby.options, now)
    if lobby.options.auto_start and lobby.full:
        times["start"] = now + timedelta(seconds=START_SECONDS)
    return times


def kept_waiting(table: OpenTable, now: datetime) -> bool:
    """Return whether people have waited for the bot during downtime.

    They have if a deadline of a match expired some time ago. Nobody waits for a table to close, nor
    watches a turn-based one.
    """
    if table.options.turn_based:
        return False
    due = (when for name, when in table.timers.deadlines.items() if name != "abandoned")
    return isinstance(table, Game) and min(due, default=now) <= now - LATE


def after_downtime(table: OpenTable, now: datetime) -> OpenTable:
    """Return the table after downtime, with a grace period for expired deadlines.

    Computer players start their pauses again. A table that lacks a timer gets it: versions before
    0.2 stored a turn limit and a countdown for people who play alone.
    """
    grace = now + timedelta(seconds=GRACE_SECONDS)
    soon: Deadlines = dict.fromkeys(("start", "turn", "next_round", "idle"), grace)
    soon["think"] = now + _computer_pause(table)
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
    return table if needed <= times.keys() else reschedule(table, table, now)


def reschedule(before: OpenTable, after: Game, now: datetime) -> Game:
    """Return the game after a change, with its deadlines recomputed (see `deadlines`).

    Nudges at live pace are kept only as long as the cards on the table do not change.
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
    """Return the deadlines after a change; those of an unchanged position are kept."""
    if not after.running:
        return {}
    old = before.timers.deadlines if _same_position(before, after) else {}
    if after.timers.paused:
        nudges = turn_based.deadlines_of(after, turn_based.turns_open(after, now))
        closes: Deadlines = {"abandoned": old.get("abandoned", now + _longest_pause(after))}
        return _newcomer_deadline(after, now) | nudges | closes
    if after.phase is Phase.ROUND_END:
        return _newcomer_deadline(after, now) | _to_next_round(before, after, old, now)
    times = _of_computers(before, after, old, now) | _of_people(before, after, old, now)
    return times | _of_auto_pass(after, old, now)


def _of_auto_pass(game: Game, old: Deadlines, now: datetime) -> Deadlines:
    """Return the deadline of an automatic pass, if there is one."""
    if auto_pass.passes_by_itself(game) is None:
        return {}
    return {"auto_pass": old.get("auto_pass", now + auto_pass.pause(game))}


def _of_computers(before: OpenTable, after: Game, old: Deadlines, now: datetime) -> Deadlines:
    """Return the deadlines of the open bomb window and of computer players' moves."""
    times: Deadlines = {}
    if _window_runs(after):
        times["window"] = old.get("window", now + _window_length(after))
    if _computer_thinks(after):
        times["think"] = _think_until(before, after, old, now)
        if "window" in times:
            # The pause runs from the previous play, so a window causes no extra wait.
            times["think"] = max(times["think"], times["window"] + _AFTER_WINDOW)
    return times


def _of_people(before: OpenTable, after: Game, old: Deadlines, now: datetime) -> Deadlines:
    """Return the deadlines of the awaited people's turn and of their single nudge.

    One person alone has no turn limit, but an idle deadline closes the table if they are gone.
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
    """Return the turn limit of the awaited people, the shortest of several.

    The first answers of a round and the exchange take twice as long as a turn. People who have
    chosen more time get twice as much again.
    """
    opening = game.phase in (Phase.GRAND, Phase.EXCHANGE) and not game.round.asked
    more = game.notes.more_time.issuperset(game.awaited)
    return timedelta(seconds=game.options.turn_limit_s) * (2 if opening else 1) * (2 if more else 1)


def chairs_out_of_time(game: Game) -> tuple[Seat, ...]:
    """Return the chairs whose turn is over when the turn deadline expires."""
    if game.options.turn_based:
        turns, over = game.timers.turns, game.timers.deadlines["turn"]
        return tuple(seat for seat in game.awaited if turns[seat].until <= over)
    hurried = tuple(seat for seat in game.awaited if seat not in game.notes.more_time)
    return hurried or game.awaited


def _same_position(before: OpenTable, after: Game) -> bool:
    """Return whether the cards and the answers owed are unchanged."""
    if not before.running:
        return False
    asked = before.round.asked if isinstance(before, Game) else 0
    return before.revision == after.revision and asked == after.round.asked


def _newcomer_deadline(game: Game, now: datetime) -> Deadlines:
    """Return a deadline for newcomers, now if the round is over."""
    return {"newcomers": now} if game.between_rounds and game.notes.coming else {}


def _to_next_round(before: OpenTable, after: Game, old: Deadlines, now: datetime) -> Deadlines:
    """Return the deadline of the next deal: now if all are ready.

    One person alone is not hurried; the round is dealt when they ask for it.
    """
    if after.all_ready:
        return {"next_round": now}
    if after.alone:
        return {"idle": old.get("idle", now + idle_time(after))}
    wait = RESUME_SECONDS if before.timers.paused else NEXT_ROUND_SECONDS
    return {"next_round": old.get("next_round", now + timedelta(seconds=wait))}


def _window_runs(game: Game) -> bool:
    """Return whether the timer of the open bomb window runs.

    At turn-based pace it runs for the usual time of a window. After that the window stays open
    without a timer, as long as a person has to go on.
    """
    if not game.window_open:
        return False
    return game.going_on is None or game.timers.open_window != window_on_table(game.round)


def _computer_thinks(game: Game) -> bool:
    """Return whether a computer player must decide now or next.

    It need not as long as a person keeps the window open.
    """
    if game.going_on is not None:
        return False
    coming = game.next_on_turn if game.window_open else None
    seats = seats_waited_for(game.match) if coming is None else (coming,)
    return any(map(game.computer, seats))


def _think_until(before: OpenTable, after: Game, old: Deadlines, now: datetime) -> datetime:
    """Return the time of computer players' moves; a call restarts it.

    The caller of Tichu has yet to play.
    """
    called = isinstance(before, Game) and before.round.calls != after.round.calls
    if "think" in old and not called:
        return old["think"]
    return now + _computer_pause(after)


def _computer_pause(table: OpenTable) -> timedelta:
    """Return a computer player's random pause, the same for the same position.

    The seed is public data. The number of all actions would not do, because it counts sealed bombs,
    and a player who knows the pauses could find them out.
    """
    rng = random.Random(f"{table.id}:{table.revision}")
    speed = table.speed if isinstance(table, Game) else table.options.pace
    return timedelta(seconds=rng.uniform(*PAUSES[speed]))


def _window_length(game: Game) -> timedelta:
    """Return the length of a bomb window.

    It is short if no person holds cards.

    It must not depend on whether a player has a bomb, which it would reveal.
    """
    longest = timedelta(milliseconds=game.options.rules.bomb_window_ms)
    if any(hand.size and not game.computer(seat) for seat, hand in enumerate(game.round.hands)):
        return longest
    return min(longest, timedelta(seconds=PAUSES[game.speed][0]))


def _longest_pause(game: Game) -> timedelta:
    """Return the time after which a paused table is closed."""
    return turn_based.LONGEST_PAUSE if game.options.turn_based else timedelta(days=PAUSED_DAYS)
