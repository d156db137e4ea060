"""Reminders of club events, each sent once to people who want any."""

from __future__ import annotations

from datetime import datetime

from bot.club import rules
from bot.club.event import ClubEvent
from bot.club_records import EventPerson
from bot.ids import UserId
from bot.live.events import EventDispatcher, EventReminderDue
from bot.records import NudgeWay
from bot.storage import Store
from bot.table.quiet_hours import quiet_until


async def send_reminders(
    store: Store, events: EventDispatcher, event: ClubEvent, now: datetime
) -> None:
    """Send the reminders that are due, to people who want any and have no quiet hours."""
    people = rules.to_remind(event, now)
    if not people:
        return
    ways = list[tuple[EventPerson, NudgeWay]]()
    for person in people:
        settings = await store.personal_settings.get(person.user_id, fresh=True)
        is_quiet = quiet_until(settings, now) is not None
        ways.append((person, "none" if is_quiet else settings.nudge_way))
    numbers, date = [each.number for each in people], rules.reminder_of(event)
    marked = await store.club_events.note_reminded(event.id, numbers, date)

    def to(wanted: NudgeWay) -> tuple[UserId, ...]:
        return tuple(p.user_id for p, way in ways if way == wanted and p.number in marked)

    mentioned, direct = to("mention"), to("direct")
    if mentioned or direct:
        events.dispatch(EventReminderDue(event, mentioned, direct))
