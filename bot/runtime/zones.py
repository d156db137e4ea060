"""The time zones of the world, and those that somebody may mean who types a part of a name.

Discord tells nobody's time zone, so people choose theirs. The names are those of the tz database,
and those that the bot's languages have for their cities; reading them all takes a moment, which is
spent in another thread, once.
"""

from __future__ import annotations

import asyncio
import unicodedata
from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from bot.runtime.settings import languages
from bot.runtime.zone_names import cities, newest_name, place

_WELL_KNOWN = (
    *("Pacific/Honolulu", "America/Anchorage", "America/Los_Angeles", "America/Denver"),
    *("America/Chicago", "America/New_York", "America/Halifax", "America/Sao_Paulo"),
    *("Atlantic/Azores", "Europe/London", "Europe/Berlin", "Europe/Zurich", "Europe/Athens"),
    *("Europe/Moscow", "Asia/Dubai", "Asia/Karachi", "Asia/Kolkata", "Asia/Dhaka"),
    *("Asia/Bangkok", "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney", "Pacific/Auckland"),
)
"""From west to east; offered to somebody who has typed nothing yet."""
_NOT_FOR_PEOPLE = ("Etc/", "SystemV/", "posix/", "right/")


_APOSTROPHES = str.maketrans("", "", "'’ʼ‘`")


async def zone_named(name: str) -> str | None:
    """The zone of this name, as it is spelt; `None` if there is none."""
    wanted = _plain(name)
    return (await asyncio.to_thread(_zones)).get(wanted)


async def matching_zones(typed: str, most: int) -> list[str]:
    """At most `most` zones whose names have what somebody has typed, the likeliest first.

    The name of a city counts in each language of the bot. A zone with several names is given once.
    """
    places = await asyncio.to_thread(_places)
    wanted = _plain(typed)
    if not wanted:
        return [name for name in _WELL_KNOWN if name in places][:most]
    found = []
    for name, plains in places.items():
        ranks = [_rank(plain, wanted, name) for plain in plains if wanted in plain]
        if ranks:
            found.append((min(ranks), name))
    return [name for _, name in sorted(found)[:most]]


def _rank(plain: str, wanted: str, name: str) -> tuple[bool, ...]:
    """How far down the list a zone stands that has a plain name with what is wanted."""
    city = plain.rpartition("/")[2]
    return (
        not city.startswith(wanted),
        name not in _WELL_KNOWN,
        wanted not in city,
        not plain.startswith(wanted),
    )


def with_time(name: str, now: datetime, language: str) -> str:
    """A zone with the time that it is there now, such as "Berlin, Germany – 18:32"."""
    return f"{place(name, language)} – {now.astimezone(ZoneInfo(name)):%H:%M}"


@cache
def _zones() -> dict[str, str]:
    """Every zone that has a city, and UTC: the plain name -> the name."""
    names = (
        name
        for name in available_timezones()
        if name == "UTC" or ("/" in name and not name.startswith(_NOT_FOR_PEOPLE))
    )
    return {_plain(name): name for name in sorted(names)}


@cache
def _places() -> dict[str, set[str]]:
    """Every zone under its newest name -> the plain names by which it is found."""
    zones, spoken = _zones(), languages()
    found: dict[str, set[str]] = {}
    for plain, name in zones.items():
        newest = newest_name(name)
        known = newest if _plain(newest) in zones else name
        called = {_plain(cities(language).get(newest, name)) for language in spoken}
        found.setdefault(known, set()).update({plain, *called})
    return found


def _plain(name: str) -> str:
    """A name as one types it: in small letters, with blanks, without accents."""
    apart = unicodedata.normalize("NFKD", name.strip().casefold())
    letters = (letter for letter in apart if not unicodedata.combining(letter))
    return "".join(letters).translate(_APOSTROPHES).replace("_", " ")
