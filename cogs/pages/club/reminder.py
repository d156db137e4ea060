"""Reminders of events and wishes to postpone, in the channel or as direct messages.

They are notices because they notify people (see `Notice`).
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.club.actions import Postponed
from bot.club.event import ClubEvent
from bot.ids import UserId
from bot.text.cards import Speaker
from bot.text.people import channel_mention, mention
from cogs.pages.club.event import CONTROLS, when
from cogs.pages.club.matches import entrant_name
from cogs.pages.controls import Notice, row
from cogs.pages.names import safe
from cogs.pages.verbs import Verb

MOST_MENTIONED = 60
"""Largest number of people in one message, whose mentions fit into a notice.

Discord would accept 100 (discord-api-docs at c98d64b, resources/message.mdx, "Allowed Mentions
Structure").
"""


def mentioning_notice(
    event: ClubEvent, wish: Postponed | None, people: Sequence[UserId], words: Speaker
) -> Notice:
    """Return the notice that mentions people; with a wish, it has a button to agree."""
    first = f"{_sentence(event, wish, words)} {' '.join(map(mention, people))}"
    if wish is None:
        return Notice(f"{first}\n{when(event)}")
    args = f"{event.id},{wish.round},{wish.match}"
    button = CONTROLS.button(Verb.EVENT_FIXTURE, words.say("My matches"), args, emoji="🃏")
    return Notice(f"{first}\n{safe(event.settings.title)}", row(button))


def direct_notice(event: ClubEvent, wish: Postponed | None, words: Speaker) -> Notice:
    """Return the notice for a direct message, whose reader finds the buttons in the channel."""
    below = when(event) if wish is None else safe(event.settings.title)
    return Notice(f"{_sentence(event, wish, words)}\n{below}")


def _sentence(event: ClubEvent, wish: Postponed | None, words: Speaker) -> str:
    """Return the first line, which is all that a lock screen shows."""
    if wish is not None:
        (entrant,) = event.rounds[wish.round - 1].matches[wish.match].sides[wish.side]
        return "📅 " + words.say(
            "{names} would like to postpone your match in {channel} to week {week}.",
            channel=channel_mention(event.channel_id),
            names=entrant_name(event, entrant, words),
            week=words.say.number(wish.week),
        )
    return "📅 " + words.say(
        "{title} begins soon in {channel}.",
        title=safe(event.settings.title),
        channel=channel_mention(event.channel_id),
    )
