"""Age of a click by Discord's clock, independent of the local clock."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from email.utils import format_datetime

import aiohttp
import pytest
from aiohttp import web

from bot.runtime.discord_time import DiscordTime
from tests.bot.fake_time import FakeTime

SECOND = timedelta(seconds=1)
OFF = [timedelta(), timedelta(hours=3), timedelta(minutes=-2)]


def there(time: FakeTime, off: timedelta) -> datetime:
    """Return Discord's time if the local clock is `off` ahead of it."""
    return time.now() - off


@pytest.mark.parametrize("off", OFF)
def test_age_is_measured_by_the_clock_of_discord(off: timedelta) -> None:
    time = FakeTime()
    discord_time = DiscordTime(time.now)
    discord_time.update(format_datetime(there(time, off), usegmt=True))
    click = there(time, off)
    assert abs(discord_time.age(click)) < SECOND
    time.jump(time.seconds_from_now(60))
    assert abs(discord_time.age(click) - 60 * SECOND) < SECOND


def test_local_clock_is_used_without_an_answer() -> None:
    time = FakeTime()
    discord_time = DiscordTime(time.now)
    assert discord_time.age(time.now() - 5 * SECOND) == 5 * SECOND
    for unreadable in ("", "soon", "Sun, 40 Nov 2026 11:00:00 GMT"):
        discord_time.update(unreadable)
        assert discord_time.age(time.now()) == timedelta()


def test_slow_answer_does_not_make_clicks_older() -> None:
    time = FakeTime()
    discord_time = DiscordTime(time.now)
    sent = format_datetime(time.now(), usegmt=True)
    time.jump(time.seconds_from_now(20))
    discord_time.update(sent)
    assert discord_time.age(time.now()) < SECOND


def test_offset_is_measured_again_after_a_minute() -> None:
    time = FakeTime()
    discord_time = DiscordTime(time.now)
    discord_time.update(format_datetime(there(time, timedelta(hours=1)), usegmt=True))
    discord_time.update(format_datetime(time.now(), usegmt=True))
    assert abs(discord_time.age(time.now() - timedelta(hours=1))) < SECOND
    time.jump(time.seconds_from_now(60))
    discord_time.update(format_datetime(time.now(), usegmt=True))
    assert abs(discord_time.age(time.now())) < SECOND


async def test_one_answer_a_minute_is_measured() -> None:
    time, off = FakeTime(), timedelta(hours=2)
    discord_time = DiscordTime(time.now)

    async def answer(_: web.BaseRequest) -> web.Response:
        date = format_datetime(there(time, off), usegmt=True)
        return web.Response(headers={"Date": date})

    server = web.ServerRunner(web.Server(answer))
    await server.setup()
    site = web.TCPSite(server, "127.0.0.1", 0)
    await site.start()
    host, port = server.addresses[0]
    async with aiohttp.ClientSession(trace_configs=[discord_time.trace()]) as session:

        async def ask() -> None:
            await session.get(f"http://{host}:{port}/")

        await asyncio.gather(ask(), ask())
        assert abs(discord_time.age(there(time, off))) < SECOND
        assert session.trace_configs == [], "each answer that is listened to costs time"
        off = timedelta(hours=3)
        for wait, heard in ((59, 2), (1, 3)):
            time.jump(time.seconds_from_now(wait))
            discord_time.age(time.now())
            await ask()
            assert abs(discord_time.age(there(time, timedelta(hours=heard)))) < SECOND
        assert session.trace_configs == []
    await server.cleanup()
