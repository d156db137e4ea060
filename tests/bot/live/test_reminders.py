"""Reminders of the deal of the day: once for a deal, at the chosen time, over DST changes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.board_records import NewSoloRound
from bot.ids import GuildId, UserId
from bot.live.events import EventDispatcher, ReminderDue
from bot.live.leases import Leases
from bot.live.reminders import LATEST, PAUSE_S, Reminders
from bot.records import PersonalSettings
from bot.runtime.clock import Clock
from bot.runtime.shards import Shards
from players.boards import VERSION
from tests.bot.databases import PATIENT_MS, open_store
from tests.bot.fake_time import FakeTime

pytestmark = pytest.mark.usefixtures("one_thread")

BERLIN, AUCKLAND, KOLKATA = "Europe/Berlin", "Pacific/Auckland", "Asia/Kolkata"
DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
_STEP, _PAUSE = 10 * MINUTE, timedelta(seconds=PAUSE_S)
ADA, BEN, CAI = UserId(1), UserId(2), UserId(3)


def utc(*date: int) -> datetime:
    """Return a moment in UTC."""
    return datetime(*date, tzinfo=UTC)  # type: ignore[arg-type,misc]


NOVEMBER = utc(2031, 11, 12, 12)


def refusal(status: int, code: int) -> discord.HTTPException:
    """Return an error answer of Discord."""
    kind = discord.Forbidden if status == 403 else discord.HTTPException
    response: Any = SimpleNamespace(status=status, reason="no")
    return kind(response, {"code": code, "message": "no"})


class Days:
    """A bot with reminders only, on a real store in simulated time."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.time = FakeTime(NOVEMBER)
        self.sent: list[tuple[UserId, datetime]] = []
        """Reminded people, with the times."""
        self.ends: list[datetime] = []
        """The ends of their deals."""
        self.trouble: Exception | None = None
        self.answers = True
        """False while Discord does not answer."""
        self.unanswered = 0
        """Number of processes that wait for Discord."""
        self.tasks: list[asyncio.Task[None]] = []

    async def open(self, shards: Shards | None = None) -> None:
        """Start the bot."""
        self.store = await open_store(self.file, busy_ms=PATIENT_MS)
        self.begin(shards)

    def begin(self, shards: Shards | None = None) -> None:
        """Start a process with reminders on the store."""
        clock, events = Clock(self.time.now, self.time.sleep), EventDispatcher()
        events.subscribe(ReminderDue, self._send)
        leases = Leases(self.store.leases, clock, events, shards)
        reminders = Reminders(self.store, clock, events, leases)
        self.tasks.append(asyncio.create_task(reminders.run()))

    def _send(self, due: ReminderDue) -> None:
        self.sent.append((due.user_id, self.time.now()))
        self.ends.append(due.ends_at)
        if self.trouble is not None:
            due.sent.set_exception(self.trouble)
        elif self.answers:
            due.sent.set_result(None)
        else:
            self.unanswered += 1

    async def kill(self) -> None:
        """End all processes at once."""
        for task in self.tasks:
            task.cancel()
        await asyncio.wait(self.tasks)
        self.tasks.clear()
        self.unanswered = 0
        await self.store.close()

    async def pass_until(self, moment: datetime) -> None:
        """Let time pass in steps that end at each ten minutes, so at each time to choose."""
        while self.time.now() < moment:
            step = _STEP - (self.time.now() - NOVEMBER) % _STEP
            await self.at(min(moment, self.time.now() + step))

    async def at(self, moment: datetime) -> None:
        """Advance to this moment, and let all processes do their work."""
        self.time.jump(moment)
        await self._settle()
        while self.time.alarms and self.time.alarms[0] <= moment + 3 * _PAUSE:
            self.time.jump(self.time.alarms[0])
            await self._settle()

    async def _settle(self) -> None:
        """Wait until all processes sleep or wait for Discord, also with a slow database."""
        while len(self.time.alarms) + self.unanswered < len(self.tasks):
            await asyncio.sleep(0)

    async def back_at(self, moment: datetime) -> None:
        """Kill the bot and restart it at this moment."""
        await self.kill()
        self.time.jump(moment)
        await self.open()
        await self.at(moment)

    async def wants(
        self, user_id: UserId, hour: int | None, zone: str = "UTC", **more: Any
    ) -> None:
        """Store a choice of a person."""
        minute = None if hour is None else hour * 60
        chosen = PersonalSettings(zone=zone, daily_reminder=minute, **more)
        await self.store.personal_settings.choose(user_id, chosen)


@pytest.fixture
async def days(tmp_path: Path) -> AsyncIterator[Days]:
    """Return a running bot with reminders only."""
    days = Days(tmp_path / "tichu.db")
    await days.open()
    yield days
    await days.kill()


async def test_sends_one_reminder_a_day_at_the_local_time(days: Days) -> None:
    await days.wants(ADA, 18, BERLIN)
    await days.wants(BEN, None, BERLIN)
    await days.pass_until(utc(2031, 11, 14, 12))
    assert days.sent == [(ADA, utc(2031, 11, 12, 17)), (ADA, utc(2031, 11, 13, 17))]
    assert days.ends == [utc(2031, 11, 13), utc(2031, 11, 14)]


@pytest.mark.parametrize(
    "zone, hour, begin, expected",
    [
        # Clocks go from 2:00 to 3:00: that time does not exist, so it is an hour later.
        (BERLIN, 2, utc(2032, 3, 27), [(2032, 3, 27, 1), (2032, 3, 28, 1), (2032, 3, 29, 0)]),
        # Clocks go back from 3:00 to 2:00: that time exists twice, and the first counts.
        (BERLIN, 2, utc(2032, 10, 30), [(2032, 10, 30, 0), (2032, 10, 31, 0), (2032, 11, 1, 1)]),
        (BERLIN, 18, utc(2032, 3, 27), [(2032, 3, 27, 17), (2032, 3, 28, 16), (2032, 3, 29, 16)]),
        # Two local days of one deal in UTC: one reminder. Then a deal without a reminder.
        (AUCKLAND, 12, utc(2032, 9, 25), [(2032, 9, 25, 0), (2032, 9, 26, 23), (2032, 9, 27, 23)]),
        (AUCKLAND, 12, utc(2032, 4, 2), [(2032, 4, 2, 23), (2032, 4, 4, 0)]),
    ],
)
async def test_local_time_over_changes_of_the_clock(
    days: Days, zone: str, hour: int, begin: datetime, expected: list[tuple[int, ...]]
) -> None:
    await days.back_at(begin - MINUTE)
    await days.wants(ADA, hour, zone)
    await days.pass_until(begin + 3 * DAY - MINUTE)
    assert [when for _, when in days.sent] == [utc(*date) for date in expected]


@pytest.mark.parametrize("late", [MINUTE, LATEST - MINUTE])
async def test_reminder_missed_for_less_than_an_hour_is_sent(days: Days, late: timedelta) -> None:
    await days.wants(ADA, 18)
    await days.back_at(utc(2031, 11, 12, 18) + late)
    assert days.sent == [(ADA, utc(2031, 11, 12, 18) + late)]
    await days.back_at(utc(2031, 11, 12, 18) + LATEST)
    await days.pass_until(utc(2031, 11, 13, 17))
    assert len(days.sent) == 1, "never twice"


async def test_reminder_missed_for_an_hour_is_not_sent(days: Days) -> None:
    await days.wants(ADA, 18)
    await days.back_at(utc(2031, 11, 12, 19))
    await days.pass_until(utc(2031, 11, 13, 17))
    assert days.sent == []


async def test_reminder_of_a_deal_that_is_over_is_not_sent(days: Days) -> None:
    await days.wants(ADA, 5, KOLKATA)  # 23:30 UTC
    await days.back_at(utc(2031, 11, 13, 0, 10))
    assert days.sent == []
    await days.pass_until(utc(2031, 11, 14))
    assert days.sent == [(ADA, utc(2031, 11, 13, 23, 30))], "the next deal has its own"


async def test_time_that_was_chosen_later_waits_for_the_next_day(days: Days) -> None:
    await days.pass_until(utc(2031, 11, 12, 18, 20))
    await days.wants(ADA, 18)
    await days.pass_until(utc(2031, 11, 13, 17))
    assert days.sent == []
    await days.pass_until(utc(2031, 11, 13, 18))
    assert len(days.sent) == 1


async def test_kill_while_sending_sends_no_second_one(days: Days) -> None:
    await days.wants(ADA, 18)
    days.answers = False
    await days.pass_until(utc(2031, 11, 12, 18))
    assert len(days.sent) == 1
    days.answers = True
    await days.back_at(utc(2031, 11, 12, 18, 1))
    await days.pass_until(utc(2031, 11, 13, 17))
    assert len(days.sent) == 1
    await days.pass_until(utc(2031, 11, 13, 18))
    assert len(days.sent) == 2


@pytest.mark.parametrize("code", [50007, 50278])
async def test_closed_direct_messages_turn_it_off(days: Days, code: int) -> None:
    await days.wants(ADA, 18)
    days.trouble = refusal(403, code)
    await days.pass_until(utc(2031, 11, 14))
    assert len(days.sent) == 1
    settings = await days.store.personal_settings.get(ADA)
    assert (settings.daily_reminder, settings.reminder_refused) == (None, True)


async def test_other_refusals_leave_it_on(days: Days) -> None:
    await days.wants(ADA, 18)
    days.trouble = refusal(403, 20026)
    await days.pass_until(utc(2031, 11, 13, 12))
    assert len(days.sent) == 1
    assert (await days.store.personal_settings.get(ADA)).daily_reminder == 18 * 60


@pytest.mark.parametrize("trouble", [refusal(503, 0), refusal(400, 40003), TimeoutError()])
async def test_temporary_failures_are_retried_every_minute(days: Days, trouble: Exception) -> None:
    for person in (ADA, BEN):
        await days.wants(person, 18)
    days.trouble = trouble
    for minute in range(3):
        await days.at(utc(2031, 11, 12, 18, minute))
    assert [person for person, _ in days.sent] == [ADA] * 3, "and does not go on to others"
    days.trouble = None
    await days.pass_until(utc(2031, 11, 13, 12))
    assert [person for person, _ in days.sent[3:]] == [ADA, BEN]


async def test_quiet_hours_silence_it(days: Days) -> None:
    await days.wants(ADA, 6, BERLIN, quiet=(22 * 60, 7 * 60))
    await days.pass_until(NOVEMBER + 2 * DAY)
    assert days.sent == []


async def test_reminders_are_paced(days: Days) -> None:
    for person in (ADA, BEN, CAI):
        await days.wants(person, 18)
    await days.pass_until(utc(2031, 11, 12, 19))
    moments = [when for _, when in days.sent]
    assert moments == [utc(2031, 11, 12, 18) + index * _PAUSE for index in range(3)]


async def test_two_processes_send_it_once(days: Days) -> None:
    days.begin()
    for person in (ADA, BEN, CAI):
        await days.wants(person, 18)
    await days.pass_until(utc(2031, 11, 12, 19))
    assert sorted(person for person, _ in days.sent) == [ADA, BEN, CAI]


async def test_process_without_the_lease_sends_nothing(days: Days) -> None:
    await days.wants(ADA, 18)
    await days.kill()
    await days.open(Shards((1,), 2))
    await days.pass_until(utc(2031, 11, 12, 20))
    assert days.sent == []


async def test_deal_that_nobody_can_begin_is_left_out(days: Days) -> None:
    await days.wants(ADA, 18)
    today = NOVEMBER.date()
    await days.store.boards.draw_days([today, today + DAY], lambda: "00" * 32)
    (board,) = await days.store.boards.days(today, today)
    begun = NewSoloRound(board.id, BEN, "Ben", GuildId(0), False, VERSION + 1, NOVEMBER)
    assert await days.store.boards.begin(begun)
    await days.pass_until(utc(2031, 11, 13, 19))
    assert days.sent == [(ADA, utc(2031, 11, 13, 18))]


async def test_erased_person_gets_none(days: Days) -> None:
    await days.wants(ADA, 18)
    await days.store.people.forget(ADA, None, ())  # type: ignore[arg-type]
    await days.pass_until(utc(2031, 11, 13, 20))
    assert days.sent == []
