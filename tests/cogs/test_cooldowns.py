"""Rate limits of clicks and commands: excess is refused, and others are not affected."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from simcord import InteractionResult

from cogs.clicks.limits import BURST, PER_SECOND
from cogs.pages.verbs import Verb
from cogs.tichu import MENU
from tests.campaign import SOAK
from tests.cogs.forged_clicks import forge
from tests.cogs.history_pages import page, stored_match
from tests.cogs.table_play import seat_all
from tests.cogs.worlds import World, refusal
from tests.simcord_clicks import find, fire_all, requests_since, text

TOO_FAST = refusal("too-fast")


def too_fast(result: InteractionResult) -> bool:
    """Return whether the request was refused with a private sentence and nothing else."""
    assert result.response is not None
    if result.response.content != TOO_FAST:
        return False
    assert result.response.ephemeral
    return True


async def at_pace(
    world: World, actions: list[Coroutine[Any, Any, InteractionResult]], per_second: int
) -> list[InteractionResult]:
    """Carry out `per_second` actions at once in each second; return the results."""
    found = []
    for start in range(0, len(actions), per_second):
        found += await fire_all(world.env, actions[start : start + per_second])
        await world.env.advance_time(1)
    return found


async def test_sixty_clicks_a_second_are_limited_and_disturb_nobody(world: World) -> None:
    ada, eve = world.people("Ada", "Eve")
    await ada.slash("tichu new")
    lobby, _ = world.newest_with(Verb.JOIN)
    join, leave = find(lobby, Verb.JOIN, "0").custom_id, find(lobby, Verb.LEAVE).custom_id
    clicks = [forge(eve, lobby, (join, leave)[at % 2]) for at in range(120)]
    cursor = len(world.env.http_requests)
    revision = world.table().revision
    results = await at_pace(world, clicks, per_second=60)
    accepted = sum(not too_fast(result) for result in results)
    assert BURST <= accepted <= BURST + 2 * PER_SECOND
    assert world.table().revision <= revision + accepted
    requests = [r.path for r in requests_since(world.env, cursor)]
    refused = len(results) - accepted
    assert len(requests) <= refused + 3 * accepted
    assert not too_fast(await ada.press(Verb.MORE, on=lobby))
    await world.env.advance_time(1)
    assert not too_fast(await eve.press(Verb.RULES, on=lobby))


async def test_refusal_is_a_sentence_without_reads_and_writes(world: World) -> None:
    (ada,) = await seat_all(world, world.people("Ada"))
    refresh = f"b:{world.table().id}:0:{Verb.REFRESH}:"
    await fire_all(world.env, [forge(ada.person, ada.hand, refresh) for _ in range(int(BURST))])
    shown, hand = len(ada.person.private()), text(ada.hand)
    cursor = len(world.env.http_requests)
    results = await fire_all(world.env, [forge(ada.person, ada.hand, refresh) for _ in range(5)])
    assert all(map(too_fast, results))
    assert len(requests_since(world.env, cursor)) == 5
    assert len(ada.person.private()) == shown + 5
    assert text(ada.hand) == hand
    await world.env.advance_time(1)
    await ada.act()


async def test_fast_player_is_never_refused(world: World) -> None:
    (ada,) = await seat_all(world, world.people("Ada"))
    refresh = f"b:{world.table().id}:0:{Verb.REFRESH}:"
    taps = [forge(ada.person, ada.hand, refresh) for _ in range(2)]
    assert not any(map(too_fast, await fire_all(world.env, taps)))  # a double tap
    taps = [forge(ada.person, ada.hand, refresh) for _ in range(200 if SOAK else 80)]
    assert not any(map(too_fast, await at_pace(world, taps, per_second=4)))
    await world.env.advance_time(10)
    taps = [forge(ada.person, ada.hand, refresh) for _ in range(72)]
    assert not any(map(too_fast, await at_pace(world, taps, per_second=8)))


async def _accepted(world: World, actions: list[Coroutine[Any, Any, InteractionResult]]) -> int:
    results = await fire_all(world.env, actions)
    return sum(not too_fast(result) for result in results)


async def test_limits_commands_and_public_ones_most(world: World) -> None:
    ada, ben, cai, dan = world.people("Ada", "Ben", "Cai", "Dan")
    assert await _accepted(world, [ada.slash("tichu rules") for _ in range(30)]) == BURST / 2
    menus = [ben.member.context_menu(ben.channel, MENU, target=ada.member) for _ in range(30)]
    assert await _accepted(world, menus) == BURST / 2
    await cai.slash("tichu new", computers=3)
    assert await _accepted(world, [cai.slash("tichu table") for _ in range(30)]) == BURST / 5 - 1
    await world.env.advance_time(1)
    assert await _accepted(world, [cai.slash("tichu table") for _ in range(30)]) <= 1
    shuffles = [cai.slash("tichu shuffle", word="x") for _ in range(30)]
    await world.env.advance_time(60)
    assert await _accepted(world, shuffles) == BURST / 5
    assert await _accepted(world, [dan.slash("tichu history")]) == 1


async def test_user_menu_counts_as_a_command(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await _accepted(world, [ada.slash("tichu rules") for _ in range(30)])
    menu = ada.member.context_menu(ada.channel, MENU, target=ben.member)
    assert await _accepted(world, [menu]) == 0


async def test_limits_requests_for_files(world: World) -> None:
    (eve,) = world.people("Eve")
    page = await eve.slash("tichu rules")
    assert page.response is not None
    saves = [forge(eve, page.response, "s:1:0:save:1", ["txt.match"]) for _ in range(30)]
    await world.env.advance_time(60)
    assert await _accepted(world, saves) == BURST / 10


async def test_restart_resets_the_limits(world: World) -> None:
    (ada,) = world.people("Ada")
    assert await _accepted(world, [ada.slash("tichu rules") for _ in range(30)]) == BURST / 2
    await world.restart()
    assert await _accepted(world, [ada.slash("tichu rules") for _ in range(30)]) == BURST / 2


async def test_concurrent_requests_share_one_read(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = world.people(*(f"Person {number}" for number in range(12)))
    await stored_match(world, 3)
    read: list[str] = []
    for store, name in ((world.bot.store.history, "played"), (world.bot.store.tables, "actions")):
        real: Any = getattr(store, name)

        async def reading(*given: Any, name: str = name, real: Any = real) -> Any:
            read.append(name)
            for _ in range(50):  # slow enough that all others ask meanwhile
                await asyncio.sleep(0)
            return await real(*given)

        monkeypatch.setattr(store, name, reading)
    for command, options in (("profile", {"player": people[0].member}), ("replay", {"table": 1})):
        commands = [person.slash(f"tichu {command}", **options) for person in people]
        answers = await fire_all(world.env, commands)
        assert not any(map(too_fast, answers))
        assert len({text(page(answer)) for answer in answers}) <= 2  # the own and the others'
    assert read == ["played", "actions"]
