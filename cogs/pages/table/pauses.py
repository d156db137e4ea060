"""What stands on the public messages of a table that is paused."""

from __future__ import annotations

import discord

from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Part
from cogs.pages.verbs import Verb


def paused_text(state: Game, words: Speaker) -> str:
    """That the table is paused, and when it closes if it stays so."""
    say = words.say
    sentence = say("Everyone is away – paused.") if state.deserted else say("Paused.")
    end = state.timers.deadlines.get("abandoned")
    if end is None:
        return sentence
    closes = discord.utils.format_dt(end, "R")
    return sentence + "\n-# " + say("Closes {when} if nobody continues.", when=closes)


def continue_button(state: Game, words: Speaker) -> Part:
    """The button that lets a paused table go on."""
    return Controls(state.id, state.revision).button(
        Verb.RESUME, words.say("Continue"), style=discord.ButtonStyle.success
    )
