"""Acceptance scenarios A20-A40: Mah Jong and wish."""
# ruff: noqa: N802 - a test is called after its scenario

from __future__ import annotations

import pytest

from engine import Call, IllegalAction, NotationError, Play, apply, read_action, read_cards, view
from tests.cases import each
from tests.engine.positions import (
    after,
    hand_of,
    phase_of,
    plays_of,
    refused,
    result_of,
    round_of,
    table,
    top_of,
)


def test_A20_the_mahjong_is_the_lowest_single() -> None:
    """N25."""
    match = table("TURN B", hands={"B": "MAHJONG +13"}, trick="A S2")
    refused(match, "B play:MAHJONG", "does-not-beat", "N17")
    match = table("LEAD B", hands={"B": "MAHJONG +13"})
    assert top_of(after(match, "B play:MAHJONG")).rank == 1
    match = table("LEAD A", hands={"A": "PHOENIX +5", "B": "MAHJONG +5"})
    match = after(match, "A play:PHOENIX", "clock close")
    refused(match, "B play:MAHJONG", "does-not-beat", "N17")


def test_A21_a_wish_or_none() -> None:
    """N26."""
    match = table("LEAD A", hands={"A": "MAHJONG S9 +5"})
    assert round_of(after(match, "A play:MAHJONG wish=8")).wish == 8
    assert round_of(after(match, "A play:MAHJONG")).wish is None
    for rank in ("DRAGON", "1", "DOG"):
        with pytest.raises(NotationError):
            read_action(0, f"play:MAHJONG wish={rank}")
    for number in (0, 1, 15):
        with pytest.raises(IllegalAction) as error:
            apply(match, Play(0, read_cards("MAHJONG"), wish=number))
        assert (error.value.code, error.value.rule) == ("wish-rank", "N26")
    refused(match, "A play:S9 wish=8", "wish-without-mahjong", "N26")


def test_A22_a_wish_with_a_straight() -> None:
    """N27."""
    match = table("LEAD A", hands={"A": "MAHJONG S2 P3 T4 J5 +3"})
    match = after(match, "A play:MAHJONG,S2,P3,T4,J5 wish=9")
    assert [view(match, seat).wish for seat in (0, 1, 2, 3, None)] == [9] * 5


def test_A23_wish_binds_at_the_regular_turn() -> None:
    """N28."""
    match = table("LEAD A", hands={"A": "MAHJONG +13", "B": "J8 S9 SA +10"})
    match = after(match, "A play:MAHJONG wish=8", "clock close")
    refused(match, "B pass", "wish-duty", "N28")
    refused(match, "B play:S9", "wish-duty", "N28")
    match = after(match, "B play:J8")
    assert round_of(match).wish is None


def test_A24_only_real_cards_and_any_legal_shape() -> None:
    """N29, N30, N31."""
    trick = "A MAHJONG,S2,P3,T4,J5 wish=7"
    rest = "J2 P2 JJ SJ JQ SQ JK SK SA"
    match = table("TURN B", hands={"B": f"P5 P6 P8 P9 PHOENIX {rest}"}, trick=trick, wish="7")
    assert phase_of(after(match, "B pass")) == "TURN C"
    assert round_of(after(match, "B play:P5,P6,PHOENIX=7,P8,P9")).wish == 7
    match = table("TURN B", hands={"B": f"P5 P6 S7 P8 PHOENIX {rest}"}, trick=trick, wish="7")
    refused(match, "B pass", "wish-duty", "N28")
    assert plays_of(match, "B") == ["play:P5,P6,S7,P8,PHOENIX=9", "play:PHOENIX=4,P5,P6,S7,P8"]
    assert top_of(after(match, "B play:PHOENIX=4,P5,P6,S7,P8")).rank == 8
    assert top_of(after(match, "B play:P5,P6,S7,P8,PHOENIX=9")).rank == 9
    match = table("TURN B", hands={"B": f"J7 S7 P7 T7 {rest}"}, trick=trick, wish="7")
    refused(match, "B pass", "wish-duty", "N28")
    assert plays_of(match, "B") == ["play:J7,S7,P7,T7"]
    assert round_of(after(match, "B play:J7,S7,P7,T7")).wish is None


@each("step", ["B play:S3", "B pass"])
def test_A25_free_without_the_rank(step: str) -> None:
    """N31."""
    hands = {"A": "MAHJONG J8 S8 +11", "B": "S3 S9 P4 P5 TJ JQ SQ PK SA +4", "C": "P8 T8 +3"}
    match = table("LEAD A", hands=hands)
    match = after(match, "A play:MAHJONG wish=8", "clock close", step)
    assert round_of(match).wish == 8


def test_A26_the_wish_outlives_the_trick() -> None:
    """N32."""
    match = table(
        "CLOSING C",
        hands={"C": "P5 P6 +4", "D": "S8 SK +8"},
        trick="A MAHJONG wish=8 | B pass | C SA | D pass | A pass | B pass",
        wish="8",
    )
    match = after(match, "clock close", "C play:P5", "clock close")
    assert phase_of(match) == "TURN D"
    refused(match, "D pass", "wish-duty", "N28")
    refused(match, "D play:SK", "wish-duty", "N28")
    assert plays_of(match, "D") == ["play:S8"]
    assert round_of(after(match, "D play:S8")).wish is None


def test_A28_a_bomb_in_the_window_is_free_the_lead_is_not() -> None:
    """N33, N34."""
    hand = "J2 S2 P2 T2 J4 S5 P6 T7 J8 S9"
    match = table("LEAD A", hands={"A": "MAHJONG +5", "B": hand})
    match = after(match, "A play:MAHJONG wish=7")
    bombed = after(match, "B bomb:J2,S2,P2,T2", "clock close")
    assert phase_of(bombed) == "WINDOW C"
    assert round_of(bombed).wish == 7
    lead = after(bombed, "clock close", "C pass", "D pass", "A pass", "clock close")
    assert phase_of(lead) == "LEAD B"
    refused(lead, "B play:J8", "wish-duty", "N28")
    refused(lead, "B play:S9", "wish-duty", "N28")
    assert plays_of(lead, "B") == [
        "play:J4,S5,P6,T7,J8",
        "play:J4,S5,P6,T7,J8,S9",
        "play:S5,P6,T7,J8,S9",
        "play:T7",
    ]
    assert round_of(after(lead, "B play:T7")).wish is None
    assert round_of(after(lead, "B play:J4,S5,P6,T7,J8,S9")).wish is None
    turn = after(match, "clock close")
    for step in ("B play:J2,S2,P2,T2", "B play:J8", "B pass"):
        refused(turn, step, "wish-duty", "N28")
    refused(turn, "B bomb:J2,S2,P2,T2", "bomb-in-own-turn", "N33")


def test_A30_the_lead_won_by_a_bomb_is_bound() -> None:
    """N33, N34."""
    hand = "S3 P4 T5 J6 S7 P8 T9 J10 SJ PQ SK PK TK JK"
    match = table("LEAD A", hands={"A": "MAHJONG +5", "B": hand})
    match = after(
        match,
        "A play:MAHJONG wish=8",
        "B bomb:JK,SK,PK,TK",
        "clock close",
        "clock close",
        "C pass",
        "D pass",
        "A pass",
        "clock close",
    )
    assert phase_of(match) == "LEAD B"
    refused(match, "B play:SJ", "wish-duty", "N28")
    match = after(match, "B play:S3,P4,T5,J6,S7,P8,T9,J10,SJ,PQ")
    assert hand_of(match, "B") == ""
    assert round_of(match).out == (1,)
    assert round_of(match).wish is None


def test_A36_a_rank_that_is_gone() -> None:
    """N35."""
    match = table(
        "LEAD A",
        hands={"A": "MAHJONG S9 S10", "B": "P9 +6", "C": "T9 +6", "D": "J9 +6"},
        piles={"C": "J4 S4 P4 T4"},
    )
    match = after(match, "A play:MAHJONG wish=4", "clock close", "B play:P9", "clock close")
    match = after(match, "C pass", "D pass", "A play:S10", "clock close", "B pass", "C pass")
    match = after(match, "D pass", "clock close", "A play:S9")
    assert round_of(match).out == (0,)
    assert round_of(match).wish == 4


def test_A39_a_bomb_out_of_turn_fulfils_a_wish() -> None:
    """N32, N33."""
    match = table("TURN B", hands={"D": "J9 S9 P9 T9 +3"}, trick="A MAHJONG wish=9", wish="9")
    match = after(match, "D bomb:J9,S9,P9,T9")
    assert round_of(match).wish is None
    assert phase_of(match) == "WINDOW A"


def test_A40_a_missed_wish_with_the_penalty() -> None:
    """N37, C11, O6."""
    hands = {"B": "J8 +9"}
    calls = {"A": "tichu"}
    trick = "A MAHJONG wish=8"
    enforced = table("TURN B", hands=hands, trick=trick, wish="8", calls=calls)
    refused(enforced, "B pass", "wish-duty", "N28")
    match = table(
        "TURN B",
        hands=hands,
        trick=trick,
        wish="8",
        calls=calls,
        options={"wishPolicy": "penalty"},
    )
    result = result_of(after(match, "B pass"))
    assert result.cards == (200, 0)
    assert result.score == (300, 0)
    assert result.calls == ((0, Call.TICHU, True),)
    assert result.penalty == 1
