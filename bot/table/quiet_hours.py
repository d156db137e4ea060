"""Quiet hours: the hours of the day, in a person's own time zone, in which nobody calls them.

A game has no quiet hours: they hold back pings, direct messages and reminders, and nothing else.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.records import Minute, PersonalSettings

_DAY = timedelta(days=1)


def quiet_until(settings: PersonalSettings, moment: datetime) -> datetime | None:
    """When the quiet hours end in which this moment lies, in UTC; `None` if it lies in none.

    The clocks of the zone decide: on the night when they change, the hours are as long as they say.
    """
    if settings.quiet is None:
        return None
    begin, end = settings.quiet
    zone = zone_of(settings.zone)
    today = moment.astimezone(zone).date()
    for day in (today - _DAY, today):
        begins = datetime.combine(day, _clock(begin), zone)
        ends = datetime.combine(day if begin < end else day + _DAY, _clock(end), zone)
        if begins.astimezone(UTC) <= moment < ends.astimezone(UTC):
            return ends.astimezone(UTC)
    return None


def zone_of(name: str) -> tzinfo:
    """The time zone of this name; UTC if this machine knows none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def _clock(minute: Minute) -> time:
    """A time of the day from its minutes since midnight."""
    return time(minute // 60, minute % 60)
