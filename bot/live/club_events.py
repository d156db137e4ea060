"""Events of clubs: announcements, answers, reminders, draws, tables and results.

What is due is done again after a kill, because each step follows from what is stored: a reminder is
marked before it is sent, and a table has the match for which it was opened among its options.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final
from weakref import WeakValueDictionary

from bot.club import league, rules, tournament
from bot.club.actions import Action, Answer, Postponed
from bot.club.competition import EntrantNumber
from bot.club.event import ClubEvent, apply, restore
from bot.club.settings import EventSettings
from bot.club.tables import links_of
from bot.club_records import ClubEventRecord, EventPerson, PersonNumber, StoredAction
from bot.errors import Reason, Refused
from bot.ids import ChannelId, ClubEventId, GuildId, UserId
from bot.live.event_reminders import send_reminders, send_wish
from bot.live.event_tables import EventTables, read_event, restored
from bot.live.events import (
    ClubEventChanged,
    Committed,
    EventDispatcher,
    LeasesGained,
    PersonForgotten,
)
from bot.live.forgetting import Forgetting
from bot.live.shard_ownership import ShardOwnership
from bot.rating.ratings import BEGINNER
from bot.runtime.background import in_background
from bot.runtime.clock import Clock
from bot.runtime.discord_requests import REQUEST_ERRORS
from bot.storage import StorageError, Store
from bot.table.dealing import DrawSecret
from bot.table.state import Game

log = logging.getLogger(__name__)

MOST_OPEN: Final = 20
"""Largest number of open and running events of a server."""
MOST_LISTED: Final = 25
"""Largest number of events in a list."""
LOOK_EVERY: Final = timedelta(minutes=15)
"""Interval of looks at all events, which find what was missed."""
RETRY: Final = timedelta(minutes=1)
"""Pause before something that has failed is done again."""

Rule = Callable[[ClubEvent, datetime], Sequence[Action]]
"""Rule of `bot.club` for a change: the actions that follow from the event and the time."""


class ClubEvents:
    """Events of all clubs."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        tables: EventTables,
        forgetting: Forgetting,
        events: EventDispatcher,
        ownership: ShardOwnership,
        draw_secret: DrawSecret,
    ) -> None:
        self._store = store
        self._clock = clock
        self._tables = tables
        self._forgetting = forgetting
        self._events = events
        self._ownership = ownership
        self._draw_secret = draw_secret
        self._timers = Clock(clock.now, clock.sleep)
        """Timers by event, for what is due next."""
        self._locks = WeakValueDictionary[ClubEventId, asyncio.Lock]()
        """Locks by event, held while that is done."""
        self._changes = WeakValueDictionary[ClubEventId, asyncio.Lock]()
        """Locks by event, held while a change by a person is stored."""
        self._tasks = set[asyncio.Task[None]]()
        events.subscribe(Committed, self._on_committed)
        events.subscribe(PersonForgotten, self._on_person_forgotten)
        events.subscribe(LeasesGained, lambda _: self._look())

    def close(self) -> None:
        """Stop everything that goes on in the background."""
        self._timers.cancel_all()
        for task in self._tasks:
            task.cancel()

    # --- clicks and commands -------------------------------------------------------------------

    async def announce(
        self,
        organiser_id: UserId,
        guild_id: GuildId,
        channel_id: ChannelId,
        settings: EventSettings,
    ) -> ClubEvent:
        """Store a new event. Raise `Refused` if the server has too many."""
        settings = rules.completed(settings)
        async with self._forgetting.delay_erasure(organiser_id):
            if sum(not each.is_over for each in await self.of_guild(guild_id)) >= MOST_OPEN:
                raise Refused(Reason.MANY_EVENTS, limit=MOST_OPEN)
            now, no_id, body = self._clock.now(), ClubEventId(0), settings.model_dump_json()
            new = ClubEventRecord(no_id, guild_id, channel_id, organiser_id, now, body)
            record = await self._store.club_events.create(new)
        self._events.dispatch(ClubEventChanged(record.id))
        event = restore(record, (), ())
        self._schedule(event)
        return event

    async def get(self, event_id: ClubEventId, guild_id: GuildId) -> ClubEvent:
        """Return an event of this server. Raise `Refused` if there is none."""
        stored = await self._store.club_events.get(event_id)
        if stored is None or stored.record.guild_id != guild_id:
            raise Refused(Reason.NO_SUCH_EVENT)
        return restored(stored)

    async def history(self, event_id: ClubEventId) -> tuple[StoredAction, ...]:
        """Return the stored actions of an event, with their times and who caused them."""
        stored = await self._store.club_events.get(event_id)
        return () if stored is None else stored.actions

    async def of_guild(self, guild_id: GuildId) -> list[ClubEvent]:
        """Return the last events of a server: open and running ones first, newest first."""
        stored = await self._store.club_events.of_guild(guild_id, most=MOST_LISTED)
        return [restored(each) for each in stored]

    async def finished(self, guild_id: GuildId) -> list[ClubEvent]:
        """Return the last finished tournaments and leagues of a server, newest first."""
        stored = await self._store.club_events.finished(guild_id, most=MOST_LISTED)
        return [restored(each) for each in stored]

    async def answer(
        self,
        event_id: ClubEventId,
        guild_id: GuildId,
        user_id: UserId,
        name: str,
        date: int,
        answer: Answer,
    ) -> ClubEvent:
        """Store the answer of a person. Raise `Refused` if they cannot answer now."""
        async with self._forgetting.delay_erasure(user_id):
            variant = (await self.get(event_id, guild_id)).settings.options.variant
            ratings = await self._store.rankings.ratings(guild_id, variant, [user_id])
            rating = round(ratings.get(user_id, BEGINNER).shown)

            def change(event: ClubEvent) -> tuple[Sequence[Action], Sequence[EventPerson]]:
                person = event.person(user_id, name, rating)
                if self._clock.now() >= event.begins_at - rules.REMIND_BEFORE:
                    # who answers so late needs no reminder
                    person = person._replace(reminded=rules.reminder_of(event))
                return rules.answer(event, person.number, date, answer), (person,)

            return await self._change(event_id, guild_id, user_id, change)

    async def name_partner(
        self,
        event_id: ClubEventId,
        guild_id: GuildId,
        user_id: UserId,
        partner: PersonNumber | None,
    ) -> ClubEvent:
        """Store the partner whom a person wants, who has answered; `None`: anybody."""

        def name(event: ClubEvent) -> tuple[Sequence[Action], Sequence[EventPerson]]:
            person = event.number_of(user_id)
            if person is None:
                raise Refused(Reason.UNKNOWN_BUTTON)
            return tournament.name_partner(event, person, partner), ()

        async with self._forgetting.delay_erasure(user_id):
            return await self._change(event_id, guild_id, user_id, name)

    async def withdraw(
        self,
        event_id: ClubEventId,
        guild_id: GuildId,
        user_id: UserId,
        entrant: EntrantNumber,
        withdrawn: bool,
        *,
        may_manage: bool,
    ) -> ClubEvent:
        """Take an entrant out of all further rounds, or in again.

        Its people may do that, the organiser and moderators. Raises `Refused` for others.
        """

        def change(event: ClubEvent) -> tuple[Sequence[Action], Sequence[EventPerson]]:
            own = event.entrant_of(event.number_of(user_id))
            if own is None or own.number != entrant:
                rules.check_may_manage(event, user_id, may_manage=may_manage)
            has_begun = self._tables.has_begun(event, entrant)
            return tournament.withdraw(event, entrant, withdrawn, has_begun, self._clock.now()), ()

        async with self._forgetting.delay_erasure(user_id):
            return await self._change(event_id, guild_id, user_id, change)

    async def substitute(
        self,
        event_id: ClubEventId,
        guild_id: GuildId,
        user_id: UserId,
        old: PersonNumber,
        new: PersonNumber,
        *,
        may_manage: bool,
    ) -> ClubEvent:
        """Replace a person of an entrant, as the organiser or a moderator."""

        def change(event: ClubEvent, _: datetime) -> Sequence[Action]:
            entrant = event.entrant_of(old)
            has_begun = entrant is not None and self._tables.has_begun(event, entrant.number)
            return tournament.substitute(event, old, new, has_begun)

        return await self.manage(event_id, guild_id, user_id, change, may_manage=may_manage)

    async def announce_next_season(
        self, event_id: ClubEventId, guild_id: GuildId, user_id: UserId, *, may_manage: bool
    ) -> ClubEvent:
        """Announce the season after one that is over; return the first one of several clicks."""
        async with self._lock(event_id):
            event = await self.get(event_id, guild_id)
            rules.check_may_manage(event, user_id, may_manage=may_manage)
            settings = league.follow(event, self._clock.now())
            for each in await self.of_guild(guild_id):
                if each.settings.follows == event_id and each.status != "cancelled":
                    return each
            return await self.announce(user_id, guild_id, event.channel_id, settings)

    async def open_fixture(
        self, event_id: ClubEventId, guild_id: GuildId, user_id: UserId, round_: int, match: int
    ) -> ClubEvent:
        """Open the table of a fixture for one of its people; of several clicks one opens it."""
        async with self._lock(event_id):
            event = await self.get(event_id, guild_id)
            if league.check_opens(event, user_id, round_, match):
                changes = await self._tables.open_fixture(event, round_, match)
                async with self._forgetting.delay_erasure(user_id):
                    await self._append(event, changes, actor_id=user_id)
                event = await self.get(event_id, guild_id)
        self._begin(event_id)  # it sets the timer of the lobby
        return event

    async def begin_now(
        self, event_id: ClubEventId, guild_id: GuildId, user_id: UserId, *, may_manage: bool
    ) -> ClubEvent:
        """Draw the tables or begin a round before the time, as the organiser or a moderator."""

        last_season = await self._tables.last_season(await self.get(event_id, guild_id))

        def begin(event: ClubEvent, now: datetime) -> Sequence[Action]:
            return rules.begin_now(event, self._draw_secret(), now, last_season)

        return await self.manage(event_id, guild_id, user_id, begin, may_manage=may_manage)

    async def draw_again(
        self, event_id: ClubEventId, guild_id: GuildId, user_id: UserId, *, may_manage: bool
    ) -> ClubEvent:
        """Draw the tables again, as the organiser or a moderator, before a match has begun."""

        def draw(event: ClubEvent, _: datetime) -> Sequence[Action]:
            if event.round is None or event.settings.is_tournament:
                raise Refused(Reason.UNKNOWN_BUTTON)
            if any(isinstance(table, Game) for table in self._tables.of(event.id)):
                raise Refused(Reason.EVENT_BEGUN)
            return rules.draw_night(event, self._draw_secret())

        return await self.manage(event_id, guild_id, user_id, draw, may_manage=may_manage)

    async def manage(
        self,
        event_id: ClubEventId,
        guild_id: GuildId,
        user_id: UserId,
        change: Rule,
        *,
        may_manage: bool,
    ) -> ClubEvent:
        """Store a change by the organiser or a moderator (`may_manage`).

        Raises `Refused` for others.
        """

        def checked(event: ClubEvent, now: datetime) -> Sequence[Action]:
            rules.check_may_manage(event, user_id, may_manage=may_manage)
            return change(event, now)

        return await self.act(event_id, guild_id, user_id, checked)

    async def act(
        self, event_id: ClubEventId, guild_id: GuildId, user_id: UserId, change: Rule
    ) -> ClubEvent:
        """Store a change by a person, which raises `Refused` if it is not theirs to make."""
        async with self._forgetting.delay_erasure(user_id):
            return await self._change(
                event_id, guild_id, user_id, lambda event: (change(event, self._clock.now()), ())
            )

    async def _change(
        self,
        event_id: ClubEventId,
        guild_id: GuildId,
        actor_id: UserId,
        change: Callable[[ClubEvent], tuple[Sequence[Action], Sequence[EventPerson]]],
    ) -> ClubEvent:
        """Store a change by a person after earlier ones; repeat it if what is due was faster."""
        async with self._changes.setdefault(event_id, asyncio.Lock()):
            while True:
                before = await self.get(event_id, guild_id)
                actions, people = change(before)
                if not actions:
                    return before
                after = await self._append(before, actions, people, actor_id)
                if after is not None:
                    break
        self._schedule(after)
        for wish in (each for each in actions if isinstance(each, Postponed)):
            sending = send_wish(self._store, self._events, after, wish, self._clock.now())
            in_background(sending, f"club-event-wish-{event_id}", self._tasks)
        return after

    async def _append(
        self,
        before: ClubEvent,
        actions: Sequence[Action],
        people: Sequence[EventPerson] = (),
        actor_id: UserId | None = None,
    ) -> ClubEvent | None:
        """Store actions; return the event after them, `None` if another change was faster.

        The end of a weekly event is stored together with the event of the next week.
        """
        now = self._clock.now()
        after = replace(before, people={**before.people, **{each.number: each for each in people}})
        for action in actions:
            after = apply(after, action, now)
        stored = [
            StoredAction(seq, now, actor_id, action.model_dump_json())
            for seq, action in enumerate(actions, start=before.seq + 1)
        ]
        next_week = rules.next_week(after, now)
        names_organiser = self._forgetting.delay_erasure(after.organiser_id)
        async with nullcontext() if next_week is None else names_organiser:
            is_stored = await self._store.club_events.append(
                after.id,
                before.seq,
                stored,
                people=people,
                status=after.status,
                next_settings=None if next_week is None else next_week.model_dump_json(),
            )
        if not is_stored:
            return None
        self._events.dispatch(ClubEventChanged(after.id))
        if next_week is not None:
            in_background(self._look(), "club-events", self._tasks)  # it announces the next event
        return after

    # --- what nobody causes ----------------------------------------------------------------------

    async def run(self) -> None:
        """Look at all events every `LOOK_EVERY`; what is due in between has timers."""
        while True:
            try:
                await self._look()
            except StorageError as error:
                log.log(error.level, "events: database unavailable: %s", error)
            await self._clock.sleep(LOOK_EVERY.total_seconds())

    async def _look(self) -> None:
        """Do all that is due at the events of this process, and show what is not shown yet."""
        for record in await self._store.club_events.pending():
            if self._ownership.is_ready(record.guild_id):
                self._events.dispatch(ClubEventChanged(record.id))
                self._begin(record.id)
        for event_id in self._tables.event_ids():  # also of cancelled ones, to close their lobbies
            self._begin(event_id)

    def _on_committed(self, event: Committed) -> None:
        """Note the end of the table of a match, also of another one between pairs of a league."""
        table = event.after
        if table.open:
            return
        if table.options.event is not None:
            self._begin(table.options.event.event)
        elif table.status == "finished":
            in_background(self._look_at_leagues(table.guild_id), "club-event-look", self._tasks)

    async def _look_at_leagues(self, guild_id: GuildId) -> None:
        """Let the leagues of a server look at a match that has just ended."""
        for record in await self._store.club_events.pending():
            if record.guild_id == guild_id and record.status == "running":
                self._begin(record.id)

    def _on_person_forgotten(self, event: PersonForgotten) -> None:
        """Remove an erased person from the messages of their events, which are outdated now."""
        in_background(self._look(), "club-events", self._tasks)

    def _schedule(self, event: ClubEvent) -> None:
        """Set the timer of an event; from the reminder on, begin with what is due now."""
        due = rules.due_at(event, self._clock.now())
        if event.status == "open" and due is not None and due < event.begins_at:
            self._set_timer(event.id, due)
        else:
            self._begin(event.id)

    def _set_timer(self, event_id: ClubEventId, when: datetime | None) -> None:
        async def on_timer() -> None:
            self._begin(event_id)

        self._timers.set(event_id, when, on_timer)

    def _begin(self, event_id: ClubEventId) -> None:
        """Begin with what is due at an event."""
        in_background(self._do_due(event_id), f"club-event-{event_id}", self._tasks)

    async def _do_due(self, event_id: ClubEventId) -> None:
        """Do all that is due at an event, and set its timer; after a failure, try again."""
        async with self._lock(event_id):
            try:
                stored = await self._store.club_events.get(event_id)
                if stored is None or not self._ownership.is_ready(stored.record.guild_id):
                    return
                event = await self._advance(restored(stored))
            except StorageError as error:
                log.log(error.level, "event %s: database unavailable: %s", event_id, error)
            except (Refused, *REQUEST_ERRORS) as error:
                reason = error.code if isinstance(error, Refused) else type(error).__name__
                log.warning("event %s: not done yet: %s", event_id, reason)
            else:
                due = rules.due_at(event, self._clock.now()), self._tables.next_close(event)
                self._set_timer(event_id, min((each for each in due if each), default=None))
                return
        self._set_timer(event_id, self._clock.now() + RETRY)

    def _lock(self, event_id: ClubEventId) -> asyncio.Lock:
        return self._locks.setdefault(event_id, asyncio.Lock())

    async def _advance(self, event: ClubEvent) -> ClubEvent:
        """Return an event after all that is due: date, reminders, draws, tables and results.

        Raises `Refused` or the error of a request if a table could not be opened.
        """
        while True:
            await self._tables.close_unused(event)
            begun = await self._tables.begun_meanwhile(event)
            if actions := begun or await self._when_due(event):
                await self._append(event, actions)
                event = await read_event(self._store, event.id)
                continue
            await send_reminders(self._store, self._events, event, self._clock.now())
            before = event.seq
            event, failure = await self._advance_tables(event)
            if event.seq == before:
                if failure is not None:
                    raise failure
                return event

    async def _when_due(self, event: ClubEvent) -> Sequence[Action]:
        """Return what happens now without a click; pairings are computed in a thread."""
        due, now, lots = rules.when_due, self._clock.now(), self._draw_secret()
        if event.settings.is_tournament:
            last_season = await self._tables.last_season(event)
            return await asyncio.to_thread(due, event, lots, now, last_season)
        return due(event, lots, now)

    async def _advance_tables(self, event: ClubEvent) -> tuple[ClubEvent, Exception | None]:
        """Open tables and note results; return the event, and a failure at one of its tables."""
        failure: Exception | None = None
        if decided := await self._tables.decided_elsewhere(event):
            await self._append(event, decided)
            event = await read_event(self._store, event.id)
        for link in links_of(event) if event.status == "running" else ():
            try:
                changes = await self._tables.advance(event, link)
            except (Refused, *REQUEST_ERRORS) as error:  # the other tables need not wait
                failure = error
                continue
            if changes:
                await self._append(event, changes)
                event = await read_event(self._store, event.id)
        return event, failure
