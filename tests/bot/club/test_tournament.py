"""Rules of tournaments: pairs, rounds, corrections, withdrawals and deadlines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from bot.club import actions as a
from bot.club import rules, tournament
from bot.club.competition import EntrantNumber, Result
from bot.club.event import ClubEvent, apply
from bot.club.formats import FORMATS
from bot.club.settings import EventSettings, FormatName
from bot.club.tournament import BREAK
from bot.club_records import COMPUTER, EventPerson, PersonNumber
from bot.errors import Reason
from bot.ids import TableId, UserId
from bot.table.options import TableOptions
from tests.bot.club.test_rules import BEGIN, LOTS, MINUTE, NOW, after, answered, night, refused

HOUR = timedelta(hours=1)
WON, LOST = Result("played", 0, (1000, 0)), Result("played", 1, (0, 1000))


def cup(people: int, **settings: object) -> ClubEvent:
    """Return a tournament in which so many people are in, rated 1900 and less."""
    event = night(people=people, **{"format": "swiss", **settings})
    return answered(event, "yes", *range(1, people + 1))


def with_person(event: ClubEvent, number: int) -> ClubEvent:
    """Return the tournament with another person of the server."""
    person = EventPerson(PersonNumber(number), UserId(number), "Zoe", 1500)
    return replace(event, people={**event.people, person.number: person})


def named(event: ClubEvent, *pairs: tuple[int, int | None]) -> ClubEvent:
    """Return the tournament after people named their partners."""
    for person, partner in pairs:
        other = None if partner is None else PersonNumber(partner)
        event = after(event, tournament.name_partner(event, PersonNumber(person), other))
    return event


def seeded(event: ClubEvent, at: datetime = NOW) -> ClubEvent:
    return after(event, tournament.seed(event, LOTS, at), at)


def begun(event: ClubEvent) -> ClubEvent:
    """Return the tournament with its tables open."""
    return after(event, tournament.begin_round(event, NOW))


def entrants(event: ClubEvent) -> list[tuple[int, ...]]:
    return [each.people for each in event.entrants]


def sides(event: ClubEvent) -> list[tuple[int, ...]]:
    """Return the entrants of the last round by match."""
    return [tuple(side[0] for side in match.sides) for match in event.rounds[-1].matches]


def with_results(event: ClubEvent, results: Sequence[Result]) -> ClubEvent:
    """Return the tournament after results of the open matches of its last round."""
    left = iter(results)
    for position, match in enumerate(event.rounds[-1].matches):
        if match.result is None:
            ended = rules.end_match(event, len(event.rounds), position, next(left))
            event = after(event, ended)
    return event


# --- sign-up -------------------------------------------------------------------------------------


def test_people_who_name_each_other_are_a_pair() -> None:
    event = named(cup(8), (8, 1), (1, 8), (2, 7), (7, 3))
    assert list(event.pairs()) == [(1, 8)]
    assert list(named(event, (7, 2)).pairs()) == [(1, 8), (2, 7)]
    assert list(named(event, (8, None)).pairs()) == []
    left = answered(event, "no", 8)
    assert list(left.pairs()) == [], "the partner is not in any more"


def test_only_people_who_are_in_can_be_named() -> None:
    event = answered(night(people=3, format="swiss"), "yes", 1)
    with refused(Reason.PARTNER_NOT_IN):
        tournament.name_partner(event, PersonNumber(1), PersonNumber(2))
    with refused(Reason.UNKNOWN_BUTTON):
        tournament.name_partner(event, PersonNumber(1), PersonNumber(1))
    friday = answered(night(people=2), "yes", 1, 2)
    with refused(Reason.UNKNOWN_BUTTON):  # a game night has no pairs
        tournament.name_partner(friday, PersonNumber(1), PersonNumber(2))
    with refused(Reason.TOURNAMENT_DRAWN):
        tournament.name_partner(seeded(cup(8)), PersonNumber(1), PersonNumber(2))


def test_singles_are_paired_strongest_with_weakest_and_seeded_by_rating() -> None:
    event = seeded(named(cup(10), (1, 2), (2, 1)))
    assert {frozenset(each) for each in entrants(event)} == {
        frozenset(pair) for pair in ((1, 2), (3, 10), (4, 9), (5, 8), (6, 7))
    }
    assert set(entrants(event)[0]) == {1, 2}, "the highest rating is the first seed"
    assert event.competition.entrants[0].rating == 1850


def test_singles_are_paired_by_lot_if_the_organiser_chose_that() -> None:
    drawn = {
        frozenset(
            frozenset(each.people)
            for each in after(event, tournament.seed(event, bytes([lot]) * 32, NOW)).entrants
        )
        for lot in range(8)
        for event in (cup(8, draw_by="lot"),)
    }
    assert len(drawn) > 1


def test_odd_person_gets_a_substitute_or_plays_with_a_computer() -> None:
    event = cup(9)
    assert sorted(map(len, entrants(seeded(event)))) == [1, 2, 2, 2, 2]
    alone = next(each for each in entrants(seeded(event)) if len(each) == 1)
    assert alone == (9,), "who signed up last"
    people = {
        **event.people,
        PersonNumber(10): EventPerson(PersonNumber(10), UserId(10), "J", 1500),
    }
    event = answered(replace(event, people=people), "substitute", 10)
    assert sorted(map(len, entrants(seeded(event)))) == [2, 2, 2, 2, 2]


def test_a_tournament_needs_four_pairs() -> None:
    with refused(Reason.FEW_PAIRS):
        tournament.seed(cup(6), LOTS, NOW)
    assert rules.when_due(cup(6), LOTS, BEGIN) == [a.Finished(cancelled=True, too_few=True)]
    assert not after(cup(6), rules.cancel(cup(6))).too_few, "its organiser cancelled it"
    assert len(seeded(cup(7)).entrants) == 4


def test_sign_up_is_full_with_64_pairs() -> None:
    event = cup(128)
    people = {
        **event.people,
        PersonNumber(129): EventPerson(PersonNumber(129), UserId(129), "J", 1),
    }
    event = replace(event, people=people)
    with refused(Reason.TOURNAMENT_FULL):
        answered(event, "yes", 129)
    assert len(seeded(answered(event, "substitute", 129)).entrants) == 64


# --- rounds --------------------------------------------------------------------------------------


def test_round_begins_after_a_break_or_when_the_organiser_wants() -> None:
    event = seeded(cup(8))
    assert event.rounds[0].begins_at == NOW + BREAK
    assert rules.due_at(event, NOW) == NOW + BREAK
    assert begun(event).rounds[0].begins_at == NOW
    with refused(Reason.ROUND_BEGUN):
        tournament.begin_round(begun(event), NOW + MINUTE)


def test_duplicate_has_room_for_twelve_pairs() -> None:
    with refused(Reason.TOURNAMENT_FULL):
        answered(with_person(cup(24, format="duplicate"), 25), "yes", 25)


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"league"}))
def test_rounds_follow_each_other_to_the_end(name: FormatName) -> None:
    pairs = min(7, FORMATS[name].entrants[-1])
    event = seeded(cup(2 * pairs, format=name))
    for number in range(1, 20):
        assert len(event.rounds) == number
        assert rules.when_due(event, LOTS, NOW) == [], "matches go on"
        event = with_results(event, [WON] * 8)
        actions = rules.when_due(event, LOTS, NOW)
        event = after(event, actions)
        if event.is_over:
            break
    assert event.status == "over"
    lines = FORMATS[event.settings.format].standings(event.competition)
    assert sorted(line.entrant for line in lines) == list(range(1, pairs + 1))


def test_byes_are_results_from_the_start() -> None:
    event = seeded(cup(10))
    bye = next(match for match in event.rounds[0].matches if len(match.sides) == 1)
    assert bye.result == Result("bye", 0)


def test_first_result_of_a_match_stays() -> None:
    event = after(seeded(cup(8)), [a.Ended(round=1, match=0, result=WON)])
    assert rules.end_match(event, 1, 0, LOST) == []


def test_turn_based_round_has_a_deadline() -> None:
    event = seeded(cup(8, round_hours=72))
    assert event.rounds[0].deadline == NOW + BREAK + 72 * HOUR
    assert rules.due_at(event, NOW + BREAK) == event.rounds[0].deadline
    assert rules.due_at(event, NOW + 80 * HOUR) is None, "not again and again"


@pytest.mark.parametrize(
    "hours, limit", [(None, 90), (1, 8), (24, 8), (71, 8), (72, 24), (168, 24), (28 * 24, 72)]
)
def test_turn_limits_suit_the_time_for_a_round(hours: int | None, limit: int) -> None:
    settings = night(format="swiss", round_hours=hours).settings
    chosen = rules.completed(settings).options.turn_limit_s
    assert chosen == (limit if hours is None else limit * 3600)


def test_evening_is_played_live() -> None:
    turn_based = TableOptions().changed("turn_limit_s", str(24 * 3600))
    settings = EventSettings(title="Cup", dates=(BEGIN,), zone="UTC", options=turn_based)
    assert not rules.completed(settings).options.turn_based


@pytest.mark.parametrize(
    "missing, winner", [((0, 2), 0), ((2, 1), 1), ((1, 2), 0), ((2, 2), None), ((1, 1), None)]
)
def test_who_has_not_come_loses(missing: tuple[int, int], winner: int | None) -> None:
    assert tournament.forfeit(missing) == Result("forfeit", winner)


# --- what the organiser changes ------------------------------------------------------------------


def test_two_entrants_change_places_before_the_round_begins() -> None:
    event = seeded(cup(8))
    before = sides(event)
    one, other = before[0][0], before[1][1]
    event = after(event, tournament.swap(event, EntrantNumber(one), EntrantNumber(other), NOW))
    assert sides(event) == [(other, before[0][1]), (before[1][0], one)]
    assert event.rounds[0].begins_at == NOW + BREAK
    for pair in ((one, one), (one, 9)):
        with refused(Reason.UNKNOWN_BUTTON):
            tournament.swap(event, EntrantNumber(pair[0]), EntrantNumber(pair[1]), NOW)
    with refused(Reason.ROUND_BEGUN):
        tournament.swap(event, EntrantNumber(one), EntrantNumber(other), NOW + BREAK)


def test_pause_in_the_break_leaves_time_for_changes() -> None:
    event = seeded(cup(8))
    event = after(event, tournament.pause(event, True, NOW))
    later = NOW + 5 * HOUR
    one, other = EntrantNumber(sides(event)[0][0]), EntrantNumber(sides(event)[1][0])
    swapped = after(event, tournament.swap(event, one, other, later), later)
    assert [each[0] for each in sides(swapped)] == [other, one]
    with refused(Reason.EVENT_PAUSED):
        tournament.begin_round(event, later)
    out = after(event, tournament.withdraw(event, one, True, False, later), later)
    assert one not in {number for match in sides(out) for number in match}, "it is drawn again"
    begun = after(swapped, tournament.pause(swapped, False, later), later)
    assert begun.rounds[0].begins_at == later
    for running in (begun, after(begun, tournament.pause(begun, True, later), later)):
        with refused(Reason.ROUND_BEGUN):
            tournament.swap(running, one, other, later + MINUTE)


def test_byes_can_be_exchanged_too() -> None:
    event = seeded(cup(10))
    paired, bye = sides(event)[0][0], sides(event)[-1][0]
    event = after(event, tournament.swap(event, EntrantNumber(paired), EntrantNumber(bye), NOW))
    assert sides(event)[-1] == (paired,)


def test_withdrawal_before_a_round_draws_it_again() -> None:
    event = seeded(cup(8))
    out = EntrantNumber(2)
    event = after(event, tournament.withdraw(event, out, True, False, NOW))
    assert out not in {number for match in sides(event) for number in match}
    assert len(event.rounds) == 1
    assert event.rounds[0].begins_at == NOW + BREAK
    assert tournament.withdraw(event, out, True, False, NOW) == [], "once is enough"
    event = after(event, tournament.withdraw(event, out, False, False, NOW))
    assert out in {number for match in sides(event) for number in match}


def test_withdrawal_keeps_corrections_of_other_matches() -> None:
    event = with_results(begun(seeded(cup(16, format="round-robin"))), [WON] * 4)
    event = after(event, rules.when_due(event, LOTS, NOW))
    drawn = sides(event)
    (one, _), (other, _), *_, (out, left) = drawn
    event = after(event, tournament.swap(event, EntrantNumber(one), EntrantNumber(other), NOW))
    corrected = sides(event)
    gone = after(event, tournament.withdraw(event, EntrantNumber(out), True, False, NOW))
    assert sides(gone) == [*corrected[:-1], (left,)]
    back = after(gone, tournament.withdraw(gone, EntrantNumber(out), False, False, NOW))
    assert sides(back) == corrected
    lost = after(back, tournament.withdraw(back, EntrantNumber(one), True, False, NOW))
    assert sides(lost) == [*drawn[1:], drawn[0][1:]], "one of the exchanged pairs is gone"
    assert len(lost.rounds) == 2


def test_withdrawal_loses_a_match_that_has_not_begun() -> None:
    event = begun(seeded(cup(8)))
    first, second = (EntrantNumber(each) for each in sides(event)[0])
    for loser, winner in ((first, 1), (second, 0)):
        lost = after(event, tournament.withdraw(event, loser, True, False, NOW))
        assert lost.rounds[0].matches[0].result == Result("forfeit", winner)
    going_on = after(event, tournament.withdraw(event, first, True, True, NOW))
    assert going_on.rounds[0].matches[0].result is None
    assert going_on.competition.entrants[first - 1].withdrawn


def test_tournament_ends_when_one_entrant_is_left() -> None:
    event = begun(seeded(cup(8)))
    for number in (2, 3, 4):
        event = after(event, tournament.withdraw(event, EntrantNumber(number), True, False, NOW))
    assert rules.when_due(event, LOTS, NOW) == [a.Finished()]
    (line, *_) = FORMATS["swiss"].standings(event.competition)
    assert line.entrant == 1
    assert line.score == 1


def test_erased_pair_plays_no_more_rounds() -> None:
    event = seeded(cup(8))
    people = {
        number: each._replace(user_id=UserId(-number)) if number in entrants(event)[0] else each
        for number, each in event.people.items()
    }
    assert [each.withdrawn for each in replace(event, people=people).competition.entrants] == [
        True,
        False,
        False,
        False,
    ]


def substitute_at(event: ClubEvent) -> ClubEvent:
    """Return the tournament with person 99, who offers to be a substitute."""
    return answered(with_person(event, 99), "substitute", 99)


def test_substitute_takes_the_place_of_a_person() -> None:
    event = substitute_at(begun(seeded(cup(8))))
    event = after(event, [a.Opened(round=1, match=0, table_id=TableId(7))])
    first = event.entrants[sides(event)[0][0] - 1]
    old, new = first.people[1], PersonNumber(99)
    reopened = after(event, tournament.substitute(event, old, new, False))
    assert reopened.entrants[first.number - 1].people == (first.people[0], 99)
    assert reopened.rounds[0].matches[0].table_id is None, "the lobby is opened again"
    assert reopened.rounds[0].matches[0].seq != event.rounds[0].matches[0].seq
    going_on = after(event, tournament.substitute(event, old, new, True))
    assert going_on.rounds[0].matches[0] == event.rounds[0].matches[0]
    assert reopened.substitutes() == []


def test_substitute_takes_the_place_of_a_computer() -> None:
    event = substitute_at(seeded(cup(7)))
    (alone,) = (each for each in event.entrants if len(each.people) == 1)
    event = after(event, tournament.substitute(event, COMPUTER, PersonNumber(99), False))
    assert event.entrants[alone.number - 1].people == (*alone.people, 99)
    event = answered(with_person(event, 98), "substitute", 98)
    with refused(Reason.UNKNOWN_BUTTON):
        tournament.substitute(event, COMPUTER, PersonNumber(98), False)


def test_lone_person_is_replaced_by_a_substitute() -> None:
    event = substitute_at(seeded(cup(7)))
    (alone,) = (each for each in event.entrants if len(each.people) == 1)
    (person,) = alone.people
    event = after(event, tournament.substitute(event, person, PersonNumber(99), False))
    assert event.entrants[alone.number - 1].people == (99,)


def test_only_substitutes_replace_people_of_entrants() -> None:
    event = substitute_at(seeded(cup(8)))
    one, other = (each.people[0] for each in event.entrants[:2])
    for old, new in ((one, other), (PersonNumber(99), PersonNumber(99)), (one, PersonNumber(50))):
        with refused(Reason.UNKNOWN_BUTTON):
            tournament.substitute(event, old, new, False)


def test_people_can_offer_to_substitute_while_rounds_are_played() -> None:
    event = substitute_at(seeded(cup(8)))
    assert event.substitutes() == [99]
    assert answered(event, "no", 99).substitutes() == []
    with refused(Reason.TOURNAMENT_DRAWN):
        answered(event, "yes", 99)
    with refused(Reason.TOURNAMENT_DRAWN):
        answered(event, "no", 1)


def test_void_match_counts_for_nobody() -> None:
    event = after(begun(seeded(cup(8))), [a.Ended(round=1, match=0, result=WON)])
    event = after(event, tournament.void(event, 1, 0))
    assert event.rounds[0].matches[0].result == Result("void")
    assert tournament.void(event, 1, 0) == []
    for round_, match in ((0, 0), (2, 0), (1, 5)):
        with refused(Reason.UNKNOWN_BUTTON):
            tournament.void(event, round_, match)


@pytest.mark.parametrize("name, is_possible", [("swiss", True), ("knock-out", False)])
def test_void_match_of_an_earlier_round(name: str, is_possible: bool) -> None:
    event = with_results(seeded(cup(8, format=name)), [WON] * 2)
    event = after(event, rules.when_due(event, LOTS, NOW))
    if is_possible:
        assert tournament.void(event, 1, 0)
    else:
        with refused(Reason.UNKNOWN_BUTTON):  # the winner plays the final already
            tournament.void(event, 1, 0)


@pytest.mark.parametrize(
    "redraw",
    [
        lambda event: tournament.begin_round(event, NOW),
        lambda event: tournament.swap(event, EntrantNumber(2), EntrantNumber(3), NOW),
        lambda event: tournament.withdraw(
            event, EntrantNumber(sides(event)[-1][0]), True, False, NOW
        ),
    ],
)
def test_another_draw_keeps_a_moved_deadline_and_void_matches(
    redraw: Callable[[ClubEvent], Sequence[a.Action]],
) -> None:
    event = seeded(cup(14, round_hours=24))
    deadline = NOW + 90 * HOUR
    event = after(event, tournament.move_deadline(event, deadline, NOW))
    event = after(event, tournament.void(event, 1, 0))
    void = event.rounds[0].matches[0].sides
    event = after(event, redraw(event))
    (found,) = (each for each in event.rounds[0].matches if each.sides == void)
    assert found.result == Result("void"), "it would be played all the same"
    assert event.rounds[0].deadline == deadline


def test_pause_stops_rounds_and_moves_the_deadline() -> None:
    event = with_results(seeded(cup(8, round_hours=24)), [WON] * 2)
    deadline = event.rounds[0].deadline
    assert deadline is not None
    paused = after(event, tournament.pause(event, True, NOW))
    assert (rules.when_due(paused, LOTS, NOW), rules.due_at(paused, NOW)) == ([], None)
    assert tournament.pause(paused, True, NOW) == []
    later = NOW + 5 * HOUR
    resumed = after(paused, tournament.pause(paused, False, later), later)
    assert resumed.rounds[0].deadline == deadline + 5 * HOUR
    assert rules.when_due(resumed, LOTS, later)


def test_deadline_moves_to_a_time_in_the_future() -> None:
    event = seeded(cup(8, round_hours=24))
    moved = after(event, tournament.move_deadline(event, NOW + 90 * HOUR, NOW))
    assert moved.rounds[0].deadline == NOW + 90 * HOUR
    assert tournament.move_deadline(moved, NOW + 48 * HOUR, NOW) == [], "a button of a round before"
    with refused(Reason.DATE_PAST):
        tournament.move_deadline(event, NOW, NOW)
    with refused(Reason.UNKNOWN_BUTTON):
        tournament.move_deadline(seeded(cup(8)), NOW + HOUR, NOW)


@pytest.mark.parametrize(
    "change",
    [
        lambda event: tournament.pause(event, True, NOW),
        lambda event: tournament.void(event, 1, 0),
        lambda event: tournament.withdraw(event, EntrantNumber(1), True, False, NOW),
        lambda event: tournament.substitute(event, PersonNumber(1), PersonNumber(2), False),
        lambda event: tournament.swap(event, EntrantNumber(1), EntrantNumber(2), NOW),
        lambda event: tournament.move_deadline(event, BEGIN, NOW),
    ],
)
def test_nothing_changes_before_the_first_round_or_after_the_end(
    change: Callable[[ClubEvent], list[a.Action]],
) -> None:
    with refused(Reason.UNKNOWN_BUTTON):
        change(cup(8))
    with refused(Reason.EVENT_OVER):
        change(after(seeded(cup(8)), [a.Finished()]))


def test_stored_actions_make_the_same_event_again() -> None:
    event, read = cup(8), cup(8)
    made = [
        *tournament.seed(event, LOTS, NOW),
        a.Withdrew(entrant=EntrantNumber(3)),
        a.Paused(paused=True),
        a.PartnerNamed(person=PersonNumber(1), partner=PersonNumber(2)),
        a.DeadlineMoved(deadline=BEGIN),
        a.Substituted(
            entrant=EntrantNumber(1), old=PersonNumber(1), new=PersonNumber(8), reopened=True
        ),
    ]
    for action in made:
        event = apply(event, action, NOW)
        read = apply(read, a.read_action(action.model_dump_json()), NOW)
    assert event == read
