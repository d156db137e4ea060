"""Tables of club events: opened once for each match, closed if unused, and their results."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from bot.club import league, rules, tournament
from bot.club.actions import Action, Opened, read_action
from bot.club.competition import EntrantNumber, Result
from bot.club.event import ClubEvent, EventMatch, restore
from bot.club.tables import (
    absent_people,
    chairs_of,
    deal_points,
    find_match,
    links_of,
    missing_people,
    points_result,
    result_of,
    user_ids_of,
)
from bot.club_records import PersonNumber
from bot.errors import Reason, Refused, Stale
from bot.ids import ClubEventId, TableId, UserId
from bot.live.events import EventDispatcher, EventPlace, EventPlaceDue, EventPlaceUnused
from bot.live.forgetting import Forgetting
from bot.live.registry import Registry
from bot.live.table_limits import Reservation, TableLimits
from bot.runtime.clock import Clock
from bot.storage import StorageError, Store
from bot.storage.club_events import StoredEvent
from bot.table.commands import Admit, CloseLobby, Command, MoveDeadline
from bot.table.dealing import DrawSecret
from bot.table.lobby import LobbyPlan, absent_sides, sides_of
from bot.table.options import EventLink
from bot.table.server_options import server_policy
from bot.table.state import Game, Lobby, OpenTable

_FIXTURE_WAITS = timedelta(hours=12)
"""Time for which the lobby of a fixture of a league waits for its people."""
_LOOK_BACK = timedelta(days=7)
"""Age of the oldest matches that are counted for a league although they were not announced."""

_LATEST = timedelta(days=1)
"""Time after the begin of a round without a deadline in which its tables open."""

Create = Callable[..., Coroutine[Any, Any, Lobby]]
"""`Tables.create`."""
Execute = Callable[[TableId, UserId, Command], Coroutine[Any, Any, OpenTable]]
"""`Tables.execute`."""


class EventTables:
    """Opens and closes the tables of events; `create` and `execute` are those of `Tables`."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        registry: Registry,
        limits: TableLimits,
        forgetting: Forgetting,
        events: EventDispatcher,
        create: Create,
        execute: Execute,
        draw_secret: DrawSecret,
    ) -> None:
        self._store = store
        self._clock = clock
        self._registry = registry
        self._limits = limits
        self._forgetting = forgetting
        self._events = events
        self._create_table = create
        self._execute = execute
        self._draw_secret = draw_secret

    def of(self, event_id: ClubEventId) -> Iterable[OpenTable]:
        """Yield the open tables of an event, also those of an earlier draw."""
        for loaded in list(self._registry.all()):
            link = loaded.state.options.event
            if link is not None and link.event == event_id:
                yield loaded.state

    def event_ids(self) -> set[ClubEventId]:
        """Return the events that have open tables."""
        links = (loaded.state.options.event for loaded in self._registry.all())
        return {link.event for link in links if link is not None}

    async def close_unused(self, event: ClubEvent) -> None:
        """Close lobbies that have no match any more; matches that have begun go on."""
        for table in self.of(event.id):
            link = table.options.event
            match = None if link is None else find_match(event, link)
            is_over = match is None or match.result is not None
            if isinstance(table, Lobby) and (is_over or self._is_past(event, table)):
                with suppress(Refused):  # its match has just begun
                    await self._execute(table.id, table.host_id, CloseLobby())

    async def begun_meanwhile(self, event: ClubEvent) -> Sequence[Action]:
        """Return what to store for matches that began while their event was changed.

        A forfeit of the same moment does not count, and after another draw of a game night the one
        before counts again. `close_unused` must have closed the lobbies before.
        """
        begun = {
            each.id: each.options.event for each in self.of(event.id) if isinstance(each, Game)
        }
        links = [(table_id, link) for table_id, link in begun.items() if link is not None]
        if event.is_over or event.settings.format == "league":
            return ()
        if event.settings.is_tournament:
            return [
                Opened(round=link.round, match=link.match, table_id=table_id)
                for table_id, link in links
                if (match := find_match(event, link)) is not None
                and match.result is not None
                and match.result.ending == "forfeit"
            ]
        opened = {match.table_id for round_ in event.rounds for match in round_.matches}
        if not links or any(
            table_id in opened or find_match(event, link) for table_id, link in links
        ):
            return ()
        stored = await self._store.club_events.get(event.id)
        draw = links[0][1].draw
        actions = () if stored is None else stored.actions[draw - 2 : draw]
        return [
            *(read_action(each.body) for each in actions),
            *(
                Opened(round=link.round, match=link.match, table_id=table_id)
                for table_id, link in links
                if link.draw == draw
            ),
        ]

    def _is_past(self, event: ClubEvent, table: Lobby) -> bool:
        """Return whether people have waited in vain: for a fixture of a league, or in a pause.

        After a pause the table is opened again.
        """
        link = table.options.event
        if event.paused_at is not None:
            return self._has_waited(event, table)
        if event.settings.format != "league" or link is None or link.until is None:
            return False
        return link.until <= self._clock.now()

    async def advance(self, event: ClubEvent, link: EventLink) -> Sequence[Action]:
        """Open the table of a match, or read its end; return what to store, nothing if it goes on.

        Raises `Refused` or the error of the request if the table cannot be opened now.
        """
        match = find_match(event, link)
        if match is None or match.result is not None:
            return ()
        if match.table_id is None:
            return await self._open(event, link, match)
        return await self._end(event, link, match, match.table_id)

    async def _open(self, event: ClubEvent, link: EventLink, match: EventMatch) -> Sequence[Action]:
        """Open the table of a match, unless it was opened before a kill; return what to store.

        A match without people, or without a place for its table for too long, counts for nobody.
        """
        for table in self.of(event.id):
            opened = table.options.event
            if opened is None or (opened.round, opened.match) != (link.round, link.match):
                continue
            has_begun = event.settings.is_tournament and isinstance(table, Game)
            if opened.draw == link.draw or has_begun:  # it may begin during a substitution
                return [Opened(round=link.round, match=link.match, table_id=table.id)]
        now, round_ = self._clock.now(), event.rounds[link.round - 1]
        is_fixture = event.settings.format == "league"  # its people open it
        if is_fixture or event.paused_at is not None or now < round_.begins_at:
            return ()
        user_ids = user_ids_of(event, match)
        time = _LATEST if event.settings.is_tournament else rules.LATEST
        if not user_ids or now > (round_.deadline or round_.begins_at + time):
            return rules.end_match(event, link.round, link.match, Result("void"))
        return await self._open_new(event, link, user_ids[0])

    async def _open_new(
        self, event: ClubEvent, link: EventLink, host_id: UserId
    ) -> Sequence[Action]:
        turn_based = event.settings.options.turn_based
        with self._limits.reserve_for_event(
            event.guild_id, host_id, turn_based=turn_based
        ) as reservation:
            table = await self._create(event, link, reservation)
        return [Opened(round=link.round, match=link.match, table_id=table.id)]

    async def open_fixture(self, event: ClubEvent, round_: int, match: int) -> Sequence[Action]:
        """Open the table of a fixture of a league; return what to store.

        Raises `Refused` or the error of the request if it cannot be opened now.
        """
        link = next(each for each in links_of(event) if (each.round, each.match) == (round_, match))
        link = link.model_copy(update={"until": self._clock.now() + _FIXTURE_WAITS})
        host_id = user_ids_of(event, event.rounds[round_ - 1].matches[match])[0]
        return await self._open_new(event, link, host_id)

    async def _create(
        self, event: ClubEvent, link: EventLink, reservation: Reservation
    ) -> OpenTable:
        """Open the table of a match in its place, with all its people.

        They are read again, because the place may have taken a while. Raises `Refused` (``stale``)
        if the event was changed meanwhile, or paused.
        """
        place = await self._find_place(event, link)
        try:
            since = self._forgetting.erasure_count
            event = await read_event(self._store, event.id)
            match = find_match(event, link)
            if match is None or match.result is not None or event.paused_at is not None:
                raise Stale
            if not user_ids_of(event, match):
                raise Stale
            deals: Sequence[str] = ()
            if link.same_deals:
                deals = await self._store.club_events.draw_deals(
                    event.id, link.round, link.rounds or 1, self._draw_secret
                )
            policy = server_policy(self._store.server_settings.get(event.guild_id))
            options = event.settings.options.with_policy(policy)
            plan = LobbyPlan(
                event.guild_id,
                place.channel_id,
                user_ids_of(event, match)[0],
                options.model_copy(update={"event": link}),
                chairs_of(event, match),
                boards=tuple(deals),
                substitutes=tuple(event.people[each].user_id for each in event.substitutes()),
                parent_channel_id=place.parent_channel_id,
            )
            return await self._create_table(plan, reservation=reservation, since=since)
        except (Refused, StorageError):
            self._events.dispatch(EventPlaceUnused(place))
            raise

    async def _find_place(self, event: ClubEvent, link: EventLink) -> EventPlace:
        """Return a place for the table of a match. Raise `Refused` or the request's error."""
        place: asyncio.Future[EventPlace] = asyncio.get_running_loop().create_future()
        if not self._events.dispatch(EventPlaceDue(event, link.round, link.match, place)):
            raise RuntimeError("no handler for EventPlaceDue")
        return await place

    async def _end(
        self, event: ClubEvent, link: EventLink, match: EventMatch, table_id: TableId
    ) -> Sequence[Action]:
        """Return the actions that note the end of a match; none while it goes on."""
        loaded = self._registry.find(table_id)
        result: Result | None
        if loaded is not None:
            await self._move_deadline(event, link, loaded.state)
            await self._admit(event, match, loaded.state)
            result = self._decision(event, link, match, loaded.state)
            return () if result is None else await self._ended(event, link, table_id, result)
        table = await self._store.tables.get(table_id)
        if table is not None and table.status in ("lobby", "playing"):
            return ()  # it cannot be read
        record = None if table is None else await self._store.history.match(table_id)
        is_finished = table is not None and table.status == "finished"
        is_fixture = event.settings.format == "league" and (record is None or not record.rounds)
        lost_thread = table is not None and table.status == "stopped" and table.parent_channel_id
        if is_fixture or (record is None and (lost_thread or event.paused_at is not None)):
            return [Opened(round=link.round, match=link.match, table_id=None)]  # once more
        result = result_of(event.settings, record, is_finished=is_finished)
        absent = absent_people(event, match, record)
        return await self._ended(event, link, table_id, result, absent)

    async def _ended(
        self,
        event: ClubEvent,
        link: EventLink,
        table_id: TableId,
        result: Result,
        absent: tuple[PersonNumber, ...] = (),
    ) -> Sequence[Action]:
        """Return the end of a match, in a duplicate with the points of each deal."""
        if link.same_deals and result.ending == "played":
            rounds = await self._store.history.rounds(table_id)
            result = result._replace(boards=deal_points(event.settings.options.teams, rounds))
        return rules.end_match(event, link.round, link.match, result, absent)

    def _decision(
        self, event: ClubEvent, link: EventLink, match: EventMatch, table: OpenTable
    ) -> Result | None:
        """Return the result of a match whose time is over, although its table is open, or `None`.

        After the deadline of a round a match has the points so far. It is lost by who has not come
        until then, or until the grace time if the organiser chose that.
        """
        settings = event.settings
        if not settings.is_tournament or settings.format == "league" or event.paused_at is not None:
            return None
        now, deadline = self._clock.now(), event.rounds[link.round - 1].deadline
        is_late = deadline is not None and now >= deadline
        if isinstance(table, Game):
            return points_result(table.match.totals) if is_late else None
        if is_late or self._has_waited(event, table):
            return tournament.forfeit(missing_people(event, match, table))
        return None

    async def _move_deadline(self, event: ClubEvent, link: EventLink, table: OpenTable) -> None:
        """Let a lobby wait until a deadline that the organiser has moved."""
        deadline, opened = event.rounds[link.round - 1].deadline, table.options.event
        if opened is None or deadline in (None, opened.until) or event.settings.format == "league":
            return
        if isinstance(table, Lobby) and deadline is not None:
            with suppress(Refused):  # its match has just begun
                await self._execute(table.id, table.host_id, MoveDeadline(deadline))

    async def _admit(self, event: ClubEvent, match: EventMatch, table: OpenTable) -> None:
        """Let a substitute sit at the table of a match that has begun."""
        sides = sides_of(event.settings.options, chairs_of(event, match))
        if event.settings.is_tournament and table.invitations.sides != sides:
            with suppress(Refused):  # it has just ended
                await self._execute(table.id, table.host_id, Admit(sides))

    def has_begun(self, event: ClubEvent, entrant: EntrantNumber) -> bool:
        """Return whether a match of an entrant is played now."""
        ids = {
            event.rounds[n - 1].matches[match].table_id for n, match in event.open_matches(entrant)
        }
        return any(isinstance(each, Game) and each.id in ids for each in self.of(event.id))

    async def last_season(self, event: ClubEvent) -> ClubEvent | None:
        """Return the season before that of a league, or `None`."""
        follows = event.settings.follows
        stored = None if follows is None else await self._store.club_events.get(follows)
        return None if stored is None else restored(stored)

    async def decided_elsewhere(self, event: ClubEvent) -> Sequence[Action]:
        """Return the fixture that another match of the server decides in a running league."""
        if event.settings.format != "league" or event.status != "running":
            return ()
        begin = max(event.rounds[0].begins_at, self._clock.now() - _LOOK_BACK)
        table_ids = await self._store.history.ended_since(event.guild_id, begin)
        known = {match.table_id for round_ in event.rounds for match in round_.matches}
        found = await self._store.history.matches([each for each in table_ids if each not in known])
        for table_id, record in sorted(found.items()):
            table = await self._store.tables.get(table_id)
            if table is not None and (actions := league.count(event, table, record)):
                return actions
        return ()

    def next_close(self, event: ClubEvent) -> datetime | None:
        """Return the next time at which a lobby closes because people have not come."""
        times = list[datetime | None]()
        for table in self.of(event.id):
            link = table.options.event
            if isinstance(table, Lobby) and link is not None:
                times += [self._grace(event, table), link.until]
        now = self._clock.now()
        return min((each for each in times if each is not None and now < each), default=None)

    def _has_waited(self, event: ClubEvent, lobby: Lobby) -> bool:
        """Return whether the grace time is over, and a side without anybody loses by that."""
        grace = self._grace(event, lobby)
        return grace is not None and grace <= self._clock.now() and any(absent_sides(lobby))

    def _grace(self, event: ClubEvent, lobby: Lobby) -> datetime | None:
        """Return the time at which absent people lose their match, if they do.

        The lobby forgets it when it is past.
        """
        link = lobby.options.event
        if event.settings.no_show == "computer" or link is None or link.until is not None:
            return None
        return lobby.timers.deadlines.get("grace", self._clock.now())


def restored(stored: StoredEvent) -> ClubEvent:
    """Return a stored event as a value."""
    bodies = ((action.at, action.body) for action in stored.actions)
    return restore(stored.record, stored.people, bodies)


async def read_event(store: Store, event_id: ClubEventId) -> ClubEvent:
    """Return an event. Raise `Refused` if it was deleted with its server."""
    stored = await store.club_events.get(event_id)
    if stored is None:
        raise Refused(Reason.NO_SUCH_EVENT)
    return restored(stored)
