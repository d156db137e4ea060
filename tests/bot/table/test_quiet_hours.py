"""Quiet hours: their end, and their effect on turns at turn-based pace."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from bot.records import PersonalSettings
from bot.table.quiet_hours import QuietHours, quiet_until, zone_of
from bot.table.turn_based import mark_nudged
from tests.bot.states import NOON
from tests.bot.table.test_turn_based import BEN, DAY, TURN, slow

NIGHT, LUNCH = (22 * 60, 7 * 60), (12 * 60, 13 * 60 + 30)


@pytest.mark.parametrize(
    "zone, quiet, moment, end",
    [
        ("UTC", None, "2031-11-12T23:00", None),
        ("UTC", NIGHT, "2031-11-12T21:59", None),
        ("UTC", NIGHT, "2031-11-12T22:00", "2031-11-13T07:00"),
        ("UTC", NIGHT, "2031-11-13T06:59", "2031-11-13T07:00"),
        ("UTC", NIGHT, "2031-11-13T07:00", None),
        ("UTC", LUNCH, "2031-11-13T11:59", None),
        ("UTC", LUNCH, "2031-11-13T12:00", "2031-11-13T13:30"),
        ("UTC", LUNCH, "2031-11-13T13:30", None),
        ("Europe/Berlin", NIGHT, "2031-11-12T21:00", "2031-11-13T06:00"),
        ("Europe/Berlin", NIGHT, "2031-07-12T20:00", "2031-07-13T05:00"),
        ("America/New_York", NIGHT, "2031-11-12T02:59", None),
        ("America/New_York", NIGHT, "2031-11-12T03:00", "2031-11-12T12:00"),
        ("Pacific/Auckland", NIGHT, "2031-07-12T10:00", "2031-07-12T19:00"),
        # The clocks change at 1:00 UTC: from 2:00 to 3:00 in spring, from 3:00 to 2:00 in autumn.
        ("Europe/Berlin", NIGHT, "2031-03-29T21:00", "2031-03-30T05:00"),
        ("Europe/Berlin", NIGHT, "2031-10-25T20:00", "2031-10-26T06:00"),
        ("Nowhere/Atlantis", LUNCH, "2031-11-13T12:00", "2031-11-13T13:30"),
    ],
)
def test_quiet_hours_end(
    zone: str, quiet: tuple[int, int] | None, moment: str, end: str | None
) -> None:
    settings = PersonalSettings(zone=zone, quiet=quiet)
    expected = None if end is None else datetime.fromisoformat(end).replace(tzinfo=UTC)
    assert quiet_until(settings, datetime.fromisoformat(moment).replace(tzinfo=UTC)) == expected


@pytest.mark.parametrize(
    "zone, quiet, begin, hours, end",
    [
        ("UTC", NIGHT, "2031-11-12T08:00", 8, "2031-11-12T16:00"),
        ("UTC", NIGHT, "2031-11-12T14:00", 8, "2031-11-12T22:00"),
        ("UTC", NIGHT, "2031-11-12T21:00", 8, "2031-11-13T14:00"),
        ("UTC", NIGHT, "2031-11-12T22:05", 8, "2031-11-13T15:00"),
        ("UTC", NIGHT, "2031-11-13T06:00", 8, "2031-11-13T15:00"),
        ("UTC", NIGHT, "2031-11-12T20:00", 24, "2031-11-14T14:00"),
        ("UTC", LUNCH, "2031-11-12T11:00", 8, "2031-11-12T20:30"),
        ("UTC", (0, 1439), "2031-11-12T00:00", 24, "2031-11-14T00:00"),
        ("Europe/Berlin", NIGHT, "2031-11-12T20:00", 8, "2031-11-13T13:00"),
        ("Europe/Berlin", NIGHT, "2031-03-29T20:00", 8, "2031-03-30T12:00"),
        ("Europe/Berlin", NIGHT, "2031-10-25T19:00", 8, "2031-10-26T13:00"),
    ],
)
def test_turn_limit_stands_still_in_quiet_hours(
    zone: str, quiet: tuple[int, int], begin: str, hours: int, end: str
) -> None:
    """Of very long quiet hours only twelve hours count."""
    begins, ends = (datetime.fromisoformat(each).replace(tzinfo=UTC) for each in (begin, end))
    assert QuietHours(zone, *quiet).after(begins, timedelta(hours=hours)) == ends


def test_an_unknown_zone_is_utc() -> None:
    for name in ("", "Nowhere/Atlantis", "../etc/passwd", "Europe", "x" * 300, "a\0b"):
        assert zone_of(name) is UTC
    assert zone_of("Asia/Tokyo") is not UTC


def test_quiet_hours_have_a_length() -> None:
    for quiet in ((5, 5), (-1, 5), (5, 1440)):
        with pytest.raises(ValidationError):
            PersonalSettings(quiet=quiet)


# --- turns at turn-based pace ------------------------------------------------------------------


def test_quiet_hours_stop_nudges_and_the_turn_limit() -> None:
    """From 11:00 to 20:00: nine hours a day."""
    at = slow(TURN, notes={"quiet": {1: QuietHours("UTC", 11 * 60, 20 * 60)}})
    evening = NOON.replace(hour=20, second=0, microsecond=0)
    first_day = timedelta(hours=15)
    reminded = evening + first_day + timedelta(hours=9 + 3)
    assert at.timers.deadlines == {"nudge": evening, "turn": reminded + timedelta(hours=6)}
    at, users, _ = mark_nudged(at, {}, evening)
    assert users == (BEN,)
    assert at.timers.deadlines == {"nudge": reminded, "turn": reminded + timedelta(hours=6)}
    late = slow(TURN, notes={"quiet": {1: QuietHours("UTC", 13 * 60, 7 * 60)}})
    clicks = {BEN: NOON + timedelta(minutes=59, seconds=30)}
    at, users, _ = mark_nudged(late, clicks, NOON + timedelta(minutes=59, seconds=40))
    assert users == ()
    assert at.timers.deadlines["nudge"] == evening + timedelta(hours=11), "it would be quiet then"


def test_quiet_hours_of_a_whole_day_keep_the_limit_without_nudges() -> None:
    """Twelve of them count; the reminder also waits for their end, the limit does not."""
    at = slow(TURN, notes={"quiet": {1: QuietHours("UTC", 12 * 60, 11 * 60 + 59)}})
    times: list[tuple[int, int]] = []
    while at.timers.deadlines.keys() == {"turn", "nudge"}:
        now = at.timers.deadlines["nudge"]
        at, users, reminded = mark_nudged(at, {}, now)
        times += [(now.hour, now.minute) for _ in (*users, *reminded)]
    assert times == [(11, 59), (11, 59)], "the days after"
    assert at.timers.deadlines == {"turn": NOON.replace(microsecond=0) + 2 * DAY}
