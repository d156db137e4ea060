"""Live hands: one for each player, in the newest message, renewed before its token expires."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import aiohttp
import discord
import pytest
from discord import InteractionResponseType
from simcord import ResponseMessage

from bot.ids import TableId, UserId
from bot.table.commands import VoteToStop
from bot.text.cards import Speaker
from cogs.delivery.open_hands import HOLD_GOES_WITHIN, IDLE_EVERY, RESTS_BEFORE
from cogs.delivery.private_messages import TOKEN_LIFE, PrivateMessage
from cogs.pages.controls import Page
from cogs.pages.hand.page import hand_page
from cogs.pages.verbs import Verb
from engine import Match, Phase
from tests.cogs.fast_forward import fast_forward, reached, ready_if_alone
from tests.cogs.forged_clicks import forge
from tests.cogs.table_play import HandPlayer, dealt, over, play_on, seat_all
from tests.cogs.worlds import SAY, World, announcer_of, refusal
from tests.simcord_clicks import Wire, fire_all, has, texts, verbs

TOKENS = "/webhooks/*"
SOON = IDLE_EVERY.total_seconds() + 0.01


def pushes(wire: Wire, player: HandPlayer) -> list[str]:
    """Return the methods of requests for a player's hand without a click of theirs."""
    return [
        sent.method
        for sent in wire.sent
        if sent.path.startswith("/webhooks/") and sent.reader == player.person.id
    ]


def is_fresh(player: HandPlayer) -> bool:
    """Return whether the hand on the screen equals a newly opened one."""
    world = player.world
    seat = world.game().seat_of(UserId(player.person.id))
    assert seat is not None
    page = hand_page(world.game(), seat, Speaker(SAY, world.bot.art))
    parts = page.to_components()[0]["components"]
    return [part["content"] for part in parts if "content" in part] == texts(player.hand)


def alive(player: HandPlayer) -> list[ResponseMessage]:
    """Return the private messages on a player's screen."""
    return player.person.private()


async def begun(world: World, *names: str, **options: object) -> list[HandPlayer]:
    """Start a match of these people and computers, with all hands open."""
    return await seat_all(world, world.people(*names), target=5000, **options)


# --- one hand --------------------------------------------------------------------------------


async def test_reopened_hand_replaces_the_previous_one(
    world: World,
) -> None:
    (ada,) = await begun(world, "Ada")
    first = ada.hand
    await ada.open()
    await ada.person.slash("tichu hand")
    (only,) = alive(ada)
    assert only.id > first.id
    await ada.press_with(Verb.GRAND, "no")
    assert [message.id for message in alive(ada)] == [only.id]


async def test_hands_of_two_tables_are_separate(world: World) -> None:
    (ada,) = await begun(world, "Ada")
    other = world.guild.create_text_channel("other")
    await ada.person.member.slash(other, "tichu new", computers=3)
    there = world.table(other)
    assert there.id != world.table().id
    await ada.open()
    assert len(alive(ada)) == 1


async def test_old_hand_may_fail_to_be_deleted(world: World) -> None:
    (ada,) = await begun(world, "Ada")
    for status, code in ((403, 50013), (404, 10008), (404, 10015)):
        old = ada.hand
        world.env.inject_error("DELETE", TOKENS, status=status, code=code)
        await ada.open()
        assert len(alive(ada)) == 2
        begin = len(world.env.http_requests)
        await world.env.advance_time(30)
        assert not [r for r in world.env.http_requests[begin:] if r.method == "DELETE"]
        state = world.table()
        refresh = f"b:{state.id}:{state.revision}:{Verb.REFRESH}:"
        result = await forge(ada.person, old, refresh)
        assert result.response is not None
        assert [message.id for message in alive(ada)] == [result.response.id], "the newer one goes"
        ada.hand = result.response


async def test_old_hand_is_deleted_after_an_outage(world: World) -> None:
    (ada,) = await begun(world, "Ada")
    world.env.inject_error("DELETE", TOKENS, status=503, times=2)
    await ada.open()
    assert len(alive(ada)) == 2
    await world.env.advance_time(5)
    assert len(alive(ada)) == 1


async def test_old_hand_with_an_expired_token_answers_with_the_current_hand(
    world: World,
) -> None:
    (ada,) = await begun(world, "Ada")
    button = ada.controls(Verb.GRAND)[0].custom_id
    old = ada.hand
    world.env.inject_error("PATCH", TOKENS, status=503, times=None)
    await world.env.advance_time(TOKEN_LIFE.total_seconds() + 1)
    world.env.backend.faults.clear()
    await ada.open()
    assert old.id in {message.id for message in alive(ada)}, "it cannot be reached any more"
    result = await ada.person.member.click(old, custom_id=button)
    assert result.response is not None
    assert result.response.id == old.id
    assert [message.id for message in alive(ada)] == [old.id]


async def test_two_concurrent_clicks_leave_one_hand(world: World) -> None:
    ada, ben = await begun(world, "Ada", "Ben")
    world.repeats_answers = True  # the clicked hand may be deleted already
    for clicks in (_twice_my_hand, _my_hand_and_refresh):
        await fire_all(world.env, clicks(ada))
        assert len(alive(ada)) == 1
        ada.hand = ada.person.latest_private()
        await ada.open()
    assert len(alive(ben)) == 1


def _twice_my_hand(player: HandPlayer) -> list[Coroutine[Any, Any, Any]]:
    return [player.person.press(Verb.HAND), player.person.press(Verb.HAND)]


def _my_hand_and_refresh(player: HandPlayer) -> list[Coroutine[Any, Any, Any]]:
    state = player.world.table()
    refresh = f"b:{state.id}:{state.revision}:refresh:"
    return [player.person.press(Verb.HAND), forge(player.person, player.hand, refresh)]


# --- position below the table --------------------------------------------------------------------


async def next_round(world: World) -> None:
    """Let this round end and the next one be dealt."""
    await fast_forward(world, reached(Phase.ROUND_END))
    await deal(world)


async def deal(world: World) -> None:
    """Let the next round be dealt."""
    await ready_if_alone(world, world.game())
    while world.game().phase is Phase.ROUND_END:
        await world.to_next_deadline()


async def test_hand_moves_below_the_table_of_a_new_round(world: World) -> None:
    ada, ben = await begun(world, "Ada", "Ben")
    before = ada.hand.id
    await next_round(world)
    table, _ = world.newest_with(Verb.HAND)
    for player in (ada, ben):
        (hand,) = alive(player)
        assert hand.id > table.id > before
        assert has(hand, Verb.GRAND)
    await ada.press_with(Verb.GRAND, "no")
    assert not ada.can(Verb.GRAND)
    assert len(alive(ada)) == 1


async def test_reposted_table_keeps_the_buttons_of_awaited_players(world: World) -> None:
    ada, ben = await begun(world, "Ada", "Ben")
    await ada.press_with(Verb.GRAND, "no")
    stands = ben.hand.id
    await ben.person.slash("tichu table")
    table, _ = world.newest_with(Verb.HAND)
    assert ada.hand.id > table.id, "Ada has nothing to do"
    assert len(alive(ada)) == 1
    assert ben.hand.id == stands
    await ben.press_with(Verb.GRAND, "no")
    assert not ben.can(Verb.GRAND)


async def test_moved_hand_gets_updates_and_answers(world: World) -> None:
    _, ben = await begun(world, "Ada", "Ben")
    await next_round(world)
    moved = ben.hand.id
    await fast_forward(world, reached(Phase.EXCHANGE))
    assert has(ben.hand, Verb.PICK)
    assert ben.hand.id == moved
    await next_round(world)
    (hand,) = alive(ben)
    assert hand.id > moved, "it follows once more, through the same token"


async def test_hand_that_cannot_move_is_renewed_in_place(world: World) -> None:
    (ada,) = await begun(world, "Ada")
    before = ada.hand.id
    for status, code in ((403, 50013), (400, 50035), (404, 10015)):
        world.env.inject_error("POST", TOKENS, status=status, code=code)
        begin = len(world.env.http_requests)
        await next_round(world)
        assert "POST" in {r.method for r in world.env.http_requests[begin:] if "webhooks" in r.path}
        assert [message.id for message in alive(ada)] == [before]
        assert ada.can(Verb.GRAND)


async def test_hand_with_lost_answers_is_not_sent_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ada,) = await begun(world, "Ada")
    before, send = ada.hand.id, PrivateMessage.send_another

    async def lost(self: PrivateMessage, page: Page, files: Any) -> Any:
        await send(self, page, files)
        raise aiohttp.ServerDisconnectedError

    monkeypatch.setattr(PrivateMessage, "send_another", lost)
    await next_round(world)
    await world.env.advance_time(5)
    first, taken = alive(ada)
    assert first.id == before
    assert has(first, Verb.GRAND), "it is renewed where it stands"
    await ada.person.press(Verb.GRAND, "no", on=taken)
    (hand,) = alive(ada)
    assert hand.id == taken.id
    monkeypatch.setattr(PrivateMessage, "send_another", send)
    await next_round(world)
    (hand,) = alive(ada)
    assert hand.id > taken.id, "it follows again"


async def test_hand_clicked_while_moving_stays_in_place(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ada,) = await begun(world, "Ada")
    await fast_forward(world, reached(Phase.ROUND_END))
    clicked, send = ada.hand, PrivateMessage.send_another

    async def slow(self: PrivateMessage, page: Page, files: Any) -> Any:
        sent = await send(self, page, files)
        await world.bot.clock.sleep(2)
        return sent

    monkeypatch.setattr(PrivateMessage, "send_another", slow)
    await deal(world)
    assert len(alive(ada)) == 2, "what Discord says to it is on its way"
    state = world.table()
    await forge(ada.person, clicked, f"b:{state.id}:{state.revision}:refresh:")
    await world.env.advance_time(3)
    (hand,) = alive(ada)
    assert hand.id == clicked.id
    assert has(hand, Verb.GRAND)


async def test_click_on_a_hand_in_deletion_opens_a_new_one(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An update of its message would be refused (404/10008)."""
    (ada,) = await begun(world, "Ada")
    old = ada.hand
    monkeypatch.setattr(PrivateMessage, "delete", lambda _: world.bot.clock.sleep(2))
    await ada.person.press(Verb.HAND)
    state, wire = world.table(), Wire(world.env)
    result = await forge(ada.person, old, f"b:{state.id}:{state.revision}:refresh:")
    (answer,) = [sent.body["type"] for sent in wire.sent if "callback" in sent.path]
    assert answer == InteractionResponseType.channel_message.value
    assert result.response is not None
    assert has(result.response, Verb.GRAND)


# --- timing of updates ---------------------------------------------------------------------------


async def test_passes_of_others_share_one_update(world: World) -> None:
    leader, *others = await dealt(world, {0: "MAHJONG DRAGON J2 J3 J4 J5"}, variant="tientsin")
    await leader.lay("DRAGON")
    await world.env.advance_time(2 * SOON)  # the window has closed
    wire = Wire(world.env)
    for player in others[:4]:
        assert player.can(Verb.PASS), "who is asked sees it at once"
        await player.press(Verb.PASS)
    assert pushes(wire, leader) == ["PATCH"], "the first one at once"
    await world.env.advance_time(SOON)
    assert pushes(wire, leader) == ["PATCH", "PATCH"]
    assert is_fresh(leader)
    await others[4].press(Verb.PASS)
    await world.to_next_deadline()
    assert leader.can(Verb.GIFT), "a question comes at once, however fresh the hand is"


async def test_hold_disappears_with_the_next_change(world: World) -> None:
    """The end of a window is not important enough for an update of its own."""
    leader, second, third, *_ = await dealt(world, {0: "MAHJONG S2 S3 S4"})
    await leader.lead_mahjong()
    assert all(player.can(Verb.WAIT) for player in (leader, second, third))
    wire = Wire(world.env)
    await world.to_next_deadline()
    assert world.game().phase is Phase.TURN
    assert pushes(wire, third) == []
    await second.press(Verb.PASS)
    assert pushes(wire, third) == ["PATCH"]
    assert not any(player.can(Verb.WAIT) for player in (leader, second, third))


async def test_hold_disappears_after_a_while(world: World) -> None:
    leader, _, third, *_ = await dealt(world, {0: "MAHJONG S2 S3 S4"})
    await leader.lead_mahjong()
    await world.to_next_deadline()
    assert world.game().phase is Phase.TURN
    wire, before = Wire(world.env), third.text()
    await world.env.advance_time(HOLD_GOES_WITHIN.total_seconds() - 0.1)
    assert pushes(wire, third) == []
    await third.press(Verb.WAIT)
    assert third.text() != before, "it says that there is nothing to hold"
    assert not third.can(Verb.WAIT)
    await world.env.advance_time(0.2)
    assert pushes(wire, leader) == ["PATCH"]
    assert not leader.can(Verb.WAIT)
    assert is_fresh(leader)


async def test_outdated_edit_is_overwritten(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It carried an older hand when its reader clicked."""
    ada, ben = await begun(world, "Ada", "Ben")
    await fast_forward(world, reached(Phase.EXCHANGE))
    edit, late = PrivateMessage.edit, [2.0]

    async def slow(self: PrivateMessage, page: Page, files: Any) -> Any:
        if late and self.user_id == ben.person.id:
            await world.bot.clock.sleep(late.pop())
        return await edit(self, page, files)

    await world.env.advance_time(10)
    monkeypatch.setattr(PrivateMessage, "edit", slow)
    await ada.open()
    await ada.pass_cards()
    assert not late, "Ben's hand is being renewed"
    await ben.press(ben.controls(Verb.PICK)[0])
    picked = ben.text()
    await world.env.advance_time(3)
    assert ben.text() == picked


# --- end of a token ------------------------------------------------------------------------------


async def test_hand_goes_inactive_just_before_its_token_expires(world: World) -> None:
    ada, _ = await begun(world, "Ada", "Ben", **{"turn-limit": 600})
    left = (TOKEN_LIFE - RESTS_BEFORE).total_seconds()
    world.env.inject_error("POST", "/channels/*", status=503, times=None)
    await world.env.advance_time(left - 60)
    assert verbs(ada.hand) != [Verb.HAND]
    await world.env.advance_time(60)
    assert verbs(ada.hand) == [Verb.HAND]
    wire = Wire(world.env)
    await world.env.advance_time(600)
    assert pushes(wire, ada) == []
    result = await ada.person.press(Verb.HAND, on=ada.hand)
    assert result.response is not None
    assert result.response.id == ada.hand.id
    assert verbs(ada.hand) != [Verb.HAND], "with the new token it goes on"


async def test_every_click_restarts_the_token_lifetime(world: World) -> None:
    (ada,) = await begun(world, "Ada")
    for _ in range(3):
        await world.env.advance_time(600)
        assert verbs(ada.hand) != [Verb.HAND]
        await forge(ada.person, ada.hand, f"b:{world.table().id}:0:refresh:")


# --- ends ------------------------------------------------------------------------------------


async def test_hands_of_a_finished_match_have_no_buttons(world: World) -> None:
    players = await begun(world, "Ada", "Ben", "Cai")
    for player in players[:2]:
        await player.person.slash("tichu stop")
    assert world.last_game().status == "stopped"
    for player in players:
        assert verbs(player.hand) == []
    assert open_hands(world) == 0


def nearly_over(match: Match) -> bool:
    """Return whether somebody leads in a round with few cards left."""
    held = sum(hand.cards.bit_count() for hand in match.round.hands) if match.round else 0
    return match.phase is Phase.LEAD and held <= 20


async def test_click_that_ends_the_match_leaves_nothing_behind(world: World) -> None:
    players = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"), target=100)
    while not over(world)():
        await fast_forward(world, nearly_over, players=players)
        await play_on(world, players, lambda: over(world)() or world.game().between_rounds)
    assert world.last_game().status == "finished"
    assert {tuple(verbs(player.hand)) for player in players} == {()}
    assert open_hands(world) == 0


async def test_hand_shown_while_the_match_ends_says_so(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match ends while Discord receives the answer with the hand."""
    (ada,) = await begun(world, "Ada")
    table_id, host = world.table().id, world.game().host_id
    answer: Callable[..., Any] = discord.InteractionResponse.send_message

    async def ends_meanwhile(
        self: discord.InteractionResponse[Any], *args: Any, **given: Any
    ) -> Any:
        if world.bot.tables.find(table_id) is not None:
            await world.bot.tables.execute(table_id, host, VoteToStop(moderator=True))
        return await answer(self, *args, **given)

    monkeypatch.setattr(discord.InteractionResponse, "send_message", ends_meanwhile)
    await ada.person.press(Verb.HAND)
    assert verbs(ada.person.latest_private()) == []
    assert open_hands(world) == 0


async def test_pending_update_of_a_leavers_hand_is_replaced(
    world: World,
) -> None:
    ada, ben, *_ = await begun(world, "Ada", "Ben", "Cai")
    await ada.press_with(Verb.GRAND, "no")
    await world.leave_match(ben.person)
    assert verbs(ben.hand) == []
    before = ben.text()
    await world.env.advance_time(SOON)
    assert ben.text() == before


async def test_inactive_hand_says_that_its_table_is_over(world: World) -> None:
    """Its token expired before the end could be shown."""
    ada, ben = await begun(world, "Ada", "Ben")
    grand, refresh = ada.controls(Verb.GRAND)[0], f"b:{world.table().id}:1:refresh:"
    world.env.inject_error("PATCH", TOKENS, status=404, code=10015, times=None)
    for player in (ada, ben):
        await player.person.slash("tichu stop")
    assert world.bot.tables.find(TableId(1)) is None
    for player in (ada, ben):
        result = await forge(player.person, player.hand, grand.custom_id)
        assert result.response is not None
        assert result.response.id == player.hand.id
        assert refusal("table-over") in player.text()
        assert verbs(player.hand) == []
    await forge(ada.person, ada.hand, refresh)
    assert refusal("table-over") in ada.text()


async def test_old_hand_of_somebody_who_left_shows_no_cards(world: World) -> None:
    _, ben, _ = await begun(world, "Ada", "Ben", "Cai")
    grand = ben.controls(Verb.GRAND)[0].custom_id
    world.env.inject_error("PATCH", TOKENS, status=404, code=10015, times=None)
    await world.leave_match(ben.person)
    assert ben.controls(), "the bot could not reach it any more"
    await forge(ben.person, ben.hand, grand)
    assert refusal("not-seated") in ben.text()
    assert verbs(ben.hand) == []


async def test_hand_button_of_an_old_table_opens_the_current_hand(world: World) -> None:
    (ada,) = await begun(world, "Ada")
    before = world.table().id
    await ada.person.slash("tichu stop")
    await ada.person.slash("tichu new", computers=3)
    await ada.person.press(Verb.START)
    table, button = world.newest_with(Verb.HAND)
    old = button.custom_id.replace(f"b:{world.table().id}:", f"b:{before}:", 1)
    assert old != button.custom_id
    result = await forge(ada.person, table, old)
    assert result.response is not None
    assert has(result.response, Verb.GRAND)
    ada.hand = result.response
    await ada.press_with(Verb.GRAND, "no")


def open_hands(world: World) -> int:
    """Return how many hands the bot keeps up to date."""
    announcer = announcer_of(world)
    return len(announcer.hands)
