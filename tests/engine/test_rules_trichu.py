"""Rules of Trichu: three players and the Table (rules section 8)."""

from __future__ import annotations

import pytest

from engine import (
    Call,
    Called,
    IllegalAction,
    Match,
    Options,
    RoundResult,
    deal,
    new_match,
    read_cards,
    view,
)
from tests.cases import each
from tests.engine.positions import (
    NAMES,
    after,
    cards_in,
    dealt,
    everybody_passes,
    exchanged,
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
)

X, Y, Z, TABLE = map(seat_of, NAMES["trichu"])
HANDS = {"X": "J2 J3 J4", "Y": "S2 S3 S4", "Z": "P2 P3 P4", "Table": "T2 T3 T4"}
EXCHANGES = (
    "X pass-cards:J2>Y,J3>Z",
    "Y pass-cards:S2>X,S3>Table",
    "Z pass-cards:P2>X,P3>Table",
    "Table pass-cards:T2>Y,T3>Z",
)
NO = ("Y grand:no", "Z grand:no")
each_direction = each("direction", ["anticlockwise", "clockwise"])


def in_exchange(dealer: str = "X") -> Match:
    """Return a match in the exchange; everybody holds 2 to 4 of a suit and eleven others."""
    match = dealt(variant="trichu", hands=HANDS, dealer=dealer)
    return after(match, *(f"{name} grand:no" for name in "XYZ" if name != dealer))


# --- seats, cards and who sees them -------------------------------------------------------------


@each(
    "direction, dealer, order",
    [
        ("anticlockwise", "X", "X Y Table Z"),
        ("anticlockwise", "Y", "Y Z Table X"),
        ("anticlockwise", "Z", "Z X Table Y"),
        ("clockwise", "X", "X Z Table Y"),
        ("clockwise", "Y", "Y X Table Z"),
        ("clockwise", "Z", "Z Y Table X"),
    ],
)
def test_seats_and_teams(direction: str, dealer: str, order: str) -> None:
    """T1, T2, N6: the Table is opposite its dealer, cards are taken in turn order."""
    match = new_match(Options("trichu", direction=direction), seat_of(dealer))
    seats = tuple(map(seat_of, order.split()))
    deck = match.variant.deck(match.options)
    match, _ = deal(match, deck)
    seating = round_of(match).seating
    assert seating.order == seats
    assert seating.partners(seat_of(dealer)) == (TABLE,)
    assert seating.partners(seats[1]) == (seats[3],)
    for place, seat in enumerate(seats):
        mine = sum(1 << card for card in deck[place::4])
        held = round_of(match).hands[seat].cards | round_of(match).opening.stock[seat]
        assert held == mine
        assert mine.bit_count() == 14


def test_the_table_is_nobody() -> None:
    """T1: three people sit there, the first dealer is one of them."""
    with pytest.raises(IllegalAction) as error:
        new_match(Options("trichu"), TABLE)
    assert (error.value.code, error.value.rule) == ("no-such-seat", "N5")
    rules = new_match(Options("trichu")).variant
    assert rules.chair_count(Options("trichu")) == 3
    assert rules.seat_count(Options("trichu")) == 4
    assert len(cards_in(in_exchange())) == 56


@each("dealer", ["X", "Y", "Z"])
def test_who_sees_the_tables_hand(dealer: str) -> None:
    """T5, T7, N8: nobody at the question, its dealer before the exchange, then everybody."""
    people = [X, Y, Z]

    def sees_it(match: Match) -> list[int | None]:
        for seat in people:
            shown = [owner for owner, _ in view(match, seat).hands if owner != TABLE]
            assert shown == [seat]
        return [seat for seat in (*people, None) if TABLE in dict(view(match, seat).hands)]

    match = dealt(variant="trichu", hands=HANDS, dealer=dealer)
    assert sees_it(match) == []
    match = in_exchange(dealer)
    assert sees_it(match) == [seat_of(dealer)]
    rival = next(name for name in "XYZ" if name != dealer)
    committed = exchanged(match)
    given = after(match, *_first_exchange(match, rival))
    assert sees_it(given) == [seat_of(dealer)]
    assert sees_it(committed) == [*people, None]
    shown = dict(view(committed, None).hands)
    assert shown == {TABLE: round_of(committed).hands[TABLE]}


def _first_exchange(match: Match, name: str) -> list[str]:
    cards = hand_of(match, name).split()
    others = [to for to in NAMES["trichu"] if seat_of(to) in _receivers(match, name)]
    gifts = (f"{card}>{to}" for card, to in zip(cards, others, strict=False))
    return [f"{name} pass-cards:" + ",".join(gifts)]


def _receivers(match: Match, name: str) -> tuple[int, ...]:
    return match.variant.receivers(round_of(match), seat_of(name))


@each("phase", ["LEAD X", "TURN Y", "WINDOW Y", "CLOSING X", "GIFT X"])
def test_the_tables_hand_lies_open_while_it_is_played(phase: str) -> None:
    """T7."""
    trick = "" if phase == "LEAD X" else "X DRAGON"
    if phase in ("CLOSING X", "GIFT X"):
        trick += " | Y pass | Table pass | Z pass"
    match = table(phase, variant="trichu", trick=trick)
    for seat in (X, Y, Z, None):
        assert TABLE in dict(view(match, seat).hands)


# --- Grand Tichu question and exchange ----------------------------------------------------------


@each("dealer, others", [("X", "YZ"), ("Y", "XZ"), ("Z", "XY")])
def test_who_is_asked_for_a_grand_tichu(dealer: str, others: str) -> None:
    """T3, T4, N11."""
    match = dealt(variant="trichu", dealer=dealer)
    for name in (dealer, "Table"):
        assert not view(match, seat_of(name)).seats[seat_of(name)].waited_for
        assert plays_of(match, name) == []
        refused(match, f"{name} grand:no", "no-grand-for-dealer", "T3")
    for name in others:
        assert plays_of(match, name) == ["grand:no", "grand:yes"]
    match = after(match, f"{others[0]} grand:yes", f"{others[1]} grand:no")
    assert phase_of(match) == "EXCHANGE"
    calls = round_of(match).calls
    assert [seat for seat, call in enumerate(calls) if call] == [seat_of(others[0])]
    refused(match, f"{others[1]} grand:yes", "grand-too-late", "N11")
    refused(match, f"{dealer} grand:yes", "grand-too-late", "N11")


@each_direction
def test_both_opponents_say_grand(direction: str) -> None:
    """T4, N78, C21: the later one from the dealer on is asked."""
    match = dealt(variant="trichu", options={"direction": direction})
    match = after(match, "Y grand:yes", "Z grand:yes")
    later = "Z" if direction == "anticlockwise" else "Y"
    assert round_of(match).asked == 1 << seat_of(later)
    match = after(match, f"{later} withdraw:yes")
    assert [call is Call.GRAND for call in round_of(match).calls].count(True) == 1


def test_everybody_gives_to_both_opponents() -> None:
    """T6, N9, N10."""
    match = in_exchange()
    assert view(match, X).gifts == match.variant.gifts(round_of(match), X)
    for name, opponents in (("X", "YZ"), ("Table", "YZ"), ("Y", ["X", "Table"])):
        gifts = match.variant.gifts(round_of(match), seat_of(name))
        assert sorted(gift.receiver for gift in gifts) == sorted(map(seat_of, opponents))
        assert [gift.number for gift in gifts] == [1, 1]
    match = after(match, *EXCHANGES[:3])
    assert phase_of(match) == "EXCHANGE"
    match = after(match, "X pass-cards:J4>Y,J3>Z", EXCHANGES[3])
    assert {"S2", "P2", "J2"} <= set(hand_of(match, "X").split())
    assert {"S3", "P3", "T4"} <= set(hand_of(match, "Table").split())
    assert {"J4", "T2", "S4"} <= set(hand_of(match, "Y").split())
    assert view(match, Y).received == ((X, read_cards("J4")), (TABLE, read_cards("T2")))
    assert len(set(cards_in(match))) == 56


@each("dealer", ["X", "Y", "Z"])
def test_the_dealer_and_the_table_know_both_hands(dealer: str) -> None:
    """T5, T6, T8: the dealer's and the Table's, and what was passed to and from each of them."""
    match = in_exchange(dealer)
    own = (TABLE, seat_of(dealer))
    assert tuple(seat for seat, _ in view(match, TABLE).hands) == own
    for name in (*"XYZ", "Table"):
        match = after(match, *_first_exchange(match, name))
    assert tuple(seat for seat, _ in view(match, TABLE).hands) == own
    known = view(match, TABLE).known_gifts
    assert sorted(known) == sorted(view(match, seat_of(dealer)).known_gifts)
    assert len(known) == 8, "four gifts of theirs, four that they got"
    for seat in {X, Y, Z} - {seat_of(dealer)}:
        assert {seat} == {giver for giver, *_ in view(match, seat).known_gifts[:2]}
        assert len(view(match, seat).known_gifts) == 4


@each(
    "step",
    [
        "X pass-cards:J2>Table,J3>Z",
        "X pass-cards:J2>Y,J3>Z,J4>Table",
        "Table pass-cards:T2>X,T3>Y",
        "Y pass-cards:S2>X,S3>Z",
        "Z pass-cards:P2>Y,P3>Table",
        "Z pass-cards:P2>X",
    ],
)
def test_partners_exchange_nothing(step: str) -> None:
    """T6."""
    refused(in_exchange(), step, "exchange-receivers", "N9")


@each("giver, holder", [("Y", "Table"), ("Z", "X"), ("Table", "Z")])
def test_the_mahjong_leads_wherever_it_lands(giver: str, holder: str) -> None:
    """T17, T8, N12: also when it is the Table's; then the dealer decides."""
    hands = {**HANDS, giver: HANDS[giver] + " MAHJONG"}
    match = after(dealt(variant="trichu", hands=hands), *NO)
    own = HANDS[giver].split()[0]
    other = {"Y": "X", "Z": "Table", "Table": "Y"}[giver]
    match = exchanged(match, f"{giver} pass-cards:MAHJONG>{holder},{own}>{other}")
    assert phase_of(match) == f"LEAD {holder}"
    after(match, f"{holder} play:MAHJONG wish=8")


# --- the Table plays ----------------------------------------------------------------------------


@each("dealer", ["X", "Y", "Z"])
def test_the_dealer_acts_for_the_table(dealer: str) -> None:
    """T8: it is a seat like any other, and its dealer is the one who decides."""
    match = table("LEAD Table", variant="trichu", dealer=dealer, hands={"Table": "DOG MAHJONG +3"})
    rules = match.variant
    assert rules.actor(round_of(match), TABLE) == seat_of(dealer)
    assert [rules.actor(round_of(match), seat) for seat in (X, Y, Z)] == [X, Y, Z]
    for name in "XYZ":
        refused(match, f"{name} play:DOG", "not-your-turn", "N17")
    assert phase_of(after(match, "Table play:DOG")) == f"LEAD {dealer}"
    assert round_of(after(match, "Table play:MAHJONG wish=A")).wish == 14


def test_the_table_passes_bombs_and_gives_away() -> None:
    """T8, N49, N56."""
    hands = {"Table": "J3 S3 P3 T3 DRAGON +2"}
    match = table("TURN Table", variant="trichu", hands=hands, trick="Y SK")
    assert phase_of(after(match, "Table pass")) == "TURN Z"
    match = table("TURN Z", variant="trichu", hands=hands, trick="Y SK | Table pass")
    assert phase_of(after(match, "Table bomb:J3,S3,P3,T3")) == "WINDOW Z"
    match = table("WINDOW Y", variant="trichu", hands=hands, trick="X SK")
    match = after(match, "Table bomb:J3,S3,P3,T3", "clock close")
    assert round_of(match).top_seat == TABLE
    match = everybody_passes(table("TURN Z", variant="trichu", trick="Table DRAGON"))
    assert phase_of(match) == "GIFT Table"
    assert plays_of(match, "Table") == ["give:1", "give:2"]
    refused(match, "X give:Y", "not-your-turn", "N49")
    refused(match, "Table give:X", "gift-to-opponent", "N49")
    match = after(match, "Table give:Z")
    assert pile_of(match, "Z") == "DRAGON"
    assert phase_of(match) == "LEAD Table"


@each_direction
@each("player, partner", [("X", "Table"), ("Table", "X"), ("Y", "Z")])
def test_the_dog_goes_to_the_partner(direction: str, player: str, partner: str) -> None:
    """T18, N39, N40; section 5: the partner out, it walks on from the partner."""
    options = {"direction": direction}
    match = table(f"LEAD {player}", variant="trichu", hands={player: "DOG +3"}, options=options)
    assert phase_of(after(match, f"{player} play:DOG")) == f"LEAD {partner}"
    match = table(
        f"LEAD {player}", variant="trichu", hands={player: "DOG +3"}, options=options, out=partner
    )
    order = [NAMES["trichu"][seat] for seat in round_of(match).seating.after(seat_of(partner))]
    assert phase_of(after(match, f"{player} play:DOG")) == f"LEAD {order[0]}"


# --- wishes -------------------------------------------------------------------------------------


@each("policy", ["enforced", "penalty"])
@each("step", ["pass", "play:SA", "play:S8"])
def test_the_table_never_has_to_fulfil_a_wish(policy: str, step: str) -> None:
    """T9, T16, N37, C17: neither refused nor punished; a real card ends the wish all the same."""
    match = table(
        "TURN Table",
        variant="trichu",
        hands={"Table": "S8 SA +5"},
        trick="X MAHJONG wish=8 | Y pass",
        wish="8",
        options={"wishPolicy": policy},
    )
    match = after(match, f"Table {step}")
    assert phase_of(match) in ("TURN Z", "WINDOW Z")
    assert round_of(match).wish == (None if step == "play:S8" else 8)


def test_the_table_may_lead_anything_under_a_wish() -> None:
    """T9: the Dog, too."""
    match = table("LEAD Table", variant="trichu", hands={"Table": "S8 DOG +5"}, wish="8")
    assert phase_of(after(match, "Table play:DOG")) == "LEAD X"
    lead = {text for text in plays_of(match, "Table") if text.count(",") == 0}
    assert len(lead) == 7


@each("name, before", [("X", "Z"), ("Y", "X"), ("Z", "Table")])
def test_all_people_are_bound(name: str, before: str) -> None:
    """T16, N36: the dealer as well, though they play for the Table."""
    match = table(
        f"TURN {name}", variant="trichu", hands={name: "S8 +5"}, trick=f"{before} P5", wish="8"
    )
    refused(match, f"{name} pass", "wish-duty", "N28")
    assert round_of(after(match, f"{name} play:S8")).wish is None


@each("name, before, score", [("X", "Z", (0, 200)), ("Y", "X", (200, 0))])
def test_a_missed_wish_is_punished(name: str, before: str, score: tuple[int, int]) -> None:
    """T11, T16, N37, O6: each column gets what its team gets."""
    match = table(
        f"TURN {name}",
        variant="trichu",
        hands={name: "S8 +5"},
        trick=f"{before} P5",
        wish="8",
        options={"wishPolicy": "penalty"},
        calls={"Table": "tichu"},
    )
    result = result_of(after(match, f"{name} pass"))
    assert result.penalty == seat_of(name)
    call = 100 if name == "Y" else -100
    assert result.score == (score[0] + call, score[1], score[1], score[0] + call)


# --- calls and points ---------------------------------------------------------------------------


def test_a_call_for_the_table_in_the_exchange() -> None:
    """T10, C20: before the Table's first card, not between its commitment and the reveal."""
    match = after(in_exchange(), EXCHANGES[3])
    refused(match, "Table tichu", "call-after-commitment", "N73")
    match, events = outcome(match, "X tichu")
    assert events == [Called(X, Call.TICHU, reopened=True)]
    match = after(match, "Table tichu", *EXCHANGES)
    assert round_of(match).calls == (Call.TICHU, None, None, Call.TICHU)
    refused(match, "Table tichu", "already-called", "N76")


@each("phase", ["TURN Y", "WINDOW Y", "CLOSING X"])
def test_a_call_for_the_table_before_its_first_card(phase: str) -> None:
    """T10, N72."""
    trick = "X SK" + (" | Y pass | Table pass | Z pass" if phase == "CLOSING X" else "")
    match = after(table(phase, variant="trichu", trick=trick), "Table tichu")
    assert round_of(match).calls[TABLE] is Call.TICHU
    played = table(phase, variant="trichu", trick=trick, started="Table X")
    refused(played, "Table tichu", "call-after-first-card", "N71")


@each("dealer, first, second", [("X", "Y", "Z"), ("Y", "Z", "X"), ("Z", "X", "Y")])
@each("caller", ["Table", "rival", ""])
def test_columns(dealer: str, first: str, second: str, caller: str) -> None:
    """T11: card points and calls of a team go to both of its columns."""
    caller = first if caller == "rival" else caller
    match = table(
        f"LEAD {dealer}",
        variant="trichu",
        dealer=dealer,
        hands={dealer: "S3", second: "S4"},
        out=f"Table {first}",
        piles={"Table": "JK SK", first: "J10 S10 P10", second: "J5 S5"},
        calls={caller: "tichu"} if caller else {},
        totals="5 10 15 20",
    )
    result = result_of(after(match, f"{dealer} play:S3"))
    ours, theirs = 30, 30  # the tailender's tricks go to the Table, who was first
    assert result.cards == (30, 30, 30, 30)
    ours += 100 * (caller == "Table")
    theirs -= 100 * (caller == first)
    score = {seat_of(dealer): ours, TABLE: ours, seat_of(first): theirs, seat_of(second): theirs}
    assert result.score == tuple(score[seat] for seat in range(4))
    before = (5, 10, 15, 20)
    assert result.totals == tuple(before[seat] + score[seat] for seat in range(4))


@each("first, second", [("X", "Table"), ("Table", "X"), ("Y", "Z"), ("Z", "Y")])
def test_double_victories(first: str, second: str) -> None:
    """T18, N70."""
    match = table(f"LEAD {second}", variant="trichu", hands={second: "S3"}, out=first)
    result = result_of(after(match, f"{second} play:S3"))
    assert result.sweep
    ours = 200 if first in ("X", "Table") else 0
    assert result.score == (ours, 200 - ours, 200 - ours, ours)


# --- the match ----------------------------------------------------------------------------------


def ended(match: Match, dealer: str, done: int) -> Match:
    """Return a round of this dealer, won 60 to 40 by its side, after `done` earlier rounds."""
    names = [name for name in "XYZ" if name != dealer]
    round_ = table(
        f"LEAD {dealer}",
        variant="trichu",
        dealer=dealer,
        hands={dealer: "S3", names[1]: "S4"},
        out=f"Table {names[0]}",
        piles={
            "Table": "J10 S10 P10 T10 JK SK",
            names[0]: "PK TK J5 S5 P5 T5",
            dealer: "PHOENIX DRAGON",
        },
        totals=" ".join(map(str, match.totals)),
        options=match.options.non_defaults(),
    )
    before = RoundResult(1, X, (0, 1, 2), (), (0,) * 4, (0,) * 4, (0,) * 4)
    return after(round_._replace(results=(before,) * done), f"{dealer} play:S3")


@each(
    "direction, dealer, following",
    [
        ("anticlockwise", "X", "Z"),
        ("anticlockwise", "Z", "Y"),
        ("anticlockwise", "Y", "X"),
        ("clockwise", "X", "Y"),
        ("clockwise", "Y", "Z"),
        ("clockwise", "Z", "X"),
    ],
)
def test_the_dealers_role_goes_against_turn_order(
    direction: str, dealer: str, following: str
) -> None:
    """T12, C18, N24: mirrored with the direction, independent of the order of going out."""
    match = ended(new_match(Options("trichu", direction=direction)), dealer, 0)
    match, _ = deal(match, match.variant.deck(match.options))
    assert round_of(match).dealer == seat_of(following)
    assert round_of(match).seating.partners(seat_of(following)) == (TABLE,)
    assert round_of(match).seating.after(seat_of(following))[0] == seat_of(dealer)


@each("rounds", [3, 9, 30])
def test_a_match_lasts_its_rounds(rounds: int) -> None:
    """T13, T14, C18, O5: a thousand points end nothing."""
    start = new_match(Options("trichu", rounds=rounds))._replace(totals=(5000, 0, 0, 5000))
    assert phase_of(ended(start, "X", rounds - 2)) == "ROUND_END"
    assert phase_of(ended(start, "X", rounds - 1)) == "MATCH_END"
    refused(ended(start, "X", rounds - 2), "clock stop", "no-stop-vote", "G27")


@each(
    "totals, winners",
    [
        ((0, 0, 0, 0), (X, TABLE)),
        ((0, 20, 0, 0), (X, Y, TABLE)),
        ((0, 20, 20, 0), (X, Y, Z, TABLE)),
        ((0, 21, 0, 0), (Y,)),
        ((0, 0, 0, 1), (TABLE,)),
        ((-300, -100, -100, -301), (Y, Z)),
    ],
)
def test_who_wins(totals: tuple[int, ...], winners: tuple[int, ...]) -> None:
    """T15, C18: the highest columns share the victory, the Table is one of them."""
    match = new_match(Options("trichu", rounds=3))._replace(totals=totals)
    assert ended(match, "X", 2).winners == winners
