"""The deal of the day at the end of days and months."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.ids import GuildId
from bot.profiles.monthly_ranking import MonthlyRanking
from bot.profiles.seasons import AFTER_MIDNIGHT, monthly_ranking_of
from bot.standings.daily_standings import FEWEST_DAYS
from tests.bot.profiles.test_seasons import HERE, MIDNIGHT, THERE, Months
from tests.bot.storage.test_daily_standings import ADA, BEN, CAI, match_points, play

DAY = timedelta(days=1)
FIRST = (MIDNIGHT - FEWEST_DAYS * DAY).date()
"""First of the last days of November 2031."""


class Rankings(Months):
    """A bot with seasons, which keeps the posted rankings."""

    def __init__(self, file: Path) -> None:
        super().__init__(file)
        self.rankings: list[MonthlyRanking] = []
        self.poster.post = self.keep  # type: ignore[method-assign]

    async def keep(self, guild_id: int, channel_id: int, ranking: MonthlyRanking) -> None:
        """Keep a posted ranking."""
        self.rankings.append(ranking)


@pytest.fixture
async def months(tmp_path: Path) -> AsyncIterator[Rankings]:
    """Yield a bot on 26 November 2031, and deals of the day that Ada plays best."""
    opened = Rankings(tmp_path / "tichu.db")
    await opened.open()
    await opened.reach(datetime(2031, 11, 26, 12, tzinfo=UTC))
    for number in range(FEWEST_DAYS):
        await play(opened.store, FIRST + number * DAY, {ADA: 100, BEN: 0, CAI: 0})
    for user in (ADA, BEN):
        await opened.store.boards.note_server(HERE, user)
    yield opened
    await opened.close()


async def test_day_is_closed_after_midnight(months: Rankings) -> None:
    midnight = datetime(2031, 11, 28, tzinfo=UTC)
    await months.reach(midnight)
    assert (await match_points(months.store, FIRST))[ADA] is None
    await months.reach(midnight + AFTER_MIDNIGHT)
    assert (await match_points(months.store, FIRST))[ADA] == 100
    assert (await match_points(months.store, FIRST + DAY))[ADA] is None


async def test_days_are_closed_after_downtime(months: Rankings) -> None:
    await months.close()
    months.time.jump(MIDNIGHT - DAY)
    await months.open()
    closed = [(await match_points(months.store, FIRST + each * DAY))[ADA] for each in range(4)]
    assert closed == [100, 100, 100, None]


async def test_best_of_the_month_is_in_the_monthly_ranking(months: Rankings) -> None:
    """The last day of the month counts."""
    await months.choose(HERE, THERE)
    await months.reach(MIDNIGHT + AFTER_MIDNIGHT)
    (ranking,) = months.rankings
    assert ranking.games == ()
    assert [(each.user_id, each.standing.days) for each in ranking.daily] == [(ADA, 4)]
    assert await monthly_ranking_of(months.store, GuildId(THERE), "2031-11") is None
