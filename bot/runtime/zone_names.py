"""Display names of time zones in each language: the city and its country."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from babel import Locale
from babel.core import get_global


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
    """Return the cities by newest zone name, where the language has a name of its own."""
    known = Locale.parse(language).time_zones
    return {newest_name(name): zone["city"] for name, zone in known.items() if "city" in zone}


def newest_name(name: str) -> str:
    """Return the current name of a zone in the tz database, such as Europe/Kyiv for Europe/Kiev."""
    newest: str = get_global("zone_aliases").get(name, name)
    return newest
