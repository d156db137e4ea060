"""Tables of one person with computers: no hurry, and a paused table blocks nobody."""

from __future__ import annotations

from bot.text.cards import Speaker
from cogs.pages.table.waiting import paused_text
from cogs.pages.verbs import Verb
from engine import Match, Phase
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.table_play import HandPlayer, seat_all
from tests.cogs.test_absent import LIMIT, said, time_shown
from tests.cogs.test_clock import pings
from tests.cogs.worlds import SAY, World, refusal
from tests.simcord_clicks import text, verbs, with_verb


async def alone(world: World, *, phase: Phase = Phase.TURN) -> HandPlayer:
    """Return somebody alone with computers who left in this phase of a round."""
    (ada,) = await seat_all(world, world.people("Ada"), target=5000, **LIMIT)
    await fast_forward(world, lambda match: match.phase is phase and not _turn(match))
    await world.env.advance_time(15 * 60 + 1)
    assert world.game().timers.paused
    return ada


def _turn(match: Match) -> int:
    assert match.round is not None
    return match.round.turn


async def test_table_of_one_person_pauses_and_continues_with_its_hand(world: World) -> None:
    ada = await alone(world)
    shown, _ = world.newest_with(Verb.RESUME)
    state, words = world.game(), Speaker(SAY, world.bot.art)
    assert (state.phase, state.notes.away, pings(world)) == (Phase.TURN, (), [])
    assert paused_text(state, words) in text(shown)
    assert time_shown(state.timers.deadlines["abandoned"]) in text(shown)
    (eve,) = world.people("Eve")
    assert refusal("not-seated") in said(await eve.press(Verb.RESUME))
    result = await ada.person.press(Verb.RESUME)
    assert not world.game().timers.paused
    assert set(world.game().timers.deadlines) == {"idle"}
    assert result.response is not None
    assert result.response.ephemeral
    ada.hand = result.response
    assert ada.can(Verb.PASS, Verb.PLAY)
    assert not with_verb(shown, Verb.RESUME)
    await world.check_replay()


async def test_opening_the_hand_continues_the_table(world: World) -> None:
    ada = await alone(world)
    await ada.open()
    assert not world.game().timers.paused
    await world.env.advance_time(15 * 60 + 1)
    assert world.game().timers.paused
    assert not ada.can(Verb.BACK)
    assert verbs(ada.hand) == [Verb.HAND], "what rests cannot be played from"
    await ada.press(Verb.HAND)
    assert not world.game().timers.paused
    await world.check_replay()


async def test_hand_can_be_opened_during_a_pause_between_rounds(
    world: World,
) -> None:
    (ada,) = await seat_all(world, world.people("Ada"), target=5000)
    await fast_forward(world, reached(Phase.ROUND_END))
    result, _ = world.newest_with(Verb.PAUSE)
    await ada.person.press(Verb.PAUSE, on=result)
    paused = world.game()
    assert paused.timers.paused
    await ada.open()
    await ada.person.press(Verb.MORE)
    assert world.game() == paused
    await ada.person.press(Verb.RESUME, on=result)
    assert not world.game().timers.paused


async def test_paused_table_frees_its_channel(world: World) -> None:
    ada = await alone(world)
    old, (shown, _) = world.game(), world.newest_with(Verb.RESUME)
    ben, cai = world.people("Ben", "Cai")
    await ben.slash("tichu new", computers=2)
    assert world.lobby().id != old.id
    await cai.press(Verb.JOIN)
    await ben.press(Verb.START)
    new = world.game()
    for refused in (
        await ada.person.press(Verb.RESUME, on=shown),
        await ada.person.press(Verb.HAND, on=shown),
    ):
        assert refusal("channel-busy") in said(refused)
    assert world.bot.tables.get(old.id) == old
    hand = (await cai.press(Verb.HAND, on=shown)).response
    assert hand is not None
    (grand,) = with_verb(hand, Verb.GRAND)
    assert grand.custom_id.split(":")[1] == str(new.id), "the one that is played here"
    await ben.slash("tichu stop")
    await cai.slash("tichu stop")
    assert world.game() == old
    await ada.person.press(Verb.RESUME, on=shown)
    assert (world.game().id, world.game().timers.paused) == (old.id, False)
    await world.check_replay()


async def test_hand_button_opens_the_hand_of_the_running_table(world: World) -> None:
    ada = await alone(world)
    old, (shown, _) = world.game(), world.newest_with(Verb.HAND)
    await ada.person.slash("tichu new", computers=3)
    await ada.person.press(Verb.START)
    new = world.game()
    hand = (await ada.person.press(Verb.HAND, on=shown)).response
    assert hand is not None
    (grand,) = with_verb(hand, Verb.GRAND)
    assert grand.custom_id.split(":")[1] == str(new.id)
    assert world.bot.tables.get(old.id) == old
    await ada.person.slash("tichu stop")
    await ada.person.press(Verb.HAND, on=shown)
    assert (world.game().id, world.game().timers.paused) == (old.id, False)


async def test_deleted_channel_closes_all_its_tables(world: World) -> None:
    await alone(world)
    old = world.game()
    (ben,) = world.people("Ben")
    await ben.slash("tichu new")
    new = world.lobby()
    world.env.backend.delete_channel(world.channel.id)
    await world.env.settle()
    for closed in (old, new):
        record = await world.bot.store.tables.get(closed.id)
        assert record is not None
        assert record.status == "stopped"
