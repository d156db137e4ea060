"""Thinking beside the event loop: applied when due, dropped when outdated, never late."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.computers.decision_scheduler import (
    LEAST_SECONDS,
    LONGEST_SECONDS,
    MARGIN_SECONDS,
    Decision,
    DecisionScheduler,
)
from bot.computers.worker_pool import Work
from bot.errors import Refused, Stale
from bot.ids import ChannelId, Revision, UserId
from bot.table.commands import VoteToStop
from bot.table.deadlines import PAUSES, deadlines
from bot.table.decisions import deciding_view, questions
from bot.table.options import TableOptions
from bot.table.state import Game
from engine import Action, AnswerGrand, Bomb, CallTichu, GiveTrick, Match, Pass, Phase, View
from players.levels import Advice
from players.novice.player import Novice
from tests.bot.asking import act
from tests.bot.computers.pools import SlowPool
from tests.bot.fake_time import FakeTime, settle
from tests.bot.games import any_manner, plain_brain
from tests.bot.states import HOST, NOON, chairs, state, timed
from tests.bot.table_world import QUICK, TableWorld
from tests.bot.text.samples import NO_GRAND
from tests.engine.positions import after, dealt, table

HINTS = QUICK.model_copy(update={"hints": True, "turn_limit_s": 900, "nudge_s": 600})
BOMB = "S4 P4 J4 T4"


@pytest.fixture
def pool() -> SlowPool:
    return SlowPool()


@pytest.fixture
async def world(tmp_path: Path, pool: SlowPool) -> AsyncIterator[TableWorld]:
    world = TableWorld(tmp_path, pool=pool)
    await world.open()
    yield world
    await world.close()


def calls_grand(seen: View) -> Action | None:
    assert seen.seat is not None
    return AnswerGrand(seen.seat, True)


def answers(world: TableWorld, at: Game) -> tuple[bool | None, ...]:
    return world.game(at.id).round.opening.answers


async def when_due(world: TableWorld, at: Game, seconds: float = 0.0) -> None:
    """Let time pass until `seconds` seconds after computer players have to answer."""
    due = world.game(at.id).timers.deadlines["think"]
    await world.run((due - world.time.now()).total_seconds() + seconds)


# --- when decisions are applied ------------------------------------------------------------------


async def test_an_answer_is_kept_until_it_is_due(world: TableWorld, pool: SlowPool) -> None:
    at = await world.match(people=1)
    asked = [(view_of(work).seat, work.arguments["level"]) for work in pool.asked]
    assert asked == [(1, "expert"), (2, "expert"), (3, "expert")]
    pool.answer(calls_grand)
    told = len(world.heard.news)
    await when_due(world, at, -0.001)
    assert answers(world, at) == (None,) * 4
    await when_due(world, at)
    assert answers(world, at) == (None, True, True, True)
    assert len(world.heard.news) == told + 1, "all in one change"
    assert (world.scheduler.total, world.scheduler.late) == (3, 0)
    await world.check_stored(at.id)


async def test_due_time_does_not_depend_on_the_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All happens at the same times whether workers answer at once, fail or never answer."""
    for pace, (least, most) in PAUSES.items():
        monkeypatch.setitem(PAUSES, pace, ((least + most) / 2,) * 2)

    async def news(name: str, work: Callable[[SlowPool], None]) -> list[tuple[object, ...]]:
        pool = SlowPool(50)
        world = TableWorld(tmp_path / name, brain=steady, pool=pool)
        (tmp_path / name).mkdir()
        await world.open()
        at = await world.match(people=2)
        for _ in range(300):
            work(pool)
            await world.run(0.19)
        told = [(record.at, record.text) for record in await world.store.tables.actions(at.id)]
        await world.close()
        return list(told)

    never = await news("never", lambda pool: None)
    at_once = await news("at-once", lambda pool: pool.answer(steady))
    fails = await news("fails", lambda pool: pool.give(_fail))
    assert len(never) > 20
    assert at_once == never == fails


def steady(seen: View) -> Action | None:
    """Choose like a Novice, always the same for the same view."""
    return Novice().choose(seen, random.Random(1))


def _fail(work: Work) -> None:
    raise ValueError("the Dragon")


async def test_novice_answers_for_a_late_worker(world: TableWorld, pool: SlowPool) -> None:
    at = await world.match(people=1)
    await when_due(world, at)
    assert None not in answers(world, at)[1:]
    assert (world.scheduler.total, world.scheduler.late) == (3, 3)
    pool.answer(calls_grand)  # too late: it is ignored
    await settle()
    assert True not in answers(world, at)


async def test_novice_answers_for_a_failed_worker_and_no_card_is_logged(
    world: TableWorld, pool: SlowPool, caplog: pytest.LogCaptureFixture
) -> None:
    at = await world.match(people=1)
    pool.give(_fail)
    await when_due(world, at)
    assert None not in answers(world, at)[1:]
    assert "no decision from a worker: ValueError in test_decision_scheduler.py" in caplog.text
    assert "Dragon" not in caplog.text


async def test_replaces_an_illegal_action(
    world: TableWorld, pool: SlowPool, caplog: pytest.LogCaptureFixture
) -> None:
    at = await world.match(people=1)
    pool.answer(lambda seen: Pass(0))
    await when_due(world, at)
    assert not any(answers(world, at)[1:]), "no bet"
    assert None not in answers(world, at)[1:]
    assert caplog.text.count("chose an illegal action") == 3


async def test_drops_outdated_thoughts(world: TableWorld, pool: SlowPool) -> None:
    at = await world.match(people=1)
    pool.answer(lambda seen: AnswerGrand(seen.seat or 0, False))
    await act(world.tables, at.id, HOST, at.revision, lambda seat: AnswerGrand(seat, False))
    await when_due(world, at)
    at = world.game(at.id)
    assert at.phase is Phase.EXCHANGE
    old, pool.at_work = pool.at_work, []
    assert [view_of(work).seat for work, _ in old] == [1, 2, 3]
    at = await act(world.tables, at.id, HOST, None, CallTichu)
    restarted = [view_of(work) for work, _ in pool.at_work]
    assert [seen.seat for seen in restarted] == [1, 2, 3]
    assert all(seen.seats[0].call is not None for seen in restarted), "they know of the call now"
    for work, answer in old:
        answer.set_result(Pass(view_of(work).seat or 0))
    novice = plain_brain(3)
    pool.answer(novice)
    await when_due(world, at)
    assert [given is not None for given in world.game(at.id).round.opening.given][1:] == [True] * 3


async def test_asks_everything_again_after_a_restart(world: TableWorld, pool: SlowPool) -> None:
    at = await world.match(people=1)
    pool.at_work.clear()  # they ended with the bot
    asked = len(pool.asked)
    world.time.jump(world.time.seconds_from_now(60))
    await world.reopen()
    assert [view_of(work).seat for work in pool.asked[asked:]] == [1, 2, 3]
    pool.answer(calls_grand)
    await world.quiet()
    assert answers(world, at) == (None,) * 4, "there is time to think"
    await when_due(world, at)
    assert answers(world, at) == (None, True, True, True)


async def test_a_table_that_is_over_is_not_thought_about(world: TableWorld, pool: SlowPool) -> None:
    at = await world.match(people=1)
    await settle()
    assert not pool.cancelled
    await world.tables.execute(at.id, HOST, VoteToStop(moderator=True))
    await settle()
    assert pool.cancelled == [answer for _, answer in pool.at_work], "all may stop thinking"
    pool.answer(calls_grand)
    await settle()
    assert len(pool.asked) == 3


async def test_clicks_do_not_wait_for_thoughts(world: TableWorld, pool: SlowPool) -> None:
    at = await world.match(people=1)
    at = await act(world.tables, at.id, HOST, at.revision, lambda seat: AnswerGrand(seat, False))
    assert at.round.opening.answers[0] is False
    assert len(pool.at_work) == 3


# --- questions -----------------------------------------------------------------------------------


def playing(match: Match, *computers: int, **given: object) -> Game:
    """Return a table with this match and these computer players, its deadlines set."""
    at = state(match, chairs=chairs(computers=computers), **given)
    return timed(at, deadlines(replace(at, revision=Revision(-1)), at, NOON))


def asked(at: Game) -> list[tuple[int, str]]:
    return [(question.seat, question.subject) for question in questions(at)]


def test_asks_only_for_current_decisions() -> None:
    assert asked(playing(dealt(), 1, 3)) == [(1, "answer"), (3, "answer")]
    assert asked(playing(after(dealt(), "B grand:no"), 1, 3)) == [(3, "answer")]
    assert asked(playing(after(dealt(), *NO_GRAND), 0, 2)) == [(0, "answer"), (2, "answer")]
    turn = table("TURN B", trick="A S8")
    assert asked(playing(turn, 1, 2)) == [(1, "move")]
    assert asked(playing(turn, 0, 2)) == []
    assert asked(playing(turn, 1, status="stopped")) == []
    over = after(table("LEAD C", hands={"C": "S9"}, out="AB"), "C play:S9")
    assert asked(playing(over, 0, 1, 2, 3)) == []


WINDOW = table("WINDOW B", trick="A S8", hands={"A": "+5", "B": f"{BOMB} +2", "C": "+5", "D": "+5"})


def test_asks_for_bombs_and_the_next_move_in_a_window() -> None:
    assert asked(playing(WINDOW, 0, 1, 2, 3)) == [(1, "move"), (1, "bomb")]
    assert asked(playing(WINDOW, 2, 3)) == [], "who has no bomb has nothing to decide"


def test_finished_player_gives_the_dragon_away_before_the_next_lead() -> None:
    trick = "A DRAGON | B pass | C pass | D pass"
    closing = table("CLOSING B", trick=trick, hands={"A": "", "B": "+5"}, out="A")
    at = playing(closing, 0, 1)
    assert asked(at) == [(0, "move")]
    (gift,) = questions(at)
    assert {type(action) for action in deciding_view(at, gift).actions} == {GiveTrick}
    assert "think" in at.timers.deadlines
    assert asked(playing(closing, 1)) == []
    assert "think" not in playing(closing, 1).timers.deadlines


def test_the_next_move_is_the_same_question_when_the_window_has_closed() -> None:
    at = playing(WINDOW, 1)
    closed = replace(at, match=after(WINDOW, "clock close"))
    (move, _), (same,) = questions(at), questions(closed)
    assert same == move
    assert deciding_view(at, move) == deciding_view(closed, move)
    called = replace(at, match=after(WINDOW, "D tichu"))
    assert move not in questions(called)


def test_computer_player_gets_its_view_and_a_stand_in_may_not_call() -> None:
    at = playing(table("LEAD B", hands={"B": "+14"}), 1)
    (question,) = questions(at)
    seen = deciding_view(at, question)
    assert CallTichu(1) in seen.actions
    assert [seat for seat, _ in seen.hands] == [1]
    absent = replace(at, chairs=chairs())
    assert CallTichu(1) not in deciding_view(absent, question).actions
    assert CallTichu(1) in deciding_view(absent, question, advice=True).actions


def test_novice_plays_for_an_absent_person() -> None:
    at = playing(table("LEAD B"), 1)
    assert [at.level(seat) for seat in (0, 1)] == ["novice", "expert"]
    modest = playing(table("LEAD B"), 1, options=TableOptions(computers="novice"))
    assert modest.level(1) == "novice"


async def test_does_not_ask_where_there_is_no_choice() -> None:
    pool = SlowPool()
    scheduler = DecisionScheduler(lambda: NOON, any_manner(plain_brain(1)), pool, random.Random(1))
    at = playing(table("TURN B", trick="A SA", hands={"B": "S9"}, calls={"B": "TICHU"}), 1)
    (question,) = questions(at)
    assert deciding_view(at, question).actions == (Pass(1),)
    scheduler.update(at)
    assert pool.asked == []
    assert scheduler.decisions(at, ("move",)) == {question: Pass(1)}
    assert scheduler.late == 0


async def test_bomb_may_be_considered_until_the_window_closes() -> None:
    pool = SlowPool()
    scheduler = DecisionScheduler(lambda: NOON, any_manner(plain_brain(1)), pool, random.Random(1))
    at = playing(WINDOW, 1)
    scheduler.update(at)
    bombs = [work for work in pool.asked if view_of(work).phase is Phase.WINDOW]
    assert len(bombs) == 1
    thrown = next(action for action in view_of(bombs[0]).actions if isinstance(action, Bomb))
    pool.answer(lambda seen: thrown if seen.phase is Phase.WINDOW else None)
    await settle()
    assert list(scheduler.decisions(at, ("bomb",)).values()) == [thrown]


# --- thinking time -------------------------------------------------------------------------------


class Machine:
    """Workers in simulated time that take the allowed time and some overhead."""

    WAY, novices_sit_in = 0.002, False

    def __init__(self, size: int) -> None:
        self.size = size
        self.time = FakeTime()
        self.busy = 0
        self.seconds: list[float] = []
        self.novices = 0
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def free(self) -> int:
        return self.size - self.busy

    def submit(self, work: Work) -> asyncio.Future[Any]:
        self.busy += 1
        self.seconds.append(work.seconds)
        self.novices += work.arguments.get("level") == "novice"
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(self._think(work, answer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return answer

    def cancel(self, asked: asyncio.Future[Any]) -> None:
        """Accept the request to hurry; these workers keep to their time anyway."""

    async def _think(self, work: Work, answer: asyncio.Future[Any]) -> None:
        expert = work.arguments.get("level") == "expert"
        await self.time.sleep(self.WAY + (work.seconds if expert else 0.002))
        self.busy -= 1
        answer.set_result(Pass(1))


LEAD = table("LEAD B")


@pytest.mark.parametrize("pace", ["human", "quick"])
@pytest.mark.parametrize(
    "workers, tables", [(1, 1), (1, 50), pytest.param(2, 50, marks=pytest.mark.soak), (4, 12)]
)
async def test_many_tables_share_the_time_and_none_is_late(
    pace: str, workers: int, tables: int
) -> None:
    machine, chance = Machine(workers), random.Random(3)
    time = machine.time
    scheduler = DecisionScheduler(time.now, any_manner(plain_brain(1)), machine, random.Random(1))
    options = TableOptions(pace=pace)  # type: ignore[arg-type]

    async def moves(number: int) -> None:
        """Ask for one move after another, each when the last one was made."""
        at = state(LEAD, id=number, chairs=chairs(computers=(0, 1, 2, 3)), options=options)
        await time.sleep(chance.random())
        for revision in range(1, 15):
            before, at = at, replace(at, revision=Revision(revision))
            times = deadlines(before, at, time.now())
            at = timed(at, times)
            scheduler.update(at)
            await time.sleep((times["think"] - time.now()).total_seconds())
            scheduler.decisions(at, ("move",))

    games = asyncio.gather(*(moves(number) for number in range(tables)))
    while not games.done():
        await time.run(0.5)
    assert scheduler.total == tables * 14
    assert scheduler.late == 0
    assert max(machine.seconds) <= LONGEST_SECONDS
    experts = [seconds for seconds in machine.seconds if seconds >= LEAST_SECONDS]
    if tables == 1:
        assert len(experts) == 14
        assert min(experts) >= (0.35 if pace == "human" else 0.07)
    elif pace == "human":
        assert machine.novices < len(machine.seconds) / 10


async def test_single_question_gets_the_full_time() -> None:
    pool = SlowPool()
    scheduler = DecisionScheduler(lambda: NOON, any_manner(plain_brain(1)), pool, random.Random(1))
    at = playing(LEAD, 1)
    scheduler.update(at)
    left = (at.timers.deadlines["think"] - NOON).total_seconds() - MARGIN_SECONDS
    assert pool.asked[0].seconds == pytest.approx(min(LONGEST_SECONDS, left))


# --- advice --------------------------------------------------------------------------------------


def view_of(work: Work) -> View:
    seen = work.arguments["view"]
    assert isinstance(seen, View)
    return seen


def best(work: Work) -> Decision:
    assert work.function == "advise"
    seat = view_of(work).seat or 0
    return (Advice(AnswerGrand(seat, True), 12.5), Advice(AnswerGrand(seat, False), -3.0))


async def test_advises_a_player_with_a_decision(world: TableWorld, pool: SlowPool) -> None:
    at = await world.match(options=HINTS)
    assert pool.asked == []
    advised = asyncio.create_task(world.tables.advise(at.id, UserId(102), at.revision))
    await settle()
    (work,) = pool.asked
    assert (view_of(work).seat, [seat for seat, _ in view_of(work).hands]) == (1, [1])
    assert 0.2 < work.seconds <= 1.0
    pool.give(best)
    assert await advised == (at, 1, best(work))


async def refusal(world: TableWorld, at: Game, user: UserId = HOST) -> str:
    with pytest.raises(Refused) as refused:
        await world.tables.advise(at.id, user, at.revision)
    return refused.value.code


async def test_refuses_advice_without_a_decision(world: TableWorld, pool: SlowPool) -> None:
    at = await world.match(ChannelId(1))
    assert await refusal(world, at) == "no-hints"
    at = await world.match(ChannelId(2), options=HINTS)
    assert await refusal(world, at, UserId(999)) == "not-seated"
    with pytest.raises(Stale):
        await world.tables.advise(at.id, HOST, Revision(at.revision + 1))
    at = await act(world.tables, at.id, HOST, at.revision, lambda seat: AnswerGrand(seat, False))
    assert await refusal(world, at) == "not-your-turn"
    pool.size = 0
    assert await refusal(world, at, UserId(102)) == "no-advice"


async def test_gives_one_advice_at_a_time(world: TableWorld, pool: SlowPool) -> None:
    at = await world.match(options=HINTS)
    advised = asyncio.create_task(world.tables.advise(at.id, HOST, at.revision))
    await settle()
    assert await refusal(world, at) == "advice-coming"
    other = asyncio.create_task(world.tables.advise(at.id, UserId(102), at.revision))
    await settle()
    pool.give(best)
    await advised
    await other
    again = asyncio.create_task(world.tables.advise(at.id, HOST, at.revision))
    await settle()
    pool.give(best)
    await again


async def test_advice_for_a_changed_table_is_stale(world: TableWorld, pool: SlowPool) -> None:
    at = await world.match(options=HINTS)
    advised = asyncio.create_task(world.tables.advise(at.id, HOST, at.revision))
    await settle()
    await act(world.tables, at.id, HOST, at.revision, lambda seat: AnswerGrand(seat, False))
    pool.give(best)
    with pytest.raises(Stale):
        await advised


async def test_a_worker_that_fails_has_no_advice(world: TableWorld, pool: SlowPool) -> None:
    at = await world.match(options=HINTS)
    advised = asyncio.create_task(world.tables.advise(at.id, HOST, at.revision))
    await settle()
    pool.give(_fail)
    with pytest.raises(Refused) as refused:
        await advised
    assert refused.value.code == "no-advice"


def test_repr_of_a_question_hides_the_view() -> None:
    at = playing(WINDOW, 1)
    question, _ = questions(at)
    view = deciding_view(at, question)
    assert "Hand" not in repr(Work("choose", {"view": view}, 0.1))
