"""What the tables tell whoever shows them: the Discord surface listens, and changes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.profiles.honours import Honours
from bot.records import OutboxEntry
from bot.table.state import OpenTable
from engine import Event


@dataclass(frozen=True, slots=True)
class Opened:
    """A lobby is stored; `outbox` holds the message that shows it to everybody."""

    state: OpenTable
    outbox: tuple[OutboxEntry, ...]


@dataclass(frozen=True, slots=True)
class Committed:
    """One committed change: the states before and after, the engine's events, who clicked.

    `outbox` are the messages that it causes and that must reach the channel.
    """

    before: OpenTable
    after: OpenTable
    events: Sequence[Event] = ()
    actor_id: int | None = None
    outbox: tuple[OutboxEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class Waiting:
    """These people are waited for at the table, and nobody has told them yet."""

    state: OpenTable
    user_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message that must reach the channel, and the table as it was when it was caused."""

    entry: OutboxEntry
    state: OpenTable


@dataclass(frozen=True, slots=True)
class Restored:
    """The bot is back: a table that is open, or one that is over and has undelivered messages."""

    state: OpenTable
    outbox: tuple[Outgoing, ...] = ()


@dataclass(frozen=True, slots=True)
class HonoursDue:
    """A server's table of honour is to be posted in this channel.

    `posted` is done when Discord has taken it, and fails as the request does.
    """

    guild_id: int
    channel_id: int
    honours: Honours
    posted: asyncio.Future[None]


LiveEvent = Opened | Committed | Waiting | Restored | HonoursDue


class Listener(Protocol):
    """Who shows what happened."""

    def hear(self, event: LiveEvent) -> None:
        """Take note of an event: return at once, and never raise."""
