"""Decisions of the Novice: seat 0, its partner 2, its opponents 1 and 3."""

from __future__ import annotations

import pytest

from tests.players.novice.table import decision

STRONG = "JA SA PA DRAGON PHOENIX JK S3 P3"
WEAK = "J2 S4 P6 T7 J9 S10 PQ DOG"


# --- Before the first lead


@pytest.mark.parametrize("hand, answer", [(STRONG, "grand:yes"), (WEAK, "grand:no")])
def test_grand_tichu_only_with_very_strong_cards(hand: str, answer: str) -> None:
    assert decision("GRAND 0", hand, lines=["answers - - - -"]) == answer


def test_withdraws_a_call_made_together_with_the_partner() -> None:
    lines = ["answers yes no yes no", "calls grand - grand -", "asked 0"]
    assert decision("GRAND 0", STRONG, lines=lines) == "withdraw:yes"


HAND = "J2 S4 P6 J8 S8 P8 T8 J9 S9 J10 SQ PK JA DRAGON"


def gifts(hand: str, *lines: str) -> dict[str, str]:
    text = decision("EXCHANGE 0", hand, sizes={1: 14, 2: 14, 3: 14}, lines=lines)
    assert text is not None
    parts = text.removeprefix("pass-cards:").split(",")
    return {to: card for card, to in (part.split(">") for part in parts)}


def test_exchange_gives_low_singles_to_opponents_and_a_good_card_to_the_partner() -> None:
    given = gifts(HAND)
    assert {given["1"], given["3"]} <= {"J2", "S4", "P6"}
    assert given["2"] in {"PK", "JA"}


def test_exchange_gives_a_calling_partner_the_best() -> None:
    assert gifts(HAND, "calls - - grand -")["2"] == "DRAGON"


def test_exchange_leaves_bombs_whole() -> None:
    hand = "J2 S2 P2 T2 J3 S3 P3 T3 J4 S4 P4 T4 JA SA"
    assert gifts(hand)["2"] in {"JA", "SA"}  # two cards are spare: then a bomb has to go
    bombs_and_three = "J2 S2 P2 T2 J3 S3 P3 T3 P9 T9 PJ"
    assert set(gifts(bombs_and_three).values()) == {"P9", "T9", "PJ"}


def test_exchange_is_not_repeated() -> None:
    lines = ["given 0 1:J2 2:PK 3:S4", "answers no no no no"]
    assert decision("EXCHANGE 0", HAND, lines=lines) is None


# --- Calls


def test_calls_tichu_with_a_clearly_strong_hand_before_its_first_card() -> None:
    strong = "S2 P3 J4 S5 P6 J9 S9 P9 JK SK JA SA DRAGON PHOENIX"
    sizes = {1: 14, 2: 14, 3: 14}
    assert decision("LEAD 0", strong, sizes=sizes) == "tichu"
    assert decision("LEAD 0", f"{WEAK} J3 S5 PJ TJ SK TK", sizes=sizes) != "tichu"
    called = decision("LEAD 0", strong, sizes=sizes, lines=["calls tichu - - -"])
    assert called is not None
    assert called.startswith("play:")
    assert decision("LEAD 0", strong, sizes=sizes, lines=["calls - - tichu -"]) != "tichu"


def test_calls_tichu_only_early_and_against_a_call_only_with_much_more() -> None:
    good = "S2 P3 J4 S5 P6 J9 S9 P9 JQ PQ P8 JA SA DRAGON"
    early, late = {1: 14, 2: 14, 3: 9}, {1: 14, 2: 14, 3: 7}
    assert decision("LEAD 0", good, sizes=early) == "tichu"
    assert decision("LEAD 0", good, sizes=late) != "tichu"
    calls = ["calls - - - tichu"]
    assert decision("LEAD 0", good, sizes=early, lines=calls) != "tichu"
    best = "S2 P3 J4 S5 P6 J9 S9 P9 JK SK JA SA DRAGON PHOENIX"
    assert decision("LEAD 0", best, sizes=early, lines=calls) == "tichu"


# --- Leading


def test_leads_long_and_low_first() -> None:
    hand = "J3 S4 P5 J6 S7 TQ PK JA"
    assert decision("LEAD 0", hand, sizes={1: 5}) == "play:J3,S4,P5,J6,S7"


def test_wishes_the_rank_it_passed_to_the_next_opponent() -> None:
    lines = ["given 0 1:J3 2:PK 3:S4"]
    assert decision("LEAD 0", "MAHJONG J9 PQ SA", lines=lines) == "play:MAHJONG wish=3"
    lines = ["given 0 1:DOG 2:PK 3:S4"]
    assert decision("LEAD 0", "MAHJONG J9 PQ SA", lines=lines) == "play:MAHJONG"


def test_wishes_no_card_that_has_been_played_since() -> None:
    lines = ["given 0 1:J3 2:PK 3:S4", "past 1 J3 | 2 pass | 3 pass | 0 pass => 1"]
    assert "wish" not in str(decision("LEAD 0", "MAHJONG J9 PQ SA", lines=lines))


def test_wishes_the_highest_rank_against_an_opponent_who_has_called() -> None:
    lines = ["given 0 1:J3 2:PK 3:S4", "calls - - - tichu"]
    assert decision("LEAD 0", "MAHJONG J9 PQ SK", lines=lines) == "play:MAHJONG wish=A"
    assert decision("LEAD 0", "MAHJONG J9 PQ SA", lines=lines) == "play:MAHJONG wish=K"
    lines = ["given 0 1:J3 2:PK 3:S4", "calls - - tichu -"]
    assert decision("LEAD 0", "MAHJONG J9 PQ SK", lines=lines) == "play:MAHJONG wish=3"


def test_leads_the_dog_to_a_partner_who_has_called() -> None:
    assert decision("LEAD 0", "DOG J3 S3 P9 JA", lines=["calls - - tichu -"]) == "play:DOG"


def test_leads_winners_and_then_its_one_loser() -> None:
    assert decision("LEAD 0", "DRAGON J4") == "play:DRAGON"
    assert decision("LEAD 0", "J4") == "play:J4"


def test_leads_no_single_to_an_opponent_with_one_card() -> None:
    assert decision("LEAD 0", "J4 J9 S9 PQ", sizes={1: 1}) == "play:J9,S9"


# --- Following


def test_follows_with_the_lowest_single_that_is_enough() -> None:
    hand = "J3 J5 S8 PJ JQ S9 T9 TA"
    assert decision("TURN 0", hand, trick="3 T6") == "play:S8"
    assert decision("TURN 0", hand, trick="3 T8") == "play:PJ"


@pytest.mark.parametrize(
    "hand, trick",
    [
        ("J8 S8 P8 T8 J2 S3 P4", "3 T6"),
        ("J8 S8 P8 T8 J2 S3 P4", "3 S6,T6"),
        ("J4 S5 P6 J7 S8 T2 P2", "3 T3"),
        ("J9 S9 J2 P2 J4 S4 T6 P6", "3 T7"),
    ],
    ids=["bomb by a single", "bomb by a pair", "straight", "pair"],
)
def test_does_not_tear_its_plays_apart(hand: str, trick: str) -> None:
    assert decision("TURN 0", hand, trick=trick) == "pass"


def test_keeps_its_strongest_cards_for_later() -> None:
    hand = "J3 J5 J7 S7 P9 S9 TQ PQ DRAGON"
    assert decision("TURN 0", hand, trick="3 TK") == "pass"


def test_does_not_beat_the_partner_without_reason() -> None:
    hand = "J3 J5 P5 S8 T8 PJ DRAGON PHOENIX"
    assert decision("TURN 0", hand, trick="2 TA | 3 pass") == "pass"
    assert decision("TURN 0", "J3 J5 P5 S8 T8 PJ SA", trick="2 TK | 3 pass") == "pass"


def test_sheds_a_low_card_on_a_low_one_of_the_partner() -> None:
    hand = "J3 S7 J9 P9 SK"
    assert decision("TURN 0", hand, trick="2 T4 | 3 pass") == "play:S7"
    calls = ["calls - - tichu -"]
    assert decision("TURN 0", hand, trick="2 T4 | 3 pass", lines=calls) == "pass"


def test_beats_the_partner_to_go_out_unless_that_spoils_a_call() -> None:
    assert decision("TURN 0", "SA", trick="2 TK | 3 pass") == "play:SA"
    calls = ["calls - - tichu -"]
    assert decision("TURN 0", "SA", trick="2 TK | 3 pass", lines=calls) == "pass"


def test_stops_an_opponent_with_one_card_left() -> None:
    hand = "J3 J5 S8 P8 DRAGON"
    assert decision("TURN 0", hand, trick="3 TK", sizes={3: 1}) == "play:DRAGON"


def test_stops_an_opponent_with_one_card_left_with_many_cards_to_choose_from() -> None:
    hand = "J3 S4 P6 J8 T9 S10 PJ PQ SK DRAGON"
    found = decision("TURN 0", hand, trick="3 T2", sizes={3: 1})
    assert found in ("play:DRAGON", "play:SK")


def test_protects_the_partners_trick_from_an_opponent_with_one_card_left() -> None:
    hand = "J3 S7 J9 P9 SK DRAGON"
    assert decision("TURN 0", hand, trick="2 TQ | 3 pass", sizes={1: 1}) == "play:DRAGON"
    assert decision("TURN 0", hand, trick="2 TQ | 3 pass", sizes={3: 1}) == "pass"  # has passed
    assert decision("TURN 0", hand, trick="2 TQ,PQ | 3 pass", sizes={1: 1}) == "pass"
    trick = "1 T5 | 2 TQ | 3 pass"  # its turn comes again, and it may have drawn its last high card
    assert decision("TURN 0", hand, trick=trick, sizes={1: 1}) == "play:DRAGON"


@pytest.mark.parametrize("policy", ["enforced", "penalty"])
def test_fulfils_a_wish(policy: str) -> None:
    hand = "J3 S7 J9 P9 SA"
    assert decision("TURN 0", hand, trick="3 T4", lines=["wish A"], wishes=policy) == "play:SA"
    assert decision("LEAD 0", hand, lines=["wish A"], wishes=policy) == "play:SA"


# --- Bombs and the Dragon's gift

BOMB = "J8 S8 P8 T8 J2 S3 P4 P5"


def test_bombs_a_caller_who_is_about_to_go_out() -> None:
    calls = ["calls - - - tichu"]
    assert decision("WINDOW 0", BOMB, trick="3 TK", sizes={3: 2}, lines=calls) == (
        "bomb:J8,S8,P8,T8"
    )
    assert decision("WINDOW 0", BOMB, trick="3 TK", lines=calls) == "waive"
    assert decision("WINDOW 0", BOMB, trick="3 TK") == "waive"


def test_bombs_to_go_out_but_never_its_partner() -> None:
    assert decision("WINDOW 0", "J8 S8 P8 T8", trick="3 TK") == "bomb:J8,S8,P8,T8"
    assert decision("WINDOW 3", "J8 S8 P8 T8 J3 P4", trick="2 TK") == "waive"


def test_says_nothing_in_the_turn_of_another() -> None:
    calls = ["calls - - - tichu"]
    assert decision("TURN 1", BOMB, trick="3 TK", sizes={3: 1}, lines=calls) is None
    assert decision("LEAD 1", STRONG) is None


def test_gives_the_dragon_trick_to_the_opponent_with_more_cards() -> None:
    trick = "0 DRAGON | 1 pass | 2 pass | 3 pass"
    assert decision("GIFT 0", "J3 S5", trick=trick, sizes={1: 2, 3: 6}) == "give:3"
    assert decision("GIFT 0", "J3 S5", trick=trick, sizes={1: 6, 3: 0}, lines=["out 3"]) == "give:1"
    calls = ["calls - - - tichu"]
    assert decision("GIFT 0", "J3 S5", trick=trick, sizes={1: 5, 3: 7}, lines=calls) == "give:1"
    assert decision("GIFT 1", "J3 S5", trick="1 DRAGON | 2 pass | 3 pass | 0 pass") is None
