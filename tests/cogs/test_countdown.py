"""Automatic start of a full lobby: chosen by its host, with a visible countdown."""

from __future__ import annotations

import discord

from bot.table.deadlines import START_SECONDS
from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.conftest import ErrorRecords
from tests.cogs.worlds import World
from tests.simcord_clicks import deny, has, text


async def test_match_starts_when_the_countdown_is_over(world: World, errors: ErrorRecords) -> None:
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new", computers=2)
    await ada.submit(await ada.press(Verb.OPTIONS), switches=["auto_start.on"])
    await world.join(ben)
    start = world.table().timers.deadlines["start"]
    lobby, _ = world.newest_with(Verb.START)
    assert discord.utils.format_dt(start, "R") in text(lobby)
    await ben.press(Verb.LEAVE)
    lobby, _ = world.newest_with(Verb.LEAVE)
    assert "<t:" not in text(lobby)
    await world.join(ben)
    assert world.bot.user is not None
    deny(world.env, world.channel, world.bot.user.id, "send_messages")
    await world.env.advance_time(START_SECONDS + 1)
    assert world.table().status == "lobby", "nobody would see the table"
    deny(world.env, world.channel, world.bot.user.id)
    await ben.press(Verb.LEAVE)
    await world.join(ben)
    await world.env.advance_time(START_SECONDS + 1)
    assert world.game().phase is Phase.GRAND
    assert not has(lobby, Verb.LEAVE), "the lobby is over"
    assert ada.sees(Verb.HAND)
    assert errors.unexpected == []
