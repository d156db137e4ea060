"""History, replay and files of matches that were played by clicks."""

from __future__ import annotations

import json

import pytest
from simcord import InteractionResult, ResponseMessage

from bot.brettspielwelt.checking import check
from bot.brettspielwelt.reading import read_log
from bot.storage import Store
from engine.cards import card_text, indices
from engine.state import Phase
from tests.cogs.table_play import HandPlayer, open_hands, over, play_on, seat_all
from tests.cogs.worlds import World, args, verb, with_verb
from tests.simcord_clicks import Control, Person, controls, deny, newcomers, text


def page(result: InteractionResult) -> ResponseMessage:
    """The private page that was the answer."""
    assert result.response is not None
    assert result.response.ephemeral
    return result.response


def button(message: ResponseMessage, wanted: str, ending: str = "") -> Control:
    """The enabled control with this verb whose arguments end so."""
    (found,) = [c for c in with_verb(message, wanted) if args(c).endswith(ending)]
    return found


async def press(
    person: Person, message: ResponseMessage, wanted: str, ending: str = ""
) -> ResponseMessage:
    """Press a button of a page; the page that is the answer."""
    control = button(message, wanted, ending)
    return page(await person.member.click(message, custom_id=control.custom_id))


async def choose(
    person: Person, message: ResponseMessage, wanted: str, value: str
) -> ResponseMessage:
    """Choose in a select of a page; the message that is the answer."""
    control = button(message, wanted)
    return page(await person.member.select(message, [value], custom_id=control.custom_id))


async def after_a_match(world: World, **options: object) -> Person:
    """Four people have played a match to its end; the first of them."""
    people = world.people("Ada", "Ben", "Cai", "Dan")
    players = await seat_all(world, people, **{"target": 100} | options)
    await play_on(world, players, over(world))
    return people[0]


async def test_a_round_can_be_stepped_through(world: World) -> None:
    ada = await after_a_match(world)
    shown = page(await ada.slash("tichu replay"))
    print(text(shown))
    for _ in range(5):
        shown = await press(ada, shown, "replay", "trick-on")
        print(text(shown))
    shown = await press(ada, shown, "replay", "turn")
    print(text(shown))
    shown = await press(ada, shown, "replay", "last")
    print(text(shown))
    h = page(await ada.slash("tichu history"))
    print(text(h))
    m = await choose(ada, h, "match", "1")
    print(text(m), [c for c in controls(m)])
    f = await ada.member.select(shown, ["tch.match"], custom_id=button(shown, "save").custom_id)
    print(f.response.attachments)
    assert 0
