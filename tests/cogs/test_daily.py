"""The deal of the day by clicks: one try, its result, what is compared, and **Share**."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.board_records import SoloRound
from bot.boards.days import day_of, ends_at
from bot.errors import Reason
from cogs.clicks.limits import SHARE_PAUSE_S
from cogs.pages.verbs import Verb
from engine import card_set, cards_text
from players.boards import PERSON
from tests.bot.solo_worlds import SoloPool
from tests.cogs.daily_play import DailyPlayer, board_of
from tests.cogs.eyes import cards_in
from tests.cogs.forged_clicks import forge
from tests.cogs.history_pages import page, press
from tests.cogs.worlds import SAY, World, a_world, refusal
from tests.simcord_clicks import find, has, line_with, messages, numbers, text


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with a_world(tmp_path, pool=SoloPool()) as made:
        made.let_people_hurry()
        yield made


def players(world: World, *names: str) -> list[DailyPlayer]:
    """Return new players."""
    return [DailyPlayer(world, person, seed) for seed, person in enumerate(world.people(*names))]


async def stored(player: DailyPlayer) -> SoloRound:
    """Return the round of a player that counts."""
    own = await player.stored()
    assert own is not None
    return own


def public(world: World) -> list[str]:
    """Return the texts of all public messages."""
    return [text(each) for each in messages(world.env, world.channel) if not each.ephemeral]


async def to_next_day(world: World) -> None:
    """Let time pass until the next day has begun."""
    left = ends_at(day_of(world.env.now())) - world.env.now() + timedelta(seconds=1)
    await world.env.advance_time(left.total_seconds())


async def test_whole_round_ends_with_its_result_and_posts_nothing(world: World) -> None:
    (ada,) = players(world, "Ada")
    begun = await ada.start()
    assert has(begun, Verb.DAILY_PLAY)
    await ada.press(Verb.DAILY_PLAY)
    assert "one try" in ada.text()
    shown = await ada.finish()
    own = await ada.stored()
    assert own is not None
    assert own.ended_at is not None
    assert SAY.signed(own.points or 0) in text(shown).splitlines()[0]
    assert has(shown, Verb.REVIEW)
    assert not has(shown, Verb.REPLAY), "the hands are open when the day is over"
    assert public(world) == []


async def test_there_is_one_try(world: World) -> None:
    (ada,) = players(world, "Ada")
    begun = await ada.start()
    button = find(begun, Verb.DAILY_PLAY)
    again = DailyPlayer(world, ada.person)
    await again.begin()
    await again.finish()
    before = await ada.stored()
    refused = page(await ada.person.member.click(begun, custom_id=button.custom_id))
    assert refusal(Reason.SOLO_ROUND_OVER) in text(refused)
    assert has(refused, Verb.DAILY_RESULT)
    assert not has(refused, Verb.DAILY_PLAY)
    assert await ada.stored() == before


async def test_says_that_the_computers_are_not_ready_yet(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ada,) = players(world, "Ada")
    monkeypatch.setattr(SoloPool, "size", 0)
    shown = await press(ada.person, await ada.start(), Verb.DAILY_PLAY)
    assert refusal(Reason.COMPUTERS_NOT_READY) in text(shown)
    assert has(shown, Verb.DAILY_PLAY)
    assert await ada.stored() is None


async def test_refuses_the_number_of_a_day_on_which_the_bot_was_offline(world: World) -> None:
    (ada,) = players(world, "Ada")
    await ada.start()
    world.bot.tables.close()
    world.env.backend.advance_clock(timedelta(days=20).total_seconds())
    await world.restart()
    shown = await ada.start()
    forged = await forge(ada.person, shown, f"b:{Verb.DAILY_RESULT}:15")
    assert forged.response is not None
    assert text(forged.response) == refusal(Reason.UNKNOWN_BUTTON)


async def test_goes_on_where_it_was_left_also_after_a_restart(world: World) -> None:
    (ada,) = players(world, "Ada")
    await ada.begin()
    for _ in range(4):
        await ada.act()
    before = await ada.stored()
    left = ada.hand
    await world.restart()
    world.let_people_hurry()
    shown = await ada.start()
    assert has(shown, Verb.DAILY_PLAY)
    await ada.press(Verb.DAILY_PLAY)
    assert await ada.stored() == before
    await ada.act()
    after = await ada.stored()
    assert after is not None
    assert before is not None
    assert after.actions[: len(before.actions)] == before.actions
    assert left.id != ada.hand.id
    await ada.finish()


async def test_a_hand_shows_what_the_computers_did_in_order(world: World) -> None:
    (ada,) = players(world, "Ada")
    await ada.begin()
    seen = 0
    for _ in range(60):
        if has(ada.hand, Verb.DAILY_SHARE):
            break
        game = ada.game
        assert game is not None
        steps = [step for trick in game.views.public.past for step in trick.steps]
        steps += game.views.public.trick
        own = max((at for at, step in enumerate(steps) if step.seat == 0), default=-1)
        names = [game.chairs[step.seat].name for step in steps[own + 1 :]]
        lines = [each for each in ada.text().splitlines() if "\u00a0" in each and "-# " in each]
        found = [
            name
            for each in lines
            for part in each.split("\u00a0")[1:]
            for name in {chair.name for chair in game.chairs[1:]}
            if part.startswith(name)
        ]
        assert found[: len(names)] == names or not names
        seen += len(names)
        await ada.act()
    assert seen > 10


async def test_the_log_leads_back_to_the_hand(world: World) -> None:
    (ada,) = players(world, "Ada")
    await ada.begin()
    hand = ada.text()
    await ada.press(Verb.SOLO_LOG)
    assert ada.text() != hand
    await ada.press(Verb.REFRESH)
    assert ada.text() == hand


async def test_share_posts_one_line_once_without_a_card_or_a_ping(world: World) -> None:
    (ada,) = players(world, "Ada")
    await ada.begin()
    shown = await ada.finish()
    own = await ada.stored()
    assert own is not None
    await ada.person.press(Verb.DAILY_SHARE, on=shown)
    (line,) = public(world)
    assert "\n" not in line
    assert SAY.signed(own.points or 0) in line
    assert len([sign for sign in line if sign in "🟩🟨⬛⬜"]) == 4
    assert "Ada" in line
    assert "<@" not in line
    assert not card_set(cards_in([line]))
    await world.env.advance_time(SHARE_PAUSE_S)
    again = page(await ada.person.press(Verb.DAILY_SHARE, on=shown))
    assert refusal(Reason.SHARED_ALREADY) in text(again)
    assert len(public(world)) == 1


async def test_compares_with_members_and_everyone(world: World) -> None:
    ada, ben, cai = players(world, "Ada", "Ben", "Cai")
    for each in (ada, ben, cai):
        await each.begin()
        await each.finish()
    points = {each.name.capitalize(): (await stored(each)).points or 0 for each in (ada, ben, cai)}
    shown = await press(ada.person, await ada.start(), Verb.DAILY_RESULT)
    worse = sum(each < points["Ada"] for each in points.values())
    everyone = line_with(shown, "🌍")
    assert numbers(everyone)[0] == worse
    listed = await press(ada.person, shown, Verb.DAILY_SERVER)
    lines = [line_with(listed, name) for name in points]
    assert all(SAY.signed(points[name]) in line for name, line in zip(points, lines, strict=True))
    in_order = sorted(points, key=lambda name: -points[name])
    assert sorted(in_order, key=text(listed).index) == in_order


async def test_members_are_shown_after_the_own_round_only(world: World) -> None:
    ada, ben = players(world, "Ada", "Ben")
    await ada.begin()
    shown = await ada.finish()
    await ben.start()
    button = find(shown, Verb.DAILY_SERVER).custom_id
    refused = page(await forge(ben.person, ben.hand, button))
    assert "Ada" not in text(refused)


async def test_a_round_that_ends_after_midnight_does_not_count(world: World) -> None:
    (ada,) = players(world, "Ada")
    await ada.begin()
    await ada.act()
    await to_next_day(world)
    await ada.begin(Verb.DAILY_PRACTICE)
    shown = await ada.finish()
    assert not has(shown, Verb.DAILY_SHARE)
    assert has(shown, Verb.REPLAY)
    assert "day ended before" in text(shown)
    assert has(await ada.start(), Verb.DAILY_PLAY), "today's deal is another one"


async def test_yesterdays_deal_counts_for_nobody(world: World) -> None:
    ada, ben = players(world, "Ada", "Ben")
    await ada.begin()
    await ada.finish()
    await to_next_day(world)
    await ben.begin(Verb.DAILY_PRACTICE)
    assert "counts for nobody" in ben.text()
    shown = await ben.finish()
    assert has(shown, Verb.REPLAY)
    assert not has(shown, Verb.DAILY_SHARE)
    assert public(world) == []


async def test_yesterdays_secret_is_shown_and_no_other(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    (ada,) = players(world, "Ada")
    fair = await press(ada.person, await ada.start(), Verb.DAILY_FAIR)
    first = await board_of(world)
    assert first.commitment in text(fair)
    assert first.secret not in text(fair)
    await to_next_day(world)
    fair = await press(ada.person, await ada.start(), Verb.DAILY_FAIR)
    assert first.secret in text(fair)
    (command,) = (line for line in text(fair).splitlines() if line.startswith("python -m bot "))
    arguments = [*shlex.split(command)[3:], "--commitment", first.commitment]
    assert await asyncio.to_thread(main, arguments) == 0
    dealt = first.dealt().round
    assert dealt is not None
    hand = cards_text(dealt.hands[PERSON].cards | dealt.opening.stock[PERSON])
    assert f"seat {PERSON + 1}: {hand}" in capsys.readouterr().out.splitlines()
    for board in (await board_of(world), await board_of(world, 1)):
        assert board.commitment in text(fair)
        assert board.secret not in text(fair)
