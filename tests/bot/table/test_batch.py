"""Batches of actions: stored records, stale buttons, calls and ends."""

from __future__ import annotations

import pytest

from bot.errors import Stale
from bot.ids import UserId
from bot.table.action_log import apply_record as replayed
from bot.table.batch import Batch
from bot.table.state import play_to_beat_id
from engine import Call, CallTichu, IllegalAction, Match, Pass, read_cards
from tests.bot.batches import BOMB, WINDOW, begun, done, texts_of, worked
from tests.bot.games import ended, texts
from tests.bot.states import HOST, NOON, chairs, state
from tests.bot.text.samples import NO_GRAND
from tests.engine.positions import after, dealt, phase_of, step, table

# --- what is stored --------------------------------------------------------------------------


def test_batch_is_numbered_and_replays_to_its_state() -> None:
    batch = begun(computers=(1, 2, 3))
    batch.take(step(batch.match, "A grand:no"), HOST)
    after_, change = ended(batch)
    assert [action.seq for action in change.actions] == list(range(1, len(change.actions) + 1))
    assert change.expected_seq == 0
    assert after_.seq == len(change.actions)
    found: Match | None = None
    for action in change.actions:
        found, _ = replayed(found, after_.options.rules, action.seat, action.text)
        assert action.round in (0, 1)
        assert action.at == NOON
    assert found == after_.match
    assert texts(change)[:2] == ["-1 start:2", "-1 deal:" + change.actions[1].text[5:]]
    assert [a.actor_id for a in change.actions if a.seat == 0] == [HOST]


def test_refused_action_leaves_the_batch_unchanged() -> None:
    batch = Batch(state(table("TURN B", trick="A S8")), NOON)
    with pytest.raises(IllegalAction):
        batch.take(Pass(2))
    assert texts(batch.finish().change) == []


# --- bombs -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "phase, written",
    [
        ("TURN C", "2 play:J4,S4,P4,T4"),
        ("TURN B", "2 bomb:J4,S4,P4,T4"),
        ("WINDOW C", "2 bomb:J4,S4,P4,T4"),
    ],
)
def test_bomb_is_a_play_only_in_its_own_turn(phase: str, written: str) -> None:
    at = state(table(phase, trick="A S8", hands={"C": f"{BOMB} +3"}))
    target = play_to_beat_id(at.round)
    assert texts_of(at, lambda batch: batch.bomb(2, read_cards(BOMB), target))[0] == written
    with pytest.raises(Stale):
        texts_of(at, lambda batch: batch.bomb(2, read_cards(BOMB), target + "1"))


# --- revisions -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "match, steps",
    [
        (dealt(), ["A grand:no", "B grand:yes"]),
        (after(dealt(hands={"A": "J2 J3 J4"}), *NO_GRAND), ["A pass-cards:J2>1,J3>2,J4>3"]),
        (WINDOW, ["B play:S9,P9"]),
        (WINDOW, ["C bomb:S4,P4,J4,T4"]),
        (WINDOW, ["A waive", "C waive"]),
        (WINDOW, ["clock close"]),
        (table("CLOSING A", trick="A S8 | B pass | C pass | D pass"), ["clock close"]),
        (table("TURN B", trick="A S8"), ["D tichu"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_buttons_stay_valid_while_they_mean_the_same(match: Match, steps: list[str]) -> None:
    at = state(match, seq=40, revision=33)
    assert done(at, *steps).revision == 33


@pytest.mark.parametrize(
    "match, text",
    [
        (after(dealt(), *NO_GRAND[:3]), "D grand:no"),
        (table("TURN B", trick="A S8"), "B pass"),
        (table("TURN B", trick="A S8", hands={"B": "S9 +3"}), "B play:S9"),
        (table("TURN B", trick="A S8", hands={"C": f"{BOMB} +2"}), "C bomb:S4,P4,J4,T4"),
        (table("GIFT A", trick="A DRAGON | B pass | C pass | D pass"), "A give:B"),
    ],
)
def test_a_changed_table_makes_buttons_stale(match: Match, text: str) -> None:
    at = done(state(match, seq=40, revision=33), text)
    assert at.revision == at.seq >= 41


def test_a_call_that_reopens_the_exchange_makes_buttons_stale() -> None:
    exchange = after(dealt(hands={"A": "J2 J3 J4"}), *NO_GRAND)
    at = done(state(exchange, seq=6), "A pass-cards:J2>1,J3>2,J4>3")
    assert at.revision == 0
    assert done(at, "B tichu").revision == 8


# --- concurrent calls ----------------------------------------------------------------------------


@pytest.mark.parametrize("seconds, asked", [(0, 0b100), (1.0, 0b100), (1.001, 0), (30, 0)])
def test_calls_of_partners_within_a_second_are_simultaneous(seconds: float, asked: int) -> None:
    at = done(state(table("TURN B", trick="D S8")), "A tichu")
    assert at.notes.called_at == {0: NOON}
    at = done(at, "C tichu", now=seconds)
    assert at.round.asked == asked
    assert at.round.calls[2] is Call.TICHU


def test_simultaneous_calls_of_opponents_raise_no_question() -> None:
    at = done(state(table("TURN D", trick="C S8")), "A tichu", "B tichu")
    assert at.round.asked == 0
    at = done(at, "D tichu")
    assert at.round.asked == 0b1000, "B and D are partners"
    assert done(at, "D withdraw:yes").match is not None


def test_call_of_the_previous_round_is_dropped() -> None:
    over = after(table("LEAD C", hands={"C": "S9"}, out="AB"), "C play:S9")
    at = state(over, details={"called_at": {0: NOON}, "waits": {1: 2}})
    at = worked(at, lambda batch: batch.deal(range(56)))
    assert (at.notes.called_at, at.notes.waits) == ({}, {})


def test_revealed_grand_tichu_is_no_simultaneous_call() -> None:
    at = done(state(dealt()), "A grand:yes", *NO_GRAND[1:])
    at = done(at, "C tichu")
    assert at.round.asked == 0


def test_call_is_stored_as_judged() -> None:
    at = done(state(table("TURN B", trick="D S8")), "A tichu")
    batch = Batch(at, NOON)
    batch.take(CallTichu(2), HOST)
    assert texts(batch.finish().change) == ["2 tichu:same"]


# --- ends ------------------------------------------------------------------------------------


def test_the_end_of_a_round_is_stored_with_the_last_play() -> None:
    last = table("LEAD C", hands={"C": "S9"}, out="AB")
    batch = Batch(state(last), NOON)
    batch.take(step(last, "C play:S9"))
    at, change = ended(batch)
    assert change.round is not None
    assert (change.round.number, change.match, at.status) == (1, None, "playing")
    assert set(at.timers.deadlines) == {"next_round"}


def test_the_end_of_a_match_is_stored_with_the_last_play() -> None:
    last = table("LEAD C", hands={"C": "S9"}, out="A", totals="900 0", options={"target": 1000})
    batch = Batch(state(last), NOON)
    batch.take(step(last, "C play:S9"))
    at, change = ended(batch)
    assert (at.status, change.status, change.ended_at) == ("finished", "finished", NOON)
    assert change.match is not None
    assert change.match.reason == "finished"
    assert at.timers.deadlines == {}


def test_next_deal_continues_the_match() -> None:
    over = after(table("LEAD C", hands={"C": "S9"}, out="AB"), "C play:S9")
    at = worked(state(over, chairs=chairs(computers=(1, 2, 3))), lambda b: b.deal(range(56)))
    assert phase_of(at.match) == "GRAND"
    assert (at.round.number, at.match.results) == (2, over.results)


def test_round_without_choices_is_played_out_at_once() -> None:
    """The moves are stored as those of their players; a computer's have none."""
    hands = {"B": "J7 J8", "C": "S9"}
    match = table("TURN B", trick="C S4", hands=hands, out="AD", started="ABCD")
    for computers, actor in (((), HOST + 2), ((2,), None)):
        batch = Batch(state(match, chairs=chairs(computers=computers)), NOON)
        batch.take(Pass(1), UserId(HOST + 1))
        records = batch.finish().change.actions
        assert [record.text for record in records] == ["pass", "play:S9"]
        assert [record.actor_id for record in records] == [HOST + 1, actor]
