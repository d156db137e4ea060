"""Reminders of club events, and wishes to postpone; each sent once to people who want any."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from bot.club import league, rules
from bot.club.actions import Postponed
from bot.club.event import ClubEvent
from bot.club_records import EventPerson
from bot.ids import UserId
from bot.live.events import EventDispatcher, EventNoticeDue
from bot.records import NudgeWay
from bot.storage import Store
from bot.table.quiet_hours import quiet_until

_Way = tuple[EventPerson, NudgeWay]


async def send_reminders(
    store: Store, events: EventDispatcher, event: ClubEvent, now: datetime
) -> None:
    """Send the reminders that are due, to people who want any and have no quiet hours."""
    people = rules.to_remind(event, now)
    if not people:
        return
    ways = await _ways(store, people, now)
    numbers, date = [each.number for each in people], rules.reminder_of(event)
    marked = await store.club_events.note_reminded(event.id, numbers, date)
    _dispatch(events, event, [each for each in ways if each[0].number in marked])


async def send_wish(
    store: Store, events: EventDispatcher, event: ClubEvent, wish: Postponed, now: datetime
) -> None:
    """Notify the other pair of a wish to postpone, to which it has not agreed yet."""
    ways = await _ways(store, league.to_ask(event, wish), now)
    _dispatch(events, event, ways, wish)


async def _ways(store: Store, people: Iterable[EventPerson], now: datetime) -> list[_Way]:
    """Return people with the ways of their notices; none in their quiet hours."""
    ways = list[_Way]()
    for person in people:
        settings = await store.personal_settings.get(person.user_id, fresh=True)
        is_quiet = quiet_until(settings, now) is not None
        ways.append((person, "none" if is_quiet else settings.nudge_way))
    return ways


def _dispatch(
    events: EventDispatcher, event: ClubEvent, ways: Sequence[_Way], wish: Postponed | None = None
) -> None:
    def to(wanted: NudgeWay) -> tuple[UserId, ...]:
        return tuple(person.user_id for person, way in ways if way == wanted)

    mentioned, direct = to("mention"), to("direct")
    if mentioned or direct:
        events.dispatch(EventNoticeDue(event, mentioned, direct, wish))
