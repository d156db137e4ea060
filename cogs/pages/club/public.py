"""The public page of any event."""

from __future__ import annotations

from bot.text.cards import Speaker
from cogs.pages.club.event import ShownEvent, night_page
from cogs.pages.club.tournament import tournament_page
from cogs.pages.controls import Page


def event_page(shown: ShownEvent, words: Speaker) -> Page:
    """Return the public page of an event."""
    if shown.event.settings.is_tournament:
        return tournament_page(shown, words)
    return night_page(shown, words)
