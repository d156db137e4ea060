"""Permissions and limits for opening tables."""

from __future__ import annotations

from typing import Any

import pytest
from simcord import ChannelHandle, InteractionResult

from bot.ids import GuildId, UserId
from bot.storage import StorageError
from cogs.pages.table.blocked import permission_names
from cogs.pages.verbs import Verb
from tests.cogs.fast_forward import fast_forward, match_over
from tests.cogs.table_play import seat_all
from tests.cogs.worlds import SAY, World, refusal
from tests.simcord_clicks import Person, deny, fire_all, messages, private

NAMES = permission_names(SAY)


def open_tables(world: World) -> int:
    return len(list(world.bot.tables.all()))


def elsewhere(world: World, person: Person, name: str) -> Person:
    """Return the same person in a new channel."""
    return Person(world.env, person.member, world.guild.create_text_channel(name))


async def test_opening_a_table_needs_permission_to_write(world: World) -> None:
    (eve,) = world.people("Eve")
    deny(world.env, world.channel, eve.id, "send_messages")
    assert NAMES["send_messages"] in private(await eve.slash("tichu new"))
    deny(world.env, world.channel, eve.id, "create_public_threads", "send_messages_in_threads")
    answer = private(await eve.slash("tichu new", thread=True))
    assert NAMES["create_public_threads"] in answer
    assert NAMES["send_messages_in_threads"] in answer
    assert open_tables(world) == 0
    assert await world.bot.store.tables.all_open() == []
    assert world.channel.threads == []
    assert messages(world.env, world.channel) == []
    deny(world.env, world.channel, eve.id)
    await eve.slash("tichu new", thread=True)
    assert open_tables(world) == 1


async def test_threads_need_their_own_permission(world: World) -> None:
    ada, eve = world.people("Ada", "Eve")
    await ada.slash("tichu new", thread=True)
    (thread,) = world.channel.threads
    await Person(world.env, ada.member, thread).slash("tichu stop")
    inside = Person(world.env, eve.member, thread)
    deny(world.env, world.channel, eve.id, "send_messages_in_threads")
    assert NAMES["send_messages_in_threads"] in private(await inside.slash("tichu new"))
    deny(world.env, world.channel, eve.id, "send_messages")
    await inside.slash("tichu new")
    assert world.table(thread).host_id == eve.id


async def test_rematch_needs_permission_to_write(world: World) -> None:
    players = await seat_all(world, world.people("Ada"), target=100)
    await fast_forward(world, match_over)
    ada = players[0].person
    deny(world.env, world.channel, ada.id, "send_messages")
    for verb in (Verb.REMATCH, Verb.NEW_LOBBY):
        assert NAMES["send_messages"] in private(await ada.press(verb))
    assert open_tables(world) == 0


async def test_reposting_a_table_needs_permission_to_write(world: World) -> None:
    ada, eve = world.people("Ada", "Eve")
    await ada.slash("tichu new", computers=3)
    for person in (ada, eve):
        deny(world.env, world.channel, person.id, "send_messages")
    before = messages(world.env, world.channel)[-1].id
    assert refusal("no-posting-here") in private(await eve.slash("tichu table"))
    assert messages(world.env, world.channel)[-1].id == before
    await ada.slash("tichu table")  # a player may
    assert messages(world.env, world.channel)[-1].id > before


async def test_limits_tables_of_a_person(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    own = world.settings.max_tables_per_user
    for number in range(own):
        await elsewhere(world, ada, f"own-{number}").slash("tichu new")
    more = elsewhere(world, ada, "more")
    told = refusal("too-many-own-tables", limit=own)
    assert told in private(await more.slash("tichu new"))
    assert told in private(await more.slash("tichu new", thread=True))
    assert more.channel.threads == []
    await Person(world.env, ben.member, more.channel).slash("tichu new")
    assert open_tables(world) == own + 1


def limit(world: World, of_server: int, of_person: int) -> None:
    """Set the limits of the guild and of a person."""
    limits = world.bot.tables.limits
    limits.per_guild, limits.per_user = of_server, of_person


async def fire_new(world: World, people: list[Person]) -> list[InteractionResult]:
    """Let all of them open a table in its own thread at the same moment."""
    return await fire_all(world.env, (person.slash("tichu new", thread=True) for person in people))


async def test_forty_concurrent_requests_create_no_extra_threads(world: World) -> None:
    world.let_people_hurry()
    limit(world, 25, 40)
    (ada,) = world.people("Ada")
    await fire_new(world, [ada] * 40)
    assert len(world.channel.threads) == open_tables(world) == 25
    assert len(await world.bot.store.tables.all_open()) == 25


async def test_concurrent_requests_of_one_person_create_no_extra_threads(world: World) -> None:
    world.let_people_hurry()
    ada, ben = world.people("Ada", "Ben")
    answers = await fire_new(world, [ada] * 10 + [ben])
    own = world.settings.max_tables_per_user
    assert len(world.channel.threads) == open_tables(world) == own + 1
    told = refusal("too-many-own-tables", limit=own)
    assert sum(told in private(answer) for answer in answers) == 10 - own


async def _reserves_nothing(world: World, channel: ChannelHandle, ada: Person) -> None:
    """Check that three tables can be opened, so nothing is reserved."""
    await fire_new(world, [Person(world.env, ada.member, channel)] * 5)
    assert open_tables(world) == world.settings.max_tables_per_user


async def test_failed_thread_releases_its_reservation(world: World) -> None:
    world.let_people_hurry()
    (ada,) = world.people("Ada")
    for status in (403, 404, 400):
        world.env.inject_error("POST", "/channels/*/threads", status=status, times=None)
        await fire_new(world, [ada] * 5)
        assert open_tables(world) == 0
        world.env.backend.faults.clear()
    await _reserves_nothing(world, world.channel, ada)


async def test_failed_commit_releases_its_reservation_and_thread(
    world: World, monkeypatch: pytest.MonkeyPatch, errors: Any
) -> None:
    world.let_people_hurry()
    (ada,) = world.people("Ada")

    async def fails(*_: Any, **__: Any) -> None:
        raise StorageError("the disk is full")

    errors.allow("request failed, database write error")
    with monkeypatch.context() as broken:
        broken.setattr(world.bot.store.tables, "create", fails)
        await fire_new(world, [ada] * 5)
        assert world.channel.threads == []
        world.env.inject_error("DELETE", "/channels/*", status=403)
        await ada.slash("tichu new", thread=True)
    (thread,) = world.channel.threads
    state = world.env.backend.channels[thread.id].thread_metadata
    assert state is not None
    assert state.archived
    await _reserves_nothing(world, world.channel, ada)


async def test_reservations_do_not_survive_a_restart(world: World) -> None:
    (ada,) = world.people("Ada")
    for _ in range(3):
        world.bot.tables.limits.reserve(GuildId(world.guild.id), UserId(ada.id))
    assert refusal("too-many-own-tables", limit=3) in private(await ada.slash("tichu new"))
    await world.restart()
    await _reserves_nothing(world, world.channel, ada)
