"""When computer players are asked, and what becomes of their answers.

After each change of a table the questions that its computer players have to decide are put to a
pool of workers, the most urgent first. An answer is kept until it is due. If there is none by then,
a Novice answers at once. So no table and no click ever waits, and the length of a pause does not
tell how hard a decision was.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Protocol

from bot.computers.worker_pool import Thought, Work, WorkerFailed
from bot.errors import Reason, Refused
from bot.ids import TableId
from bot.runtime.clock import Now
from bot.runtime.logs import kind_and_place
from bot.table.computer_names import manner_at
from bot.table.deadlines import PAUSES, out_of_time
from bot.table.decisions import (
    Question,
    Subject,
    hint_question,
    question_to,
    questions,
    what_is_seen,
)
from bot.table.details import Deadline
from bot.table.state import Game, OpenTable
from engine import Action, Phase, Seat, View
from players.levels import REGULAR_SECONDS, Advice, Level
from players.manners import Manner

log = logging.getLogger(__name__)

LONGEST_SECONDS = 0.95
"""The longest an Expert may think about one decision: with all around it, less than a second."""
LEAST_SECONDS = 0.02
"""If there is less time than this, a Novice decides instead of an Expert."""
MARGIN_SECONDS = 0.05
"""How long before an answer is due it should be there."""
_OVERHEAD_SECONDS = (0.004, 0.1)
"""The least and the most that a question is expected to cost a worker beside its time to think."""
_SMOOTHING = 0.9
"""The weight of the old value when the expected overhead is updated with a measured one."""
_RESERVE = 0.4
"""The part of the shortest pause that a question may take from the last free worker.

So a question that comes a moment later still finds a worker in time.
"""
_ADVICE_DUE = timedelta(seconds=1.2)
"""When advice is due after a person asked for it."""
_LEAST_ADVICE_SECONDS = 0.25
"""The shortest time for which an Expert thinks about advice, however many questions wait."""
_ADVICE_TIMEOUT_SECONDS = 6.0
"""How long the person waits for advice before they are told that there is none."""


Mannered = Callable[[View, Manner], Action | None]
"""A computer player that answers at once, in this manner. `None`: nothing is asked of the seat, or
it waives."""


class Pool(Protocol):
    """Workers that think beside the event loop.

    `bot.computers.worker_pool.Workers` is one; tests have others that answer at once, or never.
    """

    @property
    def size(self) -> int:
        """The number of workers that are ready or at work."""

    @property
    def free(self) -> int:
        """The number of workers that are ready and have nothing to do."""

    @property
    def novices_sit_in(self) -> bool:
        """Return whether no Expert is ready, and people should know."""

    def ask(self, work: Work) -> asyncio.Future[Thought]:
        """Give a question to a free worker. The future fails if the worker does."""

    def hurry(self, asked: asyncio.Future[Thought]) -> None:
        """Cancel: ask the worker with this question to finish early."""


@dataclass(slots=True, repr=False, eq=False)
class _Task:
    """A question that waits for a worker, or whose answer waits until it is due."""

    state: Game
    """The table as it was when the question came up."""
    question: Question
    """What is asked."""
    level: Level | None
    """The level of the computer player that decides; `None` for advice to a person."""
    due: datetime
    """When the answer is needed."""
    answer: asyncio.Future[Thought | None]
    """The answer; `None` if no worker gave one. Cancelled when the question is no longer open."""
    begun: datetime | None = None
    """When a worker got the question."""
    seconds: float = 0.0
    """How long the worker may think."""


class Thinking:
    """The open questions of computer players at all tables, and their answers.

    `novice` decides whatever must be decided at once; without a `pool` that is everything.
    """

    def __init__(
        self,
        now: Now,
        novice: Mannered,
        pool: Pool | None = None,
        rng: random.Random | None = None,
    ) -> None:
        self.asked = 0
        """The number of questions that fell due."""
        self.late = 0
        """The number of those that the pool had not answered by then: a Novice did."""
        self.latest = 0.0
        """The largest delay between the time an answer was due and its collection, in seconds.

        This one is for benches.
        """
        self._now = now
        self._novice = novice
        self._pool = pool
        self._rng = rng or random.SystemRandom()
        self._tasks: dict[TableId, dict[Question, _Task]] = {}
        """The open questions of each table."""
        self._pauses: dict[TableId, float] = {}
        """The shortest pause of computer players at each table that is played, in seconds."""
        self._waiting: list[_Task] = []
        """The questions that no worker has got yet, the most urgent first."""
        self._advised: set[tuple[TableId, Seat]] = set()
        """The seats for which advice is under way."""
        self._overhead = _OVERHEAD_SECONDS[0]
        """What a question is expected to cost a worker beside its time to think, in seconds."""

    # --- questions -----------------------------------------------------------------------------

    def consider(self, state: OpenTable) -> None:
        """Update the questions of a table that has changed: drop old ones, ask new ones."""
        if self._pool is None:
            return
        known = self._tasks.pop(state.id, {})
        if isinstance(state, Game):
            self._ask(state, known)
        for task in known.values():
            task.answer.cancel()
        self._dispatch()

    def forget(self, table_id: TableId) -> None:
        """Drop the questions of a table that another process has from now on."""
        for task in self._tasks.pop(table_id, {}).values():
            task.answer.cancel()
        self._pauses.pop(table_id, None)

    def _ask(self, state: Game, known: dict[Question, _Task]) -> None:
        """Make a task for each open question of a game.

        `known` are its tasks so far. Those whose question is still open are taken out of it and
        kept.
        """
        tasks: dict[Question, _Task] = {}
        for question in questions(state):
            due = _due(state, question, self._now())
            task = known.pop(question, None)
            tasks[question] = task or self._task(state, question, state.level(question.seat), due)
            tasks[question].due = due
        if tasks:
            self._tasks[state.id] = tasks
            self._pauses[state.id] = PAUSES[state.options.pace][0]
        elif not state.running:
            self._pauses.pop(state.id, None)

    def _task(self, state: Game, question: Question, level: Level | None, due: datetime) -> _Task:
        """Return a new task, which waits for a worker."""
        answer: asyncio.Future[Thought | None] = asyncio.get_running_loop().create_future()
        task = _Task(state, question, level, due, answer)
        self._waiting.append(task)
        return task

    def _dispatch(self) -> None:
        """Give the most urgent questions to free workers."""
        assert self._pool is not None
        now = self._now()
        too_late = now + timedelta(seconds=self._overhead)
        for task in self._waiting:
            if not task.answer.done() and task.due <= too_late:
                task.answer.set_result(None)  # a Novice will decide when it is due
        waiting = (task for task in self._waiting if not task.answer.done())
        self._waiting = sorted(waiting, key=lambda task: task.due)
        while self._waiting and self._pool.free:
            seconds = self._seconds()
            task = self._waiting.pop(0)
            view = what_is_seen(task.state, task.question, advice=task.level is None)
            # In the exchange a view lists only some of the legal actions.
            if task.level and view.phase is not Phase.EXCHANGE and len(view.actions) == 1:
                task.answer.set_result((Advice(view.actions[0], 0.0),))
                continue
            level = "novice" if task.level and seconds < LEAST_SECONDS else task.level
            if level is None:
                seconds = max(seconds, _LEAST_ADVICE_SECONDS)
            task.begun, task.seconds = now, _thinks(level, seconds)
            manner = manner_at(task.state, task.question.seat)
            work = Work(view, level, self._rng.getrandbits(63), task.seconds, manner)
            asked = self._pool.ask(work)
            asked.add_done_callback(partial(self._receive, task))
            task.answer.add_done_callback(partial(self._answered, asked))

    def _seconds(self) -> float:
        """How long a worker may think about the first waiting question, in seconds.

        All waiting questions shall be answered in time. So for each of them the time until it is
        due is shared among it and the questions before it.
        """
        assert self._pool is not None
        workers, now = self._pool.size, self._now()
        seconds = LONGEST_SECONDS
        if self._pool.free == 1:
            seconds = min(seconds, _RESERVE * min(self._pauses.values(), default=seconds))
        for place, task in enumerate(self._waiting, 1):
            left = (task.due - now).total_seconds() - MARGIN_SECONDS
            seconds = min(seconds, left * workers / max(place, workers) - self._overhead)
        return seconds

    def _answered(self, asked: asyncio.Future[Thought], answer: asyncio.Future[object]) -> None:
        """Ask the worker to finish early if its question is no longer open."""
        if answer.cancelled() and self._pool is not None:
            self._pool.hurry(asked)

    def _receive(self, task: _Task, done: asyncio.Future[Thought]) -> None:
        """Take over the answer of a worker, or its failure, and give out the next questions."""
        error = done.exception()
        hurried = task.answer.cancelled()
        if error is None and task.begun is not None and not hurried:
            self._learn((self._now() - task.begun).total_seconds() - task.seconds)
        if not task.answer.done():
            task.answer.set_result(None if error else done.result())
        if self._pool is not None:
            if error is not None:
                log.warning("a worker gave no answer: %s", _reason(error))
            self._dispatch()

    def _learn(self, overhead: float) -> None:
        """Take over what a question has cost beside the time to think: more on a busy machine.

        Below 0 the worker has ended early, as for most plain decisions, and nothing is known.
        """
        if overhead >= 0.0:
            smooth = _SMOOTHING * self._overhead + (1 - _SMOOTHING) * overhead
            least, most = _OVERHEAD_SECONDS
            self._overhead = min(most, max(least, smooth))

    @property
    def waiting(self) -> int:
        """How many questions no worker has got yet."""
        return sum(not task.answer.done() for task in self._waiting)

    def close(self) -> None:
        """Ask the workers nothing more: the bot is about to end them."""
        self._pool = None

    # --- answers -------------------------------------------------------------------------------

    def decided(self, state: Game, subjects: Sequence[Subject]) -> dict[Question, Action | None]:
        """Return the decisions of computer players on these subjects, which are due now.

        A question that the pool has not answered is decided by a Novice. If several are late and a
        pool thinks, only the first of them is decided; the others stay due.
        """
        now, tasks = self._now(), self._tasks.get(state.id, {})
        answers: dict[Question, Action | None] = {}
        late: list[Question] = []
        for question in questions(state):
            if question.subject not in subjects:
                continue
            self.latest = max(self.latest, (now - _due(state, question, now)).total_seconds())
            task = tasks.get(question)
            if task is not None and task.answer.done() and (best := task.answer.result()):
                answers[question] = best[0].action
            else:
                late.append(question)
        replaced = self._by_novices(state, late, together="bomb" in subjects)
        self.asked += len(answers) + len(replaced)
        if self._pool is not None:
            self.late += len(replaced)
        return answers | replaced

    def for_absent(self, state: Game) -> dict[Question, Action | None]:
        """Return the decisions of a Novice for the people whose turn is over, made at once."""
        late = out_of_time(state)
        seats = (seat for seat in state.awaited_seats if state.decider(seat) in late)
        return self._by_novices(state, [q for seat in seats if (q := question_to(state, seat))])

    def _by_novices(
        self, state: Game, asked: list[Question], *, together: bool = False
    ) -> dict[Question, Action | None]:
        """Return the decisions of Novices, made at once.

        With a pool only the first of these questions is decided, unless they have to be decided
        `together`: each takes some milliseconds, in which the event loop serves nobody else.
        """
        if self._pool is not None and not together:
            asked = asked[:1]
        return {question: self._novices_choice(state, question) for question in asked}

    def _novices_choice(self, state: Game, question: Question) -> Action | None:
        """Return the decision of a Novice; `None` if it fails, which is logged."""
        try:
            return self._novice(what_is_seen(state, question), manner_at(state, question.seat))
        except Exception as error:  # noqa: BLE001 - whatever it is, the table goes on
            log.error("table %s: a computer player failed: %s", state.id, kind_and_place(error))
            return None

    async def advise(self, state: Game, seat: Seat) -> tuple[Question, Thought]:
        """What this seat has to decide, and what an Expert would do, who sees only its view.

        Raises `Refused` if the seat has nothing to decide (``not-your-turn``), while advice for it
        is under way (``advice-coming``), if no worker can think now (``no-advice``), and where
        there are none (``no-experts``).
        """
        question = hint_question(state, seat)
        if question is None:
            raise Refused(Reason.NOT_YOUR_TURN)
        if (state.id, seat) in self._advised:
            raise Refused(Reason.ADVICE_COMING)
        if self._pool is None:
            raise Refused(Reason.NO_EXPERTS)
        if not self._pool.size:
            raise Refused(Reason.NO_ADVICE)
        task = self._task(state, question, None, self._now() + _ADVICE_DUE)
        self._advised.add((state.id, seat))
        try:
            self._dispatch()
            advice = await asyncio.wait_for(task.answer, _ADVICE_TIMEOUT_SECONDS)
        except TimeoutError:
            advice = None
        finally:
            self._advised.discard((state.id, seat))
        if advice is None:
            raise Refused(Reason.NO_ADVICE)
        return question, advice


def _thinks(level: Level | None, seconds: float) -> float:
    """How long a player of this level is expected to think, who may do so for some `seconds`."""
    return {"novice": 0.0, "regular": min(seconds, REGULAR_SECONDS)}.get(level or "expert", seconds)


def _due(state: Game, question: Question, now: datetime) -> datetime:
    """When the answer to a question is needed."""
    deadline: Deadline = "window" if question.subject == "bomb" else "think"
    return state.timers.deadlines.get(deadline, now)


def _reason(error: BaseException) -> str:
    """What the log says of an error: nothing that may hold cards."""
    return str(error) if isinstance(error, WorkerFailed) else kind_and_place(error)
