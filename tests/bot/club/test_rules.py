"""Rules of game nights: answers, dates, draws, ends and times."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.club import actions as a
from bot.club import rules
from bot.club.competition import Result
from bot.club.event import ClubEvent, apply
from bot.club.settings import EventSettings
from bot.club_records import EventPerson, PersonNumber
from bot.errors import Reason, Refused
from bot.ids import ChannelId, ClubEventId, GuildId, TableId, UserId
from bot.table.options import TableOptions
from engine import Options

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
BEGIN = datetime(2026, 12, 4, 19, tzinfo=UTC)
NOW = BEGIN - 3 * DAY
LOTS = bytes(range(32))


def night(*dates: datetime, people: int = 0, **settings: object) -> ClubEvent:
    """Return a game night with people whose ratings fall from 1900 by 100."""
    given = {"title": "Friday", "dates": dates or (BEGIN,)}
    made = EventSettings.model_validate({**given, "zone": "Europe/Berlin", **settings})
    return ClubEvent(
        id=ClubEventId(1),
        guild_id=GuildId(2),
        channel_id=ChannelId(3),
        organiser_id=UserId(4),
        settings=made,
        people={
            PersonNumber(each): EventPerson(
                PersonNumber(each), UserId(each), f"P{each}", 2000 - 100 * each
            )
            for each in range(1, people + 1)
        },
        date=0 if len(made.dates) == 1 else None,
    )


def after(event: ClubEvent, actions: Sequence[a.Action], at: datetime = NOW) -> ClubEvent:
    """Return the event after these actions."""
    for action in actions:
        event = apply(event, action, at)
    return event


def answered(event: ClubEvent, given: a.Answer, *people: int, date: int = 0) -> ClubEvent:
    """Return the event after the same answer of these people."""
    for each in people:
        event = after(event, rules.answer(event, PersonNumber(each), date, given))
    return event


def tables(event: ClubEvent) -> list[tuple[set[int], ...]]:
    """Return the people of each table, by side."""
    assert event.round is not None
    return [
        tuple({event.entrants[each - 1].people[0] for each in side} for side in match.sides)
        for match in event.round.matches
    ]


def refused(reason: Reason) -> pytest.RaisesExc[Refused]:
    return pytest.raises(Refused, check=lambda error: error.code is reason)


# --- answers and dates ---------------------------------------------------------------------------


def test_the_last_answer_counts_and_comes_last() -> None:
    event = answered(night(people=3), "yes", 1, 2, 3)
    assert rules.answer(event, PersonNumber(1), 0, "yes") == []
    event = answered(answered(event, "no", 1), "yes", 1)
    assert event.answered("yes") == [2, 3, 1]
    assert event.answered("no") == []


def test_answers_are_for_each_date_until_one_is_chosen() -> None:
    event = night(BEGIN, BEGIN + DAY, people=2)
    event = answered(answered(event, "yes", 1, 2, date=1), "maybe", 1)
    assert (event.answered("yes", 1), event.answered("maybe", 0)) == ([1, 2], [1])
    event = after(event, rules.choose_date(event, 1, NOW))
    assert event.begins_at == BEGIN + DAY
    assert event.answered("yes") == [1, 2]
    assert rules.choose_date(event, 1, NOW) == []
    with refused(Reason.DATE_CHOSEN):
        rules.answer(event, PersonNumber(1), 0, "no")
    with refused(Reason.DATE_CHOSEN):
        rules.answer(event, PersonNumber(1), 2, "no")
    with refused(Reason.DATE_PAST):
        rules.choose_date(event, 0, BEGIN)


def test_the_best_date_has_most_people_and_is_not_past() -> None:
    event = night(*(BEGIN + each * DAY for each in range(4)), people=3)
    assert rules.best_date(event, NOW) == 0
    event = answered(event, "yes", 1, 2, date=0)
    event = answered(answered(event, "yes", 2, date=1), "yes", 3, date=2)
    event = answered(event, "maybe", 1, date=2)
    assert rules.best_date(event, NOW) == 0
    assert rules.best_date(event, BEGIN) == 2
    assert rules.best_date(event, BEGIN + 9 * DAY) == 3


def test_nothing_changes_after_the_end_or_the_draw() -> None:
    drawn = after(night(people=4), rules.draw_night(answered(night(people=4), "yes", 1), LOTS))
    cancelled = after(drawn, rules.cancel(drawn))
    assert cancelled.status == "cancelled"
    for event, reason in ((drawn, Reason.EVENT_DRAWN), (cancelled, Reason.EVENT_OVER)):
        with refused(reason):
            rules.answer(event, PersonNumber(1), 0, "no")
        with refused(reason):
            rules.choose_date(event, 0, NOW)
    with refused(Reason.EVENT_OVER):
        rules.cancel(cancelled)
    with refused(Reason.EVENT_OVER):
        rules.draw_night(cancelled, LOTS)


# --- draws ---------------------------------------------------------------------------------------


def drawn(event: ClubEvent, lots: bytes = LOTS) -> ClubEvent:
    """Return the event after a draw."""
    return after(event, rules.draw_night(event, lots), BEGIN)


def test_similar_ratings_play_at_a_table_and_the_best_with_the_weakest() -> None:
    event = drawn(answered(night(people=8), "yes", 5, 3, 8, 1, 6, 2, 7, 4))
    assert tables(event) == [({1, 4}, {2, 3}), ({5, 8}, {6, 7})]
    assert event.status == "running"


@pytest.mark.parametrize("people", range(1, 33))
def test_everybody_has_a_seat_and_tables_are_almost_equal(people: int) -> None:
    event = drawn(answered(night(people=people), "yes", *range(1, people + 1)))
    seats = [[len(side) for side in table] for table in tables(event)]
    numbers = [sum(each) for each in seats]
    assert sorted(itertools.chain(*itertools.chain(*tables(event)))) == list(range(1, people + 1))
    assert len(seats) == -(-people // 4)
    assert max(numbers) - min(numbers) <= 1
    assert all(len(sides) == 2 and max(sides) <= 2 for sides in seats)
    assert all(min(sides) >= 1 for sides, number in zip(seats, numbers, strict=True) if number > 1)


def test_substitutes_fill_the_last_table_in_the_order_of_their_answers() -> None:
    event = answered(night(people=9), "substitute", 9, 8, 7, 6)
    event = drawn(answered(event, "yes", 1, 2, 3, 4, 5))
    assert set().union(*itertools.chain(*tables(event))) == {1, 2, 3, 4, 5, 7, 8, 9}
    full = drawn(answered(answered(night(people=5), "substitute", 5), "yes", 1, 2, 3, 4))
    assert tables(full) == [({1, 4}, {2, 3})]


def test_tables_have_the_seats_of_their_game() -> None:
    options = TableOptions(rules=Options(variant="tientsin"))
    event = drawn(answered(night(people=7, options=options), "yes", *range(1, 8)))
    assert [sum(map(len, each)) for each in tables(event)] == [4, 3]
    full = drawn(answered(night(people=6, options=options), "yes", *range(1, 7)))
    assert tables(full) == [({1, 4, 5}, {2, 3, 6})]


def test_lots_decide_a_draw_by_lot() -> None:
    event = answered(night(people=8, draw_by="lot"), "yes", *range(1, 9))
    draws = [tables(drawn(event, bytes([each]) * 32)) for each in (1, 1, 2)]
    assert draws[0] == draws[1] != draws[2]


def test_a_second_draw_is_by_lot() -> None:
    first = drawn(answered(night(people=8), "yes", *range(1, 9)))
    second = drawn(first, LOTS)
    assert len(second.rounds) == 1
    assert tables(second) != tables(first)


def test_nobody_draws_without_people_or_after_a_match() -> None:
    with refused(Reason.NOBODY_IS_IN):
        rules.draw_night(answered(night(people=2), "maybe", 1), LOTS)
    event = drawn(answered(night(people=5), "yes", 1, 2, 3, 4, 5))
    event = after(event, rules.end_match(event, 1, 0, Result("void")))
    with refused(Reason.EVENT_BEGUN):
        rules.draw_night(event, LOTS)


def test_a_night_is_over_with_its_last_match() -> None:
    event = drawn(answered(night(people=5), "yes", 1, 2, 3, 4, 5))
    event = after(event, [a.Opened(round=1, match=1, table_id=TableId(9))])
    won, lost = Result("played", 0, (1000, 300)), Result("played", 1, (200, 1000))
    event = after(event, rules.end_match(event, 1, 1, won))
    assert event.status == "running"
    assert rules.end_match(event, 1, 1, won) == []
    event = after(event, rules.end_match(event, 1, 0, lost))
    assert event.status == "over"
    assert [match.result for match in event.rounds[0].matches] == [lost, won]
    assert rules.end_match(event, 1, 0, won) == []


# --- times ---------------------------------------------------------------------------------------


def test_a_night_is_due_for_its_reminder_and_then_its_begin() -> None:
    event = answered(night(people=1), "yes", 1)
    reminder = BEGIN - rules.REMIND_BEFORE
    assert rules.due_at(event, NOW) == reminder
    assert rules.due_at(event, reminder) == BEGIN
    assert rules.due_at(event, BEGIN + MINUTE) == BEGIN
    assert rules.when_due(event, LOTS, BEGIN - MINUTE) == []
    event = after(event, rules.when_due(event, LOTS, BEGIN))
    assert tables(event) == [({1}, set())]
    assert rules.due_at(event, BEGIN) is None
    assert rules.when_due(event, LOTS, BEGIN) == []
    assert rules.due_at(after(event, rules.cancel(event)), BEGIN) is None


def test_a_date_is_chosen_before_the_first_one() -> None:
    event = answered(night(BEGIN, BEGIN + DAY, people=1), "yes", 1, date=1)
    choice = BEGIN - rules.REMIND_BEFORE
    assert rules.due_at(event, choice) == choice
    assert rules.when_due(event, LOTS, choice - MINUTE) == []
    event = after(event, rules.when_due(event, LOTS, choice))
    assert event.date == 1
    assert rules.due_at(event, choice) == choice + DAY


def test_a_night_without_people_is_cancelled_and_a_late_one_is_over() -> None:
    empty = answered(night(people=1), "maybe", 1)
    assert rules.when_due(empty, LOTS, BEGIN) == [a.Finished(cancelled=True, too_few=True)]
    event = answered(night(people=1), "yes", 1)
    assert len(rules.when_due(event, LOTS, BEGIN + rules.LATEST)) == 2
    assert rules.when_due(event, LOTS, BEGIN + rules.LATEST + MINUTE) == [a.Finished()]


def test_everybody_who_may_come_is_reminded_once() -> None:
    event = answered(answered(night(people=5), "yes", 1, 2), "maybe", 3)
    event = answered(answered(event, "substitute", 4), "no", 5)
    people = {**event.people, PersonNumber(2): event.people[PersonNumber(2)]._replace(reminded=1)}
    event = replace(event, people=people)
    reminder = BEGIN - rules.REMIND_BEFORE
    assert [each.number for each in rules.to_remind(event, reminder)] == [1, 3, 4]
    for early_or_late in (reminder - MINUTE, BEGIN):
        assert rules.to_remind(event, early_or_late) == []
    assert rules.to_remind(after(event, rules.cancel(event)), reminder) == []


def test_a_weekly_night_is_followed_by_one_at_the_same_local_time() -> None:
    begin = datetime(2027, 3, 26, 19, tzinfo=UTC)  # clocks go forward two days later
    event = after(night(begin, weekly=True), [a.Finished()])
    following = rules.next_week(event, begin)
    assert following == event.settings.model_copy(
        update={"dates": (datetime(2027, 4, 2, 18, tzinfo=UTC),), "minute": 20 * 60}
    )
    late = rules.next_week(event, begin + 8 * DAY)
    assert late is not None
    assert late.dates == (datetime(2027, 4, 9, 18, tzinfo=UTC),)


def test_no_event_follows_others() -> None:
    for event, actions in (
        (night(), [a.Finished()]),
        (night(weekly=True), []),
        (night(weekly=True), [a.Finished(cancelled=True)]),
        (replace(night(weekly=True), organiser_id=UserId(-5)), [a.Finished()]),
    ):
        assert rules.next_week(after(event, actions), BEGIN) is None
