"""Threads of turn-based tables: archived, locked or deleted; play stops for everybody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable

import pytest
from simcord import ChannelHandle, ResponseMessage

from bot.ids import ChannelId
from bot.storage import StorageUnavailable
from bot.storage.tables import TableStore
from bot.text.people import channel_mention
from bot.text.sentences import write_failed
from cogs.delivery.deleted_channels import close_or_pause
from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.conftest import ErrorRecords
from tests.cogs.delivery.lossy import LossyDiscord
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.turn_based_people import (
    DIRECT,
    MENTION,
    NONE,
    Calls,
    direct,
    game_of,
    named_in,
    seated,
    tables,
)
from tests.cogs.worlds import SAY, World, refusal
from tests.simcord_clicks import Person, deny, has, messages, text


async def close(world: World, thread: ChannelHandle, *, locked: bool) -> None:
    """Archive a thread, and optionally lock it; it then refuses edits, and posts if locked."""
    if locked:
        deny(world.env, world.channel, world.env.backend.bot_user.id, "manage_threads")
    metadata = {"archived": True, "locked": locked}
    world.env.backend.edit_channel(thread.id, {}, thread_metadata=metadata)
    await world.env.settle()


async def unlock(world: World, thread: ChannelHandle) -> None:
    """Unlock the thread."""
    world.env.backend.faults.clear()
    metadata = {"archived": False, "locked": False}
    world.env.backend.edit_channel(thread.id, {}, thread_metadata=metadata)
    await world.env.settle()


def told(world: World, people: list[Person]) -> list[ResponseMessage]:
    """Return the messages to players in the channel of the thread."""
    return [m for m in messages(world.env, world.channel) if has(m, Verb.HAND)]


def after(
    number: int, first: Callable[..., Awaitable[None]], then: Callable[..., Awaitable[None]]
) -> Callable[..., Awaitable[None]]:
    """Return a function that does `first` this often, and from then on `then`."""
    left = [first] * number

    async def one_or_other(*given: object) -> None:
        await (left.pop() if left else then)(*given)

    return one_or_other


async def test_locked_thread_pauses_the_table_until_it_is_unlocked(world: World) -> None:
    calls, people = Calls(world), await seated(world, MENTION, DIRECT, NONE, NONE)
    thread, outside = people[0].channel, Person(world.env, people[2].member, world.channel)
    await world.env.advance_time(62)
    calls.new()
    await close(world, thread, locked=True)
    game = game_of(world, people)
    assert (game.timers.paused, set(game.timers.deadlines)) == (True, {"abandoned"})
    (notice,) = told(world, people)
    assert named_in(notice, people) == [people[0].id]
    assert [(call.way, call.user_id) for call in calls.new()] == [
        ("direct", people[1].id),
        ("mention", people[0].id),
    ]
    pressed = await outside.press(Verb.HAND, on=notice)
    assert pressed.response is not None
    assert refusal("thread-locked", channel=channel_mention(thread.id)) in text(pressed.response)
    assert game_of(world, people) == game, "nothing has changed"
    await world.env.advance_time(3600)
    assert calls.new() == []
    await unlock(world, thread)
    pressed = await outside.press(Verb.HAND, on=notice)
    assert pressed.response is not None
    assert has(pressed.response, Verb.GRAND)
    game = game_of(world, people)
    assert not game.timers.paused
    await world.env.advance_time(62)
    assert {call.user_id for call in calls.new()} == {people[0].id, people[1].id}
    assert len(tables(world, thread)) == 1


@pytest.mark.parametrize("restarted", [True, False])
async def test_deleted_thread_gets_a_successor_when_somebody_continues(
    world: World, restarted: bool
) -> None:
    people = await seated(world, MENTION, NONE, NONE, NONE)
    thread = people[0].channel
    await fast_forward(world, reached(Phase.LEAD), channel=thread)
    before = game_of(world, people)
    world.env.backend.delete_channel(thread.id)
    await world.env.settle()
    (table,) = world.bot.tables.all()
    assert table.timers.paused
    (notice,) = told(world, people)
    assert named_in(notice, people) == [people[0].id]
    if restarted:
        await world.restart()
    ada = Person(world.env, people[0].member, world.channel)
    pressed = await ada.press(Verb.HAND, on=notice)
    assert pressed.response is not None
    (new,) = world.channel.threads
    game = world.game(new)
    assert (game.match, game.id, game.timers.paused) == (before.match, before.id, False)
    await close_or_pause(world.bot, before)
    assert world.game(new) == game, "that is known, and comes too late"
    assert world.bot.tables.in_channel(ChannelId(thread.id)) is None
    (message,) = tables(world, new)
    assert game.messages.table == message.id
    await world.check_replay(new)


async def test_unstored_successor_is_not_reported_as_a_read_failure(
    world: World, errors: ErrorRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors.allow("database write error")
    people = await seated(world, MENTION, NONE, NONE, NONE)
    world.env.backend.delete_channel(people[0].channel.id)
    await world.env.settle()
    (notice,) = told(world, people)
    ada = Person(world.env, people[0].member, world.channel)

    async def full(*_: object) -> None:
        raise StorageUnavailable("Error while saving the game: the disk is full.")

    for moved in (False, True):
        with monkeypatch.context() as broken:
            if moved:
                broken.setattr(TableStore, "commit", after(1, TableStore.commit, full))
            else:
                broken.setattr(TableStore, "commit", full)
            pressed = await ada.press(Verb.HAND, on=notice)
        assert pressed.response is not None
        assert write_failed(SAY) in text(pressed.response)
        assert len(world.channel.threads) == moved
        assert all(table.timers.paused for table in world.bot.tables.all())
    (thread,) = world.channel.threads
    pressed = await ada.press(Verb.HAND, on=notice)
    assert pressed.response is not None
    assert has(pressed.response, Verb.GRAND)
    assert not world.game(thread).timers.paused


async def test_notice_of_a_lost_thread_is_posted_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A post finds no thread before Discord reports it; the outage outlasts a restart."""
    people, lossy = await seated(world, MENTION, DIRECT, NONE, NONE), LossyDiscord(monkeypatch)
    thread, channel = people[0].channel.id, f"/channels/{world.channel.id}/messages"
    for method, path in (("GET", f"/channels/{thread}"), ("POST", f"/channels/{thread}/messages")):
        world.env.inject_error(method, path, status=404, code=10003, times=None)
    world.env.inject_error("POST", channel, status=503, times=None)
    await world.env.advance_time(62)
    assert [table.timers.paused for table in world.bot.tables.all()] == [True]
    assert told(world, people) == []
    await world.env.advance_time(600)
    await world.restart()
    world.env.backend.faults.clear()
    lossy.lost_messages = 3
    world.env.backend.delete_channel(thread)
    await world.env.settle()
    await world.env.advance_time(120)
    (notice,) = told(world, people)
    assert named_in(notice, people) == [people[0].id]
    assert len(direct(world, people[1])) == 1, "it is no call to a turn any more"
    assert lossy.creations.count(lossy.creations[-1]) > 3, "tried again before and after"


async def test_deleted_channel_closes_the_table(world: World) -> None:
    await seated(world, MENTION, NONE, NONE, NONE)
    world.env.backend.delete_channel(world.channel.id)
    await world.env.settle()
    assert list(world.bot.tables.all()) == []


async def test_sends_a_direct_message_where_the_channel_is_closed(world: World) -> None:
    """The thread's channel is closed to the bot; later the notice lists everybody."""
    people = await seated(world, MENTION, DIRECT, DIRECT, MENTION)
    ada, ben, cai, dan = (person.id for person in people)
    await world.env.advance_time(62)
    calls = Calls(world)
    assert world.bot.user is not None
    deny(world.env, world.channel, world.bot.user.id, "send_messages")
    for closed in map(world.env.backend.get_dm_channel, (cai, dan)):
        refused = f"/channels/{closed.id}/messages"
        world.env.inject_error("POST", refused, status=403, code=50007, times=None)
    world.env.backend.delete_channel(people[0].channel.id)
    await world.env.settle()
    assert told(world, people) == []
    await world.env.advance_time(600)
    written = Counter(call.user_id for call in calls.new() if call.way == "direct")
    assert written == dict.fromkeys((ada, ben, cai, dan), 1), "each is tried once"
    await world.restart()
    deny(world.env, world.channel, world.bot.user.id)
    await world.env.advance_time(62)
    (notice,) = told(world, people)
    assert "**Ada**" in text(notice)
    assert named_in(notice, people) == [cai, dan]
    assert [text(notice).count(f"<@{user}>") for user in (cai, dan)] == [2, 1], "it says why"
    assert len(direct(world, people[0])) == 1
