"""Posting of monthly rankings: once, at the end of the month or after it, never twice."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.ids import ChannelId, GuildId, UserId
from bot.profiles.monthly_ranking import MonthlyRanking
from bot.profiles.seasons import AFTER_MIDNIGHT, RETRY, Seasons
from bot.runtime.clock import Clock
from bot.score_records import LATELY, Board
from bot.storage import StorageUnavailable
from bot.storage.rankings import MonthlyRankingStore
from tests.bot.databases import PATIENT_MS, open_store
from tests.bot.fake_time import FakeTime, settle
from tests.bot.won_matches import play

NOVEMBER = datetime(2031, 11, 20, 12, tzinfo=UTC)
MIDNIGHT = datetime(2031, 12, 1, tzinfo=UTC)
HERE, THERE, ELSEWHERE = GuildId(10), 11, 12
"""Three guilds; the bot has left the last."""
CHANNEL = {HERE: 70, THERE: 71, ELSEWHERE: 72}


def refusal(status: int, code: int = 0) -> discord.HTTPException:
    """Return an error answer of Discord."""
    kind = {403: discord.Forbidden, 404: discord.NotFound}.get(status, discord.HTTPException)
    response: Any = SimpleNamespace(status=status, reason="no")
    return kind(response, {"code": code, "message": "no"})


class Poster:
    """Records posts; raises `trouble` instead while it is not `None`."""

    def __init__(self) -> None:
        self.posted: list[tuple[int, int, str]] = []
        self.tried = 0
        self.trouble: Exception | None = None
        self.answers = asyncio.Event()
        """Unset while Discord is slow to answer."""
        self.answers.set()

    def serves(self, guild_id: int) -> bool:
        """Return whether this bot is in the guild."""
        return guild_id != ELSEWHERE

    async def post(self, guild_id: int, channel_id: int, ranking: MonthlyRanking) -> None:
        """Record the post of a monthly ranking."""
        self.tried += 1
        await settle()
        await self.answers.wait()
        if self.trouble is not None:
            raise self.trouble
        self.posted.append((guild_id, channel_id, ranking.season))


class Months:
    """A bot with seasons only, on a real store in simulated time."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.time = FakeTime(NOVEMBER)
        self.poster = Poster()

    async def open(self) -> None:
        """Start the bot."""
        self.store = await open_store(self.file, busy_ms=PATIENT_MS)
        self.clock = Clock(self.time.now, self.time.sleep)
        self.seasons = Seasons(self.store, self.clock)
        await self.seasons.begin(self.poster)

    async def close(self) -> None:
        """Stop the bot."""
        self.clock.cancel_all()
        await self.store.close()

    async def choose(self, *guilds: int) -> None:
        """Choose a channel for each of these guilds."""
        for guild_id in guilds:
            await self.seasons.choose_channel(GuildId(guild_id), ChannelId(CHANNEL[guild_id]))
            await at_rest()

    async def play(self, *guilds: int, at: datetime = NOVEMBER) -> None:
        """Store a match in each of these guilds."""
        for guild_id in guilds:
            await play(
                self.store,
                GuildId(guild_id),
                at,
                [UserId(1), UserId(2)],
                [UserId(3), UserId(4)],
                rounds=1,
            )

    async def reach(self, moment: datetime) -> None:
        """Advance to this moment and let the bot do its work."""
        await self.time.run((moment - self.time.now()).total_seconds())
        await at_rest()


def alarms() -> list[asyncio.Task[Any]]:
    """Return the timer tasks of the seasons: the sleeping one and one at work."""
    return [task for task in asyncio.all_tasks() if task.get_name() == "timer-0"]


async def wait_until(done: Callable[[], bool]) -> None:
    """Let the bot and its database work until this is true."""
    while not done():
        await asyncio.sleep(0.001)


async def at_rest() -> None:
    """Let the bot do all due work until only its sleeping timer is left."""
    await settle()
    await wait_until(lambda: len(alarms()) == 1)


@pytest.fixture
async def months(tmp_path: Path) -> AsyncIterator[Months]:
    """Yield a bot in the middle of November 2031."""
    opened = Months(tmp_path / "tichu.db")
    await opened.open()
    yield opened
    await opened.close()


async def test_posts_at_the_end_of_the_month(months: Months) -> None:
    await months.choose(HERE, THERE, ELSEWHERE)
    await months.play(HERE, THERE, ELSEWHERE)
    await months.reach(MIDNIGHT)
    assert months.poster.posted == []
    assert months.time.alarms == [MIDNIGHT + AFTER_MIDNIGHT]
    await months.reach(MIDNIGHT + AFTER_MIDNIGHT)
    assert months.poster.posted == [(HERE, 70, "2031-11"), (THERE, 71, "2031-11")]
    assert months.time.alarms == [MIDNIGHT + timedelta(days=1) + AFTER_MIDNIGHT]
    await months.play(HERE, at=MIDNIGHT + timedelta(days=3))
    await months.reach(datetime(2032, 1, 1, tzinfo=UTC) + AFTER_MIDNIGHT)
    assert months.poster.posted[2:] == [(HERE, 70, "2031-12")]


async def test_posts_nothing_without_matches_or_channel(months: Months) -> None:
    await months.choose(HERE)
    await months.play(THERE)
    await months.reach(MIDNIGHT + AFTER_MIDNIGHT)
    assert months.poster.tried == 0
    assert await months.store.monthly_rankings.due_servers("2031-11") == {}


async def test_posts_once_after_downtime(months: Months) -> None:
    await months.choose(HERE)
    await months.play(HERE)
    await months.close()
    months.time.jump(MIDNIGHT + timedelta(days=17))
    for _ in range(3):
        await months.open()
        assert months.poster.posted == [(HERE, 70, "2031-11")]
        await months.close()
    await months.open()


async def test_does_not_post_an_old_month(months: Months) -> None:
    await months.choose(HERE)
    await months.play(HERE)
    await months.close()
    months.time.jump(datetime(2032, 1, 1, tzinfo=UTC))
    await months.open()
    assert months.poster.tried == 0


async def test_crash_while_posting_does_not_post_twice(months: Months) -> None:
    await months.choose(HERE)
    await months.play(HERE)
    await months.close()
    months.time.jump(MIDNIGHT)
    in_flight = asyncio.create_task(months.open())
    await wait_until(lambda: months.poster.tried == 1)
    in_flight.cancel()
    await asyncio.gather(in_flight, return_exceptions=True)
    await months.close()
    await months.open()
    assert months.poster.tried == 1


@pytest.mark.parametrize("error", [refusal(404, 10003), refusal(403, 50001), KeyError("a bug")])
async def test_retries_a_failing_channel_at_the_next_start(
    months: Months, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    await months.choose(HERE, THERE)
    await months.play(HERE, THERE)
    months.poster.trouble = error
    with caplog.at_level(logging.WARNING):
        await months.reach(MIDNIGHT + AFTER_MIDNIGHT)
        assert months.poster.tried == 2
        await months.reach(MIDNIGHT + timedelta(days=2))
    assert months.poster.tried == 2
    assert len([r for r in caplog.records if f"server {HERE}" in r.getMessage()]) == 1
    await months.close()
    months.poster.trouble = None
    await months.open()
    assert months.poster.posted == [(HERE, 70, "2031-11"), (THERE, 71, "2031-11")]


async def test_new_channel_gets_the_ranking_its_predecessor_refused(months: Months) -> None:
    await months.choose(HERE)
    await months.play(HERE)
    months.poster.trouble = refusal(404, 10003)
    await months.reach(MIDNIGHT + AFTER_MIDNIGHT)
    months.poster.trouble = None
    await months.seasons.choose_channel(HERE, ChannelId(99))
    await at_rest()
    assert months.poster.posted == [(HERE, 99, "2031-11")]
    await months.seasons.choose_channel(HERE, ChannelId(100))
    await at_rest()
    assert len(months.poster.posted) == 1


async def test_choosing_a_channel_does_not_wait_for_the_post(months: Months) -> None:
    await months.choose(HERE)
    await months.play(HERE)
    months.poster.trouble = refusal(404, 10003)
    await months.reach(MIDNIGHT + AFTER_MIDNIGHT)
    months.poster.trouble = None
    months.poster.answers.clear()
    choosing = asyncio.create_task(months.seasons.choose_channel(HERE, ChannelId(99)))
    await wait_until(lambda: months.poster.tried == 2)
    assert choosing.done()
    months.poster.answers.set()
    await at_rest()
    assert months.poster.posted == [(HERE, 99, "2031-11")]


async def test_choosing_a_channel_survives_a_read_failure(
    months: Months, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The choice is stored, so no error may be shown; the ranking is posted later."""

    async def broken(*_: object) -> None:
        raise StorageUnavailable("the disk is gone")

    await months.choose(HERE)
    await months.play(HERE)
    months.poster.trouble = refusal(404, 10003)
    await months.reach(MIDNIGHT + AFTER_MIDNIGHT)
    months.poster.trouble = None
    with monkeypatch.context() as patch:
        patch.setattr(MonthlyRankingStore, "due_servers", broken)
        await months.seasons.choose_channel(HERE, ChannelId(99))
        await at_rest()
    assert await months.store.monthly_rankings.channel(HERE) == 99
    await months.reach(months.time.now() + RETRY)
    assert months.poster.posted == [(HERE, 99, "2031-11")]


async def test_channel_chosen_at_midnight_gets_the_complete_month(
    months: Months,
) -> None:
    """Nothing is posted before `AFTER_MIDNIGHT`, and its timer is not lost."""
    await months.choose(HERE)
    await months.play(HERE)
    await months.reach(MIDNIGHT + AFTER_MIDNIGHT / 2)
    await months.seasons.choose_channel(HERE, ChannelId(99))
    await at_rest()
    assert months.poster.tried == 0
    await months.reach(MIDNIGHT + AFTER_MIDNIGHT)
    assert months.poster.posted == [(HERE, 99, "2031-11")]


async def test_first_ranking_of_a_channel_is_that_of_the_current_month(months: Months) -> None:
    await months.play(HERE)
    await months.reach(MIDNIGHT + timedelta(days=2))
    await months.choose(HERE)
    await months.close()
    await months.open()
    assert months.poster.tried == 0
    await months.play(HERE, at=months.time.now())
    await months.reach(datetime(2032, 1, 1, tzinfo=UTC) + AFTER_MIDNIGHT)
    assert months.poster.posted == [(HERE, 70, "2031-12")]


async def test_retries_after_failures_of_discord(months: Months) -> None:
    """After any error, however often."""
    await months.choose(HERE)
    await months.play(HERE)
    errors = (
        refusal(503),
        refusal(429),
        ConnectionResetError(),
        TimeoutError(),
        aiohttp.ServerDisconnectedError(),
    )
    due = MIDNIGHT + AFTER_MIDNIGHT
    for tries, error in enumerate(errors, 1):
        months.poster.trouble = error
        await months.reach(due)
        due += RETRY
        assert months.time.alarms == [due]
        assert months.poster.tried == tries
    months.poster.trouble = None
    await months.reach(due)
    assert months.poster.posted == [(HERE, 70, "2031-11")]
    assert months.time.alarms == [MIDNIGHT + timedelta(days=1) + AFTER_MIDNIGHT]


async def test_posts_nothing_without_the_storage(
    months: Months, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> bool:
        raise StorageUnavailable("the disk is full")

    await months.choose(HERE)
    await months.play(HERE)
    with monkeypatch.context() as patch:
        patch.setattr(MonthlyRankingStore, "mark_posted", broken)
        await months.reach(MIDNIGHT + AFTER_MIDNIGHT)
        assert months.poster.tried == 0
    await months.reach(MIDNIGHT + AFTER_MIDNIGHT + RETRY)
    assert months.poster.posted == [(HERE, 70, "2031-11")]


async def test_error_in_one_month_does_not_stop_the_next(
    months: Months, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: object) -> None:
        raise KeyError("a bug")

    await months.choose(HERE)
    await months.play(HERE)
    with monkeypatch.context() as patch:
        patch.setattr("bot.profiles.seasons.monthly_ranking_of", broken)
        await months.reach(MIDNIGHT + AFTER_MIDNIGHT)
    assert "a bug" in caplog.text
    await months.play(HERE, at=MIDNIGHT)
    await months.reach(datetime(2032, 1, 1, tzinfo=UTC) + AFTER_MIDNIGHT)
    assert months.poster.posted == [(HERE, 70, "2031-11"), (HERE, 70, "2031-12")]


async def test_last_thirty_days_advance_without_readers(months: Months) -> None:
    await months.choose(HERE)
    await months.play(HERE)
    board = Board(HERE, "nanjing", LATELY, "points")
    assert (await months.store.rankings.page(board, 0, 1, UserId(1))).own is not None
    await months.reach(MIDNIGHT + timedelta(days=40) + AFTER_MIDNIGHT)
    assert (await months.store.rankings.page(board, 0, 1, UserId(1))).own is None
