"""Interruptions of a running table: holding a window, pausing, stopping the match."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.errors import Refused
from bot.ids import UserId
from bot.table.commands import Context, LeaveToComputer
from bot.table.details import Details, SeatNotes, Timers
from bot.table.interruptions import (
    hold_window,
    nudge_awaited,
    nudged_users,
    pause,
    play_on,
    ready,
    vote_to_stop,
    votes_to_stop,
)
from bot.table.outcome import write_details
from bot.table.state import Game, seats_to_act
from engine import Match, Options, Phase
from tests.bot.positions import TRICHU, begun, declined, lords, passed, played, position
from tests.bot.states import HOST, NAMES, NOON, PEOPLE, chairs, state
from tests.engine.positions import after, dealt, table

SOON = NOON + timedelta(seconds=2)
LATER = NOON + timedelta(seconds=12)


def in_window(**details: object) -> Game:
    return state(
        table("WINDOW B", trick="A S8,P8"), details={"deadlines": {"window": SOON}} | details
    )


def between_rounds(**details: object) -> Game:
    over = after(table("LEAD C", hands={"C": "S9"}, out="AB"), "C play:S9")
    return state(over, details=details)


def test_hold_delays_the_window_and_the_next_computer_by_ten_seconds() -> None:
    times = {"window": SOON, "think": SOON + timedelta(seconds=1), "nudge": SOON}
    held = hold_window(in_window(deadlines=times), 3)
    assert held.timers.deadlines == {
        "window": LATER,
        "think": LATER + timedelta(seconds=1),
        "nudge": SOON,
    }
    assert held.notes.waits == {3: 1}


def test_each_seat_may_hold_twice_a_round() -> None:
    used_up = in_window(waits={3: 2, 0: 1})
    with pytest.raises(Refused) as refused:
        hold_window(used_up, 3)
    assert (refused.value.code, refused.value.details) == ("no-waits-left", {"limit": 2})
    assert hold_window(used_up, 0).notes.waits == {3: 2, 0: 2}


@pytest.mark.parametrize("seat", [0, 3])
def test_each_window_is_held_once(seat: int) -> None:
    """Eight presses of four people would keep everybody waiting for 80 seconds."""
    held = hold_window(in_window(), 3)
    assert held.holder == 3
    with pytest.raises(Refused) as refused:
        hold_window(held, seat)
    assert refused.value.code == "window-held"


def test_next_window_can_be_held_but_not_in_advance() -> None:
    held = hold_window(in_window(), 3)
    closed = replace(held, match=after(held.match, "clock close"))
    assert closed.holder is None
    passed_by_all = replace(closed, match=after(closed.match, "B pass", "C pass", "D pass"))
    assert passed_by_all.phase is Phase.CLOSING, "a window of its own on the same play"
    assert passed_by_all.holder is None
    again = hold_window(passed_by_all.with_timers(deadlines={"window": LATER}), 0)
    assert again.holder == 0
    assert again.notes.waits == {3: 1, 0: 1}


@pytest.mark.parametrize("phase", ["TURN B", "LEAD B"])
def test_hold_without_a_window_is_refused(phase: str) -> None:
    trick = "A S8,P8" if phase == "TURN B" else ""
    with pytest.raises(Refused) as refused:
        hold_window(state(table(phase, trick=trick)), 3)
    assert refused.value.code == "no-window"


def test_countdown_stops_and_resumes_with_five_seconds() -> None:
    counting = between_rounds(deadlines={"next_round": LATER})
    paused = pause(counting, True, NOON)
    week = NOON + timedelta(days=7)
    assert (paused.timers.paused, paused.timers.deadlines) == (True, {"abandoned": week})
    assert pause(paused, True, SOON) == paused
    resumed = pause(paused, False, NOON)
    assert resumed.timers.paused is False
    assert resumed.timers.deadlines == {"next_round": NOON + timedelta(seconds=5)}
    assert pause(resumed, False, LATER) == resumed


def test_there_is_no_pause_within_a_round() -> None:
    with pytest.raises(Refused) as refused:
        pause(in_window(), True, NOON)
    assert refused.value.code == "between-rounds-only"


def votes(at: Game, *people: int) -> tuple[Game, str]:
    """Return the table after these votes, and the outcome of each, such as ``- now``."""
    endings = []
    for user_id in people:
        at, ending = vote_to_stop(at, UserId(user_id), moderator=False)
        endings.append("-" if ending == "not-yet" else ending)
    return at, " ".join(endings)


def test_more_than_half_of_the_people_stop_a_match() -> None:
    at, endings = votes(in_window(), HOST, HOST, HOST + 1, HOST + 2)
    assert endings == "- - - now"
    assert at.notes.votes == (HOST, HOST + 1, HOST + 2)
    with_computers = state(in_window().match, chairs=chairs(computers=(1, 2)))
    assert votes(with_computers, HOST, HOST + 3)[1] == "- now"
    alone = state(in_window().match, chairs=chairs(computers=(1, 2, 3)))
    assert votes(alone, HOST)[1] == "now"


def test_votes_of_people_who_left_do_not_count() -> None:
    at = state(in_window().match, chairs=chairs(computers=(3,)), details={"votes": (HOST + 3,)})
    assert votes(at, HOST, HOST + 1)[1] == "- now"


def test_votes_of_absent_people_are_not_needed() -> None:
    at = state(in_window().match, details={"away": (1, 2)})
    assert votes(at, HOST, HOST + 3)[1] == "- now"
    assert votes_to_stop(votes(at, HOST)[0]) == (1, 2)
    assert votes(at, HOST + 1, HOST)[1] == "- now", "a vote of theirs counts all the same"
    assert votes_to_stop(votes(at, HOST + 1)[0]) == (1, 2), "two of three"


def with_lords(match: Match, **details: object) -> Game:
    """Return a game of Grand Seigneur with three people and two computer players."""
    return state(match, chairs=chairs(PEOPLE[:5], computers=(1, 3)), details=details)


OPEN, THREE_ROUNDS = lords(5), lords(5, rounds=3)


def round_over(options: Options) -> Match:
    """Return a match of five after a round; the first has won, the last is the Wretch."""
    last = position(options, "LEAD 3", hands={3: "S8", 4: "S9"}, out=(0, 1, 2))
    return played(last, "3 play:S8")


def test_open_ended_match_ends_with_the_voted_last_round() -> None:
    at, endings = votes(with_lords(begun(OPEN)), HOST, HOST + 2)
    assert endings == "- -"
    assert (at.last_round, at.notes.votes) == (True, ())
    assert votes(at, HOST, HOST + 2)[1] == "- now", "asked again in the same round"
    assert votes(at, HOST)[0].notes.votes == (HOST,)


def test_an_open_ended_match_ends_at_once_between_two_rounds() -> None:
    over = round_over(OPEN)
    assert votes(with_lords(over), HOST, HOST + 2)[1] == "- with-result"
    assert votes(with_lords(over, votes=(HOST,)), HOST + 4)[1] == "with-result"
    assert votes(with_lords(over), HOST, HOST)[1] == "- -"


def test_match_with_fixed_rounds_is_stopped_without_a_result() -> None:
    assert votes(with_lords(begun(THREE_ROUNDS)), HOST, HOST + 2)[1] == "- now"
    assert votes(with_lords(round_over(THREE_ROUNDS)), HOST, HOST + 2)[1] == "- now"


def test_moderators_stop_at_once_and_strangers_are_refused() -> None:
    for at in (
        in_window(),
        with_lords(begun(OPEN)),
        with_lords(begun(OPEN), last_round=True),
    ):
        assert vote_to_stop(at, UserId(999), moderator=True) == (at, "now")
        with pytest.raises(Refused) as refused:
            vote_to_stop(at, UserId(999), moderator=False)
        assert refused.value.code == "not-seated"


def test_a_moderator_who_plays_ends_an_open_ended_match_with_a_result() -> None:
    """G27, C30: like a successful vote; an immediate stop needs a second confirmation."""
    at, ending = vote_to_stop(with_lords(begun(OPEN)), HOST, moderator=True)
    assert (at.last_round, ending) == (True, "not-yet")
    assert vote_to_stop(at, HOST, moderator=True)[1] == "now"
    assert vote_to_stop(with_lords(round_over(OPEN)), HOST, moderator=True)[1] == "with-result"
    assert vote_to_stop(in_window(), HOST, moderator=True)[1] == "now"


def test_leaving_decides_no_vote_but_a_vote_can_be_repeated() -> None:
    at, _ = votes(in_window(), HOST, HOST + 1)
    context = Context(NOON, lambda: bytes(32))
    left = LeaveToComputer().carry_out(at, UserId(HOST + 2), context).after
    assert isinstance(left, Game)
    assert left.running
    open_ended = with_lords(begun(OPEN), votes=(HOST, HOST + 2))
    fewer = LeaveToComputer().carry_out(open_ended, UserId(HOST + 4), context).after
    assert isinstance(fewer, Game)
    assert not fewer.last_round
    assert votes_to_stop(left) == (2, 2), "votes so far, and how many are needed"
    assert votes(left, HOST)[1] == "now"


def test_playing_on_withdraws_a_vote() -> None:
    at, _ = votes(in_window(), HOST, HOST + 1)
    back = play_on(at, HOST)
    assert back.notes.votes == (HOST + 1,)
    assert votes(back, HOST + 2)[1] == "-"
    assert votes(back, HOST, HOST + 2)[1] == "- now", "they may change their mind again"
    assert play_on(play_on(at, HOST), UserId(HOST + 1)).notes.votes == ()


def test_vote_ends_when_too_many_play_on() -> None:
    at, _ = votes(in_window(), HOST)
    once = play_on(at, UserId(HOST + 1))
    assert (once.notes.votes, once.notes.against) == ((HOST,), (HOST + 1,))
    assert votes(once, HOST + 2, HOST + 3)[1] == "- now", "three of four"
    over = play_on(once, UserId(HOST + 2))
    assert (over.notes.votes, over.notes.against) == ((), ())
    two = state(in_window().match, chairs=chairs(computers=(1, 2)), details={"votes": (HOST,)})
    assert play_on(two, UserId(HOST + 3)).notes.votes == ()
    with pytest.raises(Refused) as refused:
        play_on(at, UserId(999))
    assert refused.value.code == "not-seated"


def test_vote_of_somebody_who_left_ends_when_play_continues() -> None:
    at = state(in_window().match, details={"votes": (999,)})
    assert play_on(at, HOST).notes.votes == ()


def test_playing_on_without_a_vote_is_refused() -> None:
    assert play_on(in_window(), HOST) == in_window()


def test_next_round_begins_at_once_when_everybody_is_ready() -> None:
    at = between_rounds(deadlines={"next_round": LATER}, away=(3,))
    for user in (HOST, HOST + 1):
        at = ready(at, UserId(user), NOON)
    assert at.timers.deadlines == {"next_round": LATER}
    assert at.readiness == (2, 3), "nobody waits for who is away"
    assert ready(at, HOST, NOON).readiness == (2, 3)
    assert ready(at, UserId(HOST + 2), SOON).timers.deadlines == {"next_round": SOON}


def test_pause_ends_when_everybody_is_ready() -> None:
    robots = chairs(computers=(1, 2, 3))
    at = state(between_rounds().match, chairs=robots, details={"paused": True})
    begun = ready(at, HOST, NOON)
    assert (begun.timers.paused, begun.timers.deadlines) == (False, {"next_round": NOON})


def test_pause_clears_readiness() -> None:
    at = state(between_rounds().match, chairs=chairs(computers=(1, 2, 3)))
    paused = pause(ready(at, HOST, NOON), True, NOON)
    assert (paused.timers.paused, paused.readiness) == (True, (0, 1))
    assert list(paused.timers.deadlines) == ["abandoned"]


def test_player_who_left_need_not_be_ready() -> None:
    at = between_rounds(deadlines={"next_round": LATER})
    for user in (HOST, HOST + 1, HOST + 2):
        at = ready(at, UserId(user), NOON)
    left = LeaveToComputer().carry_out(at, UserId(HOST + 3), Context(SOON, lambda: bytes(32))).after
    assert left.timers.deadlines == {"next_round": SOON}


def test_ready_within_a_round_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        ready(in_window(), HOST, NOON)
    assert refused.value.code == "between-rounds-only"


def test_readiness_and_votes_are_stored() -> None:
    notes = SeatNotes(ready=(HOST,), votes=(UserId(HOST + 1), HOST), against=(UserId(HOST + 2),))
    at = replace(between_rounds(), notes=notes)
    assert Details.model_validate_json(write_details(at)).notes == notes


def trichu(match: Match) -> Game:
    return state(match, chairs=chairs(NAMES[:3]), details={"deadlines": {"nudge": SOON}})


@pytest.mark.parametrize(
    "match, waited",
    [
        (begun(TRICHU), [HOST + 1, HOST + 2]),
        (passed(declined(begun(TRICHU)), 0, 1, 2), [HOST]),
        (passed(declined(begun(TRICHU)), 0, 3), [HOST + 1, HOST + 2]),
        (position(TRICHU, "TURN 3", trick="2 S8"), [HOST]),
        (position(TRICHU, "TURN 0", trick="2 S8"), [HOST]),
        (position(TRICHU, "TURN 1", trick="0 S8"), [HOST + 1]),
        (position(TRICHU, "TURN 3", "round 2 dealer 1", trick="2 S8"), [HOST + 1]),
    ],
)
def test_the_dealer_is_nudged_for_the_table(match: Match, waited: list[int]) -> None:
    at, users = nudge_awaited(trichu(match), {}, NOON)
    assert users == tuple(waited)
    assert at.timers.deadlines == {}


def test_player_of_two_hands_is_nudged_once() -> None:
    at = trichu(passed(declined(begun(TRICHU)), 1, 2))
    assert seats_to_act(at.match) == (0, 3)
    assert nudge_awaited(at, {}, NOON)[1] == (HOST,)
    robot = state(at.match, chairs=chairs(NAMES[:3], computers=(0,)))
    assert nudge_awaited(robot, {}, NOON)[1] == ()


def minutes(number: float) -> timedelta:
    return timedelta(minutes=number)


def test_nobody_is_nudged_within_a_minute_of_their_last_click() -> None:
    at = state(dealt(), details={"deadlines": {"nudge": NOON, "turn": LATER}})
    fourth = UserId(HOST + 3)
    clicks = {
        HOST: NOON - minutes(0.5),
        UserId(HOST + 1): NOON - minutes(1),
        fourth: NOON - minutes(0.9),
    }
    at, users = nudge_awaited(at, clicks, NOON)
    assert users == at.timers.nudged == (HOST + 1, HOST + 2)
    assert at.timers.deadlines == {"nudge": NOON + minutes(0.1), "turn": LATER}
    clicks[fourth] = NOON + minutes(0.05)
    at, users = nudge_awaited(at, clicks, NOON + minutes(0.1))
    assert (users, at.timers.deadlines["nudge"]) == ((), NOON + minutes(0.5))
    at, users = nudge_awaited(at, clicks, NOON + minutes(1.05))
    assert (users, at.timers.deadlines) == ((HOST, HOST + 3), {"turn": LATER})
    assert sorted(at.timers.nudged) == [HOST, HOST + 1, HOST + 2, HOST + 3]


def test_ping_names_people_who_are_still_awaited() -> None:
    at = state(dealt()).with_timers(nudged=(HOST, UserId(HOST + 2)))
    assert nudged_users(at) == (HOST, HOST + 2)
    assert nudged_users(at.with_notes(away=(2,))) == (HOST,)
    assert nudged_users(replace(at, match=after(dealt(), "A grand:no"))) == (HOST + 2,)
    assert nudged_users(replace(at, status="stopped")) == ()
    assert nudged_users(at.with_timers(paused=True)) == ()


def test_timers_return_their_earliest_deadline() -> None:
    assert Timers().next is None
    assert Timers(deadlines={"turn": LATER, "nudge": SOON}).next == SOON
