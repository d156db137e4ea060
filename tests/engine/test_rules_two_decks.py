"""Shapes with two decks: two Dragons, two Phoenixes, equal cards, bombs (rules section 10)."""

from __future__ import annotations

from engine import Combination, Hand, Kind, Match, beats, rank_text, read_cards, readings
from tests.cases import each
from tests.engine.positions import (
    after,
    phase_of,
    plays_of,
    refused,
    round_of,
    seat_of,
    table,
    top_of,
)

SEVEN = {"players": 7}


def turn_of_p2(hand: str, trick: str, wish: str = "") -> Match:
    """Return P2's turn on this trick, with two decks."""
    return table(
        "TURN P2",
        variant="grandseigneur",
        options=SEVEN,
        hands={"P2": hand},
        trick=trick,
        wish=wish,
    )


def lead_of_p1(hand: str) -> Match:
    """Return P1's lead, with two decks."""
    return table("LEAD P1", variant="grandseigneur", options=SEVEN, hands={"P1": hand})


def first(cards: str) -> Combination:
    """Return the highest reading."""
    return readings(read_cards(cards))[0]


def stated(cards: str) -> list[str]:
    """Return kind, rank and Phoenix ranks of each reading."""
    return [
        " ".join([reading.kind.value, rank_text(reading.rank), *map(rank_text, reading.phoenix)])
        for reading in readings(read_cards(cards))
    ]


# --- two Dragons --------------------------------------------------------------------------------


@each("former, latter", [("DRAGON", "DRAGON#2"), ("DRAGON#2", "DRAGON")])
def test_the_second_dragon(former: str, latter: str) -> None:
    """G4: whichever copy comes second beats the first, and only a bomb beats it then."""
    match = turn_of_p2(f"{latter} +5", f"P1 {former}")
    assert f"play:{latter}" in plays_of(match, "P2")
    match = after(match, f"P2 play:{latter}", "clock close")
    assert round_of(match).top_seat == seat_of("P2")
    assert phase_of(match) == "TURN P3"
    assert beats(first("J2 S2 P2 T2#2"), first(latter))
    for other in ("SA", "PHOENIX", "PHOENIX#2"):
        assert not beats(first(other), first(latter))


def test_dragons_are_no_pair() -> None:
    """G29."""
    match = lead_of_p1("DRAGON DRAGON#2 PHOENIX PHOENIX#2 +2")
    for cards in ("DRAGON,DRAGON#2", "DRAGON,PHOENIX", "DRAGON,DRAGON#2,PHOENIX"):
        refused(match, f"P1 play:{cards}", "no-combination", "N13")


@each("cards", ["PHOENIX", "PHOENIX#2"])
def test_no_phoenix_on_a_dragon(cards: str) -> None:
    """G24, N45."""
    refused(
        turn_of_p2(f"{cards} +5", "P1 DRAGON#2"), f"P2 play:{cards}", "phoenix-on-dragon", "N45"
    )


# --- equal is not higher ------------------------------------------------------------------------


@each(
    "top, cards",
    [
        ("SK", "SK#2"),
        ("SK", "PK"),
        ("S8,P8", "S8#2,P8#2"),
        ("S8,P8,T8", "S8#2,P8#2,T8#2"),
        ("S8,P8,S9,P9", "S8#2,P8#2,S9#2,P9#2"),
        ("S8,P8,T8,S2,P2", "S8#2,P8#2,T8#2,SA,PA"),
        ("S3,P4,S5,S6,S7", "S3#2,P4#2,S5#2,S6#2,S7#2"),
        ("J8,S8,P8,T8", "J8#2,S8#2,P8#2,T8#2"),
        ("S3,S4,S5,S6,S7", "S3#2,S4#2,S5#2,S6#2,S7#2"),
        ("S3,S4,S5,S6,S7", "P3,P4,P5,P6,P7"),
    ],
)
def test_equal_never_beats_equal(top: str, cards: str) -> None:
    """G29: but for the Dragons."""
    match = turn_of_p2(cards.replace(",", " ") + " JA TA#2", f"P1 {top}")
    code = "N55" if top_of(match).is_bomb else "N17"
    refused(match, f"P2 play:{cards}", "does-not-beat", code)


# --- bombs --------------------------------------------------------------------------------------


@each(
    "cards, bomb",
    [
        ("J8 S8 P8 T8", True),
        ("J8 S8#2 P8 T8#2", True),
        ("J8#2 S8#2 P8#2 T8#2", True),
        ("J8 J8#2 S8 P8", False),
        ("J8 J8#2 S8 S8#2", False),
        ("J8 S8 P8 PHOENIX", False),
        ("J8 S8 PHOENIX PHOENIX#2", False),
        ("J8 J8#2 S8 P8 T8", False),
        ("S3 S4#2 S5 S6#2 S7", True),
        ("S3 S4 S5 S6 PHOENIX", False),
        ("S3 S4 S5 PHOENIX PHOENIX#2", False),
        ("MAHJONG S2 S3#2 S4 S5", False),
    ],
)
def test_bombs(cards: str, bomb: bool) -> None:
    """G5, G28, N53, N54: four different suits of any copies; never a Phoenix."""
    found = readings(read_cards(cards))
    assert any(reading.is_bomb for reading in found) == bomb
    assert bool(Hand(read_cards(cards)).bombs()) == (bomb or cards == "J8 J8#2 S8 P8 T8")
    if bomb:
        assert len(found) == 1


def test_bombs_of_a_doubled_suit() -> None:
    """G5: one bomb for each choice of copies; four with a suit twice are nothing at all."""
    match = lead_of_p1("J8 J8#2 S8 P8 T8 T8#2")
    four = [text for text in plays_of(match, "P1") if text.count(",") == 3]
    assert four == [
        "play:J8#2,S8,P8,T8",
        "play:J8#2,S8,P8,T8#2",
        "play:J8,S8,P8,T8",
        "play:J8,S8,P8,T8#2",
    ]
    refused(match, "P1 play:J8,J8#2,S8,P8", "no-combination", "N13")
    refused(match, "P1 play:J8,J8#2,T8,T8#2", "no-combination", "N13")
    top = table(
        "TURN P3",
        variant="grandseigneur",
        options=SEVEN,
        hands={"P2": "J8 J8#2 S8 P8 T8"},
        trick="P1 DRAGON | P2 pass",
    )
    refused(top, "P2 bomb:J8,J8#2,S8,P8", "not-a-bomb", "N53")
    assert top_of(after(top, "P2 bomb:J8#2,S8,P8,T8")).is_bomb


# --- two Phoenixes ------------------------------------------------------------------------------


@each("former, latter", [("PHOENIX", "PHOENIX#2"), ("PHOENIX#2", "PHOENIX")])
@each(
    "led, low, high",
    [("S8", "S9", "S10"), ("SA", "", ""), ("", "S2", "S3"), ("MAHJONG", "S2", "S3")],
)
def test_a_phoenix_on_a_phoenix(former: str, latter: str, led: str, low: str, high: str) -> None:
    """G28, N44: worth half a rank more again: on an 8 it is 8½, the second then 9."""
    trick = f"P1 {former}" if not led else f"P7 {led} | P1 {former}"
    match = turn_of_p2(f"{latter} +5", trick)
    base = top_of(match).key
    match = after(match, f"P2 play:{latter}", "clock close")
    assert top_of(match).key == base + 1
    assert top_of(match).size == 1
    match = table(
        "TURN P3",
        variant="grandseigneur",
        options=SEVEN,
        hands={"P3": f"{low} {high} DRAGON +3"},
        trick=f"{trick} | P2 {latter}",
    )
    after(match, "P3 play:DRAGON")
    if low:
        refused(match, f"P3 play:{low}", "does-not-beat", "N17")
        after(match, f"P3 play:{high}")


@each(
    "cards, expected",
    [
        # pairs and triples: a natural card is needed
        ("S7 PHOENIX", ["pair 7 7"]),
        ("S7 PHOENIX#2", ["pair 7 7"]),
        ("PHOENIX PHOENIX#2", []),
        ("S7 PHOENIX PHOENIX#2", ["triple 7 7 7"]),
        ("S7 P7 PHOENIX#2", ["triple 7 7"]),
        ("S7 S7#2 PHOENIX", ["triple 7 7"]),
        ("MAHJONG PHOENIX PHOENIX#2", []),
        ("S7 DRAGON PHOENIX", []),
        # four cards of a rank: nothing with a Phoenix
        ("S7 P7 PHOENIX PHOENIX#2", []),
        ("S7 P7 T7 PHOENIX", []),
        # full houses
        ("S7 P7 T7 PHOENIX PHOENIX#2", []),
        ("S7 P7 S8 PHOENIX PHOENIX#2", ["full house 8 8 8", "full house 7 7 8"]),
        ("S7 P7 T7 S8 PHOENIX", ["full house 7 8"]),
        ("S7 P7 S8 P8 PHOENIX#2", ["full house 8 8", "full house 7 7"]),
        ("S7 P7 S7#2 P7#2 PHOENIX", []),
        ("S7 MAHJONG P7 PHOENIX PHOENIX#2", []),
        # stairs
        ("S7 S8 PHOENIX PHOENIX#2", ["stairs 8 7 8"]),
        ("S7 P7 S8 P8 PHOENIX PHOENIX#2", []),
        ("S7 P7 S9 P9 PHOENIX PHOENIX#2", []),
        ("S7 P7 S8 S9 PHOENIX PHOENIX#2", ["stairs 9 8 9"]),
        ("S7 S9 PHOENIX PHOENIX#2", []),
        ("S7 S8 S9 PHOENIX PHOENIX#2", ["straight J 10 J", "straight 10 6 10", "straight 9 5 6"]),
        ("SK SA PHOENIX PHOENIX#2", ["stairs A K A"]),
        # straights
        ("S7 P8 T9 S10 PHOENIX", ["straight J J", "straight 10 6"]),
        ("S3 S7 P5 PHOENIX PHOENIX#2", ["straight 7 4 6"]),
        ("S3 S8 P5 PHOENIX PHOENIX#2", []),
        ("MAHJONG S5 P4 PHOENIX PHOENIX#2", ["straight 5 2 3"]),
        ("S2 P3 T4 PHOENIX PHOENIX#2", ["straight 6 5 6"]),
        ("SQ PK TA PHOENIX PHOENIX#2", ["straight A 10 J"]),
        ("SA PHOENIX PHOENIX#2", ["triple A A A"]),
        ("S7 S8 S9 S10 SJ PHOENIX#2", ["straight Q Q", "straight J 6"]),
        ("S7 S8 S8#2 S9 S10 PHOENIX", []),
    ],
)
def test_two_phoenixes_in_every_shape(cards: str, expected: list[str]) -> None:
    """G28, N46: at least one natural card in each pair or triple; the highest reading first."""
    assert stated(cards) == expected
    listed = [play for play in Hand(read_cards(cards)).all() if play.cards == read_cards(cards)]
    assert set(listed) == set(readings(read_cards(cards)))


def test_two_stated_phoenixes() -> None:
    """G28, N46: which copy stands for which rank does not matter, other ranks are refused."""
    match = lead_of_p1("S7 S8 S9 PHOENIX PHOENIX#2 +2")
    cards = "S7,S8,S9,PHOENIX={},PHOENIX#2={}"
    assert top_of(after(match, f"P1 play:{cards.format(5, 6)}")).rank == 9
    assert top_of(after(match, f"P1 play:{cards.format(6, 5)}")).rank == 9
    assert top_of(after(match, f"P1 play:{cards.format(6, 10)}")).rank == 10
    assert top_of(after(match, "P1 play:S7,S8,S9,PHOENIX,PHOENIX#2")).rank == 11
    for wrong in ((10, 10), (5, 10), (7, 8), ("J", "Q")):
        refused(match, f"P1 play:{cards.format(*wrong)}", "phoenix-rank", "N46")
    refused(match, "P1 play:PHOENIX,PHOENIX#2", "no-combination", "N13")


def test_two_phoenixes_and_a_wish() -> None:
    """G23, G28, N29, N30: they make no wished card, but they help a real one."""
    match = turn_of_p2("S7 PHOENIX PHOENIX#2 +3", "P1 S5,P5,T5", wish="7")
    refused(match, "P2 pass", "wish-duty", "N28")
    after(match, "P2 play:S7,PHOENIX,PHOENIX#2")
    match = turn_of_p2("S8 PHOENIX PHOENIX#2 +3", "P1 S5,P5,T5", wish="7")
    after(match, "P2 pass")
    laid = after(match, "P2 play:S8,PHOENIX,PHOENIX#2")
    assert round_of(laid).wish == 7
    match = turn_of_p2("S3 S4 S7 PHOENIX PHOENIX#2 +3", "P1 MAHJONG,P2,T3,J4,J5 wish=7", wish="7")
    refused(match, "P2 pass", "wish-duty", "N28")
    assert top_of(after(match, "P2 play:S3,S4,S7,PHOENIX=5,PHOENIX#2=6")).kind is Kind.STRAIGHT


def test_a_wish_is_ended_by_either_copy() -> None:
    """G23, N32."""
    for card in ("S7", "S7#2"):
        match = turn_of_p2(f"{card} +3", "P1 S5", wish="7")
        refused(match, "P2 pass", "wish-duty", "N28")
        assert round_of(after(match, f"P2 play:{card}")).wish is None
