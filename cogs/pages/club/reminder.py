"""Reminders of an event that begins soon, in its channel or as direct messages.

They are notices because they notify people (see `Notice`).
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.club.event import ClubEvent
from bot.ids import UserId
from bot.text.cards import Speaker
from bot.text.people import channel_mention, mention
from cogs.pages.club.event import when
from cogs.pages.controls import Notice
from cogs.pages.names import safe

MOST_MENTIONED = 60
"""Largest number of people in one message, whose mentions fit into a notice.

Discord would accept 100 (discord-api-docs at c98d64b, resources/message.mdx, "Allowed Mentions
Structure").
"""


def mentioning_notice(event: ClubEvent, people: Sequence[UserId], words: Speaker) -> Notice:
    """Return the reminder that mentions people."""
    return Notice(f"{_sentence(event, words)} {' '.join(map(mention, people))}\n{when(event)}")


def direct_notice(event: ClubEvent, words: Speaker) -> Notice:
    """Return the reminder for a direct message."""
    return Notice(f"{_sentence(event, words)}\n{when(event)}")


def _sentence(event: ClubEvent, words: Speaker) -> str:
    """Return the first line, which is all that a lock screen shows."""
    return "📅 " + words.say(
        "{title} begins soon in {channel}.",
        title=safe(event.settings.title),
        channel=channel_mention(event.channel_id),
    )
