"""The time zones of the world by name, and those that somebody may mean who types a part of one.

Discord tells nobody's time zone, so people choose theirs. The names are those of the tz database;
reading them all takes a moment, which is spent in another thread, once.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

_WELL_KNOWN = (
    *("Pacific/Honolulu", "America/Anchorage", "America/Los_Angeles", "America/Denver"),
    *("America/Chicago", "America/New_York", "America/Halifax", "America/Sao_Paulo"),
    *("Atlantic/Azores", "Europe/London", "Europe/Berlin", "Europe/Zurich", "Europe/Athens"),
    *("Europe/Moscow", "Asia/Dubai", "Asia/Karachi", "Asia/Kolkata", "Asia/Dhaka"),
    *("Asia/Bangkok", "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney", "Pacific/Auckland"),
)
"""From west to east; offered to somebody who has typed nothing yet."""
_NOT_FOR_PEOPLE = ("Etc/", "SystemV/", "posix/", "right/")


async def zone_named(name: str) -> str | None:
    """The zone of this name, as it is spelt; `None` if there is none."""
    wanted = _plain(name)
    return (await asyncio.to_thread(_zones)).get(wanted)


async def matching_zones(typed: str, most: int) -> list[str]:
    """The zones whose names have what somebody has typed, the likeliest first, so many at most."""
    zones = await asyncio.to_thread(_zones)
    wanted = _plain(typed)
    if not wanted:
        return [name for name in _WELL_KNOWN if _plain(name) in zones][:most]
    found = [(_rank(plain, wanted, name), name) for plain, name in zones.items() if wanted in plain]
    return [name for _, name in sorted(found)[:most]]


def _rank(plain: str, wanted: str, name: str) -> tuple[bool, ...]:
    """How far down the list a zone stands whose plain name has what is wanted."""
    city = plain.rpartition("/")[2]
    return (
        not city.startswith(wanted),
        name not in _WELL_KNOWN,
        wanted not in city,
        not plain.startswith(wanted),
    )


def with_time(name: str, now: datetime) -> str:
    """A zone with the time that it is there now, such as "Europe/Berlin – 18:32"."""
    return f"{name.replace('_', ' ')} – {now.astimezone(ZoneInfo(name)):%H:%M}"


@cache
def _zones() -> dict[str, str]:
    """Every zone that has a city, and UTC: the plain name -> the name."""
    names = (
        name
        for name in available_timezones()
        if name == "UTC" or ("/" in name and not name.startswith(_NOT_FOR_PEOPLE))
    )
    return {_plain(name): name for name in sorted(names)}


def _plain(name: str) -> str:
    """A name as one types it: in small letters, with blanks."""
    return name.strip().casefold().replace("_", " ")
