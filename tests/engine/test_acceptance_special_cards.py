"""Acceptance scenarios A41-A63: Dog, Phoenix, Dragon and bombs."""
# ruff: noqa: N802 - a test is called after its scenario

from __future__ import annotations

import pytest

from engine import (
    AmbiguousAction,
    Kind,
    NotationError,
    Play,
    apply,
    read_action,
    read_cards,
)
from engine.combinations import LED_PHOENIX_KEY
from tests.engine.positions import (
    after,
    hand_of,
    phase_of,
    pile_of,
    plays_of,
    refused,
    round_of,
    table,
    top_of,
)


def test_A41_the_dog_only_leads() -> None:
    """N38."""
    match = table("TURN B", hands={"B": "DOG S4 +4"}, trick="A S3")
    refused(match, "B play:DOG", "dog-only-leads", "N38")
    refused(match, "B play:DOG,S4", "no-combination", "N13")
    lead = table("LEAD B", hands={"B": "DOG S4 +4"})
    refused(lead, "B play:DOG,S4", "no-combination", "N13")
    assert phase_of(after(lead, "B play:DOG")) == "LEAD D"


def test_A42_the_dog_cannot_be_bombed() -> None:
    """N39, N41, N58."""
    match = table("LEAD A", hands={"A": "DOG +4", "B": "J5 S5 P5 T5 +4"})
    match = after(match, "A play:DOG")
    assert phase_of(match) == "LEAD C"
    refused(match, "B bomb:J5,S5,P5,T5", "lead-not-bombable", "N58")
    assert round_of(match).piles == (0, 0, 0, 0)
    assert round_of(match).trick == ()


def test_A45_the_phoenix_is_half_a_rank_higher() -> None:
    """N44, N25."""
    match = table("TURN B", hands={"B": "PHOENIX +4", "C": "P8 P9 +4", "D": "S9 +4"}, trick="A S8")
    match = after(match, "B play:PHOENIX", "clock close")
    assert top_of(match).key == 17
    refused(match, "C play:P8", "does-not-beat", "N17")
    assert top_of(after(match, "C play:P9")).rank == 9
    match = table("LEAD A", hands={"A": "PHOENIX +4", "B": "S2 MAHJONG +4"})
    match = after(match, "A play:PHOENIX", "clock close")
    assert top_of(match).key == LED_PHOENIX_KEY == 3
    refused(match, "B play:MAHJONG", "does-not-beat", "N17")
    assert top_of(after(match, "B play:S2")).rank == 2


def test_A46_phoenix_on_the_ace_dragon_on_both() -> None:
    """N45, N47, N48."""
    match = table(
        "TURN B",
        hands={
            "B": "PHOENIX +4",
            "C": "PA DRAGON +4",
            "D": "TA JK +4",
            "A": "J3 S3 P3 T3 J4 J5 J6 J7 J8",
        },
        trick="A SA",
    )
    match = after(match, "B play:PHOENIX", "clock close")
    refused(match, "C play:PA", "does-not-beat", "N17")
    match = after(match, "C play:DRAGON", "clock close")
    refused(match, "D play:TA", "does-not-beat", "N17")
    refused(match, "D play:JK", "does-not-beat", "N17")
    for bomb in ("J3,S3,P3,T3", "J4,J5,J6,J7,J8"):
        assert top_of(after(match, f"A bomb:{bomb}")).is_bomb
        assert top_of(after(match, "D pass", f"A play:{bomb}")).is_bomb
    lead = table("LEAD A", hands={"A": "DRAGON PHOENIX SA S10 PJ TQ JK"})
    for cards in ("DRAGON,PHOENIX", "DRAGON,SA", "S10,PJ,TQ,JK,DRAGON"):
        refused(lead, f"A play:{cards}", "no-combination", "N13")
    assert top_of(after(lead, "A play:DRAGON")).is_dragon


def test_A47_no_phoenix_on_the_dragon() -> None:
    """N45."""
    match = table("TURN B", hands={"B": "PHOENIX +6"}, trick="A DRAGON")
    refused(match, "B play:PHOENIX", "phoenix-on-dragon", "N45")
    assert plays_of(match, "B") == ["pass"]


def test_A48_the_phoenix_is_never_the_one() -> None:
    """N43, N46."""
    match = table(
        "LEAD A",
        hands={"A": "S2 P3 T4 J5 PHOENIX MAHJONG +4", "B": "J3 S4 T5 P6 J7 J2 S3 P4 T6 S6 +4"},
    )
    led = after(match, "A play:S2,P3,T4,J5,PHOENIX", "clock close")
    assert top_of(led).rank == 6
    assert top_of(after(led, "B play:J3,S4,T5,P6,J7")).rank == 7
    refused(led, "B play:J2,S3,P4,T5,S6", "does-not-beat", "N17")
    with pytest.raises(NotationError):
        read_action(0, "play:S2,P3,T4,J5,PHOENIX=1")
    with pytest.raises(AmbiguousAction) as error:
        apply(match, Play(0, read_cards("S2 P3 T4 J5 PHOENIX"), (1,)))
    assert (error.value.code, error.value.rule) == ("phoenix-rank", "N46")
    refused(match, "A play:MAHJONG,PHOENIX", "no-combination", "N13")


def test_A49_stated_and_unstated_readings() -> None:
    """N43, N46."""
    match = table("TURN B", hands={"B": "P5 S6 T7 J8 PHOENIX +4"}, trick="A S3,P4,T5,J6,S7")
    assert top_of(after(match, "B play:P5,S6,T7,J8,PHOENIX")).rank == 9
    assert top_of(after(match, "B play:P5,S6,T7,J8,PHOENIX=9")).rank == 9
    assert top_of(after(match, "B play:P5,S6,T7,J8,PHOENIX=4")).rank == 8
    refused(match, "B play:P5,S6,T7,J8,PHOENIX=10", "phoenix-rank", "N46")


def test_A53_no_phoenix_in_a_bomb() -> None:
    """N43, N54."""
    match = table("TURN B", hands={"B": "S9 P9 T9 PHOENIX +4"}, trick="A SK")
    refused(match, "B play:S9,P9,T9,PHOENIX", "no-combination", "N13")
    window = table("WINDOW B", hands={"B": "S9 P9 T9 PHOENIX +4"}, trick="A SK")
    refused(window, "B bomb:S9,P9,T9,PHOENIX", "not-a-bomb", "N53")


def test_A54_the_dragons_trick_is_given_away() -> None:
    """N49, N50."""
    match = table("CLOSING A", trick="B S10 | C SK | D pass | A DRAGON | B pass | C pass | D pass")
    match = after(match, "clock close")
    assert phase_of(match) == "GIFT A"
    refused(match, "A give:C", "gift-to-opponent", "N49")
    refused(match, "A give:A", "gift-to-opponent", "N49")
    refused(match, "B give:B", "not-your-turn", "N49")
    refused(match, "A play:J2", "wrong-phase", "N17")
    for receiver in "BD":
        given = after(match, f"A give:{receiver}")
        assert pile_of(given, receiver) == "S10 SK DRAGON"
        assert pile_of(given, "A") == ""
        assert phase_of(given) == "LEAD A"


def test_A55_no_gift_when_a_bomb_took_the_dragon() -> None:
    """N51."""
    match = table("WINDOW B", hands={"B": "J6 S6 P6 T6 +3"}, trick="D S10 | A DRAGON")
    match = after(match, "B bomb:J6,S6,P6,T6", "clock close", "clock close")
    match = after(match, "C pass", "D pass", "A pass", "clock close")
    assert phase_of(match) == "LEAD B"
    assert pile_of(match, "B") == "J6 S6 P6 T6 S10 DRAGON"


def test_A59_bomb_on_bomb() -> None:
    """N53, N55."""
    match = table(
        "TURN B",
        hands={
            "A": "JK SK PK TK JJ SJ PJ TJ",
            "B": "J3 J4 J5 J6 J7 J8 T5 T6 T7 T8 T9 T10 SQ",
            "C": "S4 S5 S6 S7 S8 S9 JA",
            "D": "J2 S2 P2 T2 P5 P6 P7 P8 P9 JQ",
        },
        trick="A SA,PA",
    )
    match = after(match, "D bomb:S2,P2,T2,J2", "clock close")
    assert phase_of(match) == "TURN A"
    match = after(match, "A play:SK,PK,TK,JK", "clock close")
    refused(match, "A bomb:JJ,SJ,PJ,TJ", "does-not-beat", "N55")
    match = after(match, "C bomb:S4,S5,S6,S7,S8", "clock close")
    match = after(match, "D play:P5,P6,P7,P8,P9", "clock close")
    assert phase_of(match) == "TURN A"
    refused(match, "A play:JJ,SJ,PJ,TJ", "does-not-beat", "N55")
    refused(match, "B bomb:T5,T6,T7,T8,T9", "does-not-beat", "N55")
    after(match, "B bomb:T6,T7,T8,T9,T10")
    match = after(match, "B bomb:J3,J4,J5,J6,J7,J8")
    refused(match, "B bomb:T6,T7,T8,T9,T10", "does-not-beat", "N55")
    refused(match, "A bomb:JJ,SJ,PJ,TJ", "does-not-beat", "N55")
    assert plays_of(match, "B") == ["bomb:T5,T6,T7,T8,T9,T10"]


def test_A60_one_suited_runs_are_bombs() -> None:
    """N53, N62."""
    hands = {
        "B": "S4 S5 S6 P7 S8 P5 P6 P8 P9",
        "C": "J5 T6 T7 J8 J9 S7 S9 P10 J2 +2",
    }
    match = table("TURN B", hands=hands, trick="A S3,P4,T5,J6,J7")
    plain = after(match, "B play:S4,S5,S6,P7,S8", "clock close")
    assert top_of(plain).kind is Kind.STRAIGHT
    assert top_of(after(plain, "C play:J5,T6,T7,J8,J9")).rank == 9
    bombed = after(match, "B play:P5,P6,P7,P8,P9", "clock close")
    assert top_of(bombed).kind is Kind.STRAIGHT_BOMB
    refused(bombed, "C play:T6,S7,J8,S9,P10", "does-not-beat", "N55")
    lead = table("LEAD A", hands={"A": "J3 J4 J5 J6 J7 J8 J9"})
    assert top_of(after(lead, "A play:J3,J4,J5,J6,J7"))[:2] == (Kind.STRAIGHT_BOMB, 5)


def test_A61_after_a_bomb_the_turn_is_next_to_the_bomber() -> None:
    """N56, N63."""
    match = table("TURN C", hands={"B": "J3 S3 P3 T3 +3"}, trick="A S9 | B pass")
    match = after(match, "B bomb:J3,S3,P3,T3", "clock close")
    assert phase_of(match) == "TURN C"
    match = after(match, "C pass", "D pass", "A pass", "clock close")
    assert phase_of(match) == "LEAD B"
    assert pile_of(match, "B") == "J3 S3 P3 T3 S9"


def test_A62_a_bomb_can_be_led_but_the_lead_not_bombed() -> None:
    """N57, N58."""
    match = table(
        "LEAD A",
        hands={
            "A": "J3 S3 P3 T3 +3",
            "B": "J6 S6 P6 T6 JK SK S7 P8 T9 J10 SJ DRAGON",
        },
    )
    refused(match, "B bomb:J6,S6,P6,T6", "lead-not-bombable", "N58")
    match = after(match, "A play:J3,S3,P3,T3", "clock close")
    for cards in ("JK,SK", "S7,P8,T9,J10,SJ", "DRAGON"):
        refused(match, f"B play:{cards}", "does-not-beat", "N55")
    assert plays_of(match, "B") == ["pass", "play:J6,S6,P6,T6"]


def test_A63_bombing_oneself() -> None:
    """N59."""
    match = table("LEAD A", hands={"A": "SA J3 S3 P3 T3 +3"})
    match = after(match, "A play:SA", "A bomb:J3,S3,P3,T3")
    assert "J3 S3 P3 T3" in hand_of(match, "A")  # still sealed
    match = after(match, "clock close")
    assert top_of(match).is_bomb
    assert round_of(match).top_seat == 0
    assert phase_of(match) == "WINDOW B"
