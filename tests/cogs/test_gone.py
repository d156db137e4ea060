"""Removal of the bot, or of a channel or thread, in the middle of a match."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from simcord import InteractionResult

from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.delivery.test_refusals import posts_tried, waiting
from tests.cogs.delivery.test_table_channel import POST, call
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.table_play import HandPlayer, seat_without_hands
from tests.cogs.test_late_clicks import delivered
from tests.cogs.worlds import World

Removal = Callable[[World], None]
GET = PATCH = "/channels/*"


def bot_removed(world: World) -> None:
    """Remove the bot as a moderator."""
    world.env.backend.remove_guild(world.guild.id)


def channel_deleted(world: World) -> None:
    """Delete the channel as a moderator."""
    world.env.backend.delete_channel(world.channel.id)


REMOVALS: list[Removal] = [bot_removed, channel_deleted]


def unnoticed(world: World, removal: Removal) -> None:
    """Remove it while Discord cannot notify the bot."""
    emit = world.env.backend.emit
    world.env.backend.emit = lambda *_: None  # type: ignore[method-assign]
    removal(world)
    world.env.backend.emit = emit  # type: ignore[method-assign]


async def leading(world: World) -> HandPlayer:
    """Return the player on turn at a table where one is to lead."""
    players = await seat_without_hands(world, world.people("Ada", "Ben", "Cai", "Dan"), target=5000)
    await fast_forward(world, reached(Phase.LEAD), players=players)
    (leader,) = [player for player in players if player.can(Verb.PLAY)]
    return leader


def open_tables(world: World) -> int:
    """Return the number of open tables."""
    return len(list(world.bot.tables.all()))


@pytest.mark.parametrize("removal", REMOVALS)
async def test_requests_in_flight_raise_no_unhandled_exception(
    world: World, removal: Removal
) -> None:
    """The table is closed, and Discord refuses all further answers there."""
    leader = await leading(world)
    person, (table, more) = leader.person, world.newest_with(Verb.MORE)
    tried, answered = posts_tried(world), set(world.env.backend.interactions)
    pressed: list[Coroutine[Any, Any, InteractionResult]] = [
        person.member.click(leader.hand, custom_id=leader.controls(Verb.TICHU)[0].custom_id),
        person.member.click(table, custom_id=more.custom_id),
        *(person.slash(f"tichu {name}") for name in ("hand", "table", "leave", "stop", "settings")),
        *(person.slash(f"tichu {name}") for name in ("history", "leaderboard", "rules", "verify")),
        person.slash("tichu new", thread=True),
    ]
    await delivered(world, pressed, 0.5, meanwhile=lambda: removal(world))
    assert open_tables(world) == 0
    assert (await waiting(world), posts_tried(world)) == (0, tried), "nobody is there to read it"
    for interaction in world.env.backend.interactions.keys() - answered:
        del world.env.backend.interactions[interaction]


@pytest.mark.parametrize("removal", REMOVALS)
async def test_deleted_channel_closes_a_lobby(world: World, removal: Removal) -> None:
    (ada,) = world.people("Ada")
    await ada.slash("tichu new")
    removal(world)
    await world.env.settle()
    assert open_tables(world) == 0


@pytest.mark.parametrize("method", ["POST", "PATCH"])
async def test_unnoticed_deletion_is_noticed_when_the_bot_writes(world: World, method: str) -> None:
    leader = await leading(world)
    path = POST if method == "POST" else PATCH
    world.env.inject_error(method, path, status=404, code=10003, times=None)
    world.env.inject_error("GET", GET, status=404, code=10003)
    await call(leader)
    await world.env.settle()
    assert open_tables(world) == 0
    assert await waiting(world) == 0


async def test_single_404_closes_no_table(world: World) -> None:
    leader = await leading(world)
    world.env.inject_error("POST", POST, status=404, code=10003)
    await call(leader)
    await world.env.settle()
    assert open_tables(world) == 1


@pytest.mark.parametrize("removal", REMOVALS)
async def test_deletion_during_downtime_is_noticed(world: World, removal: Removal) -> None:
    await leading(world)
    unnoticed(world, removal)
    await world.restart()
    await world.env.settle()
    assert open_tables(world) == 0


@pytest.mark.parametrize("status, code", [(503, 0), (403, 50001)])
async def test_nothing_is_closed_during_an_outage(world: World, status: int, code: int) -> None:
    """Nor without permission to see the thread, which may be private."""
    (ada,) = world.people("Ada")
    await ada.slash("tichu new", thread=True)
    (thread,) = world.channel.threads
    metadata = world.env.backend.channels[thread.id].thread_metadata
    assert metadata is not None
    metadata.archived = True  # an archived thread is unknown at the start
    world.env.inject_error("GET", GET, status=status, code=code, times=None)
    await world.restart()
    await world.env.settle()
    assert open_tables(world) == 1
