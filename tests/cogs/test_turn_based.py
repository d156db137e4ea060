"""Turn-based tables for players: nudges, their channels, and the message that carries them."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot import client
from bot.ids import UserId
from bot.records import PersonalSettings
from bot.runtime import clock, gc_schedule
from bot.status import log_summary
from bot.table.interruptions import nudged_users
from cogs.delivery.table_pictures import TablePictures
from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.table_play import HandPlayer, seat_all
from tests.cogs.test_handover import ask, asked
from tests.cogs.turn_based_people import (
    DAY,
    DIRECT,
    HOUR,
    MENTION,
    NONE,
    Calls,
    direct,
    game_of,
    named_in,
    seated,
    tables,
)
from tests.cogs.worlds import World
from tests.simcord_clicks import Person, controls, find, has, messages, text

NIGHT = (22 * 60, 8 * 60)


@pytest.fixture(autouse=True)
def nothing_each_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip per-minute work of the bot, because days pass here and it is tested elsewhere."""
    for module, name in (
        (clock, "LONGEST_NAP_S"),
        (client, "BEAT_EVERY_S"),
        (log_summary, "EVERY_S"),
    ):
        monkeypatch.setattr(module, name, 100.0 * DAY)
    monkeypatch.setattr(gc_schedule, "EVERY", timedelta(days=100))


async def test_every_nudge_is_a_wanted_one(world: World) -> None:
    """Two days of play by clicks, hours apart, over a restart: each mention and message counts.

    Then somebody is reminded, and the thread is lost.
    """
    calls, asleep = Calls(world), MENTION.model_copy(update={"quiet": NIGHT})
    people = await seated(world, MENTION, DIRECT, NONE, asleep)
    ada, ben, _, dan = (person.id for person in people)
    wants = {
        person.id: chosen.nudge_way
        for person, chosen in zip(people, (MENTION, DIRECT, NONE, asleep), strict=True)
    }
    thread, players = people[0].channel, [HandPlayer(world, p, n) for n, p in enumerate(people)]
    for player in players:
        player.early = 1.0
    told = Counter[tuple[int, str]]()

    async def moves(seat: int) -> None:
        await players[seat].open()
        while seat in game_of(world, people).awaited:
            await players[seat].act()

    for step in range(16):
        if step == 6:
            await world.restart()
        await world.env.advance_time(62 if step % 3 else 5 * HOUR)
        game = game_of(world, people)
        turns = {game.chairs[chair].user_id: turn.turn for chair, turn in game.timers.turns.items()}
        for call in calls.new():
            assert wants[call.user_id] == call.way
            assert call.user_id != dan or awake(call.at)
            told[call.user_id, turns[UserId(call.user_id)]] += 1
        assert len(tables(world, thread)) == 1
        standing = [m for m in messages(world.env, thread) if named_in(m, people)]
        waiting = [user for user in nudged_users(game) if wants[user] == "mention"]
        named = [user for message in standing for user in named_in(message, people)]
        assert named == waiting or (named == [] and game.messages.nudge is None), (
            "a table message that has nudged people says so until its first edit"
        )
        assert len(direct(world, people[1])) == (ben in nudged_users(game))
        for user in (people[chair].id for chair in game.awaited):
            if user != dan or awake(world.env.now()):
                assert told[user, turns[UserId(user)]] == (wants[user] != "none"), "one call a turn"
        await moves(game.awaited[step % len(game.awaited)])
    assert {user for user, _ in told} == {ada, ben, dan}
    assert max(told.values()) == 1, "nobody was so late that they were reminded"
    await world.check_replay(thread)

    await world.env.advance_time(3)
    while (chair := game_of(world, people).awaited[0]) not in (0, 1):
        await moves(chair)
        await world.env.advance_time(3)
    late = people[chair].id
    await world.env.advance_time(62)
    for share_of_turn in (0, 0.76):
        await world.env.advance_time(share_of_turn * DAY)
        assert [(call.way, call.user_id) for call in calls.new()] == [(wants[late], late)]
    world.env.backend.delete_channel(thread.id)
    await world.env.advance_time(2 * DAY)
    notices = calls.new()
    assert sorted((call.way, call.user_id) for call in notices) == [
        ("direct", ben),
        ("mention", ada),
        ("mention", dan),
    ]
    assert all(awake(call.at) for call in notices if call.user_id == dan)


def awake(at: datetime) -> bool:
    """Return whether it is outside the quiet hours `NIGHT`."""
    return 8 <= at.hour < 22


async def leads(world: World, people: list[Person]) -> Person:
    """Return the leader, when everybody's last click is long ago."""
    await fast_forward(world, reached(Phase.LEAD), channel=people[0].channel)
    game = game_of(world, people)
    return next(p for p in people if p.id == game.chairs[game.awaited[0]].user_id)


async def plays(world: World, person: Person) -> None:
    """Open the hand with **My turn** and play the first offer."""
    player = HandPlayer(world, person, 1)
    player.early = player.plays = 1.0
    player.by_cards = player.bombs = player.calls = 0.0
    await player.open()
    chair = world.game(person.channel).seat_of(UserId(person.id))
    while chair in world.game(person.channel).awaited:
        await player.act()


async def test_nudge_reposts_an_old_table_message(world: World) -> None:
    calls, people = Calls(world), await seated(world, MENTION, MENTION, MENTION, MENTION)
    thread = people[0].channel
    leader = await leads(world, people)
    calls.new()
    await world.env.advance_time(62)
    (old,) = tables(world, thread)
    (nudge,) = [m for m in messages(world.env, thread) if named_in(m, people)]
    assert nudge.id != old.id, "the table message is young"
    await world.env.advance_time(56 * 60)
    await plays(world, leader)
    await world.env.advance_time(3)
    (new,) = tables(world, thread)
    game = game_of(world, people)
    follower = next(p for p in people if p.id == game.chairs[game.awaited[0]].user_id)
    assert (new.id > old.id, named_in(new, people)) == (True, [follower.id])
    assert [(call.way, call.user_id) for call in calls.new()][1:] == [("mention", follower.id)]
    await world.env.advance_time(0.76 * DAY)
    (reminder,) = tables(world, thread)
    assert (reminder.id > new.id, named_in(reminder, people)) == (True, [follower.id])
    assert [call.user_id for call in calls.new()] == [follower.id]
    await plays(world, follower)
    assert named_in(tables(world, thread)[0], [follower]) == []
    await world.env.advance_time(3)
    assert len(calls.new()) == 1, "the next one"


async def test_old_table_message_is_not_edited_often(world: World) -> None:
    """Six people answer Grand Tichu one after another, hours after the deal."""
    people = world.people("Ada", "Ben", "Cai", "Dan", "Eve", "Fay")
    for person in people:
        await world.bot.store.personal_settings.choose(UserId(person.id), NONE)
    await people[0].slash("tichu new", pace=DAY, variant="tientsin")
    (thread,) = world.channel.threads
    inside = [Person(world.env, person.member, thread) for person in people]
    for person in inside[1:]:
        await world.join(person)
    await inside[0].press(Verb.START)
    (old,) = tables(world, thread)
    await world.env.advance_time(2 * HOUR)
    began, path = len(world.env.http_requests), f"/channels/{thread.id}/messages/{old.id}"
    for person in inside:
        await person.press(Verb.HAND)
        await person.press(Verb.GRAND, "no")
        await world.env.settle()
    requests = world.env.http_requests[began:]
    edits = [entry for entry in requests if (entry.method, entry.path) == ("PATCH", path)]
    assert len(edits) == 1
    (new,) = tables(world, thread)
    assert new.id != old.id


async def test_direct_messages_show_no_card_and_are_deleted(world: World) -> None:
    calls, people = Calls(world), await seated(world, DIRECT, DIRECT, DIRECT, DIRECT)
    leader = await leads(world, people)
    await world.env.advance_time(62)
    (message,) = direct(world, leader)
    before = message.id
    await world.env.advance_time(0.76 * DAY)
    (message,) = direct(world, leader)
    assert message.id > before, "the reminder"
    shown = text(message)
    assert next(c.url for c in controls(message) if c.url).endswith(str(leader.channel.id))
    assert (shown.count("<#"), shown.count("<:"), len(shown.splitlines())) == (1, 0, 2)
    opened = await leader.member.user.click(message, custom_id=find(message, Verb.HAND).custom_id)
    assert opened.response.ephemeral
    assert has(opened.response, Verb.CARDS)
    await plays(world, leader)
    assert direct(world, leader) == []
    assert {call.way for call in calls.new()} == {"direct"}


async def test_refused_direct_messages_become_mentions_with_one_notice(world: World) -> None:
    people = await seated(world, DIRECT, NONE, NONE, NONE)
    ada, calls = people[0], Calls(world)
    channel = world.env.backend.get_dm_channel(ada.id)
    path = f"/channels/{channel.id}/messages"
    world.env.inject_error("POST", path, status=403, code=50007, times=None)
    await world.env.advance_time(62)
    (nudge,) = [m for m in messages(world.env, ada.channel) if named_in(m, people)]
    assert text(nudge).count(f"<@{ada.id}>") == 2, "it says why"
    assert [(call.way, call.user_id) for call in calls.new()][1:] == [("mention", ada.id)]
    chosen = await world.bot.store.personal_settings.get(UserId(ada.id))
    assert chosen.nudge_way == "mention"
    await world.env.advance_time(0.76 * DAY)
    (reminder,) = [m for m in messages(world.env, ada.channel) if named_in(m, people)]
    assert (reminder.id > nudge.id, text(reminder).count(f"<@{ada.id}>")) == (True, 1)


async def test_direct_messages_are_sent_once_over_an_outage_and_a_restart(world: World) -> None:
    ada, _ = people = await seated(world, DIRECT, MENTION)
    path = f"/channels/{ada.channel.id}/messages"
    world.env.inject_error("POST", path, status=503, times=None)
    await world.env.advance_time(600)
    (message,) = direct(world, ada)
    await world.restart()
    await world.env.advance_time(62)
    assert [m.id for m in direct(world, ada)] == [message.id]
    world.env.backend.faults.clear()
    await world.env.advance_time(62)
    assert game_of(world, people).messages.direct[UserId(ada.id)][1] == message.id


async def test_live_nudges_follow_the_settings_too(world: World) -> None:
    people = world.people("Ada", "Ben", "Cai", "Dan")
    wants = {
        person.id: chosen
        for person, chosen in zip(people, (MENTION, DIRECT, NONE, NONE), strict=True)
    }
    for user_id, chosen in wants.items():
        await world.bot.store.personal_settings.choose(UserId(user_id), chosen)
    calls = Calls(world)
    players = await seat_all(world, people, **{"turn-limit": 300})
    await world.env.advance_time(61)
    assert {(call.way, call.user_id) for call in calls.new()} == {
        ("mention", people[0].id),
        ("direct", people[1].id),
    }
    for player in players:
        await player.press_with(Verb.GRAND, "no")
    assert direct(world, people[1]) == []
    eva, fay = world.people("Eva", "Fay")
    await world.bot.store.personal_settings.choose(
        UserId(eva.id), PersonalSettings(invitations=False)
    )
    for member in (eva, fay):
        await ask(people[0], member, await asked(people[0]))
    assert [call.user_id for call in calls.new()] == [fay.id]


async def test_next_player_continues_with_one_tap_without_another_nudge(world: World) -> None:
    calls, people = Calls(world), await seated(world, MENTION, MENTION, MENTION, MENTION)
    await fast_forward(world, reached(Phase.WINDOW), channel=people[0].channel)
    await world.env.advance_time(62)
    game = game_of(world, people)
    players = [HandPlayer(world, person, 1) for person in people]
    for player in players:
        await player.open()
    able = [chair for chair, player in enumerate(players) if player.can(Verb.GO_ON)]
    assert able == [game.awaited_in_window] == list(game.awaited)
    assert not any(player.can(Verb.WAIT) for player in players), "nothing has to be held"
    next_one = players[able[0]]
    calls.new()
    await next_one.press(Verb.GO_ON)
    game = game_of(world, people)
    assert (game.phase, game.round.turn) == (Phase.TURN, able[0])
    assert next_one.can(Verb.PASS)
    assert not next_one.can(Verb.GO_ON)
    await world.env.advance_time(3600)
    assert calls.new() == []


async def test_nudge_survives_an_outage_and_a_restart(world: World) -> None:
    """A nudge that would then come in quiet hours comes after them."""
    asleep = MENTION.model_copy(update={"quiet": (2, 60)})
    people = await seated(world, MENTION, DIRECT, NONE, asleep)
    world.env.inject_error("POST", "/channels/*/messages", status=503, times=None)
    await world.env.advance_time(122)
    world.env.backend.faults.clear()
    calls = Calls(world)
    await world.restart()
    await world.env.advance_time(20)
    heard = [(call.way, call.user_id) for call in calls.new()]
    assert heard == [("direct", people[1].id), ("mention", people[0].id)]
    assert len(direct(world, people[1])) == 1
    await world.env.advance_time(HOUR)
    (late,) = calls.new()
    assert (late.at.hour, late.at.minute) == (1, 0)
    assert (late.way, late.user_id) == ("mention", people[3].id)


async def test_reposted_table_with_a_nudge_stays_while_its_picture_is_drawn(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = TablePictures.newest

    async def slowly(pictures: TablePictures, *given: Any, **how: Any) -> Any:
        if how.get("edited_id"):
            await world.bot.clock.sleep(0.1)
        return await newest(pictures, *given, **how)

    calls, people = Calls(world), await seated(world, MENTION, MENTION, MENTION, MENTION)
    leader = await leads(world, people)
    await world.env.advance_time(56 * 60)
    calls.new()
    monkeypatch.setattr(TablePictures, "newest", slowly)
    await plays(world, leader)
    await world.env.advance_time(3)
    (call,) = calls.new()
    (message,) = tables(world, leader.channel)
    assert named_in(message, people) == [call.user_id]
    messages_now = game_of(world, people).messages
    assert (messages_now.nudge, messages_now.table) == (None, message.id)
