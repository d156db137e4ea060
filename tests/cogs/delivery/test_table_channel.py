"""Messages of a table in its channel: in order and once, after any failure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from simcord import ResponseMessage

from bot.ids import ChannelId, TableId, UserId
from bot.live.channels import TableMessages
from bot.table.batch import Batch
from bot.table.commands import Command, Context
from bot.table.dealing import commitment_on_table, next_deal
from bot.table.outcome import Outcome
from bot.table.permission import acting_seat, require_game
from bot.table.state import Game, OpenTable
from bot.text.cards import Speaker
from cogs.pages.table.page import table_page
from cogs.pages.table.result import result_page
from cogs.pages.verbs import Verb
from engine import Called, CallTichu, Match, Phase, read_action
from tests.cogs.conftest import ErrorRecords
from tests.cogs.delivery.lossy import LossyDiscord
from tests.cogs.delivery.slow_requests import SlowRequests
from tests.cogs.delivery.uploads import same_text
from tests.cogs.fast_forward import carried_out, fast_forward, reached
from tests.cogs.table_play import (
    HandPlayer,
    act,
    dealt_without_hands,
    seat_all,
    seat_without_hands,
)
from tests.cogs.test_handover import ask, asked
from tests.cogs.test_trouble import read_only
from tests.cogs.worlds import SAY, World
from tests.simcord_clicks import find, messages, numbers, shown, text, with_verb

POST = "/channels/*/messages"
ENDS_AT_ONCE = {0: "MAHJONG J2 J3 J4 J6", 1: "J8 S8 P8 T8 SK PK TK JK"}
LONGER_THAN_ANY_PAUSE = 16


async def before_the_end(world: World, target: int = 100) -> HandPlayer:
    """Play to a pass of this player that ends the round and the match by a missed wish.

    The match has a target of 100 points; nobody else has opened their hand.
    """
    options = {"missed-wish": "penalty", "target": target}
    _, ben, *_ = await dealt_without_hands(world, ENDS_AT_ONCE, **options)
    await act(world, read_action(0, "play:MAHJONG wish=8"))
    await world.to_next_deadline()
    await ben.open()
    return ben


async def pass_on(world: World, player: HandPlayer) -> None:
    """Press "pass", which ends the match."""
    await player.press(Verb.PASS)
    assert world.history[-1].after.status == "finished"


def turn_of(match: Match) -> int:
    """Return the seat on turn."""
    assert match.round is not None
    return match.round.turn


async def at_the_lead(world: World) -> list[HandPlayer]:
    """Return four people who may still call Tichu."""
    world.chance.dealer = 0
    world.chance.deals = [{0: "MAHJONG J2 J3 J4"}]
    players = await seat_without_hands(world, world.people("Ada", "Ben", "Cai", "Dan"))
    for player in players:
        player.calls = 0.0
    await fast_forward(world, reached(Phase.LEAD), players=players)
    return players


class PostedCall(Command):
    """Calls Tichu with a message in the channel, like a call that reopens the exchange."""

    def carry_out(self, table: OpenTable, user_id: int, context: Context) -> Outcome:
        game, seat = acting_seat(table, UserId(user_id))
        batch = Batch(game, context.now)
        batch.take(CallTichu(seat), UserId(user_id))
        outcome = batch.finish()
        posted = [
            event._replace(reopened=True) if isinstance(event, Called) else event
            for event in outcome.events
        ]
        return outcome._replace(events=posted)


async def call(player: HandPlayer) -> None:
    """Call Tichu, which posts a line and changes the table."""
    world = player.world
    game = world.game(player.person.channel)
    await carried_out(world, game, PostedCall(), UserId(player.person.id))
    await world.env.settle()


def label(game: OpenTable) -> str:
    """Return the public label of the deal on a table."""
    commitment = commitment_on_table(game)
    assert commitment is not None
    return commitment[:8]


def public(world: World) -> list[ResponseMessage]:
    """Return the public messages of the channel, oldest first."""
    return [message for message in messages(world.env, world.channel) if not message.ephemeral]


def result_messages(world: World) -> list[ResponseMessage]:
    """Return the messages with results in the channel."""
    words = Speaker(SAY, world.bot.art)
    headings = set()
    for event in world.history:
        state = event.after
        if isinstance(state, Game) and state.phase in (Phase.ROUND_END, Phase.MATCH_END):
            (frame,) = result_page(state, words, countdown=False).to_components()
            headings.add(frame["components"][0]["content"])
    return [message for message in public(world) if text(message).splitlines()[0] in headings]


def results(world: World) -> list[str]:
    """Return the texts of results in the channel."""
    return [text(message) for message in result_messages(world)]


def calls(world: World) -> list[str]:
    """Return the names of Tichu callers according to the channel."""
    sign = world.bot.art.icon("tichu")
    told = [text(message) for message in public(world) if text(message).startswith(sign)]
    return [name for line in told for name in shown(line, "Ada", "Ben", "Cai", "Dan")]


def containing(found: Sequence[ResponseMessage], words: str) -> list[ResponseMessage]:
    return [message for message in found if words in text(message)]


async def test_result_is_posted_after_server_errors(world: World) -> None:
    ben = await before_the_end(world)
    world.env.inject_error("POST", POST, status=503, times=3)
    await pass_on(world, ben)
    assert results(world) == []
    await world.env.advance_time(8)
    assert len(results(world)) == 1
    assert with_verb(public(world)[-1], Verb.REMATCH)
    assert await world.bot.store.tables.undelivered() == {}


async def test_result_with_a_lost_answer_is_posted_once(world: World, lossy: LossyDiscord) -> None:
    ben = await before_the_end(world)
    lossy.lost_messages = 3
    lossy.creations.clear()
    await pass_on(world, ben)
    await world.env.advance_time(8)
    assert len(results(world)) == 1
    assert len(lossy.creations) == 4
    assert len(set(lossy.creations)) == 1
    assert await world.bot.store.tables.undelivered() == {}


async def test_result_deleted_before_its_answer_is_posted_again(
    world: World, lossy: LossyDiscord
) -> None:
    """The repeated nonce is that of a deleted message: Discord answers 404/10008."""
    ben = await before_the_end(world)
    lossy.lost_messages = 2  # with its picture, and as text
    lossy.creations.clear()
    await pass_on(world, ben)
    await world.env.advance_time(0.5)
    (lost,) = [m for m in messages(world.env, world.channel) if with_verb(m, Verb.REMATCH)]
    world.env.backend.delete_message(world.channel.id, lost.id)
    await world.env.advance_time(8)
    assert len(results(world)) == 1
    assert len(lossy.creations) == 4
    assert len(set(lossy.creations)) == 2
    assert await world.bot.store.tables.undelivered() == {}


async def test_end_of_a_match_is_posted_after_a_restart(world: World) -> None:
    ben = await before_the_end(world)
    world.env.inject_error("POST", POST, status=503, times=None)
    await pass_on(world, ben)
    assert len(await world.bot.store.tables.undelivered()) == 1
    world.env.backend.faults.clear()
    await world.restart()
    (result,) = results(world)
    assert "🏆" in result
    assert await world.bot.store.tables.undelivered() == {}
    await world.restart()
    assert len(results(world)) == 1


async def test_result_of_an_earlier_round_is_posted_after_a_restart(world: World) -> None:
    """It has the secret of that round, not of the running one."""
    await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"), target=5000)
    await fast_forward(world, reached(Phase.CLOSING))
    world.env.inject_error("POST", POST, status=503, times=None)
    await fast_forward(world, reached(Phase.ROUND_END))
    over, lines = world.game(), len(public(world))
    await world.to_next_deadline()
    assert world.game().phase is Phase.GRAND
    await world.restart()
    assert len(public(world)) == lines
    world.env.backend.faults.clear()
    await world.env.advance_time(LONGER_THAN_ANY_PAUSE)
    *_, result, table = map(text, public(world)[lines:])
    assert label(over) in result
    assert label(world.game()) not in result
    assert not with_verb(public(world)[-2], Verb.PAUSE)
    assert numbers(table.splitlines()[0])[-1] == 2
    assert world.table().messages.table == public(world)[-1].id
    assert await world.bot.store.tables.undelivered() == {}


@pytest.mark.parametrize("restart", [False, True])
async def test_table_with_a_lost_answer_shows_the_current_state(
    world: World, lossy: LossyDiscord, restart: bool
) -> None:
    players = await seat_without_hands(world, world.people("Ada", "Ben", "Cai", "Dan"), target=5000)
    await fast_forward(world, reached(Phase.ROUND_END), players=players)
    lossy.lost_messages = 1
    await world.to_next_deadline()
    assert (world.game().phase, lossy.lost_messages) == (Phase.GRAND, 0)
    ada, *_ = players
    await ada.act()
    if restart:
        await world.restart()
    await world.env.advance_time(2)
    table, game = public(world)[-1], world.game()
    assert game.messages.table == table.id
    assert same_text(table, table_page(game, Speaker(SAY, world.bot.art), restarted=restart))


async def test_result_with_a_lost_answer_is_current_after_a_restart(
    world: World, lossy: LossyDiscord
) -> None:
    ben = await before_the_end(world, target=5000)
    lossy.lost_messages = 1
    await ben.press(Verb.PASS)
    assert (world.game().messages.result, lossy.lost_messages) == (None, 0)
    (result,) = result_messages(world)
    await ben.person.press(Verb.READY, on=result)
    await world.restart()
    await world.env.advance_time(2)
    assert world.game().messages.result == result.id
    assert numbers(find(result, Verb.READY).label) == [1, 4]


async def test_edit_with_a_lost_answer_is_corrected(world: World, lossy: LossyDiscord) -> None:
    await seat_all(world, world.people("Ada"), target=5000)
    await fast_forward(world, lambda match: match.phase is Phase.TURN and not turn_of(match))
    (eve,) = world.people("Eve")
    page = (await eve.press(Verb.HAND)).response
    assert page is not None
    lossy.lost_edits = 1
    await eve.press(Verb.SIT, "1", on=page)
    table, _ = world.newest_with(Verb.MORE)
    assert (shown(table, "Eve"), lossy.lost_edits) == (["Eve"], 0)
    await eve.press(Verb.STAY_OUT, on=page)
    await world.env.advance_time(2)
    assert same_text(table, table_page(world.game(), Speaker(SAY, world.bot.art)))
    assert shown(table, "Eve") == []


async def test_call_is_posted_once(world: World, lossy: LossyDiscord) -> None:
    ada, *_ = await at_the_lead(world)
    lossy.lost_messages = 3
    await call(ada)
    await world.env.advance_time(8)
    assert calls(world) == ["Ada"]
    assert await world.bot.store.tables.undelivered() == {}


async def test_messages_stay_in_order(world: World) -> None:
    ada, ben, *_ = await at_the_lead(world)
    world.env.inject_error("POST", POST, status=503, times=2)
    await call(ada)
    await call(ben)
    assert calls(world) == []
    await world.env.advance_time(4)
    assert calls(world) == ["Ada", "Ben"]


async def test_one_request_chain_during_an_outage(world: World) -> None:
    players = await seat_without_hands(world, world.people("Ada", "Ben", "Cai", "Dan"), target=5000)
    await fast_forward(world, reached(Phase.LEAD), players=players)
    world.env.inject_error("PATCH", "/channels/*", status=503, times=None)
    begin, sent = world.env.now(), len(world.env.http_requests)
    while (world.env.now() - begin).total_seconds() < 100:
        for player in players:
            await player.act()
        await world.env.advance_time(5)
    tried = [r for r in world.env.http_requests[sent:] if r.method == "PATCH"]
    edits = [r for r in tried if r.path.startswith("/channels")]
    assert 7 < len(edits) < 15
    world.env.backend.faults.clear()
    await world.env.advance_time(LONGER_THAN_ANY_PAUSE)
    count = len(world.env.http_requests)
    await world.env.advance_time(0.5)
    assert len(world.env.http_requests) == count, "nothing is tried that has succeeded"


async def test_replaced_offer_is_not_posted(world: World) -> None:
    ada, *_ = await at_the_lead(world)
    eve, fay = world.people("Eve", "Fay")
    table_id = world.table().id
    world.env.inject_error("POST", POST, status=503, times=None)
    question = await asked(ada.person)
    await ask(ada.person, eve, question)
    await ask(ada.person, fay, question)
    assert len((await world.bot.store.tables.undelivered())[table_id]) == 2
    world.env.backend.faults.clear()
    await world.env.advance_time(LONGER_THAN_ANY_PAUSE)
    (offer,) = [message for message in public(world) if with_verb(message, Verb.TAKE_SEAT)]
    assert f"<@{fay.id}>" in text(offer)
    assert await world.bot.store.tables.undelivered() == {}


async def test_message_with_an_unstored_id_is_not_posted_again(
    world: World, errors: ErrorRecords
) -> None:
    errors.allow("database write failed")
    ada, *_ = await at_the_lead(world)
    world.env.inject_error("POST", POST, status=503, times=1)
    await call(ada)
    async with read_only(world):
        await world.env.advance_time(4)
        assert calls(world) == ["Ada"]
        assert len(await world.bot.store.tables.undelivered()) == 1
    await world.env.advance_time(LONGER_THAN_ANY_PAUSE)
    assert calls(world) == ["Ada"]
    assert await world.bot.store.tables.undelivered() == {}


async def test_failure_to_word_a_message_stops_nothing(
    world: World, errors: ErrorRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors.allow("unhandled exception while posting a message")
    ada, ben, *_ = await at_the_lead(world)
    with monkeypatch.context() as broken:
        broken.setattr("cogs.delivery.messages.announcements", lambda *_: 1 / 0)
        await call(ada)
    await call(ben)
    assert calls(world) == ["Ben"]
    assert await world.bot.store.tables.undelivered() == {}


class DealNow(Command):
    """Deals the next round early."""

    def carry_out(self, table: OpenTable, user_id: int, context: Context) -> Outcome:
        game = require_game(table)
        deal = next_deal(game, context.draw, context.prepare(game))
        batch = Batch(replace(game, deal=deal.secrets), context.now)
        batch.deal(deal.source)
        return batch.finish()


async def test_result_arrives_while_the_next_round_is_dealt(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It loses its countdown and buttons, and keeps its secret."""
    await seat_without_hands(world, world.people("Ada", "Ben", "Cai", "Dan"), target=5000)
    await fast_forward(world, reached(Phase.CLOSING))
    remember = TableMessages.store_ids
    dealt_between: list[OpenTable] = []

    async def late(self: TableMessages, table_id: TableId, **given: Any) -> None:
        if "result" in given and not dealt_between:
            dealt_between.append(world.bot.tables.get(table_id))
            await world.bot.tables.execute(table_id, UserId(0), DealNow())
        await remember(self, table_id, **given)

    monkeypatch.setattr(TableMessages, "store_ids", late)
    await fast_forward(world, lambda match: bool(match.results) and match.phase is Phase.GRAND)
    (over,) = dealt_between
    (result,) = result_messages(world)
    assert not with_verb(result, Verb.PAUSE)
    assert label(over) in text(result)
    assert world.game().messages.result is None
    await fast_forward(world, reached(Phase.ROUND_END))
    assert label(over) in text(result)


async def test_old_results_lose_their_buttons_after_an_outage(world: World) -> None:
    """Also after an outage of more than one round."""
    players = await seat_without_hands(world, world.people("Ada", "Ben", "Cai", "Dan"), target=5000)
    await fast_forward(world, reached(Phase.ROUND_END), players=players)
    world.env.inject_error("PATCH", "/channels/*", status=503, times=None)
    for phase in (Phase.GRAND, Phase.ROUND_END, Phase.GRAND):
        await fast_forward(world, reached(phase))
    old = result_messages(world)
    assert [bool(with_verb(result, Verb.PAUSE)) for result in old] == [True, True]
    world.env.backend.faults.clear()
    await world.env.advance_time(LONGER_THAN_ANY_PAUSE)
    assert [bool(with_verb(result, Verb.PAUSE)) for result in old] == [False, False]


async def test_table_posted_after_the_match_has_no_buttons(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message it replaces has none either."""
    ada, *others = await at_the_lead(world)
    slow = SlowRequests(monkeypatch, "POST", "/channels/{channel_id}/messages")
    slow.slow = True
    await ada.person.slash("tichu table")
    for player in (ada, *others):
        if world.bot.tables.in_channel(ChannelId(world.channel.id)) is not None:
            await player.person.slash("tichu stop")
    assert world.history[-1].after.status == "stopped"
    slow.let_go()
    await world.env.settle()
    assert [message for message in public(world) if with_verb(message, Verb.HAND)] == []
