"""Schedules the decisions of computer players.

After each change of a table, the pending questions of its computer players are submitted to a pool
of workers, the most urgent first. An answer is kept until it is due. If there is none by then, a
Novice answers at once. So no table and no click ever waits, and the length of a pause does not
reveal how hard a decision was.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from bot.computers.background_tasks import BackgroundTasks, Pool, reason_of
from bot.computers.urgent_tasks import UrgentTasks
from bot.computers.worker_pool import Work
from bot.errors import Reason, Refused
from bot.ids import TableId
from bot.runtime.clock import Now
from bot.runtime.logs import kind_and_place
from bot.table.computer_names import manner_at
from bot.table.deadlines import PAUSES, chairs_out_of_time
from bot.table.decisions import (
    Question,
    Subject,
    deciding_view,
    hint_question,
    question_to,
    questions,
)
from bot.table.details import Deadline
from bot.table.state import Game, OpenTable
from engine import Action, Phase, Seat, View
from players.levels import REGULAR_SECONDS, Advice, Level
from players.manners import Manner

log = logging.getLogger(__name__)

LONGEST_SECONDS = 0.95
"""Maximum time of an Expert for a decision, in seconds: less than 1 s with overhead."""
LEAST_SECONDS = 0.02
"""Minimum time of an Expert, in seconds; with less, a Novice decides."""
MARGIN_SECONDS = 0.05
"""Safety margin before an answer is due, in seconds."""
_OVERHEAD_SECONDS = (0.004, 0.1)
"""Bounds of the expected overhead of a question for a worker, in seconds."""
_SMOOTHING = 0.9
"""Weight of the old value when the expected overhead is updated with a measured one."""
_RESERVE = 0.4
"""Share of the shortest pause for which a question may occupy the last free worker.

The rest of the pause is left for a question that comes later.
"""
_ADVICE_DUE = timedelta(seconds=1.2)
"""Time from a person's request for advice until it is due."""
_LEAST_ADVICE_SECONDS = 0.25
"""Minimum time of an Expert for advice, in seconds, regardless of the queue."""
_ADVICE_TIMEOUT_SECONDS = 6.0
"""Timeout of a request for advice, in seconds."""


ImmediatePlayer = Callable[[View, Manner], Action | None]
"""Computer player that decides at once: function of the seat's view and of its manner.

It returns `None` if the seat has nothing to decide, or waives.
"""


Decision = tuple[Advice, ...]
"""Decision of a worker: the chosen action, or for advice several actions, the best first.

Empty if the seat has nothing to decide.
"""


@dataclass(slots=True, repr=False, eq=False)
class _Task:
    """Question that waits for a worker, or whose answer waits until it is due."""

    state: Game
    """Table when the question arose."""
    question: Question
    """Question to decide."""
    level: Level | None
    """Level of the computer player; `None` for advice to a person."""
    due: datetime
    """Deadline of the answer."""
    answer: asyncio.Future[Decision | None]
    """Answer; `None` if no worker gave one. Cancelled when the question is obsolete."""
    begun: datetime | None = None
    """Time when a worker received the question."""
    seconds: float = 0.0
    """Time limit of the worker, in seconds."""


class DecisionScheduler:
    """Pending questions of computer players at all tables, and their answers.

    `novice` makes immediate decisions. Without a `pool` it makes all decisions.
    """

    def __init__(
        self,
        now: Now,
        novice: ImmediatePlayer,
        pool: Pool | None = None,
        rng: random.Random | None = None,
    ) -> None:
        self.total = 0
        """Number of questions that have become due."""
        self.late = 0
        """Number of due questions that a Novice decided because the pool was late."""
        self.latest = 0.0
        """Largest delay of an answer after its deadline, in seconds, for benchmarks."""
        self._now = now
        self._novice = novice
        self._pool = pool
        self._rng = rng or random.SystemRandom()
        self._tasks: dict[TableId, dict[Question, _Task]] = {}
        """Pending questions of each table."""
        self._pauses: dict[TableId, float] = {}
        """Shortest pause of computer players at each running table, in seconds."""
        self._waiting: list[_Task] = []
        """Questions without a worker, the most urgent first."""
        self._advised: set[tuple[TableId, Seat]] = set()
        """Seats with a request for advice in flight."""
        self._overhead = _OVERHEAD_SECONDS[0]
        """Expected overhead of a question for a worker, in seconds."""
        self.background = BackgroundTasks(pool, self._dispatch)
        """Tasks for the workers while no question waits."""
        self.urgent = UrgentTasks(pool, self._dispatch)
        """Tasks for the workers for which a person waits."""

    # --- questions -----------------------------------------------------------------------------

    def update(self, state: OpenTable) -> None:
        """Update the questions of a changed table: drop obsolete ones, add new ones."""
        if self._pool is None:
            return
        known = self._tasks.pop(state.id, {})
        if isinstance(state, Game):
            self._add_tasks(state, known)
        for task in known.values():
            task.answer.cancel()
        self._dispatch()

    def forget(self, table_id: TableId) -> None:
        """Drop the questions of a table that now belongs to another process."""
        for task in self._tasks.pop(table_id, {}).values():
            task.answer.cancel()
        self._pauses.pop(table_id, None)

    def _add_tasks(self, state: Game, known: dict[Question, _Task]) -> None:
        """Store a task for each pending question of a game.

        `known` are the previous tasks of the table. A task whose question is still pending is moved
        from `known` to the new tasks; the obsolete ones stay in `known`.
        """
        tasks: dict[Question, _Task] = {}
        for question in questions(state):
            due = _due(state, question, self._now())
            task = known.pop(question, None)
            if task is None:
                task = self._create_task(state, question, state.level(question.seat), due)
            task.due = due
            tasks[question] = task
        if tasks:
            self._tasks[state.id] = tasks
            self._pauses[state.id] = PAUSES[state.speed][0]
        elif not state.running:
            self._pauses.pop(state.id, None)

    def _create_task(
        self, state: Game, question: Question, level: Level | None, due: datetime
    ) -> _Task:
        """Create a task, which waits for a worker."""
        answer: asyncio.Future[Decision | None] = asyncio.get_running_loop().create_future()
        task = _Task(state, question, level, due, answer)
        self._waiting.append(task)
        return task

    def _dispatch(self) -> None:
        """Assign urgent tasks and the questions that are due first to free workers.

        A background task is next, or if the workers are busy, is interrupted.
        """
        if self._pool is None:
            return
        now = self._now()
        earliest_answer = now + timedelta(seconds=self._overhead)
        for task in self._waiting:
            if not task.answer.done() and task.due <= earliest_answer:
                task.answer.set_result(None)  # too late; a Novice will decide when it is due
        waiting = (task for task in self._waiting if not task.answer.done())
        self._waiting = sorted(waiting, key=lambda task: task.due)
        self.urgent.start_next()

        while self._waiting and self._pool.free:
            seconds = self._time_limit()
            task = self._waiting.pop(0)
            view = deciding_view(task.state, task.question, advice=task.level is None)
            # In the exchange a view lists only some of the legal actions.
            if task.level and view.phase is not Phase.EXCHANGE and len(view.actions) == 1:
                task.answer.set_result((Advice(view.actions[0], 0.0),))
                continue

            level = "novice" if task.level and seconds < LEAST_SECONDS else task.level
            if level is None:  # advice to a person
                seconds = max(seconds, _LEAST_ADVICE_SECONDS)
            task.begun, task.seconds = now, _expected_seconds(level, seconds)
            manner = manner_at(task.state, task.question.seat)
            seed = self._rng.getrandbits(63)
            future = self._pool.submit(_work(level, view, seed, task.seconds, manner))
            future.add_done_callback(partial(self._on_answer, task))
            task.answer.add_done_callback(partial(self._cancel_if_obsolete, future))
        if self._waiting or (self.urgent.waiting and not self._pool.free):
            self.background.interrupt()
        else:
            self.background.start_next()

    def _time_limit(self) -> float:
        """Return the time limit of a worker for the first waiting question, in seconds.

        With this limit for every question, all waiting questions can be answered in time. So for
        each of them, the time until it is due is shared with the questions before it.
        """
        assert self._pool is not None
        workers, now = self._pool.size, self._now()
        seconds = LONGEST_SECONDS
        if self._pool.free + self.background.running == 1:  # leave time for a later question
            seconds = min(seconds, _RESERVE * min(self._pauses.values(), default=seconds))
        for position, task in enumerate(self._waiting, 1):
            available = (task.due - now).total_seconds() - MARGIN_SECONDS
            share = workers / max(position, workers)  # with more workers each has all of its time
            seconds = min(seconds, available * share - self._overhead)
        return seconds

    def _cancel_if_obsolete(
        self, future: asyncio.Future[Any], answer: asyncio.Future[object]
    ) -> None:
        """Ask the worker to finish early if its question is obsolete."""
        if answer.cancelled() and self._pool is not None:
            self._pool.cancel(future)

    def _on_answer(self, task: _Task, done: asyncio.Future[Any]) -> None:
        """Store the answer or the failure of a worker, and assign the next questions."""
        error = done.exception()
        cancelled = task.answer.cancelled()
        if error is None and task.begun is not None and not cancelled:
            self._update_overhead((self._now() - task.begun).total_seconds() - task.seconds)
        if not task.answer.done():
            task.answer.set_result(None if error else _decision(task, done.result()))
        if self._pool is not None and error is not None:
            log.warning("no decision from a worker: %s", reason_of(error))
        self._dispatch()

    def _update_overhead(self, overhead: float) -> None:
        """Update the expected overhead of a question with a measured one.

        It grows on a busy machine. A measured value below 0 is ignored, because it only means that
        the worker has finished early, as for most simple decisions.
        """
        if overhead >= 0.0:
            average = _SMOOTHING * self._overhead + (1 - _SMOOTHING) * overhead
            least, most = _OVERHEAD_SECONDS
            self._overhead = min(most, max(least, average))

    @property
    def waiting(self) -> int:
        """Number of questions without a worker."""
        return sum(not task.answer.done() for task in self._waiting)

    def close(self) -> None:
        """Stop using the workers, because the bot is about to end them."""
        self._pool = None
        self.urgent.close()
        self.background.close()

    # --- answers -------------------------------------------------------------------------------

    def decisions(self, state: Game, subjects: Sequence[Subject]) -> dict[Question, Action | None]:
        """Return the decisions of computer players on these subjects, which are due now.

        A Novice decides questions that the pool has not answered. With a pool it decides only the
        first of these late questions, unless they are about bombs; the others stay due.
        """
        now, tasks = self._now(), self._tasks.get(state.id, {})
        answers: dict[Question, Action | None] = {}
        unanswered: list[Question] = []
        for question in questions(state):
            if question.subject not in subjects:
                continue
            self.latest = max(self.latest, (now - _due(state, question, now)).total_seconds())
            task = tasks.get(question)
            if task is not None and task.answer.done() and (advice := task.answer.result()):
                answers[question] = advice[0].action
            else:
                unanswered.append(question)
        by_novice = self._novice_decisions(state, unanswered, together="bomb" in subjects)
        self.total += len(answers) + len(by_novice)
        if self._pool is not None:
            self.late += len(by_novice)
        return answers | by_novice

    def decisions_for_absent(self, state: Game) -> dict[Question, Action | None]:
        """Return immediate decisions of a Novice for the people whose time is up."""
        chairs = chairs_out_of_time(state)
        seats = (seat for seat in state.awaited_seats if state.decider(seat) in chairs)
        pending = [question for seat in seats if (question := question_to(state, seat))]
        return self._novice_decisions(state, pending)

    def _novice_decisions(
        self, state: Game, pending: list[Question], *, together: bool = False
    ) -> dict[Question, Action | None]:
        """Return immediate decisions of Novices.

        With a pool only the first of these questions is decided, because each decision blocks the
        event loop for some milliseconds. With `together` all are decided.
        """
        if self._pool is not None and not together:
            pending = pending[:1]
        return {question: self._novice_decision(state, question) for question in pending}

    def _novice_decision(self, state: Game, question: Question) -> Action | None:
        """Return the decision of a Novice, or `None` if it fails, which is logged."""
        try:
            return self._novice(deciding_view(state, question), manner_at(state, question.seat))
        except Exception as error:  # noqa: BLE001 - the table must go on
            log.error("table %s: computer player failed: %s", state.id, kind_and_place(error))
            return None

    async def advise(self, state: Game, seat: Seat) -> tuple[Question, Decision]:
        """Return the pending question of this seat, and an Expert's advice from its view only.

        Raise `Refused` if the seat has nothing to decide (``not-your-turn``), while advice for it
        is in flight (``advice-coming``), if no worker is available now (``no-advice``), or if there
        are no workers at all (``no-experts``).
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
        task = self._create_task(state, question, None, self._now() + _ADVICE_DUE)
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


def _work(level: Level | None, view: View, seed: int, seconds: float, manner: Manner) -> Work:
    """Return the work of a question; `level` is `None` for advice to a person."""
    arguments = {"view": view, "seed": seed, "seconds": seconds}
    if level is None:
        return Work("advise", arguments, seconds)
    return Work("choose", {"level": level, **arguments, "manner": manner}, seconds)


def _decision(task: _Task, result: Any) -> Decision:
    """Return the decision from the result of a worker."""
    if task.level is None:
        advice: Decision = result
        return advice
    return () if result is None else (Advice(result, 0.0),)


def _expected_seconds(level: Level | None, seconds: float) -> float:
    """Return the expected time of a player of this level within a limit of `seconds`.

    An Expert uses all of it, also for advice to a person (`level` is `None`).
    """
    if level == "novice":
        return 0.0
    return min(seconds, REGULAR_SECONDS) if level == "regular" else seconds


def _due(state: Game, question: Question, now: datetime) -> datetime:
    """Return the deadline of the answer to a question."""
    deadline: Deadline = "window" if question.subject == "bomb" else "think"
    return state.timers.deadlines.get(deadline, now)
