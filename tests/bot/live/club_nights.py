"""A bot with game nights on a real store in simulated time, without Discord."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot.club.actions import Answer
from bot.club.event import ClubEvent
from bot.club.settings import EventSettings
from bot.ids import ChannelId, ClubEventId, TableId, UserId
from bot.live.events import (
    ClubEventChanged,
    EventNoticeDue,
    EventPlace,
    EventPlaceDue,
    EventPlaceUnused,
)
from bot.runtime.shards import Shards
from bot.storage.club_events import ClubEventStore
from bot.table.commands import CheckIn, VoteToStop
from bot.table.state import Game, Lobby, OpenTable
from tests.bot.states import CHANNEL, GUILD, PEOPLE
from tests.bot.table_world import QUICK, TableWorld

ORGANISER = UserId(100)
BEGIN = datetime(2031, 5, 4, 18, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
_THREADS = count(1_200_000_000_000_000_000)
"""Ids of new threads, each used once in all worlds."""
WEEK = timedelta(days=7)
_TASKS = "club-event"
"""Begin of the names of tasks for events."""


class ClubWorld(TableWorld):
    """Tables and events; the channel of an event gets a new thread for each table."""

    def __init__(self, folder: Path, shards: Shards | None = None) -> None:
        super().__init__(folder, shards=shards)
        self.reminders: list[tuple[tuple[UserId, ...], tuple[UserId, ...]]] = []
        """Mentioned people and those with direct messages, for each reminder."""
        self.changed: list[ClubEventId] = []
        """Events whose messages had to be edited."""
        self.threads: list[EventPlace] = []
        self.unused: list[EventPlace] = []
        self.failure: Exception | None = None
        """Failure of new threads, for the tables of these matches."""
        self.failing: range = range(99)
        self.running: asyncio.Task[None] | None = None

    async def open(self, *, wake: bool = True) -> list[OpenTable]:
        """Start the bot, with its work in the background."""
        found = await super().open(wake=wake)
        events = self.events
        events.subscribe(ClubEventChanged, lambda event: self.changed.append(event.event_id))
        events.subscribe(
            EventNoticeDue, lambda due: self.reminders.append((due.mentioned, due.direct))
        )
        events.subscribe(EventPlaceDue, self.open_thread)
        events.subscribe(EventPlaceUnused, lambda unused: self.unused.append(unused.place))
        self.running = asyncio.create_task(self.tables.club_events.run(), name="club-event-run")
        await self.quiet()
        return found

    def open_thread(self, due: EventPlaceDue) -> None:
        """Give the table of a match a new thread, or the failure."""
        if self.failure is not None and due.match in self.failing:
            due.place.set_exception(self.failure)
            return
        self.threads.append(EventPlace(ChannelId(next(_THREADS)), CHANNEL))
        due.place.set_result(self.threads[-1])

    async def close(self) -> None:
        """Stop the bot."""
        if self.running is not None:
            self.running.cancel()
        self.tables.close()
        tasks = [each for each in asyncio.all_tasks() if each.get_name().startswith(_TASKS)]
        await asyncio.gather(*tasks, return_exceptions=True)  # their reads end with them
        await super().close()

    async def quiet(self) -> None:
        """Wait until everything waits for its timer, also the work for events."""
        while True:
            await super().quiet()
            names = [task.get_name() for task in asyncio.all_tasks()]
            if not any(
                name.startswith("club-event-") and name != "club-event-run" for name in names
            ):
                return

    async def announced(self, *dates: datetime, **given: Any) -> ClubEvent:
        """Announce a game night."""
        settings = EventSettings(
            title="Friday",
            dates=dates or (BEGIN,),
            zone="Europe/Berlin",
            options=given.pop("options", QUICK),
            **given,
        )
        return await self.tables.club_events.announce(ORGANISER, GUILD, CHANNEL, settings)

    async def answer(self, event: ClubEvent, answer: Answer, *numbers: int, date: int = 0) -> None:
        """Give the same answer for several people."""
        for number in numbers:
            await self.tables.club_events.answer(
                event.id, GUILD, UserId(101 + number), PEOPLE[number], date, answer
            )

    async def event(self, event_id: ClubEventId | None = None) -> ClubEvent:
        """Return the stored event, by default the first one."""
        return await self.tables.club_events.get(event_id or ClubEventId(1), GUILD)

    async def until(self, moment: datetime) -> None:
        """Let time pass until this moment."""
        await self.run((moment - self.time.now()).total_seconds())

    def of_event(self) -> list[OpenTable]:
        """Return the open tables of events."""
        return [table for table in self.tables.all() if table.options.event is not None]

    async def come(self, table: OpenTable, people: Sequence[UserId] | None = None) -> None:
        """Let people say that they are at the table, by default all; its match begins with all."""
        for user_id in table.user_ids() if people is None else people:
            if isinstance(self.tables.find(table.id), Lobby):
                await self.tables.execute(table.id, user_id, CheckIn())
                await self.quiet()

    def come_meanwhile(self, table: OpenTable, patch: pytest.MonkeyPatch) -> None:
        """Let a match begin while the next change of its event is stored."""
        append = ClubEventStore.append

        async def begin(*args: Any, **given: Any) -> bool:
            patch.setattr(ClubEventStore, "append", append)
            for user_id in table.user_ids():
                await self.tables.execute(table.id, user_id, CheckIn())
            return await append(*args, **given)

        patch.setattr(ClubEventStore, "append", begin)

    async def stop(self, table_id: TableId) -> None:
        """Let a moderator stop a match."""
        if isinstance(self.tables.find(table_id), Game):
            await self.tables.execute(table_id, ORGANISER, VoteToStop(moderator=True))
        await self.quiet()
