"""Rules of events: the actions that a person, the organiser or a timer causes.

Each function checks the event as it is now. It returns the actions to store, none if nothing
changes, or raises `Refused`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from bot.club import actions as a
from bot.club import tournament
from bot.club.competition import EntrantNumber, Pairing, Result
from bot.club.dates import repeated
from bot.club.event import ClubEvent, apply
from bot.club.settings import EventSettings
from bot.club_records import EventPerson, PersonNumber
from bot.errors import Reason, Refused
from bot.ids import UserId, is_pseudonym
from bot.table.options import TURN_BASED_S, TableOptions

REMIND_BEFORE: Final = timedelta(minutes=15)
"""Time from the reminder to the begin, and from the choice of a date to the first date."""
LATEST: Final = timedelta(hours=1)
"""Time after the begin in which tables are drawn; later the evening is over without them."""
USUAL_DEALS: Final = 2
"""Number of deals of a match with the same deals, if the organiser chose none."""
_SNAKE: Final = (0, 1, 1, 0)
"""Sides of people in the order of their ratings, repeated: the strongest with the weakest."""


def completed(settings: EventSettings) -> EventSettings:
    """Return settings whose tables have turn limits that suit the time for a round.

    People meet for an evening, or have at least three turns for each player in a round. Matches
    with the same deals have a number of them.
    """
    if settings.same_deals and settings.match_rounds is None:
        settings = settings.model_copy(update={"match_rounds": USUAL_DEALS})
    limit = TableOptions().turn_limit_s
    if settings.round_hours is not None:
        fitting = [each for each in TURN_BASED_S if 3 * each <= settings.round_hours * 3600]
        limit = max(fitting, default=min(TURN_BASED_S))
    elif not settings.options.turn_based:
        return settings
    options = settings.options.changed("turn_limit_s", str(limit))
    return settings.model_copy(update={"options": options})


def answer(event: ClubEvent, person: PersonNumber, date: int, given: a.Answer) -> list[a.Action]:
    """Answer for a date; the last answer counts.

    While rounds of a tournament are played, others can still offer to be a substitute.
    """
    is_waiting = given in ("substitute", "no") and event.entrant_of(person) is None
    if not (event.settings.is_tournament and event.status == "running" and is_waiting):
        _check_open(event)
    if event.date not in (None, date) or date >= len(event.settings.dates):
        raise Refused(Reason.DATE_CHOSEN)
    if event.answers.get((person, date)) == given:
        return []
    if event.settings.is_tournament and given == "yes":
        tournament.check_room(event, date)
    return [a.Answered(person=person, date=date, answer=given)]


def choose_date(event: ClubEvent, date: int, now: datetime) -> list[a.Action]:
    """Choose one of the dates; another one may be chosen until the draw."""
    _check_open(event)
    if date >= len(event.settings.dates):
        raise Refused(Reason.UNKNOWN_BUTTON)
    if event.settings.dates[date] <= now:
        raise Refused(Reason.DATE_PAST)
    return [] if event.date == date else [a.DateChosen(date=date)]


def cancel(event: ClubEvent) -> list[a.Action]:
    """Cancel an event; matches that have begun go on, but do not count for it."""
    if event.is_over:
        raise Refused(Reason.EVENT_OVER)
    return [a.Finished(cancelled=True)]


def begin_now(
    event: ClubEvent, lots: bytes, now: datetime, last_season: ClubEvent | None = None
) -> list[a.Action]:
    """Draw the tables before the time, or open those of the next round of a tournament."""
    if event.round is not None and event.settings.is_tournament:
        return tournament.begin_round(event, now)
    if event.round is not None:
        raise Refused(Reason.EVENT_DRAWN)
    if event.date is not None:
        return draw(event, lots, now, last_season)
    chosen = a.DateChosen(date=best_date(event, now))
    return [chosen, *draw(apply(event, chosen, now), lots, now, last_season)]


def draw_night(event: ClubEvent, lots: bytes) -> list[a.Action]:
    """Draw the tables of a game night, or draw them again as long as no match is over.

    People who are in come first. Substitutes fill the last seats, and computers the rest. A second
    draw is always by lot, because ratings would give the same tables.
    """
    if event.is_over:
        raise Refused(Reason.EVENT_OVER)
    if event.round is not None and any(match.result for match in event.round.matches):
        raise Refused(Reason.EVENT_BEGUN)
    people = event.answered("yes")
    if not people:
        raise Refused(Reason.NOBODY_IS_IN)
    options = event.settings.options
    seats = options.game.chair_count(options.rules)
    tables = -(-len(people) // seats)
    people += event.answered("substitute")[: tables * seats - len(people)]

    by_lot = event.settings.draw_by == "lot" or event.round is not None
    drawn_lots = {each: hashlib.sha256(lots + each.to_bytes(4, "big")).digest() for each in people}
    ratings = {each: event.people[each].rating for each in people}
    people.sort(key=lambda each: (0 if by_lot else -ratings[each], drawn_lots[each]))
    return [
        a.Seeded(entrants=tuple((each,) for each in people)),
        a.Drawn(round=1, pairings=tuple(_night_tables(len(people), tables))),
    ]


def _night_tables(people: int, tables: int) -> Iterator[Pairing]:
    """Yield tables of almost equal numbers of entrants, in the order of the entrants."""
    first = 1
    for table in range(tables):
        number = people // tables + (table < people % tables)
        sides: tuple[list[EntrantNumber], list[EntrantNumber]] = [], []
        for place in range(number):
            sides[_SNAKE[place % 4]].append(EntrantNumber(first + place))
        yield tuple(sides[0]), tuple(sides[1])
        first += number


def end_match(
    event: ClubEvent,
    round_: int,
    match: int,
    result: Result,
    absent: tuple[PersonNumber, ...] = (),
) -> list[a.Action]:
    """Note the result of a match, once; a game night is over with its last match."""
    known = event.rounds[round_ - 1].matches
    if event.is_over or known[match].result is not None:
        return []
    others = (*known[:match], *known[match + 1 :])
    end = a.Ended(round=round_, match=match, result=result, absent=absent)
    if event.settings.is_tournament or any(each.result is None for each in others):
        return [end]
    return [end, a.Finished()]


# --- times ---------------------------------------------------------------------------------------


def due_at(event: ClubEvent, now: datetime) -> datetime | None:
    """Return the next time at which something happens without a click, or `None`.

    It is past if that has not happened yet.
    """
    if event.settings.is_tournament and event.status == "running":
        return tournament.due_at(event, now)
    if event.is_over or event.round is not None:
        return None
    reminder = event.begins_at - REMIND_BEFORE
    return reminder if event.date is None or now < reminder else event.begins_at


def when_due(
    event: ClubEvent, lots: bytes, now: datetime, last_season: ClubEvent | None = None
) -> list[a.Action]:
    """Return what happens at this time without a click: choice of a date, draw or end.

    An event is cancelled if nobody is in, or too few for a tournament. It is over if the bot was
    not running until `LATEST`.
    """
    if event.settings.is_tournament and event.status == "running":
        return tournament.when_due(event, now)
    due = due_at(event, now)
    if due is None or now < due:
        return []
    if event.date is None:
        return [a.DateChosen(date=best_date(event, now))]
    if now > event.begins_at + LATEST:
        return [a.Finished()]
    try:
        return draw(event, lots, now, last_season)
    except Refused:
        return [a.Finished(cancelled=True, too_few=True)]


def draw(
    event: ClubEvent, lots: bytes, now: datetime, last_season: ClubEvent | None = None
) -> list[a.Action]:
    """Draw the tables of a game night, the first round of a tournament, or a season."""
    if event.settings.is_tournament:
        return tournament.seed(event, lots, now, last_season)
    return draw_night(event, lots)


def best_date(event: ClubEvent, now: datetime) -> int:
    """Return the future date for which most people are in; the first one of several.

    It is the last date if all are past.
    """
    dates = event.settings.dates
    future = [date for date, begins in enumerate(dates) if begins > now] or [len(dates) - 1]
    return max(
        future,
        key=lambda date: (
            len(event.answered("yes", date)),
            len(event.answered("maybe", date)),
            -date,
        ),
    )


def to_remind(event: ClubEvent, now: datetime) -> list[EventPerson]:
    """Return the people who get their reminder now: those with an answer other than no."""
    if event.status != "open" or event.date is None:
        return []
    if not event.begins_at - REMIND_BEFORE <= now < event.begins_at:
        return []
    numbers = (number for way in _REMINDED for number in event.answered(way))
    people = (event.people[number] for number in numbers)
    return [each for each in people if not each.reminded & reminder_of(event)]


def reminder_of(event: ClubEvent) -> int:
    """Return the number in `EventPerson.reminded` of the date at which the event begins."""
    return 1 << (event.date or 0)


_REMINDED: Final[tuple[a.Answer, ...]] = ("yes", "maybe", "substitute")


def next_week(event: ClubEvent, now: datetime) -> EventSettings | None:
    """Return the settings of the event that follows a weekly one; `None` if none does.

    It begins at the same local time of the next week that is not past.
    """
    settings = event.settings
    if not settings.weekly or event.status != "over" or is_pseudonym(event.organiser_id):
        return None
    return repeated(settings, event.begins_at, now)


def check_may_manage(event: ClubEvent, user_id: UserId, *, may_manage: bool) -> None:
    """Raise `Refused` unless this is the organiser or a moderator."""
    if user_id != event.organiser_id and not may_manage:
        raise Refused(Reason.ORGANISER_ONLY, organiser=event.organiser_id)


def _check_open(event: ClubEvent) -> None:
    """Raise `Refused` unless people can sign up."""
    if event.is_over:
        raise Refused(Reason.EVENT_OVER)
    if event.status != "open":
        drawn = Reason.TOURNAMENT_DRAWN if event.settings.is_tournament else Reason.EVENT_DRAWN
        raise Refused(drawn)
