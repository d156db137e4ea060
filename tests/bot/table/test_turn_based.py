"""Turn-based pace: windows that wait for a person, missed turns, nudges and reminders."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.computers.decision_scheduler import DecisionScheduler
from bot.errors import Refused
from bot.ids import Revision, UserId
from bot.table.batch import Batch
from bot.table.commands import (
    Act,
    ComeBack,
    Command,
    Context,
    GoOn,
    HoldWindow,
    LeaveToComputer,
    PassTrick,
    TakeBack,
    ThrowBomb,
)
from bot.table.deadlines import after_downtime, kept_people_waiting, reschedule
from bot.table.decisions import Decisions, question_to, questions
from bot.table.details import Details
from bot.table.interruptions import (
    awaited_users,
    nudged_users,
    pause_for_lost_thread,
    votes_to_stop,
)
from bot.table.options import TURN_BASED_S, TableOptions
from bot.table.permission import OWN_SEAT
from bot.table.posts import LostThreadPost, NudgePost, posts_caused
from bot.table.quiet_hours import QuietHours
from bot.table.state import Game, play_to_beat_id, trick_id
from bot.table.turn_based import mark_nudged, schedule_nudges, turn_id
from engine import (
    Action,
    AnswerWithdraw,
    Bomb,
    CallTichu,
    GiveTrick,
    Match,
    Pass,
    Phase,
    Play,
    read_cards,
)
from tests.bot.asking import played
from tests.bot.batches import BOMB, WINDOW
from tests.bot.games import any_manner, did, plain_brain
from tests.bot.positions import TRICHU, begun, declined, passed
from tests.bot.states import HOST, NAMES, NOON, chairs, state
from tests.engine.positions import dealt, phase_of, round_of, table

DAY = timedelta(days=1)
ADA, BEN, CLEO, DAN = map(UserId, range(HOST, HOST + 4))
NINES = Play(1, read_cards("S9 P9"))
USUAL = NOON + timedelta(seconds=2)
"""End of the usual time of a window that opens at noon."""
CLOSING = table("CLOSING A", trick="A S8 | B pass | C pass | D pass", hands={"C": f"{BOMB} +3"})
TURN = table("TURN B", trick="A S8", hands={"C": f"{BOMB} +3"})


def slow(match: Match, **given: Any) -> Game:
    """Return a table with a day per turn, at the beginning of this position."""
    notes, kept = given.pop("notes", {}), given.pop("kept", {})
    options = TableOptions(rules=match.options, turn_limit_s=TURN_BASED_S[1])
    at = state(match, options=options, **given).with_notes(**notes).with_kept(**kept)
    return reschedule(state(), at, NOON)


def timer(at: Game, name: Any, bombs: Decisions | None = None) -> tuple[Game, list[str]]:
    """Return the table after the timer of a window or of an expired turn."""

    def work(batch: Batch) -> None:
        if name == "window":
            batch.close_window(bombs or {})
        else:
            batch.play_for_absent(
                DecisionScheduler(lambda: NOON, any_manner(plain_brain(1))).decisions_for_absent(at)
            )

    return did(at, work)


def waiting(match: Match, **given: Any) -> Game:
    """Return a table whose bomb window has been open for its usual time."""
    at, done = timer(slow(match, **given), "window")
    assert done == []
    return at


def carried_out(
    at: Game, user_id: UserId, command: Command, now: datetime = NOON
) -> tuple[Game, list[str]]:
    """Return the table after a user's command, and the resulting actions."""
    outcome = command.carry_out(at, user_id, Context(now, lambda: bytes(32)))
    assert outcome is not None
    assert isinstance(outcome.after, Game)
    done = [f"{action.seat} {action.text}" for action in outcome.change.actions]
    return outcome.after, done


# --- bomb windows ----------------------------------------------------------------------------


def test_window_stays_open_until_the_next_player_continues() -> None:
    at = slow(WINDOW)
    assert at.timers.deadlines == {"window": USUAL, "turn": NOON + DAY, "nudge": NOON}
    assert awaited_users(at) == (BEN,)
    at, done = timer(at, "window")
    assert (done, phase_of(at.match), at.timers.next) == ([], "WINDOW B", NOON)
    assert at.timers.deadlines.keys() == {"turn", "nudge"}
    assert question_to(at, 1) is not None, "they may ask for a hint, too"
    with pytest.raises(Refused):
        HoldWindow(1).carry_out(at, CLEO, Context(NOON, lambda: bytes(32)))


@pytest.mark.parametrize(
    "command, done, phase",
    [
        (GoOn(Revision(0)), ["-1 close"], "TURN B"),
        (Act(NINES, Revision(0)), ["-1 close", "1 play:S9,P9"], "WINDOW C"),
        (Act(Pass(OWN_SEAT), Revision(0)), ["-1 close", "1 pass"], "TURN C"),
        (PassTrick(1, True, trick_id(round_of(WINDOW))), ["-1 close", "1 pass"], "TURN C"),
    ],
)
def test_several_actions_close_a_window(command: Command, done: list[str], phase: str) -> None:
    """An action within the window's usual time waits for its end, as at live pace."""
    at, acted = carried_out(waiting(WINDOW), BEN, command)
    assert (acted, phase_of(at.match)) == (done, phase)
    early, acted = carried_out(slow(WINDOW), BEN, command)
    assert (acted, early.awaited, early.timers.next) == ([], (), USUAL)
    at, acted = timer(early, "window")
    assert (acted, phase_of(at.match)) == (done, phase)


def test_premove_within_the_usual_time_can_be_taken_back() -> None:
    at = slow(WINDOW)
    at, users, _ = mark_nudged(at, {}, NOON)
    early, _ = carried_out(at, BEN, Act(NINES, Revision(0)))
    back, _ = carried_out(early, BEN, TakeBack(1, Revision(0)))
    assert back == at, "Ben is waited for again, and nudged no second time"
    assert users == (BEN,)


def test_everybody_may_bomb_until_the_window_closes() -> None:
    """RULES section 3, steps 2 and 3: sealed; the first in turn order is played (N61)."""
    at = waiting(WINDOW)
    target = play_to_beat_id(at.round)
    at, done = carried_out(at, DAN, ThrowBomb(3, read_cards("J5 S5 T5 P5"), target))
    assert done == ["3 bomb:J5,S5,P5,T5"]
    at, _ = carried_out(at, CLEO, ThrowBomb(2, read_cards(BOMB), target))
    assert (phase_of(at.match), awaited_users(at)) == ("WINDOW B", (BEN,))
    after_, done = carried_out(at, BEN, Act(NINES, at.revision))
    assert done == ["-1 close"]
    assert (after_.round.top_seat, phase_of(after_.match)) == (2, "WINDOW D")
    assert after_.kept.dropped == (1,), "what Ben chose is told to be void"
    assert awaited_users(after_) == (DAN,)


def test_bomb_of_the_next_player_closes_the_window() -> None:
    match = table("WINDOW C", trick="B S8", hands={"C": f"{BOMB} +3"})
    at = waiting(match)
    at, done = carried_out(at, CLEO, ThrowBomb(2, read_cards(BOMB), play_to_beat_id(at.round)))
    assert done == ["2 bomb:J4,S4,P4,T4", "-1 close"]
    assert phase_of(at.match) == "WINDOW D"


def test_winner_closes_the_trick() -> None:
    at = waiting(CLOSING)
    assert awaited_users(at) == (ADA,)
    sealed, _ = carried_out(at, CLEO, ThrowBomb(2, read_cards(BOMB), play_to_beat_id(at.round)))
    assert phase_of(carried_out(sealed, ADA, GoOn(Revision(0)))[0].match) == "WINDOW D"
    lead = next(iter(at.situation(0).upcoming.actions))
    led, done = carried_out(at, ADA, Act(lead, Revision(0)))
    assert done[0] == "-1 close"
    assert led.round.top_seat == 0


def test_player_who_went_out_with_the_dragon_closes_the_trick() -> None:
    """Not the player who leads next."""
    trick = "A DRAGON | B pass | C pass | D pass"
    at = waiting(table("CLOSING B", trick=trick, out="A"))
    assert (at.awaited_in_window, at.round.turn, awaited_users(at)) == (0, 1, (ADA,))
    with pytest.raises(Refused):
        GoOn(Revision(0)).carry_out(at, BEN, Context(NOON, lambda: bytes(32)))
    at, _ = carried_out(at, ADA, GoOn(Revision(0)))
    assert phase_of(at.match) == "GIFT A"
    at, done = carried_out(at, ADA, Act(GiveTrick(0, 1), at.revision))
    assert (len(done), phase_of(at.match)) == (1, "LEAD B")


def test_computers_bomb_unseen_within_the_usual_time() -> None:
    match = table("WINDOW B", trick="A S8,P8", hands={"C": f"{BOMB} +3"})
    at = slow(match, chairs=chairs(computers=(2, 3)))
    (asked,) = (each for each in questions(at) if each.subject == "bomb")
    at, done = timer(at, "window", {asked: Bomb(2, read_cards(BOMB))})
    assert (done, phase_of(at.match)) == (["2 bomb:J4,S4,P4,T4"], "WINDOW B")
    at, done = carried_out(at, BEN, GoOn(Revision(0)))
    assert (done, phase_of(at.match)) == (["-1 close"], "WINDOW D")
    assert at.awaited_in_window == 0, "Ada, as Dan is a computer player"


def test_next_computer_waits_for_the_next_person() -> None:
    """Everybody can bomb there without haste; it is one turn with that person's own move."""
    at, users, _ = mark_nudged(waiting(WINDOW, chairs=chairs(computers=(1,))), {}, NOON)
    assert (users, awaited_users(at), at.awaited_in_window) == ((CLEO,), (CLEO,), 2)
    assert at.timers.deadlines == {"turn": NOON + DAY, "nudge": after_(18)}
    at, done = carried_out(at, CLEO, GoOn(Revision(0)))
    assert (done, phase_of(at.match)) == (["-1 close"], "TURN B")
    assert at.timers.deadlines.keys() == {"think"}
    for move, phase in ((Pass(1), "TURN C"), (NINES, "WINDOW C")):
        moved = computer_moves(at, move)
        assert (phase_of(moved.match), nudged_users(moved)) == (phase, (CLEO,))
        assert moved.timers.turns[2].until == NOON + DAY, "they are not nudged once more"


def test_turn_missed_before_and_after_a_computers_move_counts_once() -> None:
    at = waiting(WINDOW, chairs=chairs(computers=(1,)))
    at, done = timer(at, "turn")
    assert (done, at.notes.missed) == (["-1 close"], {}), "nobody had a move to make"
    at = computer_moves(at, Pass(1))
    assert at.timers.deadlines["turn"] == NOON + DAY, "it is over by then"
    at, done = timer(at, "turn")
    assert ([text.split()[0] for text in done], at.notes.missed) == (["2"], {2: 1})


def test_people_without_a_decision_do_not_delay_a_computers_move() -> None:
    """The last player, one person alone, a player who passes the trick; and at a trick's end."""
    plays = table("WINDOW C", trick="A S8 | B S9")
    for match, computers in ((WINDOW, (1, 2, 3)), (plays, (1, 2, 3)), (CLOSING, (0,))):
        at = slow(match, chairs=chairs(computers=computers))
        assert at.timers.deadlines.keys() == {"window", "think"}
        assert phase_of(timer(at, "window")[0].match)[:4] in ("TURN", "LEAD")
    passes = slow(WINDOW, chairs=chairs(computers=(1,)), kept={"auto_pass": (2,)})
    assert passes.timers.deadlines.keys() == {"window", "think"}


def computer_moves(at: Game, move: Action) -> Game:
    """Return the table after the computer player on turn has made this move."""
    (question,) = (each for each in questions(at) if each.subject == "move")
    return did(at, lambda batch: batch.carry_out({question: move}))[0]


def test_call_does_not_close_a_window() -> None:
    at, done = carried_out(waiting(WINDOW), BEN, Act(CallTichu(1)))
    assert (done, phase_of(at.match), awaited_users(at)) == (["1 tichu"], "WINDOW B", (BEN,))


# --- missed turns ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "match, first", [(TURN, "1 "), (WINDOW, "-1 close"), (CLOSING, "-1 close"), (dealt(), "0 ")]
)
def test_missed_turn_makes_one_move_and_no_absence(match: Match, first: str) -> None:
    """A missed window ends first; each of several late players has one move made."""
    at = slow(match) if match.phase in (Phase.TURN, Phase.GRAND) else waiting(match)
    late = at.awaited
    assert at.timers.deadlines["turn"] == NOON + DAY
    after_, done = timer(at, "turn")
    assert done[0].startswith(first)
    moves = [text for text in done if not text.startswith("-1")]
    assert [int(text.split()[0]) for text in moves] == list(late)
    assert (after_.notes.away, after_.notes.missed) == ((), dict.fromkeys(late, 1))
    assert not any(map(after_.computer, range(4)))


def test_turn_with_several_answers_is_missed_once() -> None:
    """The dealer of Trichu answers for two hands; workers make one answer at a time."""
    at = slow(passed(declined(begun(TRICHU)), 1, 2), chairs=chairs(NAMES[:3]))
    assert at.awaited_seats == (0, 3)
    moves = DecisionScheduler(lambda: NOON, any_manner(plain_brain(1))).decisions_for_absent(at)
    for question, move in moves.items():
        at, done = did(at, lambda batch: batch.play_for_absent({question: move}))  # noqa: B023
        assert len(done) == 1
    assert at.notes.missed == {0: 1}


def test_lead_after_a_missed_dragon_gift_is_another_turn() -> None:
    """A missed turn makes one move; the next decision has its own limit and nudge."""
    at = waiting(table("CLOSING A", trick="A DRAGON | B pass | C pass | D pass"))
    at, users, _ = mark_nudged(at, {}, NOON)
    after_, done = timer(at, "turn")
    assert ([text.split(":")[0] for text in done], users) == (["-1 close", "0 give"], (ADA,))
    assert (phase_of(after_.match), after_.notes.missed) == ("LEAD A", {0: 1})
    assert after_.timers.deadlines == {"turn": NOON + DAY, "nudge": NOON}, "all of it anew"
    assert mark_nudged(after_, {}, NOON)[1] == (ADA,)
    again, _ = timer(after_, "turn")
    assert again.notes.missed == {0: 2}
    gone_on, _ = carried_out(at, ADA, GoOn(Revision(0)))
    assert gone_on.timers.turns == at.timers.turns
    given, _ = carried_out(gone_on, ADA, Act(GiveTrick(0, 1), gone_on.revision))
    assert (nudged_users(given), given.timers.deadlines["nudge"]) == ((), NOON)


def test_bomb_in_the_window_of_a_missed_turn_makes_no_move() -> None:
    at = waiting(WINDOW)
    at, _ = carried_out(at, CLEO, ThrowBomb(2, read_cards(BOMB), play_to_beat_id(at.round)))
    at, done = timer(at, "turn")
    assert (done, phase_of(at.match)) == (["-1 close"], "WINDOW D")
    assert at.notes.missed == {1: 1}


def test_players_who_keep_missing_turns_do_not_count_in_votes() -> None:
    at = slow(TURN, notes={"missed": {1: 1}})
    assert votes_to_stop(at)[1] == 3
    at, _ = timer(at, "turn")
    assert (at.notes.missed, votes_to_stop(at)[1]) == ({1: 2}, 2)
    assert not at.timers.paused
    again = slow(TURN, notes={"missed": at.notes.missed})
    back, _ = carried_out(again, BEN, ComeBack())
    assert (back.notes.missed, back.timers.turns) == ({}, again.timers.turns)


def test_table_pauses_when_everybody_misses_turns() -> None:
    others = dict.fromkeys((0, 2, 3), 2)
    at, done = timer(slow(TURN, notes={"missed": {**others, 1: 1}}), "turn")
    assert len(done) == 1
    assert at.timers.paused
    assert at.timers.deadlines == {"abandoned": NOON + 28 * DAY, "nudge": NOON}
    last_nudge, users, _ = mark_nudged(at, {}, NOON)
    assert users == nudged_users(last_nudge) == (ADA, BEN, CLEO, DAN), "all hear that it is paused"
    assert posts_caused(at, last_nudge, (), None) == (NudgePost(user_ids=users, turn="1.paused"),)
    assert last_nudge.timers.deadlines == {"abandoned": NOON + 28 * DAY}
    back, _ = carried_out(last_nudge, CLEO, ComeBack())
    assert (back.timers.paused, back.notes.missed) == (False, {0: 2, 1: 2, 3: 2})
    assert back.timers.deadlines["turn"] == NOON + DAY
    assert nudged_users(back) == (), "whose turn it is will be nudged"


def test_table_of_a_closed_thread_stands_still_until_a_click() -> None:
    at = waiting(WINDOW)
    still = pause_for_lost_thread(at, "locked", NOON)
    assert (still.timers.paused, awaited_users(still)) == (True, (BEN,))
    assert still.timers.deadlines == {"abandoned": NOON + 28 * DAY, "nudge": NOON}
    assert not still.yields, "its thread is still its own"
    gone = pause_for_lost_thread(still, "gone", NOON)
    assert gone.timers.turns.keys() == still.timers.turns.keys()
    assert gone.timers.turns != still.timers.turns, "that is news once more"
    assert pause_for_lost_thread(still, "locked", NOON) is still
    for user in (BEN, DAN):
        back, _ = carried_out(still, user, ComeBack())
        assert back.timers.deadlines == {"turn": NOON + DAY, "nudge": NOON}
    resumed, done = carried_out(still, BEN, Act(NINES, still.revision))
    assert (done, resumed.timers.paused) == (["-1 close", "1 play:S9,P9"], False)


def test_notice_of_a_lost_thread_comes_once_outside_quiet_hours() -> None:
    noon = QuietHours("UTC", 11 * 60, 13 * 60)
    at = pause_for_lost_thread(slow(TURN, notes={"quiet": {1: noon}}), "locked", NOON)
    told, *_ = mark_nudged(at, {ADA: NOON}, NOON)
    (post,) = posts_caused(at, told, (), None)
    assert post == LostThreadPost(lost="locked", user_ids=(ADA, CLEO, DAN), first=True)
    woken, *_ = mark_nudged(told, {}, after_(1))
    (post,) = posts_caused(told, woken, (), None)
    assert post == LostThreadPost(lost="locked", user_ids=(BEN,), first=False)
    assert woken.timers.deadlines.keys() == {"abandoned"}
    assert schedule_nudges(woken, turn_id(woken), {CLEO: after_(3)}).timers.next == after_(3)
    assert schedule_nudges(woken, "1.1", {CLEO: after_(3)}) == woken, "that turn is over"


# --- nudges ----------------------------------------------------------------------------------


def after_(hours: float) -> Any:
    return NOON + timedelta(hours=hours)


def test_nudges_and_reminds_once_a_turn() -> None:
    at = slow(dealt())
    at, users, reminded = mark_nudged(at, {}, NOON)
    assert (users, reminded, nudged_users(at)) == ((ADA, BEN, CLEO, DAN), (), (ADA, BEN, CLEO, DAN))
    assert at.timers.deadlines == {"turn": after_(24), "nudge": after_(18)}
    at, _ = carried_out(at, BEN, Act(next(iter(at.situation(1).current.actions)), at.revision))
    assert at.timers.deadlines == {"turn": after_(24), "nudge": after_(18)}, "the others' turns"
    at, users, reminded = mark_nudged(at, {}, after_(18))
    assert (users, reminded, nudged_users(at)) == ((), (ADA, CLEO, DAN), (ADA, CLEO, DAN))
    assert at.timers.deadlines == {"turn": after_(24)}
    assert [chair for chair, turn in at.timers.turns.items() if turn.reminded] == [0, 2, 3]
    later = schedule_nudges(at, "1.GRAND", {CLEO: after_(20)})
    assert schedule_nudges(later, "1.GRAND", {CLEO: after_(20)}) == later
    assert mark_nudged(later, {}, after_(20))[1:] == ((), (CLEO,)), "it stays a reminder"


def test_nudges_only_people_whose_time_has_come() -> None:
    noon = QuietHours("UTC", 11 * 60, 13 * 60)
    at, users, reminded = mark_nudged(slow(dealt(), notes={"quiet": {1: noon}}), {CLEO: NOON}, NOON)
    assert (users, reminded) == ((ADA, DAN), ())
    at, users, reminded = mark_nudged(at, {}, NOON + timedelta(minutes=1))
    assert (users, reminded, nudged_users(at)) == ((CLEO,), (), (ADA, CLEO, DAN))
    at, users, reminded = mark_nudged(at, {}, after_(1))
    assert (users, reminded) == ((BEN,), ())
    assert mark_nudged(at, {}, after_(18))[1:] == ((), (ADA, CLEO, DAN)), "Ben has an hour more"


def test_window_and_the_move_after_it_are_one_turn() -> None:
    at, users, _ = mark_nudged(waiting(WINDOW), {}, NOON)
    gone_on, _ = carried_out(at, BEN, GoOn(Revision(0)))
    assert users == nudged_users(gone_on) == (BEN,)
    assert gone_on.timers.deadlines == {"turn": after_(24), "nudge": after_(18)}
    then, _ = carried_out(gone_on, BEN, Act(Pass(1), gone_on.revision))
    assert (awaited_users(then), nudged_users(then)) == ((CLEO,), ())
    closing, users, _ = mark_nudged(waiting(CLOSING), {}, NOON)
    led, _ = carried_out(closing, ADA, GoOn(Revision(0)))
    assert (phase_of(led.match), nudged_users(led)) == ("LEAD A", (ADA,))


def test_turns_continue_after_a_withdrawal_question() -> None:
    """Players who wait meanwhile get no second nudge and no new time (N78)."""
    at, *_ = mark_nudged(slow(declined(dealt())), {}, NOON)
    before = at.timers.turns
    for user, seat in ((ADA, 0), (CLEO, 2)):
        at, _ = carried_out(at, user, Act(CallTichu(seat)))
    assert (at.awaited, set(at.timers.turns)) == ((2,), {2})
    at, users, _ = mark_nudged(at, {}, NOON)
    assert (users, nudged_users(at)) == ((CLEO,), (CLEO,))
    assert at.timers.deadlines == {"turn": after_(24), "nudge": after_(18)}
    stays = Act(AnswerWithdraw(2, False))
    back, _ = carried_out(at, CLEO, stays, after_(2))
    assert (back.timers.turns, back.timers.turns_aside) == (before, {})
    late = carried_out(at, CLEO, stays, after_(30))[0].timers.turns
    assert {turn.until for turn in late.values()} == {after_(36)}, "as after a restart"
    assert {turn.remind_at for turn in late.values()} == {after_(30)}


def test_leaving_starts_no_new_turn_of_others() -> None:
    at, users, _ = mark_nudged(slow(table("TURN D", trick="A S8 | B S9 | C pass")), {}, NOON)
    assert users == (DAN,)
    before = at.timers.turns
    for user in (ADA, CLEO):
        at, _ = carried_out(at, user, LeaveToComputer(), after_(20))
    assert at.timers.turns == before
    read = Details.model_validate_json(at.details().model_dump_json())
    assert replace(at, timers=read.timers) == at, "also after a restart"
    passed_, _ = carried_out(at, DAN, Act(Pass(3), at.revision), after_(20))
    assert turn_id(passed_) != turn_id(at)


def test_nobody_is_nudged_within_a_minute_of_their_last_click() -> None:
    clicked, free = NOON - timedelta(seconds=20), NOON + timedelta(seconds=40)
    at, users, _ = mark_nudged(slow(TURN), {BEN: clicked}, NOON)
    assert (users, at.timers.deadlines["nudge"]) == ((), free)
    assert mark_nudged(at, {BEN: clicked}, free)[1] == (BEN,)


def test_one_person_alone_gets_no_nudges_and_limits() -> None:
    at = slow(WINDOW, chairs=chairs(computers=(0, 2, 3)))
    at, _ = timer(at, "window")
    assert at.timers.deadlines == {"idle": NOON + DAY}
    assert awaited_users(at) == (BEN,)


def test_player_of_two_hands_is_nudged_once() -> None:
    at = slow(begun(TRICHU), chairs=chairs(NAMES[:3]))
    assert sorted(mark_nudged(at, {}, NOON)[1]) == [BEN, CLEO]


def test_no_automatic_passes_at_turn_based_pace() -> None:
    """A pass after seconds would be recognised as automatic and reveal the hand."""
    weak = table("TURN B", trick="A DRAGON", hands={"B": "+5"})
    notes = {"auto_pass_always": frozenset({1})}
    assert "auto_pass" not in slow(weak, notes=notes).timers.deadlines
    live = reschedule(state(), state(weak).with_notes(**notes), NOON)  # type: ignore[arg-type]
    assert "auto_pass" in live.timers.deadlines


# --- downtime ------------------------------------------------------------------------------------


def test_expired_turns_get_a_quarter_of_their_time_after_downtime() -> None:
    at, _, _ = mark_nudged(slow(TURN), {}, NOON)
    assert after_downtime(at, after_(3)) == at
    back = played(after_downtime(at, after_(30)))
    assert not kept_people_waiting(at, after_(30)), "nobody sits there and waits"
    assert back.timers.deadlines == {"turn": after_(36), "nudge": after_(30)}
    reminded, users, later = mark_nudged(back, {}, after_(30))
    assert (users, later) == ((), (BEN,))
    assert reminded.timers.deadlines == {"turn": after_(36)}
    both, users, later = mark_nudged(played(after_downtime(slow(TURN), after_(30))), {}, after_(30))
    assert (users, later) == ((BEN,), ()), "one nudge is enough"
    assert both.timers.deadlines == {"turn": after_(36)}
