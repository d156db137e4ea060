"""What the tables tell whoever shows them: the Discord surface listens, and changes nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.ids import ChannelId, GuildId, UserId
from bot.profiles.honours import Honours
from bot.records import OutboxEntry
from bot.runtime.logs import kind_and_place
from bot.table.state import Game, Lobby, OpenTable
from engine import Event

log = logging.getLogger(__name__)


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
    actor_id: UserId | None = None
    outbox: tuple[OutboxEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class Waiting:
    """These people are waited for at the table, and nobody has told them yet.

    At turn-based pace nothing of it is told: a stored message nudges them (`NudgePost`).
    """

    state: Game
    user_ids: tuple[UserId, ...]


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message that must reach the channel, and the table as it was when it was caused."""

    entry: OutboxEntry
    state: OpenTable


@dataclass(frozen=True, slots=True)
class Restored:
    """The bot is back: a table that is open, or one that is over and has undelivered messages.

    `round_before` is the table as it was when the round before the newest deal was over. It is
    there if some result stands in the channel that counts down, for it may be that of this round.
    `late` is whether people have waited for the bot meanwhile.
    """

    state: OpenTable
    outbox: tuple[Outgoing, ...] = ()
    round_before: Game | None = None
    late: bool = False


@dataclass(frozen=True, slots=True)
class LetGo:
    """This process does not serve the table any more: it writes nothing there from now on.

    What has not reached the channel is stored, and another process sends it.
    """

    state: OpenTable


@dataclass(frozen=True, slots=True)
class ComputersChanged:
    """Experts are ready; or they are not, and Novices sit in for them."""


@dataclass(frozen=True, slots=True)
class HonoursDue:
    """A server's table of honour is to be posted in this channel.

    `posted` is done when Discord has taken it, and fails as the request does.
    """

    guild_id: GuildId
    channel_id: ChannelId
    honours: Honours
    posted: asyncio.Future[None]


@dataclass(frozen=True, slots=True)
class PersonForgotten:
    """Nothing more is stored of a person; the pseudonym stands where they played.

    `names` are those that they had at tables which were open until then.
    """

    user_id: UserId
    pseudonym: UserId
    names: frozenset[str]


LiveEvent = (
    Opened
    | Committed
    | Waiting
    | Restored
    | LetGo
    | ComputersChanged
    | HonoursDue
    | PersonForgotten
)


class Listener(Protocol):
    """Who shows what happened."""

    def hear(self, event: LiveEvent) -> None:
        """Take note of an event: return at once, and never raise."""


class News:
    """What is told of the tables, and the one listener that hears it."""

    def __init__(self) -> None:
        self.listener: Listener | None = None
        self.may_start: Callable[[Lobby], bool] = lambda lobby: True
        """Whether a match can be shown where this lobby is: asked before it starts by itself."""

    def tell(self, event: LiveEvent) -> bool:
        """Tell the listener, if there is one; returns whether it has taken note.

        What has happened is stored by now: an error of the listener is logged, not raised.
        """
        if self.listener is None:
            return False
        try:
            self.listener.hear(event)
        except Exception as error:  # noqa: BLE001 - its text may name cards
            told = type(event).__name__
            log.error("the listener failed at %s: %s", told, kind_and_place(error))
            return False
        return True
