"""Opening of tables: a stored lobby is always shown, so it never blocks a channel unseen."""

from __future__ import annotations

import discord
import pytest
from simcord import ResponseMessage

from bot.errors import Reason, Refused
from bot.ids import MessageId, TableId, UserId
from bot.live.channels import TableMessages
from bot.live.service import Tables
from bot.records import NewTable, TableRecord
from bot.storage.tables import TableStore
from bot.table.commands import Join
from bot.table.state import OpenTable
from cogs.pages.verbs import Verb
from tests.cogs.delivery.lossy import LossyDiscord
from tests.cogs.worlds import World, refusal
from tests.simcord_clicks import Person, controls, messages, text, with_verb

ANSWER = "/interactions/*/callback"
POST = "/channels/*/messages"


def lobbies(world: World) -> list[ResponseMessage]:
    """Return the public lobbies in the channel."""
    return [
        message for message in messages(world.env, world.channel) if with_verb(message, Verb.JOIN)
    ]


async def check_joinable(world: World) -> None:
    """Check that the stored message is the only lobby and people can join there."""
    (lobby,) = lobbies(world)
    assert world.table().messages.lobby == lobby.id
    assert await world.bot.store.tables.undelivered() == {}
    (ben,) = world.people("Ben")
    await world.join(ben)
    assert "Ben" in text(lobby)


@pytest.mark.parametrize("status, code", [(503, 0), (404, 10062)])
async def test_lobby_with_a_failed_answer_is_posted(world: World, status: int, code: int) -> None:
    (ada,) = world.people("Ada")
    world.env.inject_error("POST", ANSWER, status=status, code=code, times=None)
    world.repeats_answers = True
    await ada.slash("tichu new", computers=1)
    await world.env.advance_time(3)
    world.env.backend.interactions.clear()  # nobody waits for this one any more
    world.env.backend.faults.clear()
    await check_joinable(world)


async def test_lobby_with_a_lost_answer_is_not_posted_again(
    world: World, lossy: LossyDiscord
) -> None:
    (ada,) = world.people("Ada")
    lossy.lost_answers = 1
    await ada.slash("tichu new")
    await check_joinable(world)
    assert lossy.creations == []


@pytest.mark.parametrize(
    "error", [ConnectionResetError("the network is down"), Refused(Reason.UNKNOWN_BUTTON)]
)
async def test_lobby_is_posted_after_a_failed_deferral(
    world: World, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """After any failure once the lobby is stored, it would be invisible in its channel."""
    (ada,) = world.people("Ada")
    create = TableStore.create

    async def slow_create(self: TableStore, new: NewTable) -> TableRecord:
        await world.bot.clock.sleep(2.5)
        return await create(self, new)

    async def fails(*_: object, **__: object) -> None:
        raise error

    with monkeypatch.context() as broken:
        broken.setattr(TableStore, "create", slow_create)
        broken.setattr(discord.InteractionResponse, "defer", fails)
        await ada.slash("tichu new")
        await world.env.advance_time(3)
    await check_joinable(world)


async def test_lobby_is_posted_after_a_deferral_with_a_lost_answer(
    world: World, lossy: LossyDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first answer is private then, so it cannot be the lobby."""
    (ada,) = world.people("Ada")
    create = TableStore.create

    async def slow_create(self: TableStore, new: NewTable) -> TableRecord:
        await world.bot.clock.sleep(2.5)
        return await create(self, new)

    monkeypatch.setattr(TableStore, "create", slow_create)
    world.repeats_answers = True
    lossy.lost_answers = 1
    await ada.slash("tichu new")
    await world.env.advance_time(3)
    world.env.backend.interactions.clear()  # the private answer is never written
    await check_joinable(world)


async def test_duplicate_lobbies_stay_the_same(world: World, lossy: LossyDiscord) -> None:
    """Discord accepted the first one, but its answers were lost."""
    ada, ben = world.people("Ada", "Ben")
    lossy.lost_answers = 1
    world.env.inject_error("GET", "/webhooks/*", status=503)
    await ada.slash("tichu new")
    world.env.backend.interactions.clear()
    first, second = lobbies(world)
    assert world.table().messages.lobby == second.id
    await world.join(ben, on=first)
    assert "Ben" in text(first)
    assert "Ben" in text(second)
    await ben.press(Verb.LEAVE, on=second)
    assert "Ben" not in text(first)
    assert "Ben" not in text(second)
    await ada.slash("tichu stop")
    assert (controls(first), controls(second)) == ([], [])


@pytest.mark.parametrize("end", [Verb.LEAVE, Verb.START])
async def test_duplicate_lobby_is_closed_by_a_click_on_it(
    world: World, lossy: LossyDiscord, end: Verb
) -> None:
    (ada,) = world.people("Ada")
    lossy.lost_answers = 1
    world.env.inject_error("GET", "/webhooks/*", status=503)
    await ada.slash("tichu new", computers=3)
    world.env.backend.interactions.clear()
    first, second = (m for m in messages(world.env, world.channel) if with_verb(m, end))
    await ada.press(end, on=first)
    assert (controls(first), controls(second)) == ([], [])


async def test_lobby_clicked_before_its_id_is_stored_is_not_posted_again(
    world: World, lossy: LossyDiscord
) -> None:
    ada, ben = world.people("Ada", "Ben")
    lossy.lost_answers = 1
    world.env.inject_error("GET", "/webhooks/*", status=503)
    world.env.inject_error("POST", POST, status=503)
    await ada.slash("tichu new")
    world.env.backend.interactions.clear()
    (lobby,) = lobbies(world)
    assert world.table().messages.lobby is None
    await world.join(ben, on=lobby)
    assert world.table().messages.lobby == lobby.id
    await world.env.advance_time(16)
    assert [message.id for message in lobbies(world)] == [lobby.id]
    assert await world.bot.store.tables.undelivered() == {}


async def test_reposted_lobby_replaces_the_older_one(world: World) -> None:
    (ada,) = world.people("Ada")
    await ada.slash("tichu new")
    (first,) = lobbies(world)
    await ada.slash("tichu table")
    (second,) = lobbies(world)
    assert second.id != first.id
    await check_joinable(world)


async def test_lobby_changed_during_a_repost_shows_the_change(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new")
    remember = TableMessages.store_ids

    async def late(self: TableMessages, table_id: TableId, **posted: int) -> None:
        monkeypatch.undo()
        await world.bot.tables.execute(table_id, UserId(ben.id), Join("Ben"))
        await remember(self, table_id, lobby=MessageId(posted["lobby"]))

    monkeypatch.setattr(TableMessages, "store_ids", late)
    await ada.slash("tichu table")
    (lobby,) = lobbies(world)
    assert "Ben" in text(lobby)


async def test_lobby_is_posted_after_an_outage(world: World) -> None:
    (ada,) = world.people("Ada")
    world.env.inject_error("POST", "*", status=503, times=None)
    await ada.slash("tichu new")
    assert lobbies(world) == []
    world.env.backend.faults.clear()
    await world.env.advance_time(16)
    world.env.backend.interactions.clear()
    await check_joinable(world)


async def test_lobby_is_posted_after_a_restart(world: World) -> None:
    (ada,) = world.people("Ada")
    world.env.inject_error("POST", "*", status=503, times=None)
    await ada.slash("tichu new")
    world.env.backend.faults.clear()
    await world.restart()
    world.env.backend.interactions.clear()
    await check_joinable(world)


async def test_lobby_without_permission_to_post_is_closed(world: World) -> None:
    (ada,) = world.people("Ada")
    world.env.inject_error("POST", ANSWER, status=503, times=None)
    world.env.inject_error("POST", POST, status=403, code=50013, times=None)
    await ada.slash("tichu new")
    await world.env.advance_time(3)
    assert list(world.bot.tables.all()) == []
    assert await world.bot.store.tables.undelivered() == {}
    world.env.backend.interactions.clear()
    world.env.backend.faults.clear()
    await ada.slash("tichu new")
    await check_joinable(world)


async def test_lobby_is_stored_together_with_its_computer_players(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failure between two commits would leave it invisible."""
    (ada,) = world.people("Ada")

    async def fails(*_: object) -> OpenTable:
        raise RuntimeError("nobody foresaw this")

    with monkeypatch.context() as broken:
        broken.setattr(Tables, "execute", fails)
        await ada.slash("tichu new", computers=2)
    assert [chair.kind for chair in world.table().chairs] == [
        *("person", "computer", "computer", "empty"),
    ]
    await check_joinable(world)


async def test_lobby_in_a_thread_is_posted_after_an_outage(world: World) -> None:
    (ada,) = world.people("Ada")
    world.env.inject_error("POST", POST, status=503, times=2)
    result = await ada.slash("tichu new", thread=True)
    (state,) = world.bot.tables.all()
    assert result.response is not None
    assert f"<#{state.channel_id}>" in text(result.response)
    assert state.messages.lobby is None
    await world.env.advance_time(4)
    assert world.bot.tables.get(state.id).messages.lobby is not None


async def test_lobby_in_a_thread_is_posted_after_a_failed_deferral(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ada,) = world.people("Ada")

    async def fails(*_: object, **__: object) -> None:
        raise ConnectionResetError("the network is down")

    monkeypatch.setattr(discord.InteractionResponse, "defer", fails)
    result = await ada.slash("tichu new", thread=True)
    (state,) = world.bot.tables.all()
    assert state.messages.lobby is not None
    assert result.response is not None
    assert f"<#{state.channel_id}>" in text(result.response)


async def test_thread_in_an_unsuitable_channel_is_refused_before_it_counts(world: World) -> None:
    (ada,) = world.people("Ada")
    voice = world.guild.create_voice_channel("voice")
    for asked in ({"thread": True}, {"pace": 86400}):
        answer = (await Person(world.env, ada.member, voice).slash("tichu new", **asked)).response
        assert answer is not None
        assert refusal("no-threads-here") in text(answer)
    assert len(world.bot.tables.limits.openings) == 0
