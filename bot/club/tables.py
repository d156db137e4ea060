"""Tables of matches: their seats, and the results that they have at their end."""

from __future__ import annotations

from collections.abc import Iterator

from bot.club.competition import Result
from bot.club.event import ClubEvent, EventMatch
from bot.club_records import EventPerson
from bot.ids import UserId, is_pseudonym
from bot.records import MatchRecord, MatchSeat, Status
from bot.table.lobby import empty_chairs
from bot.table.options import EventLink, TableOptions
from bot.table.state import Chair
from engine import Seat


def links_of(event: ClubEvent) -> list[EventLink]:
    """Return the links from tables to the open matches, which change with each draw.

    Matches whose tables are open come first, because opening one may fail.
    """
    found = [
        (match.table_id is None, number, position, round_.seq)
        for number, round_ in enumerate(event.rounds, start=1)
        for position, match in enumerate(round_.matches)
        if match.result is None
    ]
    return [
        EventLink(
            event=event.id,
            round=number,
            match=position,
            draw=draw,
        )
        for _, number, position, draw in sorted(found)
    ]


def find_match(event: ClubEvent, link: EventLink) -> EventMatch | None:
    """Return the match of a table; `None` if the event is over, or was drawn again since."""
    if event.is_over or link.round > len(event.rounds):
        return None
    round_ = event.rounds[link.round - 1]
    return round_.matches[link.match] if round_.seq == link.draw else None


def chairs_of(event: ClubEvent, match: EventMatch) -> tuple[Chair, ...]:
    """Return the chairs of a match: each side has the seats of a team, if the game has teams.

    Erased people have no chair. Computers take the empty chairs when the match starts.
    """
    options = event.settings.options
    chairs = empty_chairs(options.lobby_chairs)
    for seat, person in zip(_seats(options), _people(event, match), strict=False):
        if person is not None and not is_pseudonym(person.user_id):
            chair = Chair(seat=seat, kind="person", user_id=person.user_id, name=person.name)
            chairs = (*chairs[:seat], chair, *chairs[seat + 1 :])
    return chairs


def user_ids_of(event: ClubEvent, match: EventMatch) -> list[UserId]:
    """Return the people of a match, without erased ones."""
    return [chair.user_id for chair in chairs_of(event, match) if chair.user_id is not None]


def _seats(options: TableOptions) -> list[Seat]:
    """Return the seats of the first side, then those of the second."""
    return [seat for team in options.teams for seat in team] or list(range(options.lobby_chairs))


def _people(event: ClubEvent, match: EventMatch) -> Iterator[EventPerson | None]:
    """Yield the people of both sides; `None` for each seat of a team that they leave free."""
    size = max((len(team) for team in event.settings.options.teams), default=0)
    for side in match.sides:
        entrants = [event.entrants[number - 1] for number in side]
        people = [event.people[number] for entrant in entrants for number in entrant.people]
        yield from people
        yield from [None] * (size - len(people))


def result_of(options: TableOptions, status: Status, record: MatchRecord | None) -> Result:
    """Return the result of a table that is over, with the record of its match, if it began.

    A match without its regular end counts for nobody. In a game without teams nobody wins for a
    side, so the table itself has all there is to know.
    """
    if record is None or not options.teams:
        return Result("played" if status == "finished" else "void")
    seats = {seat.seat: seat for seat in record.seats}
    first, second = (seats[team[0]] for team in options.teams)
    totals = _total(record, first), _total(record, second)
    if status != "finished":
        return Result("void", totals=totals)
    winner = None if first.won == second.won else 0 if first.won else 1
    return Result("played", winner, totals)


def _total(record: MatchRecord, seat: MatchSeat) -> int:
    """Return the points of a seat's team."""
    return next(score.total for score in record.scores if score.column == seat.column)
