"""Checks of `bench.cup`: a right tournament passes, and wrong results and mentions are found."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from bench.cup_checks import broken_mentions, broken_results, broken_standings, people_of
from bench.cup_discord import CupDiscord
from bot.club import actions as a
from bot.club import tournament
from bot.club.event import ClubEvent, EventMatch
from bot.club.tables import points_result
from bot.ids import ChannelId, TableId
from bot.records import MatchRecord, MatchScore, MatchSeat
from tests.bot.club.test_rules import NOW, after
from tests.bot.club.test_tournament import cup, seeded

ENDS = Counter({(number, match): 1 for number in range(1, 6) for match in range(8)})


@cache
def played() -> tuple[ClubEvent, dict[TableId, MatchRecord]]:
    """Return a tournament of 16 pairs after five rounds, with the records of its matches."""
    rng, records = random.Random(45), dict[TableId, MatchRecord]()
    event = seeded(cup(32, rounds=5))
    while not event.is_over:
        number = len(event.rounds)
        for position, match in enumerate(event.rounds[-1].matches):
            record = played_by(event, match, 5 * rng.randrange(-25, 26))
            table_id = TableId(len(records) + 1)
            records[table_id] = record
            points = [each.total for each in record.scores]
            opened = a.Opened(round=number, match=position, table_id=table_id)
            ended = a.Ended(round=number, match=position, result=points_result(points))
            event = after(event, [opened, ended])
        event = after(event, tournament.when_due(event, NOW))
    return event, records


def played_by(event: ClubEvent, match: EventMatch, first: int) -> MatchRecord:
    """Return the record of a match of one round, with the points of the first side."""
    pairs = [event.entrants[side[0] - 1].people for side in match.sides]
    seats = [
        MatchSeat(
            seat=seat,
            user_id=event.people[pairs[seat % 2][seat // 2]].user_id,
            name="",
            kind="person",
            column=seat % 2,
            won=False,
        )
        for seat in range(4)
    ]
    scores = [
        MatchScore(column=each, total=(first, 100 - first)[each], won=False) for each in (0, 1)
    ]
    return MatchRecord(
        variant="nanjing",
        ended_at=NOW,
        reason="finished",
        rounds=1,
        scores=tuple(scores),
        seats=tuple(seats),
    )


def test_a_right_tournament_passes() -> None:
    event, records = played()
    assert broken_results(event, records, ENDS) == []
    assert broken_standings(event, records) == []


def test_wrong_results_are_found() -> None:
    event, records = played()
    swapped = {**records, TableId(1): records[TableId(2)]}
    assert len(broken_results(event, swapped, ENDS)) == 1
    assert len(broken_results(event, records, ENDS + Counter([(3, 2)]))) == 1
    missing = {key: each for key, each in records.items() if key != 7}
    assert broken_results(event, missing, ENDS) == [
        "round 1, match 7: not played at one table of its own"
    ]
    assert "the event is running" in broken_results(replace(event, status="running"), records, ENDS)


def test_wrong_standings_are_found() -> None:
    event, records = played()
    table_id, record = next(
        (key, each) for key, each in records.items() if each.scores[0].total > 50
    )
    first, second = record.scores
    lost = record.model_copy(
        update={
            "scores": (
                first.model_copy(update={"total": second.total}),
                second.model_copy(update={"total": first.total}),
            )
        }
    )
    assert broken_standings(event, {**records, table_id: lost})


@pytest.mark.parametrize(
    "invited, mentioned, expected",
    [
        ([1, 2, 3, 4], [2], 0),
        ([1, 2, 3, 4, 4], [], 1),
        ([1, 2, 3], [], 1),
        ([1, 2, 3, 4], [5], 1),
    ],
)
def test_wrong_mentions_are_found(invited: list[int], mentioned: list[int], expected: int) -> None:
    channel_id = ChannelId(10)
    found = broken_mentions({channel_id: [1, 2, 3, 4]}, {10: invited}, {10: mentioned})
    assert len(found) == expected


def test_people_of_a_match() -> None:
    _, records = played()
    assert all(len(people_of(each)) == 4 for each in records.values())


def test_a_message_with_a_known_nonce_is_posted_once() -> None:
    discord = CupDiscord(0.0)
    body = {
        "content": "<@5> <@6>",
        "nonce": "n",
        "allowed_mentions": {"parse": [], "users": ["5"]},
    }
    for _ in range(2):
        discord.answer("POST", "/channels/10/messages", body)
    assert discord.mentioned == {10: Counter([5])}
    assert discord.requests == {"messages": 2}
