"""Solo games in memory: loads them, lets the computers answer, and stores each step.

A step is what the person chose and what the computers answer. It is stored before it is shown, so a
game can be loaded again at any time, in any process. Nothing but clicks moves it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from time import perf_counter

from bot.board_records import BoardKind, SoloProgress, SoloRound
from bot.boards.board import Board
from bot.computers.urgent_tasks import UrgentTasks
from bot.computers.worker_pool import Work
from bot.errors import Reason, Refused, WrittenElsewhere
from bot.ids import TableId, UserId
from bot.live.events import EventDispatcher, Released
from bot.live.registry import LoadedTable, Registry
from bot.records import ActionRecord
from bot.runtime.clock import Now
from bot.runtime.metrics import Histogram
from bot.storage.boards import BoardStore
from bot.table.solo_game import SOLO_IDS, Played, SoloGame, played, result_of, solo_game, written
from engine import Action, Match, only_course, read_action
from players.boards import VERSION

_ANSWER_SECONDS = 2.0
"""Longest time in which the computers answer, in seconds."""
_IDLE = timedelta(hours=1)
"""Time without a click after which a game is dropped from memory."""
_BOUNDS = (0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Upper bounds of the histogram of answers, in seconds."""


class SoloGames:
    """Solo games that people have clicked on lately; `urgent` carries out the computers' tasks."""

    def __init__(
        self,
        store: BoardStore,
        registry: Registry,
        urgent: UrgentTasks,
        now: Now,
        events: EventDispatcher,
    ) -> None:
        self._store = store
        self._registry = registry
        self._urgent = urgent
        self._now = now
        self._events = events
        self.begun = Counter[BoardKind]()
        """Number of rounds that have begun in this process, by kind."""
        self.finished = Counter[BoardKind]()
        """Number of rounds that have ended in this process, by kind."""
        self.answer_times = Histogram(_BOUNDS)
        """Time in which the computers have answered, in seconds."""

    # --- games in memory -----------------------------------------------------------------------

    async def load(self, table_id: TableId, user_id: UserId) -> SoloGame | None:
        """Return the running game of this person with this id, from memory or else from storage.

        Return `None` if it is not theirs, or over. Raises `Refused` (``computers-updated``).
        """
        loaded = self._registry.find(table_id)
        if loaded is None:
            round_ = await self._store.round(table_id - SOLO_IDS)
            if round_ is None or round_.user_id != user_id or round_.ended_at is not None:
                return None
            return await self.resume(round_)
        game = loaded.state
        return game if isinstance(game, SoloGame) and game.host_id == user_id else None

    async def resume(self, round_: SoloRound) -> SoloGame:
        """Keep the game of a stored round in memory; return it.

        Raises `Refused` if the computers have another version (``computers-updated``).
        """
        if round_.version != VERSION:
            raise Refused(Reason.COMPUTERS_UPDATED)
        game = await self.restored(round_)
        loaded = self._registry.find(game.id)
        known = None if loaded is None else loaded.state
        if isinstance(known, SoloGame) and known.seq >= game.seq:
            return known  # it may have gone on since the round was read
        self._drop_idle()
        self._registry.add_private(game).clicks[game.host_id] = self._now()
        return game

    async def restored(self, round_: SoloRound) -> SoloGame:
        """Return the game of a stored round, running or over, without keeping it in memory."""
        record = await self._store.board(round_.board_id)
        assert record is not None, "a board with rounds is never deleted"
        return solo_game(round_, Board.of(record))

    async def reload(self, game: SoloGame) -> SoloGame | None:
        """Return the stored state of a game, or `None` if it was deleted."""
        round_ = await self._store.round(game.round_id)
        return None if round_ is None else await self.restored(round_)

    def end(self, user_id: UserId) -> None:
        """Drop the games of a person from memory."""
        for loaded in self._registry.private_games():
            if isinstance(loaded.state, SoloGame) and loaded.state.host_id == user_id:
                self._drop(loaded)

    def end_all(self) -> None:
        """Drop all games from memory."""
        for loaded in self._registry.private_games():
            if isinstance(loaded.state, SoloGame):
                self._drop(loaded)

    def _drop_idle(self) -> None:
        """Drop the games of people who have not clicked for a while."""
        before = self._now() - _IDLE
        for loaded in self._registry.private_games():
            if isinstance(loaded.state, SoloGame) and max(loaded.clicks.values()) < before:
                self._drop(loaded)

    def _drop(self, loaded: LoadedTable) -> None:
        self._registry.remove(loaded.state)
        self._events.dispatch(Released(loaded.state))

    # --- play ----------------------------------------------------------------------------------

    async def go_on(self, before: SoloGame, records: Sequence[ActionRecord]) -> Played:
        """Let the computers answer these actions of the person, and store both.

        Only actions change a solo game, so without any it stays the same. Raises `Refused` if no
        computer can answer, `StorageError`, and `WrittenElsewhere` if the stored round has gone on.
        """
        if not records:
            return Played(before, ())
        chosen = [read_action(record.seat, record.text) for record in records]
        own = played(before, chosen)
        answers: list[Action] = []
        if own.game.running:
            answers = await self.answers(own.game.match, own.game.seed)
            last, _ = played(own.game, answers)
            answers += only_course(last.match)
        now = self._now()  # the answers may have come after the end of the day
        practice = before.practice or (
            before.counts_until is not None and before.counts_until <= now
        )
        after, events = played(replace(own.game, practice=practice), answers)
        progress = SoloProgress(
            before.round_id,
            before.seq,
            written([*chosen, *answers]),
            practice,
            None if after.running else now,
            result_of(after),
        )
        if not await self._store.go_on(progress):
            raise WrittenElsewhere
        if not after.running:
            self.finished[after.kind] += 1
        return Played(after, (*own.events, *events))

    async def answers(self, match: Match, seed: bytes) -> list[Action]:
        """Return what the computers do until the person decides, or to the end of the round.

        Raises `Refused` if no worker can answer.
        """
        begun = perf_counter()
        work = Work("solo_actions", {"match": match, "seed": seed}, _ANSWER_SECONDS)
        actions = list(await self._urgent.work(work))
        self.answer_times.observe(perf_counter() - begun)
        return actions
