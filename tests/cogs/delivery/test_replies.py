"""Error answers: "nothing was changed" before a commit, the current page after it."""

from __future__ import annotations

import asyncio
import gc
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from simcord import InteractionResult, ResponseMessage

from bot.errors import Stale
from bot.ids import TableId
from bot.records import Change
from bot.runtime.clock import Clock
from bot.runtime.discord_time import DiscordTime
from bot.storage import StorageUnavailable
from bot.storage.history import HistoryStore
from bot.storage.personal_settings import PersonalSettingsStore, PreferenceStore
from bot.storage.rankings import RankingStore
from bot.storage.tables import TableStore
from bot.table.commands import VoteToStop
from bot.text.sentences import (
    apology,
    read_failed,
    response_lost,
    with_error,
    write_failed,
)
from cogs.delivery.replies import DEFER_AFTER, Reply
from cogs.pages.verbs import Verb
from engine import Phase
from tests.bot.fake_time import settle
from tests.cogs.conftest import ErrorRecords
from tests.cogs.delivery.lossy import LossyDiscord
from tests.cogs.fast_forward import carried_out, fast_forward, reached
from tests.cogs.forged_clicks import forge
from tests.cogs.table_play import HandPlayer, seat_all, sit_down
from tests.cogs.test_profile import nothing_of
from tests.cogs.worlds import SAY, World
from tests.simcord_clicks import messages, numbers, text, with_verb

ANSWER = "/interactions/*/callback"
FOLLOW_UP = "/webhooks/*"


def newest_private(player: HandPlayer) -> ResponseMessage:
    """Return the newest message on this player's screen."""
    return player.person.private()[-1]


def unchanged(answer: ResponseMessage) -> bool:
    """Return whether the answer says that nothing was changed."""
    return any(said in text(answer) for said in (apology(SAY), write_failed(SAY)))


async def answer_grand(player: HandPlayer) -> InteractionResult:
    """Decline a Grand Tichu; accept any answer."""
    (button,) = [control for control in player.controls(Verb.GRAND) if control.args == "no"]
    return await player.person.member.click(player.hand, custom_id=button.custom_id)


def slow_down(world: World, monkeypatch: pytest.MonkeyPatch, *, fails: bool = False) -> None:
    """Make commits so slow that the reply is deferred; optionally let them fail."""
    commit = TableStore.commit

    async def slow_commit(self: TableStore, table_id: TableId, change: Change) -> None:
        await world.bot.clock.sleep(2.5)
        if fails:
            raise StorageUnavailable("Error while saving the game: the disk is full.")
        await commit(self, table_id, change)

    monkeypatch.setattr(TableStore, "commit", slow_commit)


def fails_to_defer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the network fail whenever a reply is deferred."""

    async def fails(*_: object, **__: object) -> None:
        raise ConnectionResetError("the network is down")

    monkeypatch.setattr(discord.InteractionResponse, "defer", fails)


async def test_answer_that_fails_after_the_commit(world: World) -> None:
    """It is repeated as a message of its own, with the current hand.

    Nothing is sent to a user who has only dismissed the clicked page (10008).
    """
    players = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    for player in players[2:]:
        await player.press_with(Verb.GRAND, "no")
    world.repeats_answers = True
    failing = players[:2]
    for player, refused in zip(failing, [(400, 50035), (404, 10008)], strict=True):
        before, seq = player.hand, world.game().seq
        status, code = refused
        world.env.inject_error("POST", ANSWER, status=status, code=code)
        await answer_grand(player)
        assert world.game().seq > seq
        (answer,) = player.person.private()
        assert answer.id != before.id
        assert (response_lost(SAY) in text(answer)) is (code != 10008)
        assert not unchanged(answer)
    assert world.game().phase is Phase.EXCHANGE
    for player in failing:
        (hand,) = player.person.private()
        assert with_verb(hand, Verb.PICK), "this is the hand, to go on with"


async def test_page_deleted_during_a_slow_commit(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    slow_down(world, monkeypatch)
    refusals = ((404, 10008), (503, 0), (400, 50035))
    for player, (status, code) in zip(players, refusals, strict=False):
        world.env.inject_error("PATCH", FOLLOW_UP, status=status, code=code, times=4)  # all hands
        result = await answer_grand(player)
        await world.env.advance_time(3)
        assert result.deferred
        answer = newest_private(player)
        assert (response_lost(SAY) in text(answer)) is (code != 10008), (
            "else they have dismissed it"
        )
        assert not unchanged(answer)
        assert not with_verb(answer, Verb.GRAND)
        world.env.backend.faults.clear()


@pytest.mark.parametrize("commit_fails", [False, True])
async def test_network_fails_while_a_reply_is_deferred(
    world: World, errors: ErrorRecords, monkeypatch: pytest.MonkeyPatch, commit_fails: bool
) -> None:
    """The change is stored or not, independent of that."""
    errors.allow("database write error")
    ada, *_ = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    seq = world.game().seq
    slow_down(world, monkeypatch, fails=commit_fails)
    fails_to_defer(monkeypatch)
    await answer_grand(ada)
    await world.env.advance_time(3)
    answer = newest_private(ada)
    assert (world.game().seq == seq) is commit_fails
    assert (write_failed(SAY) in text(answer)) is commit_fails
    assert unchanged(answer) is commit_fails
    assert ada.can(Verb.GRAND) is commit_fails


async def test_command_whose_answer_fails_after_the_commit(world: World) -> None:
    """The public line is posted anyway."""
    ada, *_ = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    world.env.inject_error("POST", ANSWER, status=400, code=50035)
    world.repeats_answers = True
    await ada.person.slash("tichu stop")
    assert world.game().notes.votes == (ada.person.id,)
    assert numbers(ada.person.public()[-1])[:2] == [1, 3]
    assert response_lost(SAY) in text(newest_private(ada))


@pytest.mark.parametrize("repeats", [False, True])
async def test_hand_with_a_lost_answer_gets_updates(
    world: World, lossy: LossyDiscord, repeats: bool
) -> None:
    """Discord shows it: a new hand, and one in which something was chosen."""
    ada, *others = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    table, _ = world.newest_with(Verb.HAND)
    lossy.repeats, lossy.lost_answers = repeats, 1
    await ada.person.press(Verb.HAND, on=table)
    (hand,) = ada.person.private()
    lossy.lost_answers = 1
    await answer_grand(ada)
    assert [message.id for message in ada.person.private()] == [hand.id]
    assert not ada.can(Verb.GRAND)
    for player in others:
        await player.press_with(Verb.GRAND, "no")
    assert world.game().phase is Phase.EXCHANGE
    await world.env.settle()
    assert [message.id for message in ada.person.private()] == [hand.id]
    assert ada.can(Verb.PICK), "it follows the table"


async def test_answer_is_sent_after_a_lost_deferral(
    world: World, lossy: LossyDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord waits for an answer; a command would show "thinking" permanently."""
    ada, *_ = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    slow_down(world, monkeypatch)
    world.repeats_answers = True
    lossy.lost_answers = 1
    await ada.person.slash("tichu shuffle", word="88")
    await world.env.advance_time(3)
    assert world.game().deal.words == {ada.person.id: "88"}
    (told,) = (m for m in messages(world.env, world.channel) if "88" in text(m))
    assert not told.ephemeral
    assert response_lost(SAY) in text(newest_private(ada))


@pytest.mark.parametrize("repeats", [False, True])
async def test_click_that_shows_nothing_new_may_lose_its_answer(
    world: World, lossy: LossyDiscord, repeats: bool
) -> None:
    ada, *_ = await seat_all(world, world.people("Ada", "Ben"))
    await ada.person.slash("tichu stop")
    before = [message.id for message in ada.person.private()]
    vote, _ = world.newest_with(Verb.PLAY_ON)
    lossy.repeats, lossy.lost_answers = repeats, 1
    await ada.person.press(Verb.PLAY_ON, on=vote)
    assert world.game().notes.votes == ()
    assert [message.id for message in ada.person.private()] == before


async def test_public_line_with_a_lost_answer_is_posted_once(
    world: World, lossy: LossyDiscord
) -> None:
    ada, *_ = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    lossy.creations.clear()
    lossy.lost_answers = 1
    await ada.person.slash("tichu shuffle", word="88")
    assert world.game().deal.words == {ada.person.id: "88"}
    (told,) = (m for m in messages(world.env, world.channel) if "88" in text(m))
    assert not told.ephemeral
    assert lossy.creations == []


async def test_first_answer_is_retried_while_discord_waits(world: World) -> None:
    players = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    world.repeats_answers = True
    for player, failures in zip(players, (1, 2, 3), strict=False):
        before = player.hand
        world.env.inject_error("POST", ANSWER, status=500, times=failures)
        await answer_grand(player)
        await world.env.advance_time(2)
        (answer,) = player.person.private()
        assert answer.id == before.id
        assert not with_verb(answer, Verb.GRAND)
        assert response_lost(SAY) not in text(answer)


async def test_first_answer_is_dropped_after_discords_deadline(world: World) -> None:
    """The table does not wait for it, and the hand comes with the older token."""
    players = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    await fast_forward(world, reached(Phase.LEAD))
    world.repeats_answers = True
    world.env.inject_error("POST", ANSWER, status=502, times=None)
    leader = next(player for player in players if player.can(Verb.PLAY))
    table, begin = world.game().messages.table, len(world.env.http_requests)
    choice = next(c for c in leader.controls(Verb.PLAY) if not c.is_select)
    await leader.person.member.click(leader.hand, custom_id=choice.custom_id)
    made = [request.path for request in world.env.http_requests[begin:]]
    assert sum(path.endswith(f"/messages/{table}") for path in made) == 1
    await world.env.advance_time(10)
    tried = [request for request in world.env.http_requests[begin:] if "callback" in request.path]
    assert 2 <= len(tried) <= 7, "every half second, for three seconds"
    world.env.backend.faults.clear()


@pytest.mark.parametrize("status, code", [(503, 0), (404, 10062)])
async def test_lobby_click_with_a_failed_answer_updates_the_lobby(
    world: World, status: int, code: int
) -> None:
    """The answer would have been the lobby, so its message is edited instead."""
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new")
    lobby, _ = world.newest_with(Verb.JOIN)
    world.repeats_answers = True
    world.env.inject_error("POST", ANSWER, status=status, code=code, times=None)
    await world.join(ben)
    await world.env.advance_time(3)
    assert [chair.name for chair in world.lobby().chairs] == ["Ada", "Ben", "", ""]
    assert "Ben" in text(lobby)
    for record in world.env.backend.interactions.values():
        record.responded = True  # nobody waits for one that is too late


async def test_read_failure_is_not_reported_as_unsaved(
    world: World, errors: ErrorRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors.allow("database read error")
    (ada,) = world.people("Ada")

    async def fails(*_: object) -> None:
        raise StorageUnavailable("Error while reading the database: it is damaged.")

    cases: tuple[tuple[type, str, str], ...] = (
        (PreferenceStore, "get", "settings"),
        (TableStore, "last_in", "verify"),
    )
    for service, method, command in cases:
        with monkeypatch.context() as broken:
            broken.setattr(service, method, fails)
            result = await ada.slash(f"tichu {command}")
        assert result.response is not None
        assert read_failed(SAY) in text(result.response)
        assert not unchanged(result.response)


async def test_click_with_a_read_failure_is_not_reported_as_unsaved(
    world: World, errors: ErrorRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a start, and for the buttons of a finished match."""
    errors.allow("database read error")
    ada, *others = world.people("Ada", "Ben", "Cai", "Dan")
    await ada.slash("tichu new")
    await sit_down(world, others)
    message, start = world.newest_with(Verb.START)

    async def fails(*_: object) -> None:
        raise StorageUnavailable("Error while reading the database: it is damaged.")

    async def check(service: type, method: str, custom_id: str) -> None:
        """Check that this button is answered with the read failure."""
        with monkeypatch.context() as broken:
            broken.setattr(service, method, fails)
            result = await forge(ada, message, custom_id)
        assert result.response is not None
        assert read_failed(SAY) in text(result.response)
        assert not unchanged(result.response)

    await check(RankingStore, "ratings", start.custom_id)
    await ada.press(Verb.START)
    table_id = world.game().id
    await carried_out(world, world.game(), VoteToStop(moderator=True))
    await check(TableStore, "get", f"b:{table_id}:0:{Verb.REMATCH}:")
    for service, method in ((TableStore, "get"), (RankingStore, "ratings")):
        await check(service, method, f"b:{table_id}:0:{Verb.NEW_PARTNERS}:")


async def test_slow_read_of_settings_defers_the_answer(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For any request, the answer is deferred in time."""
    (ada,) = world.people("Ada")
    _slow(world, monkeypatch, PersonalSettingsStore, "get", 2 * DEFER_AFTER.total_seconds())
    asked = await ada.slash("tichu rules")
    await world.env.advance_time(DEFER_AFTER.total_seconds() + 0.1)
    assert asked.deferred
    await world.env.advance_time(DEFER_AFTER.total_seconds())
    assert asked.response is not None


async def test_slow_steps_share_the_deadline_of_one_answer(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them is fast enough, all together are not."""
    (ada,) = world.people("Ada")
    step_s = DEFER_AFTER.total_seconds() * 0.6
    for service, method in ((PreferenceStore, "get"), (HistoryStore, "played")):
        _slow(world, monkeypatch, service, method, step_s)
    result = await ada.slash("tichu profile")
    await world.env.advance_time(step_s)
    early = result.deferred
    await world.env.advance_time(DEFER_AFTER.total_seconds() - step_s + 0.01)
    assert (early, result.deferred) == (False, True)
    await world.env.advance_time(step_s)
    assert result.response is not None
    assert text(result.response) == nothing_of(None, ada, world, own=True)


def _slow(
    world: World, monkeypatch: pytest.MonkeyPatch, service: type, method: str, seconds: float
) -> None:
    """Make this method of a store take `seconds` seconds longer."""
    quick = getattr(service, method)

    async def slow(*given: object) -> object:
        await world.bot.clock.sleep(seconds)
        return await quick(*given)

    monkeypatch.setattr(service, method, slow)


NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


class StillClock(Clock):
    """Clock that stands still and records the requested sleeps."""

    def __init__(self) -> None:
        super().__init__(lambda: NOW, self._never)
        self.sleeps: list[float] = []

    async def _never(self, seconds: float) -> None:
        self.sleeps.append(seconds)
        await asyncio.get_running_loop().create_future()


def clicked(clock: Clock, age_s: float = 0.0) -> Any:
    """Return an interaction with the fields that are read before it is answered."""
    return SimpleNamespace(
        client=SimpleNamespace(clock=clock, discord_time=DiscordTime(clock.now)),
        created_at=NOW - timedelta(seconds=age_s),
        response=SimpleNamespace(is_done=lambda: False, type=None),
    )


@pytest.mark.parametrize(
    "age_s, left_s",
    [
        (0.0, 1.5),
        (1.25, 0.25),
        (2.5, 0.0),
        (60.0, 1.5),  # the local clock is fast
        (-5.0, 1.5),  # or slow
    ],
)
async def test_time_spent_before_a_click_arrives_counts(age_s: float, left_s: float) -> None:
    clock = StillClock()

    async def work() -> str:
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return "done"

    reply = Reply(clicked(clock, age_s))
    assert await reply.read(work()) == "done"
    assert await reply.read(work()) == "done"
    assert clock.sleeps == [left_s, left_s]


@pytest.mark.parametrize("fails", [False, True])
async def test_cancelled_answer_ends_once_its_change_is_stored(fails: bool) -> None:
    """At shutdown nothing is answered any more, whether the change was possible or not."""
    storing: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    answer = asyncio.create_task(Reply(clicked(StillClock())).change(storing))
    await settle()
    answer.cancel()
    await settle()
    assert not answer.done()
    if fails:
        storing.set_exception(Stale())
    else:
        storing.set_result("stored")
    await asyncio.wait({answer})
    assert answer.cancelled()


async def test_answer_cancelled_twice_raises_no_warning() -> None:
    """At shutdown the bot cancels work in flight, and asyncio all remaining tasks."""
    complaints: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, complaint: complaints.append(complaint))
    turn: asyncio.Future[None] = loop.create_future()

    async def refused() -> None:
        await turn
        raise Stale

    answer = asyncio.create_task(Reply(clicked(StillClock())).change(refused()))
    for _ in range(2):
        await settle()
        answer.cancel()
    await asyncio.wait({answer})
    turn.set_result(None)
    await settle()
    gc.collect()
    assert complaints == []


async def test_error_before_the_commit_is_reported_as_unchanged(
    world: World, errors: ErrorRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors.allow("unhandled exception")
    ada, *_ = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    seq = world.game().seq
    with monkeypatch.context() as broken:
        broken.setattr("bot.table.batch.apply", lambda *_: 1 / 0)
        await answer_grand(ada)
    assert world.game().seq == seq
    assert apology(SAY) in text(newest_private(ada))


async def test_page_fails_to_build_after_the_commit(
    world: World, errors: ErrorRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors.allow("unhandled exception")
    errors.allow("unhandled exception while showing a hand")
    ada, *_ = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    seq = world.game().seq
    with monkeypatch.context() as broken:
        for place in ("table_actions", "errors"):
            broken.setattr(f"cogs.clicks.{place}.hand_page", lambda *_: 1 / 0)
        await answer_grand(ada)
    assert world.game().seq > seq
    (unforeseen, no_hand) = (vars(record)["error"] for record in errors.records)
    assert unforeseen == no_hand
    assert text(newest_private(ada)) == with_error(SAY, response_lost(SAY), unforeseen)
    assert ada.can(Verb.GRAND), "the page stands there as it was"
