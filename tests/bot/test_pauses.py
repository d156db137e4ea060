"""What people ask of a running table: to hold a window, to pause, to stop the match."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.pauses import hold_window, pause, vote_to_stop
from bot.refusals import Refused
from bot.table import Desk, TableState
from tests.bot.states import HOST, NOON, chairs, state
from tests.engine.positions import after, table

SOON = NOON + timedelta(seconds=2)
LATER = NOON + timedelta(seconds=12)


def in_window(**desk: object) -> TableState:
    return state(table("WINDOW B", trick="A S8,P8"), desk={"deadlines": {"window": SOON}} | desk)


def between_rounds(**desk: object) -> TableState:
    over = after(table("LEAD C", hands={"C": "S9"}, out="AB"), "C play:S9")
    return state(over, desk=desk)


def test_a_window_is_held_for_ten_seconds_and_so_is_the_computer_behind_it() -> None:
    times = {"window": SOON, "think": SOON + timedelta(seconds=1), "nudge": SOON}
    held = hold_window(in_window(deadlines=times), 3)
    assert held.desk.deadlines == {
        "window": LATER,
        "think": LATER + timedelta(seconds=1),
        "nudge": SOON,
    }
    assert held.desk.waits == {3: 1}


def test_each_seat_may_hold_twice_a_round() -> None:
    held = hold_window(hold_window(hold_window(in_window(), 3), 0), 3)
    assert held.desk.waits == {3: 2, 0: 1}
    assert held.desk.deadlines["window"] == SOON + timedelta(seconds=30)
    with pytest.raises(Refused) as refused:
        hold_window(held, 3)
    assert (refused.value.code, refused.value.details) == ("no-waits-left", {"limit": 2})
    assert hold_window(held, 0).desk.waits == {3: 2, 0: 2}


@pytest.mark.parametrize("phase", ["TURN B", "LEAD B"])
def test_without_a_window_there_is_nothing_to_hold(phase: str) -> None:
    trick = "A S8,P8" if phase == "TURN B" else ""
    with pytest.raises(Refused) as refused:
        hold_window(state(table(phase, trick=trick)), 3)
    assert refused.value.code == "no-window"
    with pytest.raises(Refused):
        hold_window(state(), 3)


def test_the_countdown_stops_and_goes_on_for_five_seconds() -> None:
    counting = between_rounds(deadlines={"next_round": LATER})
    paused = pause(counting, True, NOON)
    assert (paused.desk.paused, paused.desk.deadlines) == (True, {})
    assert pause(paused, True, SOON) == paused
    resumed = pause(paused, False, NOON)
    assert resumed.desk.paused is False
    assert resumed.desk.deadlines == {"next_round": NOON + timedelta(seconds=5)}
    assert pause(resumed, False, LATER) == resumed


def test_there_is_no_pause_within_a_round() -> None:
    for at in (in_window(), state()):
        with pytest.raises(Refused) as refused:
            pause(at, True, NOON)
        assert refused.value.code == "between-rounds-only"


def votes(at: TableState, *people: int) -> tuple[TableState, list[bool]]:
    """The table after these people have voted, and whether each vote stopped it."""
    stopped = []
    for user_id in people:
        at, stops = vote_to_stop(at, user_id, moderator=False)
        stopped.append(stops)
    return at, stopped


def test_more_than_half_of_the_people_stop_a_match() -> None:
    at, stopped = votes(in_window(), HOST, HOST, HOST + 1, HOST + 2)
    assert stopped == [False, False, False, True]
    assert at.desk.votes == (HOST, HOST + 1)
    with_computers = state(in_window().match, chairs=chairs(computers=(1, 2)))
    assert votes(with_computers, HOST, HOST + 3)[1] == [False, True]
    alone = state(in_window().match, chairs=chairs(computers=(1, 2, 3)))
    assert votes(alone, HOST)[1] == [True]


def test_votes_of_people_who_left_do_not_count() -> None:
    at = state(in_window().match, chairs=chairs(computers=(3,)), desk={"votes": (HOST + 3,)})
    assert votes(at, HOST, HOST + 1)[1] == [False, True]


def test_moderators_stop_at_once_and_strangers_never() -> None:
    assert vote_to_stop(in_window(), 999, moderator=True) == (in_window(), True)
    assert vote_to_stop(state(), 999, moderator=True) == (state(), True)
    for at in (in_window(), state()):
        with pytest.raises(Refused) as refused:
            vote_to_stop(at, 999, moderator=False)
        assert refused.value.code == "not-seated"


def test_a_lobby_is_closed_by_its_host() -> None:
    assert votes(state(), HOST)[1] == [True]
    with pytest.raises(Refused) as refused:
        votes(state(), HOST + 1)
    assert refused.value.code == "host-only"


def test_the_desk_tells_its_earliest_deadline() -> None:
    assert Desk().next_deadline is None
    assert Desk(deadlines={"turn": LATER, "nudge": SOON}).next_deadline == SOON
