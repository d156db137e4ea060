"""Clicks and commands that arrive late, or during shutdown: they have no effect."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from datetime import timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from simcord import InteractionResult

from cogs.delivery.replies import TOO_LATE_AFTER
from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.table_play import HandPlayer, seat_without_hands
from tests.cogs.worlds import World, refusal
from tests.simcord_clicks import text

_SECOND = timedelta(seconds=1)
LATE_S = TOO_LATE_AFTER.total_seconds()


async def delivered(
    world: World,
    pressed: Sequence[Coroutine[Any, Any, InteractionResult]],
    seconds: float,
    meanwhile: Callable[[], None] = lambda: None,
) -> list[InteractionResult]:
    """Deliver clicks and commands `seconds` seconds late; return the results.

    Something else may happen `meanwhile`.
    """
    backend, on_the_way = world.env.backend, list[tuple[str, Any]]()
    emit = backend.emit

    def interrupted(event: str, payload: Any) -> None:
        on_the_way.append((event, payload))

    backend.emit = interrupted  # type: ignore[method-assign]
    results = [await each for each in pressed]
    backend.emit = emit  # type: ignore[method-assign]
    meanwhile()
    await world.env.advance_time(seconds)
    for event, payload in on_the_way:
        emit(event, payload)
    await world.env.settle()
    return results


async def who_leads(world: World) -> HandPlayer:
    """Return the player on turn at a table of two people where one is to lead."""
    players = await seat_without_hands(world, world.people("Ada", "Ben", "Cai", "Dan"), target=5000)
    await fast_forward(world, reached(Phase.LEAD), players=players)
    (leader,) = [player for player in players if player.can(Verb.PLAY)]
    return leader


@pytest.mark.parametrize("seconds", [LATE_S + 0.1, 60])
async def test_late_click_changes_nothing(world: World, seconds: float) -> None:
    leader = await who_leads(world)
    before, hand = world.position(), leader.hand
    call = leader.controls(Verb.TICHU)[0].custom_id
    await delivered(world, [leader.person.member.click(hand, custom_id=call)], seconds)
    assert world.position() == before
    assert leader.can(Verb.TICHU)


async def test_late_click_is_answered_if_discord_still_listens(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    leader = await who_leads(world)
    call = leader.controls(Verb.TICHU)[0].custom_id
    monkeypatch.setattr("cogs.delivery.replies.TOO_LATE_AFTER", timedelta())
    click = leader.person.member.click(leader.hand, custom_id=call)
    (result,) = await delivered(world, [click], 1)
    assert result.response is not None
    assert result.response.ephemeral
    assert refusal("too-late") in text(result.response)
    assert leader.can(Verb.TICHU)


async def test_late_click_does_not_count_as_presence(world: World) -> None:
    leader = await who_leads(world)
    await world.to_next_deadline()
    limit = world.game().options.turn_limit_s
    await world.env.advance_time(limit)
    assert world.game().notes.away
    button = leader.controls(Verb.BACK)[0].custom_id
    click = leader.person.member.click(leader.hand, custom_id=button)
    await delivered(world, [click], LATE_S + 1)
    assert world.game().notes.away


async def test_click_just_in_time_is_carried_out(world: World) -> None:
    leader = await who_leads(world)
    call = leader.controls(Verb.TICHU)[0].custom_id
    await delivered(world, [leader.person.member.click(leader.hand, custom_id=call)], 2.5)
    assert not leader.can(Verb.TICHU)


async def test_late_command_changes_nothing(world: World) -> None:
    (ada,) = world.people("Ada")
    await delivered(world, [ada.slash("tichu new")], LATE_S + 0.1)
    assert list(world.bot.tables.all()) == []


async def test_wrong_local_clock_delays_nothing(world: World) -> None:
    """Otherwise nobody could play on a machine whose clock is a minute fast."""
    (ada,) = world.people("Ada")
    now = world.bot.clock.now
    world.bot.discord_time._now = lambda: now() + LATE_S * 100 * _SECOND  # noqa: SLF001
    world.bot.discord_time.update(format_datetime(now(), usegmt=True))
    await ada.slash("tichu new")
    assert len(list(world.bot.tables.all())) == 1


async def test_shutdown_starts_nothing_new(world: World) -> None:
    (ada,) = world.people("Ada")
    await ada.slash("tichu new")
    table = world.table()
    world.bot.inflight.closing = True
    for result in (await ada.press(Verb.FILL), await ada.slash("tichu leave")):
        assert result.response is not None
        assert refusal("restarting") in text(result.response)
    assert world.table() is table
