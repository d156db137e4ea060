"""The service of boards: draws them, begins solo rounds, and has the Expert play them, too."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, timedelta

from bot.board_records import NewSoloRound, SoloResult
from bot.boards.board import Board
from bot.boards.days import DRAWN_AHEAD, day_of, ends_at, is_over
from bot.computers.background_tasks import TASK_SECONDS, BackgroundTasks
from bot.computers.worker_pool import Work
from bot.errors import Reason, Refused
from bot.ids import BoardId, GuildId, UserId
from bot.live.events import Committed, EventDispatcher
from bot.live.forgetting import Forgetting
from bot.live.solo_games import SoloGames
from bot.runtime.background import in_background
from bot.runtime.clock import Clock
from bot.storage.boards import BoardStore
from bot.table.dealing import DrawSecret
from bot.table.solo_game import SoloGame, result_of_seat, written
from engine import Phase, apply
from players.boards import VERSION

_OVER = (Phase.ROUND_END, Phase.MATCH_END)
_DAY = timedelta(days=1)


class Boards:
    """Boards of days and challenges, and the rounds that people play on them.

    `background` plays for the Expert, `draw_secret` draws the secrets of deals.
    """

    def __init__(
        self,
        store: BoardStore,
        clock: Clock,
        games: SoloGames,
        background: BackgroundTasks,
        events: EventDispatcher,
        forgetting: Forgetting,
        draw_secret: DrawSecret,
    ) -> None:
        self._store = store
        self._clock = clock
        self._games = games
        self._background = background
        self._forgetting = forgetting
        self._draw_secret = draw_secret
        self._experts = set[BoardId]()
        """Boards that the Expert is playing."""
        self._tasks = set[asyncio.Task[None]]()
        """Tasks of the Expert's rounds."""
        events.subscribe(Committed, self._on_committed)

    # --- boards --------------------------------------------------------------------------------

    async def keep_drawn(self) -> None:
        """Draw the boards of the next days, now and at the begin of each day."""
        while True:
            await self._draw()
            now = self._clock.now()
            await self._clock.sleep((ends_at(day_of(now)) - now).total_seconds())

    async def _draw(self) -> None:
        """Draw the boards of today and of the next days that are missing."""
        today = day_of(self._clock.now())
        days = [today + number * _DAY for number in range(DRAWN_AHEAD + 1)]
        await self._store.draw_days(days, lambda: self._draw_secret().hex())

    async def today(self) -> Board:
        """Return the board of today."""
        today = day_of(self._clock.now())
        board = await self.of_day(today)
        if board is None:
            await self._draw()
            board = await self.of_day(today)
            assert board is not None, "it was just drawn"
        return board

    async def of_day(self, day: date) -> Board | None:
        """Return the board of a day, or `None` if there is none."""
        return next(iter(await self._of_days(day, day)), None)

    async def upcoming(self) -> Sequence[Board]:
        """Return the boards of the next days, whose commitments are public already."""
        today = day_of(self._clock.now())
        return await self._of_days(today + _DAY, today + DRAWN_AHEAD * _DAY)

    async def _of_days(self, first: date, last: date) -> Sequence[Board]:
        return [Board.of(record) for record in await self._store.days(first, last)]

    async def of_challenge(self, challenge_id: int) -> Sequence[Board]:
        """Return the boards of a challenge, in order."""
        return [Board.of(record) for record in await self._store.of_challenge(challenge_id)]

    async def board(self, board_id: BoardId) -> Board | None:
        """Return the board with this number, or `None`."""
        record = await self._store.board(board_id)
        return None if record is None else Board.of(record)

    def is_over(self, board: Board) -> bool:
        """Return whether the day or the challenge of a board is over, so its secret is public."""
        return is_over(board, self._clock.now())

    # --- solo rounds ---------------------------------------------------------------------------

    async def begin(
        self, board: Board, user_id: UserId, name: str, guild_id: GuildId, *, practice: bool = False
    ) -> SoloGame:
        """Begin the round of a person on a board, or resume it; return it.

        `guild_id` is 0 in direct messages, and on servers without the bot. `practice` is for the
        deal of yesterday, and counts for nobody. A finished practice round is begun again. A round
        that was begun before the end of its day is resumed instead.

        Raises `Refused` if the round is over (``solo-round-over``), the day is not today or, for
        practice, yesterday (``daily-over``), the computers have another version than the board
        (``computers-updated``), or cannot play (``no-solo-rounds``, ``computers-not-ready``,
        ``busy``), and if the person is being erased (``being-forgotten``).
        """
        own = await self._store.own_round(board.id, user_id)
        if own is not None and own.ended_at is None:
            return await self._games.resume(own)
        if own is not None and not practice:
            raise Refused(Reason.SOLO_ROUND_OVER)
        self._check_day(board, practice=practice)
        if practice:
            own = await self._store.own_round(board.id, user_id, practice=True)
            if own is not None and own.ended_at is None:
                return await self._games.resume(own)
        if board.version not in (None, VERSION):
            raise Refused(Reason.COMPUTERS_UPDATED)
        erasures = self._forgetting.erasure_count
        actions = await self._games.answers(board.dealt(), board.computer_seed)
        self._check_day(board, practice=practice)  # these may have come after its end
        async with self._forgetting.delay_erasure(user_id):
            self._forgetting.check(user_id, since=erasures)
            new = NewSoloRound(
                board_id=board.id,
                user_id=user_id,
                name=name,
                guild_id=guild_id,
                practice=practice,
                version=VERSION,
                begun_at=self._clock.now(),
                actions=written(actions),
            )
            stored = await self._store.begin(new)
            if stored is None:
                raise Refused(Reason.COMPUTERS_UPDATED)
            self._games.begun[board.kind] += 1
            return await self._games.resume(stored)

    def _check_day(self, board: Board, *, practice: bool) -> None:
        """Raise `Refused` unless the board can be begun now."""
        if board.day is None:
            return
        today = day_of(self._clock.now())
        if board.day != (today - _DAY if practice else today):
            raise Refused(Reason.DAILY_OVER)

    async def note_server(self, guild_id: GuildId, user_id: UserId) -> None:
        """Store that a person has opened the deal of the day in a server.

        Their results are compared with those of others there. Raises `Refused` if they are being
        erased.
        """
        async with self._forgetting.delay_erasure(user_id):
            await self._store.note_server(guild_id, user_id)

    # --- the Expert ----------------------------------------------------------------------------

    async def expert(self, board_id: BoardId) -> SoloResult | None:
        """Return the result of the Expert on a board, or `None` as long as it is not known."""
        board = await self.board(board_id)
        if board is None or board.expert is not None:
            return board and board.expert
        self._play_expert(board_id)
        return None

    def _on_committed(self, event: Committed) -> None:
        """Let the Expert play a board once somebody has finished a round there."""
        game = event.after
        if isinstance(game, SoloGame) and not game.running:
            self._play_expert(game.board_id)

    def _play_expert(self, board_id: BoardId) -> None:
        """Begin the round of the Expert in the background, unless it is in flight."""
        if board_id not in self._experts:
            self._experts.add(board_id)
            name = f"expert-board-{board_id}"
            task = in_background(self._store_expert(board_id), name, self._tasks)
            task.add_done_callback(lambda _: self._experts.discard(board_id))

    async def _store_expert(self, board_id: BoardId) -> None:
        """Store the result of the Expert, if it is missing and workers are there.

        Otherwise it is tried again after the next round.
        """
        board = await self.board(board_id)
        if board is not None and board.expert is None and board.version == VERSION:
            with suppress(Refused):
                await self._store.keep_expert(board_id, await self._expert_result(board))

    async def _expert_result(self, board: Board) -> SoloResult:
        """Return the result of a round with the Expert in the person's seat. Raises `Refused`."""
        match, seed = board.dealt(), board.computer_seed
        while match.phase not in _OVER:
            arguments = {"match": match, "seed": seed}
            answers = await self._background.work(Work("solo_actions", arguments, TASK_SECONDS))
            for action in answers:
                match, _ = apply(match, action)
            if match.phase not in _OVER:
                arguments = {"match": match, "seed": seed}
                work = Work("solo_expert_action", arguments, TASK_SECONDS)
                match, _ = apply(match, await self._background.work(work))
        return result_of_seat(match)
