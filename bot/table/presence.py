"""People who were away come back, with any click; a table where nobody is there pauses.

Whoever lets the turn limit pass is marked as away (`Batch.mark_away`), and a computer player acts
for them (`Game.computer`) until they are back. When nobody is there any more, the round is still
played to its end; then the table pauses until somebody who sits there clicks.
"""

from __future__ import annotations

from datetime import datetime

from bot.ids import UserId
from bot.table.deadlines import rescheduled
from bot.table.state import Game


def returned(game: Game, user_id: UserId, now: datetime) -> Game:
    """The table with this person back at it; as it is if they are not away or do not sit there.

    A table that was paused because everybody was away goes on. If it is their turn, their time
    starts.
    """
    seat = game.seat_of(user_id)
    if seat is None or seat not in game.notes.away or not game.running:
        return game
    away = tuple(other for other in game.notes.away if other != seat)
    return somebody_came(game, game.with_notes(away=away), now)


def somebody_came(before: Game, after: Game, now: datetime) -> Game:
    """The table after a person joins or returns: deadlines are recomputed, a pause may end.

    A pause for lack of people is lifted. Deadlines that `after` still has go on.
    """
    if before.timers.paused and before.deserted and not after.deserted:
        after = after.with_timers(paused=False)
    before = before.with_timers(deadlines=after.timers.deadlines)
    return rescheduled(before, after, now)


def pauses_now(game: Game) -> bool:
    """Whether the table waits between two rounds because nobody is there to play the next."""
    return game.between_rounds and game.deserted
