"""Time zones of the world, and completion of a partly typed one.

Discord does not reveal time zones, so people choose theirs. Zones are found by their names in the
tz database, and by the names of their cities in the bot's languages. Loading them all takes a
moment, once, in another thread.
"""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from babel import Locale
from babel.core import get_global

from bot.runtime.settings import languages

_WELL_KNOWN = (
    *("Pacific/Honolulu", "America/Anchorage", "America/Los_Angeles", "America/Denver"),
    *("America/Chicago", "America/New_York", "America/Halifax", "America/Sao_Paulo"),
    *("Atlantic/Azores", "Europe/London", "Europe/Berlin", "Europe/Zurich", "Europe/Athens"),
    *("Europe/Moscow", "Asia/Dubai", "Asia/Karachi", "Asia/Kolkata", "Asia/Dhaka"),
    *("Asia/Bangkok", "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney", "Pacific/Auckland"),
)
"""Zones from west to east; offered before anything is typed."""
_NOT_FOR_PEOPLE = ("Etc/", "SystemV/", "posix/", "right/")


_APOSTROPHES = str.maketrans("", "", "'’ʼ‘`")


async def zone_named(name: str) -> str | None:
    """Return the zone of this name in its exact spelling, or `None`."""
    wanted = _as_typed(name)
    return (await asyncio.to_thread(_zones)).get(wanted)


async def matching_zones(typed: str, most: int) -> list[str]:
    """Return at most `most` zones whose names contain the typed text, the likeliest first.

    Cities are found by their names in each language of the bot. A zone with several names is
    returned once.
    """
    names_of_zones = await asyncio.to_thread(_names_of_zones)
    wanted = _as_typed(typed)
    if not wanted:
        return [zone for zone in _WELL_KNOWN if zone in names_of_zones][:most]
    matches = []
    for zone, names in names_of_zones.items():
        ranks = [_rank(name, wanted, zone) for name in names if wanted in name]
        if ranks:
            matches.append((min(ranks), zone))
    return [zone for _, zone in sorted(matches)[:most]]


def _rank(name: str, wanted: str, zone: str) -> tuple[bool, ...]:
    """Return the sort key of a zone, one of whose names contains the wanted text.

    The likeliest zone has the smallest key, so each property that makes it likely is negated.
    """
    city = name.rpartition("/")[2]
    return (
        not city.startswith(wanted),
        zone not in _WELL_KNOWN,
        wanted not in city,
        not name.startswith(wanted),
    )


def with_time(name: str, now: datetime, language: str) -> str:
    """Return the name of a zone with its current local time, such as "Berlin, Germany – 18:32"."""
    return f"{place(name, language)} – {now.astimezone(ZoneInfo(name)):%H:%M}"


@cache
def _zones() -> dict[str, str]:
    """Return the zones with a city, and UTC, by their names as one would type them."""
    names = (
        name
        for name in available_timezones()
        if name == "UTC" or ("/" in name and not name.startswith(_NOT_FOR_PEOPLE))
    )
    return {_as_typed(name): name for name in sorted(names)}


@cache
def _names_of_zones() -> dict[str, set[str]]:
    """Return all names of each zone as one would type them, by the newest name of the zone."""
    zones, bot_languages = _zones(), languages()
    names_of_zones: dict[str, set[str]] = {}
    for typed_name, zone in zones.items():
        newest = newest_name(zone)
        newest_available = newest if _as_typed(newest) in zones else zone
        translated = {_as_typed(cities(code).get(newest, zone)) for code in bot_languages}
        names_of_zones.setdefault(newest_available, set()).update({typed_name, *translated})
    return names_of_zones


def _as_typed(name: str) -> str:
    """Return a name as one would type it: lower case, with blanks, without accents."""
    decomposed = unicodedata.normalize("NFKD", name.strip().casefold())
    letters = (letter for letter in decomposed if not unicodedata.combining(letter))
    return "".join(letters).translate(_APOSTROPHES).replace("_", " ")


def place(name: str, language: str) -> str:
    """Return the city and country of a zone in a language, such as "Berlin, Germany".

    A zone without a country keeps its name.
    """
    zone = newest_name(name)
    territory = get_global("zone_territories").get(zone)
    if territory is None or "/" not in name:
        return name
    city = cities(language).get(zone) or zone.rpartition("/")[2].replace("_", " ")
    country = Locale.parse(language).territories.get(territory, city)
    return city if country == city else f"{city}, {country}"


@cache
def cities(language: str) -> Mapping[str, str]:
    """Return the names of cities in a language, by the newest name of their zone.

    Cities whose name is the same as in the name of the zone may be missing.
    """
    zones = Locale.parse(language).time_zones
    return {newest_name(name): zone["city"] for name, zone in zones.items() if "city" in zone}


def newest_name(name: str) -> str:
    """Return the current name of a zone in the tz database, such as Europe/Kyiv for Europe/Kiev."""
    newest: str = get_global("zone_aliases").get(name, name)
    return newest
