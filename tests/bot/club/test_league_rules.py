"""Rules of leagues: seasons, fixtures, postponements, forfeits and the next season."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.club import actions as a
from bot.club import league, rules, tournament
from bot.club.competition import EntrantNumber, Result
from bot.club.event import ClubEvent
from bot.club.league import WEEK
from bot.club_records import PersonNumber
from bot.errors import Reason
from bot.ids import ClubEventId, TableId, UserId
from bot.records import MatchRecord, MatchScore, MatchSeat, TableRecord
from bot.table.options import EventLink, TableOptions
from engine import Options
from tests.bot.club.test_rules import LOTS, NOW, after, refused
from tests.bot.club.test_tournament import cup

DAY = timedelta(days=1)
WON = Result("played", 0, (1000, 0))


def season(people: int = 8, last: ClubEvent | None = None, **settings: Any) -> ClubEvent:
    """Return a season after its draw."""
    event = cup(people, format="league", **settings)
    return after(event, tournament.seed(event, LOTS, NOW, last))


def sides(event: ClubEvent, round_: int, match: int) -> tuple[EntrantNumber, EntrantNumber]:
    (first,), (second,) = event.rounds[round_ - 1].matches[match].sides
    return first, second


def played_out(event: ClubEvent) -> ClubEvent:
    """Return the season after all its matches, each won by the higher seed."""
    for number, round_ in enumerate(event.rounds, start=1):
        for position, match in enumerate(round_.matches):
            if match.result is None:
                one, other = sides(event, number, position)
                result = WON if one < other else WON.swapped
                event = after(event, rules.end_match(event, number, position, result))
    return after(event, rules.when_due(event, LOTS, NOW))


def test_fixtures_of_all_weeks_are_drawn_at_the_begin() -> None:
    event = season()
    assert [len(each.matches) for each in event.rounds] == [2, 2, 2]
    assert [each.begins_at for each in event.rounds] == [NOW, NOW + WEEK, NOW + 2 * WEEK]
    assert [each.deadline for each in event.rounds] == [NOW + week * WEEK for week in (1, 2, 3)]
    met = {frozenset(match.sides) for each in event.rounds for match in each.matches}
    assert len(met) == 6
    assert league.week_of(event, NOW) == 1
    assert league.week_of(event, NOW + WEEK) == 2
    assert league.week_of(event, NOW + 9 * WEEK) == 3


def test_season_is_over_with_its_last_match() -> None:
    event = played_out(season())
    assert event.status == "over"
    assert league.champions(event) == [event.entrants[0].people]


def test_season_ends_with_its_last_week_and_both_lose_what_is_open() -> None:
    event = after(season(), rules.end_match(season(), 1, 0, WON))
    assert rules.due_at(event, NOW) == NOW + WEEK
    event = after(event, rules.when_due(event, LOTS, NOW + 3 * WEEK - DAY))
    assert (event.week, event.status) == (3, "running")
    assert rules.when_due(event, LOTS, NOW + 3 * WEEK - DAY) == []
    event = after(event, rules.when_due(event, LOTS, NOW + 3 * WEEK))
    assert event.status == "over"
    endings = [match.result for each in event.rounds for match in each.matches]
    assert endings == [WON, *[Result("forfeit")] * 5]
    assert rules.due_at(season(), NOW + 9 * WEEK) is None


# --- postponements and forfeits ------------------------------------------------------------------


def member(event: ClubEvent, entrant: EntrantNumber) -> UserId:
    return event.people[event.entrants[entrant - 1].people[0]].user_id


def agreed(event: ClubEvent, week: int, *of: int, now: datetime = NOW) -> ClubEvent:
    """Return the season after sides of the first match agreed to wait until this week."""
    for side in of:
        user_id = member(event, sides(event, 1, 0)[side])
        event = after(event, league.postpone(event, user_id, 1, 0, week, now))
    return event


def week_due(event: ClubEvent) -> int:
    entrant = sides(event, 1, 0)[0]
    found = (
        each for each in league.fixtures_of(event, entrant) if (each.round, each.match) == (0, 0)
    )
    return next(found).week


def test_fixture_is_postponed_once_both_pairs_agree() -> None:
    event = season()
    assert week_due(agreed(event, 3, 0)) == 1
    assert week_due(agreed(event, 3, 0, 1)) == 3
    one = member(event, sides(event, 1, 0)[0])
    assert league.postpone(agreed(event, 3, 0), one, 1, 0, 3, NOW) == [], "once is enough"


def test_fixture_is_postponed_to_a_later_week_of_the_season() -> None:
    event = season()
    one = member(event, sides(event, 1, 0)[0])
    for week, now in ((1, NOW), (4, NOW), (2, NOW + WEEK)):
        with refused(Reason.DATE_PAST):
            league.postpone(event, one, 1, 0, week, now)
    stranger = member(event, sides(event, 1, 1)[0])
    with refused(Reason.NOT_YOUR_MATCH):
        league.postpone(event, stranger, 1, 0, 3, NOW)


def test_organiser_decides_what_was_not_played_in_its_week() -> None:
    event = agreed(season(), 2, 0, 1)
    with refused(Reason.FIXTURE_NOT_DUE):
        league.award(event, 1, 0, 1, NOW + WEEK)
    event = after(event, league.award(event, 1, 0, 1, NOW + 2 * WEEK))
    assert event.rounds[0].matches[0].result == Result("forfeit", 1)
    with refused(Reason.FIXTURE_OVER):
        league.award(event, 1, 0, 0, NOW + 2 * WEEK)
    event = after(event, league.award(event, 1, 1, None, NOW + WEEK))
    assert event.rounds[0].matches[1].result == Result("forfeit")


@pytest.mark.parametrize("round_, match", [(0, 0), (4, 0), (1, 2)])
def test_unknown_fixture(round_: int, match: int) -> None:
    with refused(Reason.UNKNOWN_BUTTON):
        league.award(season(), round_, match, None, NOW + 9 * WEEK)


def test_withdrawn_pair_loses_its_fixtures() -> None:
    event = season()
    event = after(event, tournament.withdraw(event, EntrantNumber(4), True, False, NOW))
    assert len(event.rounds) == 3, "no round is drawn again"
    assert list(league.fixtures_of(event, EntrantNumber(4))) == []
    assert len(list(league.fixtures_of(event, EntrantNumber(1)))) == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda event: tournament.pause(event, True, NOW),
        lambda event: tournament.begin_round(event, NOW),
        lambda event: tournament.swap(event, EntrantNumber(1), EntrantNumber(2), NOW),
        lambda event: tournament.move_deadline(event, NOW + DAY, NOW),
    ],
)
def test_weeks_are_fixed(change: Any) -> None:
    with refused(Reason.UNKNOWN_BUTTON):
        change(season())


# --- matches -------------------------------------------------------------------------------------


def test_people_of_a_fixture_open_its_table() -> None:
    event = season()
    person = event.entrants[sides(event, 1, 0)[1] - 1].people[1]
    user_id = event.people[person].user_id
    assert league.check_opens(event, user_id, 1, 0)
    opened = after(event, [a.Opened(round=1, match=0, table_id=TableId(5))])
    assert not league.check_opens(opened, user_id, 1, 0)
    again = after(opened, [a.Opened(round=1, match=0, table_id=None)])
    assert league.check_opens(again, user_id, 1, 0)
    with refused(Reason.NOT_YOUR_MATCH):
        league.check_opens(event, user_id, 1, 1)
    with refused(Reason.NOT_YOUR_MATCH):
        league.check_opens(event, UserId(99), 1, 0)


def other(
    event: ClubEvent, first: EntrantNumber, second: EntrantNumber, **given: Any
) -> tuple[TableRecord, MatchRecord]:
    """Return a match of the server that `first` has won against `second`."""
    users = [
        [event.people[person].user_id for person in event.entrants[number - 1].people]
        for number in (first, second)
    ]
    options = given.get("options", TableOptions())
    stored: dict[str, Any] = {"id": TableId(7), "options": options.model_dump_json()}
    table = TableRecord.model_construct(**stored)
    record = MatchRecord(
        variant="nanjing",
        ended_at=NOW,
        reason=given.get("reason", "finished"),
        rounds=5,
        scores=(
            MatchScore(column=0, total=1000, won=True),
            MatchScore(column=1, total=300, won=False),
        ),
        seats=tuple(
            MatchSeat(
                seat=seat,
                name="",
                kind="person",
                column=seat % 2,
                won=seat % 2 == 0,
                counts_for=users[seat % 2][seat // 2],
            )
            for seat in range(4)
        ),
    )
    return table, record


@pytest.mark.parametrize("first", [0, 1])
def test_any_match_of_both_pairs_decides_their_fixture_once(first: int) -> None:
    event = season()
    pair = sides(event, 3, 1)
    table, record = other(event, pair[first], pair[1 - first])
    event = after(event, league.count(event, table, record))
    match = event.rounds[2].matches[1]
    totals = (1000, 300) if first == 0 else (300, 1000)
    assert (match.table_id, match.result) == (7, Result("played", first, totals))
    assert league.count(event, table, record) == [], "it is decided"


def test_other_matches_decide_nothing() -> None:
    event = season()
    pair = sides(event, 1, 0)
    short = TableOptions(rules=Options(target=300))
    hints = TableOptions(hints=True)
    for given in ({"options": short}, {"options": hints}, {"reason": "stopped"}):
        assert league.count(event, *other(event, *pair, **given)) == []
    table, record = other(event, *pair)
    seats = tuple(
        each.model_copy(update={"counts_for": None}) if each.seat == 0 else each
        for each in record.seats
    )
    assert league.count(event, table, record.model_copy(update={"seats": seats})) == []


# --- the next season -----------------------------------------------------------------------------


def test_best_and_last_pairs_change_their_division() -> None:
    last = played_out(season(20, divisions=2))
    assert [len(each.matches) for each in last.rounds] == [6] * 5
    order = [each.people for each in last.entrants]
    following = season(20, last, divisions=2, exchanged=1)
    promoted = {each.people for each in following.entrants[:5]}
    assert promoted == {*order[:4], order[5]}
    assert {each.people for each in following.entrants[5:]} == {order[4], *order[6:]}


def test_first_season_is_divided_by_rating_and_newcomers_come_last() -> None:
    event = season(20, divisions=2)
    ratings = [event.rating(each.people) for each in event.entrants]
    assert ratings == sorted(ratings, reverse=True)
    last = played_out(season(16, divisions=2))
    people = {
        number: person._replace(user_id=UserId(person.user_id + (500 if number in (1, 16) else 0)))
        for number, person in last.people.items()
    }
    following = season(16, replace(last, people=people), divisions=2)
    newcomer = next(each for each in following.entrants if PersonNumber(1) in each.people)
    assert newcomer.number == len(following.entrants)


# --- withdrawn pairs and other events ------------------------------------------------------------


def test_fixture_of_a_withdrawn_pair_is_decided() -> None:
    event = season()
    one, other = sides(event, 1, 0)
    event = after(event, tournament.withdraw(event, other, True, False, NOW))
    person = event.people[event.entrants[one - 1].people[0]].user_id
    with refused(Reason.FIXTURE_OVER):
        league.check_opens(event, person, 1, 0)
    with refused(Reason.FIXTURE_OVER):
        league.award(event, 1, 0, 0, NOW + 2 * WEEK)


def test_short_match_of_a_tournament_decides_no_fixture() -> None:
    event = season()
    link = EventLink(event=ClubEventId(9), round=1, match=0, draw=1, rounds=4)
    short = TableOptions(event=link)
    assert league.count(event, *other(event, *sides(event, 1, 0), options=short)) == []
