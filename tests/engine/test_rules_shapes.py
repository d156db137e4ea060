"""Readings of cards and their comparison (section 2; N13-N17, N43-N48, N53-N55, N62)."""

from __future__ import annotations

from itertools import combinations

import pytest

from engine import (
    AmbiguousAction,
    Combination,
    IllegalAction,
    Kind,
    Play,
    beats,
    can,
    cards_text,
    read_cards,
    read_play,
    readings,
    verify,
    with_key_on,
    write_combination,
)
from engine.combinations import BOMBS
from tests.cases import each
from tests.engine.positions import after, refused, table, top_of


def first(cards: str) -> Combination:
    """Return the highest reading."""
    return readings(read_cards(cards.replace(",", " ")))[0]


def ranks(cards: str) -> list[int]:
    """Return the rank that each reading is compared by."""
    return [reading.rank for reading in readings(read_cards(cards))]


@each(
    "cards, kind, rank",
    [
        ("DOG", Kind.DOG, 0),
        ("MAHJONG", Kind.SINGLE, 1),
        ("S2", Kind.SINGLE, 2),
        ("TA", Kind.SINGLE, 14),
        ("DRAGON", Kind.SINGLE, 25),
        ("J2 S2", Kind.PAIR, 2),
        ("JA PHOENIX", Kind.PAIR, 14),
        ("J9 S9 T9", Kind.TRIPLE, 9),
        ("J9 S9 PHOENIX", Kind.TRIPLE, 9),
        ("J8 S8 J9 S9", Kind.STAIRS, 9),
        ("J8 S8 J9 PHOENIX", Kind.STAIRS, 9),
        ("J8 J9 S9 PHOENIX", Kind.STAIRS, 9),
        ("J2 S2 J3 S3 J4 S4 J5 S5 J6 S6 J7 S7 J8 S8", Kind.STAIRS, 8),
        ("JK SK JA SA", Kind.STAIRS, 14),
        ("J3 S3 P3 JA SA", Kind.FULL_HOUSE, 3),
        ("J3 S3 P3 JA PHOENIX", Kind.FULL_HOUSE, 3),
        ("J3 S3 JA SA PHOENIX", Kind.FULL_HOUSE, 14),
        ("J2 S3 J4 J5 J6", Kind.STRAIGHT, 6),
        ("MAHJONG J2 J3 J4 J5", Kind.STRAIGHT, 5),
        ("J10 SJ JQ JK JA", Kind.STRAIGHT, 14),
        ("MAHJONG J2 S3 J4 J5 J6 J7 J8 J9 J10 JJ JQ JK JA", Kind.STRAIGHT, 14),
        ("MAHJONG PHOENIX S3 J4 J5 J6 J7 J8 J9 J10 JJ JQ JK JA", Kind.STRAIGHT, 14),
        ("J4 J5 J6 J7 PHOENIX", Kind.STRAIGHT, 8),
        ("J2 S2 P2 T2", Kind.FOUR_BOMB, 2),
        ("J2 J3 J4 J5 J6", Kind.STRAIGHT_BOMB, 6),
        ("T2 T3 T4 T5 T6 T7 T8 T9 T10 TJ TQ TK TA", Kind.STRAIGHT_BOMB, 14),
    ],
)
def test_shapes(cards: str, kind: Kind, rank: int) -> None:
    """N13, N14, N15, N16, N25, N43, N53, N54, N62."""
    found = first(cards)
    assert (found.kind, found.rank, found.size) == (kind, rank, len(cards.split()))
    assert found.is_bomb == (kind in BOMBS)
    assert cards_text(found.cards) == cards_text(read_cards(cards))


@each(
    "cards",
    [
        "J2 S3",  # a pair of different ranks
        "J2 S2 P3",
        "MAHJONG J2",
        "MAHJONG PHOENIX",
        "DRAGON PHOENIX",
        "DOG PHOENIX",
        "DRAGON DOG",
        "DRAGON JA",
        "J8 S8 P8 PHOENIX",  # four cards of one rank with the Phoenix
        "J8 S8 P8 T8 PHOENIX",
        "J8 S8 P8 T8 J9",
        "J8 S8 J10 S10",  # pairs with a gap
        "JA SA J2 S2",
        "J2 S2 J3 S3 J4",
        "J2 S2 J3 J4 PHOENIX",
        "J2 S3 P4 T5",  # four in a row
        "J2 S3 P4 PHOENIX",
        "JA S2 P3 T4 J5",
        "JQ SK PA T2 J3",
        "J2 S3 P4 T5 J7",
        "J2 S3 P4 T7 PHOENIX",
        "J3 S3 P4 T5 J6 S7",
        "DRAGON J10 SJ JQ JK",
        "DRAGON J10 SJ JQ JK JA",
        "DOG J2 S3 J4 J5",
        "MAHJONG S3 J4 J5 J6",
        "MAHJONG J2 S2 J3 S3",
        "J2 S2 P2 J3 S3 P3",  # two triples
    ],
)
def test_nothing_at_all(cards: str) -> None:
    """N13, N14, N15, N16, N43, N48, N54."""
    assert readings(read_cards(cards)) == ()
    match = table("LEAD A", hands={"A": cards})
    refused(match, f"A play:{cards.replace(' ', ',')}", "no-combination", "N13")


@each(
    "cards, expected",
    [
        ("J5 S6 P7 T8 PHOENIX", [9, 8]),
        ("J2 S3 P4 T5 PHOENIX", [6]),
        ("MAHJONG S2 P3 T4 PHOENIX", [5]),
        ("J10 SJ PQ TK PHOENIX", [14, 13]),
        ("JJ SQ PK TA PHOENIX", [14]),
        ("J5 S6 P8 T9 PHOENIX", [9]),
        ("J8 S8 J9 S9 PHOENIX", [9, 8]),
        ("J8 S8 P8 J9 PHOENIX", [8]),
        ("J8 J9 S9 P9 PHOENIX", [9]),
        ("J8 J9 S9 PHOENIX", [9]),
        ("J3 S4 P5 T6 J7 S8 PHOENIX", [9, 8]),
        ("J2 S3 P4 T5 J6 S7 P8 T9 J10 SJ PQ TK JA", [14]),
        ("PHOENIX S3 P4 T5 J6 S7 P8 T9 J10 SJ PQ TK JA", [14]),
        ("J2 S3 P4 T5 J6 S7 P8 T9 J10 SJ PQ TK JA PHOENIX", []),
    ],
)
def test_readings_of_a_phoenix(cards: str, expected: list[int]) -> None:
    """N43, N46: the highest reading first."""
    assert ranks(cards) == expected
    for reading in readings(read_cards(cards)):
        assert read_play(write_combination(reading)) == (reading.cards, reading.phoenix or None)


@each("cards", ["J4 J5 J6 J7 PHOENIX", "MAHJONG S2 S3 S4 S5"])
def test_no_suit_is_lent(cards: str) -> None:
    """N54, N62: with Phoenix or Mah Jong a one-suited run is a plain straight."""
    assert {reading.kind for reading in readings(read_cards(cards))} == {Kind.STRAIGHT}


ASCENDING = [
    "J2,S2,P2,T2",
    "J3,S3,P3,T3",
    "JA,SA,PA,TA",
    "J2,J3,J4,J5,J6",
    "P3,P4,P5,P6,P7",
    "T10,TJ,TQ,TK,TA",
    "S2,S3,S4,S5,S6,S7",
    "S9,S10,SJ,SQ,SK,SA",
    "J2,J3,J4,J5,J6,J7,J8",
    "T2,T3,T4,T5,T6,T7,T8,T9,T10,TJ,TQ,TK,TA",
]


def test_the_order_of_bombs() -> None:
    """N55."""
    for low, high in combinations(map(first, ASCENDING), 2):
        assert beats(high, low)
        assert not beats(low, high)
    for cards in ASCENDING:
        assert not beats(first(cards), first(cards))
    assert not beats(first("T2,T3,T4,T5,T6"), first("J2,J3,J4,J5,J6"))


ORDINARY = [
    "MAHJONG",
    "JA",
    "PHOENIX",
    "DRAGON",
    "JA,SA",
    "JA,SA,PA",
    "JK,SK,JA,SA",
    "JA,SA,PA,JK,SK",
    "J10,SJ,PQ,TK,JA",
    "S9,J10,SJ,PQ,TK,JA",
]


@each("cards", ORDINARY)
def test_every_bomb_beats_every_other_shape(cards: str) -> None:
    """N17, N47, N55: and no other shape beats a bomb or another shape."""
    top = first(cards)
    for bomb in map(first, ASCENDING):
        assert beats(bomb, top)
        assert not beats(with_key_on(top, bomb), bomb)
    for other in map(first, ORDINARY):
        if (other.kind, other.size) != (top.kind, top.size):
            assert not beats(other, top)


def test_suits_do_not_rank() -> None:
    """N2, N17."""
    for suit, other in ("JS", "SP", "PT", "TJ"):
        assert not beats(first(f"{suit}9"), first(f"{other}9"))
    assert not beats(first("J9,S9"), first("P9,T9"))
    assert beats(first("J10,S10"), first("P9,T9"))


@each(
    "top, value, falls_to, holds_against",
    [
        ("S2", 5, "S3", "J2"),
        ("S8", 17, "S9", "J8"),
        ("SK", 27, "SA", "JK"),
        ("SA", 29, "DRAGON", "JA"),
        ("MAHJONG", 3, "S2", "MAHJONG"),
    ],
)
def test_value_of_a_phoenix(top: str, value: int, falls_to: str, holds_against: str) -> None:
    """N44, N45."""
    phoenix = with_key_on(first("PHOENIX"), first(top))
    assert phoenix.key == value
    assert beats(phoenix, first(top))
    assert beats(first(falls_to), phoenix)
    assert not beats(first(holds_against), phoenix)
    assert not beats(with_key_on(first("PHOENIX"), first("DRAGON")), first("DRAGON"))


def test_the_phoenix_alone_has_no_stated_rank() -> None:
    """N44, N46."""
    match = table("TURN B", hands={"B": "PHOENIX +4"}, trick="A S8")
    refused(match, "B play:PHOENIX=9", "phoenix-rank", "N46")
    assert top_of(after(match, "B play:PHOENIX")).phoenix == ()


@each("rank", [-1, 0, 1, 15, 99])
def test_the_phoenix_stands_for_no_rank_that_does_not_exist(rank: int) -> None:
    """N43, N46."""
    match = table("LEAD A", hands={"A": "S8 PHOENIX +4"})
    action = Play(0, read_cards("S8 PHOENIX"), (rank,))
    with pytest.raises(AmbiguousAction) as error:
        verify(match, action)
    assert (error.value.code, error.value.rule) == ("phoenix-rank", "N46")
    assert not can(match, action)


@each("rank", [-1, 0, 1, 15, 99])
def test_no_rank_is_wished_for_that_does_not_exist(rank: int) -> None:
    """N26."""
    match = table("LEAD A", hands={"A": "MAHJONG +4"})
    with pytest.raises(IllegalAction) as error:
        verify(match, Play(0, read_cards("MAHJONG"), None, rank))
    assert (error.value.code, error.value.rule) == ("wish-rank", "N26")


def test_an_ambiguous_full_house() -> None:
    """N46: stated or highest."""
    lead = table("LEAD A", hands={"A": "J8 S8 J9 S9 PHOENIX"})
    assert top_of(after(lead, "A play:J8,S8,J9,S9,PHOENIX")).rank == 9
    assert top_of(after(lead, "A play:J8,S8,J9,S9,PHOENIX=8")).rank == 8
    refused(lead, "A play:J8,S8,J9,S9,PHOENIX=7", "phoenix-rank", "N46")
    match = table("TURN B", hands={"B": "J8 S8 J9 S9 PHOENIX"}, trick="A S3,P3,T3,JK,SK")
    assert top_of(after(match, "B play:J8,S8,J9,S9,PHOENIX")).rank == 9
    assert top_of(after(match, "B play:J8,S8,J9,S9,PHOENIX=8")).rank == 8
    match = table("TURN B", hands={"B": "J8 S8 J10 S10 PHOENIX"}, trick="A J9,S9,P9,JK,SK")
    assert top_of(after(match, "B play:J8,S8,J10,S10,PHOENIX")).rank == 10
    refused(match, "B play:J8,S8,J10,S10,PHOENIX=8", "does-not-beat", "N17")


@each(
    "trick, hand, step, code, rule",
    [
        ("A S8", "S9 P9", "B play:S9,P9", "does-not-beat", "N17"),
        ("A S8,P8", "S9", "B play:S9", "does-not-beat", "N17"),
        ("A S8,P8", "J10", "B play:J10,SA", "not-held", "N13"),
        ("A S8", "JA PA", "B play:TA", "not-held", "N13"),
        ("A S8,P8", "T8 J8", "B play:T8,J8", "does-not-beat", "N17"),
        ("A S8,P8,S9,P9", "T8 J8 T9 J9", "B play:T8,J8,T9,J9", "does-not-beat", "N17"),
        ("A S8,P8,S9,P9", "T9 J9 T10 J10", "A play:S2", "not-your-turn", "N17"),
        ("A DRAGON", "PHOENIX SA", "B play:PHOENIX", "phoenix-on-dragon", "N45"),
        ("A DRAGON", "PHOENIX SA", "B play:PHOENIX,SA", "does-not-beat", "N17"),
        ("A J2,S2,P2,T2", "DRAGON", "B play:DRAGON", "does-not-beat", "N55"),
        ("A J3,S3,P3,T3", "J2 S2 P2 T2", "B play:J2,S2,P2,T2", "does-not-beat", "N55"),
    ],
)
def test_what_does_not_follow(trick: str, hand: str, step: str, code: str, rule: str) -> None:
    """N17, N45, N55."""
    match = table("TURN B", hands={"B": hand + " +4", "A": "+5"}, trick=trick)
    refused(match, step, code, rule)


@each(
    "trick, hand",
    [
        ("S8,P8", "T9 PHOENIX"),
        ("S8,P8,T8", "S9 P9 PHOENIX"),
        ("S8,P8,S9,P9", "T9 J9 T10 PHOENIX"),
        ("S8,P8,T8,S2,P2", "S9 P9 T9 JA SA"),
        ("S8,P8,T8,SA,PA", "S9 P9 T9 S2 PHOENIX"),
        ("MAHJONG,S2,P3,T4,J5", "J2 S3 P4 T5 J6"),
        ("S8,P8", "J2 S2 P2 T2"),
        ("DRAGON", "J2 J3 J4 J5 J6"),
    ],
)
def test_what_follows(trick: str, hand: str) -> None:
    """N17, N43, N55."""
    match = table("TURN B", hands={"B": hand + " +4"}, trick=f"A {trick}")
    match = after(match, f"B play:{hand.replace(' ', ',')}")
    assert cards_text(top_of(match).cards) == cards_text(read_cards(hand))
