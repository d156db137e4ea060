"""Solo games on a real store in simulated time, with computers that decide like a Novice."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bot.boards.board import Board
from bot.boards.days import ends_at
from bot.computers.worker_pool import Work
from bot.errors import Refused
from bot.ids import GuildId, UserId
from bot.table.commands import Act, GoOn
from bot.table.solo_game import SoloGame
from engine import Action, View, view, write_action
from players import solo
from players.boards import PERSON
from players.novice.player import Novice
from tests.bot.databases import PATIENT_MS
from tests.bot.states import GUILD, NOON
from tests.bot.table_world import TableWorld

ANN, BEN = UserId(101), UserId(102)
MIDNIGHT = ends_at(NOON.date()) - NOON
"""Time from the start of a world to the end of its day."""


def novice(seen: View, seed: bytes) -> Action:
    """Return what a Novice does, which depends on the seed and on what it sees."""
    action = Novice().choose(seen, random.Random(f"{seed.hex()}{seen.hand.cards}"))
    assert action is not None
    return action


def choice_of(game: SoloGame, style: int = 0) -> Action | None:
    """Return what a person of this style chooses; `None` to let a bomb window close."""
    situation = game.situation(PERSON)
    if game.awaited_in_window == PERSON and situation.upcoming.turn != PERSON:
        return None
    actions = sorted(situation.upcoming.actions, key=write_action)
    if not style or not actions:  # the view lists no exchanges
        return novice(situation.upcoming, b"person")
    return random.Random(f"{style} {game.seq}").choice(actions)


def _answer(work: Work) -> Any:
    """Return the result of work, with Novices as computers and as the Expert."""
    match, seed = work.arguments["match"], work.arguments["seed"]
    if work.function == "solo_expert_action":
        return novice(view(match, PERSON), seed)
    with patch.object(solo, "computer_choice", novice):
        return solo.play_on(match, seed)


class SoloPool:
    """Workers that answer at once, or fail, or wait until the test lets them go on."""

    size = 2
    novices_sit_in = False

    def __init__(self) -> None:
        self.asked: list[str] = []
        """Names of the functions of all work so far."""
        self.fails = False
        self.held: list[Callable[[], None]] | None = None
        """Answers that are kept back; `None` to answer at once."""

    @property
    def free(self) -> int:
        """Return the number of idle workers."""
        return self.size if self.held is None else self.size - len(self.held)

    def submit(self, work: Work) -> asyncio.Future[Any]:
        """Answer this work."""
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.asked.append(work.function)

        def answer() -> None:
            try:
                if self.fails:
                    raise ValueError("a worker fails")
                future.set_result(_answer(work))
            except ValueError as error:
                future.set_exception(error)

        if self.held is None:
            answer()
        else:
            self.held.append(answer)
        return future

    def cancel(self, asked: asyncio.Future[Any]) -> None:
        """Do nothing, because the work is short."""


class SoloWorld(TableWorld):
    """A bot on whose boards people play."""

    pool: SoloPool

    def __init__(self, folder: Path, seed: int = 1) -> None:
        super().__init__(folder, seed, pool=SoloPool(), busy_ms=PATIENT_MS)

    async def begin(
        self,
        user_id: UserId = ANN,
        board: Board | None = None,
        guild_id: GuildId = GUILD,
        *,
        practice: bool = False,
    ) -> SoloGame:
        """Begin the round of a person, by default on the board of today."""
        boards = self.tables.boards
        board = board or await boards.today()
        return await boards.begin(board, user_id, "Ann", guild_id, practice=practice)

    async def choose(self, game: SoloGame, style: int = 0) -> SoloGame:
        """Let the person choose once."""
        action = choice_of(game, style)
        command = GoOn(game.revision) if action is None else Act(action, game.revision)
        after = await self.tables.execute(game.id, game.host_id, command)
        assert isinstance(after, SoloGame)
        return after

    async def play_the_day(self) -> None:
        """Play or resume the deal of the day, and wait for the result of the Expert."""
        await self.open()
        board = await self.tables.boards.today()
        try:
            await self.finish(await self.begin())
        except Refused:  # it was finished before
            await self.tables.boards.expert(board.id)
        while any(task.get_name() == f"expert-board-{board.id}" for task in asyncio.all_tasks()):
            await asyncio.sleep(0)
        await self.close()

    async def finish(self, game: SoloGame, style: int = 0) -> SoloGame:
        """Let the person play the round to its end."""
        while game.running:
            game = await self.choose(game, style)
        return game


@contextmanager
def held(pool: SoloPool) -> Iterator[list[Callable[[], None]]]:
    """Keep the answers of workers back, in the list that is yielded."""
    waiting: list[Callable[[], None]] = []
    pool.held = waiting
    yield waiting
    pool.held = None
