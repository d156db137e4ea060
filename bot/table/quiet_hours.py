"""Quiet hours: the hours of the day, in a person's own time zone, in which nobody nudges them.

At turn-based pace the time of a turn stands still in them, too: eight hours are eight hours in
which that person may be nudged, and no turn is over before they could know of it. Of longer quiet
hours only the first twelve do that, lest others wait too long. At live pace they hold back nudges
alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.records import Minute, PersonalSettings

LONGEST_STILL = timedelta(hours=12)
"""The longest time in a row for which the time of a turn stands still."""
_DAY = timedelta(days=1)


class QuietHours(NamedTuple):
    """The quiet hours of one person; the clocks of the zone decide, also when they change."""

    zone: str
    """The name of the time zone, such as Europe/Berlin."""
    begin: Minute
    """When they begin there, in minutes of the day."""
    end: Minute
    """When they end there, in minutes of the day; on the next one if that is not later."""

    def until(self, moment: datetime) -> datetime | None:
        """When the quiet hours end in which this moment lies, in UTC; `None` if it lies in none."""
        for begins, ends in self._from(moment):
            if moment < ends:
                return ends if begins <= moment else None
        raise AssertionError("there are quiet hours every day")

    def after(self, moment: datetime, length: timedelta) -> datetime:
        """When a turn that begins at this moment has lasted for `length`, in UTC; see above."""
        for begins, ends in self._from(moment):
            ends = min(ends, begins + LONGEST_STILL)
            awake = max(begins - moment, timedelta())
            if awake >= length:
                break
            length -= awake
            moment = max(moment, ends)
        return moment.astimezone(UTC) + length

    def _from(self, moment: datetime) -> Iterator[tuple[datetime, datetime]]:
        """When they begin and end, in UTC: from the day before this moment on, day by day."""
        zone = zone_of(self.zone)
        day = moment.astimezone(zone).date() - _DAY
        overnight = timedelta() if self.begin < self.end else _DAY
        while True:
            begins, ends = _at(day, self.begin, zone), _at(day + overnight, self.end, zone)
            yield begins, max(begins, ends)
            day += _DAY


def quiet_hours(settings: PersonalSettings) -> QuietHours | None:
    """The quiet hours that somebody has chosen, if any."""
    return settings.quiet and QuietHours(settings.zone, *settings.quiet)


def quiet_until(settings: PersonalSettings, moment: datetime) -> datetime | None:
    """When the quiet hours end in which this moment lies, in UTC; `None` if it lies in none."""
    hours = quiet_hours(settings)
    return hours.until(moment) if hours is not None else None


def zone_of(name: str) -> tzinfo:
    """The time zone of this name; UTC if this machine knows none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def _at(day: date, minute: Minute, zone: tzinfo) -> datetime:
    """A time of the day in a zone, as a moment in UTC."""
    return datetime.combine(day, time(minute // 60, minute % 60), zone).astimezone(UTC)
