"""Rules of the start of a round: deal, Grand Tichu question, exchange, early calls."""

from __future__ import annotations

import pytest

from engine import (
    Call,
    Called,
    CallsOpened,
    CardsPassed,
    IllegalAction,
    Match,
    Options,
    Pass,
    RoundDealt,
    Withdrawn,
    apply,
    can,
    deal,
    new_match,
    read_cards,
    view,
)
from tests.cases import each
from tests.engine.positions import (
    SEATS,
    after,
    cards_in,
    dealt,
    hand_of,
    outcome,
    phase_of,
    refused,
    round_of,
    table,
)

NO = ("A grand:no", "B grand:no", "C grand:no", "D grand:no")
HANDS = {
    "A": "J2 J3 J4 J5",
    "B": "S2 S3 S4 S5",
    "C": "P2 P3 P4 P5",
    "D": "T2 T3 T4 T5",
}
EXCHANGES = (
    "A pass-cards:J2>B,J3>C,J4>D",
    "B pass-cards:S2>A,S3>C,S4>D",
    "C pass-cards:P2>A,P3>B,P4>D",
    "D pass-cards:T2>A,T3>B,T4>C",
)


def in_exchange() -> Match:
    """Return a match in the exchange; everybody holds 2 to 5 of a suit and ten other cards."""
    return after(dealt(hands=HANDS), *NO)


def called(match: Match) -> str:
    """Return the calls with seat letters: ``A:grand C:tichu``."""
    calls = enumerate(round_of(match).calls)
    return " ".join(f"{SEATS[seat]}:{call.name.lower()}" for seat, call in calls if call)


@each(
    "direction, dealer, order",
    [
        ("anticlockwise", 0, (0, 1, 2, 3)),
        ("anticlockwise", 2, (2, 3, 0, 1)),
        ("clockwise", 0, (0, 3, 2, 1)),
        ("clockwise", 1, (1, 0, 3, 2)),
    ],
)
def test_cards_are_taken_one_by_one(direction: str, dealer: int, order: tuple[int, ...]) -> None:
    """N5, N6, N24."""
    match = new_match(Options(direction=direction), dealer)
    deck = list(reversed(match.variant.deck(match.options)))
    match, events = deal(match, deck)
    assert events == [RoundDealt(1, dealer)]
    for place, seat in enumerate(order):
        mine = deck[place::4]
        assert round_of(match).hands[seat].cards == sum(1 << card for card in mine[:8])
        assert round_of(match).opening.stock[seat] == sum(1 << card for card in mine[8:])


def test_the_deck_must_be_the_deck() -> None:
    """N1."""
    match = new_match(Options())
    deck = list(match.variant.deck(match.options))
    for wrong in (deck[1:], [*deck, 0], [*deck[1:], deck[1]], [*deck[1:], 60], []):
        with pytest.raises(IllegalAction) as error:
            deal(match, wrong)
        assert (error.value.code, error.value.rule) == ("wrong-deck", "N1")


def test_no_deal_in_the_middle_of_a_round() -> None:
    """N5."""
    match = dealt()
    with pytest.raises(IllegalAction) as error:
        deal(match, match.variant.deck(match.options))
    assert (error.value.code, error.value.rule) == ("wrong-phase", "N5")


def test_no_deal_and_no_action_after_the_match() -> None:
    """N64, N80."""
    match = table(
        "LEAD C", hands={"C": "S3", "D": "S4"}, out="AB", piles={"A": "SK"}, totals="995 0"
    )
    match = after(match, "C play:S3")
    assert phase_of(match) == "MATCH_END"
    with pytest.raises(IllegalAction) as error:
        deal(match, match.variant.deck(match.options))
    assert (error.value.code, error.value.rule) == ("wrong-phase", "N5")
    refused(match, "D play:S4", "wrong-phase", "N64")
    refused(match, "clock close", "wrong-phase", "N64")


def test_nothing_can_be_done_before_the_first_deal() -> None:
    """N64."""
    match = new_match(Options())
    for step in ("A grand:yes", "A play:S2", "A tichu", "clock close"):
        refused(match, step, "wrong-phase", "N64")


@each("out, dealer, following", [("", "C", 2), ("D", "C", 3)])
def test_dealer_after_a_missed_wish(out: str, dealer: str, following: int) -> None:
    """N5, N37: the winner if somebody is out, else the dealer again."""
    match = table(
        "TURN B",
        hands={"B": "J8 +3"},
        trick="A MAHJONG wish=8",
        wish="8",
        out=out,
        dealer=dealer,
        options={"wishPolicy": "penalty"},
    )
    match = after(match, "B pass")
    match, _ = deal(match, match.variant.deck(match.options))
    assert round_of(match).dealer == following
    assert round_of(match).seating.order[0] == following


def test_grand_answers_are_sealed_until_the_last() -> None:
    """N11, C21."""
    match = dealt()
    plain = view(match, 1)
    match, events = outcome(match, "A grand:yes")
    assert events == []
    seen = view(match, 1)
    assert [seat.call for seat in seen.seats] == [None] * 4
    assert [seat.waited_for for seat in seen.seats] == [False, True, True, True]
    assert seen.hands == plain.hands
    assert view(match, 0).answer is True
    assert view(match, 1).answer is None
    other = after(dealt(), "A grand:no")
    assert view(other, 1) == seen
    refused(match, "A grand:no", "already-answered", "N11")
    match, events = outcome(after(match, "D grand:no", "B grand:yes"), "C grand:no")
    assert events == [
        CallsOpened((0, 1)),
        Called(0, Call.GRAND),
        Called(1, Call.GRAND),
    ]
    assert called(match) == "A:grand B:grand"
    assert phase_of(match) == "EXCHANGE"


def test_nothing_but_answers_at_the_grand_tichu_question() -> None:
    """N9, N11, N17, N56, N60, N73."""
    match = dealt(hands={"A": "J2 S2 P2 T2"})
    refused(match, "A tichu", "call-before-full-hand", "N73")
    refused(match, "A pass-cards:J2>B,S2>C,P2>D", "wrong-phase", "N9")
    refused(match, "A play:J2", "wrong-phase", "N17")
    refused(match, "A pass", "wrong-phase", "N17")
    refused(match, "B bomb:J2,S2,P2,T2", "wrong-phase", "N56")
    refused(match, "A waive", "no-window", "N60")
    refused(match, "clock close", "no-window", "N60")
    refused(match, "A give:B", "no-gift-due", "N49")
    refused(match, "A withdraw:yes", "not-asked-to-withdraw", "N78")
    refused(match, "clock stop", "no-stop-vote", "G27")


def test_exchange_is_revealed_with_the_last_commitment() -> None:
    """N9, N10, N12."""
    match = in_exchange()
    for number, step in enumerate(EXCHANGES[:3]):
        match, events = outcome(match, step)
        assert events == []
        seen = view(match, 3)
        assert [seat.waited_for for seat in seen.seats] == [i > number for i in range(4)]
        assert seen.received == ()
        assert seen.hand == round_of(in_exchange()).hands[3]
    assert view(match, 0).given == tuple(
        (seat, read_cards(card)) for seat, card in ((1, "J2"), (2, "J3"), (3, "J4"))
    )
    assert view(match, 1).given != view(match, 0).given
    match, events = outcome(match, EXCHANGES[3])
    assert isinstance(events[0], CardsPassed)
    assert view(match, 0).received == tuple(
        (seat, read_cards(card)) for seat, card in ((1, "S2"), (2, "P2"), (3, "T2"))
    )
    assert view(match, 3).received == tuple(
        (seat, read_cards(card)) for seat, card in ((0, "J4"), (1, "S4"), (2, "P4"))
    )
    assert {"J4", "S4", "P4", "T5"} <= set(hand_of(match, "D").split())
    assert [hand.size for hand in round_of(match).hands] == [14] * 4
    assert len(set(cards_in(match))) == 56


def test_a_commitment_can_be_replaced() -> None:
    """N10."""
    match = after(in_exchange(), EXCHANGES[0], EXCHANGES[1])
    match = after(match, "A pass-cards:J5>B,J3>C,J2>D", *EXCHANGES[2:])
    assert "J5" in hand_of(match, "B").split()
    assert "J2" in hand_of(match, "D").split()
    assert "J4" in hand_of(match, "A").split()
    refused(match, EXCHANGES[0], "wrong-phase", "N9")


@each("giver, receiver", ["AB", "BD", "CA", "DC"])
def test_the_mahjong_is_looked_for_after_the_exchange(giver: str, receiver: str) -> None:
    """N12, C31."""
    hands = {
        seat: cards.replace(cards[:2], "MAHJONG") if seat == giver else cards
        for seat, cards in HANDS.items()
    }
    match = after(dealt(hands=hands), *NO)
    given = [seat for seat in SEATS if seat != giver]
    cards = ["MAHJONG", *HANDS[giver].split()[1:3]]
    given.sort(key=lambda seat: seat != receiver)
    gifts = ",".join(f"{card}>{seat}" for card, seat in zip(cards, given, strict=True))
    steps = [step for step in EXCHANGES if not step.startswith(giver)]
    match, events = outcome(after(match, *steps), f"{giver} pass-cards:{gifts}")
    assert phase_of(match) == f"LEAD {receiver}"
    assert events == [CardsPassed(SEATS.index(receiver))]


def test_tichu_before_and_after_the_exchange() -> None:
    """N71, N73, C20."""
    match = after(in_exchange(), "A tichu")
    assert called(match) == "A:tichu"
    refused(match, "A tichu", "already-called", "N76")
    match = after(match, *EXCHANGES, "B tichu")
    assert called(match) == "A:tichu B:tichu"


def test_no_tichu_between_commitment_and_reveal() -> None:
    """N73, C20."""
    match = after(in_exchange(), EXCHANGES[0])
    refused(match, "A tichu", "call-after-commitment", "N73")
    match = after(match, *EXCHANGES[1:], "A tichu")
    assert called(match) == "A:tichu"


def test_a_call_reopens_committed_exchanges() -> None:
    """C20."""
    match = after(in_exchange(), EXCHANGES[0], EXCHANGES[1])
    match, events = outcome(match, "C tichu")
    assert events == [Called(2, Call.TICHU, reopened=True)]
    assert round_of(match).opening.given == (None,) * 4
    assert [seat.waited_for for seat in view(match, 0).seats] == [True] * 4
    match = after(match, "A tichu")  # void is void: free to call again
    match = after(match, *EXCHANGES)
    assert phase_of(match).startswith("LEAD")
    assert called(match) == "A:tichu C:tichu"
    _, events = outcome(in_exchange(), "C tichu")
    assert events == [Called(2, Call.TICHU, reopened=False)]


@each("dealer, later", [("A", "C"), ("B", "A"), ("C", "A"), ("D", "C")])
@each("withdraw", ["yes", "no"])
def test_partners_who_both_say_grand(dealer: str, later: str, withdraw: str) -> None:
    """N78, C21: the later one from the dealer on is asked before the rest is dealt."""
    match = dealt(dealer=dealer)
    match, events = outcome(after(match, "A grand:yes", "B grand:no", "C grand:yes"), "D grand:yes")
    assert events == []
    assert phase_of(match) == "GRAND"
    assert [hand.size for hand in round_of(match).hands] == [8] * 4
    assert round_of(match).asked == 1 << SEATS.index(later)
    assert view(match, SEATS.index(later)).asked_to_withdraw
    earlier = "A" if later == "C" else "C"
    assert not view(match, SEATS.index(earlier)).asked_to_withdraw
    for step in (f"{earlier} grand:yes", f"{later} tichu", f"{later} grand:no"):
        refused(match, step, "withdrawal-first", "N78")
    refused(match, f"{earlier} withdraw:yes", "not-asked-to-withdraw", "N78")
    match, events = outcome(match, f"{later} withdraw:{withdraw}")
    assert phase_of(match) == "EXCHANGE"
    assert [hand.size for hand in round_of(match).hands] == [14] * 4
    if withdraw == "yes":
        assert called(match) == f"{earlier}:grand D:grand"
        assert events[0] == Withdrawn(SEATS.index(later), Call.GRAND)
        assert called(after(match, f"{later} tichu")).count("tichu") == 1
    else:
        assert called(match) == "A:grand C:grand D:grand"


def test_both_teams_asked_to_withdraw() -> None:
    """N77, N78, C21."""
    match = after(dealt(dealer="D"), *(f"{seat} grand:yes" for seat in SEATS))
    assert round_of(match).asked == 0b0110  # from D on: D, A, then B and C
    match = after(match, "C withdraw:yes")
    assert phase_of(match) == "GRAND"
    match = after(match, "B withdraw:no")
    assert called(match) == "A:grand B:grand D:grand"


@each(
    "dealer, first, second, asked",
    [
        ("A", "A", "C", "C"),
        ("A", "C", "A", "C"),
        ("B", "A", "C", "A"),
        ("D", "B", "D", "B"),
    ],
)
@each("withdraw", ["yes", "no"])
def test_simultaneous_tichu(
    dealer: str, first: str, second: str, asked: str, withdraw: str
) -> None:
    """N78, C21: again the later one from the dealer on, in any order of messages."""
    match = table("LEAD B", hands={"B": "SK +4"}, dealer=dealer)
    match = after(match, f"{first} tichu", f"{second} tichu:same")
    assert round_of(match).asked == 1 << SEATS.index(asked)
    waited_for = [seat.waited_for for seat in view(match, None).seats]
    assert waited_for == [seat == asked for seat in SEATS]
    for step in ("B pass", "B play:SK", "clock close", "D bomb:J2,S2,P2,T2"):
        refused(match, step, "withdrawal-first", "N78")
    other = "ABCD"[(SEATS.index(asked) + 2) % 4]
    refused(match, f"{other} withdraw:no", "not-asked-to-withdraw", "N78")
    match, events = outcome(match, f"{asked} withdraw:{withdraw}")
    calls = {f"{other}:tichu"} | ({f"{asked}:tichu"} if withdraw == "no" else set())
    assert set(called(match).split()) == calls
    withdrawn = [Withdrawn(SEATS.index(asked), Call.TICHU)]
    assert events == (withdrawn if withdraw == "yes" else [])
    assert phase_of(match) == "LEAD B"
    after(match, "B play:SK")


def test_simultaneous_needs_the_partners_call() -> None:
    """N78: an opponent's call, a Grand Tichu or an earlier moment make nothing to withdraw."""
    match = table("LEAD B")
    refused(match, "C tichu:same", "no-partner-call", "N78")
    refused(after(match, "B tichu"), "C tichu:same", "no-partner-call", "N78")
    match = table("LEAD B", calls={"A": "grand"})
    refused(match, "C tichu:same", "no-partner-call", "N78")
    match = after(table("LEAD B"), "A tichu", "C tichu")
    assert round_of(match).asked == 0
    refused(match, "A withdraw:yes", "not-asked-to-withdraw", "N78")


def test_simultaneous_tichu_in_the_exchange() -> None:
    """N78, C20, C21."""
    match = after(in_exchange(), EXCHANGES[1], "A tichu", "C tichu:same")
    assert round_of(match).asked == 1 << 2
    refused(match, EXCHANGES[0], "withdrawal-first", "N78")
    assert view(match, 0).seats[2].waited_for
    match = after(match, "C withdraw:yes", *EXCHANGES)
    assert called(match) == "A:tichu"
    assert phase_of(match).startswith("LEAD")


def test_hands_are_for_their_owners() -> None:
    """N8."""
    match = in_exchange()
    for seat in range(4):
        assert [owner for owner, _ in view(match, seat).hands] == [seat]
    assert view(match, None).hands == ()
    assert view(match, None).actions == ()
    assert view(match, None).received == ()


def test_seats_that_do_not_exist() -> None:
    """N3."""
    match = in_exchange()
    for seat in (-2, 4, 99):
        assert not can(match, Pass(seat))
        with pytest.raises(IllegalAction) as error:
            apply(match, Pass(seat))
        assert (error.value.code, error.value.rule) == ("no-such-seat", "N3")
    refused(match, "clock pass", "no-such-seat", "N3")


def test_first_dealer_must_be_a_seat() -> None:
    """N5."""
    for seat in (-1, 4):
        with pytest.raises(IllegalAction) as error:
            new_match(Options(), seat)
        assert (error.value.code, error.value.rule) == ("no-such-seat", "N5")
