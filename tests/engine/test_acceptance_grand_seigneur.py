"""Acceptance scenarios A95-A106: Grand Seigneur."""
# ruff: noqa: N802 - a test is called after its scenario

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from bench.walks import random_deck
from engine import (
    SPECIALS,
    DragonGiven,
    IllegalAction,
    Kind,
    Match,
    MatchEnded,
    Options,
    RoundDealt,
    card_text,
    deal,
    view,
)
from tests.cases import each
from tests.engine.positions import (
    NAMES,
    after,
    cards_in,
    dealt,
    exchanged,
    outcome,
    phase_of,
    ranks_of,
    refused,
    result_of,
    round_of,
    seat_of,
    started_match,
    table,
    top_of,
)

SIX = "P4 P2 P6 P1 P5 P3"
"""A hierarchy of six, the Great Lord first."""


def seats(names: str) -> tuple[int, ...]:
    """Return the seats with these names."""
    return tuple(map(seat_of, names.split()))


@each(
    "players, cards, specials",
    [
        (6, 55, {"MAHJONG": 1, "PHOENIX": 1, "DRAGON": 1}),
        (7, 109, {"MAHJONG": 1, "PHOENIX": 2, "DRAGON": 2}),
    ],
)
def test_A95_cards_players_and_no_points(
    players: int, cards: int, specials: dict[str, int]
) -> None:
    """G1, G2, G3, G9."""
    match = dealt(variant="grandseigneur", options={"players": players})
    deck = match.variant.deck(match.options)
    assert len(deck) == len(set(deck)) == cards
    found = Counter(card_text(card).partition("#")[0] for card in deck if card % 56 in SPECIALS)
    assert found == specials
    if players == 6:
        assert [hand.size for hand in round_of(match).hands] == [9] * 6
        assert round_of(match).opening.left_over.bit_count() == 1
    for wrong in (-1, 0, 4, 13, 112):
        with pytest.raises(IllegalAction) as error:
            Options("grandseigneur", players=wrong)
        assert (error.value.code, error.value.rule) == ("option", "G1")
    leader = phase_of(match).split()[1]
    refused(match, f"{leader} tichu", "no-calls", "G2")
    refused(match, f"{leader} grand:yes", "no-calls", "G2")
    assert match.totals == ()


SIZES = {
    (5, 0): ([11] * 5, 0),
    (6, 0): ([9] * 6, 1),
    (5, 2): ([12] * 5, 49),
    (6, 2): ([12] * 6, 37),
    (7, 0): ([12] * 7, 25),
    (8, 0): ([12] * 8, 13),
    (9, 0): ([12] * 9, 1),
    (10, 0): ([11] * 8 + [10] * 2, 1),
    (11, 0): ([10] * 10 + [9], 0),
    (12, 0): ([10] + [9] * 11, 0),
}


@each("players, decks", SIZES)
@each("direction", ["anticlockwise", "clockwise"])
def test_A96_hands_and_left_over_cards(players: int, decks: int, direction: str) -> None:
    """G7, G8, G9, G10, C26: the player after the dealer takes first, the dealer last.

    In the first round and by rank; left-over cards lie open.
    """
    sizes, left_over = SIZES[players, decks]
    options = {"players": players, "decks": decks, "direction": direction}
    for ranks in ("", ranks_of(players)):
        match = started_match("grandseigneur", options, "P2", ranks)
        for seed in range(3):
            round_, events = deal(match, random_deck(match, Random(seed)))
            dealer = match.variant.next_dealer(match) if ranks else 1
            assert events[0] == RoundDealt(len(match.results) + 1, dealer)
            order = round_of(round_).seating.order
            takers = (*order[1:], order[0])
            assert takers[-1] == dealer
            assert [round_of(round_).hands[seat].size for seat in takers] == sizes
            assert len(set(cards_in(round_))) == (109 if sum(sizes) + left_over > 55 else 55)
            aside = round_of(round_).opening.left_over
            assert aside.bit_count() == left_over
            for viewer in (*range(players), None):
                assert view(round_, viewer).left_over == aside


SEVEN = {"players": 7}


def test_A98_the_second_dragon_beats_the_first() -> None:
    """G4, G29."""
    match = table(
        "TURN P2",
        variant="grandseigneur",
        options=SEVEN,
        hands={"P2": "DRAGON#2 +5"},
        trick="P1 DRAGON",
    )
    laid = after(match, "P2 play:DRAGON#2")
    assert top_of(laid).is_dragon
    assert round_of(laid).top_seat == seat_of("P2")
    lead = table(
        "LEAD P1", variant="grandseigneur", options=SEVEN, hands={"P1": "DRAGON DRAGON#2 +3"}
    )
    refused(lead, "P1 play:DRAGON,DRAGON#2", "no-combination", "N13")
    match = table(
        "TURN P2", variant="grandseigneur", options=SEVEN, hands={"P2": "SK#2 +5"}, trick="P1 SK"
    )
    refused(match, "P2 play:SK#2", "does-not-beat", "N17")


def test_A99_four_of_a_rank_in_four_suits() -> None:
    """G5."""
    match = table(
        "LEAD P1",
        variant="grandseigneur",
        options=SEVEN,
        hands={"P1": "J8 J8#2 S8 P8 T8 +3"},
    )
    refused(match, "P1 play:J8,J8#2,S8,P8", "no-combination", "N13")
    assert top_of(after(match, "P1 play:J8,S8,P8,T8")).kind is Kind.FOUR_BOMB
    assert top_of(after(match, "P1 play:J8#2,S8,P8,T8")).kind is Kind.FOUR_BOMB
    assert top_of(after(match, "P1 play:J8,J8#2,S8")).kind is Kind.TRIPLE


def test_A100_ranks_and_seats() -> None:
    """G6, G11, G12, G13, G14."""
    first = dealt(variant="grandseigneur", dealer="P3")
    assert phase_of(first).startswith("LEAD")
    match = table(
        "LEAD P5",
        variant="grandseigneur",
        hands={"P5": "S3", "P3": "S4"},
        out="P4 P2 P6 P1",
    )
    match = after(match, "P5 play:S3")
    assert view(match, None).hierarchy == seats(SIX)
    match, _ = deal(match, match.variant.deck(match.options))
    assert round_of(match).dealer == seat_of("P3")
    assert view(match, None).hierarchy == seats(SIX)
    great_lord = seat_of("P4")
    turns = (great_lord, *round_of(match).seating.after(great_lord)[:-1])
    assert turns == seats("P4 P3 P5 P1 P6 P2")


HANDS = {"P3": "DRAGON PHOENIX MAHJONG SK", "P5": "SA PA TK", "P1": "SQ PQ T9"}


def gifts_of(match: Match, name: str) -> list[tuple[int, int]]:
    """Return the number of cards that a seat gives, by receiver."""
    return [(gift.receiver, gift.number) for gift in view(match, seat_of(name)).gifts]


def test_A101_the_best_cards_go_up() -> None:
    """G15, G16, G20."""
    match = dealt(variant="grandseigneur", hands=HANDS, ranks=SIX)
    assert phase_of(match) == "EXCHANGE"
    after(match, "P3 pass-cards:DRAGON>P4,PHOENIX>P4,MAHJONG>P4")
    refused(match, "P3 pass-cards:DRAGON>P4,PHOENIX>P4,SK>P4", "exchange-forced", "G16")
    after(match, "P5 pass-cards:SA>P2,PA>P2")
    refused(match, "P5 pass-cards:SA>P2,TK>P2", "exchange-forced", "G16")
    after(match, "P1 pass-cards:SQ>P6")
    after(match, "P1 pass-cards:PQ>P6")
    refused(match, "P1 pass-cards:T9>P6", "exchange-forced", "G16")
    nine = " ".join(NAMES["grandseigneur"][:9])
    match = dealt(variant="grandseigneur", options={"players": 9}, ranks=nine)
    for low, high, number in (("P9", "P1", 3), ("P8", "P2", 2), ("P7", "P3", 1)):
        assert gifts_of(match, low) == [(seat_of(high), number)]
        assert gifts_of(match, high) == [(seat_of(low), number)]
    for middle in ("P4", "P5", "P6"):
        assert gifts_of(match, middle) == []
        refused(match, f"{middle} pass-cards:J2>P1", "nothing-to-give", "G15")


def test_A102_five_players_give_one_card_less() -> None:
    """G17."""
    match = dealt(variant="grandseigneur", options={"players": 5}, ranks="P2 P3 P4 P5 P1")
    assert gifts_of(match, "P1") == [(seat_of("P2"), 2)]
    assert gifts_of(match, "P5") == [(seat_of("P3"), 1)]
    assert gifts_of(match, "P4") == []


def test_A104_lead_wish_and_bombs() -> None:
    """G21, G22, G23."""
    match = dealt(variant="grandseigneur", ranks=SIX, hands={"P2": "MAHJONG"})
    assert phase_of(exchanged(match)) == "LEAD P2"
    match = dealt(variant="grandseigneur", ranks=SIX, hands={"P4": "MAHJONG J2 S2"})
    match = exchanged(match, "P4 pass-cards:MAHJONG>P3,J2>P3,S2>P3")
    assert phase_of(match) == "LEAD P3"
    lead = table(
        "LEAD P2",
        variant="grandseigneur",
        ranks=SIX,
        hands={
            "P2": "MAHJONG +5",
            "P4": "S2 +5",
            "P3": "JJ +5",
            "P6": "J3 S3 P3 T3 +2",
        },
    )
    match = after(lead, "P2 play:MAHJONG wish=J", "clock close")
    assert phase_of(match) == "TURN P4"  # the Great Lord comes after the Lord
    match = after(match, "P4 pass")
    refused(match, "P3 pass", "wish-duty", "N28")
    assert phase_of(after(match, "P3 play:JJ")) == "WINDOW P5"
    bombed = after(match, "P6 bomb:J3,S3,P3,T3")
    assert phase_of(bombed) == "WINDOW P2"
    refused(lead, "P6 bomb:J3,S3,P3,T3", "lead-not-bombable", "N58")


def test_A105_a_dragons_trick_is_thrown_away() -> None:
    """G24, G25, G26."""
    for dragons, following in (("DRAGON +3", "P1"), ("DRAGON", "P2")):
        match = table("LEAD P1", variant="grandseigneur", options=SEVEN, hands={"P1": dragons})
        match, events = outcome(match, "P1 play:DRAGON")
        passes = 0
        while not phase_of(match).startswith("LEAD"):
            step = "clock close"
            if phase_of(match).startswith("TURN"):
                step, passes = f"{phase_of(match).split()[1]} pass", passes + 1
            match, events = outcome(match, step)
            assert not any(isinstance(event, DragonGiven) for event in events)
        assert passes == 6
        assert phase_of(match) == f"LEAD {following}"
        assert round_of(match).discards == 1 << 55
        assert round_of(match).piles == (0,) * 7
    match = table(
        "LEAD P5", variant="grandseigneur", hands={"P5": "S3", "P3": "S4"}, out="P4 P2 P6 P1"
    )
    result = result_of(after(match, "P5 play:S3"))
    assert result.out == seats("P4 P2 P6 P1 P5")
    assert (result.cards, result.score, result.totals) == ((), (), ())


def test_A106_the_end_of_the_game() -> None:
    """G27, G30."""
    for rounds, ended in ((3, True), (4, False), (0, False)):
        match = table(
            "LEAD P5",
            variant="grandseigneur",
            options={"rounds": rounds},
            hands={"P5": "S3", "P3": "S4"},
            out="P4 P2 P6 P1",
        )
        refused(match, "clock stop", "no-stop-vote", "G27")
        earlier = result_of(after(match, "P5 play:S3"))
        match, events = outcome(match._replace(results=(earlier,) * 2), "P5 play:S3")
        assert (match.winners == (seat_of("P4"),)) == ended
        assert isinstance(events[-1], MatchEnded) == ended
        assert view(match, None).hierarchy == seats(SIX)
        if rounds:
            refused(match, "clock stop", "no-stop-vote", "G27")
        else:
            match = after(match, "clock stop")
            assert match.winners == (seat_of("P4"),)
            assert phase_of(match) == "MATCH_END"
