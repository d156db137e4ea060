"""Computer players think here, beside the event loop; `bot.live` collects what they decided.

After each change of a table its open questions are put to a pool of workers, the most urgent first.
An answer is kept until it is due; whatever is not there by then the Novice answers at once, so no
table and no click ever waits, and no pause tells how hard a decision was.
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
from bot.runtime.clock import Now
from bot.runtime.logs import kind_and_place
from bot.table.deadlines import PAUSES
from bot.table.decisions import Question, Subject, question_to, questions, what_is_seen
from bot.table.desk import Deadline
from bot.table.state import Game, OpenTable, seats_waited_for
from engine import Action, Phase, View
from players.levels import Advice, Level

log = logging.getLogger(__name__)

LONGEST_SECONDS = 1.0
"""How long an Expert thinks at most."""
LEAST_SECONDS = 0.02
"""With less time than this an Expert's question is put to a Novice."""
MARGIN_SECONDS = 0.05
_WAY_SECONDS = (0.004, 0.1)
"""What a question costs a worker at least and at most, beside the time it may think."""
_STEADY = 0.9
"""How slowly the cost that is reckoned with follows the cost that was seen."""
_RESERVE = 0.4
"""When no other worker stays free: the part of the shortest pause that one may think."""
_ADVICE_DUE = timedelta(seconds=1.2)
_LEAST_ADVICE_SECONDS = 0.25
_ADVICE_SECONDS = 6.0
"""When an advice has not come by then, something is wrong."""


Brain = Callable[[View], Action | None]
"""A computer player that answers at once: the view of its seat in, an action out."""


class Pool(Protocol):
    """Who thinks beside the event loop; in tests somebody who does so at once, or never."""

    @property
    def size(self) -> int:
        """How many are ready to work, or at work."""

    @property
    def free(self) -> int:
        """How many are ready and have nothing to do."""

    def ask(self, work: Work) -> asyncio.Future[Thought]:
        """Let a free one think; the future fails if it does."""

    def hurry(self, asked: asyncio.Future[Thought]) -> None:
        """Say that nobody needs this answer any more, so that its worker ends its search early."""


@dataclass(slots=True, repr=False, eq=False)
class _Task:
    """A question that waits for a worker or for its time; `answer` is `None` if that failed."""

    state: Game
    question: Question
    level: Level | None
    due: datetime
    answer: asyncio.Future[Thought | None]
    begun: datetime | None = None
    seconds: float = 0.0


class Thinking:
    """What computer players think about, at all tables.

    `novice` answers whatever must be known at once; without a `pool` that is everything. `asked`
    and `late` count questions that fell due, and those of them the pool had not answered; `latest`
    are the seconds by which one was collected later than it was due, at most.
    """

    def __init__(
        self,
        now: Now,
        novice: Brain,
        pool: Pool | None = None,
        rng: random.Random | None = None,
    ) -> None:
        self.asked = self.late = 0
        self.latest = 0.0
        self._now = now
        self._novice = novice
        self._pool = pool
        self._rng = rng or random.SystemRandom()
        self._tasks: dict[int, dict[Question, _Task]] = {}
        self._paces: dict[int, float] = {}
        self._waiting: list[_Task] = []
        self._advised: set[tuple[int, int]] = set()
        self._way = _WAY_SECONDS[0]

    # --- what is asked -------------------------------------------------------------------------

    def consider(self, state: OpenTable) -> None:
        """A table has changed: forget what is no longer asked there, think about what is new."""
        if self._pool is None:
            return
        known = self._tasks.pop(state.id, {})
        if isinstance(state, Game):
            self._ask(state, known)
        for task in known.values():
            task.answer.cancel()
        self._dispatch()

    def _ask(self, state: Game, known: dict[Question, _Task]) -> None:
        """Think about this game's questions; those that are `known` are taken out and kept."""
        found: dict[Question, _Task] = {}
        for question in questions(state):
            due = _due(state, question, self._now())
            task = known.pop(question, None)
            found[question] = task or self._task(state, question, state.level(question.seat), due)
            found[question].due = due
        if found:
            self._tasks[state.id] = found
            self._paces[state.id] = PAUSES[state.options.pace][0]
        elif not state.running:
            self._paces.pop(state.id, None)

    def _task(self, state: Game, question: Question, level: Level | None, due: datetime) -> _Task:
        """Something new to think about."""
        answer: asyncio.Future[Thought | None] = asyncio.get_running_loop().create_future()
        task = _Task(state, question, level, due, answer)
        self._waiting.append(task)
        return task

    def _dispatch(self) -> None:
        """Give to free workers what is most urgent."""
        assert self._pool is not None
        now = self._now()
        soon = now + timedelta(seconds=self._way)
        for task in self._waiting:
            if not task.answer.done() and task.due <= soon:
                task.answer.set_result(None)  # the Novice will do
        waiting = (task for task in self._waiting if not task.answer.done())
        self._waiting = sorted(waiting, key=lambda task: task.due)
        while self._waiting and self._pool.free:
            seconds = self._seconds()
            task = self._waiting.pop(0)
            seen = what_is_seen(task.state, task.question, advice=task.level is None)
            listed = task.level is not None and seen.phase is not Phase.EXCHANGE
            if listed and len(seen.actions) == 1:
                task.answer.set_result((Advice(seen.actions[0], 0.0),))
                continue
            level = "novice" if task.level and seconds < LEAST_SECONDS else task.level
            if level is None:
                seconds = max(seconds, _LEAST_ADVICE_SECONDS)
            task.begun, task.seconds = now, seconds if level != "novice" else 0.0
            work = Work(seen, level, self._rng.getrandbits(63), task.seconds)
            asked = self._pool.ask(work)
            asked.add_done_callback(partial(self._heard, task))
            task.answer.add_done_callback(partial(self._answered, asked))

    def _seconds(self) -> float:
        """How long the first of those who wait may think, so that all of them come in time.

        When many wait, each has its share of what is left until the time of those behind it.
        """
        assert self._pool is not None
        workers, now = self._pool.size, self._now()
        share = LONGEST_SECONDS
        if self._pool.free == 1:
            share = min(share, _RESERVE * min(self._paces.values(), default=share))
        for place, task in enumerate(self._waiting, 1):
            left = (task.due - now).total_seconds() - MARGIN_SECONDS
            share = min(share, left * workers / max(place, workers) - self._way)
        return share

    def _answered(self, asked: asyncio.Future[Thought], answer: asyncio.Future[object]) -> None:
        """If nobody asks a question any more, its thought may end."""
        if answer.cancelled() and self._pool is not None:
            self._pool.hurry(asked)

    def _heard(self, task: _Task, done: asyncio.Future[Thought]) -> None:
        """A worker has answered, or failed, and is free (or not there any more)."""
        error = done.exception()
        hurried = task.answer.cancelled()
        if error is None and task.begun is not None and not hurried:  # a busy machine shows here
            way = (self._now() - task.begun).total_seconds() - task.seconds
            least, most = _WAY_SECONDS
            self._way = min(most, max(least, _STEADY * self._way + (1 - _STEADY) * way))
        if not task.answer.done():
            task.answer.set_result(None if error else done.result())
        if self._pool is not None:
            if error is not None:
                log.warning("a worker gave no answer: %s", _reason(error))
            self._dispatch()

    def close(self) -> None:
        """The bot is about to end its workers: ask them nothing more."""
        self._pool = None

    # --- what is decided -----------------------------------------------------------------------

    def decided(self, state: Game, subjects: Sequence[Subject]) -> dict[Question, Action | None]:
        """What computer players have decided on these subjects; it is due now."""
        now, tasks = self._now(), self._tasks.get(state.id, {})
        found: dict[Question, Action | None] = {}
        late: list[Question] = []
        for question in questions(state):
            if question.subject not in subjects:
                continue
            self.latest = max(self.latest, (now - _due(state, question, now)).total_seconds())
            task = tasks.get(question)
            if task is not None and task.answer.done() and (best := task.answer.result()):
                found[question] = best[0].action
            else:
                late.append(question)
        answers = self._by_novices(state, late, together="bomb" in subjects)
        self.asked += len(found) + len(answers)
        self.late += len(answers)
        return found | answers

    def for_absent(self, state: Game) -> dict[Question, Action | None]:
        """What a Novice does at once for people who are waited for."""
        seats = (seat for seat in seats_waited_for(state.match) if not state.computer(seat))
        return self._by_novices(state, [q for seat in seats if (q := question_to(state, seat))])

    def _by_novices(
        self, state: Game, asked: list[Question], *, together: bool = False
    ) -> dict[Question, Action | None]:
        """What Novices answer at once.

        One question at a time where the event loop has others to serve: what is left stays due.
        """
        if self._pool is not None and not together:
            asked = asked[:1]
        return {question: self._novices_choice(state, question) for question in asked}

    def _novices_choice(self, state: Game, question: Question) -> Action | None:
        try:
            return self._novice(what_is_seen(state, question))
        except Exception as error:  # noqa: BLE001 - whatever it is, the table goes on
            log.error("table %s: a computer player failed: %s", state.id, kind_and_place(error))
            return None

    async def advise(self, state: Game, seat: int) -> tuple[Question, Thought]:
        """What an Expert would do in this seat, and on which question; from its own view alone.

        `Refused` when it has nothing to decide (``not-your-turn``), while it is being advised
        (``advice-coming``) and when nobody is there to think (``no-advice``).
        """
        question = question_to(state, seat)
        if question is None:
            raise Refused(Reason.NOT_YOUR_TURN)
        if (state.id, seat) in self._advised:
            raise Refused(Reason.ADVICE_COMING)
        if self._pool is None or not self._pool.size:
            raise Refused(Reason.NO_ADVICE)
        task = self._task(state, question, None, self._now() + _ADVICE_DUE)
        self._advised.add((state.id, seat))
        try:
            self._dispatch()
            advice = await asyncio.wait_for(task.answer, _ADVICE_SECONDS)
        except TimeoutError:
            advice = None
        finally:
            self._advised.discard((state.id, seat))
        if advice is None:
            raise Refused(Reason.NO_ADVICE)
        return question, advice


def _due(state: Game, question: Question, now: datetime) -> datetime:
    """When the answer to a question is needed."""
    deadline: Deadline = "window" if question.subject == "bomb" else "think"
    return state.timers.deadlines.get(deadline, now)


def _reason(error: BaseException) -> str:
    return str(error) if isinstance(error, WorkerFailed) else kind_and_place(error)
