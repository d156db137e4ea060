"""Memory: open tables are kept, clicks and finished tables are not."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import discord

from bot.pictures.table.scene import TableScene
from bot.table.state import Game
from cogs.delivery.private_messages import TOKEN_LIFE
from cogs.delivery.uploads import Picture
from cogs.pages.verbs import Verb
from engine import Match, Phase
from tests.cogs.delivery.uploads import files_of
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.table_painters import TablesAtOnce, picture_of
from tests.cogs.table_play import over, play_on, seat_all, seat_without_hands
from tests.cogs.worlds import World, a_world, announcer_of
from tests.simcord_clicks import messages

Kind = type[Any]


class Newcomers:
    """New objects of some type since the start of the test.

    Existing objects are frozen, so the garbage collector ignores them.
    """

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        gc.collect()
        gc.freeze()

    def alive(self) -> list[Any]:
        """Return those that are alive."""
        return [found for found in gc.get_objects() if isinstance(found, self._kind)]


async def test_click_leaves_no_table_behind(world: World) -> None:
    players = await seat_without_hands(world, world.people("Ada", "Ben", "Cai", "Dan"))
    await fast_forward(world, reached(Phase.EXCHANGE), players=players)
    games, seq = Newcomers(Game), world.game().seq
    for player in players:
        await player.pass_cards()
    await world.env.advance_time(60)
    assert world.game().seq >= seq + len(players), "each pass of cards made a new state"
    world.history.clear()
    gc.collect()
    assert {game.seq for game in games.alive()} == {world.game().seq}


async def test_open_hand_keeps_no_click(world: World) -> None:
    clicks = Newcomers(discord.Interaction)
    ada, ben = await seat_all(world, world.people("Ada", "Ben"))
    await ada.press_with(Verb.GRAND, "no")
    await ben.open()
    gc.collect()
    assert clicks.alive() == []


async def test_hand_with_an_expired_token_is_freed(world: World) -> None:
    await seat_all(world, world.people("Ada", "Ben"), **{"turn-limit": 900})
    announcer = announcer_of(world)
    assert len(announcer.hands) == 2
    await world.env.advance_time(TOKEN_LIFE.total_seconds())
    assert len(announcer.hands) == 0


async def test_file_of_an_uploaded_picture_is_freed(tmp_path: Path) -> None:
    files, scenes, painter = Newcomers(Picture), Newcomers(TableScene), TablesAtOnce()
    async with a_world(tmp_path, tables=painter) as world:
        await seat_all(world, world.people("Ada", "Ben"))
        await fast_forward(world, reached(Phase.LEAD))
        wanted = world.game().messages.table
        (shown,) = [m for m in messages(world.env, world.channel) if m.id == wanted]
        assert [data for _, data in files_of(shown)] == [picture_of(painter.asked[-1])]
        painter.asked.clear()
        gc.collect()
        assert files.alive() == []
        assert scenes.alive() == []


async def test_match_ended_by_a_click_is_freed(world: World) -> None:
    games = Newcomers(Game)
    players = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"), target=100)
    while not over(world)():
        await fast_forward(world, _nearly_over, players=players)
        await play_on(world, players, lambda: over(world)() or world.game().between_rounds)
    announcer = announcer_of(world)
    assert len(announcer.hands) == 0
    await world.env.advance_time(60)
    world.history.clear()
    gc.collect()
    assert games.alive() == []


def _nearly_over(match: Match) -> bool:
    """Return whether somebody is on turn and few cards are left."""
    if match.round is None or match.phase is not Phase.TURN:
        return False
    return sum(hand.size for hand in match.round.hands) < 10
