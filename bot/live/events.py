"""Events of tables and leases, and their dispatcher. The Discord surface subscribes to most."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from bot.club.actions import Postponed
from bot.club.event import ClubEvent
from bot.ids import ChallengeId, ChannelId, ClubEventId, GuildId, UserId
from bot.profiles.monthly_ranking import MonthlyRanking
from bot.records import OutboxEntry
from bot.runtime.logs import kind_and_place
from bot.table.state import Game, Lobby, OpenTable
from engine import Event

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Opened:
    """A lobby was opened and stored; `outbox` contains its public message."""

    state: OpenTable
    outbox: tuple[OutboxEntry, ...]


@dataclass(frozen=True, slots=True)
class Committed:
    """A change of a table was committed, or made at a private game.

    `events` are those of the engine. `actor_id` is the user who caused the change, if any. `outbox`
    are the messages about the change that must be posted.
    """

    before: OpenTable
    after: OpenTable
    events: Sequence[Event] = ()
    actor_id: UserId | None = None
    outbox: tuple[OutboxEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class Waiting:
    """People must be nudged at a live table, because it has waited for them for a while.

    At turn-based pace an outbox message nudges them instead (`NudgePost`).
    """

    state: Game
    user_ids: tuple[UserId, ...]


@dataclass(frozen=True, slots=True)
class Outgoing:
    """An outbox message, with the state of the table when it was created."""

    entry: OutboxEntry
    state: OpenTable


@dataclass(frozen=True, slots=True)
class Restored:
    """A table was read after a restart; it is open, or over with undelivered messages.

    `round_before` is the table at the end of the previous round, if the posted result of that round
    may still show a countdown to the current one. `late` is True if people have waited for the bot
    during the downtime.
    """

    state: OpenTable
    outbox: tuple[Outgoing, ...] = ()
    round_before: Game | None = None
    late: bool = False


@dataclass(frozen=True, slots=True)
class Released:
    """This process no longer serves a table, and must not write there any more.

    Another process sends the undelivered messages, which are stored.
    """

    state: OpenTable


@dataclass(frozen=True, slots=True)
class ComputersChanged:
    """Experts have become available, or Novices now substitute for them."""


@dataclass(frozen=True, slots=True)
class MonthlyRankingDue:
    """A server's monthly ranking must be posted in this channel.

    The handler completes `posted` when Discord has accepted the message, or sets the error of the
    request.
    """

    guild_id: GuildId
    channel_id: ChannelId
    ranking: MonthlyRanking
    posted: asyncio.Future[None]


@dataclass(frozen=True, slots=True)
class ReminderDue:
    """A person must be reminded of the deal of the day, which is open until `ends_at`.

    The handler completes `sent` when Discord has accepted the direct message, or sets the error of
    the request.
    """

    user_id: UserId
    ends_at: datetime
    sent: asyncio.Future[None]


@dataclass(frozen=True, slots=True)
class PersonForgotten:
    """A person was erased; the pseudonym replaces them in past matches.

    `names` are their names at tables that were open until then.
    """

    user_id: UserId
    pseudonym: UserId
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class ChallengeChanged:
    """The public message of a challenge must be posted or edited."""

    challenge_id: ChallengeId


@dataclass(frozen=True, slots=True)
class ClubEventChanged:
    """The public message of a club event must be posted or edited."""

    event_id: ClubEventId


@dataclass(frozen=True, slots=True)
class EventNoticeDue:
    """People must be reminded once of an event that begins soon, or notified once of a `wish`.

    `mentioned` people get one message in the channel of the event, and `direct` ones a direct
    message each.
    """

    event: ClubEvent
    mentioned: tuple[UserId, ...]
    direct: tuple[UserId, ...]
    wish: Postponed | None = None
    """The wish of the other pair to postpone a fixture of a league."""


class EventPlace(NamedTuple):
    """Place of a table of an event."""

    channel_id: ChannelId
    """Its thread, or the channel of the event."""
    parent_channel_id: ChannelId | None = None
    """Channel of the thread, if it is in one."""


@dataclass(frozen=True, slots=True)
class EventPlaceDue:
    """A place for the table of a match is needed, usually a new thread in the event's channel.

    `round` is from 1 and `match` from 0. The handler completes `place`, or sets the error of the
    request or a `Refused`. Then the place is due again later.
    """

    event: ClubEvent
    round: int
    match: int
    place: asyncio.Future[EventPlace]


@dataclass(frozen=True, slots=True)
class EventPlaceUnused:
    """No table could be opened in this place; its thread can be deleted."""

    place: EventPlace


@dataclass(frozen=True, slots=True)
class LeasesLost:
    """This process no longer serves some servers; all handlers run at once."""


@dataclass(frozen=True, slots=True)
class LeasesGained:
    """This process serves additional servers; dispatched again if a handler fails."""


@dataclass(frozen=True, slots=True)
class LeasesRenewed:
    """The leases were renewed; handlers read changes by other processes."""


@dataclass(frozen=True, slots=True)
class MayStart:
    """Query whether the bot can show a match in this lobby's channel.

    If not, the match does not start automatically.
    """

    lobby: Lobby


LiveEvent = (
    Opened
    | Committed
    | Waiting
    | Restored
    | Released
    | ComputersChanged
    | MonthlyRankingDue
    | ReminderDue
    | PersonForgotten
    | ChallengeChanged
    | ClubEventChanged
    | EventNoticeDue
    | EventPlaceDue
    | EventPlaceUnused
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

        The change is committed already, so errors of handlers are logged and not raised.
        """
        handlers = self._handlers_of(event)
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
        for handler in self._handlers_of(event):
            await handler(event)

    def allows(self, query: MayStart) -> bool:
        """Return whether all handlers return True for this query."""
        return all(handler(query) for handler in self._handlers_of(query))

    def _handlers_of(self, event: object) -> list[Callable[[Any], Any]]:
        return self._handlers.get(type(event), [])
