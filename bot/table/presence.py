"""People who were away come back, with any click; a table where nobody is there pauses.

Whoever lets the turn limit pass is marked as away (`Batch.mark_away`), and a computer player acts
for them (`Game.computer`) until they are back. When nobody is there any more, the round is still
played to its end; then the table pauses until somebody who sits there clicks.

Whoever plays alone with computer players has no turn limit and no countdown to the next round, and
is never away by being late: without a click for a while their table pauses where it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from bot.ids import UserId
from bot.table.deadlines import idle_time, rescheduled
from bot.table.state import Game

NOTED_EVERY = timedelta(minutes=1)
"""How often clicks of somebody who plays alone are stored at most, if they change nothing."""


def comes_back(game: Game, user_id: UserId) -> bool:
    """Whether a click of this person changes something: they were away, or the table waits."""
    seat, notes = game.seat_of(user_id), game.notes
    if seat is None or not game.running:
        return False
    return seat in notes.away or seat in notes.missed or game.resumes


def returned(game: Game, user_id: UserId, now: datetime) -> Game:
    """The table with this person back at it; as it is if they are not away or do not sit there.

    A table that was paused because everybody was away goes on, as does a round of one person alone.
    Between two rounds that person may have wanted the pause themselves, so the table goes on only
    when they ask for it. If it is their turn, their time starts.
    """
    if not comes_back(game, user_id):
        return game
    seat, notes = game.seat_of(user_id), game.notes
    away = tuple(other for other in notes.away if other != seat)
    missed = {other: number for other, number in notes.missed.items() if other != seat}
    return somebody_came(game, game.with_notes(away=away, missed=missed), now)


def somebody_came(before: Game, after: Game, now: datetime) -> Game:
    """The table after a person joins or returns: deadlines are recomputed, a pause may end.

    A pause for lack of people is lifted. Deadlines that `after` still has go on.
    """
    if (before.yields or before.resumes) and not after.deserted:
        after = after.with_timers(paused=False)
    before = before.with_timers(deadlines=after.timers.deadlines)
    return rescheduled(before, after, now)


def pauses_now(game: Game) -> bool:
    """Whether the table waits because nobody is there: at live pace only between two rounds."""
    return game.deserted and (game.between_rounds or (game.running and game.options.turn_based))


def heard_of(game: Game, clicks: Mapping[UserId, datetime]) -> Game:
    """The table with the idle limit of somebody who plays alone restarted at their last click.

    `clicks` are the last clicks by user. The table stays as it is if it has no idle limit, or if
    its limit does not end earlier.
    """
    last = [clicks[user] + idle_time(game) for user in game.user_ids() if user in clicks]
    idle = game.timers.deadlines.get("idle")
    if idle is None or max(last, default=idle) <= idle:
        return game
    return game.with_timers(deadlines={**game.timers.deadlines, "idle": max(last)})


def is_news(game: Game, now: datetime) -> bool:
    """Whether a click at `now` is to be stored, so that it is known after a restart.

    Only if somebody plays alone, and unless a click of the last `NOTED_EVERY` is already stored.
    """
    idle = game.timers.deadlines.get("idle")
    return idle is not None and idle - idle_time(game) + NOTED_EVERY <= now


def not_heard_of(game: Game, clicks: Mapping[UserId, datetime], now: datetime) -> Game:
    """The table of one person alone when the time for their next move is over: it pauses.

    No seat is kept for a newcomer then: nobody knows when the round will be over. `clicks` are the
    last clicks by user: whoever has clicked meanwhile is there.
    """
    heard = heard_of(game, clicks)
    if heard.timers.deadlines["idle"] > now:
        return heard
    paused = game.with_timers(paused=True).with_notes(coming={})
    return rescheduled(game, paused, now)
