"""Discord refuses messages of a table: what may be allowed again waits, all else does not."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest

from bot.table.turn_based import QUIET
from cogs.delivery.failed_requests import EARLY_RETRY_S
from cogs.delivery.live_messages import OLD_ONES_AGAIN
from cogs.pages.table.blocked import permission_names
from cogs.pages.verbs import Verb
from engine import Phase
from tests.campaign import sample
from tests.cogs.conftest import ErrorRecords
from tests.cogs.delivery.test_reminders import remind
from tests.cogs.delivery.test_table_channel import (
    POST,
    at_the_lead,
    before_the_end,
    call,
    calls,
    containing,
    pass_on,
    public,
    results,
)
from tests.cogs.table_play import HandPlayer
from tests.cogs.test_clock import pings
from tests.cogs.worlds import SAY, World, announcer_of
from tests.simcord_clicks import deny, has, messages, text, verbs

TOO_OLD = 30046
NO_PERMISSION, NO_ACCESS, ARCHIVED = (403, 50013), (403, 50001), (400, 50083)
FIRST_PAUSE = 15


def take_away(world: World, *permissions: str) -> None:
    """A moderator takes these permissions from the bot; with none, gives all back."""
    assert world.bot.user is not None
    deny(world.env, world.channel, world.bot.user.id, *permissions)


async def waiting(world: World) -> int:
    """How many messages the outbox keeps."""
    return sum(map(len, (await world.bot.store.tables.undelivered()).values()))


async def who_leads(world: World) -> HandPlayer:
    """Whose turn it is, at a table where somebody is to lead."""
    (leader,) = [player for player in await at_the_lead(world) if player.can(Verb.PLAY)]
    return leader


def posts_tried(world: World) -> int:
    """How often the bot has tried to post a message in a channel so far."""
    return sum(
        request.method == "POST" and request.path.endswith("/messages")
        for request in world.env.http_requests
    )


@contextmanager
def warnings_of_delivery(caplog: pytest.LogCaptureFixture) -> Iterator[list[str]]:
    """What is logged about messages meanwhile, as text; filled at the end."""
    lines: list[str] = []
    caplog.clear()
    with caplog.at_level(logging.INFO, "cogs.delivery"):
        yield lines
    lines += [f"{record.levelname} {record.getMessage()}" for record in caplog.records]


async def test_result_waits_for_the_permission(world: World) -> None:
    """When it is given back, Discord says so, and nobody waits for the end of the pause."""
    ben = await before_the_end(world)
    take_away(world, "send_messages")
    await pass_on(world, ben)
    assert await waiting(world) == 1
    await world.env.advance_time(60)
    assert results(world) == []
    take_away(world)
    await world.env.advance_time(EARLY_RETRY_S)
    (result,) = results(world)
    assert "🏆" in result
    assert await waiting(world) == 0


@pytest.mark.parametrize("status, code", sample([NO_PERMISSION, NO_ACCESS, ARCHIVED], 2))
async def test_refusal_that_may_pass_is_tried_again(world: World, status: int, code: int) -> None:
    ben = await before_the_end(world)
    world.env.inject_error("POST", POST, status=status, code=code, times=2)
    await pass_on(world, ben)
    assert await waiting(world) == 1
    await world.env.advance_time(FIRST_PAUSE + 2 * FIRST_PAUSE + 1)
    assert len(results(world)) == 1
    assert await waiting(world) == 0


async def test_refused_result_comes_after_restarts(world: World) -> None:
    ben = await before_the_end(world)
    take_away(world, "view_channel")
    await pass_on(world, ben)
    await world.restart()
    assert await waiting(world) == 1
    take_away(world)
    await world.restart()
    assert len(results(world)) == 1
    assert await waiting(world) == 0


def told_that_it_is_blocked(player: HandPlayer, *permissions: str) -> bool:
    """Whether a hand says that the bot needs these permissions in its channel, or just that."""
    said = [line for line in player.text().splitlines() if f"<#{player.person.channel.id}>" in line]
    names = [permission_names(SAY)[permission] for permission in permissions]
    return len(said) == 1 and all(name in said[0] for name in names)


async def test_hands_say_that_the_bot_cannot_write_and_everything_comes_by_itself(
    world: World,
) -> None:
    ada, ben, *_ = await at_the_lead(world)
    take_away(world, "send_messages")
    await call(ada)
    await world.env.advance_time(3)
    for player in (ada, ben):
        assert told_that_it_is_blocked(player, "send_messages")
    await ben.open()
    assert told_that_it_is_blocked(ben, "send_messages"), "a hand that is opened now says so, too"
    take_away(world)
    await world.env.advance_time(EARLY_RETRY_S)
    assert calls(world) == ["Ada"]
    for player in (ada, ben):
        assert not told_that_it_is_blocked(player)
    assert await waiting(world) == 0


async def test_new_table_comes_by_itself_when_it_may(world: World) -> None:
    """Nobody clicks, and Discord tells nothing of permissions: the channel could not be seen."""
    ada, *_ = await at_the_lead(world)
    before, _ = world.newest_with(Verb.HAND)
    world.env.inject_error("POST", POST, status=403, code=50001, times=None)
    await ada.person.slash("tichu table")
    await world.env.advance_time(80)
    assert world.newest_with(Verb.HAND)[0].id == before.id
    world.env.backend.faults.clear()
    await world.env.advance_time(60)
    assert world.game().messages.table != before.id


async def test_hands_say_that_the_thread_is_closed(world: World) -> None:
    """Archived or locked, which are two answers."""
    players = await at_the_lead(world)
    for player, code, told in zip(players, (50083, 160005), ("Ada", "Ben"), strict=False):
        world.env.inject_error("POST", POST, status=400, code=code)
        await call(player)
        await world.env.advance_time(0)
        assert told_that_it_is_blocked(player)
        await world.env.advance_time(FIRST_PAUSE)
        assert calls(world)[-1:] == [told]
        assert not told_that_it_is_blocked(player)


async def test_refused_messages_come_in_order(world: World) -> None:
    ada, ben, *_ = await at_the_lead(world)
    world.env.inject_error("POST", POST, status=403, code=50013)
    await call(ada)
    await call(ben)
    assert calls(world) == []
    await world.env.advance_time(FIRST_PAUSE)
    assert calls(world) == ["Ada", "Ben"]


async def test_pauses_grow_while_a_message_is_refused(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    """At first after seconds, then every minute; the log is told once."""
    ben = await before_the_end(world)
    world.env.inject_error("POST", POST, status=403, code=50013, times=None)
    with warnings_of_delivery(caplog) as lines:
        await pass_on(world, ben)
        begin = posts_tried(world)
        await world.env.advance_time(15 + 30 + 60 + 60)
        assert posts_tried(world) - begin == 4
        await world.env.advance_time(900)
        assert posts_tried(world) - begin == 4 + 15
    warned = [line for line in lines if "50013" in line and line.startswith("WARNING")]
    assert len(warned) == 1


async def test_click_at_the_table_ends_a_long_pause(world: World) -> None:
    """But however often people click, there are few requests."""
    ada, *_ = await at_the_lead(world)
    world.env.inject_error("POST", POST, status=403, code=50013, times=None)
    await call(ada)
    begin = posts_tried(world)
    for _ in range(10):
        await ada.open()
    assert posts_tried(world) == begin
    await world.env.advance_time(EARLY_RETRY_S)
    assert posts_tried(world) == begin + 1
    world.env.backend.faults.clear()
    await world.env.advance_time(EARLY_RETRY_S)
    assert calls(world) == []
    await ada.open()
    await world.env.advance_time(0)
    assert calls(world) == ["Ada"]


async def test_news_of_permissions_end_a_long_pause(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each kind of them, while the message is still refused; those of another server do not."""
    # of its own roles Discord tells the bot without any intent, SimCord does not
    monkeypatch.setattr("simcord.gateway._intents.required_intent", lambda *_: None)
    backend, guild_id = world.env.backend, world.guild.id
    elsewhere = world.env.create_guild("Elsewhere").create_text_channel("tichu")
    ben = await before_the_end(world)
    world.env.inject_error("POST", POST, status=403, code=50013, times=None)
    await pass_on(world, ben)
    thread = backend.create_thread(world.channel.id, "another", ben.person.id, broadcast=False)
    await world.env.advance_time(15 + 30 + EARLY_RETRY_S + 1)
    assert world.bot.user is not None
    user_id, roles = world.bot.user.id, backend.get_guild(guild_id).roles
    news: dict[str, Callable[[], object]] = {
        "a role": lambda: backend.announce_role_updates(guild_id, roles.values()),
        "its own roles": lambda: backend.announce_member_update(guild_id, user_id),
        "a thread": lambda: backend.announce_channel_update(thread.id),
        "another server": lambda: backend.announce_channel_update(elsewhere.id),
        "the channel": lambda: backend.announce_channel_update(world.channel.id),
    }
    for changed, announce in news.items():
        if changed == "the channel":
            backend.faults.clear()
        tried = posts_tried(world)
        announce()
        await world.env.settle()
        assert posts_tried(world) == tried + (changed != "another server"), changed
        assert len(results(world)) == (changed == "the channel")
        await world.env.advance_time(EARLY_RETRY_S + 1)


async def test_table_message_is_rewritten_while_another_is_refused(world: World) -> None:
    """Who may not send may still edit."""
    leader = await who_leads(world)
    take_away(world, "send_messages")
    await call(leader)
    assert await waiting(world) == 1
    message, _ = world.newest_with(Verb.HAND)
    before = text(message)
    while world.game().phase is Phase.LEAD:
        await leader.act()  # with the Mah Jong a wish is asked for first
    assert text(message) != before
    assert await waiting(world) == 1


async def test_table_message_shows_the_newest_state_when_it_may_be_edited_again(
    world: World,
) -> None:
    leader = await who_leads(world)
    message, _ = world.newest_with(Verb.HAND)
    world.env.inject_error("PATCH", "/channels/*", status=403, code=50001)
    before = text(message)
    await call(leader)
    assert text(message) == before
    await world.env.advance_time(FIRST_PAUSE)
    assert text(message) != before


@pytest.mark.parametrize("status", [400, 429])
async def test_what_is_too_old_is_posted_anew_if_it_is_the_table_and_edited_later_if_not(
    world: World, status: int
) -> None:
    """Discord limits edits of messages that are older than an hour; nothing waits for them."""
    ada, ben, *_ = await at_the_lead(world)
    before, _ = world.newest_with(Verb.HAND)
    world.env.inject_error("PATCH", "/channels/*", status=status, code=TOO_OLD)
    await call(ada)
    await world.env.settle()
    assert world.game().messages.table != before.id
    assert "Ada" in text(world.newest_with(Verb.HAND)[0])
    await ada.person.slash("tichu stop")
    vote = world.game().messages.vote
    world.env.inject_error("PATCH", f"/channels/*/messages/{vote}", status=status, code=TOO_OLD)
    await ben.person.slash("tichu stop")
    await call(ben)
    await world.env.settle()
    (stood,) = [message for message in messages(world.env, world.channel) if message.id == vote]
    asked = text(stood)
    assert calls(world) == ["Ada", "Ben"]
    await world.env.advance_time(OLD_ONES_AGAIN.total_seconds())
    assert text(stood) != asked


@pytest.mark.parametrize("status, code", sample([(503, 0), (500, 0)], 1))
async def test_lobby_that_expires_while_discord_is_away_says_so_when_it_is_back(
    world: World, status: int, code: int
) -> None:
    (ada,) = world.people("Ada")
    await ada.slash("tichu new")
    lobby, _ = world.newest_with(Verb.JOIN)
    world.env.inject_error("PATCH", "/channels/*", status=status, code=code, times=None)
    await world.to_next_deadline()
    await world.env.advance_time(120)
    assert list(world.bot.tables.all()) == []
    assert has(lobby, Verb.JOIN), "nobody could be told"
    world.env.backend.faults.clear()
    await world.env.advance_time(15)
    assert verbs(lobby) == []


async def test_lobbies_that_expired_unseen_before_a_restart_say_so_when_they_are_clicked_on(
    world: World,
) -> None:
    verbs_on_it = Verb.JOIN, Verb.LEAVE, Verb.OPTIONS
    channels = [world.guild.create_text_channel(verb) for verb in verbs_on_it]
    lobbies = []
    for channel in channels:
        (host,) = world.people(f"{channel.name} host", channel=channel)
        await host.slash("tichu new")
        lobbies.append(world.newest_with(Verb.JOIN, channel)[0])
    world.env.inject_error("PATCH", "/channels/*", status=503, times=None)
    await world.to_next_deadline(channels[-1])
    await world.restart()
    world.env.backend.faults.clear()
    for verb, channel, lobby in zip(verbs_on_it, channels, lobbies, strict=True):
        assert has(lobby, Verb.JOIN), "nobody could be told"
        (ben,) = world.people(f"{channel.name} guest", channel=channel)
        await ben.press(verb, "0" if verb is Verb.JOIN else "", on=lobby)
        assert verbs(lobby) == []


async def test_archived_thread_is_opened_by_a_new_table(world: World) -> None:
    leader = await who_leads(world)
    before, _ = world.newest_with(Verb.HAND)
    world.env.inject_error("PATCH", "/channels/*", status=400, code=50083)
    await call(leader)
    await world.env.settle()
    assert world.game().messages.table != before.id
    assert not told_that_it_is_blocked(leader)


async def test_refusal_for_good_blocks_nothing(
    world: World, errors: ErrorRecords, caplog: pytest.LogCaptureFixture
) -> None:
    """The channel is gone, or the message is a mistake of ours, which is an error in the log."""
    errors.allow("dropped PlainPost")
    await at_the_lead(world)
    announcer = announcer_of(world)
    for status, code in ((404, 10003), (400, 50035), (400, 50006)):
        with warnings_of_delivery(caplog) as lines:
            world.env.inject_error("POST", POST, status=status, code=code)
            announcer.announce(world.game(), "never read")
            await world.env.settle()
        assert await waiting(world) == 0
        (line,) = [line for line in lines if "dropped" in line]
        assert line.startswith("WARNING" if status == 404 else "ERROR")
        assert f"{status}/{code}" in line
        assert "In " not in line, "Discord's text quotes what was sent"
    announcer.announce(world.game(), "read at last")
    await world.env.settle()
    assert containing(public(world), "never read") == []
    assert len(containing(public(world), "read at last")) == 1


async def test_messages_of_a_server_without_the_bot_are_given_up(world: World) -> None:
    await at_the_lead(world)
    table_id = world.game().id
    world.env.inject_error("POST", POST, status=403, code=50001, times=None)
    world.env.backend.remove_guild(world.guild.id)
    await world.env.advance_time(FIRST_PAUSE)
    assert world.bot.tables.find(table_id) is None
    assert await waiting(world) == 0


async def test_reminder_that_is_refused_is_not_sent_later(world: World) -> None:
    """Only what must come waits; and what comes later is not kept back by it."""
    await at_the_lead(world)
    world.env.inject_error("POST", POST, status=403, code=50013)
    begin = posts_tried(world)
    await world.env.advance_time(QUIET.total_seconds() + 1)
    assert posts_tried(world) == begin + 1
    await world.env.advance_time(FIRST_PAUSE)
    assert posts_tried(world) == begin + 1


@pytest.mark.parametrize("status", [503, 403])
async def test_what_is_of_use_at_once_does_not_come_behind_what_waits(
    world: World, status: int
) -> None:
    """Neither what stands in the queue when a message is refused, nor what comes later."""
    ada, *_ = await at_the_lead(world)
    world.env.inject_error("POST", POST, status=status, code=50013, times=None)
    await call(ada)
    announcer = announcer_of(world)
    announcer.announce(world.game(), "first line")
    await remind(world)
    await world.env.advance_time(31)
    world.env.backend.faults.clear()
    if status == 503:
        world.env.inject_error("POST", POST, status=403, code=50013)
    await world.env.advance_time(75)
    assert calls(world) == ["Ada"]
    assert containing(public(world), "first line") == []
    assert pings(world) == []
    announcer.announce(world.game(), "second line")
    await world.env.settle()
    assert len(containing(public(world), "second line")) == 1


async def test_refused_message_is_given_up_at_last(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.delivery.channel_context.UNDELIVERED_FOR", timedelta(minutes=12))
    ben = await before_the_end(world)
    world.env.inject_error("POST", POST, status=403, code=50013, times=None)
    await pass_on(world, ben)
    await world.env.advance_time(600)
    assert await waiting(world) == 1
    await world.env.advance_time(240)
    assert await waiting(world) == 0
