"""Acceptance scenarios A67-A79: end of a round, scoring, calls, end of the match."""
# ruff: noqa: N802 - a test is called after its scenario

from __future__ import annotations

import pytest

from engine import (
    Call,
    DragonGiven,
    Event,
    MatchEnded,
    NotationError,
    RoundEnded,
    View,
    read_action,
    view,
)
from tests.cases import each
from tests.engine.positions import (
    after,
    outcome,
    phase_of,
    refused,
    result_of,
    round_of,
    table,
)


def test_A67_the_tailenders_hand_and_tricks() -> None:
    """N64, N65, N66, N68, N69."""
    match = table(
        "LEAD C",
        hands={"C": "S3", "D": "SK T5"},
        out="AB",
        piles={
            "A": "J10 S10 P10 T10 J5",
            "B": "S5 P5",
            "C": "JK",
            "D": "PK TK DRAGON PHOENIX",
        },
    )
    match = after(match, "C play:S3")
    result = result_of(match)
    assert result.out == (0, 1, 2)
    assert result.cards == result.score == (90, 10)
    assert sum(result.cards) == 100


@each("before, total", [(10, -15), (0, -25), (-180, -205)])
def test_A70_negative_scores(before: int, total: int) -> None:
    """N42, N69, N83."""
    match = table(
        "LEAD C",
        hands={"C": "S4", "D": "S6"},
        out="AB",
        piles={"A": "J5 S5 P5 T5 J10 S10 P10 T10 JK SK PK TK DRAGON", "B": "PHOENIX S3"},
        totals=f"400 {before}",
    )
    result = result_of(after(match, "C play:S4"))
    assert result.cards == result.score == (125, -25)
    assert result.totals == (525, total)


def test_A71_double_victory() -> None:
    """N70, N75."""
    match = table(
        "TURN C",
        hands={"B": "SK +3", "C": "DRAGON", "D": "S10 +3"},
        out="A",
        calls={"A": "tichu"},
        trick="A S9 | B JQ",
        piles={"B": "JK PK TK J10"},
    )
    match, events = outcome(match, "C play:DRAGON")
    result = result_of(match)
    assert result.out == (0, 2)
    assert result.cards == (200, 0)
    assert result.score == (300, 0)
    assert result.sweep
    assert not any(isinstance(event, DragonGiven) for event in events)
    assert phase_of(match) == "ROUND_END"
    assert [hand.size for hand in round_of(match).hands] == [0, 4, 0, 4]


@each("first, score", [("A", -100), ("C", 100)])
def test_A72_the_partners_first_place_is_not_enough(first: str, score: int) -> None:
    """N71, N74."""
    match = table(
        "LEAD D",
        hands={"D": "S3", "AC".replace(first, ""): "S4"},
        out=first + "B",
        calls={"C": "tichu"},
        piles={first: "JK SK PK TK J10"},
    )
    result = result_of(after(match, "D play:S3"))
    assert result.cards == (50, 0)
    assert result.score == (50 + score, 0)


def test_A73_calls_end_with_the_first_own_card() -> None:
    """N72."""
    match = table(
        "TURN D",
        hands={"B": "DOG J3 S3 P3 T3 +9", "D": "S10 +3"},
        past=[
            "A S5 | B pass | C S6 | D pass | A pass | B pass => C",
            "C JK | D pass | A pass | B pass => C",
        ],
        trick="C S9",
    )
    called = after(match, "B tichu")
    assert round_of(called).calls[1] is Call.TICHU
    bombed = after(match, "B bomb:J3,S3,P3,T3")
    refused(bombed, "B tichu", "call-after-first-card", "N71")
    lead = table("LEAD B", hands={"B": "DOG +13"})
    refused(after(lead, "B play:DOG"), "B tichu", "call-after-first-card", "N71")
    after(lead, "B tichu", "B play:DOG")


def test_A75_calls_on_top_of_a_double_victory() -> None:
    """N75, N76, N77."""
    match = table(
        "LEAD A",
        hands={"A": "S3"},
        out="C",
        calls={"A": "grand", "B": "tichu", "C": "tichu"},
        started="C",
    )
    refused(match, "A tichu", "already-called", "N76")
    refused(match, "B tichu", "already-called", "N76")
    result = result_of(after(match, "A play:S3"))
    assert result.cards == (200, 0)
    assert result.calls == (
        (0, Call.GRAND, False),
        (1, Call.TICHU, False),
        (2, Call.TICHU, True),
    )
    assert result.score == (100, -100)


def test_A77_there_is_nothing_to_say_to_a_partner() -> None:
    """N79: no action carries words, and no view has a place for them."""
    for text in ("say:hello", "chat:C hello", "message>2:hello", "play:S8 hello", "tichu:hello"):
        with pytest.raises(NotationError):
            read_action(0, text)
    match = table("TURN B", trick="A S8")
    mine, partners = view(match, 0), view(match, 2)
    open_to_all = set(View.__dataclass_fields__) - {
        *("seat", "hands", "bombs", "actions", "gifts"),
    }
    for name in open_to_all:
        assert getattr(mine, name) == getattr(partners, name), name


def _round_of_60_to_40(totals: str, target: int) -> list[Event]:
    match = table(
        "LEAD C",
        hands={"C": "S3", "D": "S4"},
        out="AB",
        piles={
            "A": "J10 S10 P10 T10 JK SK",
            "B": "PK TK J5 S5 P5 T5",
            "D": "S6",
            "C": "PHOENIX DRAGON",
        },
        totals=totals,
        options={"target": target},
    )
    assert not match.winners
    match, events = outcome(match, "C play:S3")
    assert result_of(match).cards == (60, 40)
    return events


def test_A78_the_target_is_looked_at_after_scoring() -> None:
    """N4, N80, N81."""
    events = _round_of_60_to_40("985 960", 1000)
    ended, match_ended = events[-2:]
    assert isinstance(ended, RoundEnded)
    assert ended.result.totals == (1045, 1000)
    assert match_ended == MatchEnded((0,))
    assert _round_of_60_to_40("450 260", 500)[-1] == MatchEnded((0,))
    in_the_middle = table("LEAD A", hands={"A": "S3 +3"}, totals="985 960", piles={"A": "JK SK"})
    match, events = outcome(in_the_middle, "A play:S3")
    assert match.totals == (985, 960)
    assert match.winners == ()
    assert not any(isinstance(event, RoundEnded | MatchEnded) for event in events)


def test_A79_a_tie_is_played_on() -> None:
    """N82."""
    match = table(
        "LEAD C",
        hands={"C": "S3", "D": "S4"},
        out="AB",
        piles={"A": "J10 S10 JK SK J5 S5", "B": "P10 T10 PK TK P5 T5"},
        totals="950 950",
    )
    match = after(match, "C play:S3")
    assert match.totals == (1000, 1000)
    assert match.winners == ()
    assert phase_of(match) == "ROUND_END"
