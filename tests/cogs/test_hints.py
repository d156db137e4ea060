"""The Hint button: an Expert's advice for the player who asks on their turn."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from simcord import ResponseMessage

import bot.text
from bot.computers.decision_scheduler import Decision
from bot.computers.worker_pool import Work
from bot.text import speech
from bot.text.cards import Speaker
from bot.text.computers import explanation_text, manners
from bot.text.options import level, rating_line, unusual_options
from cogs.pages.hand.hints import hint_text
from cogs.pages.verbs import Verb
from engine import (
    MAHJONGS,
    AnswerGrand,
    Bomb,
    CallTichu,
    PassCards,
    Phase,
    Play,
    Waive,
    possible_bombs,
)
from players.levels import Advice
from players.reasons import Cause, Explanation
from tests.bot.computers.pools import Advisers
from tests.bot.games import plain_brain
from tests.bot.text.pseudo import Pseudo, bare
from tests.cogs.forged_clicks import forge
from tests.cogs.table_play import HandPlayer, dealt, open_again, seat_all
from tests.cogs.worlds import SAY, World, a_world, refusal
from tests.simcord_clicks import Wire, numbers, shown, speak, text, texts

ADA = "MAHJONG J3 J4 J5 S6"
"""Cards of the leader; everybody passes their last three in the exchange."""


def advice(work: Work) -> Decision:
    """Return advice for every question, as an Expert could give it."""
    seen = work.arguments["view"]
    seat = seen.seat
    assert seat is not None
    assert [at for at, _ in seen.hands] == [seat]
    if seen.phase is Phase.GRAND:
        return (Advice(AnswerGrand(seat, False), 3.2), Advice(AnswerGrand(seat, True), -81.0))
    if seen.phase is Phase.EXCHANGE:
        cards = iter(1 << index for index in range(56) if seen.hand.cards >> index & 1)
        gifts = tuple((gift.receiver, next(cards)) for gift in sorted(seen.gifts))
        return (Advice(PassCards(seat, gifts), 0.0),)
    plays = [action for action in seen.actions if isinstance(action, Play)]
    if not plays:
        return Advice(Waive(seat), -3.0, Explanation(Cause.KEEPS_BOMB)), Advice(
            Bomb(seat, seen.bombs[0].cards), -23.4
        )
    best = Advice(plays[0]._replace(wish=8), 35.4, Explanation(Cause.MANY_CARDS, number=77))
    found = [best, Advice(CallTichu(seat), -0.2)]
    return (*found, Advice(plays[1], -25.0), Advice(plays[2], -99.0))


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with a_world(tmp_path, pool=Advisers(plain_brain(1), advice)) as opened:
        yield opened


async def at_the_lead(world: World) -> list[HandPlayer]:
    return await dealt(world, {0: ADA, 1: "J10 S10 P10"}, hints=True)


def proposal(page: HandPlayer | ResponseMessage) -> str:
    """Return the line of a hint on a page; empty without a hint."""
    whole = page.text() if isinstance(page, HandPlayer) else text(page)
    return next((line for line in whole.splitlines() if "💡" in line), "")


async def test_hint_shows_one_person_the_best_action_and_its_margin(world: World) -> None:
    ada, *others = await at_the_lead(world)
    before = [texts(player.hand) for player in others]
    public = [text(message) for message in ada.person.public()]
    wire = Wire(world.env)
    await ada.press(Verb.HINT)
    assert numbers(proposal(ada))[-2:] == [8, 36], "the wish, and how much better it is"
    assert 77 in numbers(ada.text()), "and why"
    assert [texts(player.hand) for player in others] == before
    assert [text(message) for message in ada.person.public()] == public
    assert {sent.reader for sent in wire.sent} == {ada.person.id}
    assert world.game().phase is Phase.LEAD, "nothing was played"


async def test_hint_disappears_with_the_next_move_and_covers_bombs(
    world: World,
) -> None:
    hands = {0: ADA, 2: "J10 S10 P10 T10 J6 J7 J8"}
    ada, _, cai, _ = players = await dealt(world, hands, hints=True)
    await ada.press(Verb.HINT)
    await ada.lead_mahjong()
    assert proposal(ada) == ""
    assert not ada.can(Verb.DO)
    assert not ada.can(Verb.HINT), "it is not their turn"
    bombers = [seat for seat in range(4) if possible_bombs(world.game().round, seat)]
    hinted = [seat for seat, player in enumerate(players) if player.can(Verb.HINT)]
    assert hinted == sorted({1, *bombers}), "who is on turn next, and who holds a bomb"
    await cai.press(Verb.HINT)
    assert numbers(proposal(cai))[0] == 20, "how much better that is than the bomb"
    assert explanation_text(Explanation(Cause.KEEPS_BOMB), "", SAY) in cai.text()
    assert not cai.can(Verb.DO), "doing nothing is not bombing"


async def test_no_hints_without_the_option(world: World) -> None:
    players = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    assert not any(player.can(Verb.HINT) for player in players)
    ada = players[0]
    state = world.table()
    await forge(ada.person, ada.hand, f"b:{state.id}:{state.revision}:hint:")
    assert refusal("no-hints") in ada.text()


async def test_advises_only_players_with_a_decision(world: World) -> None:
    ada, ben, *_ = await at_the_lead(world)
    assert ada.can(Verb.HINT)
    assert not ben.can(Verb.HINT)
    state = world.table()
    await forge(ben.person, ben.hand, f"b:{state.id}:{state.revision}:hint:")
    assert refusal("not-your-turn") in ben.text()
    assert proposal(ben) == ""


async def test_button_of_another_player_gives_no_hint(world: World) -> None:
    ada, ben, *_ = await at_the_lead(world)
    wanted = ada.control(Verb.HINT).custom_id
    (stranger,) = world.people("Eva")
    answer = await forge(stranger, ada.hand, wanted)
    assert answer.response is not None
    assert refusal("not-seated") in text(answer.response)
    await forge(ben.person, ada.hand, wanted)
    for person in (stranger, ben.person):
        assert not any(proposal(message) for message in person.private())


async def test_stale_button_shows_the_current_hand(world: World) -> None:
    ada, *_ = await at_the_lead(world)
    old = ada.control(Verb.HINT).custom_id
    await ada.lead_mahjong()
    await forge(ada.person, ada.hand, old)
    assert refusal("stale") in ada.text()
    assert proposal(ada) == ""


async def test_hints_for_the_first_cards_and_for_the_exchange(world: World) -> None:
    people = world.people("Ada", "Ben", "Cai", "Dan")
    players = await seat_all(world, people, hints=True)
    ada = players[0]
    await ada.press(Verb.HINT)
    assert numbers(proposal(ada)) == [84]
    for player in players:
        await player.press_with(Verb.GRAND, "no")
    chosen = sorted(ada.pickable())[4]
    await ada.press(ada.pickable()[chosen])
    await ada.press(Verb.HINT)
    assert sorted(shown(proposal(ada), "Ben", "Cai", "Dan")) == ["Ben", "Cai", "Dan"]
    assert chosen not in ada.pickable(), "what was picked stays picked"
    await ada.press(Verb.DO)
    given = world.game().round.opening.given[0]
    assert given is not None
    assert [cards.bit_count() for _, cards in given] == [1, 1, 1]
    assert not ada.can(Verb.HINT)


async def test_no_hint_without_a_free_worker(world: World) -> None:
    assert isinstance(world.pool, Advisers)
    ada, *_ = await at_the_lead(world)
    world.pool.size = 0
    await ada.person.press(Verb.HINT, on=ada.hand)
    assert refusal("no-advice") in ada.text()


async def test_reports_missing_experts(tmp_path: Path) -> None:
    async with a_world(tmp_path) as world:
        ada, *_ = await at_the_lead(world)
        await ada.person.press(Verb.HINT, on=ada.hand)
        assert refusal("no-experts") in ada.text()
        assert refusal("no-advice") not in ada.text()


async def test_handles_an_expert_without_advice(tmp_path: Path) -> None:
    async with a_world(tmp_path, pool=Advisers(plain_brain(1), lambda work: ())) as world:
        ada, *_ = await at_the_lead(world)
        await ada.press(Verb.HINT)
        assert not ada.can(Verb.DO)
        assert hint_text(world.game(), 0, (), Speaker(SAY, world.bot.art)) in ada.text()


async def test_hint_is_in_the_language_of_its_reader(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.text, "translations", lambda name: Pseudo() if name == "de" else None)
    speech.cache_clear()
    ada, *others = await at_the_lead(world)
    speak(world.env, {ada.person.id: "de"})
    await ada.press(Verb.HINT)
    assert proposal(ada)
    assert "⟦" in ada.text()
    assert set(bare(ada.text())) <= {"Ada", "Ben", "Cai", "Dan"}
    assert "⟦" not in others[0].text()
    await open_again(others)
    assert "⟦" not in others[0].text()
    speech.cache_clear()


async def test_lobby_shows_level_and_hints(world: World) -> None:
    (ada,) = world.people("Ada")
    await ada.slash("tichu new", level="novice", hints=True)
    novices = world.table().options
    assert (novices.computers, novices.hints) == ("novice", True)
    words = Speaker(SAY, world.bot.art)
    both = (*unusual_options(novices, words), rating_line(novices, 1.0, SAY))
    both = tuple(option.casefold() for option in both)
    assert len(both) == 2
    assert all(option in text(ada.public()[-1]).casefold() for option in both)
    await ada.slash("tichu stop")
    await ada.slash("tichu new", level="regular", computers=3)
    assert world.table().options.computers == "regular"
    told = [*manners(world.table(), SAY), level("regular", SAY)]
    assert len(told) >= 3, "not all are steady"
    assert all(each.casefold() in text(ada.public()[-1]).casefold() for each in told)
    opened = await ada.press(Verb.OPTIONS, on=ada.public()[-1])
    await ada.submit(opened, computers="computers.expert")
    experts = world.table().options
    assert (experts.computers, experts.hints) == ("expert", False)
    lobby = text(ada.public()[-1]).casefold()
    assert not any(option in lobby for option in (*both, level("regular", SAY)))


async def test_do_it_button_carries_out_the_hint(world: World) -> None:
    """The Mah Jong with the advised wish, in one click."""
    ada, *_ = await at_the_lead(world)
    await ada.press(Verb.HINT)
    best = ada.control(Verb.DO)
    await ada.press(best)
    round_ = world.game().round
    assert round_.top is not None
    assert round_.top_seat == 0
    assert round_.wish == (8 if round_.top.cards & MAHJONGS else None)
    await forge(ada.person, ada.hand, best.custom_id)
    assert refusal("stale") in ada.text()


async def test_do_it_button_does_nothing_else(world: World, subtests: pytest.Subtests) -> None:
    ada, *_ = await at_the_lead(world)
    state = world.table()
    for args in ("leave>", "hand>", "do>pass", "", "play>zz"):
        with subtests.test(args=args):
            await ada.open()
            assert refusal("unknown-button") not in ada.text()
            await forge(ada.person, ada.hand, f"b:{state.id}:{state.revision}:do:{args}")
            assert refusal("unknown-button") in text(ada.person.private()[-1])
            assert world.table() == state
