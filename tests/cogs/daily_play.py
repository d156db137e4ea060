"""A person who plays the deal of the day by clicks."""

from __future__ import annotations

from datetime import timedelta

from simcord import ResponseMessage

from bot.board_records import SoloRound
from bot.boards.board import Board
from bot.boards.days import day_of
from bot.ids import TableId, UserId
from bot.table.solo_game import SoloGame
from cogs.pages.verbs import Verb
from engine import Phase
from players.boards import PERSON
from tests.cogs.history_pages import page
from tests.cogs.table_play import HandPlayer
from tests.cogs.worlds import World
from tests.simcord_clicks import Person, has


class DailyPlayer(HandPlayer):
    """A player of the deal of the day."""

    def __init__(self, world: World, person: Person, seed: int = 1) -> None:
        super().__init__(world, person, seed)
        self.early = 1.0

    async def start(self) -> ResponseMessage:
        """Open the start page."""
        self.hand = page(await self.person.slash("tichu daily"))
        return self.hand

    async def begin(self, verb: Verb = Verb.DAILY_PLAY) -> None:
        """Begin the round from a new start page, or go on with it."""
        await self.start()
        await self.press(verb)

    @property
    def game(self) -> SoloGame | None:
        """Return the running game of the hand on the screen, if any."""
        ids = (each.custom_id.split(":")[1] for each in self.controls(Verb.SOLO_LOG))
        game = next((self.world.bot.tables.find(TableId(int(each))) for each in ids), None)
        return game if isinstance(game, SoloGame) else None

    def owed(self) -> int:
        """Return the number of cards to choose for the exchange."""
        game = self.game
        if game is None or game.phase is not Phase.EXCHANGE:
            return 0
        seen = game.situation(PERSON).current
        return sum(gift.number for gift in seen.gifts) if seen.given is None else 0

    async def act(self) -> bool:
        """Do one thing that the screen offers; let a bomb window close if it offers only that."""
        if not await super().act():
            await self.press(Verb.GO_ON)
        return True

    async def finish(self) -> ResponseMessage:
        """Play on to the end of the round; return the page with the result."""
        for _ in range(300):
            if has(self.hand, Verb.DAILY_SHARE) or has(self.hand, Verb.REVIEW):
                return self.hand
            await self.act()
        raise AssertionError("this round does not end")

    async def stored(self, *, practice: bool = False) -> SoloRound | None:
        """Return the stored round of today."""
        boards, board = self.world.bot.store.boards, await board_of(self.world)
        return await boards.own_round(board.id, UserId(self.person.id), practice=practice)


async def board_of(world: World, days: int = 0) -> Board:
    """Return the board of today in the world, or of some days later."""
    day = day_of(world.env.now()) + timedelta(days=days)
    board = await world.bot.boards.of_day(day)
    assert board is not None
    return board
