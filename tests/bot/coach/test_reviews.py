"""Reviews of finished rounds: made once, stored, and refused for others."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.boards.board import Board
from bot.coach import reviews as module
from bot.coach.reviews import Reviews, skipped_actions
from bot.coach.stored_review import REVIEW_VERSION
from bot.computers.background_tasks import Pool
from bot.computers.decision_scheduler import DecisionScheduler
from bot.computers.worker_pool import Work
from bot.errors import Refused
from bot.history.replay import Replay
from bot.history.replay_cache import Replays, SharedWork
from bot.history.solo_replays import SoloReplays
from bot.ids import ChannelId, ClubEventId, TableId, UserId
from bot.records import CLOCK, TableRecord
from bot.table.commands import Start
from bot.table.lobby import LobbyPlan
from bot.table.options import EventLink
from bot.table.solo_game import SOLO_IDS
from players import levels
from players.boards import PERSON
from players.coach import review as coach
from players.coach.estimates import Chances, Estimate
from players.coach.review import (
    ChancesTask,
    ConfirmTask,
    Judged,
    JudgeTask,
    MatchTask,
    Progress,
    Review,
    Task,
)
from tests.bot.computers.pools import SlowPool
from tests.bot.games import any_manner
from tests.bot.solo_rounds import stored_round
from tests.bot.states import CHANNEL, GUILD, HOST, chairs
from tests.bot.table_world import TableWorld, quick

BEN, EVE = UserId(HOST + 1), UserId(777)


class Judges(SlowPool):
    """Workers that judge at once: each decision costs 10 points."""

    def __init__(self, size: int = 1) -> None:
        super().__init__(size)
        self.failing = False

    def submit(self, work: Work) -> asyncio.Future[Any]:
        """Return a result that is already there."""
        answer = super().submit(work)
        self.give(self._judge)
        return answer

    def _judge(self, work: Work) -> Any:
        if self.failing:
            raise ValueError("the Dragon")
        return self.judge(work.arguments["task"])

    def judge(self, task: Task) -> Any:
        """Return the result of a task."""
        match task:
            case JudgeTask(decision, _):
                at, kind, action = decision.at, decision.kind, decision.action
                return Judged(at, kind, Estimate(10.04, 6.0, 14.0), action, action, None)
            case ConfirmTask():
                return Estimate(10.0, 6.0, 14.0)
            case ChancesTask():
                return Chances(0.5, 0.5)
            case MatchTask():
                return 0.5


class Players(Judges):
    """Workers with the real players."""

    def judge(self, task: Task) -> Any:
        return levels.review_task(task)


class World(TableWorld):
    """Tables, and the reviews of their rounds."""

    judges: Judges
    reviews: Reviews

    def use(self, pool: Pool | None) -> Reviews:
        """Let these workers make the reviews, as after a restart."""
        novice = any_manner(self.brain)
        background = DecisionScheduler(self.time.now, novice, pool).background
        self.replays = Replays(self.store, SharedWork())
        self.reviews = Reviews(self.store, background, self.tables, self.time.now, random.Random(1))
        return self.reviews

    async def round_over(
        self, people: int = 2, variant: str = "nanjing", channel: int = 1
    ) -> TableRecord:
        """Play a round of these people and computers; return the stored table."""
        long = {"trichu": {"rounds": 9}, "grandseigneur": {"rounds": 9}}
        options = quick(variant, **long.get(variant, {"target": 5000}))
        at = await self.match(ChannelId(channel), people, options=options)
        while not self.game(at.id).between_rounds:
            for number in range(people):
                if not self.game(at.id).between_rounds:
                    await self.play_for(at.id, UserId(HOST + number))
            await self.run(1.05)
        return await self.record(at.id)

    async def record(self, table_id: TableId) -> TableRecord:
        """Return the stored table."""
        found = await self.store.tables.get(table_id)
        assert found is not None
        return found

    async def review(
        self, record: TableRecord, seat: int = 0, user_id: UserId = HOST, number: int = 1
    ) -> Review:
        """Request a review."""
        replay = await self.replays.replay(record, number)
        return await self.reviews.request(replay, seat, user_id, lambda _: None)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    made = World(tmp_path)
    await made.open()
    made.judges = Judges()
    made.use(made.judges)
    yield made
    await made.close()


async def reason(world: World, record: TableRecord, *given: Any) -> str:
    """Return the reason why a review is refused."""
    with pytest.raises(Refused) as refused:
        await world.review(record, *given)
    return refused.value.code


async def test_makes_a_review_once_and_stores_it(world: World) -> None:
    record = await world.round_over()
    assert await world.reviews.stored(record.id, 1, 0) is None
    replay = await world.replays.replay(record, 1)
    heard: list[Progress] = []
    found = await world.reviews.request(replay, 0, HOST, heard.append)
    assert len(found.marks) == 3
    assert {each.cost.mean for each in found.judged} == {10.0}, "as it is stored"
    total = len(found.judged)
    assert [each.done for each in heard] == list(range(total + 1))
    assert {each.total for each in heard} == {total}
    asked = len(world.judges.asked)
    assert await world.review(record) == found == await world.reviews.stored(record.id, 1, 0)
    assert await world.use(world.judges).stored(record.id, 1, 0) == found, "after a restart"
    assert await world.review(record) == found
    assert len(world.judges.asked) == asked
    other = await world.review(record, 1, BEN)
    assert other != found
    stored = await world.store.coach.review(record.id, 1, 1)
    assert stored is not None
    assert (stored.user_id, stored.version) == (BEN, REVIEW_VERSION)
    assert stored.made_at == world.time.now()


async def test_counts_what_was_made(world: World) -> None:
    record = await world.round_over()
    await world.review(record)
    await world.review(record)
    assert (world.reviews.made, world.reviews.failed, world.reviews.times.count) == (1, 0, 1)


async def test_shares_a_review_in_the_making(world: World) -> None:
    record = await world.round_over()
    replay = await world.replays.replay(record, 1)
    slow = SlowPool(1)
    reviews = world.use(slow)
    heard: list[list[Progress]] = [[], [], []]
    asked = [asyncio.create_task(reviews.request(replay, 0, HOST, each.append)) for each in heard]
    while len(slow.asked) < 3:
        await asyncio.sleep(0.001)
        slow.give(lambda work: world.judges.judge(work.arguments["task"]))
    asked[0].cancel()
    late: list[Progress] = []
    asked.append(asyncio.create_task(reviews.request(replay, 0, HOST, late.append)))
    while not all(task.done() for task in asked):
        await asyncio.sleep(0.001)
        slow.give(lambda work: world.judges.judge(work.arguments["task"]))
    one, two, three = [await task for task in asked[1:]]
    assert one == two == three
    assert reviews.made == 1
    assert heard[1] == heard[2]
    assert heard[1][: len(heard[0])] == heard[0] != heard[1]
    assert late[0].done > 0, "it knows at once how far the review is"
    assert late[-1] == heard[1][-1]


async def test_makes_a_review_of_an_older_version_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = await world.round_over()
    monkeypatch.setattr(module, "REVIEW_VERSION", 0)
    await world.review(record)
    monkeypatch.undo()
    assert await world.reviews.stored(record.id, 1, 0) is None
    await world.review(record)
    assert world.reviews.made == 2
    assert await world.reviews.stored(record.id, 1, 0) is not None
    stored = await world.store.coach.review(record.id, 1, 0)
    assert stored is not None
    assert stored.version == REVIEW_VERSION


async def test_refuses_people_whose_round_it_is_not(world: World) -> None:
    record = await world.round_over()
    for seat, user_id in ((0, BEN), (1, HOST), (2, HOST), (9, HOST), (0, EVE)):
        assert await reason(world, record, seat, user_id) == "not-your-review"
    assert await reason(world, record, 0, HOST, 2) == "round-not-over"
    assert world.judges.asked == []


async def test_refuses_without_workers_but_returns_what_is_stored(world: World) -> None:
    record = await world.round_over()
    found = await world.review(record)
    world.use(None)
    assert await world.review(record) == found
    assert await reason(world, record, 1, BEN) == "no-experts"


async def test_refuses_a_game_without_points(world: World) -> None:
    record = await world.round_over(variant="grandseigneur")
    assert await reason(world, record) == "no-review-of-game"


async def test_limits_new_reviews_of_a_day(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "NEW_REVIEWS_A_DAY", 1)
    one = await world.round_over()
    other = await world.round_over(channel=2)
    found = await world.review(one)
    assert await reason(world, other) == "review-limit"
    assert await world.review(one) == found, "a stored one is no new one"
    assert await world.review(other, 1, BEN), "others have their own limit"
    await world.run(24 * 3600)
    assert await world.review(await world.record(other.id))


async def test_a_failed_review_does_not_count(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "NEW_REVIEWS_A_DAY", 1)
    record = await world.round_over()
    world.judges.failing = True
    assert await reason(world, record) == "busy"
    assert (world.reviews.made, world.reviews.failed) == (0, 1)
    assert "Dragon" not in caplog.text
    world.judges.failing = False
    assert await world.review(record)


async def test_an_error_is_logged_without_cards(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(review: Review) -> str:
        raise ValueError("the Dragon")

    record = await world.round_over()
    monkeypatch.setattr(module, "write_review", broken)
    with pytest.raises(ValueError, match="Dragon"):
        await world.review(record)
    assert "review of table 1, round 1: ValueError in test_reviews.py" in caplog.text
    assert "Dragon" not in caplog.text


async def test_an_erased_person_has_no_review(world: World) -> None:
    record = await world.round_over()
    await world.review(record)
    of_ben = await world.review(record, 1, BEN)
    for user_id in (HOST, BEN):
        await world.reviews.agree(record.id, user_id)
    await world.tables.forgetting.forget(HOST)
    world.reviews.forget(HOST)
    assert await world.reviews.stored(record.id, 1, 0) is None
    assert await world.reviews.stored(record.id, 1, 1) == of_ben
    assert await world.reviews.agreements(record.id) == {BEN}
    assert await reason(world, record) == "not-your-review"


async def test_an_erasure_during_a_review_discards_it(world: World) -> None:
    record = await world.round_over()
    replay = await world.replays.replay(record, 1)
    slow = SlowPool(1)
    reviews = world.use(slow)
    asked = asyncio.create_task(reviews.request(replay, 0, HOST, lambda _: None))
    while not slow.at_work:
        await asyncio.sleep(0.001)
    await world.tables.forgetting.forget(HOST)
    while not asked.done():
        slow.give(lambda work: world.judges.judge(work.arguments["task"]))
        await asyncio.sleep(0.001)
    with pytest.raises(Refused) as refused:
        await asked
    assert refused.value.code == "being-forgotten"
    assert await world.store.coach.review(record.id, 1, 0) is None


async def test_only_players_of_the_match_can_agree(world: World) -> None:
    record = await world.round_over()
    for user_id in (HOST, BEN):
        await world.reviews.agree(record.id, user_id)
    with pytest.raises(Refused) as refused:
        await world.reviews.agree(record.id, EVE)
    assert refused.value.code == "not-seated"
    await world.reviews.withdraw(record.id, HOST)
    assert await world.reviews.agreements(record.id) == {BEN}


async def test_reviews_the_two_seats_of_a_person_in_trichu(world: World) -> None:
    """The dealer also decides for the Table, in the review of their own chair."""
    record = await world.round_over(people=3, variant="trichu")
    replay = await Replays(world.store, SharedWork()).replay(record, 1)
    dealt = replay.played_round.dealt
    assert dealt.round is not None
    actors = [dealt.variant.actor(dealt.round, seat) for seat in range(4)]
    assert actors[3] != 3
    found = await world.review(record, actors[3], UserId(HOST + actors[3]))
    assert {each.own.seat for each in found.judged} == {actors[3], 3}
    assert await reason(world, record, 3, UserId(HOST + actors[3])) == "not-your-review"


async def test_leaves_out_what_others_did(world: World) -> None:
    """A computer player has answered, and another person sat there when a window closed."""
    record = await world.round_over()
    played = (await Replays(world.store, SharedWork()).replay(record, 1)).played_round
    changes = await world.store.tables.seat_changes(record.id)
    actions = played.actions[1:]
    own = {at for at, action in enumerate(actions) if action.actor_id == HOST}
    clock = {at for at, action in enumerate(actions) if action.seat == -1}
    assert own
    assert clock
    assert set(range(len(actions))) - set(skipped_actions(played, changes, 0, HOST)) == own | clock
    middle = sorted(clock)[len(clock) // 2]
    left = changes[0].model_copy(
        update={"seat": 0, "user_id": None, "kind": "computer", "seq": actions[middle].seq}
    )
    skipped = set(skipped_actions(played, [left, *changes], 0, HOST))
    assert {at for at in clock if at >= middle} <= skipped
    assert not {at for at in clock if at < middle} & skipped


async def test_the_real_players_review_a_round(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name, number in (
        ("_PLAYOUTS", 200),
        ("_DEALS", 40),
        ("_CONFIRMING_DEALS", 80),
        ("_CHANCE_DEALS", 16),
    ):
        monkeypatch.setattr(coach, name, number)
    record = await world.round_over()
    reviews = world.use(Players())
    with caplog.at_level(logging.DEBUG):
        found = await world.review(record)
    assert found == await reviews.stored(record.id, 1, 0)
    assert len(found.judged) > 5
    assert len(found.curve) > 3
    assert all(0 <= chance <= 1 for turn in found.curve for chance in turn.chances)
    assert not [each for each in caplog.records if each.name.startswith(("bot", "players"))]


async def test_reviews_the_last_of_an_agreed_number_of_rounds(world: World) -> None:
    link = EventLink(event=ClubEventId(1), round=1, match=0, draw=1, rounds=1)
    options = quick("nanjing").model_copy(update={"event": link})
    plan = LobbyPlan(GUILD, CHANNEL, HOST, options, chairs(computers=(1, 2, 3)))
    table_id = (await world.tables.create(plan)).id
    await world.tables.execute(table_id, HOST, Start())
    while world.tables.find(table_id) is not None:
        await world.play_for(table_id, HOST)
        await world.run(1.05)
    record = await world.record(table_id)
    over = (await world.replays.replay(record, 1)).played_round.positions[-1].match
    assert over.winners
    found = await world.review(record)
    assert found.curve[-1].chances.match == (0 in over.winners), "it was the end of the match"


# --- solo rounds ---------------------------------------------------------------------------------


async def solo_replay(world: World, user_id: UserId = HOST) -> Replay:
    """Return the replay of a finished round on a deal of the day."""
    today = world.time.now().date()
    await world.store.boards.draw_days([today], lambda: "5a" * 32)
    (board,) = map(Board.of, await world.store.boards.days(today, today))
    round_ = await stored_round(world.store, board, user_id, world.time.now())
    return await SoloReplays(world.store, SharedWork()).replay(
        TableId(SOLO_IDS + round_.id), user_id
    )


async def test_stores_the_review_of_a_solo_round_with_it(world: World) -> None:
    replay = await solo_replay(world)
    key = replay.table.id, 1, PERSON
    assert await world.reviews.stored(*key) is None
    found = await world.reviews.request(replay, PERSON, HOST, lambda _: None)
    assert found.judged
    judged = {each.at for each in found.judged}
    actions = replay.played_round.actions[1:]
    assert {actions[at].seat for at in judged} <= {CLOCK, PERSON}, "no decisions of computers"
    assert await world.reviews.stored(*key) == found
    made = len(world.judges.asked)
    assert await world.reviews.request(replay, PERSON, HOST, lambda _: None) == found
    assert len(world.judges.asked) == made, "made only once"
    await world.tables.forgetting.forget(HOST)
    assert await world.reviews.stored(*key) is None


async def test_reviews_a_solo_round_for_its_person_only(world: World) -> None:
    replay = await solo_replay(world)
    for seat, user_id in ((PERSON, BEN), (1, HOST)):
        with pytest.raises(Refused) as refused:
            await world.reviews.request(replay, seat, user_id, lambda _: None)
        assert refused.value.code == "not-your-review"


async def test_solo_reviews_count_within_the_same_limit(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "NEW_REVIEWS_A_DAY", 1)
    await world.review(await world.round_over())
    replay = await solo_replay(world)
    with pytest.raises(Refused) as refused:
        await world.reviews.request(replay, PERSON, HOST, lambda _: None)
    assert refused.value.code == "review-limit"


async def test_an_erasure_during_a_solo_review_discards_it(world: World) -> None:
    slow = SlowPool(1)
    reviews = world.use(slow)
    replay = await solo_replay(world)
    asked = asyncio.create_task(reviews.request(replay, PERSON, HOST, lambda _: None))
    while not slow.at_work:
        await asyncio.sleep(0.001)
    await world.tables.forgetting.forget(HOST)
    while not asked.done():
        slow.give(lambda work: world.judges.judge(work.arguments["task"]))
        await asyncio.sleep(0.001)
    with pytest.raises(Refused) as refused:
        await asked
    assert refused.value.code == "being-forgotten"
