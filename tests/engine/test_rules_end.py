"""Dragon gift, end of a round, scoring, calls and end of the match (rules section 4 and 7)."""

from __future__ import annotations

from engine import (
    DECK_SIZE,
    Call,
    DragonGiven,
    Match,
    MatchEnded,
    RoundEnded,
    TrickTaken,
    WentOut,
    deal,
    points_of,
    read_cards,
)
from tests.cases import each
from tests.engine.positions import (
    SEATS,
    after,
    outcome,
    phase_of,
    pile_of,
    plays_of,
    refused,
    result_of,
    round_of,
    table,
)


def test_card_points() -> None:
    """N42, N68, N69."""
    assert points_of(read_cards("JK")) == points_of(read_cards("T10")) == 10
    assert points_of(read_cards("S5")) == 5
    assert points_of(read_cards("DRAGON")) == 25
    assert points_of(read_cards("PHOENIX")) == -25
    assert points_of(read_cards("J2 J3 J4 J6 J7 J8 J9 JJ JQ JA DOG MAHJONG")) == 0
    assert points_of((1 << DECK_SIZE) - 1) == 100


# --- the Dragon ---------------------------------------------------------------------------------


@each("out", ["", "B", "D"])
@each("receiver", ["B", "D"])
def test_gift_to_either_opponent(out: str, receiver: str) -> None:
    """N49, N50, C6: out or not."""
    match = table("LEAD A", hands={"A": "DRAGON +4"}, out=out)
    match = after(match, "A play:DRAGON", "clock close")
    while phase_of(match).startswith("TURN"):
        match = after(match, f"{phase_of(match)[-1]} pass")
    match = after(match, "clock close")
    assert plays_of(match, "A") == ["give:1", "give:3"]
    assert [plays_of(match, seat) for seat in "BCD"] == [[], [], []]
    refused(match, "A bomb:DRAGON", "wrong-phase", "N56")
    refused(match, "clock close", "no-window", "N60")
    match, events = outcome(match, f"A give:{receiver}")
    assert events == [DragonGiven(0, SEATS.index(receiver), 25)]
    assert pile_of(match, receiver) == "DRAGON"
    assert phase_of(match) == "LEAD A"


def test_gift_of_a_player_who_is_out() -> None:
    """N22, N49, N50."""
    match = table("LEAD A", hands={"A": "DRAGON"})
    match = after(
        match, "A play:DRAGON", "clock close", "B pass", "C pass", "D pass", "clock close"
    )
    assert phase_of(match) == "GIFT A"
    match = after(match, "A give:D")
    assert phase_of(match) == "LEAD B"


def last_trick_with_the_dragon() -> Match:
    """Return a trick in which C goes out third with the Dragon.

    D, the tailender, holds a king; A was first out.
    """
    return table(
        "TURN C",
        hands={"C": "DRAGON", "D": "SK J2"},
        trick="D S10",
        out="AB",
        piles={"A": "J10 P10", "B": "J5 S5", "D": "JK"},
    )


@each("receiver, score", [("B", (40, 45)), ("D", (75, 10))])
def test_gift_of_the_last_trick(receiver: str, score: tuple[int, int]) -> None:
    """N52, N65, N66, C6; section 4: given first, so what the tailender gets goes to the winner."""
    match, events = outcome(last_trick_with_the_dragon(), "C play:DRAGON")
    assert [type(event) for event in events[1:]] == [WentOut]
    assert phase_of(match) == "GIFT C"
    refused(match, "C give:A", "gift-to-opponent", "N49")
    refused(match, "D bomb:SK", "wrong-phase", "N56")
    match, events = outcome(match, f"C give:{receiver}")
    assert [type(event) for event in events] == [DragonGiven, RoundEnded]
    assert result_of(match).cards == score


def test_no_gift_after_a_bomb_by_the_dragons_player() -> None:
    """N51, N59."""
    match = table("LEAD A", hands={"A": "DRAGON J2 S2 P2 T2 +3"})
    match = after(match, "A play:DRAGON", "A bomb:J2,S2,P2,T2", "clock close", "clock close")
    match = after(match, "B pass", "C pass", "D pass")
    match, events = outcome(match, "clock close")
    assert events == [TrickTaken(0, 25)]
    assert pile_of(match, "A") == "J2 S2 P2 T2 DRAGON"


# --- the end of a round -------------------------------------------------------------------------


@each(
    "out, third, cards",
    [
        ("AB", "C", (75, 25)),  # A+C: 25 in tricks, 30 from D's hand, 20 in D's tricks
        ("CB", "A", (75, 25)),
        ("BA", "C", (55, 45)),  # D's tricks go to the partner, who was first
        ("BC", "A", (55, 45)),
    ],
)
def test_settlement(out: str, third: str, cards: tuple[int, int]) -> None:
    """N64, N65, N66, N69: D's hand goes across, the tricks to the round winner."""
    match = table(
        f"LEAD {third}",
        hands={third: "S3", "D": "DRAGON PHOENIX TK P10 T10 PA"},
        out=out,
        piles={"A": "J5 S5", "B": "J10 S10 P5", "C": "T5 JK", "D": "SK PK"},
    )
    result = result_of(after(match, f"{third} play:S3"))
    assert result.cards == cards
    assert result.out == tuple(SEATS.index(seat) for seat in out + third)


@each("first, second", ["AC", "CA", "BD", "DB"])
def test_a_double_victory_ends_the_round(first: str, second: str) -> None:
    """N70, N75: the cards in the piles are not counted."""
    winners = SEATS.index(first) % 2
    losers = "BD" if winners == 0 else "AC"
    match = table(
        f"LEAD {second}",
        hands={second: "S3"},
        out=first,
        piles={losers[0]: "DRAGON JK SK PK TK", losers[1]: "J5"},
        calls={losers[0]: "tichu"},
    )
    match, events = outcome(match, f"{second} play:S3")
    result = result_of(match)
    assert result.sweep
    assert result.cards[winners] == 200
    assert result.cards[1 - winners] == 0
    assert result.score[winners] == 200
    assert result.score[1 - winners] == -100
    assert not any(isinstance(event, TrickTaken) for event in events)
    assert result.out == (SEATS.index(first), SEATS.index(second))


def test_a_double_victory_with_the_dog_as_last_card() -> None:
    """N39, N70; section 5: nobody leads any more."""
    match = table("LEAD A", hands={"A": "DOG"}, out="C")
    match, events = outcome(match, "A play:DOG")
    assert [type(event) for event in events[1:]] == [WentOut, RoundEnded]
    assert result_of(match).cards == (200, 0)
    assert result_of(match).sweep


def test_the_dog_as_the_third_players_last_card() -> None:
    """N39, N64; section 5."""
    match = table("LEAD C", hands={"C": "DOG", "D": "SK"}, out="AB", piles={"A": "S10"})
    match = after(match, "C play:DOG")
    assert result_of(match).out == (0, 1, 2)
    assert result_of(match).cards == (20, 0)
    assert round_of(match).discards == read_cards("DOG")


def test_first_and_third_is_no_double_victory() -> None:
    """N64, N70."""
    match = table("LEAD C", hands={"C": "S3", "D": "S4"}, out="AB", piles={"B": "SK"})
    result = result_of(after(match, "C play:S3"))
    assert not result.sweep
    assert result.cards == (0, 10)
    match = table("LEAD D", hands={"D": "S3"}, out="A")
    assert phase_of(after(match, "D play:S3")).startswith("WINDOW")


# --- calls --------------------------------------------------------------------------------------


@each(
    "calls, change",
    [
        ({}, (0, 0)),
        ({"A": "tichu"}, (100, 0)),
        ({"A": "grand"}, (200, 0)),
        ({"C": "tichu"}, (-100, 0)),
        ({"C": "grand"}, (-200, 0)),
        ({"B": "tichu"}, (0, -100)),
        ({"B": "grand", "D": "tichu"}, (0, -300)),
        ({"A": "tichu", "C": "tichu"}, (0, 0)),
        ({"A": "grand", "C": "tichu", "B": "tichu", "D": "grand"}, (100, -300)),
    ],
)
def test_calls_are_settled_each_by_itself(calls: dict[str, str], change: tuple[int, int]) -> None:
    """N71, N74, N75, N76, N77."""
    match = table(
        "LEAD C",
        hands={"C": "S3", "D": "SK"},
        out="AB",
        calls=calls,
        piles={"A": "S10", "B": "P10", "C": "DRAGON"},
    )
    result = result_of(after(match, "C play:S3"))
    assert result.cards == (45, 10)
    assert result.score == (45 + change[0], 10 + change[1])
    assert [seat for seat, _, made in result.calls if made] == ([0] if "A" in calls else [])


@each("phase", ["LEAD A", "TURN B", "WINDOW B", "CLOSING A", "GIFT A"])
def test_tichu_at_any_moment_before_the_first_card(phase: str) -> None:
    """N71, N72, N73."""
    trick = "" if phase == "LEAD A" else "A DRAGON"
    if phase in ("CLOSING A", "GIFT A"):
        trick += " | B pass | C pass | D pass"
    match = table(phase, trick=trick, hands={"C": "+14"})
    match = after(match, "C tichu")
    assert round_of(match).calls[2] is Call.TICHU
    refused(match, "C tichu", "already-called", "N76")
    if trick:
        refused(match, "A tichu", "call-after-first-card", "N71")


def test_no_tichu_after_a_grand_tichu_or_when_out() -> None:
    """N71, N76."""
    match = table("LEAD A", calls={"B": "grand"}, out="D")
    refused(match, "B tichu", "already-called", "N76")
    refused(match, "D tichu", "wrong-phase", "N71")
    after(match, "A tichu")


def test_a_tichu_is_still_possible_with_a_sealed_bomb() -> None:
    """N71, N72: a bomb that is handed in is not laid yet."""
    match = table("WINDOW B", hands={"B": "J2 S2 P2 T2 +3", "C": "J3 S3 P3 T3 +3"}, trick="A SA")
    match = after(match, "B bomb:J2,S2,P2,T2", "C bomb:J3,S3,P3,T3", "C tichu", "clock close")
    refused(match, "B tichu", "call-after-first-card", "N71")
    assert round_of(match).calls[2] is Call.TICHU


# --- the end of the match -----------------------------------------------------------------------


@each(
    "totals, target, winners",
    [
        ("985 960", 1000, (0,)),
        ("900 995", 1000, (1,)),
        ("930 940", 1000, ()),
        ("0 965", 1000, (1,)),
        ("980 1000", 1000, ()),
        ("1000 980", 1000, (0,)),
        ("1005 1200", 1000, (1,)),
        ("45 -200", 100, (0,)),
        ("-300 -900", 100, ()),
        ("4940 4900", 5000, (0,)),
        ("4939 4900", 5000, ()),
    ],
)
def test_end_of_the_match(totals: str, target: int, winners: tuple[int, ...]) -> None:
    """N4, N80, N81, N82, N83, O4: this round gives 60 to 40."""
    match = table(
        "LEAD C",
        hands={"C": "S3", "D": "S4"},
        out="AB",
        piles={
            "A": "J10 S10 P10 T10 JK SK",
            "B": "PK TK J5 S5 P5 T5",
            "C": "PHOENIX DRAGON",
        },
        totals=totals,
        options={"target": target},
    )
    match, events = outcome(match, "C play:S3")
    before = tuple(map(int, totals.split()))
    assert match.totals == (before[0] + 60, before[1] + 40)
    assert match.winners == winners
    assert isinstance(events[-1], MatchEnded) == bool(winners)
    assert phase_of(match) == ("MATCH_END" if winners else "ROUND_END")
    if not winners:
        again, _ = deal(match, match.variant.deck(match.options))
        assert round_of(again).number == 2
        assert again.totals == match.totals


def test_calls_count_before_the_target_is_looked_at() -> None:
    """N75, N80."""
    match = table(
        "LEAD C", hands={"C": "S3", "D": "S4"}, out="AB", totals="950 0", calls={"A": "tichu"}
    )
    assert after(match, "C play:S3").winners == (0,)
    match = table(
        "LEAD C", hands={"C": "S3", "D": "S4"}, out="AB", totals="1050 0", calls={"C": "tichu"}
    )
    assert after(match, "C play:S3").winners == ()
