"""Decisions of the Novice in Trichu, Tientsin and Grand Seigneur."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from engine import DRAGONS, cards_text, read_cards, readings, view
from players.novice.outlook import Outlook
from tests.players.novice.table import decision, position


def gifts(hand: str, game: str, *lines: str, seat: int = 0, size: int = 9) -> Mapping[str, str]:
    """Return the gifts of a seat as texts by receiver."""
    sizes = dict.fromkeys(range(12), size)
    text = decision("EXCHANGE 0", hand, sizes=sizes, lines=lines, game=game, seat=seat)
    assert text is not None
    given: dict[str, str] = {}
    for part in text.removeprefix("pass-cards:").split(","):
        card, to = part.split(">")
        given[to] = f"{given[to]} {card}" if to in given else card
    return given


# --- Tientsin: partners 2 and 4, opponents 1, 3 and 5

SIX = "tientsin"


def test_tientsin_exchange_is_with_the_partners_alone_and_helps_a_caller() -> None:
    hand = "J2 S4 P6 J8 S8 T9 SQ PK DRAGON"
    assert set(gifts(hand, SIX)) == {"2", "4"}
    assert gifts(hand, SIX, "calls - - - - grand -")["4"] == "DRAGON"


def test_tientsin_dog_goes_to_a_caller_else_to_the_partner_with_the_fewest_cards() -> None:
    hand = "DOG J3 S3 P9 JA"
    calls = ["calls - - - - tichu -"]
    assert decision("LEAD 0", hand, game=SIX, lines=calls, sizes={2: 1}) == "play:DOG to=4"
    sizes = {2: 5, 4: 2}
    assert decision("LEAD 0", "DOG", game=SIX, sizes=sizes) == "play:DOG to=4"
    lines = ["out 4"]
    assert decision("LEAD 0", "DOG", game=SIX, sizes={4: 0}, lines=lines) == "play:DOG to=2"
    assert decision("LEAD 0", "DOG", game=SIX, sizes={2: 0, 4: 0}, lines=["out 4 2"]) == "play:DOG"


def test_tientsin_dragon_trick_goes_to_the_weakest_of_three_opponents() -> None:
    trick = "0 DRAGON | 1 pass | 2 pass | 3 pass | 4 pass | 5 pass"
    sizes = {1: 4, 3: 7, 5: 2}
    assert decision("GIFT 0", "J3 S5", trick=trick, sizes=sizes, game=SIX) == "give:3"
    assert decision("GIFT 0", "J3 S5", trick=trick, sizes={1: 6, 3: 2, 5: 6}, game=SIX) == "give:5"


def test_tientsin_does_not_beat_either_partner_without_reason() -> None:
    hand = "J3 J5 P5 S8 DRAGON PHOENIX"
    for partner, trick in ((2, "2 TA | 3 pass | 4 pass | 5 pass"), (4, "4 TA | 5 pass")):
        assert decision("TURN 0", hand, trick=trick, game=SIX) == "pass", partner


def test_tientsin_grand_tichu_with_six_very_strong_cards_only() -> None:
    lines = ["answers - - - - - -"]
    sizes = dict.fromkeys(range(6), 6)
    for hand, answer in (("JA SA DRAGON PHOENIX J3 P9", "yes"), ("JA SA TK J4 J3 P9", "no")):
        found = decision("GRAND 0", hand, lines=lines, game=SIX, sizes=sizes)
        assert found == f"grand:{answer}"


def test_tientsin_mahjong_wishes_a_high_rank_that_others_have() -> None:
    assert decision("LEAD 0", "MAHJONG J9 PQ SA", game=SIX) == "play:MAHJONG wish=K"


# --- Trichu: seat 0 deals and plays with the Table (3) against 1 and 2

FOURTEEN = "J2 S4 P6 J8 S8 P8 T8 J9 S9 J10 SQ PK JA DRAGON"


@pytest.mark.parametrize("seat, receivers", [(0, {"1", "2"}), (3, {"1", "2"}), (1, {"0", "3"})])
def test_trichu_exchange_gives_low_singles_to_opponents_only(
    seat: int, receivers: set[str]
) -> None:
    given = gifts(FOURTEEN, "trichu", seat=seat, size=14)
    assert set(given) == receivers
    assert set(given.values()) <= {"J2", "S4", "P6"}


def test_trichu_table_is_free_of_wishes() -> None:
    hand = "J3 S7 J9 P9 SA"
    for policy in ("enforced", "penalty"):
        found = decision(
            "TURN 3", hand, trick="2 T4", game="trichu", seat=3, lines=["wish A"], wishes=policy
        )
        assert found == "play:S7"
        bound_by_wish = decision("TURN 0", hand, trick="2 T4", game="trichu", lines=["wish A"])
        assert bound_by_wish == "play:SA"


def test_trichu_wishes_from_who_is_bound_by_it() -> None:
    """The Table sits next to seat 1, but no wish binds it."""
    lines = ["hand 3 J2 T2 P5", "given 1 0:S8 3:J2"]
    found = decision("LEAD 1", "MAHJONG J9 PQ SA", game="trichu", seat=1, lines=lines)
    assert found == "play:MAHJONG wish=8"


def test_trichu_dealer_and_table_play_together() -> None:
    hand = "J3 J5 P5 S8 T8 PJ DRAGON PHOENIX"
    for seat, partner, opponent in ((0, 3, 2), (3, 0, 1)):
        trick = f"{partner} TA | {opponent} pass"
        assert decision(f"TURN {seat}", hand, trick=trick, game="trichu", seat=seat) == "pass"


def test_trichu_dealer_may_call_for_the_table() -> None:
    strong = "S2 P3 J4 S5 P6 J9 S9 P9 JK SK JA SA DRAGON PHOENIX"
    sizes = dict.fromkeys(range(4), 14)
    assert decision("LEAD 3", strong, sizes=sizes, game="trichu", seat=3) == "tichu"


def test_trichu_reckons_with_the_open_hand_of_the_table() -> None:
    king = readings(read_cards("JK"))[0]
    held = {}
    for table in ("J2 S2 P3 T4", "J2 S2 P3 TA"):
        match = position("LEAD 1", "JK S5", lines=[f"hand 3 {table}"], game="trichu", seat=1)
        outlook = Outlook(view(match, 1), 1)
        assert not outlook.unseen & read_cards(table)
        held[table] = outlook.win_chance(king)
    assert held["J2 S2 P3 TA"] < held["J2 S2 P3 T4"]


# --- Grand Seigneur: seat 0 is the Great Lord ... the last seat the Wretch


def ranked(players: int) -> str:
    """Return the line of a first round in which the seats went out in their order."""
    result = {
        "number": 1,
        "dealer": 0,
        "out": list(range(players - 1)),
        "calls": [],
        "cards": [],
        "score": [],
        "totals": [],
        "sweep": False,
        "penalty": None,
    }
    return f"result {json.dumps(result)}"


def seigneur(players: int) -> str:
    return f'grandseigneur {{"players": {players}}}'


def lords(hand: str, seat: int, players: int = 6) -> set[str]:
    """Return the cards that a seat gives in the second round."""
    dealer = f"round 2 dealer {players - 1}"
    given = gifts(hand, seigneur(players), ranked(players), dealer, seat=seat)
    (text,) = given.values()
    return set(text.split())


def test_seigneur_gives_its_best_cards_upwards() -> None:
    hand = "J3 S5 P9 J10 TQ SA MAHJONG PHOENIX DRAGON"
    assert lords(hand, 5) == {"DRAGON", "PHOENIX", "MAHJONG"}
    assert lords(hand, 4) == {"DRAGON", "PHOENIX"}
    assert lords(hand, 3) == {"DRAGON"}


def test_seigneur_keeps_a_straight_bomb_whole_where_cards_are_equal() -> None:
    assert lords("S6 S7 S8 S9 S10 J10 J2 P3 T4", 3) == {"J10"}
    assert lords("S6 S7 S8 S9 S10 J10 T10 P3 DRAGON", 5) == {"DRAGON", "J10", "T10"}


def test_seigneur_gives_low_singles_back_downwards() -> None:
    hand = "J2 S4 P6 J8 S8 P8 TK JA DRAGON"
    assert lords(hand, 0) == {"J2", "S4", "P6"}
    assert len(lords(hand, 1)) == 2
    assert lords(hand, 2) < {"J2", "S4", "P6"}


def test_seigneur_with_two_decks_knows_what_is_still_out() -> None:
    lines = ["left-over J2 S2 DRAGON"]
    sizes = dict.fromkeys(range(8), 12)
    match = position("LEAD 0", "J3 S3 PA DRAGON#2", "-", sizes, lines, game=seigneur(8))
    outlook = Outlook(view(match, 0), 0)
    assert not outlook.unseen & DRAGONS
    assert outlook.unseen.bit_count() == 109 - 3 - 4
    assert outlook.win_chance(readings(read_cards("DRAGON#2"))[0]) == 1.0
    match = position("LEAD 0", "J3 S3 PA DRAGON#2", "-", sizes, game=seigneur(8))
    outlook = Outlook(view(match, 0), 0)
    assert cards_text(outlook.unseen & DRAGONS) == "DRAGON"
    assert outlook.win_chance(readings(read_cards("DRAGON#2"))[0]) < 1.0


def test_seigneur_plays_the_second_dragon_on_the_first_to_go_out() -> None:
    trick = "7 DRAGON"
    assert decision("TURN 0", "DRAGON#2", trick=trick, game=seigneur(8)) == "play:DRAGON#2"


def test_seigneur_follows_cheaply_and_keeps_its_best_cards() -> None:
    hand = "J3 J5 S8 PJ TQ S9 T9 TA DRAGON"
    game = seigneur(6)
    assert decision("TURN 0", hand, trick="5 T6", game=game) == "play:S8"
    low = "J3 J5 J7 S7 P9 S9 TQ PQ DRAGON"
    assert decision("TURN 0", low, trick="5 TK", game=game) == "pass"


def test_seigneur_throws_no_bomb_just_to_stop_one_of_many() -> None:
    hand = "J8 S8 P8 T8 J2 S3 P4 P5"
    game = seigneur(6)
    assert decision("WINDOW 0", hand, trick="5 TK", sizes={5: 1}, game=game) == "waive"
    assert decision("WINDOW 0", "J8 S8 P8 T8", trick="5 TK", game=game) == "bomb:J8,S8,P8,T8"
