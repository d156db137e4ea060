"""Checks of `bench.cup`: results, standings and mentions of a tournament that is over."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

from bot.club.competition import Result
from bot.club.event import ClubEvent
from bot.club.formats import FORMATS
from bot.ids import ChannelId, TableId
from bot.records import MatchRecord

ROUNDS: Final = 5
"""Number of rounds of the tournament."""
Pair = frozenset[int]
"""The people of a pair."""


def people_of(record: MatchRecord) -> list[int]:
    """Return the people of a match."""
    return sorted(each.user_id for each in record.seats if each.user_id is not None)


def sides_of(record: MatchRecord) -> dict[Pair, int]:
    """Return the points of both pairs of a match."""
    people = defaultdict[int, set[int]](set)
    for seat in record.seats:
        people[seat.column] |= {seat.user_id} if seat.user_id is not None else set()
    return {frozenset(people[each.column]): each.total for each in record.scores}


def pair_of(event: ClubEvent, number: int) -> Pair:
    """Return the people of an entrant."""
    people = event.entrants[number - 1].people
    return frozenset(int(event.people[each].user_id) for each in people)


def broken_results(
    event: ClubEvent,
    records: Mapping[TableId, MatchRecord],
    ends: Mapping[tuple[int, int], int],
) -> list[str]:
    """Return matches without exactly one table and one result, which is that of its record."""
    faults = [] if event.status == "over" else [f"the event is {event.status}"]
    if len(event.rounds) != ROUNDS:
        faults.append(f"{len(event.rounds)} rounds")
    tables = Counter(match.table_id for each in event.rounds for match in each.matches)
    for number, round_ in enumerate(event.rounds, start=1):
        for position, match in enumerate(round_.matches):
            name = f"round {number}, match {position + 1}"
            record = None if match.table_id is None else records.get(match.table_id)
            if record is None or tables[match.table_id] != 1 or record.rounds != 1:
                faults.append(f"{name}: not played at one table of its own")
                continue
            points = sides_of(record)
            sides = [pair_of(event, side[0]) for side in match.sides]
            first, second = (points.get(each, -1) for each in sides)
            winner = None if first == second else int(first < second)
            if match.result != Result("played", winner, (first, second)):
                faults.append(f"{name}: {match.result} is not {first}:{second}")
            if ends[number, position] != 1:
                faults.append(f"{name}: it ended {ends[number, position]} times")
    return faults


def broken_standings(event: ClubEvent, records: Mapping[TableId, MatchRecord]) -> list[str]:
    """Return differences from wins and Buchholz computed from the records alone."""
    wins, opponents = defaultdict[Pair, Fraction](Fraction), defaultdict[Pair, list[Pair]](list)
    for record in records.values():
        points = sides_of(record)
        for pair in points:
            others = [each for each in points if each != pair]
            opponents[pair] += others
            for other in others:
                wins[pair] += Fraction((points[pair] > points[other]) + 1, 2) - Fraction(
                    points[pair] < points[other], 2
                )
    faults, before = list[str](), list[tuple[Fraction, Fraction]]()
    for line in FORMATS["swiss"].standings(event.competition):
        pair = pair_of(event, line.entrant)
        own = wins[pair], sum((wins[each] for each in opponents[pair]), Fraction())
        if (line.score, line.tie_breaks[0]) != own or line.played != len(opponents[pair]):
            faults.append(f"place {line.place}: {line.score}, {line.tie_breaks[0]} is not {own}")
        if before and own > before[-1]:
            faults.append(f"place {line.place} is better than the one above")
        if len({*opponents[pair]}) != len(opponents[pair]):
            faults.append(f"place {line.place} met a pair twice")
        before.append(own)
    return faults


def broken_mentions(
    people: Mapping[ChannelId, Sequence[int]],
    invited: Mapping[int, Iterable[int]],
    mentioned: Mapping[int, Iterable[int]],
) -> list[str]:
    """Return tables to which not exactly their people were called, once each."""
    faults = [
        f"channel {channel_id}: {sorted(invited.get(channel_id, ()))} were called, not {seated}"
        for channel_id, seated in people.items()
        if sorted(invited.get(channel_id, ())) != list(seated)
    ]
    strangers = [
        f"channel {channel_id}: {user_id} was mentioned"
        for channel_id, user_ids in mentioned.items()
        for user_id in user_ids
        if user_id not in people.get(ChannelId(channel_id), ())
    ]
    return faults + strangers
