"""Liveness check of a table: somebody can act, or a timer will."""

from __future__ import annotations

from datetime import datetime

from bot.table.commands import Act, Context, GoOn, Pause
from bot.table.details import Deadline
from bot.table.state import Game, OpenTable, seats_to_act
from engine import legal_actions

CLOSING: frozenset[Deadline] = frozenset({"lobby", "idle", "abandoned"})
"""Timers that pause or close a table when nobody acts."""
PLAYING: frozenset[Deadline] = frozenset(
    {"window", "think", "auto_pass", "turn", "next_round", "newcomers"}
)
"""Timers that continue play. A nudge alone is none, because nothing follows from it."""


def no_secret() -> bytes:
    """Return the secret of a deal that is only tried out."""
    return bytes(32)


def check_way_on(table: OpenTable, now: datetime) -> None:
    """Check that a timer of an open table does something and awaited people can act."""
    timers = set(table.timers.deadlines) & (CLOSING | PLAYING)
    assert timers, "no timer will do anything"
    if not isinstance(table, Game):
        assert timers == {"lobby"}  # and perhaps a timer that starts it
        return
    context = Context(now, no_secret)
    if table.timers.paused:
        assert "abandoned" in timers, "it is paused for ever"
        for chair in table.people():
            assert chair.user_id is not None
            after = Pause(False).carry_out(table, chair.user_id, context).after
            assert isinstance(after, Game)
            assert not after.timers.paused
            check_way_on(after, now)
        return
    if table.alone and (table.awaited or (table.between_rounds and not table.all_ready)):
        assert "idle" in timers, "a lone person who is gone keeps the channel"
    else:
        assert timers & PLAYING, "nothing that plays on"
    _check_awaited(table, context)


def _check_awaited(game: Game, context: Context) -> None:
    """Check that each awaited person has a legal action, and that computers answer."""
    for seat in seats_to_act(game.match):
        action = next(iter(legal_actions(game.match, seat)), None)
        assert action is not None, "a seat is waited for that can do nothing"
        if game.computer(seat):
            assert "think" in game.timers.deadlines
            continue
        user_id = game.chairs[game.decider(seat)].user_id
        assert user_id is not None
        after = Act(action, game.revision).carry_out(game, user_id, context).after
        assert isinstance(after, Game)
        assert after.seq > game.seq
    if game.window_open and "window" not in game.timers.deadlines:
        assert game.awaited_in_window is not None, "nothing ends the bomb window"
        (chair,) = game.awaited
        user_id = game.chairs[chair].user_id
        assert user_id is not None
        after = GoOn(game.revision).carry_out(game, user_id, context).after
        assert isinstance(after, Game)
        assert after.seq > game.seq
