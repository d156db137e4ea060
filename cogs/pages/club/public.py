"""The public page of any event, and the reader's own page of any tournament."""

from __future__ import annotations

from bot.ids import UserId
from bot.text.cards import Speaker
from cogs.pages.club import standings
from cogs.pages.club.event import ShownEvent, night_page
from cogs.pages.club.league import fixtures_page
from cogs.pages.club.tournament import tournament_page
from cogs.pages.controls import Page


def event_page(shown: ShownEvent, words: Speaker) -> Page:
    """Return the public page of an event."""
    if shown.event.settings.is_tournament:
        return tournament_page(shown, words)
    return night_page(shown, words)


def own_page(shown: ShownEvent, reader: UserId, words: Speaker) -> Page:
    """Return the reader's own matches in a tournament that has begun."""
    if shown.event.settings.format == "league":
        return fixtures_page(shown, reader, words)
    return standings.own_page(shown, reader, words)
