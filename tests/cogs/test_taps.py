"""The taps that `bench.taps` counts, pressed on the hand."""

from __future__ import annotations

from collections import Counter
from random import Random

from bench.taps import presses
from bot.ids import UserId
from bot.table.auto_pass import automatic_move
from bot.table.state import ON_TURN, Game
from cogs.pages.verbs import Verb
from engine import Action, Bomb, CallTichu, Phase, Seat, Waive
from players.levels import choose
from tests.cogs.table_play import HandPlayer, seat_all
from tests.cogs.worlds import World
from tests.simcord_clicks import Control


def wanted(game: Game, seat: Seat, rng: Random) -> Action | None:
    """Return what a Novice would do in this seat now, if it is asked."""
    if game.round.asked or game.window_open or automatic_move(game) is not None:
        return None
    if game.phase in ON_TURN and game.round.turn != seat:
        return None
    if game.phase is Phase.EXCHANGE and game.situation(seat).current.given is not None:
        return None
    return choose("novice", game.situation(seat).current, rng.getrandbits(32), 0.0)


def control_of(ada: HandPlayer, verb: str, args: str, values: tuple[str, ...]) -> Control:
    """Return the control on the screen that is pressed."""
    (found,) = (
        control
        for control in ada.controls(Verb(verb))
        if (control.is_select if values else control.args == args or not args)
    )
    return found


async def test_counted_taps_play_a_round(world: World) -> None:
    (ada,) = await seat_all(world, world.people("Ada"), target=5000)
    rng, counted, done = Random(7), Counter[str](), 0
    while not world.game().match.results:
        game = world.game()
        seat = game.seat_of(UserId(ada.person.id))
        assert seat is not None
        action = wanted(game, seat, rng)
        if action is None or isinstance(action, Waive):
            await world.to_next_deadline()
            continue
        for press in presses(game, action):
            control = control_of(ada, *press)
            if press.values:
                await ada.choose(control, *press.values)
            else:
                await ada.press(control)
            counted[press.verb] += 1
        done += 1
        assert world.game().seq > game.seq or isinstance(action, Bomb | CallTichu)
    assert Counter(ada.clicked) == counted
    assert done >= 5
    await world.check_replay()
