"""Turn-based pace: turns of hours or days, their nudges and reminders.

Every awaited person has a turn of their own (`Timers.turns`). It begins when they become able to
act. A bomb window before their move is part of their turn, and stays open until they go on. They
are nudged once when the turn begins, and reminded once when three quarters of it are over. In their
quiet hours they are neither nudged nor reminded, and the time stops (`bot.table.quiet_hours`). If a
person misses their turn, a computer player makes one move for them; their next move is another
turn. While a seat is asked to withdraw a call, the turns of all other seats are suspended
unchanged.

A table that is paused, because it has lost its thread or all have missed two turns, notifies its
people once in the same way as for a turn.

One person alone with computer players is not hurried: see `bot.table.presence`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import chain

from bot.ids import UserId
from bot.table.details import Deadlines, OpenTurn
from bot.table.state import Game
from engine import Phase, Seat

QUIET = timedelta(minutes=1)
"""Time after their last click in which nobody is nudged."""

LONGEST_PAUSE = timedelta(days=28)
"""Time after which a paused table is closed."""

Turns = Mapping[Seat, OpenTurn]
"""Open turns by chair."""


def turn_id(game: Game) -> str:
    """Return the id of the current turn.

    A bomb window has the same id as the move after it. Giving a trick away and leading the next
    trick are two turns, even for the same person. A pause has an id, too, because people are nudged
    about it.
    """
    if game.timers.paused:
        return f"{game.round.number}.{game.timers.lost_thread or 'paused'}"
    return f"{game.round.number}.asked" if game.round.asked else turn_id_in_play(game)


def turn_id_in_play(game: Game) -> str:
    """Return the id of the current turn, as if no seat were asked to withdraw a call.

    Moves of computer players do not change the id, because they are part of the turn of the next
    person. A new owner of a seat does not change it, either (`keep_turn_ids`).
    """
    round_ = game.round
    if round_.phase in (Phase.GRAND, Phase.EXCHANGE):
        return f"{round_.number}.{round_.phase.value}"
    moves = _moves_of_people(game) + game.timers.moves_before
    gives_trick = round_.phase in (Phase.CLOSING, Phase.GIFT) and game.gift_due
    return f"{round_.number}.{moves}{'.gift' if gives_trick else ''}"


def _moves_of_people(game: Game) -> int:
    """Return the number of moves in this round by people's seats."""
    steps = chain(game.round.trick, *(trick.steps for trick in game.round.past))
    return sum(not game.computer(step.seat) for step in steps)


def keep_turn_ids(before: Game, after: Game) -> Game:
    """Return the game after a seat has a new owner, with unchanged turn ids.

    The id of a turn counts people's moves. If a person replaces a computer player, or the other way
    round, the earlier moves of that seat change the count, so `moves_before` corrects it.
    """
    moves = _moves_of_people(before) - _moves_of_people(after)
    return after.with_timers(moves_before=before.timers.moves_before + moves) if moves else after


def open_turns(game: Game, now: datetime) -> dict[Seat, OpenTurn]:
    """Return the turns of all awaited people; turns that are already open stay unchanged.

    After the exchange, other people also keep a turn with the current id. A person who has moved
    during a bomb window may still take the move back, and a person who has gone on may be next
    after a computer player.
    """
    if not game.running or not game.options.turn_based:
        return {}
    if game.timers.paused:
        return _pause_turns(game, now)
    if game.alone or game.phase is Phase.ROUND_END:
        return {}
    turn = turn_id(game)
    already_open = _turns_with_id(turn, _resumed_turns(game, now), game.timers.turns)
    kept = already_open if game.phase not in (Phase.GRAND, Phase.EXCHANGE) else {}
    return kept | {
        chair: already_open.get(chair) or _new_turn(game, chair, turn, now)
        for chair in game.awaited
    }


def _pause_turns(game: Game, now: datetime) -> dict[Seat, OpenTurn]:
    """Return an open turn for each person while the table is paused.

    Its nudge is the notice of the pause. People are notified only if the thread is lost, or if
    several people play and all are gone.
    """
    left_by_all = game.deserted and not game.alone
    if game.timers.lost_thread is None and not left_by_all:
        return {}
    turn = turn_id(game)
    already_open = _turns_with_id(turn, game.timers.turns)
    return {
        chair.seat: already_open.get(chair.seat)
        or OpenTurn(
            turn=turn, until=now + LONGEST_PAUSE, nudge_at=_nudge_time(game, chair.seat, now)
        )
        for chair in game.people()
    }


def suspended_turns(game: Game) -> dict[Seat, OpenTurn]:
    """Return the turns by chair that are suspended while a seat is asked to withdraw a call."""
    if not game.round.asked:
        return {}
    return _turns_with_id(turn_id_in_play(game), game.timers.turns_aside, game.timers.turns)


def _turns_with_id(id_: str, *turns_by_chair: Turns) -> dict[Seat, OpenTurn]:
    """Return the turns with this id; the last mapping that has one for a chair wins."""
    return {
        chair: turn for turns in turns_by_chair for chair, turn in turns.items() if turn.turn == id_
    }


def _resumed_turns(game: Game, now: datetime) -> dict[Seat, OpenTurn]:
    """Return the suspended turns that continue because the question about a call is answered."""
    aside = {} if game.round.asked else game.timers.turns_aside
    return _with_time_left(game, aside, now)


def _new_turn(game: Game, chair: Seat, turn: str, now: datetime) -> OpenTurn:
    """Return a turn of a chair that begins now."""
    return OpenTurn(
        turn=turn,
        until=_end_of_fraction(game, chair, 1.0, now),
        nudge_at=_nudge_time(game, chair, now),
        remind_at=_end_of_fraction(game, chair, 0.75, now),
    )


def _end_of_fraction(game: Game, chair: Seat, fraction: float, now: datetime) -> datetime:
    """Return the time at which this fraction of a turn that begins now is over."""
    length, quiet = timedelta(seconds=game.options.turn_limit_s) * fraction, game.notes.quiet
    return quiet[chair].after(now, length) if chair in quiet else now + length


def _nudge_time(game: Game, chair: Seat, now: datetime) -> datetime:
    """Return the next time this chair may be nudged."""
    quiet = game.notes.quiet.get(chair)
    return (quiet.until(now) if quiet is not None else None) or now


def deadlines_of(game: Game, turns: Turns) -> Deadlines:
    """Return the deadlines of these turns and of their nudges."""
    open_ = [turns[chair] for chair in to_nudge(game, turns)]
    if not open_:
        return {}
    ends: Deadlines = {"turn": min(turn.until for turn in open_)}
    times = ends if not game.timers.paused else {}
    nudges = [when for turn in open_ for when in (turn.nudge_at, turn.remind_at) if when]
    return times | ({"nudge": min(nudges)} if nudges else {})


def to_nudge(game: Game, turns: Turns) -> tuple[Seat, ...]:
    """Return the chairs of awaited people, or in a pause, of the people to notify of it."""
    chairs = turns if game.timers.paused else game.awaited
    return tuple(sorted(chair for chair in chairs if chair in turns))


def with_turns(game: Game, turns: dict[Seat, OpenTurn]) -> Game:
    """Return the game with these open turns and their deadlines."""
    times = {
        name: when for name, when in game.timers.deadlines.items() if name not in ("turn", "nudge")
    }
    return game.with_timers(turns=turns, deadlines=times | deadlines_of(game, turns))


def mark_nudged(
    game: Game, clicks: Mapping[UserId, datetime], now: datetime
) -> tuple[Game, tuple[UserId, ...], tuple[UserId, ...]]:
    """Return the table after due nudges, the users nudged, and the users reminded.

    Each person is nudged once and reminded once per turn, never both at the same time, and not in
    their quiet hours. `clicks` are the times of the last clicks by user. A user who has just
    clicked is nudged later, if they are still awaited; notices of a pause are not delayed.
    """
    turns = dict(game.timers.turns)
    recent_clicks = {} if game.timers.paused else clicks
    nudged: list[UserId] = []
    reminded: list[UserId] = []
    for chair in to_nudge(game, turns):
        user_id, turn = game.chairs[chair].user_id, turns[chair]
        next_nudge = min((when for when in (turn.nudge_at, turn.remind_at) if when), default=None)
        if user_id is None or next_nudge is None or next_nudge > now:
            continue

        # postpone it after a recent click, and in quiet hours
        earliest = now
        if user_id in recent_clicks:
            earliest = max(now, recent_clicks[user_id] + QUIET)
        earliest = _nudge_time(game, chair, earliest)
        if earliest > now:
            turns[chair] = replace(
                turn,
                nudge_at=earliest if turn.nudge_at is not None else None,
                remind_at=max(turn.remind_at, earliest) if turn.remind_at is not None else None,
            )
            continue

        is_nudge = turn.nudge_at is not None
        (nudged if is_nudge else reminded).append(user_id)
        reminder_follows = is_nudge and turn.remind_at is not None and turn.remind_at > now
        turns[chair] = replace(
            turn,
            nudge_at=None,
            remind_at=turn.remind_at if reminder_follows else None,
            reminded=not is_nudge,
        )
    return with_turns(game, turns), tuple(nudged), tuple(reminded)


def schedule_nudges(game: Game, turn: str, new_times: Mapping[UserId, datetime]) -> Game:
    """Return the table with nudges postponed because of quiet hours.

    `new_times` are the times of the nudges by user, and `turn` is the id of the turn that the users
    are nudged about. People who have moved since are left out.
    """
    turns = dict(game.timers.turns)
    for user_id, when in new_times.items():
        chair = game.seat_of(user_id)
        open_turn = turns.get(chair) if chair is not None else None
        if chair is None or open_turn is None or open_turn.turn != turn:
            continue
        if open_turn.reminded:
            turns[chair] = replace(open_turn, remind_at=when, reminded=False)
        elif open_turn.remind_at != when:  # otherwise the reminder is at this time already
            turns[chair] = replace(open_turn, nudge_at=when)
    return with_turns(game, turns) if turns != game.timers.turns else game


def nudged_between(before: Game, after: Game) -> tuple[UserId, ...]:
    """Return the users nudged or reminded by the change between two states."""
    chairs = [
        chair
        for chair, turn in after.timers.turns.items()
        if (turn_before := before.timers.turns.get(chair)) is not None
        and turn.turn == turn_before.turn
        and _pending_nudges(turn) < _pending_nudges(turn_before)
    ]
    return tuple(user for chair in chairs if (user := after.chairs[chair].user_id) is not None)


def _pending_nudges(turn: OpenTurn) -> int:
    """Return the number of nudges and reminders of this turn that are still to be sent."""
    return (turn.nudge_at is not None) + (turn.remind_at is not None)


def after_downtime(game: Game, now: datetime) -> Game:
    """Return the game after downtime, with expired turns extended."""
    return with_turns(game, _with_time_left(game, game.timers.turns, now))


def _with_time_left(game: Game, turns: Turns, now: datetime) -> dict[Seat, OpenTurn]:
    """Return these turns; an expired one gets a quarter of a turn from now."""
    return {
        chair: replace(
            turn,
            until=_end_of_fraction(game, chair, 0.25, now),
            remind_at=now if turn.remind_at is not None else None,
        )
        if turn.until <= now
        else turn
        for chair, turn in turns.items()
    }


def count_missed(game: Game, chairs: frozenset[Seat]) -> Game:
    """Return the game with the open turns of these chairs counted as missed."""
    turns, counts = dict(game.timers.turns), dict(game.notes.missed)
    for chair in sorted(chairs & turns.keys()):
        if not turns[chair].missed:
            turns[chair] = replace(turns[chair], missed=True)
            counts[chair] = counts.get(chair, 0) + 1
    return game.with_timers(turns=turns).with_notes(missed=counts)
