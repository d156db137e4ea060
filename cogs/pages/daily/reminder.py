"""Direct message that reminds somebody of the deal of the day."""

from __future__ import annotations

from datetime import datetime

import discord

from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Notice, row
from cogs.pages.verbs import Verb


def reminder_notice(ends_at: datetime, words: Speaker) -> Notice:
    """Return the reminder; a lock screen shows its first line, without markup."""
    say, primary = words.say, discord.ButtonStyle.primary
    lines = (
        say("Today's deal is waiting for you: one round of Tichu, alone, in two minutes."),
        say(
            "Play it with `/tichu daily` until {time}. `/tichu settings` turns this reminder off.",
            time=discord.utils.format_dt(ends_at, "t"),
        ),
    )
    button = Controls().button(Verb.DAILY, say("Deal of the day"), emoji="🗓️", style=primary)
    return Notice("\n".join(lines), row(button))
