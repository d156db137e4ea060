"""Monthly rankings in a channel: content, time, and a single post."""

from __future__ import annotations

import logging
from datetime import UTC, datetime

import pytest
from simcord import ChannelHandle, ResponseMessage

from bot.ids import GuildId, UserId
from bot.profiles.seasons import AFTER_MIDNIGHT
from bot.score_records import Preferences
from bot.text.cards import variant_name
from bot.text.people import mention
from engine import VARIANTS
from tests.bot.won_matches import play
from tests.cogs.test_settings import choose, look, manager
from tests.cogs.worlds import SAY, World
from tests.simcord_clicks import Person, Wire, controls, deny, messages, numbers, shown, text

IN_JANUARY = datetime(2026, 1, 12, 20, tzinfo=UTC)
MIDNIGHT = datetime(2026, 2, 1, tzinfo=UTC)
GAMES = [variant_name(SAY, name) for name in VARIANTS]
IN_FEBRUARY = datetime(2026, 2, 14, 9, tzinfo=UTC)


async def back_at(world: World, moment: datetime) -> None:
    """Stop the bot and restart it at this moment."""
    world.bot.tables.close()
    world.env.backend.advance_clock((moment - world.env.now()).total_seconds())
    await world.restart()
    await world.env.settle()


def posted(world: World, hall: ChannelHandle) -> list[ResponseMessage]:
    """Return the messages in the ranking channel."""
    return messages(world.env, hall)


async def a_hall(world: World) -> ChannelHandle:
    """Return a channel chosen by a manager for rankings."""
    hall = world.guild.create_text_channel("hall")
    mo = manager(world)
    await choose(mo, await look(mo), hall)
    return hall


async def january(world: World, *people: Person) -> None:
    """Let the first two of four people win twenty rounds against the others."""
    one, two, three, four = (person.id for person in people)
    await play(
        world.bot.store,
        GuildId(world.guild.id),
        IN_JANUARY,
        [UserId(one), UserId(two)],
        [UserId(three), UserId(four)],
        calls=12,
    )


async def test_posts_when_a_month_ends(world: World) -> None:
    hall, people = await a_hall(world), world.people("Ada", "Ben", "Cai", "Dan")
    ada, ben, cai, dan = people
    await january(world, *people)
    await world.bot.store.preferences.choose(UserId(dan.id), Preferences(hidden=True))
    await back_at(world, MIDNIGHT.replace(month=1, day=31, hour=23))
    wire = Wire(world.env)
    await world.env.advance_time(3600)
    assert posted(world, hall) == []
    await world.env.advance_time(AFTER_MIDNIGHT.total_seconds() + 1)
    (table,) = posted(world, hall)
    said = text(table)
    assert SAY.month("2026-01") in said.splitlines()[0]
    assert numbers(said.splitlines()[1]) == [20, 1], "rounds, and matches"
    assert shown(said, *GAMES) == [variant_name(SAY, "nanjing")]
    lines = said.splitlines()
    winners = {mention(ada.id), mention(ben.id)}
    assert {line.split()[1] for line in lines if line.startswith("🥇")} == winners
    assert [line.split()[1] for line in lines if line.startswith("🥉")] == [mention(cai.id)]
    assert mention(dan.id) not in said, "they do not want to be shown"
    assert any(all(winner in line for winner in winners) for line in lines), "most matches won"
    assert "(+60)" in said
    assert "(12 of 12)" in said
    assert controls(table) == []
    (sent,) = [sent for sent in wire.sent if sent.path == f"/channels/{hall.id}/messages"]
    assert sent.body["allowed_mentions"] == {"parse": []}
    assert len(sent.body["nonce"]) <= 25

    await world.restart()
    await back_at(world, IN_FEBRUARY)
    await back_at(world, datetime(2026, 3, 3, tzinfo=UTC))
    assert len(posted(world, hall)) == 1, "nobody has played in February"


async def test_posts_after_downtime_at_the_end_of_a_month(world: World) -> None:
    hall = await a_hall(world)
    await january(world, *world.people("Ada", "Ben", "Cai", "Dan"))
    await back_at(world, IN_FEBRUARY)
    assert len(posted(world, hall)) == 1
    await world.restart()
    await world.restart()
    assert len(posted(world, hall)) == 1


async def test_does_not_post_an_old_month(world: World) -> None:
    hall = await a_hall(world)
    await january(world, *world.people("Ada", "Ben", "Cai", "Dan"))
    await back_at(world, datetime(2026, 3, 1, tzinfo=UTC))
    assert posted(world, hall) == []


async def test_posts_nothing_without_a_channel(world: World) -> None:
    hall = await a_hall(world)
    guild = world.env.create_guild("Other")
    other = guild.create_text_channel("general")
    await play(
        world.bot.store,
        GuildId(guild.id),
        IN_JANUARY,
        [UserId(1), UserId(2)],
        [UserId(3), UserId(4)],
    )
    await back_at(world, IN_FEBRUARY)
    assert posted(world, hall) == posted(world, other) == []


async def test_handles_a_deleted_channel(world: World, caplog: pytest.LogCaptureFixture) -> None:
    hall = await a_hall(world)
    await january(world, *world.people("Ada", "Ben", "Cai", "Dan"))
    world.env.backend.delete_channel(hall.id)
    with caplog.at_level(logging.WARNING, "bot.profiles.seasons"):
        await back_at(world, IN_FEBRUARY)
        await world.env.advance_time(600)
    assert len(caplog.messages) == 1
    assert f"server {world.guild.id}" in caplog.messages[0]
    # A manager notices it and chooses another channel, which gets the ranking.
    mo, new = manager(world, "Max"), world.guild.create_text_channel("new-hall")
    await choose(mo, await look(mo), new)
    assert SAY.month("2026-01") in text(*posted(world, new))
    await world.restart()
    assert len(posted(world, new)) == 1


async def test_retries_a_channel_without_permission(world: World) -> None:
    hall = await a_hall(world)
    await january(world, *world.people("Ada", "Ben", "Cai", "Dan"))
    assert world.bot.user is not None
    deny(world.env, hall, world.bot.user.id, "send_messages")
    await back_at(world, IN_FEBRUARY)
    assert posted(world, hall) == []
    deny(world.env, hall, world.bot.user.id)
    await world.env.advance_time(600)
    assert posted(world, hall) == [], "not before the next start"
    await world.restart()
    await world.env.settle()
    assert len(posted(world, hall)) == 1


async def test_posts_a_month_of_all_games(world: World) -> None:
    hall = await a_hall(world)
    people = [
        UserId(person.id) for person in world.people("Ada", "Ben", "Cai", "Dan", "Eve", "Fay")
    ]
    store, guild_id = world.bot.store, GuildId(world.guild.id)
    await play(store, guild_id, IN_JANUARY, people[:3], people[3:], variant="tientsin")
    await play(store, guild_id, IN_JANUARY, people[:2], people[2:4], rounds=3)
    await play(
        store, guild_id, IN_JANUARY, people[:3], people[3:], variant="grandseigneur", rounds=25
    )
    await back_at(world, IN_FEBRUARY)
    (table,) = posted(world, hall)
    head, nanjing, tientsin, lords = text(table).split("\n### ")
    assert numbers(head.splitlines()[1]) == [48, 3], "rounds, and matches"
    three = [variant_name(SAY, name) for name in ("nanjing", "tientsin", "grandseigneur")]
    assert shown(text(table), *GAMES) == three
    assert numbers(nanjing.splitlines()[1]) == [3, 1]
    assert "<@" not in nanjing, "nobody has come onto the leaderboard"
    assert tientsin.count("🥇") == 3
    assert [numbers(line)[-1] for line in tientsin.splitlines()[5:]] == [1, 60], "calls are too few"
    assert 60 in numbers(lords), "the percent of the others that came in behind"
