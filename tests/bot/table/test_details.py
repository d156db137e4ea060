"""State stored beside the actions: small values, stored names, and secrecy."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from bot.ids import MessageId, Revision, RoleId, UserId
from bot.table.details import (
    Asked,
    Credits,
    DealSecrets,
    Details,
    Invitations,
    KeptChoices,
    MessageIds,
    OpenTurn,
    SeatNotes,
    Timers,
)
from bot.table.options import TableOptions
from bot.table.outcome import write_details
from bot.table.state import Chair
from engine import GiveTrick, IllegalAction, Options, Pass, read_action
from tests.bot.states import state
from tests.engine.positions import table

AT = datetime(2031, 5, 4, 12, 0, 0, 123456, tzinfo=UTC)
SEALED, DEALT = "5e" * 32, "de" * 32
NINES = read_action(1, "play:S9,P9")

FULL = Details(
    revision=Revision(41),
    last_round=True,
    timers=Timers(deadlines={"window": AT, "think": AT}, paused=True),
    kept=KeptChoices(
        premoves={1: NINES, 2: read_action(2, "play:MAHJONG wish=8"), 0: GiveTrick(0, 3)},
        auto_pass=(2,),
        dropped=(3,),
    ),
    notes=SeatNotes(
        away=(3,),
        offers={3: UserId(777)},
        left=(UserId(888),),
        votes=(UserId(101),),
        waits={1: 2},
        called_at={0: AT},
    ),
    messages=MessageIds(table_round=2, result=MessageId(6), nudge=MessageId(5)),
    credits=Credits(
        turns={1: {UserId(102): 4, UserId(0): 1}},
        rounds={0: {UserId(101): 2}},
        ratings={UserId(101): 1500},
    ),
    deal=DealSecrets(sealed=SEALED, dealt=DEALT, words={UserId(101): "hello"}),
)
# --- the details --------------------------------------------------------------------------------


def test_details_are_written_and_read_back() -> None:
    text = FULL.model_dump_json()
    assert set(json.loads(text)) == set(Details.model_fields)
    assert json.loads(text)["kept"]["premoves"] == {
        "0": "give:3",
        "1": "play:S9,P9",
        "2": "play:MAHJONG wish=8",
    }
    assert Details.model_validate_json(text) == FULL


def test_fields_keep_their_stored_names() -> None:
    turn = OpenTurn(turn="3", until=AT, nudge_at=AT)
    asked = Asked(seat=2, user_id=UserId(777), at=AT, notified=True)
    details = Details(timers=Timers(turns={1: turn}), notes=SeatNotes(asked=(asked,)))
    text = details.model_dump_json()
    stored = json.loads(text)
    assert stored["timers"]["turns"]["1"]["call_at"] == "2031-05-04T12:00:00.123456Z"
    assert "nudge_at" not in stored["timers"]["turns"]["1"]
    assert stored["notes"]["asked"][0]["pinged"] is True
    assert Details.model_validate_json(text) == details


def test_sets_of_seats_are_stored_sorted_and_default_to_empty() -> None:
    notes = SeatNotes(auto_pass_always=frozenset({9, 8, 0}), more_time=frozenset({2}))
    text = Details(notes=notes).model_dump_json()
    stored = json.loads(text)["notes"]
    assert (stored["auto_pass_always"], stored["more_time"]) == ([0, 8, 9], [2])
    assert Details.model_validate_json(text).notes == notes
    few = Details.model_validate_json('{"notes": {"away": [3]}}').notes
    assert few == SeatNotes(away=(3,), auto_pass_always=frozenset(), more_time=frozenset())


def test_values_with_a_column_are_not_in_the_details() -> None:
    messages = MessageIds(
        lobby=MessageId(1),
        table=MessageId(2),
        table_round=3,
        result=MessageId(4),
        vote=MessageId(6),
        nudge=MessageId(5),
    )
    stored = json.loads(write_details(state(table("TURN B", trick="A S8"), messages=messages)))
    assert stored["messages"] == {
        "table_round": 3,
        "result": 4,
        "vote": 6,
        "invitations": [],
        "nudge": 5,
        "away": {},
        "free": {},
        "direct": {},
        "added": [],
    }


def test_table_writes_all_its_details() -> None:
    at = state(
        table("TURN B", trick="A S8"),
        **{name: getattr(FULL, name) for name in Details.model_fields if name != "invitations"},
    )
    assert Details.model_validate_json(write_details(at)) == FULL
    kept = {name: getattr(FULL, name) for name in ("revision", "timers", "messages", "deal")}
    kept["invitations"] = Invitations(members=(UserId(101), UserId(2**62)), role_id=RoleId(2**62))
    assert Details.model_validate_json(write_details(state(**kept))) == Details(**kept)


def test_reprs_hide_sealed_values() -> None:
    kept = KeptChoices(premoves={1: NINES}, auto_pass=(2, 3), dropped=(0,))
    assert repr(kept) == "KeptChoices(dropped=(0,))"
    secrets = DealSecrets(sealed=SEALED, dealt=DEALT, words={UserId(101): "hello"})
    assert repr(secrets) == "DealSecrets(words={101: 'hello'})"
    at = state(table("TURN B", trick="A S8"), kept=kept, deal=secrets)
    for printed in map(repr, (FULL, at, at.details(), at.kept, at.deal, [at], str(FULL), str(at))):
        for secret in (SEALED, DEALT, "S9", "Play", "premoves", "auto_pass", "MAHJONG"):
            assert secret not in printed


def test_errors_about_invalid_details_hide_secrets() -> None:
    for broken in (
        FULL.model_dump_json().replace(SEALED, SEALED[:-1]),
        FULL.model_dump_json().replace("S9,P9", "S9,PHENIX"),
        FULL.model_dump_json().replace(DEALT, DEALT[:-1]),
        FULL.model_dump_json().replace("play:S9", "lay:S9"),
    ):
        with pytest.raises(ValidationError) as refused:
            Details.model_validate_json(broken)
        for secret in (SEALED[:-1], DEALT[:-1], "S9"):
            assert secret not in str(refused.value)


# --- options ---------------------------------------------------------------------------------


def test_options_are_written_and_read_back() -> None:
    rules = Options("grandseigneur", "clockwise", "drawn", None, 3, 6, 2, bomb_window_ms=1500)
    options = TableOptions(rules=rules, turn_limit_s=60, pace="quick", first_dealer=2)
    text = options.model_dump_json()
    assert TableOptions.model_validate_json(text) == options
    assert TableOptions.model_validate_json("{}") == TableOptions()
    assert set(json.loads(text)) == set(TableOptions.model_fields) - {"policy"} | {"house"}


def test_refuses_options_out_of_range() -> None:
    for wrong in (
        {"turn_limit_s": 19},
        {"turn_limit_s": 901},
        {"nudge_s": 9},
        {"nudge_s": 601},
        {"pace": "slow"},
        {"computers": "master"},
        {"rules": {"target": 120}},
        {"rules": {"variant": "peking"}},
        {"rules": {"variant": "trichu", "target": 1000}},
        {"target": 500},
    ):
        with pytest.raises(ValidationError):
            TableOptions.model_validate_json(json.dumps(wrong))
    with pytest.raises(IllegalAction):
        Options(target=120)


def test_number_of_players_is_stored_where_the_game_leaves_a_choice() -> None:
    lords = TableOptions(rules=Options(variant="grandseigneur", rounds=2), hints=True)
    seven = lords.with_players(7)
    assert (seven.rules.players, seven.rules.rounds, seven.hints) == (7, 2, True)
    assert seven.with_players(None) == lords
    for variant in ("nanjing", "trichu", "tientsin"):
        options = TableOptions(rules=Options(variant=variant))
        assert options.with_players(4) is options


def test_actions_are_read_for_their_seat() -> None:
    found = Details.model_validate({"kept": {"premoves": {"2": "pass", 3: Pass(3)}}}).kept.premoves
    assert found == {2: Pass(2), 3: Pass(3)}


def test_changing_a_value_keeps_the_others() -> None:
    at = state(
        table("TURN B", trick="A S8"), details={"away": (1,), "votes": (101,), "paused": True}
    )
    changed = at.with_notes(away=(1, 2), left=(UserId(104),)).with_timers(deadlines={"turn": AT})
    details = at.details()
    assert changed.notes == SeatNotes(away=(1, 2), left=(UserId(104),), votes=(UserId(101),))
    assert changed.timers == Timers(deadlines={"turn": AT}, paused=True)
    assert at.details() == details, "the table before is as it was"
    assert changed.with_notes(away=(1,), left=()).with_timers(deadlines={}) == at


def test_with_chair_replaces_a_chair() -> None:
    at = state()
    changed = at.with_chair(Chair(seat=2, kind="computer", name="Robot"))
    assert [chair.name for chair in changed.chairs] == ["Ada", "Ben", "Robot", "Dan"]
    assert changed.chairs[2].kind == "computer"
