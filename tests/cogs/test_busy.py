"""Clicks and commands while hundreds of others are being answered."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from simcord import InteractionResult

from bot.pictures.process import Drawing, Pictures
from bot.runtime.inflight import MOST_TURNS, InFlight
from cogs.delivery.replies import ANSWER_WITHIN, DEFER_AFTER
from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.conftest import ErrorRecords
from tests.cogs.delivery.test_hand_pictures import (
    SOON,
    HandsAtOnce,
    HandsSlowly,
    file_of,
    has_emojis,
    is_current,
    seated,
)
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.table_play import HandPlayer, seat_without_hands
from tests.cogs.worlds import World, a_world, refusal
from tests.simcord_clicks import from_outside, text

DEFER_S = DEFER_AFTER.total_seconds()
LIMIT_S = ANSWER_WITHIN.total_seconds()


class Crowd:
    """Answers that take all turns until `leave`."""

    def __init__(self, world: World) -> None:
        self._inflight = world.bot.inflight
        self._left = asyncio.Event()
        self._tasks = [asyncio.create_task(self._answer()) for _ in range(MOST_TURNS)]

    async def _answer(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        await self._inflight.wait_for_turn(task)
        await self._left.wait()

    async def leave(self) -> None:
        """End all these answers."""
        self._left.set()
        await asyncio.wait(self._tasks)


@pytest.fixture(autouse=True)
def long_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let turns last until their answers are done; time passes while clicks wait for theirs."""
    monkeypatch.setattr("bot.runtime.inflight.LONGEST_TURN_S", 3600.0)
    wait = InFlight.wait_for_turn

    async def waits(self: InFlight, task: asyncio.Task[Any]) -> None:
        await (from_outside(wait(self, task), "a turn") if self.must_wait else wait(self, task))

    monkeypatch.setattr(InFlight, "wait_for_turn", waits)


async def crowd_of(world: World) -> Crowd:
    """Return a crowd that has all turns."""
    crowd = Crowd(world)
    await asyncio.sleep(0)
    return crowd


async def leader_of(world: World) -> HandPlayer:
    """Return the player who is to lead at a table of four people with open hands."""
    players = await seat_without_hands(world, world.people("Ada", "Ben", "Cai", "Dan"), target=5000)
    await fast_forward(world, reached(Phase.LEAD), players=players)
    (leader,) = [player for player in players if player.can(Verb.PLAY)]
    return leader


async def test_waiting_click_is_deferred_and_carried_out(world: World) -> None:
    leader = await leader_of(world)
    crowd = await crowd_of(world)
    result = await tap(leader, Verb.TICHU)
    assert world.bot.inflight.waiting == 1
    await world.env.advance_time(DEFER_S - 0.1)
    early = result.deferred
    await world.env.advance_time(0.2)
    assert (early, result.deferred) == (False, True)
    await world.env.advance_time(2 * LIMIT_S)  # it is acknowledged, so it does not expire
    assert not leader.can(Verb.TICHU_YES)
    await crowd.leave()
    await world.env.settle()
    assert leader.can(Verb.TICHU_YES)


async def test_waiting_command_is_deferred_and_answered(world: World) -> None:
    (ada,) = world.people("Ada")
    crowd = await crowd_of(world)
    result = await ada.slash("tichu rules")
    await world.env.advance_time(DEFER_S + 0.1)
    assert result.deferred
    await crowd.leave()
    await world.env.settle()
    assert result.response is not None
    assert result.response.ephemeral


async def test_click_is_deferred_at_once_if_many_wait(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.runtime.inflight.DEFERRED_FROM", 0)
    leader = await leader_of(world)
    crowd = await crowd_of(world)
    result = await tap(leader, Verb.TICHU)
    assert result.deferred
    await crowd.leave()
    await world.env.settle()
    assert leader.can(Verb.TICHU_YES)


async def test_click_that_cannot_be_deferred_in_time_changes_nothing(
    world: World, errors: ErrorRecords
) -> None:
    errors.allow("clicks dropped: no turn within three seconds")
    leader = await leader_of(world)
    await leader.press(Verb.TICHU)
    (confirm,) = leader.controls(Verb.TICHU_YES)
    before = world.position()
    crowd = await crowd_of(world)
    world.env.inject_error("POST", "/interactions/*/callback", status=404, code=10062, times=None)
    await leader.person.member.click(leader.hand, custom_id=confirm.custom_id)
    await world.env.advance_time(LIMIT_S + 0.1)
    await crowd.leave()
    await world.env.settle()
    assert world.position() == before


async def test_click_is_refused_if_too_many_wait(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    leader = await leader_of(world)
    await leader.press(Verb.TICHU)
    before = world.position()
    monkeypatch.setattr("bot.runtime.inflight.MOST_WAITING", 0)
    (confirm,) = leader.controls(Verb.TICHU_YES)
    result = await leader.person.member.click(leader.hand, custom_id=confirm.custom_id)
    assert result.response is not None
    assert refusal("too-late") in text(result.response)
    assert world.position() == before


async def test_clicks_in_a_full_queue_are_answered_in_the_end(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.runtime.inflight.DEFERRED_FROM", 0)
    monkeypatch.setattr("bot.runtime.inflight.MOST_WAITING", 3)
    *early, late = world.people("Ada", "Ben", "Cai", "Dan")
    crowd = await crowd_of(world)
    waiting = [await person.slash("tichu rules") for person in early]
    assert [result.deferred for result in waiting] == [True] * 3
    refused = await late.slash("tichu rules")
    assert refused.response is not None
    assert refusal("too-late") in text(refused.response)
    assert world.bot.inflight.waiting == 3
    await crowd.leave()
    await world.env.settle()
    assert all(result.response is not None for result in waiting)
    assert world.bot.inflight.waiting == 0
    again = await late.slash("tichu rules")
    assert again.response is not None
    assert not again.deferred


async def tap(player: HandPlayer, verb: Verb) -> InteractionResult:
    """Press a button on a hand; return the result, which may have no answer yet."""
    (button,) = player.controls(verb)
    return await player.person.member.click(player.hand, custom_id=button.custom_id)


# --- pictures -------------------------------------------------------------------------------------


class HandsLater(HandsSlowly):
    """Painter whose pictures are ready at once until `slow` is set."""

    slow = False

    async def draw(self, drawing: Drawing) -> bytes | None:
        return await super().draw(drawing) if self.slow else file_of(drawing)


async def test_nothing_is_drawn_for_an_expired_click(tmp_path: Path, errors: ErrorRecords) -> None:
    errors.allow("clicks dropped: no turn within three seconds")
    hands = HandsAtOnce()
    async with a_world(tmp_path, hands=hands) as world:
        ada, ben, *_ = await seat_without_hands(world, world.people("Ada", "Ben", "Cai", "Dan"))
        await ada.open()
        drawn = len(hands.asked)
        assert drawn
        crowd = await crowd_of(world)
        callback = "/interactions/*/callback"
        world.env.inject_error("POST", callback, status=404, code=10062, times=None)
        await ben.person.press(Verb.HAND)
        await world.env.advance_time(LIMIT_S + 0.1)
        await crowd.leave()
        await world.env.settle()
        assert len(hands.asked) == drawn


async def test_hand_does_not_wait_for_its_picture_behind_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = HandsLater()
    async with a_world(tmp_path, hands=hands) as world:
        ada, *_ = await seated(world)
        hands.slow = True
        monkeypatch.setattr(Pictures, "is_behind", True)
        await ada.open()
        assert has_emojis(ada)
        hands.finish()
        await world.env.advance_time(SOON)
        assert is_current(ada)
