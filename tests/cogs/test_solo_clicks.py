"""Clicks in a solo round after a restart, from its person and from others."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from simcord import ResponseMessage

from bot.ids import GuildId, UserId
from bot.table.solo_game import SoloGame
from cogs.pages.verbs import Verb
from engine import Phase
from tests.bot.solo_worlds import SoloPool
from tests.cogs.forged_clicks import forge
from tests.cogs.worlds import World, a_world
from tests.simcord_clicks import Person, text


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with a_world(tmp_path, pool=SoloPool()) as made:
        yield made


async def begin(world: World, person: Person) -> SoloGame:
    """Begin the round of a person."""
    boards = world.bot.boards
    board = await boards.today()
    return await boards.begin(board, UserId(person.id), "Ada", GuildId(world.guild.id))


async def private_page(person: Person) -> ResponseMessage:
    """Return a private page of a person."""
    answered = await person.slash("tichu rules")
    assert answered.response is not None
    return answered.response


async def answer(person: Person, on: ResponseMessage, game: SoloGame, verb: Verb, args: str) -> str:
    """Press a button of the round; return the text of the answer."""
    result = await forge(person, on, f"b:{game.id}:{game.revision}:{verb}:{args}")
    assert result.response is not None
    return text(result.response)


async def test_a_click_goes_on_after_a_restart(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    page, other = await private_page(ada), await private_page(ben)
    game = await begin(world, ada)
    await world.restart()
    assert world.bot.tables.find(game.id) is None
    assert "played this deal" in await answer(ben, other, game, Verb.GRAND, "no")
    assert world.bot.tables.find(game.id) is None, "it is not theirs"
    await answer(ada, page, game, Verb.GRAND, "no")
    after = world.bot.tables.find(game.id)
    assert isinstance(after, SoloGame)
    assert after.phase is Phase.EXCHANGE
    round_ = await world.bot.store.boards.own_round(game.board_id, game.host_id)
    assert round_ is not None
    assert await world.bot.tables.solo_games.restored(round_) == after
    assert "closed" in await answer(ben, other, game, Verb.GRAND, "no")
    assert "moved on" in await answer(ada, page, game, Verb.GRAND, "yes")
    assert world.bot.tables.find(game.id) == after
