"""Deadlines of a table: absolute times, recomputed after every change."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from bot.table import auto_pass, turn_based
from bot.table.details import Deadlines, Speed
from bot.table.options import TableOptions
from bot.table.state import Game, Lobby, OpenTable, seats_to_act, window_id
from engine import Phase, Seat

LOBBY_MINUTES = 30
"""Minutes without a change before a live lobby closes.

A turn-based lobby closes after the time of a turn.
"""
START_SECONDS = 30
"""Seconds of the countdown with which a full lobby starts automatically."""
NEXT_ROUND_SECONDS = 20
"""Seconds of the countdown to the next round."""
RESUME_SECONDS = 5
"""Seconds of the countdown after a pause."""
GRACE_SECONDS = 30
"""Grace period in seconds for deadlines that expired during downtime."""
CHECK_IN_TIME = timedelta(minutes=5)
"""Time after which the match of an event starts without the people who are not there."""
IDLE = timedelta(minutes=15)
"""Time without a click after which the table of a person who plays alone pauses.

Such a table has no turn limit.
"""
NOTICEABLE_DELAY = timedelta(seconds=10)
"""Smallest delay that people notice."""
EVENING_PAUSE = timedelta(minutes=30)
"""Time after which a paused table of an evening with other people closes."""
PAUSED_DAYS = 7
"""Days after which a paused table is closed."""

PAUSES: dict[Speed, tuple[float, float]] = {
    "slow": (3.0, 5.0),
    "human": (1.0, 2.6),
    "quick": (0.2, 0.4),
}
"""Shortest and longest pause before a computer player's move, in seconds, by speed.

It does not depend on the hand.
"""
CLOSED_BY_EVENT = timedelta(days=1)
"""Time that an event has to close a lobby, also after downtime."""
_AFTER_WINDOW = timedelta(milliseconds=100)
"""Shortest time between the end of a window and a computer player's move."""


def lobby_deadline(options: TableOptions, now: datetime) -> Deadlines:
    """Return the time at which a lobby that changes now closes if it does not change again.

    The table of an event also has a time at which its match starts without those who are absent. If
    people have longer, the event closes it then; it closes by itself if the event does not.
    """
    if options.event is not None and options.event.until is not None:
        return {"lobby": options.event.until + CLOSED_BY_EVENT}
    if options.turn_based:
        return {"lobby": now + timedelta(seconds=options.turn_limit_s)}
    closing = now + timedelta(minutes=LOBBY_MINUTES)
    if options.event is None:
        return {"lobby": closing}
    return {"lobby": closing + CHECK_IN_TIME, "grace": now + CHECK_IN_TIME}


def idle_time(game: Game) -> timedelta:
    """Return the idle time after which the table of a person who plays alone pauses."""
    options = game.options
    return timedelta(seconds=options.turn_limit_s) if options.turn_based else IDLE


def lobby_deadlines(lobby: Lobby, now: datetime) -> Deadlines:
    """Return the deadlines of a changed lobby, including its automatic start.

    Each change restarts the countdown. A new lobby has no countdown until its first change, so if
    it is full already, it waits for its host. At the table of an event the match starts as soon as
    everybody is there, and changes do not postpone the end of the grace time. After that time a
    table that waits for a side tries to start with each change.
    """
    times = lobby_deadline(lobby.options, now)
    if lobby.options.event is not None:
        if "grace" in times:
            times["grace"] = lobby.timers.deadlines.get("grace", now)
        if set(lobby.invitations.here).issuperset(lobby.user_ids()):
            times["start"] = now
    elif lobby.options.auto_start and lobby.full:
        times["start"] = now + timedelta(seconds=START_SECONDS)
    return times


def kept_people_waiting(table: OpenTable, now: datetime) -> bool:
    """Return whether people at this table have waited for the bot during downtime.

    That is so if a deadline of their match expired at least `NOTICEABLE_DELAY` ago. The deadline at
    which a paused table closes does not count, because nobody waits for it. At a turn-based table
    nobody watches the clock.
    """
    if table.options.turn_based:
        return False
    awaited_times = (when for name, when in table.timers.deadlines.items() if name != "abandoned")
    return isinstance(table, Game) and min(awaited_times, default=now) <= now - NOTICEABLE_DELAY


def after_downtime(table: OpenTable, now: datetime) -> OpenTable:
    """Return the table after downtime, with a grace period for expired deadlines.

    Computer players start their pauses again. All deadlines are recomputed if one is missing,
    because an erasure drops details that cannot be read (`erase_in_details`).
    """
    grace = now + timedelta(seconds=GRACE_SECONDS)
    postponed: Deadlines = dict.fromkeys(("start", "grace", "turn", "next_round", "idle"), grace)
    postponed["think"] = now + _computer_pause(table)
    times = {
        name: postponed.get(name, when) if when < now else when
        for name, when in table.timers.deadlines.items()
    }
    table = table.with_timers(deadlines=times)
    if not isinstance(table, Game):
        times = times or lobby_deadline(table.options, now)
        return table.with_timers(deadlines=times) if table.open else table
    if table.timers.turns:
        table = turn_based.after_downtime(table, now)
        times = table.timers.deadlines
    required = deadlines(table, table, now).keys() - {"nudge"}
    return table if required <= times.keys() else reschedule(table, table, now)


def reschedule(before: OpenTable, after: Game, now: datetime) -> Game:
    """Return the game after a change, with its deadlines recomputed (see `deadlines`).

    Nudges at live pace are kept only as long as the cards on the table do not change.
    """
    nudged = after.timers.nudged if _same_position(before, after) else ()
    return after.with_timers(
        deadlines=deadlines(before, after, now),
        nudged=nudged,
        turns=turn_based.open_turns(after, now),
        turns_aside=turn_based.suspended_turns(after),
        lost_thread=after.timers.lost_thread if after.timers.paused else None,
    )


def deadlines(before: OpenTable, after: Game, now: datetime) -> Deadlines:
    """Return the deadlines after a change.

    As long as the position is the same, existing deadlines are kept.
    """
    if not after.running:
        return {}
    old = before.timers.deadlines if _same_position(before, after) else {}
    if after.timers.paused:
        nudges = turn_based.deadlines_of(after, turn_based.open_turns(after, now))
        end: Deadlines = {"abandoned": old.get("abandoned", now + _longest_pause(after))}
        return _newcomer_deadline(after, now) | nudges | end
    if after.phase is Phase.ROUND_END:
        return _newcomer_deadline(after, now) | _next_round_deadline(before, after, old, now)
    return {
        **_computer_deadlines(before, after, old, now),
        **_people_deadlines(before, after, old, now),
        **_auto_pass_deadline(after, old, now),
    }


def _auto_pass_deadline(game: Game, old: Deadlines, now: datetime) -> Deadlines:
    """Return the deadline at which the seat on turn moves automatically, if it does."""
    if auto_pass.automatic_move(game) is None:
        return {}
    return {"auto_pass": old.get("auto_pass", now + auto_pass.pause(game))}


def _computer_deadlines(before: OpenTable, after: Game, old: Deadlines, now: datetime) -> Deadlines:
    """Return the deadlines of the open bomb window and of computer players' moves."""
    times: Deadlines = {}
    if _window_timer_runs(after):
        times["window"] = old.get("window", now + _window_length(after))
    if _computer_must_decide(after):
        times["think"] = _computer_move_time(before, after, old, now)
        if "window" in times:
            # The pause runs from the previous play, so a window causes no extra wait.
            times["think"] = max(times["think"], times["window"] + _AFTER_WINDOW)
    return times


def _people_deadlines(before: OpenTable, after: Game, old: Deadlines, now: datetime) -> Deadlines:
    """Return the deadlines of the awaited people: the end of their turn, and their nudge.

    A person who plays alone has no turn limit. An idle deadline pauses their table instead.
    """
    if not after.awaited:
        return {}
    if after.alone:
        return {"idle": old.get("idle", now + idle_time(after))}
    if after.options.turn_based:
        return turn_based.deadlines_of(after, turn_based.open_turns(after, now))
    turn_began = now
    if isinstance(before, Game) and "turn" in old:
        turn_began = old["turn"] - _turn_limit(before)
    times: Deadlines = {"turn": turn_began + _turn_limit(after)}
    already_nudged = "turn" in old and "nudge" not in old
    if not already_nudged:
        times["nudge"] = old.get("nudge", now + timedelta(seconds=after.options.nudge_s))
    return times


def _turn_limit(game: Game) -> timedelta:
    """Return the turn limit that applies to the awaited people.

    It is doubled for the answers about Grand Tichu and for the exchange, and doubled again if all
    awaited people have chosen more time.
    """
    opening = game.phase in (Phase.GRAND, Phase.EXCHANGE) and not game.round.asked
    all_slow = game.notes.more_time.issuperset(game.awaited)
    factor = (2 if opening else 1) * (2 if all_slow else 1)
    return timedelta(seconds=game.options.turn_limit_s) * factor


def chairs_out_of_time(game: Game) -> tuple[Seat, ...]:
    """Return the chairs whose turn is over when the turn deadline expires.

    At live pace, people who have chosen more time are spared as long as others are awaited, too.
    """
    if game.options.turn_based:
        turns, over = game.timers.turns, game.timers.deadlines["turn"]
        return tuple(seat for seat in game.awaited if turns[seat].until <= over)
    without_more_time = tuple(seat for seat in game.awaited if seat not in game.notes.more_time)
    return without_more_time or game.awaited


def _same_position(before: OpenTable, after: Game) -> bool:
    """Return whether the cards, and the seats asked to withdraw a call, are unchanged."""
    if not before.running:
        return False
    asked = before.round.asked if isinstance(before, Game) else 0
    return before.revision == after.revision and asked == after.round.asked


def _newcomer_deadline(game: Game, now: datetime) -> Deadlines:
    """Return a deadline that expires now, if newcomers with a reserved seat can sit down."""
    return {"newcomers": now} if game.between_rounds and game.notes.coming else {}


def _next_round_deadline(
    before: OpenTable, after: Game, old: Deadlines, now: datetime
) -> Deadlines:
    """Return the deadline at which the next round is dealt, which is now if all are ready.

    A person who plays alone has no such deadline, because they start the next round themselves.
    Only an idle deadline runs.
    """
    if after.all_ready:
        return {"next_round": now}
    if after.alone:
        return {"idle": old.get("idle", now + idle_time(after))}
    wait = RESUME_SECONDS if before.timers.paused else NEXT_ROUND_SECONDS
    return {"next_round": old.get("next_round", now + timedelta(seconds=wait))}


def _window_timer_runs(game: Game) -> bool:
    """Return whether the open bomb window closes by a timer.

    Every window stays open for its usual time. If a person still has to go on after that, at
    turn-based pace, the window stays open without a timer (`Timers.open_window`).
    """
    if not game.window_open:
        return False
    usual_time_over = game.timers.open_window == window_id(game.round)
    return game.awaited_in_window is None or not usual_time_over


def _computer_must_decide(game: Game) -> bool:
    """Return whether a computer player must decide now, or after the open bomb window.

    Nothing is to be decided while a person keeps the window open.
    """
    if game.awaited_in_window is not None:
        return False
    next_seat = game.next_on_turn if game.window_open else None
    seats = seats_to_act(game.match) if next_seat is None else (next_seat,)
    return any(map(game.computer, seats))


def _computer_move_time(before: OpenTable, after: Game, old: Deadlines, now: datetime) -> datetime:
    """Return the time at which computer players move.

    Their pause starts again after a call of Tichu, because the caller has not moved yet.
    """
    called = isinstance(before, Game) and before.round.calls != after.round.calls
    if "think" in old and not called:
        return old["think"]
    return now + _computer_pause(after)


def _computer_pause(table: OpenTable) -> timedelta:
    """Return a computer player's random pause, the same for the same position.

    The seed is public data. It must not contain the number of actions, because that also counts
    sealed bombs, and a player who knows the pauses could then detect these bombs.
    """
    rng = random.Random(f"{table.id}:{table.revision}")
    speed = table.speed if isinstance(table, Game) else table.options.pace
    return timedelta(seconds=rng.uniform(*PAUSES[speed]))


def _window_length(game: Game) -> timedelta:
    """Return the length of a bomb window, which is short if no person holds cards.

    It does not depend on whether a player has a bomb, because it would reveal that.
    """
    full_length = timedelta(milliseconds=game.options.rules.bomb_window_ms)
    if any(hand.size and not game.computer(seat) for seat, hand in enumerate(game.round.hands)):
        return full_length
    shortest_pause_s, _ = PAUSES[game.speed]
    return min(full_length, timedelta(seconds=shortest_pause_s))


def _longest_pause(game: Game) -> timedelta:
    """Return the time after which a paused table is closed; an evening of an event is shorter."""
    event = game.options.event
    if event is not None and event.until is None:
        return EVENING_PAUSE
    return turn_based.LONGEST_PAUSE if game.options.turn_based else timedelta(days=PAUSED_DAYS)
