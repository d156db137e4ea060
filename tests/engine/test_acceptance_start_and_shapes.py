"""Acceptance scenarios A01-A19: deck, deal, exchange, shapes, following and passing."""
# ruff: noqa: N802 - a test is called after its scenario

from __future__ import annotations

from collections import Counter

from engine import (
    Kind,
    Match,
    Options,
    beats,
    card_text,
    cards_text,
    deal,
    new_match,
    rank_of,
    read_card,
    readings,
    suit_of,
    view,
)
from tests.cases import each
from tests.engine.positions import (
    after,
    cards_in,
    dealt,
    hand_of,
    phase_of,
    pile_of,
    refused,
    round_of,
    table,
    top_of,
)

ANSWERS = ("A grand:no", "B grand:no", "C grand:no", "D grand:no")


def test_A01_a_deck_of_56_cards() -> None:
    """N1, N2."""
    match = new_match(Options())
    deck = match.variant.deck(match.options)
    assert len(deck) == len(set(deck)) == 56
    ordinary = [card for card in deck if suit_of(card) is not None]
    assert Counter(map(suit_of, ordinary)) == {0: 13, 1: 13, 2: 13, 3: 13}
    assert Counter(map(rank_of, ordinary)) == dict.fromkeys(range(2, 15), 4)
    others = [card_text(card) for card in deck if suit_of(card) is None]
    assert sorted(others) == ["DOG", "DRAGON", "MAHJONG", "PHOENIX"]

    def single_beats(new: str, top: str) -> bool:
        return beats(readings(1 << read_card(new))[0], readings(1 << read_card(top))[0])

    assert single_beats("S10", "S9")
    assert single_beats("SJ", "S10")
    assert not single_beats("S10", "SJ")
    assert not single_beats("S9", "J9")
    assert not single_beats("J9", "S9")


@each("dealing", ["dealt", "drawn"])
def test_A02_eight_cards_then_fourteen(dealing: str) -> None:
    """N6, N7, N8, N11."""
    match = dealt(options={"dealing": dealing})
    for seat in range(4):
        seen = view(match, seat)
        assert [(s, hand.size) for s, hand in seen.hands] == [(seat, 8)]
        assert seen.hand == round_of(match).hands[seat]
    assert view(match, None).hands == ()
    match = after(match, *ANSWERS[:3])
    assert [hand.size for hand in round_of(match).hands] == [8] * 4
    match = after(match, ANSWERS[3])
    assert [hand.size for hand in round_of(match).hands] == [14] * 4
    assert cards_in(match) == sorted(set(cards_in(match)))
    assert len(cards_in(match)) == 56


def test_A03_no_grand_tichu_after_the_ninth_card() -> None:
    """N11, N76."""
    match = after(dealt(), *ANSWERS)
    refused(match, "A grand:yes", "grand-too-late", "N11")
    called = after(match, "A tichu")
    assert [call and call.name for call in round_of(called).calls] == ["TICHU", None, None, None]


def test_A04_three_cards_to_three_players() -> None:
    """N9."""
    hands = {
        "A": "S2 P3 DRAGON J4 J5 J6 J7 J8 J9 J10 JJ JQ JK JA",
        "B": "P2 S4 S5",
        "C": "T2 T4 T5",
        "D": "J2 P4 P5",
    }
    match = after(dealt(hands=hands), *ANSWERS)
    exchange = "A pass-cards:S2>B,P3>C,DRAGON>D"
    refused(match, "A pass-cards:S2>B,S2>C,DRAGON>D", "exchange-same-card", "N9")
    refused(match, "A pass-cards:S2>B,P3>C,DRAGON>C", "exchange-receivers", "N9")
    refused(match, "A pass-cards:S2>B,P3>C", "exchange-receivers", "N9")
    refused(match, "A pass-cards:S2>B,P3>C,DRAGON>A", "exchange-receivers", "N9")
    refused(match, "A pass-cards:S2>B,P3>C,J4>C,DRAGON>D", "exchange-receivers", "N9")
    refused(match, "A pass-cards:S2>B,P3>C,P2>D", "not-held", "N9")
    match = after(
        match,
        exchange,
        "B pass-cards:P2>A,S4>C,S5>D",
        "C pass-cards:T2>A,T4>B,T5>D",
        "D pass-cards:J2>A,P4>B,P5>C",
    )
    assert [hand.size for hand in round_of(match).hands] == [14] * 4
    assert hand_of(match, "A") == "J2 P2 T2 J4 J5 J6 J7 J8 J9 J10 JJ JQ JK JA"
    assert {"P3", "S4", "P5"} <= set(hand_of(match, "C").split())
    assert {"S2", "T4", "P4"} <= set(hand_of(match, "B").split())
    assert {"DRAGON", "S5", "T5"} <= set(hand_of(match, "D").split())


def _won_by_b() -> Match:
    """Return a round won by B that ends with D's last card."""
    match = table(
        "LEAD D",
        hands={"A": "S3", "D": "S4"},
        out="BC",
        dealer="C",
        piles={"A": "SK"},
        totals="0 0",
    )
    return after(match, "D play:S4")


def test_A06_partners_and_the_next_dealer() -> None:
    """N3, N5."""
    match = new_match(Options(), first_dealer=2)
    seating = match.variant.seating(match, 2)
    assert [seating.partners(seat) for seat in range(4)] == [(2,), (3,), (0,), (1,)]
    first = deal(match, match.variant.deck(match.options))[0]
    assert round_of(first).dealer == 2
    ended = _won_by_b()
    assert ended.results[-1].out == (1, 2, 3)
    second = deal(ended, ended.variant.deck(ended.options))[0]
    assert round_of(second).dealer == 1
    assert round_of(second).number == 2


def test_A08_the_holder_of_the_mahjong_leads_anything() -> None:
    """N12, N18."""
    hands = {"A": "S2 S3 S4", "B": "MAHJONG S8 P8 S5 S6 J5", "C": "S7 P7 T7", "D": "J9 S9 P9"}
    match = after(
        dealt(hands=hands, dealer="C"),
        *ANSWERS,
        "A pass-cards:S2>B,S3>C,S4>D",
        "B pass-cards:S5>A,S6>C,J5>D",
        "C pass-cards:S7>A,P7>B,T7>D",
        "D pass-cards:J9>A,S9>B,P9>C",
    )
    assert phase_of(match) == "LEAD B"
    refused(match, "B pass", "must-lead", "N18")
    refused(match, "A play:S7", "not-your-turn", "N17")
    led = after(match, "B play:S8,P8")
    assert round_of(led).wish is None
    assert phase_of(led) == "WINDOW C"
    assert top_of(led).kind is Kind.PAIR


def test_A09_the_same_shape_but_higher() -> None:
    """N13, N17."""
    match = table("TURN B", hands={"B": "S9 P9 T9 T8 J8 SA +8"}, trick="A S8,P8")
    assert cards_text(top_of(after(match, "B play:S9,P9")).cards) == "S9 P9"
    refused(match, "B play:S9,P9,T9", "does-not-beat", "N17")
    refused(match, "B play:SA", "does-not-beat", "N17")
    refused(match, "B play:T8,J8", "does-not-beat", "N17")
    refused(match, "B play:S9,T8", "no-combination", "N13")


def test_A10_stairs() -> None:
    """N13, N15, N17."""
    match = table("TURN B", hands={"B": "JQ TQ JK TK SA PA +3"}, trick="A SJ,PJ,SQ,PQ,SK,PK")
    assert top_of(after(match, "B play:JQ,TQ,JK,TK,SA,PA")).kind is Kind.STAIRS
    refused(match, "B play:JQ,TQ,JK,TK", "does-not-beat", "N17")
    lead = table("LEAD A", hands={"A": "S3 P3 S4 P4 S5 P5"})
    assert top_of(after(lead, "A play:S3,P3,S4,P4")).kind is Kind.STAIRS
    refused(lead, "A play:S3,P3,S5,P5", "no-combination", "N13")


def test_A11_straights_of_equal_length() -> None:
    """N14, N17."""
    match = table(
        "TURN B",
        hands={"B": "S5 P6 T7 J8 S9 P10 TJ JQ PK TA"},
        trick="A S4,P5,T6,J7,S8,P9,T10,JJ",
    )
    top = top_of(after(match, "B play:S5,P6,T7,J8,S9,P10,TJ,JQ"))
    assert (top.kind, top.size, top.rank) == (Kind.STRAIGHT, 8, 12)
    refused(match, "B play:P6,T7,J8,S9,P10,TJ,JQ,PK,TA", "does-not-beat", "N17")
    refused(match, "B play:S5,P6,T7,J8", "no-combination", "N13")
    lead = table("LEAD B", hands={"B": "S5 P6 T7 J8 S9"})
    refused(lead, "B play:S5,P6,T7,J8", "no-combination", "N13")
    assert top_of(after(lead, "B play:S5,P6,T7,J8,S9")).rank == 9


def test_A12_the_ace_is_only_high() -> None:
    """N14."""
    match = table("LEAD A", hands={"A": "SA P2 T3 J4 S5 SQ PK TA J2 S3"})
    refused(match, "A play:SA,P2,T3,J4,S5", "no-combination", "N13")
    refused(match, "A play:SQ,PK,TA,J2,S3", "no-combination", "N13")
    match = table("LEAD A", hands={"A": "SA P2 T3 J4 S5 S10 PJ TQ JK MAHJONG"})
    assert top_of(after(match, "A play:S10,PJ,TQ,JK,SA")).rank == 14
    assert top_of(after(match, "A play:MAHJONG,P2,T3,J4,S5")).rank == 5


def test_A13_the_triple_counts_in_a_full_house() -> None:
    """N16."""
    match = table("TURN B", hands={"B": "S6 P6 T6 S2 P2 S4 P4 T4 SA PA"}, trick="A S5,P5,T5,S9,P9")
    assert top_of(after(match, "B play:S6,P6,T6,S2,P2")).rank == 6
    refused(match, "B play:S4,P4,T4,SA,PA", "does-not-beat", "N17")


def test_A15_a_pass_is_not_final() -> None:
    """N19."""
    match = table(
        "TURN B",
        hands={"A": "S3 P4", "B": "S10 P6", "C": "SJ P7", "D": "SQ P8"},
        trick="A S5 | B pass | C S9 | D pass | A pass",
    )
    assert cards_text(top_of(after(match, "B play:S10")).cards) == "S10"


def test_A16_three_passes_and_the_closing_window() -> None:
    """N20, N21."""
    match = table("TURN B", hands={"A": "SA +4"}, trick="A SK")
    refused(match, "A play:SA", "not-your-turn", "N17")
    match = after(match, "B pass", "C pass")
    assert phase_of(match) == "TURN D"
    match = after(match, "D pass")
    assert phase_of(match) == "CLOSING A"
    refused(match, "A play:SA", "window-open", "N60")
    match = after(match, "clock close")
    assert phase_of(match) == "LEAD A"
    assert pile_of(match, "A") == "SK"
    after(match, "A play:SA")


def test_A17_who_is_out_is_not_asked() -> None:
    """N20, N23."""
    match = table("TURN B", trick="A SK", out="D")
    match = after(match, "B pass")
    refused(match, "D pass", "already-out", "N23")
    match = after(match, "C pass")
    assert phase_of(match) == "CLOSING A"
    match = after(match, "clock close")
    assert phase_of(match) == "LEAD A"
    assert pile_of(match, "A") == "SK"


def test_A19_anticlockwise_and_clockwise() -> None:
    """N24. Seat B sits to the right of A, seat D to the left."""
    for direction, following, walked in (("anticlockwise", "B", "D"), ("clockwise", "D", "B")):
        options = {"direction": direction}
        match = table("LEAD A", hands={"A": "S5 +3"}, options=options)
        assert phase_of(after(match, "A play:S5", "clock close")) == f"TURN {following}"
        match = table("LEAD A", hands={"A": "DOG +3"}, out="C", options=options)
        assert phase_of(after(match, "A play:DOG")) == f"LEAD {walked}"
        match = new_match(Options.from_values("nanjing", options))
        match, _ = deal(match, match.variant.deck(match.options))
        assert "S2" in hand_of(match, following)
