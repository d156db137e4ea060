"""Stored values of club events.

An event is its settings and its actions: `bot.club.event` computes everything else from them. An
action names people by their number in the event, so that the erasure of a person changes one row.
Storage does not parse the JSON text of settings and actions.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final, Literal, NamedTuple, NewType

from bot.ids import ChannelId, ClubEventId, GuildId, MessageId, UserId

PersonNumber = NewType("PersonNumber", int)
"""Number of a person in an event, from 1 in the order in which they answered."""
COMPUTER: Final = PersonNumber(0)
"""Number of the computer that plays with a lone person."""

EventStatus = Literal["open", "running", "over", "cancelled"]
"""Status of an event: ``open`` while people sign up, ``running`` from its first draw."""


class ClubEventRecord(NamedTuple):
    """A stored event."""

    id: ClubEventId
    """Number of the event, from 1 through all servers."""
    guild_id: GuildId
    """Server of the event."""
    channel_id: ChannelId
    """Channel of its message and of its tables."""
    organiser_id: UserId
    """Person who announced it; a pseudonym after their erasure."""
    created_at: datetime
    """Time of the announcement."""
    settings: str
    """Its settings as JSON text."""
    status: EventStatus = "open"
    """Its status, as computed from its actions."""
    message_id: MessageId | None = None
    """Its public message; `None` until it is posted."""
    shown: int = 0
    """Number of the actions that the public message shows; -1: it must be edited."""
    scheduled_id: int | None = None
    """Scheduled event of Discord; `None` without one."""
    seq: int = 0
    """Number of its actions."""


class EventPerson(NamedTuple):
    """A person in an event."""

    number: PersonNumber
    """Number of the person in the event."""
    user_id: UserId
    """The person; a pseudonym after their erasure."""
    name: str
    """Display name when they last answered; empty after their erasure."""
    rating: int
    """Their rating on the server when they last answered."""
    reminded: int = 0
    """Dates of which they were reminded, or need no reminder: 1 for the first, 2, 4 and so on."""


class StoredAction(NamedTuple):
    """A stored action of an event."""

    seq: int
    """Number of the action in the event, from 1."""
    at: datetime
    """Time of the action."""
    actor_id: UserId | None
    """Person who caused it; `None`: a timer or the end of a match."""
    body: str
    """The action as JSON text (`bot.club.actions`)."""
