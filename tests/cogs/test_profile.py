"""`/tichu profile` and the menu of a member, clicked through."""

from __future__ import annotations

from datetime import timedelta

import discord
import pytest
from simcord import InteractionResult, ResponseMessage

from bot.storage import Wanted
from cogs.profile_commands import MENU
from tests.bot.painters import Ready, Slow
from tests.bot.played import EVENING, Evening, Sketch
from tests.cogs.forged_clicks import ARGUMENTS, forge
from tests.cogs.worlds import World, a_world, args, with_verb
from tests.simcord_clicks import Person, text

PEOPLE = ("Ada", "Ben", "Cai", "Dan")
ROUND = Sketch((250, 50), calls={0: ("tichu", True), 1: ("grand", False)}, bombs={0: 1})


async def play(world: World, people: list[Person], **given: object) -> None:
    """A match of one round in which Ada and Cai win against Ben and Dan."""
    values = {
        "rounds": [ROUND],
        "people": [person.id for person in people],
        "guild_id": world.guild.id,
        "names": {person.id: person.member.name.title() for person in people},
        **given,
    }
    await Evening(**values).store(world.bot.store)  # type: ignore[arg-type]


def page(result: InteractionResult) -> ResponseMessage:
    """The private page that was the answer."""
    assert result.response is not None
    assert result.response.ephemeral
    return result.response


async def press(person: Person, message: ResponseMessage, verb: str, game: str) -> ResponseMessage:
    """Press the button with this verb for this game."""
    (button,) = (
        control for control in with_verb(message, verb) if args(control).endswith("." + game)
    )
    return page(await person.member.click(message, custom_id=button.custom_id))


async def test_smoke(world: World) -> None:
    people = world.people(*PEOPLE)
    for day in range(12):
        await play(world, people, at=EVENING + timedelta(days=day))
    await play(
        world,
        people,
        at=EVENING + timedelta(days=40),
        variant="grandseigneur",
        alone=True,
        rounds=[Sketch(out=(0, 1, 2, 3))] * 3,
    )
    shown = page(await people[0].slash("tichu profile"))
    print(text(shown))
    shown = await press(people[0], shown, "profile", "grandseigneur")
    print(text(shown))
    shown = await press(people[0], shown, "achievements", "grandseigneur")
    print(text(shown))
    shown = page(await people[0].member.context_menu(people[0].channel, MENU, people[1].member))
    print(text(shown))
    shown = await press(people[0], shown, "achievements", "nanjing")
    print(text(shown))
    assert 0
