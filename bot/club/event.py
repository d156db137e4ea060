"""An event as a value: the result of its settings and its actions.

`apply` computes the next event from one action. It does not check whether the action is possible
now (`bot.club.rules` does), because stored actions were possible once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from statistics import fmean
from typing import Any, NamedTuple

from bot.club import actions as a
from bot.club.competition import Competition, Entrant, EntrantNumber, Match, Pairing, Result
from bot.club.settings import EventSettings
from bot.club_records import COMPUTER, ClubEventRecord, EventPerson, EventStatus, PersonNumber
from bot.ids import ChannelId, ClubEventId, GuildId, TableId, UserId, is_pseudonym


class EventMatch(NamedTuple):
    """A match of an event."""

    sides: Pairing
    """Numbers of the entrants on each side; one side has a bye."""
    seq: int
    """Number of the action that made it; with another one it needs a new table."""
    table_id: TableId | None = None
    """Its table; `None` until it is opened."""
    result: Result | None = None
    """Its result; `None` until it is over."""
    absent: tuple[PersonNumber, ...] = ()
    """People for whom a computer played (game night)."""
    until: tuple[int, int] = (0, 0)
    """Weeks to which each side agrees to postpone it; 0: not (league)."""


class EventRound(NamedTuple):
    """A round of an event."""

    matches: tuple[EventMatch, ...]
    """Its matches by table."""
    begins_at: datetime
    """Time at which its tables open: that of the draw or later, or of the end of a pause."""
    deadline: datetime | None
    """Time until which it must be played; `None` without one."""
    corrects: tuple[Pairing, ...] = ()
    """Its pairings before the organiser corrected them; empty without corrections."""

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """The sides of its matches."""
        return tuple(match.sides for match in self.matches)

    @property
    def is_over(self) -> bool:
        """True if all its matches have a result."""
        return all(match.result is not None for match in self.matches)


class EventEntrant(NamedTuple):
    """A pair of a tournament, or a person for whom a seat was drawn."""

    number: EntrantNumber
    """Number by the draw or the seeding, from 1."""
    people: tuple[PersonNumber, ...]
    """Its people."""
    withdrawn: bool = False
    """True if it plays no more rounds."""

    @property
    def places(self) -> tuple[PersonNumber, ...]:
        """Both people of a pair, or a lone one and `COMPUTER`."""
        return (*self.people, COMPUTER)[:2]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubEvent:
    """An event: its people, entrants and rounds."""

    id: ClubEventId
    """Number of the event."""
    guild_id: GuildId
    """Server of the event."""
    channel_id: ChannelId
    """Channel of the event."""
    organiser_id: UserId
    """Person who announced it."""
    settings: EventSettings
    """Its settings."""
    people: Mapping[PersonNumber, EventPerson] = field(default_factory=dict)
    """Everybody who has answered, by number."""
    seq: int = 0
    """Number of its actions."""
    status: EventStatus = "open"
    """Its status."""
    too_few: bool = False
    """True if it was cancelled because too few people were in."""
    paused_at: datetime | None = None
    """Time since which no round is drawn and no table opened; `None` if it is not paused."""
    date: int | None = None
    """Position of the date that was chosen; `None` if there is more than one and none chosen."""
    answers: Mapping[tuple[PersonNumber, int], a.Answer] = field(default_factory=dict)
    """Answers by person and date, in the order in which they came."""
    partners: Mapping[PersonNumber, PersonNumber] = field(default_factory=dict)
    """Partners whom people have named for a tournament."""
    entrants: tuple[EventEntrant, ...] = ()
    """Entrants by number, once they are drawn."""
    lots: bytes = field(default=b"", repr=False)
    """Random bytes for draws by lot."""
    rounds: tuple[EventRound, ...] = ()
    """Rounds that were drawn."""
    week: int = 1
    """Current week of a league, from 1."""

    @property
    def begins_at(self) -> datetime:
        """Time at which it begins: the date that was chosen, or else the first one."""
        return self.settings.dates[self.date or 0]

    @property
    def began_at(self) -> datetime:
        """Time at which it began if that was earlier than announced; otherwise `begins_at`."""
        return min((self.begins_at, *(each.begins_at for each in self.rounds[:1])))

    @property
    def round(self) -> EventRound | None:
        """The last round that was drawn."""
        return self.rounds[-1] if self.rounds else None

    @property
    def is_over(self) -> bool:
        """True if it is over or cancelled."""
        return self.status in ("over", "cancelled")

    @property
    def was_played(self) -> bool:
        """True if somebody has played a match, or won one by forfeit."""
        return any(
            match.result is not None
            and match.result.ending in ("played", "forfeit")
            and (match.result.ending == "played" or match.result.winner is not None)
            for round_ in self.rounds
            for match in round_.matches
        )

    @property
    def competition(self) -> Competition:
        """Entrants, results and settings, as the format of a tournament reads them."""
        settings = self.settings
        return Competition(
            entrants=tuple(
                Entrant(each.number, self.rating(each.people), self._is_out(each))
                for each in self.entrants
            ),
            rounds=tuple(
                tuple(Match(match.sides, match.result, match.until) for match in each.matches)
                for each in self.rounds
            ),
            planned=settings.rounds,
            third_place=settings.third_place,
            divisions=settings.divisions,
            twice=settings.twice,
            lots=self.lots,
        )

    def _is_out(self, entrant: EventEntrant) -> bool:
        """Return whether an entrant has withdrawn, or all its people were erased."""
        users = (self.people[number].user_id for number in entrant.people)
        return entrant.withdrawn or all(map(is_pseudonym, users))

    def rating(self, people: Iterable[PersonNumber]) -> int:
        """Return the mean rating of people."""
        return round(fmean(self.people[number].rating for number in people))

    def entrant_of(self, person: PersonNumber | None) -> EventEntrant | None:
        """Return the entrant of a person or of `COMPUTER`, or `None`."""
        return next((each for each in self.entrants if person in each.places), None)

    def open_matches(self, entrant: EntrantNumber) -> list[tuple[int, int]]:
        """Return round and position of an entrant's open matches; only a league has several."""
        return [
            (number, position)
            for number, round_ in enumerate(self.rounds, start=1)
            for position, match in enumerate(round_.matches)
            if match.result is None and any(entrant in side for side in match.sides)
        ]

    def substitutes(self) -> list[PersonNumber]:
        """Return the people who offered to be a substitute, and play for no entrant."""
        return [each for each in self.answered("substitute") if self.entrant_of(each) is None]

    def pairs(self) -> Iterator[tuple[PersonNumber, PersonNumber]]:
        """Yield the people who are in and have named each other."""
        people = self.answered("yes")
        for person in people:
            partner = self.partners.get(person)
            if partner in people and person < partner and self.partners.get(partner) == person:
                yield person, partner

    def number_of(self, user_id: UserId) -> PersonNumber | None:
        """Return the number of a person, or `None` if they have not answered."""
        return next((each.number for each in self.people.values() if each.user_id == user_id), None)

    def person(self, user_id: UserId, name: str, rating: int) -> EventPerson:
        """Return a person with this name and rating, and with a new number if they have none."""
        number = self.number_of(user_id)
        if number is None:
            return EventPerson(PersonNumber(len(self.people) + 1), user_id, name, rating)
        return self.people[number]._replace(name=name, rating=rating)

    def answered(self, answer: a.Answer, date: int | None = None) -> list[PersonNumber]:
        """Return the people with this answer, in the order of their answers.

        It is their answer for the date that was chosen, unless a date is given.
        """
        wanted = (self.date or 0) if date is None else date
        return [
            person
            for (person, position), given in self.answers.items()
            if (position, given) == (wanted, answer)
        ]


def restore(
    record: ClubEventRecord, people: Iterable[EventPerson], bodies: Iterable[tuple[datetime, str]]
) -> ClubEvent:
    """Return a stored event; `bodies` are its actions in order, with their times.

    Sign-ups of erased people do not count any more, but they stay entrants once they are drawn.
    """
    settings = EventSettings.model_validate_json(record.settings)
    event = ClubEvent(
        id=record.id,
        guild_id=record.guild_id,
        channel_id=record.channel_id,
        organiser_id=record.organiser_id,
        settings=settings,
        people={each.number: each for each in people},
        date=0 if len(settings.dates) == 1 else None,
    )
    for at, body in bodies:
        event = apply(event, a.read_action(body), at)
    erased = {each.number for each in event.people.values() if is_pseudonym(each.user_id)}
    return replace(
        event,
        answers={key: each for key, each in event.answers.items() if key[0] not in erased},
        partners={who: other for who, other in event.partners.items() if other not in erased},
    )


def apply(event: ClubEvent, action: a.Action, at: datetime) -> ClubEvent:
    """Return the event after an action at this time."""
    event = replace(event, seq=event.seq + 1)
    match action:
        case a.Answered():
            answers = dict(event.answers)
            answers.pop((action.person, action.date), None)  # a new answer comes last
            answers[action.person, action.date] = action.answer
            return replace(event, answers=answers)
        case a.PartnerNamed():
            partners = {who: other for who, other in event.partners.items() if who != action.person}
            if action.partner is not None:
                partners[action.person] = action.partner
            return replace(event, partners=partners)
        case a.DateChosen():
            return replace(event, date=action.date)
        case a.Seeded():
            entrants = tuple(
                EventEntrant(EntrantNumber(number), people)
                for number, people in enumerate(action.entrants, start=1)
            )
            return replace(event, entrants=entrants, lots=bytes.fromhex(action.lots), rounds=())
        case a.Drawn():
            matches = tuple(
                EventMatch(sides, event.seq, result=None if len(sides) == 2 else _BYE)
                for sides in action.pairings
            )
            drawn = EventRound(matches, action.begins_at or at, action.deadline, action.corrects)
            rounds = (*event.rounds[: action.round - 1], drawn)
            return replace(event, rounds=rounds, status="running")
        case a.WeekBegun():
            return replace(event, week=action.week)
        case a.Opened():
            table_id = action.table_id
            return _with_match(event, action.round, action.match, table_id=table_id, result=None)
        case a.Ended():
            changes = {"result": action.result, "absent": action.absent}
            return _with_match(event, action.round, action.match, **changes)
        case a.Paused():
            if action.paused or not event.rounds:
                return replace(event, paused_at=at if action.paused else None)
            last = event.rounds[-1]
            begins = last._replace(begins_at=max(last.begins_at, at))
            return replace(event, paused_at=None, rounds=(*event.rounds[:-1], begins))
        case a.DeadlineMoved():
            moved = event.rounds[-1]._replace(deadline=action.deadline)
            return replace(event, rounds=(*event.rounds[:-1], moved))
        case a.Postponed():
            match_ = event.rounds[action.round - 1].matches[action.match]
            first, second = match_.until
            until = (action.week, second) if action.side == 0 else (first, action.week)
            return _with_match(event, action.round, action.match, until=until)
        case a.Withdrew():
            return _with_entrant(event, action.entrant, withdrawn=action.withdrawn)
        case a.Substituted():
            entrant = event.entrants[action.entrant - 1]
            places = (action.new if each == action.old else each for each in entrant.places)
            people = tuple(each for each in places if each != COMPUTER)
            event = _with_entrant(event, action.entrant, people=people)
            for number, position in event.open_matches(action.entrant) if action.reopened else ():
                event = _with_match(event, number, position, table_id=None, seq=event.seq)
            return event
        case a.Finished():
            status: EventStatus = "cancelled" if action.cancelled else "over"
            return replace(event, status=status, too_few=action.too_few)


_BYE = Result("bye", winner=0)


def _with_match(event: ClubEvent, number: int, position: int, **changes: Any) -> ClubEvent:
    """Return the event with a changed match of a round."""
    round_ = event.rounds[number - 1]
    matches = list(round_.matches)
    matches[position] = matches[position]._replace(**changes)
    rounds = list(event.rounds)
    rounds[number - 1] = round_._replace(matches=tuple(matches))
    return replace(event, rounds=tuple(rounds))


def _with_entrant(event: ClubEvent, number: EntrantNumber, **changes: Any) -> ClubEvent:
    """Return the event with a changed entrant."""
    entrants = list(event.entrants)
    entrants[number - 1] = entrants[number - 1]._replace(**changes)
    return replace(event, entrants=tuple(entrants))
