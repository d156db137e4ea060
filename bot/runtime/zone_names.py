"""What time zones are called: after a city and its country, in each language."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from babel import Locale
from babel.core import get_global


def place(name: str, language: str) -> str:
    """The city and country of a zone in a language, such as "Berlin, Germany".

    One that has none is called by its name.
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
    """The newest name of a zone -> its city, where the language does not call it by that name."""
    known = Locale.parse(language).time_zones
    return {newest_name(name): zone["city"] for name, zone in known.items() if "city" in zone}


def newest_name(name: str) -> str:
    """The name that a zone has in the tz database today: Europe/Kyiv for Europe/Kiev."""
    newest: str = get_global("zone_aliases").get(name, name)
    return newest
