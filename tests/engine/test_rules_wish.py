"""The wish: duty, examples, end, and the penalty for missing it (rules section 6; N25-N37, C11)."""

from __future__ import annotations

from engine import RANKS, Call, Match, Played, deal, rank_text
from tests.cases import each
from tests.engine.positions import (
    SEATS,
    after,
    outcome,
    phase_of,
    plays_of,
    refused,
    result_of,
    round_of,
    table,
    top_of,
)

BLANK = "J2 P2 JJ SJ JQ SQ JK SK SA"
"""Cards that make no straight with ranks up to 9."""


def turn(hand: str, top: str, wish: str) -> Match:
    """Return B's turn against `top` under a wish."""
    return table("TURN B", hands={"B": hand}, trick=f"A {top}", wish=wish)


def bound(hand: str, top: str, wish: str) -> list[str]:
    """Return B's legal plays, after checking that B may not pass."""
    match = turn(hand, top, wish)
    refused(match, "B pass", "wish-duty", "N28")
    return plays_of(match, "B")


def free(hand: str, top: str, wish: str) -> None:
    """Check that B may pass and that the wish stays open."""
    assert round_of(after(turn(hand, top, wish), "B pass")).wish is not None


def test_example_1_a_straight_with_the_rank() -> None:
    """N28, N29, N30, N31."""
    top = "MAHJONG,S2,P3,T4,J5 wish=7"
    free(f"P5 P6 P8 P9 PHOENIX {BLANK}", top, "7")
    assert bound(f"P5 P6 S7 P8 PHOENIX {BLANK}", top, "7") == [
        "play:P5,P6,S7,P8,PHOENIX=9",
        "play:PHOENIX=4,P5,P6,S7,P8",
    ]
    assert bound(f"J7 S7 P7 T7 {BLANK}", top, "7") == ["play:J7,S7,P7,T7"]


def test_example_2_window_turn_and_lead() -> None:
    """N28, N33, N34."""
    hands = {"B": "J2 S2 P2 T2 J4 S5 P6 T7 J8 S9"}
    trick = "A MAHJONG wish=7"
    match = table("WINDOW B", hands=hands, trick=trick, wish="7")
    won = after(match, "B bomb:J2,S2,P2,T2", "clock close", "clock close")
    assert plays_of(after(match, "clock close"), "B") == ["play:T7"]
    won = after(won, "C pass", "D pass", "A pass", "clock close")
    assert plays_of(won, "B") == [
        "play:J4,S5,P6,T7,J8",
        "play:J4,S5,P6,T7,J8,S9",
        "play:S5,P6,T7,J8,S9",
        "play:T7",
    ]
    refused(won, "B pass", "must-lead", "N18")


@each("ten, whole", [("J10", True), ("", False)])
def test_example_3_the_whole_run_or_a_part(ten: str, whole: bool) -> None:
    """N33, N34, C10."""
    hand = f"S3 P4 T5 J6 S7 P8 T9 {ten} SJ PQ SK PK TK JK"
    trick = "A MAHJONG wish=8"
    match = table("WINDOW B", hands={"B": hand}, trick=trick, wish="8")
    match = after(match, "B bomb:JK,SK,PK,TK", "clock close", "clock close")
    match = after(match, "C pass", "D pass", "A pass", "clock close")
    plays = plays_of(match, "B")
    assert ("play:S3,P4,T5,J6,S7,P8,T9,J10,SJ,PQ" in plays) == whole
    assert {"play:P8", "play:S3,P4,T5,J6,S7,P8,T9"} <= set(plays)
    assert all("P8" in play for play in plays)


def test_example_4_a_straight_bomb_on_the_kings() -> None:
    """N28, N30."""
    assert bound("T4 T5 T6 T7 T8 S2 S3", "JK,SK,PK,TK", "8") == ["play:T4,T5,T6,T7,T8"]
    free("T3 T4 T5 T6 T7 S8 S9", "JK,SK,PK,TK", "8")


def test_example_5_a_pair_with_the_phoenix() -> None:
    """N29, N30, N31."""
    assert bound("J8 PHOENIX S3", "J6,S6", "8") == ["play:PHOENIX=8,J8"]
    free("J8 PHOENIX S3", "J9,S9", "8")
    match = turn("J8 PHOENIX S3 P3", "J2,S2", "8")
    refused(match, "B play:S3,P3", "wish-duty", "N28")


def test_example_6_the_rank_in_the_pair_of_a_full_house() -> None:
    """N28, N31."""
    assert bound("JQ SQ PQ J8 S8", "JJ,SJ,PJ,J2,S2", "8") == ["play:J8,S8,JQ,SQ,PQ"]
    free("J8 S8 P8 JA SA", "JJ,SJ,PJ,J2,S2", "8")


def test_example_7_a_phoenix_and_an_ace_as_top() -> None:
    """N28, N30, N31, N44."""
    match = table("TURN C", hands={"C": "J7 S7 SK +3"}, trick="A S6 | B PHOENIX", wish="7")
    assert plays_of(match, "C") == ["play:J7", "play:S7"]
    refused(match, "C play:SK", "wish-duty", "N28")
    free("J7 S7 P7 S2", "SA", "7")
    assert bound("J7 S7 P7 T7 S2", "SA", "7") == ["play:J7,S7,P7,T7"]
    assert bound("J5 J6 J7 J8 J9 S2", "SA", "7") == ["play:J5,J6,J7,J8,J9"]


@each("rank", RANKS)
def test_every_rank_can_be_wished(rank: int) -> None:
    """N26, N35."""
    text = rank_text(rank)
    match = table("LEAD A", hands={"A": f"MAHJONG S{text} P{text}", "B": f"J{text} +4"})
    match, events = outcome(match, f"A play:MAHJONG wish={text}")
    assert events == [Played(0, top_of(match), wish=rank)]
    match = after(match, "clock close")
    assert plays_of(match, "B") == [f"play:J{text}"]
    match, events = outcome(match, f"B play:J{text}")
    assert events == [Played(1, top_of(match), fulfilled=rank)]
    assert round_of(match).wish is None


def test_everybody_is_bound() -> None:
    """N36: opponents, partner and the wisher."""
    hands = {"A": "P8 SK +3", "B": "+5", "C": "T8 SA +3", "D": "+5"}
    trick = "A MAHJONG wish=8 | B J7 "
    match = table("TURN C", hands=hands, trick=trick, wish="8")
    refused(match, "C pass", "wish-duty", "N28")
    refused(match, "C play:SA", "wish-duty", "N28")
    match = table("TURN A", hands=hands | {"C": "+5"}, trick=trick + "| C pass | D pass", wish="8")
    refused(match, "A pass", "wish-duty", "N28")
    refused(match, "A play:SK", "wish-duty", "N28")
    lead = table("LEAD A", hands=hands, wish="8")
    assert plays_of(lead, "A") == ["play:P8"]


@each("wish", ["3", "9"])
def test_the_straight_with_the_mahjong_does_not_fulfil_its_wish(wish: str) -> None:
    """N27, N36, C9."""
    match = table("LEAD A", hands={"A": "MAHJONG S2 P3 T4 J5 J3 J9"})
    match, events = outcome(match, f"A play:MAHJONG,S2,P3,T4,J5 wish={wish}")
    assert round_of(match).wish == int(wish)
    assert events == [Played(0, top_of(match), wish=int(wish))]


def test_a_phoenix_fulfils_nothing() -> None:
    """N29."""
    match = table("TURN B", hands={"B": "PHOENIX J9 +3"}, trick="A S7,P7", wish="8")
    assert round_of(after(match, "B play:PHOENIX,J9")).wish == 8
    match = table("TURN B", hands={"B": "PHOENIX +4"}, trick="A S7", wish="8")
    assert round_of(after(match, "B play:PHOENIX")).wish == 8


def test_a_phoenix_as_the_rank_does_not_do_for_the_real_card() -> None:
    """N29: a player with an 8 has to lay it, and not a Phoenix as 8 in its place."""
    match = table("LEAD A", hands={"A": "P5 S6 T7 S8 J9 PHOENIX SK"}, wish="8")
    refused(match, "A play:P5,S6,T7,PHOENIX=8,J9", "wish-duty", "N28")
    assert round_of(after(match, "A play:P5,S6,T7,S8,J9")).wish is None
    assert all("S8" in play for play in plays_of(match, "A"))
    top = "MAHJONG,S2,P3,T4,J5 wish=8"
    match = turn("P5 S6 T7 S8 J9 PHOENIX SK", top, "8")
    refused(match, "B play:P5,S6,T7,PHOENIX=8,J9", "wish-duty", "N28")
    after(match, "B play:PHOENIX=5,S6,T7,S8,J9")


def test_any_play_with_the_rank_ends_the_wish() -> None:
    """N32: in a straight, in a bomb, from a player who was free."""
    match = table("TURN B", hands={"B": "J8 S8 P8 T8 +3"}, trick="A S9,P9", wish="8")
    assert round_of(after(match, "B play:J8,S8,P8,T8")).wish is None
    match = table("WINDOW B", hands={"C": "J6 J7 J8 J9 J10 +3"}, trick="A S9", wish="8")
    match, events = outcome(after(match, "C bomb:J6,J7,J8,J9,J10"), "clock close")
    assert round_of(match).wish is None
    assert events == [Played(2, top_of(match), fulfilled=8)]


def test_the_duty_on_the_lead() -> None:
    """N34: no Dog, no other lead, but any combination with the rank."""
    match = table("LEAD A", hands={"A": "DOG S8 P8 SK PK TK PHOENIX"}, wish="8")
    refused(match, "A play:DOG", "wish-duty", "N28")
    refused(match, "A play:SK", "wish-duty", "N28")
    refused(match, "A play:SK,PK,TK", "wish-duty", "N28")
    assert set(plays_of(match, "A")) == {
        *("play:S8", "play:P8", "play:S8,P8", "play:PHOENIX=8,S8", "play:PHOENIX=8,P8"),
        "play:PHOENIX=8,S8,P8",
        "play:S8,P8,SK,PK,TK",
        *(f"play:PHOENIX=8,{eight},SK,PK,TK" for eight in ("S8", "P8")),
        *(f"play:PHOENIX=8,S8,P8,{kings}" for kings in ("SK,PK", "SK,TK", "PK,TK")),
        *(f"play:S8,P8,PHOENIX=K,{kings}" for kings in ("SK,PK", "SK,TK", "PK,TK")),
    }
    match = table("LEAD A", hands={"A": "DOG SK +3"}, wish="8")
    assert phase_of(after(match, "A play:DOG")) == "LEAD C"


def test_no_duty_out_of_turn() -> None:
    """N33: not in the window, not in CLOSING, not in another's turn, not for the next player."""
    hands = {"B": "J8 J2 S2 P2 T2", "D": "S8 J3 S3 P3 T3"}
    trick = "A MAHJONG wish=8"
    match = table("WINDOW B", hands=hands, trick=trick, wish="8")
    after(match, "B bomb:J2,S2,P2,T2", "clock close")
    match = table("TURN B", hands=hands, trick=trick, wish="8")
    match = after(match, "D bomb:J3,S3,P3,T3")
    assert round_of(match).wish == 8
    closing = table("CLOSING A", hands=hands, trick=f"{trick} | B pass | C pass | D pass", wish="8")
    after(closing, "D bomb:J3,S3,P3,T3", "clock close")


def test_the_wish_dies_with_the_round() -> None:
    """N32; section 6."""
    match = table("LEAD C", hands={"C": "S3", "D": "S4"}, out="AB", wish="8")
    match = after(match, "C play:S3")
    match, _ = deal(match, match.variant.deck(match.options))
    assert round_of(match).wish is None


# --- the penalty (O6) ---------------------------------------------------------------------------


def penalty(
    hand: str = "J8 +9",
    calls: dict[str, str] | None = None,
    out: str = "",
    direction: str = "anticlockwise",
    last: str = "A",
) -> Match:
    """Return B's turn under a wish for 8 that B can fulfil, with the penalty option."""
    return table(
        "TURN B",
        hands={"B": hand},
        trick=f"{last} MAHJONG wish=8",
        wish="8",
        calls=calls,
        out=out,
        totals="10 20",
        options={"wishPolicy": "penalty", "direction": direction},
    )


@each("step", ["B pass", "B play:SK", "B play:J5,S5,P5,T5"])
def test_a_missed_wish_ends_the_round(step: str) -> None:
    """N37, C11."""
    match = after(penalty(hand="J8 SK J5 S5 P5 T5 +3"), step)
    result = result_of(match)
    assert result.penalty == 1
    assert result.cards == result.score == (200, 0)
    assert result.totals == (210, 20)
    assert result.out == ()
    assert not result.sweep


def test_a_missed_wish_on_the_lead() -> None:
    """N34, N37: the Dog included."""
    match = table("LEAD C", hands={"C": "J8 DOG SK"}, wish="8", options={"wishPolicy": "penalty"})
    for step in ("C play:DOG", "C play:SK"):
        assert result_of(after(match, step)).score == (0, 200)
    assert round_of(after(match, "C play:J8")).wish is None
    refused(match, "C pass", "must-lead", "N18")


def test_no_penalty_without_a_duty() -> None:
    """N31, N33, N37."""
    match = table(
        "TURN B",
        hands={"B": "S3 SK +9", "C": "J8 S2 P2 T2 J2"},
        trick="A MAHJONG wish=8",
        wish="8",
        options={"wishPolicy": "penalty"},
    )
    assert phase_of(after(match, "B pass")) == "TURN C"
    assert phase_of(after(match, "B play:SK")) == "WINDOW C"
    assert phase_of(after(match, "C bomb:J2,S2,P2,T2")) == "WINDOW D"
    assert phase_of(after(penalty(), "B play:J8")) == "WINDOW C"
    refused(penalty(), "B play:S8", "not-held", "N13")
    refused(penalty(hand="J8 SK PK +3"), "B play:SK,PK", "does-not-beat", "N17")


@each(
    "calls, direction, made",
    [
        ({"A": "tichu"}, "anticlockwise", "A"),
        ({"B": "tichu"}, "anticlockwise", ""),
        ({"D": "grand"}, "anticlockwise", ""),
        ({"A": "tichu", "C": "grand"}, "anticlockwise", "C"),
        ({"A": "grand", "C": "tichu"}, "anticlockwise", "A"),
        ({"A": "tichu", "C": "tichu"}, "anticlockwise", "C"),
        ({"A": "tichu", "C": "tichu"}, "clockwise", "A"),
        ({"A": "grand", "C": "grand", "B": "grand", "D": "tichu"}, "anticlockwise", "C"),
        ({"B": "grand", "D": "tichu", "A": "tichu"}, "clockwise", "A"),
    ],
)
def test_calls_at_a_missed_wish_with_nobody_out(
    calls: dict[str, str], direction: str, made: str
) -> None:
    """N37, C11: the highest call of the other team is made, of equal ones the nearer one's."""
    result = result_of(after(penalty(calls=calls, direction=direction), "B pass"))
    assert "".join(SEATS[seat] for seat, _, success in result.calls if success) == made
    assert len(result.calls) == len(calls)
    score = [200, 0]
    for seat, call, success in result.calls:
        score[seat % 2] += call.value if success else -call.value
    assert result.score == tuple(score)


@each("out, made", [("A", "A"), ("D", "D"), ("DA", "D"), ("C", "C")])
def test_calls_at_a_missed_wish_with_somebody_out(out: str, made: str) -> None:
    """N37, C11: the call of the round winner is made, no other."""
    calls = dict.fromkeys("ABCD", "tichu")
    result = result_of(after(penalty(calls=calls, out=out), "B pass"))
    assert result.calls == tuple((seat, Call.TICHU, SEATS[seat] == made) for seat in range(4))
    assert result.cards == (200, 0)
