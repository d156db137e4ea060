"""Reminders: few requests, and none lost to a retry that succeeds."""

from __future__ import annotations

from functools import partial

import pytest

from bot.live.events import Waiting
from bot.table.commands import Command, Context
from bot.table.interruptions import nudge_awaited
from bot.table.outcome import Outcome, details_only
from bot.table.permission import require_game
from bot.table.state import OpenTable
from bot.table.turn_based import QUIET
from engine import Match, Phase
from tests.cogs.delivery.slow_requests import SlowRequests
from tests.cogs.delivery.test_table_channel import POST, at_the_lead, call
from tests.cogs.fast_forward import carried_out, fast_forward, reached
from tests.cogs.table_play import seat_all
from tests.cogs.test_clock import pings
from tests.cogs.worlds import World

FIRST_PAUSE = 15


class Nudge(Command):
    """Mark the awaited people as nudged, like the timer."""

    def carry_out(self, table: OpenTable, user_id: int, context: Context) -> Outcome:
        """Return the marked game."""
        after, _ = nudge_awaited(require_game(table), {}, context.now)
        return details_only(after)


async def remind(world: World) -> None:
    """Remind the players on turn, like the timer."""
    game = await carried_out(world, world.game(), Nudge())
    world.bot.events.dispatch(Waiting(game, game.timers.nudged))


def _has_tricks(number: int, match: Match) -> bool:
    return match.round is not None and len(match.round.past) >= number


async def test_reminder_is_sent_during_a_successful_retry(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, *_ = await at_the_lead(world)
    world.env.inject_error("POST", POST, status=403, code=50013)
    await call(ada)
    slow = SlowRequests(monkeypatch, "POST", "/channels/{channel_id}/messages")
    slow.slow = True
    await world.env.advance_time(FIRST_PAUSE)
    assert len(slow.waiting) == 1
    await remind(world)
    slow.let_go()
    await world.env.settle()
    assert len(pings(world)) == 1


async def test_reminder_is_removed_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    await fast_forward(world, reached(Phase.LEAD))
    await world.env.advance_time(QUIET.total_seconds() + 1)
    assert len(pings(world)) == 1
    slow = SlowRequests(monkeypatch, "DELETE", "/channels/{channel_id}/messages/{message_id}")
    slow.slow = True
    for tricks in (1, 2, 3):
        await fast_forward(world, partial(_has_tricks, tricks))
    slow.let_go()
    await world.env.settle()
    assert pings(world) == []
    removals = [r for r in world.env.http_requests if r.method == "DELETE"]
    assert len(removals) == 1
    assert world.game().messages.nudge is None
