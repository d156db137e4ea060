"""Tables of matches: the seats of their sides, and their results."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.club import rules
from bot.club.actions import Opened
from bot.club.competition import Result
from bot.club.event import ClubEvent, apply
from bot.club.settings import EventSettings
from bot.club.tables import (
    absent_people,
    chairs_of,
    find_match,
    links_of,
    missing_people,
    result_of,
    user_ids_of,
)
from bot.club_records import PersonNumber
from bot.ids import TableId, UserId
from bot.records import MatchRecord, MatchScore, MatchSeat
from bot.table.lobby import check_in
from bot.table.options import TableOptions
from bot.table.state import Lobby
from engine import Options
from tests.bot.club.test_rules import LOTS, NOW, after, answered, night

TICHU, SIX = TableOptions(), TableOptions(rules=Options(variant="tientsin"))
FIVE = TableOptions(rules=Options(variant="grandseigneur"))
PSEUDONYM = UserId(-5)


def drawn(number: int, options: TableOptions = TICHU) -> ClubEvent:
    """Return a night at which so many people are in, after its draw."""
    event = answered(night(people=number, options=options), "yes", *range(1, number + 1))
    return after(event, rules.draw_night(event, LOTS))


def seats(event: ClubEvent, match: int = 0) -> list[int]:
    """Return the people of a match by seat, 0 for an empty chair."""
    assert event.round is not None
    return [chair.user_id or 0 for chair in chairs_of(event, event.round.matches[match])]


def test_sides_sit_in_the_seats_of_teams() -> None:
    assert seats(drawn(4)) == [1, 2, 4, 3], "the strongest with the weakest"
    assert seats(drawn(2)) == [1, 2, 0, 0], "opponents, so that each has a computer as partner"
    assert seats(drawn(1)) == [1, 0, 0, 0]
    assert seats(drawn(5), 1) == [4, 5, 0, 0]
    assert seats(drawn(6, SIX)) == [1, 2, 4, 3, 5, 6]


def test_people_of_a_game_without_teams_sit_side_by_side() -> None:
    found = seats(drawn(4, FIVE))
    assert sorted(found[:4]) == [1, 2, 3, 4]
    assert set(found[4:]) <= {0}


def test_erased_people_have_no_chair() -> None:
    event = drawn(4)
    first = event.people[PersonNumber(1)]
    people = {**event.people, first.number: first._replace(user_id=PSEUDONYM, name="")}
    event = replace(event, people=people)
    assert seats(event) == [0, 2, 4, 3]
    assert event.round is not None
    assert user_ids_of(event, event.round.matches[0]) == [2, 4, 3]


def test_links_belong_to_one_draw() -> None:
    event = drawn(8)
    first, second = links_of(event)
    assert (first.match, second.match) == (0, 1)
    assert find_match(event, first) is not None
    again = after(event, rules.draw_night(event, LOTS))
    assert [find_match(again, link) for link in (first, second)] == [None, None]
    assert all(link.draw == again.seq for link in links_of(again))
    cancelled = after(again, rules.cancel(again))
    assert find_match(cancelled, links_of(again)[0]) is None


def test_open_tables_come_before_tables_to_open() -> None:
    event = apply(drawn(8), Opened(round=1, match=1, table_id=TableId(7)), NOW)
    assert [link.match for link in links_of(event)] == [1, 0]
    event = after(event, rules.end_match(event, 1, 1, Result("void")))
    assert [link.match for link in links_of(event)] == [0]


def settings(options: TableOptions, **given: Any) -> EventSettings:
    return EventSettings(title="Cup", dates=(NOW,), zone="UTC", options=options, **given)


def record(totals: tuple[int, int], **given: Any) -> MatchRecord:
    """Return a match of two teams with these points."""
    won = [column for column in range(2) if totals[column] > totals[1 - column]]
    return MatchRecord(
        variant="nanjing",
        ended_at=datetime(2031, 1, 1, tzinfo=UTC),
        reason=given.get("reason", "finished"),
        rounds=given.get("rounds", 5),
        scores=tuple(
            MatchScore(column=column, total=total, won=column in won)
            for column, total in enumerate(totals)
        ),
        seats=tuple(
            MatchSeat(seat=seat, name="", kind="computer", column=seat % 2, won=seat % 2 in won)
            for seat in range(4)
        ),
    )


@pytest.mark.parametrize("totals, winner", [((1000, 640), 0), ((640, 1000), 1), ((900, 900), None)])
def test_result_has_the_winning_side(totals: tuple[int, int], winner: int | None) -> None:
    result = result_of(settings(TICHU), record(totals), is_finished=True)
    assert result == Result("played", winner, totals)


def test_match_without_its_end_counts_for_nobody() -> None:
    stopped = record((1000, 640), reason="stopped")
    night = settings(TICHU)
    assert result_of(night, stopped, is_finished=False) == Result("void", totals=(1000, 640))
    assert result_of(night, None, is_finished=False) == Result("void")


def test_stopped_match_of_a_tournament_has_its_points() -> None:
    swiss = settings(TICHU, format="swiss")
    stopped = record((300, 640), reason="stopped")
    assert result_of(swiss, stopped, is_finished=False) == Result("played", 1, (300, 640))
    unplayed = record((0, 0), reason="stopped", rounds=0)
    for each in (None, unplayed):
        assert result_of(swiss, each, is_finished=False) == Result("forfeit"), "nobody has won"


def test_absent_are_people_for_whom_computers_played() -> None:
    event, played = drawn(4), record((1000, 640))
    assert seats(event) == [1, 2, 4, 3]
    first, second, third, fourth = played.seats
    occupied = (
        first.model_copy(update={"kind": "person", "user_id": UserId(1)}),
        second.model_copy(update={"kind": "person", "user_id": UserId(9)}),  # in the seat of 2
        third.model_copy(update={"counts_for": UserId(4)}),  # who left late
        fourth,
    )
    played = played.model_copy(update={"seats": occupied})
    assert event.round is not None
    assert absent_people(event, event.round.matches[0], played) == (3,)


def test_game_without_teams_has_no_winning_side() -> None:
    assert result_of(settings(FIVE), record((1000, 640)), is_finished=True) == Result("played")


def test_people_are_missing_until_they_come() -> None:
    event = drawn(4)
    assert event.round is not None
    lobby = Lobby(
        id=TableId(1),
        guild_id=event.guild_id,
        channel_id=event.channel_id,
        parent_channel_id=None,
        host_id=UserId(1),
        status="lobby",
        options=TICHU.model_copy(update={"event": links_of(event)[0]}),
        chairs=chairs_of(event, event.round.matches[0]),
        created_at=NOW,
    )
    assert missing_people(event, event.round.matches[0], lobby) == (2, 2)
    first = next(chair.user_id for chair in lobby.chairs if chair.seat == 0)
    assert first is not None
    lobby = check_in(lobby, first)
    assert missing_people(event, event.round.matches[0], lobby) == (1, 2)
