"""Acceptance scenarios A81-A94: Trichu and Tientsin."""
# ruff: noqa: N802 - a test is called after its scenario

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from bench.walks import walks
from engine import Call, IllegalAction, Match, Options, RoundResult, deal, new_match, view
from tests.engine.positions import (
    after,
    cards_in,
    dealt,
    everybody_passes,
    hand_of,
    outcome,
    phase_of,
    pile_of,
    plays_of,
    refused,
    result_of,
    round_of,
    seat_of,
    table,
    top_of,
)

TRICHU_HANDS = {"X": "J2 J3 J4", "Y": "S2 S3 S4", "Z": "P2 P3 P4", "Table": "T2 T3 T4"}
TRICHU_EXCHANGES = (
    "X pass-cards:J2>Y,J3>Z",
    "Y pass-cards:S2>X,S3>Table",
    "Z pass-cards:P2>X,P3>Table",
    "Table pass-cards:T2>Y,T3>Z",
)
X, Y, Z, TABLE = map(seat_of, ("X", "Y", "Z", "Table"))


def seen_by(match: Match) -> dict[int | None, list[int]]:
    """Return the seats whose hands each person and a spectator see."""
    return {seat: sorted(dict(view(match, seat).hands)) for seat in (X, Y, Z, None)}


def test_A81_whose_cards_who_sees() -> None:
    """T1, T2, T5, T7."""
    match = dealt(variant="trichu", hands=TRICHU_HANDS)
    seating = round_of(match).seating
    assert seating.order == (X, Y, TABLE, Z)
    assert seating.partners(X) == (TABLE,)
    assert seating.partners(Y) == (Z,)
    match = after(match, "Y grand:no", "Z grand:no")
    assert [hand.size for hand in round_of(match).hands] == [14] * 4
    assert len(set(cards_in(match))) == 56
    assert seen_by(match) == {X: [X, TABLE], Y: [Y], Z: [Z], None: []}
    assert dict(view(match, X).hands)[TABLE] == round_of(match).hands[TABLE]
    match = after(match, *TRICHU_EXCHANGES)
    assert seen_by(match) == {X: [X, TABLE], Y: [Y, TABLE], Z: [Z, TABLE], None: [TABLE]}


def test_A82_grand_tichu_is_for_the_opponents() -> None:
    """T3, T4."""
    match = dealt(variant="trichu", hands=TRICHU_HANDS)
    assert [hand.size for hand in round_of(match).hands] == [8] * 4
    assert seen_by(match) == {X: [X], Y: [Y], Z: [Z], None: []}
    for answer in ("yes", "no"):
        refused(match, f"X grand:{answer}", "no-grand-for-dealer", "T3")
        refused(match, f"Table grand:{answer}", "no-grand-for-dealer", "T3")
    for yes, no in (("Y", "Z"), ("Z", "Y")):
        called = round_of(after(match, f"{yes} grand:yes", f"{no} grand:no")).calls
        assert called[seat_of(yes)] is Call.GRAND
        assert called.count(None) == 3


def test_A83_the_exchange_goes_to_opponents_only() -> None:
    """T6."""
    match = after(dealt(variant="trichu", hands=TRICHU_HANDS), "Y grand:no", "Z grand:no")
    refused(match, "X pass-cards:J2>Y,J3>Table", "exchange-receivers", "N9")
    refused(match, "X pass-cards:J2>Y,J3>Z,J4>Table", "exchange-receivers", "N9")
    refused(match, "Y pass-cards:S2>X,S3>Z", "exchange-receivers", "N9")
    refused(match, "Table pass-cards:T2>Y,T3>X", "exchange-receivers", "N9")
    refused(match, "X pass-cards:J2>Y", "exchange-receivers", "N9")
    refused(match, "X pass-cards:J2>Y,J2>Z", "exchange-same-card", "N9")
    refused(match, "X pass-cards:J2>Y,T2>Z", "not-held", "N9")
    match = after(match, *TRICHU_EXCHANGES)
    assert [hand.size for hand in round_of(match).hands] == [14] * 4
    assert {"S2", "P2", "J4"} <= set(hand_of(match, "X").split())
    assert {"S3", "P3", "T4"} <= set(hand_of(match, "Table").split())
    assert {"J2", "T2", "S4"} <= set(hand_of(match, "Y").split())
    assert {"J3", "T3", "P4"} <= set(hand_of(match, "Z").split())


def test_A84_the_table_is_free_of_wishes() -> None:
    """T8, T9, T16."""
    match = table("TURN Table", variant="trichu", hands={"Table": "S8 +5"}, trick="Y P5", wish="8")
    assert match.variant.actor(round_of(match), TABLE) == X
    assert round_of(after(match, "Table pass")).wish == 8
    assert round_of(after(match, "Table play:S8")).wish is None
    refused(match, "Y play:S8", "not-your-turn", "N17")
    refused(match, "X play:S8", "not-your-turn", "N17")
    match = table("TURN X", variant="trichu", hands={"X": "J8 +5"}, trick="Z P5", wish="8")
    refused(match, "X pass", "wish-duty", "N28")
    after(match, "X play:J8")


def test_A85_a_call_for_the_table() -> None:
    """T10."""
    match = table("LEAD Table", variant="trichu", hands={"Table": "S8 S9"})
    called = after(match, "Table tichu")
    assert round_of(called).calls[TABLE] is Call.TICHU
    refused(after(match, "Table play:S9"), "Table tichu", "call-after-first-card", "N71")
    last = table(
        "LEAD Z",
        variant="trichu",
        hands={"Z": "S4", "X": "S9"},
        out="Table Y",
        calls={"Table": "tichu"},
    )
    assert result_of(after(last, "Z play:S4")).score == (100, 0, 0, 100)


def _sixty_to_forty(totals: str, done: int, dealer: str = "X") -> Match:
    """Return the end of a round won 60 to 40 by X and the Table, after `done` earlier rounds."""
    match = table(
        "LEAD Table",
        variant="trichu",
        dealer=dealer,
        hands={"Table": "S3", "Z": "S4"},
        out="X Y",
        piles={
            "X": "J10 S10 P10 T10 JK SK",
            "Y": "PK TK J5 S5 P5 T5",
            "Table": "PHOENIX DRAGON",
        },
        totals=totals,
    )
    before = RoundResult(1, X, (0, 1, 2), (), (0,) * 4, (0,) * 4, (0,) * 4)
    return after(match._replace(results=(before,) * done), "Table play:S3")


def test_A86_four_columns_and_the_next_dealer() -> None:
    """T11, T12."""
    match = _sixty_to_forty("0 0 0 0", 0)
    assert result_of(match).score == match.totals == (60, 40, 40, 60)
    match, _ = deal(match, match.variant.deck(match.options))
    assert round_of(match).dealer == Z
    steps = walks(Random(3), Options("trichu", rounds=9))
    for last, _ in steps:
        if len(last.results) == 9:
            dealers = [result.dealer for result in last.results]
            break
    assert [(one - two) % 3 for one, two in pairwise(dealers)] == [1] * 8


def test_A87_nine_rounds_and_shared_places() -> None:
    """T13, T14, T15."""
    with pytest.raises(IllegalAction) as error:
        Options.from_values("trichu", {"rounds": 10})
    assert (error.value.code, error.value.rule) == ("option", "O5")
    with pytest.raises(IllegalAction) as error:
        Options.from_values("trichu", {"target": 1000})
    assert (error.value.code, error.value.rule) == ("option-of-other-game", "O4")
    assert Options("trichu").rounds == 9
    match = _sixty_to_forty("440 440 460 560", 7)
    assert phase_of(match) == "ROUND_END"
    match = _sixty_to_forty("440 440 460 560", 8)
    assert phase_of(match) == "MATCH_END"
    assert match.totals == (500, 480, 500, 620)
    assert match.winners == (TABLE,)


def test_A89_six_players() -> None:
    """S1, S2, S3, S4."""
    match = new_match(Options("tientsin"))
    seating = match.variant.seating(match, 0)
    assert seating.order == (0, 1, 2, 3, 4, 5)
    assert seating.partners(0) == (2, 4)
    assert seating.partners(1) == (3, 5)
    match = dealt(variant="tientsin")
    assert [hand.size for hand in round_of(match).hands] == [6] * 6
    match = after(match, *(f"{seat} grand:no" for seat in "ABCDE"), "F grand:yes")
    assert [hand.size for hand in round_of(match).hands] == [10, 10, 9, 9, 9, 9]
    assert len(set(cards_in(match))) == 56
    assert round_of(match).calls[5] is Call.GRAND
    refused(match, "A grand:yes", "grand-too-late", "N11")
    lead = table("LEAD A", variant="tientsin", hands={"A": "S8 P8 T8 J2 S2", "B": "J3 S3 P3 T3"})
    match = after(lead, "A play:S8,P8,T8,J2,S2", "B bomb:J3,S3,P3,T3", "clock close")
    assert top_of(match).is_bomb


def test_A90_cards_for_the_partners() -> None:
    """S5."""
    hands = {"A": "J2 J3", "B": "S2 S3", "C": "P2 P3", "D": "T2 T3", "E": "J5 S5", "F": "P5 T5"}
    match = dealt(variant="tientsin", hands=hands)
    match = after(match, *(f"{seat} grand:no" for seat in "ABCDEF"))
    refused(match, "A pass-cards:J2>C,J3>B", "exchange-receivers", "N9")
    refused(match, "A pass-cards:J2>C", "exchange-receivers", "N9")
    match = after(
        match,
        "A pass-cards:J2>C,J3>E",
        "B pass-cards:S2>D,S3>F",
        "C pass-cards:P2>A,P3>E",
        "D pass-cards:T2>B,T3>F",
        "E pass-cards:J5>A,S5>C",
        "F pass-cards:P5>B,T5>D",
    )
    assert [hand.size for hand in round_of(match).hands] == [10, 10, 9, 9, 9, 9]
    assert {"P2", "J5"} <= set(hand_of(match, "A").split())
    assert {"J3", "P3"} <= set(hand_of(match, "E").split())


def test_A93_a_triple_victory() -> None:
    """S9, S10."""
    second = table("LEAD C", variant="tientsin", hands={"C": "S3"}, out="A")
    assert phase_of(after(second, "C play:S3")) == "WINDOW D"
    third = table(
        "LEAD E",
        variant="tientsin",
        hands={"E": "S3"},
        out="AC",
        calls={"A": "tichu", "B": "grand"},
    )
    result = result_of(after(third, "E play:S3"))
    assert result.sweep
    assert result.cards == (300, 0)
    assert result.score == (400, -200)
    rival = table("LEAD B", variant="tientsin", hands={"B": "S3"}, out="AC")
    assert phase_of(after(rival, "B play:S3")) == "WINDOW D"
    last = table(
        "LEAD D",
        variant="tientsin",
        hands={"D": "S3", "F": "S4"},
        out="ACBE",
        piles={"A": "JK SK", "B": "PK", "E": "J10", "C": "TK S10 P10 T10 J5 S5 P5 T5"},
    )
    result = result_of(after(last, "D play:S3"))
    assert not result.sweep
    assert result.cards == result.score == (90, 10)


def test_A94_the_dragons_trick_and_five_passes() -> None:
    """S11, S13."""
    match = table("TURN B", variant="tientsin", trick="A DRAGON")
    match = after(match, "B pass", "C pass", "D pass", "E pass")
    assert phase_of(match) == "TURN F"
    match = after(match, "F pass", "clock close")
    assert phase_of(match) == "GIFT A"
    assert plays_of(match, "A") == ["give:1", "give:3", "give:5"]
    for seat in "ACE":
        refused(match, f"A give:{seat}", "gift-to-opponent", "N49")
    for seat in "BDF":
        given, _ = outcome(match, f"A give:{seat}")
        assert pile_of(given, seat) == "DRAGON"
        assert phase_of(given) == "LEAD A"
    assert phase_of(everybody_passes(table("TURN B", variant="tientsin", trick="A SK"))) == "LEAD A"
