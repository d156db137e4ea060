"""Dates as people write them in seven languages."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.club.dates import examples, read_date, repeated
from bot.club.settings import EventSettings
from bot.errors import Reason, Refused

ZONE = "Europe/Berlin"
NOW = datetime(2026, 11, 28, 18, 45, tzinfo=UTC)
"""A Saturday, 19:45 in Berlin."""

READ = {
    "en": {
        "Friday 8pm": "12-04 20:00",
        "fri 20:00": "12-04 20:00",
        "Fri, 8:30 pm": "12-04 20:30",
        "on Friday at 20": "12-04 20:00",
        "Friday @ 8 p.m.": "12-04 20:00",
        "8pm friday": "12-04 20:00",
        "tomorrow 20:00": "11-29 20:00",
        "tomorrow at 8 in the evening": "11-29 20:00",
        "day after tomorrow 7pm": "11-30 19:00",
        "tonight 9:30": "11-28 21:30",
        "22:00": "11-28 22:00",
        "Saturday 18:00": "12-05 18:00",
        "saturday 21:00": "11-28 21:00",
        "4 December 20:00": "12-04 20:00",
        "Dec 4th at 8pm": "12-04 20:00",
        "December 4, 2026 20:00": "12-04 20:00",
        "4.12. 20:00": "12-04 20:00",
        "2026-12-04 20:00": "12-04 20:00",
        "25/12 20:00": "12-25 20:00",
        "12/25 8pm": "12-25 20:00",
        "Fri 12/4 8pm": "12-04 20:00",
        "Fri 4/12 8pm": "12-04 20:00",
        "sunday 09:30": "11-29 09:30",
        "sunday 9am": "11-29 09:00",
        "thurs 12pm": "12-03 12:00",
        "thursday 12am": "12-03 00:00",
        "in 30 minutes": "11-28 20:15",
        "30 min": "11-28 20:15",
        "In 45m": "11-28 20:30",
        "in 2 hours": "11-28 21:45",
        "in 20 hours": "11-29 15:45",
        "in 2h": "11-28 21:45",
        "in 1h 30min": "11-28 21:15",
    },
    "de": {
        "fr 20:00": "12-04 20:00",
        "Fr. 20 Uhr": "12-04 20:00",
        "Freitag 20.00": "12-04 20:00",
        "Freitag, 20:30 Uhr": "12-04 20:30",
        "freitags 20 Uhr 15": "12-04 20:15",
        "morgen 20 Uhr": "11-29 20:00",
        "morgen um 20": "11-29 20:00",
        "heute Abend um 9": "11-28 21:00",
        "übermorgen 8 Uhr abends": "11-30 20:00",
        "4.12. 20:00": "12-04 20:00",
        "04.12. um 20.10": "12-04 20:10",
        "am Freitag, dem 4. Dezember, um 20 Uhr": "12-04 20:00",
        "4.12.2026 20:30 Uhr": "12-04 20:30",
        "4.12.26 20h": "12-04 20:00",
        "1. März 19 Uhr": "03-01 19:00",
        "do 19:30": "12-03 19:30",
        "20:00 am Freitag": "12-04 20:00",
        "Sonnabend 20 Uhr": "11-28 20:00",
        "morgen früh 9 Uhr": "11-29 09:00",
        "friday 20:00": "12-04 20:00",
        "tomorrow 8 am": "11-29 08:00",
        "in 30 Minuten": "11-28 20:15",
        "in 2 Std.": "11-28 21:45",
    },
    "fr": {
        "vendredi 20h": "12-04 20:00",
        "vendredi à 20h30": "12-04 20:30",
        "ven. 20 h": "12-04 20:00",
        "vendredi à 20 heures": "12-04 20:00",
        "demain à 20h": "11-29 20:00",
        "après-demain 20:00": "11-30 20:00",
        "aujourd’hui 22h": "11-28 22:00",
        "ce soir à 9 h": "11-28 21:00",
        "le 4 décembre à 20h": "12-04 20:00",
        "1er mars 20h": "03-01 20:00",
        "mar 20h": "12-01 20:00",
        "vendredi 04/12 20:00": "12-04 20:00",
        "dans 1h30": "11-28 21:15",
        "dans 2 heures": "11-28 21:45",
    },
    "it": {
        "venerdì alle 20": "12-04 20:00",
        "ven alle ore 20:30": "12-04 20:30",
        "domani alle 20.30": "11-29 20:30",
        "dopodomani ore 21": "11-30 21:00",
        "stasera alle 9": "11-28 21:00",
        "il 4 dicembre alle 20": "12-04 20:00",
        "tra 30 minuti": "11-28 20:15",
        "fra 2 ore": "11-28 21:45",
        "4/12 20:00": "12-04 20:00",
    },
    "es": {
        "viernes a las 20:00": "12-04 20:00",
        "el viernes a las 8 de la tarde": "12-04 20:00",
        "mañana a las 20": "11-29 20:00",
        "pasado mañana 20h": "11-30 20:00",
        "el domingo a las 9 de la mañana": "11-29 09:00",
        "mié 20:00": "12-02 20:00",
        "4 de diciembre a las 8 pm": "12-04 20:00",
        "hoy 22:00": "11-28 22:00",
        "en 30 minutos": "11-28 20:15",
        "dentro de 2 horas": "11-28 21:45",
    },
    "pt_BR": {
        "sexta às 20h": "12-04 20:00",
        "sexta-feira 20:00": "12-04 20:00",
        "sex. 20h30": "12-04 20:30",
        "amanhã às 20": "11-29 20:00",
        "depois de amanhã às 8 da noite": "11-30 20:00",
        "4 de dezembro às 20 horas": "12-04 20:00",
        "terça 19:00": "12-01 19:00",
        "em 30 minutos": "11-28 20:15",
        "daqui a 2 horas": "11-28 21:45",
    },
    "uk": {
        "завтра о 20:00": "11-29 20:00",
        "у п'ятницю о 20:00": "12-04 20:00",
        "пʼятниця 20:00": "12-04 20:00",
        "пт 20:00": "12-04 20:00",
        "в середу о 8 вечора": "12-02 20:00",
        "в суботу о 20-й": "11-28 20:00",
        "післязавтра о 20 годині": "11-30 20:00",
        "4 грудня о 20:00": "12-04 20:00",
        "4-го грудня 20.00": "12-04 20:00",
        "сьогодні о 22": "11-28 22:00",
        "за 30 хвилин": "11-28 20:15",
        "через 2 години": "11-28 21:45",
    },
}
"""Local times (month, day, time) after `NOW` by language and text."""
REFUSED = {
    Reason.DATE_UNREADABLE: (
        ("en", "soon"),
        ("en", "in 30"),
        ("en", "in half an hour"),
        ("en", "in 30 minutes friday"),
        ("en", "Friday"),
        ("en", "friday at eight"),
        ("en", "4/12 20:00"),
        ("en", "next friday 20:00"),
        ("en", "friday 20"),
        ("en", "Thursday 4.12. 20:00"),
        ("en", "friday 20:00 or 21:00"),
        ("en", "fri sat 20:00"),
        ("en", "Fri 13pm"),
        ("en", "tomorrow 12 at night"),
        ("en", "tomorrow 20:00 in the morning"),
        ("en", "9999-12-31 23:00"),
        ("en", "0001-01-01 00:00"),
        ("de", "4.12.1999 20:00"),
        ("en", "on " * 20 + "tomorrow 20:00"),
        ("de", "fr 20-22 Uhr"),
        ("de", "fr 20:00-22:00"),
        ("en", "2026/12/04 20:00"),
        ("en", "friday 20:000"),
        ("de", "fr 20.15:30"),
        ("en", "friday 8pm CET"),
        ("de", "fr 24:00"),
        ("de", "fr 20:60"),
        ("de", "fr 20.10"),
        ("de", "31.4. 20:00"),
        ("de", "30.2.2027 20:00"),
        ("de", "freitag oder samstag 20 uhr"),
        ("fr", "vendredi prochain 20h"),
        ("it", ""),
        ("uk", "колись"),
    ),
    Reason.MORNING_OR_EVENING: (
        ("en", "friday at 8"),
        ("en", "2h"),
        ("en", "Fri 8:30"),
        ("de", "fr um 8"),
        ("de", "fr 8 Uhr"),
        ("es", "el viernes a las 8"),
        ("fr", "vendredi à 10h"),
        ("uk", "завтра о 8"),
    ),
    Reason.DATE_PAST: (
        ("en", "today 19:45"),
        ("en", "in 0 minutes"),
        ("en", "18:00"),
        ("de", "27.11. 20:00"),
        ("de", "28.11.2025 20:00"),
        ("en", "2026-11-28 12:00"),
    ),
    Reason.DATE_TOO_FAR: (("en", "2027-12-04 20:00"), ("de", "4.12.2028 20:00")),
}


def local(text: str, language: str) -> datetime:
    """Return the local time of a text."""
    at = read_date(text, ZONE, language, NOW)
    assert at.tzinfo is UTC
    return at.astimezone(ZoneInfo(ZONE))


@pytest.mark.parametrize(
    "language, text, expected",
    [(language, *each) for language, texts in READ.items() for each in texts.items()],
)
def test_reads_what_people_write(language: str, text: str, expected: str) -> None:
    at = local(text, language)
    assert f"{at:%m-%d %H:%M}" == expected
    assert NOW < at < NOW + timedelta(days=366)


@pytest.mark.parametrize(
    "reason, language, text",
    [(reason, *each) for reason, texts in REFUSED.items() for each in texts],
)
def test_refuses_what_is_not_certain(reason: Reason, language: str, text: str) -> None:
    with pytest.raises(Refused) as refused:
        read_date(text, ZONE, language, NOW)
    assert refused.value.code is reason


@pytest.mark.parametrize("language", READ)
def test_examples_are_read_in_their_language(language: str) -> None:
    expected = datetime(2026, 12, 3, 20, tzinfo=ZoneInfo(ZONE))
    assert [local(text, language) for text in examples(ZONE, language, NOW)] == [expected] * 2
    with pytest.raises(Refused) as refused:
        read_date("?", ZONE, language, NOW)
    assert refused.value.details == {"examples": examples(ZONE, language, NOW)}


@pytest.mark.parametrize("language", READ)
def test_names_of_all_days_and_months_are_read(language: str) -> None:
    for ahead in range(366):
        now = NOW + timedelta(days=ahead)
        for text in examples(ZONE, language, now):
            at = read_date(text, ZONE, language, now).astimezone(ZoneInfo(ZONE))
            assert at.date() == now.astimezone(ZoneInfo(ZONE)).date() + timedelta(days=5)


@pytest.mark.parametrize(
    "text, utc",
    [("27.3. 02:30", "01:30"), ("28.3. 02:30", "01:30"), ("28.3. 03:30", "01:30")],
)
def test_a_time_that_clocks_skip_is_an_hour_later(text: str, utc: str) -> None:
    assert f"{read_date(text, ZONE, 'de', NOW):%H:%M}" == utc


def test_a_repeated_time_is_the_first() -> None:
    now = datetime(2027, 10, 1, tzinfo=UTC)
    assert read_date("31.10. 02:30", ZONE, "de", now) == datetime(2027, 10, 31, 0, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    "before, after",
    [
        ("2026-10-23T18:00", "2026-10-30T19:00"),
        ("2027-03-26T19:00", "2027-04-02T18:00"),
        ("2027-03-21T01:30", "2027-03-28T01:30"),
        ("2027-03-28T01:30", "2027-04-04T00:30"),
        ("2026-10-18T00:30", "2026-10-25T00:30"),
    ],
)
def test_events_are_repeated_at_the_same_local_time(before: str, after: str) -> None:
    at, expected = (datetime.fromisoformat(each).replace(tzinfo=UTC) for each in (before, after))
    week_before = at - timedelta(days=7)
    settings = EventSettings(title="Friday", dates=(week_before,), zone=ZONE)
    for begins in (week_before, at):
        settings = repeated(settings, begins, begins)
    assert settings.dates == (expected,)


@pytest.mark.parametrize(
    "zone, utc",
    [("America/New_York", "05 01:00"), ("Asia/Tokyo", "04 11:00"), ("?", "04 20:00")],
)
def test_times_are_those_of_the_zone(zone: str, utc: str) -> None:
    assert f"{read_date('Fri 8pm', zone, 'en', NOW):%d %H:%M}" == utc


def test_today_is_that_of_the_zone() -> None:
    assert read_date("today 9am", "Asia/Tokyo", "en", NOW) == datetime(2026, 11, 29, tzinfo=UTC)


def test_a_language_without_words_is_read_as_english() -> None:
    assert read_date("fri 20:00", ZONE, "ja", NOW) == datetime(2026, 12, 4, 19, tzinfo=UTC)


def test_a_time_from_now_is_a_whole_minute() -> None:
    now = NOW.replace(second=40, microsecond=5)
    assert read_date("in 1 minute", ZONE, "en", now) == NOW + timedelta(minutes=1)


def test_29_february_without_a_year_is_the_next_one() -> None:
    now = datetime(2027, 6, 1, tzinfo=UTC)
    assert read_date("29.2. 20:00", ZONE, "de", now) == datetime(2028, 2, 29, 19, tzinfo=UTC)


@given(st.text(alphabet=st.sampled_from("0123456789.:/- hamprfinosu@дгп'"), max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    for language in READ:
        with suppress(Refused):
            assert read_date(text, ZONE, language, NOW) > NOW
