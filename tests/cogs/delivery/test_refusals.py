"""Messages of a table refused by Discord: temporary refusals wait, others are dropped."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest

from bot.table.turn_based import QUIET
from cogs.delivery.failed_requests import EARLY_RETRY_S
from cogs.delivery.live_messages import OLD_EDIT_RETRY
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
    """Remove these permissions from the bot; with none, restore all."""
    assert world.bot.user is not None
    deny(world.env, world.channel, world.bot.user.id, *permissions)


async def waiting(world: World) -> int:
    """Return the number of messages in the outbox."""
    return sum(map(len, (await world.bot.store.tables.undelivered()).values()))


async def who_leads(world: World) -> HandPlayer:
    """Return the player on turn at a table where somebody is to lead."""
    (leader,) = [player for player in await at_the_lead(world) if player.can(Verb.PLAY)]
    return leader


def posts_tried(world: World) -> int:
    """Return how often the bot has tried to post a message in a channel."""
    return sum(
        request.method == "POST" and request.path.endswith("/messages")
        for request in world.env.http_requests
    )


@contextmanager
def warnings_of_delivery(caplog: pytest.LogCaptureFixture) -> Iterator[list[str]]:
    """Yield a list that gets the log lines about messages at its end."""
    lines: list[str] = []
    caplog.clear()
    with caplog.at_level(logging.INFO, "cogs.delivery"):
        yield lines
    lines += [f"{record.levelname} {record.getMessage()}" for record in caplog.records]


async def test_result_waits_for_the_permission(world: World) -> None:
    """Discord reports the returned permission, and the retry does not wait for its pause."""
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
async def test_temporary_refusal_is_retried(world: World, status: int, code: int) -> None:
    ben = await before_the_end(world)
    world.env.inject_error("POST", POST, status=status, code=code, times=2)
    await pass_on(world, ben)
    assert await waiting(world) == 1
    await world.env.advance_time(FIRST_PAUSE + 2 * FIRST_PAUSE + 1)
    assert len(results(world)) == 1
    assert await waiting(world) == 0


async def test_refused_result_is_posted_after_restarts(world: World) -> None:
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
    """Return whether a hand says that the bot lacks these permissions, or is blocked."""
    said = [line for line in player.text().splitlines() if f"<#{player.person.channel.id}>" in line]
    names = [permission_names(SAY)[permission] for permission in permissions]
    return len(said) == 1 and all(name in said[0] for name in names)


async def test_hands_report_a_missing_permission_and_messages_follow_later(
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


async def test_new_table_is_posted_when_permitted(world: World) -> None:
    """Nobody clicks, and Discord reports no permissions, because the channel was invisible."""
    ada, *_ = await at_the_lead(world)
    before, _ = world.newest_with(Verb.HAND)
    world.env.inject_error("POST", POST, status=403, code=50001, times=None)
    await ada.person.slash("tichu table")
    await world.env.advance_time(80)
    assert world.newest_with(Verb.HAND)[0].id == before.id
    world.env.backend.faults.clear()
    await world.env.advance_time(60)
    assert world.game().messages.table != before.id


async def test_hands_report_a_closed_thread(world: World) -> None:
    """Archived or locked threads have different errors."""
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
    """First in seconds, then every minute; the failure is logged once."""
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


async def test_click_ends_a_long_pause(world: World) -> None:
    """Even many clicks cause few requests."""
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


async def test_changed_permissions_end_a_long_pause(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every kind of event does while the message is still refused, except in other guilds."""
    # Discord reports the bot's own role changes without an intent; SimCord does not
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
    """Edits are allowed without the permission to send."""
    leader = await who_leads(world)
    take_away(world, "send_messages")
    await call(leader)
    assert await waiting(world) == 1
    message, _ = world.newest_with(Verb.HAND)
    before = text(message)
    while world.game().phase is Phase.LEAD:
        await leader.act()  # the Mah Jong asks for a wish first
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
async def test_old_table_is_reposted_and_other_old_messages_are_edited_later(
    world: World, status: int
) -> None:
    """Discord limits edits of messages older than an hour; nothing waits for them."""
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
    await world.env.advance_time(OLD_EDIT_RETRY.total_seconds())
    assert text(stood) != asked


@pytest.mark.parametrize("status, code", sample([(503, 0), (500, 0)], 1))
async def test_lobby_that_expired_during_an_outage_is_updated_afterwards(
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


async def test_lobby_that_expired_before_a_restart_is_updated_by_a_click(
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


async def test_new_table_opens_an_archived_thread(world: World) -> None:
    leader = await who_leads(world)
    before, _ = world.newest_with(Verb.HAND)
    world.env.inject_error("PATCH", "/channels/*", status=400, code=50083)
    await call(leader)
    await world.env.settle()
    assert world.game().messages.table != before.id
    assert not told_that_it_is_blocked(leader)


async def test_permanent_refusal_blocks_nothing(
    world: World, errors: ErrorRecords, caplog: pytest.LogCaptureFixture
) -> None:
    """The channel was deleted, or the request is a bug of ours, which is logged as an error."""
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


async def test_refused_reminder_is_not_sent_later(world: World) -> None:
    """Only required messages wait, and later ones do not wait for a reminder."""
    await at_the_lead(world)
    world.env.inject_error("POST", POST, status=403, code=50013)
    begin = posts_tried(world)
    await world.env.advance_time(QUIET.total_seconds() + 1)
    assert posts_tried(world) == begin + 1
    await world.env.advance_time(FIRST_PAUSE)
    assert posts_tried(world) == begin + 1


@pytest.mark.parametrize("status", [503, 403])
async def test_short_lived_messages_are_not_queued_behind_waiting_ones(
    world: World, status: int
) -> None:
    """Neither messages queued at the time of a refusal, nor later ones."""
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


async def test_refused_message_expires(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cogs.delivery.channel_context.UNDELIVERED_FOR", timedelta(minutes=12))
    ben = await before_the_end(world)
    world.env.inject_error("POST", POST, status=403, code=50013, times=None)
    await pass_on(world, ben)
    await world.env.advance_time(600)
    assert await waiting(world) == 1
    await world.env.advance_time(240)
    assert await waiting(world) == 0
