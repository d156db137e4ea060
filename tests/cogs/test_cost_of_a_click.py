"""What one click makes the bot do is counted: nothing is computed, written or sent twice."""

from __future__ import annotations

from unittest.mock import patch

from cogs.pages.hand import hand_fingerprint
from cogs.pages.verbs import Verb
from engine import Phase, view
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.table_play import HandPlayer, seat_all
from tests.cogs.worlds import World

NAMES = ("Ada", "Ben", "Cai", "Dan")


async def playing(world: World) -> list[HandPlayer]:
    """Four people with open hands in the first trick; first whoever is on turn."""
    players = await seat_all(world, world.people(*NAMES), target=5000)
    await fast_forward(world, reached(Phase.TURN), players=players)
    turn = world.game().round.turn
    return players[turn:] + players[:turn]


async def test_an_action_computes_each_view_and_each_fingerprint_once(world: World) -> None:
    first, *_ = await playing(world)
    with (
        patch("bot.table.views.view", wraps=view) as viewed,
        patch("cogs.delivery.open_hands.hand_fingerprint", wraps=hand_fingerprint) as looked_at,
    ):
        await first.press(Verb.PASS if first.can(Verb.PASS) else Verb.PLAY)
    seen = [(id(call.args[0]), call.args[1]) for call in viewed.call_args_list]
    assert len(seen) == len(set(seen))
    chairs = [(id(call.args[0]), call.args[1]) for call in looked_at.call_args_list]
    assert {chair for _, chair in chairs} == {0, 1, 2, 3}
    assert len(chairs) == len(set(chairs))
