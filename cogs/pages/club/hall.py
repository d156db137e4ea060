"""The hall of fame: who won the tournaments and the seasons of leagues of a server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import discord

from bot.club.competition import EntrantNumber
from bot.club.event import ClubEvent
from bot.club.formats import FORMATS, league
from bot.text.cards import Speaker
from cogs.pages.club.event import listed
from cogs.pages.club.matches import entrant_name, fitting, format_name
from cogs.pages.controls import GOLD, Page, text
from cogs.pages.names import safe

_LONGEST: Final = 3800
"""Largest number of characters of the page."""


class Honour(NamedTuple):
    """A finished event with its winners."""

    event: ClubEvent
    """The event."""
    winners: Sequence[Sequence[EntrantNumber]]
    """Winners of each division, the highest first; of other tournaments all on the first place."""


def honours(events: Sequence[ClubEvent]) -> list[Honour]:
    """Return the winners of finished tournaments and seasons."""
    return [Honour(each, _winners(each)) for each in events if each.was_played]


def _winners(event: ClubEvent) -> list[list[EntrantNumber]]:
    if event.settings.format == "league":
        return [[each] for each in league.champions(event.competition)]
    lines = FORMATS[event.settings.format].standings(event.competition)
    return [[each.entrant for each in lines if each.place == 1]]


def hall_page(found: Sequence[Honour], words: Speaker) -> Page:
    """Return the winners of finished events, the newest first."""
    say = words.say
    lines = [line for each in found for line in _lines(each, words)] or [
        say("Nobody yet. The winners of tournaments and leagues of this server appear here.")
    ]
    head = f"### 🏆 {say('Hall of fame')}"
    return Page(text(f"{head}\n{fitting(lines, _LONGEST)}"), accent=GOLD)


def _lines(honour: Honour, words: Speaker) -> Iterator[str]:
    """Yield the title of an event with its winners."""
    event, say = honour.event, words.say
    date = discord.utils.format_dt(event.began_at, "D")
    format_ = format_name(event.settings.format, say)
    yield f"**{safe(event.settings.title)}**\n-# {format_} · {date}"
    for number, winners in enumerate(honour.winners, start=1):
        names = listed([entrant_name(event, each, words) for each in winners], words)
        if len(honour.winners) > 1:
            names = say.labelled(say("Division {number}", number=say.number(number)), names)
        yield f"🥇 {names}"
