"""Search for time zones by typed text."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.runtime.settings import languages
from bot.runtime.zones import matching_zones, place, with_time, zone_named


async def test_city_comes_first() -> None:
    assert (await matching_zones("ber", 25))[0] == "Europe/Berlin"
    assert (await matching_zones("sao paulo", 25)) == ["America/Sao_Paulo"]
    assert "America/Indiana/Knox" in await matching_zones("indiana", 25)
    assert len(await matching_zones("a", 25)) == 25
    assert (await matching_zones("utc", 25)) == ["UTC"]
    assert await matching_zones("no such place", 25) == []


@pytest.mark.parametrize(
    "typed, zone",
    [
        (" São", "America/Sao_Paulo"),
        ("zürich", "Europe/Zurich"),
        ("Київ", "Europe/Kyiv"),
        ("Kiev", "Europe/Kyiv"),
        ("Wien", "Europe/Vienna"),
        ("Londres", "Europe/London"),
        ("Lisboa", "Europe/Lisbon"),
        ("Roma", "Europe/Rome"),
        ("N'Dj", "Africa/Ndjamena"),
        ("Нью", "America/New_York"),
    ],
)
async def test_a_city_is_found_by_its_names_in_all_languages(typed: str, zone: str) -> None:
    assert (await matching_zones(typed, 25))[0] == zone


async def test_place_with_several_names_is_offered_once() -> None:
    offered = await matching_zones("/", 1000)
    for name in ("Europe/Kyiv", "Asia/Kolkata", "America/Argentina/Buenos_Aires"):
        assert name in offered
    assert not {"Europe/Kiev", "Asia/Calcutta", "US/Eastern"} & {*offered}


def test_a_place_is_named_in_the_language_of_the_reader() -> None:
    assert place("Europe/Vienna", "de") == "Wien, Österreich"
    assert place("Europe/Kiev", "uk") == "Київ, Україна"
    assert place("Asia/Kolkata", "pt_BR") == "Calcutá, Índia"
    assert place("America/Argentina/San_Luis", "en") == "San Luis, Argentina"
    assert place("Europe/Luxembourg", "fr") == "Luxembourg"
    assert place("UTC", "it") == "UTC"
    assert place("no/such", "es") == "no/such"


async def test_empty_input_offers_a_zone_for_each_hour() -> None:
    now = datetime(2031, 11, 12, 12, tzinfo=UTC)
    offered = await matching_zones(" ", 25)
    assert 20 <= len(offered) <= 25
    assert len({with_time(name, now, "en").rpartition(" ")[2] for name in offered}) >= 18
    assert with_time("America/New_York", now, "es") == "Nueva York, Estados Unidos – 07:00"
    every = await matching_zones("/", 1000)
    assert (
        max(len(with_time(name, now, language)) for name in every for language in languages())
        <= 100
    )


async def test_finds_a_zone_in_any_spelling() -> None:
    for typed in ("America/New_York", "america/new york", " AMERICA/NEW_YORK "):
        assert await zone_named(typed) == "America/New_York"
    for typed in ("", "Berlin", "../etc/passwd", "Etc/GMT+1", "x" * 5000):
        assert await zone_named(typed) is None
