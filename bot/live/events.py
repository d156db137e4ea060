"""Events of tables and leases, and their dispatcher. The Discord surface subscribes to most."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from bot.ids import ChannelId, GuildId, UserId
from bot.profiles.monthly_ranking import MonthlyRanking
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
    """A change that is stored: the states before and after, the engine's events, who clicked.

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
class MonthlyRankingDue:
    """A server's monthly ranking is due in this channel.

    `posted` is done when Discord has taken it, and fails as the request does.
    """

    guild_id: GuildId
    channel_id: ChannelId
    ranking: MonthlyRanking
    posted: asyncio.Future[None]


@dataclass(frozen=True, slots=True)
class PersonForgotten:
    """Nothing more is stored of a person; the pseudonym stands where they played.

    `names` are those that they had at tables which were open until then.
    """

    user_id: UserId
    pseudonym: UserId
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class LeasesLost:
    """This process no longer serves some servers; handled before anything else happens there."""


@dataclass(frozen=True, slots=True)
class LeasesGained:
    """This process serves servers that it did not serve before; dispatched again if that fails."""


@dataclass(frozen=True, slots=True)
class LeasesRenewed:
    """The leases were renewed: time to read what other processes have changed."""


@dataclass(frozen=True, slots=True)
class MayStart:
    """Query: can a match be shown where this lobby is, so that it may start by itself?"""

    lobby: Lobby


LiveEvent = (
    Opened
    | Committed
    | Waiting
    | Restored
    | LetGo
    | ComputersChanged
    | MonthlyRankingDue
    | PersonForgotten
)
"""Events of the tables."""
_Event = TypeVar("_Event", bound=LiveEvent | LeasesLost | LeasesGained | LeasesRenewed | MayStart)


class EventDispatcher:
    """Calls the handlers of an event, by its type, in the order of their subscription."""

    def __init__(self) -> None:
        self._handlers: dict[type, list[Callable[[Any], Any]]] = {}

    def subscribe(self, kind: type[_Event], handler: Callable[[_Event], object]) -> None:
        """Call `handler` with each later event of this type."""
        self._handlers.setdefault(kind, []).append(handler)

    def dispatch(self, event: LiveEvent | LeasesLost) -> bool:
        """Call all handlers; return whether there are any and none has failed.

        What has happened is stored by now, so an error of a handler is logged, not raised.
        """
        handlers = self._of(event)
        handled = bool(handlers)
        for handler in handlers:
            try:
                handler(event)
            except Exception as error:  # noqa: BLE001 - its text may name cards
                kind = type(event).__name__
                log.error("unhandled exception in a handler of %s: %s", kind, kind_and_place(error))
                handled = False
        return handled

    async def complete(self, event: LeasesGained | LeasesRenewed) -> None:
        """Await all handlers of this event. Raises what they raise."""
        for handler in self._of(event):
            await handler(event)

    def allows(self, query: MayStart) -> bool:
        """Return whether no handler answers this query with false."""
        return all(handler(query) for handler in self._of(query))

    def _of(self, event: object) -> list[Callable[[Any], Any]]:
        return self._handlers.get(type(event), [])
