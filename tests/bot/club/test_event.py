"""Events as values: the fold of stored actions equals the live event."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.club import actions as a
from bot.club import rules
from bot.club.competition import Result
from bot.club.event import ClubEvent, apply, restore
from bot.club.settings import EventSettings
from bot.club_records import ClubEventRecord, EventPerson, PersonNumber
from bot.errors import Refused
from bot.ids import ChannelId, ClubEventId, GuildId, TableId, UserId

BEGIN = datetime(2026, 12, 4, 19, tzinfo=UTC)
DATES = (BEGIN, BEGIN + timedelta(days=1), BEGIN + timedelta(days=2))
ANSWERS: tuple[a.Answer, ...] = ("yes", "maybe", "substitute", "no")
PEOPLE = tuple(EventPerson(PersonNumber(each), UserId(each), "", 1500) for each in range(1, 10))


def record(dates: tuple[datetime, ...] = DATES, **settings: object) -> ClubEventRecord:
    """Return the record of a game night."""
    values = {"title": "Friday", "dates": dates, "zone": "UTC", **settings}
    text = EventSettings.model_validate(values).model_dump_json()
    return ClubEventRecord(
        ClubEventId(1), GuildId(2), ChannelId(3), UserId(4), BEGIN - timedelta(days=9), text
    )


def step(event: ClubEvent, now: datetime, draw: st.DataObject) -> list[a.Action]:
    """Return the actions of something that a person, the organiser or a timer does."""
    choices = ("answer", "choose", "cancel", "draw", "due", "open", "end")
    kind = draw.draw(st.sampled_from(choices[:1] * 9 + choices))
    date = draw.draw(st.integers(0, 2))
    match kind:
        case "answer":
            person = draw.draw(st.sampled_from(PEOPLE)).number
            return rules.answer(event, person, date, draw.draw(st.sampled_from(ANSWERS)))
        case "choose":
            return rules.choose_date(event, date, now)
        case "cancel":
            return rules.cancel(event)
        case "draw":
            return rules.draw_night(event, draw.draw(st.binary(min_size=4, max_size=4)))
        case "due":
            return rules.when_due(event, b"lots", now)
    matches = event.round.matches if event.round is not None else ()
    if not matches:
        return []
    match_ = draw.draw(st.integers(0, len(matches) - 1))
    if kind == "open":
        return [a.Opened(round=1, match=match_, table_id=TableId(9))]
    result = Result("played", draw.draw(st.sampled_from((0, 1, None))), (700, 300))
    return rules.end_match(event, 1, match_, result)


@given(st.data())
def test_the_fold_of_stored_actions_is_the_live_event(draw: st.DataObject) -> None:
    stored: list[tuple[datetime, str]] = []
    live = restore(record(), PEOPLE, stored)
    now = BEGIN - timedelta(hours=3)
    for _ in range(draw.draw(st.integers(0, 30))):
        now += timedelta(minutes=draw.draw(st.integers(0, 60)))
        try:
            actions = step(live, now, draw)
        except Refused:
            continue
        for action in actions:
            live = apply(live, action, now)
            stored.append((now, action.model_dump_json()))
        assert restore(record(), PEOPLE, stored) == live
        assert live.seq == len(stored)
        seated = [person for each in live.entrants for person in each.people]
        assert len(seated) == len(set(seated))
        assert (live.status == "open") == (not live.rounds and not live.is_over)


def test_an_erased_person_is_signed_off_before_the_draw_and_stays_after_it() -> None:
    event = restore(record(DATES[:1]), PEOPLE, ())
    actions: list[a.Action] = [
        *rules.answer(event, PersonNumber(1), 0, "yes"),
        *rules.answer(event, PersonNumber(2), 0, "yes"),
    ]
    erased = (PEOPLE[0]._replace(user_id=UserId(-7)), *PEOPLE[1:])
    signed_up = restore(
        record(DATES[:1]), erased, [(BEGIN, each.model_dump_json()) for each in actions]
    )
    assert signed_up.answered("yes") == [2]
    assert signed_up.number_of(UserId(1)) is None
    for action in actions:
        event = apply(event, action, BEGIN)
    actions += rules.draw_night(event, b"lots")
    drawn = restore(
        record(DATES[:1]), erased, [(BEGIN, each.model_dump_json()) for each in actions]
    )
    assert {each.people for each in drawn.entrants} == {(1,), (2,)}


def test_a_person_keeps_their_number() -> None:
    event = restore(record(), PEOPLE[:2], ())
    for user_id, number in ((UserId(2), PersonNumber(2)), (UserId(8), PersonNumber(3))):
        assert event.person(user_id, "Ben", 1600) == EventPerson(number, user_id, "Ben", 1600)


def test_unknown_actions_are_refused() -> None:
    with pytest.raises(ValueError, match="kind"):
        a.read_action('{"kind": "unknown"}')
