"""Speed of the computers at a table of one person."""

from __future__ import annotations

from bot.table.deadlines import PAUSES
from cogs.pages.verbs import Verb
from tests.cogs.forged_clicks import ARGUMENTS, forge
from tests.cogs.table_play import seat_without_hands
from tests.cogs.worlds import World
from tests.simcord_clicks import controls, has


async def test_lone_player_chooses_the_speed_of_the_computers_in_one_tap(world: World) -> None:
    (ada,) = world.people("Ada")
    await seat_without_hands(world, [ada])
    table, _ = world.newest_with(Verb.HAND)
    offered = [each for each in controls(table) if each.verb == Verb.SPEED]
    assert [(each.args, each.enabled) for each in offered] == [("slow", True), ("quick", True)]
    labels = [each.label for each in offered]
    await ada.press(Verb.SPEED, "quick", on=table)
    assert world.game().speed == "quick"
    offered = [each for each in controls(table) if each.verb == Verb.SPEED]
    assert [(each.args, each.enabled) for each in offered] == [("human", True), ("quick", False)]
    assert [each.label for each in offered] == labels, "no button moves"
    await ada.press(Verb.SPEED, "human", on=table)
    await ada.press(Verb.SPEED, "slow", on=table)
    await world.restart()
    assert world.game().speed == "slow"
    assert PAUSES["slow"][0] > PAUSES["human"][1] > PAUSES["human"][0] > PAUSES["quick"][1]


async def test_speed_cannot_be_chosen_for_others(world: World) -> None:
    world.let_people_hurry()
    ada, ben = world.people("Ada", "Ben")
    await seat_without_hands(world, [ada, ben])
    table, _ = world.newest_with(Verb.HAND)
    assert not has(table, Verb.SPEED)
    number = world.game().id
    for argument in ("quick", *ARGUMENTS):
        await forge(ben, table, f"b:{number}:0:{Verb.SPEED}:{argument}")
    assert world.game().timers.computers is None
    await world.leave_match(ben)
    await forge(ben, table, f"b:{number}:0:{Verb.SPEED}:quick")
    assert world.game().timers.computers is None
