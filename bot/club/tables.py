"""Tables of matches: their seats, and the results that they have at their end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bot.club.competition import Boards, Result, Side
from bot.club.event import ClubEvent, EventMatch
from bot.club.settings import EventSettings
from bot.club_records import EventPerson, PersonNumber
from bot.ids import UserId, is_pseudonym
from bot.records import MatchRecord, MatchSeat, RoundRecord
from bot.table.lobby import empty_chairs
from bot.table.options import EventLink, TableOptions
from bot.table.state import Chair, Lobby
from engine import Seat


def links_of(event: ClubEvent) -> list[EventLink]:
    """Return the links from tables to the open matches, which change with each draw.

    Matches whose tables are open come first, because opening one may fail.
    """
    settings = event.settings
    found = [
        (match.table_id is None, number, position, match.seq)
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
            rounds=settings.match_rounds,
            entrants_only=settings.is_tournament,
            forfeit=settings.is_tournament and settings.no_show == "forfeit",
            until=event.rounds[number - 1].deadline,
            same_deals=settings.same_deals,
        )
        for _, number, position, draw in sorted(found)
    ]


def find_match(event: ClubEvent, link: EventLink) -> EventMatch | None:
    """Return the match of a table; `None` if the event is over, or it has another table now."""
    if event.is_over or link.round > len(event.rounds):
        return None
    matches = event.rounds[link.round - 1].matches
    match = matches[link.match] if link.match < len(matches) else None
    return match if match is not None and match.seq == link.draw else None


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


def missing_people(event: ClubEvent, match: EventMatch, lobby: Lobby) -> tuple[int, int]:
    """Return how many people of each side have not come to the table.

    A lone person is a whole side. A side of which nobody has come lacks all seats of its team.
    """
    here = {chair.seat for chair in lobby.people() if chair.user_id in lobby.invitations.here}

    def missing(side: Side, team: Sequence[Seat]) -> int:
        people = (each for number in side for each in event.entrants[number - 1].people)
        expected = sum(not is_pseudonym(event.people[each].user_id) for each in people)
        came = len(here.intersection(team))
        return max(0, expected - came) if came else len(team)

    first, second = map(missing, match.sides, lobby.options.teams)
    return first, second


def absent_people(
    event: ClubEvent, match: EventMatch, record: MatchRecord | None
) -> tuple[PersonNumber, ...]:
    """Return the people of a game night in whose seats computers played, by a match's record."""
    if record is None or event.settings.is_tournament or not event.settings.options.teams:
        return ()
    came = {user_id for seat in record.seats for user_id in (seat.user_id, seat.counts_for)}
    computers = {seat.seat for seat in record.seats if seat.kind == "computer"}
    people = zip(_seats(event.settings.options), _people(event, match), strict=False)
    return tuple(
        person.number
        for seat, person in people
        if person is not None and person.user_id not in came and seat in computers
    )


def points_result(totals: Sequence[int]) -> Result:
    """Return the result of a match with these points."""
    first, second = totals
    return Result("played", None if first == second else int(first < second), (first, second))


def result_of(settings: EventSettings, record: MatchRecord | None, *, is_finished: bool) -> Result:
    """Return the result of a table that is over, with the record of its match, if it began.

    A match without its regular end counts for nobody in a game night. In a tournament it counts
    with the points of its rounds; without a round both sides have lost it. In a game without teams
    nobody wins for a side, so the table itself has all there is to know.
    """
    teams = settings.options.teams
    if settings.is_tournament and (record is None or not record.rounds):
        return Result("forfeit")
    if record is None or not teams:
        return Result("played" if is_finished else "void")
    seats = {seat.seat: seat for seat in record.seats}
    first, second = (_total(record, seats[team[0]]) for team in teams)
    if is_finished or settings.is_tournament:
        return points_result((first, second))
    return Result("void", totals=(first, second))


def deal_points(teams: Sequence[Sequence[Seat]], rounds: Iterable[RoundRecord]) -> Boards:
    """Return the points of both sides in each finished round of a table, in order.

    `teams` are the chairs of the first side and of the second.
    """
    found = list[tuple[int, int]]()
    for round_ in rounds:
        columns = {each.seat: each.column for each in round_.seats}
        scores = {each.column: each.score for each in round_.scores}
        first, second = (scores[columns[team[0]]] for team in teams)
        found.append((first, second))
    return tuple(found)


def _total(record: MatchRecord, seat: MatchSeat) -> int:
    """Return the points of a seat's team."""
    return next(score.total for score in record.scores if score.column == seat.column)
