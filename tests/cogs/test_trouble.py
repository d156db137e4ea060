"""Failures of Discord or the database: explained, nothing is lost, and play continues."""

from __future__ import annotations

from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from simcord import InteractionResult

from bot.ids import TableId
from bot.records import Change, NewTable, TableRecord
from bot.storage.tables import TableStore
from bot.text.sentences import apology, write_failed
from cogs.delivery.failed_requests import EARLY_RETRY_S
from cogs.delivery.replies import DEFER_AFTER
from cogs.pages.table.blocked import permission_names
from cogs.pages.verbs import Verb
from engine import Phase
from tests.bot.databases import set_pragma
from tests.campaign import sample
from tests.cogs.conftest import ErrorRecords
from tests.cogs.fast_forward import begin_by_clicks, fast_forward, match_over, reached, tricks
from tests.cogs.table_play import (
    HandPlayer,
    dealt,
    open_again,
    open_hands,
    play_on,
    seat_all,
    seat_without_hands,
)
from tests.cogs.worlds import SAY, World
from tests.simcord_clicks import deny, messages, numbers, text, with_verb

COMMIT_S = 2.5


@pytest.fixture
def slow_storage(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every commit take two and a half seconds, except computer players' own.

    SimCord does not advance time while a message waits for the lock of such a table.
    """
    commit, create_table = TableStore.commit, TableStore.create

    async def slow_commit(self: TableStore, table_id: TableId, change: Change) -> None:
        by_people = any(action.actor_id is not None for action in change.actions)
        if by_people or change.seats is not None or not change.actions:
            await world.bot.clock.sleep(COMMIT_S)
        await commit(self, table_id, change)

    async def slow_create(self: TableStore, new: NewTable) -> TableRecord:
        await world.bot.clock.sleep(COMMIT_S)
        return await create_table(self, new)

    monkeypatch.setattr(TableStore, "commit", slow_commit)
    monkeypatch.setattr(TableStore, "create", slow_create)


async def patiently(
    world: World, click: Coroutine[Any, Any, InteractionResult]
) -> InteractionResult:
    """Click and wait for the result, whose reply is deferred."""
    result = await click
    at_once = result.deferred
    await world.env.advance_time(DEFER_AFTER.total_seconds())
    assert (at_once, result.deferred) == (False, True)
    await world.env.advance_time(4 * COMMIT_S)
    return result


@pytest.mark.usefixtures("slow_storage")
async def test_waits_for_slow_storage(world: World) -> None:
    people = world.people("Ada", "Ben", "Cai", "Dan")
    ada, ben, *_ = people
    await patiently(world, ada.slash("tichu new", target=100))
    assert not world.newest_with(Verb.LEAVE)[0].ephemeral
    for person in people[1:]:
        await patiently(world, world.join(person))
    assert "Dan" in text(world.newest_with(Verb.LEAVE)[0])
    await patiently(world, ada.press(Verb.START))
    for player in await open_hands(world, people):
        grand = next(control for control in player.controls(Verb.GRAND))
        click = player.person.member.click(player.hand, custom_id=grand.custom_id)
        await patiently(world, click)
        assert not player.can(Verb.GRAND)
    await patiently(world, ben.slash("tichu stop"))
    assert world.game().notes.votes == (ben.id,)
    assert numbers(messages(world.env, world.channel)[-1])[:2] == [1, 3]


@asynccontextmanager
async def read_only(world: World) -> AsyncIterator[None]:
    """Make the database read-only while the block runs."""
    database = world.bot.store._database  # noqa: SLF001
    await set_pragma(database, "query_only=ON")
    yield
    await set_pragma(database, "query_only=OFF")


async def lead(world: World, *names: str) -> list[HandPlayer]:
    """Return these people at a table where somebody is to lead."""
    players = await seat_without_hands(world, world.people(*names), target=5000)
    await fast_forward(world, reached(Phase.LEAD), players=players)
    return players


def leader(world: World, players: list[HandPlayer]) -> HandPlayer:
    """Return the player on turn."""
    (found,) = [player for player in players if player.can(Verb.PLAY)]
    return found


@pytest.mark.parametrize(
    "status, code", sample([(500, 0), (503, 0), (403, 50013), (404, 10003), (429, 0)], 3)
)
async def test_table_message_cannot_be_edited(world: World, status: int, code: int) -> None:
    players = await lead(world, "Ada", "Ben", "Cai", "Dan")
    message, _ = world.newest_with(Verb.HAND)
    before = text(message)
    world.env.inject_error("PATCH", "/channels/*", status=status, code=code, times=None)
    await begin_by_clicks(world, players, reached(Phase.CLOSING), clicks=reached(Phase.TURN))
    await fast_forward(world, reached(Phase.LEAD), players=players)
    assert text(message) == before
    world.env.backend.faults.clear()
    await world.env.advance_time(15)  # its channel waits for 15 s at most
    await play_on(world, players, lambda: world.game().phase is Phase.TURN)
    assert text(message) != before
    assert world.newest_with(Verb.HAND)[0].id == message.id
    await world.check_replay()


async def test_no_message_can_be_sent_for_a_while(world: World) -> None:
    players = await lead(world, "Ada", "Ben", "Cai", "Dan")
    first, _ = world.newest_with(Verb.HAND)
    assert world.bot.user is not None
    deny(world.env, world.channel, world.bot.user.id, "send_messages")
    enough = tricks(1, world.game().match)
    await begin_by_clicks(world, players, reached(Phase.ROUND_END), clicks=enough)
    await play_on(world, players, lambda: world.game().phase is Phase.LEAD)
    assert world.game().round is not None
    assert world.newest_with(Verb.HAND)[0].id == first.id
    deny(world.env, world.channel, world.bot.user.id)
    await world.env.advance_time(EARLY_RETRY_S)
    second, _ = world.newest_with(Verb.HAND)
    assert second.id != first.id
    assert await world.bot.store.tables.undelivered() == {}
    assert world.game().messages.table == second.id


@pytest.mark.parametrize("status, code", [(404, 10062), (500, 0), (400, 40060)])
async def test_answer_does_not_reach_discord(world: World, status: int, code: int) -> None:
    players = await lead(world, "Ada", "Ben", "Cai", "Dan")
    player, seq = leader(world, players), world.game().seq
    world.repeats_answers = status >= 500
    world.env.inject_error("POST", "/interactions/*", status=status, code=code, times=1)
    choice = next(control for control in player.controls(Verb.PLAY) if control.is_select)
    values = [choice.options[-1].value]
    await player.person.member.select(player.hand, values, custom_id=choice.custom_id)
    if world.game().seq == seq:  # it was the Mah Jong, which asks for a wish first
        await player.open()
        await player.act()
    assert world.game().seq > seq
    for record in world.env.backend.interactions.values():
        record.responded = True
    await open_again(players)
    await fast_forward(world, reached(Phase.CLOSING))


async def test_click_during_a_storage_failure(world: World, errors: ErrorRecords) -> None:
    errors.allow("database write failed")
    deal = {0: "MAHJONG DRAGON J3 J4 J5", 1: "S3 S4 S5", 2: "P3 P4 P5", 3: "T3 T4 T5"}
    ada, ben, *_ = await dealt(world, deal)
    await ada.choose(Verb.CARDS, "DRAGON")
    (play,) = [control for control in ada.controls(Verb.PLAY) if not control.is_select]
    public = [text(message) for message in messages(world.env, world.channel)]
    state = world.table()
    leaving = (await ben.person.slash("tichu leave")).response
    assert leaving is not None
    (leave,) = with_verb(leaving, Verb.TO_COMPUTER)
    async with read_only(world):
        for click in (
            ada.person.member.click(ada.hand, custom_id=play.custom_id),
            ben.person.slash("tichu stop"),
            ben.person.member.click(leaving, custom_id=leave.custom_id),
        ):
            result = await click
            assert result.response is not None
            assert result.response.ephemeral
            assert write_failed(SAY) in text(result.response)
            assert world.table() == state
    assert [text(message) for message in messages(world.env, world.channel)] == public
    await ada.press(play)  # the same button, after the failure
    assert world.game().phase is Phase.WINDOW
    await world.check_replay()


async def test_timers_wait_for_the_storage(world: World, errors: ErrorRecords) -> None:
    errors.allow("database write failed")
    await lead(world, "Ada", "Ben", "Cai", "Dan")
    await fast_forward(world, reached(Phase.WINDOW))
    state, begin = world.table(), world.env.now()
    async with read_only(world):
        await world.env.advance_time(61)
        assert world.table() == state
    assert errors.allowed  # once a minute of real time, although it is retried every five seconds
    await world.env.advance_time(6)
    assert world.game().phase is not Phase.WINDOW or world.game().revision != state.revision
    await world.check_replay()
    records = await world.bot.store.tables.actions(TableId(1))
    assert all(
        record.at <= begin or record.at > begin + timedelta(seconds=60) for record in records
    )
    await fast_forward(world, reached(Phase.CLOSING))


async def test_lobby_cannot_be_stored(world: World, errors: ErrorRecords) -> None:
    errors.allow("database write failed")
    ada, ben = world.people("Ada", "Ben")
    async with read_only(world):
        result = await ada.slash("tichu new")
        assert result.response is not None
        assert write_failed(SAY) in text(result.response)
        assert messages(world.env, world.channel) == []
    await ada.slash("tichu new", computers=2)
    async with read_only(world):
        result = await world.join(ben)
        assert result.response is not None
        assert write_failed(SAY) in text(result.response)
        assert with_verb(world.newest_with(Verb.JOIN)[0], Verb.JOIN)
        await world.env.advance_time(31 * 60)
        assert world.table().status == "lobby"
    await world.join(ben)
    await ada.press(Verb.START)
    assert world.table().running
    await world.check_replay()


async def test_match_ends_after_a_storage_failure(world: World, errors: ErrorRecords) -> None:
    errors.allow("database write failed")
    players = await seat_all(world, world.people("Ada", "Ben"), target=200)
    for phase in (Phase.EXCHANGE, Phase.TURN, Phase.ROUND_END):
        await begin_by_clicks(world, players, reached(phase), clicks=tricks(1, world.game().match))
        async with read_only(world):
            await world.env.advance_time(25)
        await world.env.advance_time(6)
        await open_again(players)
        await world.check_replay()
    await play_on(world, players, lambda: world.game().phase is Phase.LEAD)
    await fast_forward(world, match_over)
    assert await world.bot.store.history.match(TableId(1)) is not None


async def test_thread_cannot_be_created(world: World) -> None:
    (ada,) = world.people("Ada")
    world.env.inject_error("POST", "/channels/*/threads", status=500)
    result = await ada.slash("tichu new", thread=True)
    assert result.response is not None
    assert apology(SAY) in text(result.response)
    assert list(world.bot.tables.all()) == []
    await ada.slash("tichu new", thread=True)
    assert len(list(world.bot.tables.all())) == 1


async def test_table_is_not_reposted_without_permission(world: World) -> None:
    players = await lead(world, "Ada", "Ben", "Cai", "Dan")
    assert world.bot.user is not None
    deny(world.env, world.channel, world.bot.user.id, "send_messages")
    result = await players[0].person.slash("tichu table")
    assert result.response is not None
    assert permission_names(SAY)["send_messages"] in text(result.response)
