"""Deadlines of tables: windows, turns, nudges, thinking, the next round."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.ids import Revision, TableId, UserId
from bot.table.deadlines import (
    after_downtime,
    chairs_out_of_time,
    deadlines,
    kept_people_waiting,
    lobby_deadline,
    reschedule,
)
from bot.table.details import Deadline
from bot.table.options import TURN_BASED_S, TableOptions
from bot.table.state import Game, seats_to_act
from engine import Match, Options
from tests.bot.positions import TRICHU, begun, declined, lords, passed, played, position
from tests.bot.states import HOST, NAMES, NOON, chairs, state, timed
from tests.bot.text.samples import NO_GRAND
from tests.engine.positions import after, dealt, table

Times = dict[Deadline, datetime]


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def playing(match: Match, **given: Any) -> Game:
    given.setdefault(
        "options", TableOptions(rules=Options(bomb_window_ms=3000), turn_limit_s=90, nudge_s=30)
    )
    return state(match, **given)


def changed(table: Game, now: float = 0) -> Times:
    """Return the deadlines right after the position of this table was reached."""
    before = replace(table, revision=Revision(table.revision - 1))
    return deadlines(before, table, at(now))


def unchanged(table: Game, times: Times, now: float) -> Times:
    """Return the deadlines after a change that kept the position."""
    before = timed(table, times)
    return deadlines(before, before, at(now))


TURN = table("TURN B", trick="A S8")
LEAD = table("LEAD B")
WINDOW = table("WINDOW B", trick="A S8")
CLOSING = table("CLOSING A", trick="A S8 | B pass | C pass | D pass")
GIFT = table("GIFT A", trick="A DRAGON | B pass | C pass | D pass")


def test_lobby_ends_half_an_hour_after_the_last_change() -> None:
    assert lobby_deadline(TableOptions(), NOON) == {"lobby": at(1800)}
    for limit in TURN_BASED_S:
        assert lobby_deadline(TableOptions(turn_limit_s=limit), NOON) == {"lobby": at(limit)}


@pytest.mark.parametrize("match", [TURN, LEAD, GIFT])
def test_person_is_nudged_and_then_a_computer_moves(match: Match) -> None:
    assert changed(playing(match)) == {"nudge": at(30), "turn": at(90)}


def test_first_answers_and_the_exchange_have_twice_the_time() -> None:
    for match in (dealt(), after(dealt(), *NO_GRAND)):
        assert changed(playing(match)) == {"nudge": at(30), "turn": at(180)}
    asked = after(dealt(), "A grand:yes", "C grand:yes", "B grand:no", "D grand:no")
    assert asked.round is not None
    assert asked.round.asked
    assert changed(playing(asked)) == {"nudge": at(30), "turn": at(90)}, "a short question"


def test_more_time_doubles_the_limit() -> None:
    for slow, seconds in (((1, 3), 180), ((0,), 90)):
        game = playing(TURN).with_notes(more_time=frozenset(slow))
        assert changed(game)["turn"] == at(seconds)
    table_of_trichu = trichu(position(TRICHU, "TURN 3", trick="2 S8"))
    assert changed(table_of_trichu.with_notes(more_time=frozenset({0})))["turn"] == at(180)
    assert changed(table_of_trichu.with_notes(more_time=frozenset({1})))["turn"] == at(90)


def test_player_with_more_time_keeps_it_when_others_are_done() -> None:
    both = playing(dealt()).with_notes(more_time=frozenset({1}))
    times = changed(both)
    assert times["turn"] == at(180)
    assert chairs_out_of_time(both) == (0, 2, 3)
    answered = playing(after(dealt(), "A grand:no", "C grand:no", "D grand:no"))
    answered = replace(answered, notes=both.notes)
    assert deadlines(timed(both, times), answered, at(40))["turn"] == at(360)
    gone = both.with_notes(away=(0, 2, 3))
    assert deadlines(timed(both, times), gone, at(180))["turn"] == at(360)
    assert chairs_out_of_time(gone) == (1,)


def test_one_person_alone_has_no_limit() -> None:
    alone = chairs(computers=(0, 2, 3))
    for match in (TURN, LEAD, dealt()):
        times = changed(playing(match, chairs=alone))
        assert times.keys() & {"turn", "nudge", "next_round"} == set()
        assert times["idle"] == at(900)
        assert unchanged(playing(match, chairs=alone), times, 60)["idle"] == at(900)
    assert set(changed(playing(TURN, chairs=chairs(computers=(1, 2, 3))))) == {"think"}


def test_limits_return_with_a_second_person() -> None:
    alone = playing(TURN, chairs=chairs(computers=(0, 2, 3)))
    alone = timed(alone, changed(alone))
    two = replace(alone, chairs=chairs(computers=(0, 2)))
    assert deadlines(alone, two, at(50)) == {"nudge": at(80), "turn": at(140)}
    assert deadlines(timed(two, {"turn": at(90)}), alone, at(50)) == {"idle": at(950)}


def test_pause_stops_all_deadlines_but_the_end_of_the_table() -> None:
    for match in (TURN, WINDOW, dealt()):
        game = playing(match, chairs=chairs(computers=(0, 2, 3)), details={"paused": True})
        assert changed(game) == {"abandoned": at(7 * 86400)}
        times = changed(game)
        on = game.with_timers(paused=False)
        assert deadlines(timed(game, times), on, at(100)) == changed(on, 100)


def test_table_of_an_older_version_has_no_limit_for_one_person() -> None:
    times: Times = {"turn": at(90), "nudge": at(30)}
    old = playing(TURN, chairs=chairs(computers=(0, 2, 3)), details={"deadlines": times})
    for now in (10, 1000):
        assert after_downtime(old, at(now)).timers.deadlines == {"idle": at(now + 900)}
    two = replace(old, chairs=chairs(computers=(0, 2)))
    assert after_downtime(two, at(10)).timers.deadlines == times


def test_nudges_are_cleared_when_play_continues() -> None:
    old = playing(TURN).with_timers(nudged=(UserId(102),))
    assert reschedule(old, old, NOON).timers.nudged == (102,)
    assert reschedule(old, replace(old, revision=Revision(1)), NOON).timers.nudged == ()


@pytest.mark.parametrize("match", [WINDOW, CLOSING])
def test_window_closes_and_no_turn_limit_runs_meanwhile(match: Match) -> None:
    assert changed(playing(match)) == {"window": at(3)}


@pytest.mark.parametrize("pace, least, most", [("human", 1.0, 2.6), ("quick", 0.2, 0.4)])
def test_computer_players_pause_before_they_move(pace: Any, least: float, most: float) -> None:
    options = TableOptions(pace=pace)
    for match in (TURN, LEAD, GIFT):
        seats, seen = chairs(computers=(0, 1)), set()
        for revision in range(1, 21):
            game = playing(match, chairs=seats, options=options, revision=revision)
            times = changed(game)
            assert set(times) == {"think"}
            assert at(least) <= times["think"] <= at(most)
            assert changed(replace(game, seq=game.seq + 1)) == times, "nothing hidden matters"
            assert changed(replace(game, id=TableId(game.id + 1))) != times
            seen.add(times["think"])
        assert len(seen) == 20


@pytest.mark.parametrize("window_ms, lates", [(1000, (1.1, 2.6)), (10000, (10.1, 10.1))])
def test_computer_player_moves_right_after_the_window(
    window_ms: int, lates: tuple[float, float]
) -> None:
    options = TableOptions(rules=Options(bomb_window_ms=window_ms))
    for revision in range(1, 21):
        seats = chairs(computers=(1,))
        times = changed(playing(WINDOW, chairs=seats, options=options, revision=revision))
        assert times["window"] == at(window_ms / 1000)
        assert at(lates[0]) <= times["think"] <= at(lates[1])


def test_pause_continues_when_the_window_has_closed() -> None:
    seats = chairs(computers=(1,))
    times = changed(playing(WINDOW, chairs=seats))
    closed = playing(after(WINDOW, "clock close"), chairs=seats)
    assert unchanged(closed, times, 2.0) == {"think": times["think"]}


def test_turn_begins_when_the_window_has_closed() -> None:
    times = changed(playing(WINDOW))
    closed = playing(after(WINDOW, "clock close"))
    assert unchanged(closed, times, 3) == {"nudge": at(33), "turn": at(93)}


def test_unchanged_position_keeps_its_deadlines() -> None:
    for match in (TURN, WINDOW, dealt()):
        times = changed(playing(match))
        assert unchanged(playing(match), times, 2) == times


def test_new_position_restarts_all_deadlines() -> None:
    old = playing(TURN, details={"deadlines": {"turn": at(1), "nudge": at(0)}})
    new = playing(LEAD, revision=1)
    assert deadlines(old, new, at(50)) == {"nudge": at(80), "turn": at(140)}


def test_nudges_once_for_each_position() -> None:
    assert unchanged(playing(TURN), {"turn": at(90)}, 40) == {"turn": at(90)}


def test_computer_players_think_about_sealed_questions_too() -> None:
    two = chairs(computers=(1, 3))
    assert set(changed(playing(dealt(), chairs=two))) == {"think", "nudge", "turn"}
    people = after(dealt(), "A grand:no", "C grand:no")
    assert set(changed(playing(people, chairs=two))) == {"think"}
    computers = after(dealt(), "B grand:no", "D grand:no")
    assert set(changed(playing(computers, chairs=two))) == {"nudge", "turn"}
    exchange = after(dealt(), *NO_GRAND)
    assert set(changed(playing(exchange, chairs=two))) == {"think", "nudge", "turn"}


def test_answers_of_others_do_not_shorten_thinking() -> None:
    two = chairs(computers=(1, 3))
    times = changed(playing(dealt(), chairs=two))
    answered = playing(after(dealt(), "A grand:no"), chairs=two)
    assert unchanged(answered, times, 0.5)["think"] == times["think"]


def test_after_a_call_computer_players_think_again() -> None:
    seats = chairs(computers=(1,))
    times = changed(playing(TURN, chairs=seats))
    before = playing(TURN, chairs=seats, details={"deadlines": times})
    called = playing(after(TURN, "B tichu"), chairs=seats)
    assert deadlines(before, called, times["think"])["think"] > times["think"]
    window = playing(
        WINDOW, chairs=seats, details={"deadlines": {"window": at(3), "think": at(3.1)}}
    )
    called = playing(after(WINDOW, "D tichu"), chairs=seats)
    assert deadlines(window, called, at(2.9))["window"] == at(3)


def test_withdrawal_precedes_the_window_and_the_move() -> None:
    asked = asked_to_withdraw()
    times = changed(playing(asked))
    assert set(times) == {"nudge", "turn"}
    assert set(changed(playing(asked, chairs=chairs(computers=(1, 2, 3))))) == {"think"}


@pytest.mark.parametrize("pace, seconds", [("human", 1.0), ("quick", 0.2)])
def test_window_is_short_when_no_person_holds_cards(pace: Any, seconds: float) -> None:
    options, bomb = TableOptions(rules=Options(bomb_window_ms=3000), pace=pace), "S4 P4 J4 T4 +2"
    for cards in (bomb, "+6"):
        hands = {"A": "", "B": cards, "C": "+5", "D": "+5"}
        window = table("WINDOW B", trick="D S8", hands=hands, out="A")
        robots = playing(window, chairs=chairs(computers=(1, 2, 3)), options=options)
        assert changed(robots)["window"] == at(seconds)
        assert changed(robots)["think"] >= at(seconds + 0.1)
        mixed = playing(window, chairs=chairs(computers=(0, 1, 2)), options=options)
        assert changed(mixed)["window"] == at(3)


def test_people_count_as_waiting_after_ten_overdue_seconds() -> None:
    due = timed(playing(TURN), {"turn": at(1), "abandoned": at(-60)})
    assert [kept_people_waiting(due, at(now)) for now in (0, 10.9, 11, 60)] == [
        False,
        False,
        True,
        True,
    ]
    assert not kept_people_waiting(timed(playing(TURN), {}), at(60))


def test_computer_players_think_again_after_downtime() -> None:
    due = playing(TURN, chairs=chairs(computers=(1,)), details={"deadlines": {"think": at(1)}})
    assert at(61) <= after_downtime(due, at(60)).timers.deadlines["think"] <= at(62.6)
    assert after_downtime(due, at(0.5)) == due


def asked_to_withdraw() -> Match:
    """Return a match in which A and C called simultaneously in a window, and C is asked."""
    window = table("WINDOW B", trick="D S8", dealer="A")
    return after(window, "A tichu", "C tichu:same")


def test_next_round_starts_automatically_unless_paused() -> None:
    over = after(table("LEAD C", hands={"C": "S9"}, out="AB"), "C play:S9")
    assert changed(playing(over)) == {"next_round": at(20)}
    assert changed(playing(over, details={"paused": True})) == {"abandoned": at(7 * 86400)}
    assert unchanged(playing(over), {"next_round": at(20)}, 7) == {"next_round": at(20)}
    before = playing(over, details={"paused": True})
    assert deadlines(before, playing(over), at(100)) == {"next_round": at(105)}


def test_one_person_alone_starts_the_next_round() -> None:
    over = after(table("LEAD C", hands={"C": "S9"}, out="AB"), "C play:S9")
    alone = playing(over, chairs=chairs(computers=(0, 2, 3)))
    assert changed(alone) == {"idle": at(900)}
    assert unchanged(alone, {"idle": at(900)}, 60) == {"idle": at(900)}
    assert changed(alone.with_notes(ready=(UserId(HOST + 1),))) == {"next_round": at(0)}
    old = timed(alone, {"next_round": at(20)})
    for now in (10, 1000):
        assert after_downtime(old, at(now)).timers.deadlines == {"idle": at(now + 900)}
    two = replace(alone, chairs=chairs(computers=(0, 2)))
    assert deadlines(timed(alone, {"idle": at(900)}), two, at(50)) == {"next_round": at(70)}
    assert deadlines(timed(two, {"next_round": at(20)}), alone, at(5)) == {"idle": at(905)}


@pytest.mark.parametrize("status", ["finished", "stopped", "expired"])
def test_finished_table_has_no_deadline(status: str) -> None:
    assert changed(playing(TURN, status=status)) == {}


def test_returns_the_awaited_seats() -> None:
    assert seats_to_act(dealt()) == (0, 1, 2, 3)
    assert seats_to_act(after(dealt(), "A grand:no", "C grand:yes")) == (1, 3)
    exchange = after(dealt(hands={"A": "J2 J3 J4"}), *NO_GRAND)
    assert seats_to_act(after(exchange, "A pass-cards:J2>1,J3>2,J4>3")) == (1, 2, 3)
    assert [seats_to_act(match) for match in (TURN, LEAD, GIFT)] == [(1,), (1,), (0,)]
    assert [seats_to_act(match) for match in (WINDOW, CLOSING)] == [(), ()]
    assert seats_to_act(asked_to_withdraw()) == (2,)
    both = after(dealt(), "A grand:yes", "C grand:yes", "B grand:no", "D grand:no")
    assert seats_to_act(both) == (2,)
    over = after(table("LEAD C", hands={"C": "S9"}, out="AB"), "C play:S9")
    assert seats_to_act(over) == ()


def trichu(match: Match, computers: tuple[int, ...] = ()) -> Game:
    """Return a table on which seat 0 deals and plays for the Table, which has no chair."""
    return playing(match, chairs=chairs(NAMES[:3], computers=computers))


@pytest.mark.parametrize("phase", ["TURN 3", "TURN 0"])
def test_turn_of_the_table_is_its_dealers(phase: str) -> None:
    turn = position(TRICHU, phase, trick="2 S8")
    assert changed(trichu(turn)) == {"nudge": at(30), "turn": at(90)}
    assert set(changed(trichu(turn, (1,)))) == {"nudge", "turn"}
    assert set(changed(trichu(turn, (1, 2)))) == {"idle"}
    assert set(changed(trichu(turn, (0,)))) == {"think"}


def test_computer_player_thinks_for_the_table_during_the_window() -> None:
    window = position(TRICHU, "WINDOW 3", trick="2 S8")
    assert set(changed(trichu(window, (0,)))) == {"window", "think"}
    assert set(changed(trichu(window, (1, 2)))) == {"window"}


def test_in_trichu_only_people_with_a_question_are_awaited() -> None:
    dealt_ = begun(TRICHU)
    assert seats_to_act(dealt_) == (1, 2), "the dealer's side has no Grand Tichu"
    assert set(changed(trichu(dealt_, (1, 2)))) == {"think"}
    exchange = declined(dealt_)
    assert seats_to_act(exchange) == (0, 1, 2, 3)
    own = passed(exchange, 0, 1, 2)
    assert seats_to_act(own) == (3,)
    assert set(changed(trichu(own))) == {"nudge", "turn"}
    assert set(changed(trichu(own, (0,)))) == {"think"}
    both = played(exchange, "0 tichu", "3 tichu:same")
    assert seats_to_act(both) == (3,)
    assert set(changed(trichu(both))) == {"nudge", "turn"}


def test_players_who_owe_no_cards_are_not_awaited() -> None:
    exchange = begun(lords(9), ranks=range(9))
    assert seats_to_act(exchange) == (0, 1, 2, 6, 7, 8)
    assert seats_to_act(begun(lords(5), ranks=range(5))) == (0, 1, 3, 4)
    assert seats_to_act(begun(lords(5), dealer=2)) != ()
