"""Threads of tables: players are members, and the thread is open when the bot writes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import discord
import pytest
from simcord import ChannelHandle

from bot.table.options import TURN_BASED_S
from cogs.delivery.table_threads import LONGEST_ARCHIVE_MINUTES
from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.conftest import ErrorRecords
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.turn_based_people import NONE, game_of, seated, tables
from tests.cogs.worlds import World
from tests.simcord_clicks import Person, messages

DAY = TURN_BASED_S[1]


def members(world: World, thread: ChannelHandle) -> set[int]:
    """Return the members of a thread, without the bot."""
    joined = world.env.backend.get_channel(thread.id).thread_members
    return set(joined) - {world.env.backend.bot_user.id}


async def as_in_an_older_version(world: World, people: Sequence[Person]) -> None:
    """Remove all members, and their record at the table."""
    thread = people[0].channel
    for user_id in members(world, thread):
        world.env.backend.remove_thread_member(thread.id, user_id)
    await world.bot.tables.messages.store_ids(world.table(thread).id, added=())


def archive(world: World, thread: ChannelHandle) -> None:
    """Archive a thread, as Discord does after some time without a new message."""
    world.env.backend.edit_channel(thread.id, {}, thread_metadata={"archived": True})


def is_archived(world: World, thread: ChannelHandle) -> bool:
    metadata = world.env.backend.get_channel(thread.id).thread_metadata
    assert metadata is not None
    return metadata.archived


def archived_after(world: World, thread: ChannelHandle) -> int:
    """Return the minutes of inactivity after which a thread is archived."""
    metadata = world.env.backend.get_channel(thread.id).thread_metadata
    assert metadata is not None
    return metadata.auto_archive_duration


def additions(world: World) -> int:
    """Return how often the bot has added somebody to a thread."""
    return sum("/thread-members/" in request.path for request in world.env.http_requests)


async def lobby_in_thread(world: World, host: Person, **options: object) -> ChannelHandle:
    """Open a table in a thread of its own."""
    await host.slash("tichu new", thread=True, **options)
    (thread,) = world.channel.threads
    return thread


async def test_player_becomes_a_member_at_once(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    thread = await lobby_in_thread(world, ada)
    assert members(world, thread) == {ada.id}
    await world.join(Person(world.env, ben.member, thread))
    assert members(world, thread) == {ada.id, ben.id}
    before = len(world.env.http_requests)
    await world.env.advance_time(60)
    assert additions(world) == 2, "nobody is added twice"
    assert len(world.env.http_requests) == before


async def test_nobody_is_added_in_a_channel(world: World) -> None:
    people = world.people("Ada", "Ben")
    await people[0].slash("tichu new", computers=2)
    await world.join(people[1])
    assert additions(world) == 0


async def test_adds_people_to_a_forum_post(world: World) -> None:
    forum = world.guild.create_forum_channel("forum")
    (ada,) = world.people("Ada")
    post = world.env.backend.create_thread(forum.id, "post", ada.id)
    thread = ChannelHandle(world.env, world.guild, post)
    post.thread_members.clear()
    await Person(world.env, ada.member, thread).slash("tichu new")
    assert ada.id in members(world, thread)


async def test_adds_people_of_existing_tables_after_a_restart(world: World) -> None:
    people = await seated(world, NONE, NONE, NONE)
    thread = people[0].channel
    await as_in_an_older_version(world, people)
    archive(world, thread)
    await world.restart()
    await world.env.settle()
    assert members(world, thread) == {person.id for person in people}
    assert not is_archived(world, thread)


async def test_member_who_left_the_thread_is_not_added_again(world: World) -> None:
    people = await seated(world, NONE, NONE, NONE)
    thread = people[0].channel
    world.env.backend.remove_thread_member(thread.id, people[1].id)
    before = additions(world)
    await world.restart()
    await fast_forward(world, reached(Phase.LEAD), channel=thread)
    assert additions(world) == before


async def test_new_owner_of_a_seat_is_added(world: World) -> None:
    ada, ben, eve = world.people("Ada", "Ben", "Eve")
    thread = await lobby_in_thread(world, ada, computers=2)
    inside = [Person(world.env, person.member, thread) for person in (ada, ben)]
    await world.join(inside[1])
    await inside[0].press(Verb.START)
    await world.leave_match(inside[1])
    await Person(world.env, eve.member, thread).press(Verb.SIT)
    assert eve.id not in world.game(thread).user_ids(), "they come with the next round"
    assert eve.id in members(world, thread)


async def test_moved_table_adds_its_people(world: World) -> None:
    people = await seated(world, NONE, NONE, NONE, NONE)
    world.env.backend.delete_channel(people[0].channel.id)
    await world.env.settle()
    ada = Person(world.env, people[0].member, world.channel)
    await ada.press(Verb.HAND)
    (new,) = world.channel.threads
    assert members(world, new) == {person.id for person in people}


@pytest.mark.usefixtures("daily_looks")
async def test_paused_table_adds_nobody_until_it_continues(world: World) -> None:
    people = await seated(world, NONE, NONE, NONE)
    thread = people[0].channel
    await world.env.advance_time(20 * DAY)
    assert game_of(world, people).timers.paused
    await as_in_an_older_version(world, people)
    await world.restart()
    await world.env.settle()
    assert people[2].id not in members(world, thread)
    await people[0].press(Verb.HAND)
    assert not game_of(world, people).timers.paused
    assert people[2].id in members(world, thread)


async def test_archived_thread_is_opened_before_a_message(world: World) -> None:
    people = await seated(world, NONE, NONE, NONE, NONE)
    thread = people[0].channel
    (before,) = tables(world, thread)
    archive(world, thread)
    await world.env.settle()
    assert is_archived(world, thread), "nothing is written: nothing happens"
    await fast_forward(world, reached(Phase.LEAD), channel=thread)
    assert not is_archived(world, thread)
    (after,) = tables(world, thread)
    assert after.id == before.id


@pytest.mark.parametrize("failures", [1, 3])
async def test_failures_of_discord_delay_nothing(
    world: World, errors: ErrorRecords, failures: int
) -> None:
    ada, ben = world.people("Ada", "Ben")
    thread = await lobby_in_thread(world, ada)
    path = f"/channels/{thread.id}/thread-members/*"
    world.env.inject_error("PUT", path, status=503, times=failures)
    joined = await world.join(Person(world.env, ben.member, thread))
    assert joined.response is not None
    assert ben.id not in members(world, thread)
    await world.env.advance_time(60)
    assert ben.id in members(world, thread)


async def test_failed_addition_is_not_retried(world: World, errors: ErrorRecords) -> None:
    errors.allow("member not added to its thread")
    ada, ben = world.people("Ada", "Ben")
    thread = await lobby_in_thread(world, ada)
    path = f"/channels/{thread.id}/thread-members/*"
    world.env.inject_error("PUT", path, status=403, code=50013, times=1)
    await world.join(Person(world.env, ben.member, thread))
    await world.env.advance_time(600)
    assert members(world, thread) == {ada.id}


async def test_table_that_becomes_turn_based_keeps_its_thread_open(world: World) -> None:
    (ada,) = world.people("Ada")
    thread = await lobby_in_thread(world, ada, computers=3)
    assert archived_after(world, thread) < LONGEST_ARCHIVE_MINUTES
    inside = Person(world.env, ada.member, thread)
    await inside.submit(await inside.press(Verb.OPTIONS), turn_limit_s=f"turn_limit_s.{DAY}")
    await inside.press(Verb.START)
    assert world.game(thread).options.turn_based
    assert archived_after(world, thread) == LONGEST_ARCHIVE_MINUTES


async def test_turn_based_match_posts_before_its_thread_is_archived(
    world: World,
) -> None:
    """The longest turn is used up by people who are not mentioned."""
    people = await seated(world, NONE, NONE, NONE, NONE)
    thread = people[0].channel
    written: set[int] = set()
    while not game_of(world, people).timers.paused:
        written |= {message.id for message in messages(world.env, thread)}
        await world.env.advance_time(DAY / 4)
    times = [discord.utils.snowflake_time(number) for number in sorted(written)]
    gaps = [(late - early).total_seconds() for early, late in pairwise(times)]
    assert len(gaps) > 1
    assert max(gaps) < LONGEST_ARCHIVE_MINUTES * 60
