"""Quiet hours: times of the day, in a person's own zone, without nudges.

At turn-based pace the time of a turn stops in quiet hours, too. So a turn of eight hours has eight
hours in which the person may be nudged, and it never ends before they could know of it. A turn
stops for at most twelve hours, so that others do not wait too long. At live pace quiet hours only
prevent nudges.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.records import Minute, PersonalSettings

LONGEST_STOP = timedelta(hours=12)
"""Longest period for which the time of a turn stops."""
_DAY = timedelta(days=1)


class QuietHours(NamedTuple):
    """Quiet hours of one person, by local time."""

    zone: str
    """Name of the time zone, such as Europe/Berlin."""
    begin: Minute
    """Begin, in local minutes of the day."""
    end: Minute
    """End, in local minutes; on the next day if not after `begin`."""

    def until(self, moment: datetime) -> datetime | None:
        """Return the end (UTC) of the quiet hours that contain this moment, if any do."""
        for begins, ends in self._periods_from(moment):
            if moment < ends:
                return ends if begins <= moment else None
        raise AssertionError("there are quiet hours every day")

    def after(self, moment: datetime, length: timedelta) -> datetime:
        """Return the end (UTC) of a turn of `length` from this moment.

        Quiet hours do not count, up to `LONGEST_STOP` each.
        """
        for begins, ends in self._periods_from(moment):
            ends = min(ends, begins + LONGEST_STOP)
            time_before = max(begins - moment, timedelta())
            if time_before >= length:
                break
            length -= time_before
            moment = max(moment, ends)
        return moment.astimezone(UTC) + length

    def _periods_from(self, moment: datetime) -> Iterator[tuple[datetime, datetime]]:
        """Yield begin and end (UTC) of the quiet hours of each day, without end.

        The first day is the one before this moment, because its quiet hours may last until then.
        """
        zone = zone_of(self.zone)
        day = moment.astimezone(zone).date() - _DAY
        overnight = timedelta() if self.begin < self.end else _DAY
        while True:
            begins, ends = (
                utc_time(day, self.begin, zone),
                utc_time(day + overnight, self.end, zone),
            )
            yield begins, max(begins, ends)
            day += _DAY


def quiet_hours(settings: PersonalSettings) -> QuietHours | None:
    """Return the quiet hours in these settings, if any."""
    return settings.quiet and QuietHours(settings.zone, *settings.quiet)


def quiet_until(settings: PersonalSettings, moment: datetime) -> datetime | None:
    """Return the end (UTC) of a user's quiet hours that contain this moment, if any do."""
    hours = quiet_hours(settings)
    return hours.until(moment) if hours is not None else None


def zone_of(name: str) -> tzinfo:
    """Return the time zone of this name; UTC if unknown."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def utc_time(day: date, minute: Minute, zone: tzinfo) -> datetime:
    """Return a time of the day in a zone, in UTC.

    When clocks go forward, a skipped time is an hour later; of a repeated time it is the first.
    """
    return datetime.combine(day, time(minute // 60, minute % 60), zone).astimezone(UTC)
