"""An event as a value: the result of its settings and its actions.

`apply` computes the next event from one action. It does not check whether the action is possible
now (`bot.club.rules` does), because stored actions were possible once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple

from bot.club import actions as a
from bot.club.competition import EntrantNumber, Pairing, Result
from bot.club.settings import EventSettings
from bot.club_records import ClubEventRecord, EventPerson, EventStatus, PersonNumber
from bot.ids import ChannelId, ClubEventId, GuildId, TableId, UserId, is_pseudonym


class EventMatch(NamedTuple):
    """A match of an event."""

    sides: Pairing
    """Numbers of the entrants on each side."""
    table_id: TableId | None = None
    """Its table; `None` until it is opened."""
    result: Result | None = None
    """Its result; `None` until it is over."""


class EventRound(NamedTuple):
    """A round of an event."""

    matches: tuple[EventMatch, ...]
    """Its matches by table."""
    drawn_at: datetime
    """Time of the draw."""
    seq: int
    """Number of the action that drew it."""


class EventEntrant(NamedTuple):
    """A person for whom a seat was drawn."""

    number: EntrantNumber
    """Number by the draw, from 1."""
    people: tuple[PersonNumber, ...]
    """Its people."""


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
    date: int | None = None
    """Position of the date that was chosen; `None` if there is more than one and none chosen."""
    answers: Mapping[tuple[PersonNumber, int], a.Answer] = field(default_factory=dict)
    """Answers to a game night, by person and date, in the order in which they came."""
    entrants: tuple[EventEntrant, ...] = ()
    """Entrants by number, once they are drawn."""
    rounds: tuple[EventRound, ...] = ()
    """Rounds that were drawn."""

    @property
    def begins_at(self) -> datetime:
        """Time at which it begins: the date that was chosen, or else the first one."""
        return self.settings.dates[self.date or 0]

    @property
    def round(self) -> EventRound | None:
        """The last round that was drawn."""
        return self.rounds[-1] if self.rounds else None

    @property
    def is_over(self) -> bool:
        """True if it is over or cancelled."""
        return self.status in ("over", "cancelled")

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
        case a.DateChosen():
            return replace(event, date=action.date)
        case a.Seeded():
            entrants = tuple(
                EventEntrant(EntrantNumber(number), people)
                for number, people in enumerate(action.entrants, start=1)
            )
            return replace(event, entrants=entrants, rounds=())
        case a.Drawn():
            matches = tuple(EventMatch(sides) for sides in action.pairings)
            drawn = EventRound(matches, at, event.seq)
            rounds = (*event.rounds[: action.round - 1], drawn)
            return replace(event, rounds=rounds, status="running")
        case a.Opened():
            return _with_match(event, action.round, action.match, table_id=action.table_id)
        case a.Ended():
            return _with_match(event, action.round, action.match, result=action.result)
        case a.Finished():
            return replace(event, status="cancelled" if action.cancelled else "over")


def _with_match(event: ClubEvent, number: int, position: int, **changes: Any) -> ClubEvent:
    """Return the event with a changed match of a round."""
    round_ = event.rounds[number - 1]
    matches = list(round_.matches)
    matches[position] = matches[position]._replace(**changes)
    rounds = list(event.rounds)
    rounds[number - 1] = round_._replace(matches=tuple(matches))
    return replace(event, rounds=tuple(rounds))
