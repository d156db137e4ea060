"""Limits of tables for a guild and a person, and reservations for new tables."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.errors import Refused
from bot.ids import ChannelId, GuildId, UserId
from bot.live.table_limits import Reservation
from bot.records import ServerSettings
from bot.table.commands import ChangeOption, ComeBack, VoteToStop
from bot.table.lobby import LobbyPlan, new_chairs
from bot.table.options import TURN_BASED_S
from bot.table.state import Lobby
from tests.bot.states import GUILD, HOST
from tests.bot.table_world import QUICK, TableWorld, quick

pytestmark = pytest.mark.usefixtures("one_thread")

MINUTE = 60
CHRIS = UserId(900)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[TableWorld]:
    """Yield open tables; a guild may have 5 of them, a person 2."""
    made = TableWorld(tmp_path, limit=5, own_limit=2)
    await made.open()
    yield made
    await made.close()


async def create(
    world: TableWorld,
    channel: ChannelId,
    user: UserId = HOST,
    guild: GuildId = GUILD,
    *,
    parent: ChannelId | None = None,
    reservation: Reservation | None = None,
) -> Lobby:
    chairs = new_chairs(QUICK, user, "Ada")
    plan = LobbyPlan(guild, channel, user, QUICK, chairs, parent_channel_id=parent)
    return await world.tables.create(plan, reservation=reservation)


def refusal(world: TableWorld, user: UserId = HOST, guild: GuildId = GUILD) -> tuple[str, object]:
    """Return the reason why this person gets no further table, and the limit."""
    with pytest.raises(Refused) as refused, world.tables.limits.reserve(guild, user):
        pass
    return refused.value.code, refused.value.details["limit"]


async def test_limits_tables_of_a_person_in_a_guild(world: TableWorld) -> None:
    first = await create(world, ChannelId(1))
    await create(world, ChannelId(2))
    assert refusal(world) == ("too-many-own-tables", 2)
    with pytest.raises(Refused, match="too-many-own-tables"):
        await create(world, ChannelId(3))
    await create(world, ChannelId(3), CHRIS)
    await create(world, ChannelId(4), guild=GuildId(77))
    await world.tables.execute(first.id, HOST, VoteToStop(moderator=False))
    await create(world, ChannelId(5))


async def test_counts_turn_based_tables_separately(world: TableWorld) -> None:
    """Ten for each person or as the guild has chosen; they do not reduce the live tables."""
    days = QUICK.model_copy(update={"turn_limit_s": TURN_BASED_S[2]})

    async def open_slow(channel: ChannelId, user: UserId = HOST) -> Lobby:
        seated = new_chairs(days, user, "Ada")
        return await world.tables.create(
            LobbyPlan(GUILD, channel, user, days, seated, parent_channel_id=ChannelId(99))
        )

    await create(world, ChannelId(1))
    for channel in range(10, 20):
        slow = await open_slow(ChannelId(channel))
    with pytest.raises(Refused, match="too-many-turn-based"):
        await open_slow(ChannelId(20))
    await create(world, ChannelId(2))
    with pytest.raises(Refused, match="too-many-own-tables"):
        await world.tables.execute(slow.id, HOST, ChangeOption("turn_limit_s", "60"))
    await world.store.server_settings.choose(GUILD, ServerSettings(turn_based_each=11))
    await open_slow(ChannelId(20))
    for channel in range(21, 30):
        await open_slow(ChannelId(channel), UserId(500 + channel))
    with pytest.raises(Refused, match="too-many-tables"):
        await open_slow(ChannelId(30), CHRIS)
    await world.store.server_settings.choose(GUILD, ServerSettings(turn_based_each=0))
    with pytest.raises(Refused, match="too-many-t"):
        world.tables.limits.reserve(GUILD, CHRIS, turn_based=True)
    await create(world, ChannelId(3), CHRIS)


async def test_two_lobbies_that_become_turn_based_at_once_both_count(world: TableWorld) -> None:
    lobbies = [await create(world, ChannelId(channel), parent=ChannelId(99)) for channel in (1, 2)]
    await world.store.server_settings.choose(GUILD, ServerSettings(turn_based_each=1))
    slower = ChangeOption("turn_limit_s", str(TURN_BASED_S[2]))
    changes = (world.tables.execute(lobby.id, HOST, slower) for lobby in lobbies)
    outcomes = await asyncio.gather(*changes, return_exceptions=True)
    refused = [error.code for error in outcomes if isinstance(error, Refused)]
    assert refused == ["too-many-turn-based"]
    assert [table.options.turn_based for table in world.tables.all()].count(True) == 1


async def test_limit_of_a_person_survives_a_restart(world: TableWorld) -> None:
    await create(world, ChannelId(1))
    await create(world, ChannelId(2))
    await world.reopen()
    assert refusal(world) == ("too-many-own-tables", 2)


async def test_paused_tables_of_a_person_count_less(world: TableWorld) -> None:
    for channel in (1, 2):
        await world.match(ChannelId(channel), people=1)
    assert refusal(world) == ("too-many-own-tables", 2)
    await world.run(15 * MINUTE)
    assert all(table.yields for table in world.tables.all())
    for channel in (3, 4):
        await world.match(ChannelId(channel), people=1)
    assert refusal(world) == ("too-many-own-tables", 2)
    await world.run(15 * MINUTE)
    world.tables.limits.per_user = 1
    assert refusal(world) == ("too-many-own-tables", 4), "four times as many with those"


async def test_reservation_lasts_until_it_is_released(world: TableWorld) -> None:
    with world.tables.limits.reserve(GUILD, HOST), world.tables.limits.reserve(GUILD, HOST):
        assert refusal(world) == ("too-many-own-tables", 2)
        with (
            world.tables.limits.reserve(GuildId(77), HOST),
            world.tables.limits.reserve(GUILD, CHRIS),
        ):
            pass
    with world.tables.limits.reserve(GUILD, HOST), world.tables.limits.reserve(GUILD, HOST):
        pass


async def test_reservations_of_a_guild_are_counted_together(world: TableWorld) -> None:
    for channel in range(3):
        await create(world, ChannelId(channel), UserId(500 + channel))
    with (
        world.tables.limits.reserve(GUILD, UserId(600)),
        world.tables.limits.reserve(GUILD, UserId(601)),
    ):
        assert refusal(world, UserId(602)) == ("too-many-tables", 5)
        with world.tables.limits.reserve(GuildId(77), UserId(602)):
            pass
    await create(world, ChannelId(3), UserId(602))


async def test_error_releases_a_reservation(world: TableWorld) -> None:
    for _ in range(5):
        with pytest.raises(RuntimeError), world.tables.limits.reserve(GUILD, HOST):
            raise RuntimeError("no thread could be made")
    await create(world, ChannelId(1))
    for _ in range(5):
        with pytest.raises(Refused, match="channel-taken"):
            await create(world, ChannelId(1))
    await create(world, ChannelId(2))


async def test_cancelled_task_releases_its_reservation(world: TableWorld) -> None:
    async def opening() -> None:
        with world.tables.limits.reserve(GUILD, HOST), world.tables.limits.reserve(GUILD, HOST):
            await asyncio.Event().wait()

    task = asyncio.create_task(opening())
    await asyncio.sleep(0)
    assert refusal(world) == ("too-many-own-tables", 2)
    task.cancel()
    await asyncio.wait([task])
    await create(world, ChannelId(1))
    await create(world, ChannelId(2))


async def test_reservations_do_not_survive_a_restart(world: TableWorld) -> None:
    world.tables.limits.reserve(GUILD, HOST)
    world.tables.limits.reserve(GUILD, HOST)
    await world.reopen()
    await create(world, ChannelId(1))
    await create(world, ChannelId(2))


async def test_table_uses_its_reservation(world: TableWorld) -> None:
    with (
        world.tables.limits.reserve(GUILD, HOST) as first,
        world.tables.limits.reserve(GUILD, HOST) as second,
    ):
        await create(world, ChannelId(1), reservation=first)
        assert refusal(world) == ("too-many-own-tables", 2)
        await create(world, ChannelId(2), reservation=second)
        assert refusal(world) == ("too-many-own-tables", 2)
    assert refusal(world) == ("too-many-own-tables", 2)


async def test_concurrent_requests_get_as_many_reservations_as_are_free(world: TableWorld) -> None:
    held = 0
    together = asyncio.Event()

    async def opening(channel: ChannelId) -> None:
        nonlocal held
        with world.tables.limits.reserve(GUILD, UserId(500 + channel)) as reservation:
            held += 1
            await together.wait()
            await create(world, channel, UserId(500 + channel), reservation=reservation)

    tasks = [asyncio.create_task(opening(ChannelId(channel))) for channel in range(40)]
    await asyncio.sleep(0)
    assert held == 5
    together.set()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    refused = [error.code for error in outcomes if isinstance(error, Refused)]
    assert refused == ["too-many-tables"] * 35
    assert len(list(world.tables.all())) == 5


async def test_paused_table_continues_only_within_the_limits(world: TableWorld) -> None:
    """It counts for its host, no matter who continues it; paused tables do not count."""

    async def refused(user_id: UserId) -> tuple[str, object]:
        with pytest.raises(Refused) as why:
            await world.tables.execute(old.id, user_id, ComeBack())
        assert world.game(old.id) == old, "nothing has changed"
        return why.value.code, why.value.details.get("limit")

    old = await world.match(ChannelId(1), people=2, options=quick("nanjing", target=5000))
    while not world.game(old.id).yields:
        await world.run(MINUTE)
    old = world.game(old.id)
    others = [(await world.match(ChannelId(channel), people=1)).id for channel in (2, 3)]
    assert await refused(HOST) == ("too-many-own-tables", 2)
    assert await refused(UserId(HOST + 1)) == ("host-has-many", None)
    await world.run(15 * MINUTE)
    with world.tables.limits.reserve(GUILD, HOST):
        back = (world.tables.execute(table_id, HOST, ComeBack()) for table_id in others)
        outcomes = await asyncio.gather(*back, return_exceptions=True)
        assert [isinstance(each, Refused) for each in outcomes] == [False, True]
    world.tables.limits.per_guild = 1
    assert await refused(UserId(HOST + 1)) == ("too-many-tables", 1)
    world.tables.limits.per_guild = 2
    await world.tables.execute(old.id, UserId(HOST + 1), ComeBack())
    assert not world.game(old.id).yields
    assert refusal(world, CHRIS) == ("too-many-tables", 2)


async def test_limits_how_often_a_person_opens_tables(tmp_path: Path) -> None:
    world = TableWorld(tmp_path, hurried=False)
    await world.open()

    async def opened(most: int, user: UserId = HOST) -> int:
        """Return how many of `most` tables open, each after the previous one is closed."""
        for number in range(most):
            try:
                lobby = await create(world, ChannelId(1), user)
            except Refused as refused:
                if refused.code != "opened-many":
                    raise
                return number
            await world.tables.execute(lobby.id, user, VoteToStop(moderator=False))
        return most

    assert 4 < (in_a_row := await opened(50)) < 10
    assert await opened(1, CHRIS) == 1
    await world.run(MINUTE)
    assert 1 <= await opened(50) <= 4
    await world.run(60 * MINUTE)
    assert await opened(50) == in_a_row
    await world.close()


async def test_refused_tables_do_not_count_as_opened(tmp_path: Path) -> None:
    world = TableWorld(tmp_path, limit=5, own_limit=2, hurried=False)
    await world.open()
    first = await create(world, ChannelId(1))
    await create(world, ChannelId(2))
    for _ in range(50):
        assert refusal(world) == ("too-many-own-tables", 2)
    await world.tables.execute(first.id, HOST, VoteToStop(moderator=False))
    await create(world, ChannelId(1))
    await world.close()
