"""Time zones by what somebody types."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.runtime.zones import matching_zones, with_time, zone_named


async def test_the_city_comes_first() -> None:
    assert (await matching_zones("ber", 25))[0] == "Europe/Berlin"
    assert (await matching_zones(" São", 25)) == []
    assert (await matching_zones("sao paulo", 25)) == ["America/Sao_Paulo"]
    assert "America/Indiana/Knox" in await matching_zones("indiana", 25)
    assert len(await matching_zones("a", 25)) == 25
    assert (await matching_zones("utc", 25)) == ["UTC"]
    assert await matching_zones("no such place", 25) == []


async def test_without_anything_typed_each_hour_of_the_world_is_offered() -> None:
    now = datetime(2031, 11, 12, 12, tzinfo=UTC)
    offered = await matching_zones(" ", 25)
    assert 20 <= len(offered) <= 25
    assert len({with_time(name, now).rpartition(" ")[2] for name in offered}) >= 18
    assert with_time("America/New_York", now) == "America/New York – 07:00"


async def test_a_zone_is_found_however_it_is_written() -> None:
    for typed in ("America/New_York", "america/new york", " AMERICA/NEW_YORK "):
        assert await zone_named(typed) == "America/New_York"
    for typed in ("", "Berlin", "../etc/passwd", "Etc/GMT+1", "x" * 5000):
        assert await zone_named(typed) is None
