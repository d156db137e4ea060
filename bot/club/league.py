"""Rules of leagues: a season of weeks, whose fixtures two pairs play when they want.

Each function checks the event as it is now. It returns the actions to store, none if nothing
changes, or raises `Refused`. `bot.club.formats.league` has the fixtures and tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from bot.club import actions as a
from bot.club.competition import EntrantNumber, Result
from bot.club.dates import repeated
from bot.club.event import ClubEvent, EventMatch, apply
from bot.club.formats import league
from bot.club.settings import EventSettings
from bot.club.tables import result_of
from bot.club_records import EventPerson, PersonNumber
from bot.errors import Reason, Refused
from bot.ids import UserId, is_pseudonym
from bot.records import MatchRecord, TableRecord
from bot.table.options import TableOptions

WEEK: Final = timedelta(days=7)
SIGN_UP: Final = timedelta(days=3)
"""Shortest time for answers between two seasons."""
_FORMAT: Final = league.League()


def draw_season(event: ClubEvent, now: datetime) -> list[a.Action]:
    """Draw the fixtures of all weeks, of a season whose entrants were just seeded."""
    drawn = list[a.Action]()
    while pairings := _FORMAT.pair(event.competition):
        week = len(event.rounds)
        begins_at = now + week * WEEK
        action = a.Drawn(
            round=week + 1, pairings=pairings, begins_at=begins_at, deadline=begins_at + WEEK
        )
        drawn.append(action)
        event = apply(event, action, now)
    return drawn


def in_order_of_last_season(
    pairs: Sequence[tuple[PersonNumber, ...]], event: ClubEvent, last: ClubEvent | None
) -> list[tuple[PersonNumber, ...]]:
    """Return pairs, which are sorted by rating, in the order of the divisions after `last`.

    Pairs of the same two people keep what they have won. All others come last.
    """
    if last is None:
        return list(pairs)
    then = {_users(last, each.people): each.number for each in last.entrants}
    number_of = {pair: then.get(_users(event, pair)) for pair in pairs}
    returning = {number: pair for pair, number in number_of.items() if number is not None}
    new = [pair for pair, number in number_of.items() if number is None]
    newcomers = [EntrantNumber(len(last.entrants) + 1 + place) for place in range(len(new))]
    divisions = league.next_season(
        last.competition,
        event.settings.exchanged,
        event.settings.divisions,
        frozenset(returning),
        newcomers,
    )
    all_pairs = {**returning, **dict(zip(newcomers, new, strict=True))}
    return [all_pairs[number] for division in divisions for number in division]


def _users(event: ClubEvent, people: Sequence[PersonNumber]) -> frozenset[UserId]:
    return frozenset(event.people[number].user_id for number in people)


# --- fixtures ------------------------------------------------------------------------------------


def fixtures_of(event: ClubEvent, entrant: EntrantNumber) -> Iterator[league.Fixture]:
    """Yield the open fixtures of an entrant, in the order in which they are due."""
    for fixture in league.open_fixtures(event.competition):
        if (entrant,) in fixture.sides:
            yield fixture


def week_of(event: ClubEvent, now: datetime) -> int:
    """Return the number of the current week, from 1; the last one after the season."""
    return max(1, sum(round_.begins_at <= now for round_ in event.rounds))


def check_opens(event: ClubEvent, user_id: UserId, round_: int, match: int) -> bool:
    """Return whether the table of a fixture is still to be opened; raise `Refused` for others."""
    found = _open(event, round_, match)
    _side_of(event, user_id, found)
    return found.table_id is None


def _side_of(event: ClubEvent, user_id: UserId, match: EventMatch) -> int:
    """Return the side of a person in a fixture. Raise `Refused` if they have none."""
    entrant = event.entrant_of(event.number_of(user_id))
    if entrant is None or (entrant.number,) not in match.sides:
        raise Refused(Reason.NOT_YOUR_MATCH)
    return match.sides.index((entrant.number,))


def due_at(event: ClubEvent, now: datetime) -> datetime | None:
    """Return the end of the current week, at which the season may be over."""
    if event.paused_at is not None:
        return None
    ends = (round_.deadline for round_ in event.rounds)
    return next((each for each in ends if each is not None and now < each), None)


def when_due(event: ClubEvent, now: datetime) -> list[a.Action]:
    """Return the begin of a week, or the end of the season.

    It ends once all fixtures are decided or its last week is over. Both pairs lose what they have
    not played until then.
    """
    if event.is_over or event.paused_at is not None or not event.rounds:
        return []
    if (week := week_of(event, now)) > event.week:
        return [a.WeekBegun(week=week)]
    fixtures = league.open_fixtures(event.competition)
    end = event.rounds[-1].deadline
    if fixtures and (end is None or now < end):
        return []
    lost = (
        a.Ended(round=each.round + 1, match=each.match, result=Result("forfeit"))
        for each in fixtures
    )
    return [*lost, a.Finished()]


def postpone(
    event: ClubEvent, user_id: UserId, round_: int, match: int, week: int, now: datetime
) -> list[a.Action]:
    """Agree to play a fixture until a later week; it counts once both pairs have agreed."""
    found = _open(event, round_, match)
    side = _side_of(event, user_id, found)
    if not max(round_, week_of(event, now)) < week <= len(event.rounds):
        raise Refused(Reason.DATE_PAST)
    if found.until[side] >= week:
        return []
    return [a.Postponed(round=round_, match=match, side=side, week=week)]


def to_ask(event: ClubEvent, wish: a.Postponed) -> Iterator[EventPerson]:
    """Yield the people who have not agreed to a wish to postpone their fixture."""
    match = event.rounds[wish.round - 1].matches[wish.match]
    other = 1 - wish.side
    for number in match.sides[other] if match.until[other] < wish.week else ():
        people = (event.people[each] for each in event.entrants[number - 1].people)
        yield from (each for each in people if not is_pseudonym(each.user_id))


def award(
    event: ClubEvent, round_: int, match: int, winner: int | None, now: datetime
) -> list[a.Action]:
    """Decide a fixture that was not played in its week; `None`: both pairs have lost it."""
    _open(event, round_, match)
    deadline = event.rounds[_fixture(event, round_, match).week - 1].deadline
    if deadline is not None and now < deadline:
        raise Refused(Reason.FIXTURE_NOT_DUE)
    return [a.Ended(round=round_, match=match, result=Result("forfeit", winner))]


def _open(event: ClubEvent, round_: int, match: int) -> EventMatch:
    """Return an open fixture. Raise `Refused` if there is none."""
    if event.is_over:
        raise Refused(Reason.EVENT_OVER)
    if event.settings.format != "league" or not 1 <= round_ <= len(event.rounds):
        raise Refused(Reason.UNKNOWN_BUTTON)
    matches = event.rounds[round_ - 1].matches
    if not match < len(matches):
        raise Refused(Reason.UNKNOWN_BUTTON)
    _fixture(event, round_, match)
    return matches[match]


def _fixture(event: ClubEvent, round_: int, match: int) -> league.Fixture:
    """Return an open fixture. Raise `Refused` if it is decided, also by a withdrawal."""
    for each in league.open_fixtures(event.competition):
        if (each.round, each.match) == (round_ - 1, match):
            return each
    raise Refused(Reason.FIXTURE_OVER)


def count(event: ClubEvent, table: TableRecord, record: MatchRecord) -> list[a.Action]:
    """Return the fixture that a match of the server decides, if it is one of the league.

    It has the rules of the league, and two pairs with an open fixture have played it to its end.
    """
    options = TableOptions.model_validate_json(table.options)
    own = event.settings.options
    is_alike = (options.rules, options.rounds, options.rated) == (own.rules, own.rounds, own.rated)
    if event.is_over or not is_alike or record.reason != "finished":
        return []
    seats = {seat.seat: seat for seat in record.seats}
    numbers = {_users(event, each.people): each.number for each in event.entrants}
    one, other = (
        numbers.get(frozenset(user for seat in team if (user := seats[seat].counts_for)))
        for team in options.teams
    )
    if one is None or other is None:
        return []
    fixture = league.fixture_of(event.competition, (one,), (other,))
    if fixture is None:
        return []
    result = result_of(event.settings, record, is_finished=True)
    result = result if fixture.sides[0] == (one,) else result.swapped
    number, match = fixture.round + 1, fixture.match
    return [
        a.Opened(round=number, match=match, table_id=table.id),
        a.Ended(round=number, match=match, result=result),
    ]


def follow(event: ClubEvent, now: datetime) -> EventSettings:
    """Return the settings of the season after this one.

    It begins on the same weekday at the same local time, so that people have `SIGN_UP` to answer.
    """
    if event.settings.format != "league" or event.status != "over":
        raise Refused(Reason.UNKNOWN_BUTTON)
    settings = repeated(event.settings, event.begins_at, now + SIGN_UP)
    return settings.model_copy(update={"follows": event.id})


def champions(event: ClubEvent) -> list[tuple[PersonNumber, ...]]:
    """Return the people who won each division, the highest first."""
    return [event.entrants[number - 1].people for number in league.champions(event.competition)]
