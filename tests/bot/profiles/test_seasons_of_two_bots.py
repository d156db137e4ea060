"""Two bots on one database post each monthly ranking once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.ids import ChannelId, GuildId
from tests.bot.profiles.test_seasons import CHANNEL, HERE, MIDNIGHT, THERE, Months


@pytest.fixture
def one_thread() -> None:
    """Keep database threads: in one shared thread, waiting for a lock would block everybody."""


@pytest.fixture
async def months(tmp_path: Path) -> AsyncIterator[Months]:
    """Yield the first bot."""
    opened = Months(tmp_path / "tichu.db")
    await opened.open()
    yield opened
    await opened.close()


async def test_two_bots_that_start_together_post_once(months: Months) -> None:
    await months.play(HERE, THERE)
    for guild_id in (HERE, THERE):
        await months.store.monthly_rankings.choose_channel(
            GuildId(guild_id), ChannelId(CHANNEL[guild_id]), "2031-10"
        )
    months.clock.cancel_all()
    months.time.jump(MIDNIGHT)
    other = Months(months.file)
    other.time, other.poster = months.time, months.poster
    await asyncio.gather(other.open(), months.seasons.begin(months.poster))
    assert sorted(months.poster.posted) == [(HERE, 70, "2031-11"), (THERE, 71, "2031-11")]
    await other.close()
