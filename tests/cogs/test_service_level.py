"""Metrics of the service level: times of answers, missing answers, lost moves."""

from __future__ import annotations

import time

import pytest

from bot.runtime.metrics import ANSWER_BOUNDS
from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.forged_clicks import forge
from tests.cogs.table_play import seat_all
from tests.cogs.worlds import World

ANSWER = "/interactions/*/callback"


def test_buckets_have_the_objectives_as_bounds() -> None:
    assert {0.3, 3.0} <= set(ANSWER_BOUNDS)


@pytest.mark.parametrize(
    "status, code, cause", [(502, 0, "discord"), (404, 10062, "late"), (400, 50035, "rejected")]
)
async def test_missing_answers_are_counted_by_cause(
    world: World, status: int, code: int, cause: str
) -> None:
    (ada,) = world.people("Ada")
    await ada.slash("tichu new", computers=3)
    metrics, (message, _) = world.bot.metrics, world.newest_with(Verb.START)
    world.repeats_answers = True
    world.env.inject_error("POST", ANSWER, status=status, code=code, times=None)
    await ada.press(Verb.START, on=message)
    await world.env.advance_time(10)
    world.env.backend.faults.clear()
    assert {name: n for name, n in metrics.unanswered.items() if n} == {cause: 1}
    assert "start" not in metrics.answers


async def test_time_ends_when_the_answer_is_sent_first(world: World) -> None:
    """The failures of Discord after that, and the pauses between attempts, do not count."""
    (ada,) = world.people("Ada")
    await ada.slash("tichu new", computers=3)
    world.bot.metrics.now = lambda: world.env.now().timestamp()
    world.repeats_answers = True
    world.env.inject_error("POST", ANSWER, status=500, times=2)
    await ada.press(Verb.START)
    await world.env.advance_time(5)
    (times,) = [times for kind, times in world.bot.metrics.answers.items() if kind == "start"]
    assert (times.count, times.largest) == (1, 0.0)
    assert not world.bot.metrics.unanswered.total()


async def test_buttons_newer_than_the_database_prove_lost_moves(world: World) -> None:
    (player, *_) = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    await fast_forward(world, reached(Phase.LEAD))
    table, revision = world.game().id, world.game().revision
    for seen in (revision - 1, revision + 1):
        await forge(player.person, player.hand, f"b:{table}:{seen}:{Verb.PASS}:")
        assert world.bot.metrics.clicks_ahead == (seen > revision)


async def test_time_of_readiness_is_known(world: World) -> None:
    assert world.bot.metrics.ready_at is not None
    assert abs(world.bot.metrics.ready_at - time.time()) < 600
