"""Reviews of finished rounds: made once by the workers, stored, and returned to all who ask."""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter
from collections.abc import Callable, Collection, Generator, Sequence
from datetime import date
from time import perf_counter
from typing import Any, Final

from bot.coach.stored_review import REVIEW_VERSION, read_review, write_review
from bot.computers.background_tasks import TASK_SECONDS, BackgroundTasks
from bot.computers.worker_pool import Work
from bot.errors import Reason, Refused
from bot.history.played_round import PlayedRound
from bot.history.replay import Replay
from bot.history.solo_replays import seat_changes_of, solo_round_id
from bot.ids import TableId, UserId
from bot.live.service import Tables
from bot.records import (
    CLOCK,
    ReviewRecord,
    RoundNumber,
    RoundRecord,
    Seat,
    SeatChangeRecord,
)
from bot.runtime.clock import Now
from bot.runtime.logs import kind_and_place
from bot.runtime.metrics import Histogram
from bot.storage import StorageError, Store
from engine import VARIANTS, read_action
from players.boards import PERSON
from players.coach.review import Progress, Review, Task, review

log = logging.getLogger(__name__)

NEW_REVIEWS_A_DAY: Final = 30
"""Largest number of new reviews of a person on a day in UTC, counted since the start of the bot."""
_BOUNDS: Final = (2.0, 5.0, 10.0, 15.0, 20.0, 30.0, 60.0, 120.0, 300.0)

OnProgress = Callable[[Progress], None]
_Key = tuple[TableId, RoundNumber, Seat]
_Steps = Generator[tuple[Task, Progress], Any, Review]


class _Making:
    """Review in the making, and those who wait for it."""

    def __init__(self) -> None:
        self.task: asyncio.Task[Review]
        self.listeners: list[OnProgress] = []
        self.progress: Progress | None = None

    def update(self, progress: Progress) -> None:
        """Notify all listeners of a change."""
        if progress != self.progress:
            self.progress = progress
            for listener in tuple(self.listeners):
                listener(progress)


class Reviews:
    """Makes reviews, and stores them and the agreements to show them.

    A review in the making is lost when the bot exits. `background` carries out its tasks, `tables`
    delays the erasure of people while their data are stored, and `rng` draws the seeds of playouts.
    """

    def __init__(
        self,
        store: Store,
        background: BackgroundTasks,
        tables: Tables,
        now: Now,
        rng: random.Random,
    ) -> None:
        self._store = store
        self._background = background
        self._forgetting = tables.forgetting
        self._now = now
        self._rng = rng
        self._making: dict[_Key, _Making] = {}
        self._day = date.min
        """Day of `_made_today`."""
        self._made_today = Counter[UserId]()
        """New reviews of each person on this day."""
        self.made = 0
        """Number of reviews that were made."""
        self.failed = 0
        """Number of reviews that were begun but not made."""
        self.times = Histogram(_BOUNDS)
        """Time from the request of a new review until it was stored."""

    async def stored(self, table_id: TableId, number: RoundNumber, seat: Seat) -> Review | None:
        """Return the stored review of a round for a seat, or `None` if there is no current one."""
        solo = solo_round_id(table_id)
        if solo is not None:
            found = await self._store.boards.review(solo)
        else:
            record = await self._store.coach.review(table_id, number, seat)
            found = None if record is None else (record.version, record.body)
        if found is None or found[0] != REVIEW_VERSION:
            return None
        return read_review(found[1])

    async def request(
        self, replay: Replay, seat: Seat, user_id: UserId, on_progress: OnProgress
    ) -> Review:
        """Return the review of a round for a person on their own chair; make it if needed.

        All requests for a review share it, and it is completed even if they are cancelled.
        `on_progress` is called in the event loop when a decision was judged.

        Raise `Refused` if the round does not count for the person in this seat
        (``not-your-review``), if it is not over (``round-not-over``), in a game without points
        (``no-review-of-game``), without workers (``no-experts``), after too many new reviews on one
        day (``review-limit``), or if workers fail or stay busy (``busy``).
        """
        self._forgetting.check(user_id)
        key = replay.table.id, replay.played_round.number, seat
        await self._check(*key, user_id)
        making = self._making.get(key)
        if making is None:
            making = self._making[key] = _Making()
            making.task = asyncio.create_task(
                self._find_or_make(replay, seat, user_id, making), name="review"
            )
            making.task.add_done_callback(lambda task: self._on_done(key, task))
        elif making.progress is not None:
            on_progress(making.progress)
        making.listeners.append(on_progress)
        try:
            return await asyncio.shield(making.task)
        finally:
            making.listeners.remove(on_progress)

    def _on_done(self, key: _Key, task: asyncio.Task[Review]) -> None:
        """Remove a finished task; retrieve its exception, so that asyncio does not warn."""
        del self._making[key]
        if not task.cancelled():
            task.exception()

    async def _check(
        self, table_id: TableId, number: RoundNumber, seat: Seat, user_id: UserId
    ) -> None:
        """Raise `Refused` if the person may not ask for this review."""
        if (solo := solo_round_id(table_id)) is not None:
            own = await self._store.boards.round(solo)
            if own is None or own.user_id != user_id or seat != PERSON:
                raise Refused(Reason.NOT_YOUR_REVIEW)
            return
        rounds = await self._store.history.rounds(table_id)
        round_ = next((each for each in rounds if each.number == number), None)
        if round_ is None:
            raise Refused(Reason.ROUND_NOT_OVER, number=number)
        if _credited(round_, seat) != user_id:
            raise Refused(Reason.NOT_YOUR_REVIEW)
        if not VARIANTS[round_.variant].scored:
            raise Refused(Reason.NO_REVIEW_OF_GAME)

    async def _find_or_make(
        self, replay: Replay, seat: Seat, user_id: UserId, making: _Making
    ) -> Review:
        """Return the stored review, or make and store it. Raise `Refused`."""
        table_id, number = replay.table.id, replay.played_round.number
        if (found := await self.stored(table_id, number, seat)) is not None:
            return found
        if not self._background.available:
            raise Refused(Reason.NO_EXPERTS)
        self._count(user_id)
        begun = perf_counter()
        try:
            body = write_review(await self._make(replay, seat, user_id, making))
            await self._keep(table_id, number, seat, user_id, body)
        except BaseException as error:
            self.failed += 1
            if self._made_today[user_id]:  # they may be erased, or a new day has begun
                self._made_today[user_id] -= 1
            if not isinstance(error, Refused | StorageError | asyncio.CancelledError):
                log.error(
                    "review of table %s, round %s: %s", table_id, number, kind_and_place(error)
                )
            raise
        self.made += 1
        self.times.observe(perf_counter() - begun)
        return read_review(body)

    def forget(self, user_id: UserId) -> None:
        """Forget the number of reviews of an erased person."""
        del self._made_today[user_id]

    def _count(self, user_id: UserId) -> None:
        """Count a new review; raise `Refused` if the person has had too many today."""
        today = self._now().date()
        if today != self._day:
            self._day = today
            self._made_today.clear()
        if self._made_today[user_id] >= NEW_REVIEWS_A_DAY:
            raise Refused(Reason.REVIEW_LIMIT, limit=NEW_REVIEWS_A_DAY)
        self._made_today[user_id] += 1

    async def _make(self, replay: Replay, seat: Seat, user_id: UserId, making: _Making) -> Review:
        """Make a review. Its own steps run in a thread, its tasks in the workers."""
        played: PlayedRound = replay.played_round
        changes: Sequence[SeatChangeRecord] = seat_changes_of(replay)
        if replay.board is None:
            changes = await self._store.tables.seat_changes(replay.table.id)
        skipped = skipped_actions(played, changes, seat, user_id)
        actions = [read_action(action.seat, action.text) for action in played.actions[1:]]
        steps = review(played.dealt, actions, seat, self._rng.getrandbits(32), skipped)
        step = await asyncio.to_thread(_advance, steps, None)
        while not isinstance(step, Review):
            task, progress = step
            making.update(progress)
            work = Work("review_task", {"task": task}, TASK_SECONDS)
            result = await self._background.work(work)
            step = await asyncio.to_thread(_advance, steps, result)
        return step

    async def _keep(
        self, table_id: TableId, number: RoundNumber, seat: Seat, user_id: UserId, body: str
    ) -> None:
        """Store a review, unless its person was erased meanwhile; then raise `Refused`."""
        async with self._forgetting.delay_erasure(user_id):
            try:
                await self._check(table_id, number, seat, user_id)
            except Refused:  # a pseudonym has taken their place, or the round is deleted
                raise Refused(Reason.BEING_FORGOTTEN) from None
            if (solo := solo_round_id(table_id)) is not None:
                await self._store.boards.keep_review(solo, REVIEW_VERSION, body)
                return
            record = ReviewRecord(
                table_id=table_id,
                number=number,
                seat=seat,
                user_id=user_id,
                version=REVIEW_VERSION,
                made_at=self._now(),
                body=body,
            )
            await self._store.coach.keep(record)

    # --- agreements ----------------------------------------------------------------------------

    async def agreements(self, table_id: TableId) -> frozenset[UserId]:
        """Return the people who agree that the reviews of a table are shown to all."""
        return await self._store.coach.agreements(table_id)

    async def agree(self, table_id: TableId, user_id: UserId) -> None:
        """Store that a person agrees; raise `Refused` if they have not played in the match."""
        async with self._forgetting.delay_erasure(user_id):
            if not await self._store.history.took_part(table_id, user_id):
                raise Refused(Reason.NOT_SEATED)
            await self._store.coach.agree(table_id, user_id)

    async def withdraw(self, table_id: TableId, user_id: UserId) -> None:
        """Delete the agreement of a person."""
        await self._store.coach.withdraw(table_id, user_id)


def _credited(round_: RoundRecord, seat: Seat) -> UserId | None:
    """Return the person for whom a round counts in a seat, or `None`."""
    return next((each.counts_for for each in round_.seats if each.seat == seat), None)


def skipped_actions(
    played: PlayedRound, changes: Sequence[SeatChangeRecord], seat: Seat, user_id: UserId
) -> Collection[int]:
    """Return the indices of actions after the deal that end no decisions of this person.

    They are all actions by others and by computer players. A window that the clock has closed ends
    a decision of the person who sat there then.
    """
    skipped, sitting = set[int](), dict[int, UserId | None]()
    for change in sorted(changes, key=lambda change: change.seq):
        if change.seat == seat:
            sitting[change.seq] = change.user_id
    for index, action in enumerate(played.actions[1:]):
        actor = action.actor_id
        if action.seat == CLOCK:
            before = [user for seq, user in sitting.items() if seq <= action.seq]
            actor = before[-1] if before else None
        if actor != user_id:
            skipped.add(index)
    return skipped


def _advance(steps: _Steps, result: Any) -> tuple[Task, Progress] | Review:
    """Send the result of the last task; return the next task, or the review."""
    try:
        return steps.send(result)
    except StopIteration as stopped:
        done: Review = stopped.value
        return done
