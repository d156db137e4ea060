"""Pages of events of clubs in all states, with up to a hundred people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

from bot.club import rules
from bot.club.actions import Action, Answer, Finished, Opened
from bot.club.competition import Result
from bot.club.event import ClubEvent, apply
from bot.club.settings import MOST_DATES, EventSettings
from bot.club_records import EventPerson, PersonNumber
from bot.ids import ChannelId, ClubEventId, GuildId, TableId, UserId
from bot.table.options import TableOptions
from bot.text.cards import Speaker
from cogs.pages.club.event import ANSWERS, ShownEvent
from cogs.pages.club.private import (
    announced_page,
    cancel_page,
    dates_page,
    list_page,
    manage_page,
    usual_title,
)
from cogs.pages.club.public import event_page
from cogs.pages.club.reminder import MOST_MENTIONED, direct_notice, mentioning_notice
from cogs.pages.controls import Notice, Page
from engine import VARIANTS
from tests.bot.states import NOON

ORGANISER, ERASED = UserId(2**62), UserId(-5)
_MOST = 100
ZONE = "America/Argentina/Buenos_Aires"
BEGINS = tuple(NOON + timedelta(days=each) for each in range(1, MOST_DATES + 1))


def an_event(
    names: Sequence[str],
    people: int,
    dates: int = 1,
    title: str = "1001",
    variant: str = "nanjing",
) -> ClubEvent:
    """Return an event without answers."""
    settings = EventSettings(
        title=title,
        dates=BEGINS[:dates],
        zone=ZONE,
        weekly=True,
        options=TableOptions().changed("variant", variant),
    )
    known = [
        EventPerson(PersonNumber(each), UserId(2**62 + each), names[each % len(names)], 1500)
        for each in range(1, people + 1)
    ]
    return ClubEvent(
        id=ClubEventId(10**9),
        guild_id=GuildId(2**62),
        channel_id=ChannelId(2**62),
        organiser_id=ORGANISER,
        settings=settings,
        people={each.number: each for each in known},
        date=0 if dates == 1 else None,
    )


def after(event: ClubEvent, actions: Sequence[Action]) -> ClubEvent:
    """Return the event after these actions."""
    for action in actions:
        event = apply(event, action, NOON)
    return event


def answered(event: ClubEvent, answer: Answer | None = None) -> ClubEvent:
    """Return the event with an answer of everybody for each date; by default all kinds."""
    for person in event.people:
        for date in range(len(event.settings.dates)):
            given = answer or ANSWERS[person % 4]
            event = after(event, rules.answer(event, person, date, given))
    return event


def ended(event: ClubEvent, result: Result) -> ClubEvent:
    """Return the drawn event with this result of all its matches."""
    for match in range(len(event.rounds[-1].matches)):
        opened = Opened(round=1, match=match, table_id=TableId(10**9 + match))
        event = after(event, [opened])
        event = after(event, rules.end_match(event, 1, match, result))
    return event


def _states(names: Sequence[str]) -> Iterator[ShownEvent]:
    """Yield events in all states."""
    longest = (names[0] * 80)[:80]
    missing = ["create_public_threads", "send_messages_in_threads", "view_channel"]
    yield ShownEvent(an_event(names, 0))
    for people in (5, _MOST):
        for dates in (1, 5):
            event = answered(an_event(names, people, dates, longest))
            yield ShownEvent(event, missing=missing)
            yield ShownEvent(event, missing=())
            yield ShownEvent(after(event, rules.cancel(event)))
        for variant in VARIANTS:
            open_event = answered(an_event(names, people, 1, longest, variant), "yes")
            event = after(open_event, rules.draw_night(open_event, b"lots"))
            yield ShownEvent(event)
            matches = event.rounds[-1].matches
            for match in range(len(matches)):
                opened = Opened(round=1, match=match, table_id=TableId(match))
                event = after(event, [opened])
            places = {TableId(match): ChannelId(2**62) for match in range(len(matches))}
            yield ShownEvent(event, places, missing)
            yield ShownEvent(after(event, rules.cancel(event)))
            yield ShownEvent(ended(event, Result("played", 0, (-1000, 10000))))
            yield ShownEvent(ended(event, Result("void")))
            erased = {
                each: who._replace(user_id=ERASED, name="") for each, who in event.people.items()
            }
            yield ShownEvent(replace(event, people=erased, organiser_id=ERASED))
    worst = answered(an_event(["*" * 32], _MOST, len(BEGINS), longest), "yes")
    yield ShownEvent(worst, missing=missing)
    crowd = answered(an_event(names, 4 * _MOST, 1, longest), "yes")
    yield ShownEvent(after(crowd, rules.draw_night(crowd, b"lots")))
    for cancelled in (True, False):
        yield ShownEvent(after(an_event(names, 1), [Finished(cancelled=cancelled)]))


def club_pages(names: Sequence[str], to: Speaker) -> Iterator[tuple[str, Page | Notice]]:
    """Yield the pages of events, and their reminders."""
    yield "events: none", list_page([], to)
    untitled = an_event(names, 0, title=usual_title("game-night", to))
    yield "event without a title", event_page(ShownEvent(untitled), to)
    events = list[ClubEvent]()
    for shown in _states(names):
        event = shown.event
        events.append(replace(event, id=ClubEventId(event.id - len(events))))
        name = f"event: {event.status}, {len(event.people)} people"
        yield name, event_page(shown, to)
        yield name, manage_page(event, to)
        if not event.is_over:
            yield name, cancel_page(event, to)
        if event.status == "open":
            yield name, announced_page(event, to)
            yield name, dates_page(event, UserId(2**62 + 1), to)
            people = [UserId(2**62 + each) for each in range(MOST_MENTIONED)]
            yield name, mentioning_notice(event, None, people, to)
            yield name, direct_notice(event, None, to)
    yield "events", list_page(events, to)
