"""Rules of Tientsin: six players, two teams of three (rules section 9)."""

from __future__ import annotations

from engine import (
    Call,
    LeadGiven,
    Match,
    Options,
    RoundEnded,
    Withdrawn,
    deal,
    new_match,
    read_position,
    view,
    write_position,
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

SIX = NAMES["tientsin"]
NO = tuple(f"{name} grand:no" for name in SIX)
each_direction = each("direction", ["anticlockwise", "clockwise"])


@each_direction
@each("dealer", SIX)
def test_the_deal(direction: str, dealer: str) -> None:
    """S1, S3, S4, N6, C19: the dealer and the next player hold ten cards; six come first."""
    match = new_match(Options("tientsin", direction=direction), seat_of(dealer))
    deck = match.variant.deck(match.options)
    assert len(deck) == 56
    match, _ = deal(match, deck)
    seating, step = round_of(match).seating, 1 if direction == "anticlockwise" else -1
    assert seating.order == tuple((seat_of(dealer) + step * place) % 6 for place in range(6))
    assert {len(seating.partners(seat)) for seat in range(6)} == {2}
    assert seating.teams == (0, 1, 0, 1, 0, 1)
    for place, seat in enumerate(seating.order):
        mine = deck[place::6]
        assert len(mine) == (10 if place < 2 else 9)
        assert round_of(match).hands[seat].cards == sum(1 << card for card in mine[:6])
        assert round_of(match).opening.stock[seat] == sum(1 << card for card in mine[6:])


def test_the_grand_tichu_question_comes_with_six_cards() -> None:
    """S4, N11: everybody is asked, nobody after the seventh card."""
    match = dealt(variant="tientsin")
    for name in SIX:
        assert len(hand_of(match, name).split()) == 6
        assert plays_of(match, name) == ["grand:no", "grand:yes"]
    refused(match, "A tichu", "call-before-full-hand", "N73")
    match = after(match, "B grand:yes", *(step for step in NO if step[0] != "B"))
    assert [hand.size for hand in round_of(match).hands] == [10, 10, 9, 9, 9, 9]
    assert round_of(match).calls == (None, Call.GRAND, None, None, None, None)
    refused(match, "A grand:yes", "grand-too-late", "N11")
    assert len(set(cards_in(match))) == 56


@each(
    "dealer, callers, asked",
    [
        ("A", "AC", "C"),
        ("B", "AC", "A"),
        ("A", "ACE", "CE"),
        ("C", "ACE", "AE"),
        ("D", "ACE", "AC"),
        ("F", "ABCDEF", "BDCE"),
    ],
)
def test_simultaneous_grand_tichus(dealer: str, callers: str, asked: str) -> None:
    """S4, N78, C21: of three partners the two later ones from the dealer on are asked."""
    match = dealt(variant="tientsin", dealer=dealer)
    match = after(match, *(f"{name} grand:{'yes' if name in callers else 'no'}" for name in SIX))
    assert phase_of(match) == "GRAND"
    assert round_of(match).asked == sum(1 << seat_of(name) for name in asked)
    for name in SIX:
        assert view(match, seat_of(name)).asked_to_withdraw == (name in asked)
    first, later = asked[0], asked[1:]
    match, events = outcome(match, f"{first} withdraw:yes")
    for name in later:
        assert phase_of(match) == "GRAND"
        match, more = outcome(match, f"{name} withdraw:no")
        events += more
    assert events[0] == Withdrawn(seat_of(first), Call.GRAND)
    assert phase_of(match) == "EXCHANGE"
    called = {name for name in SIX if round_of(match).calls[seat_of(name)]}
    assert called == set(callers) - {first}


@each("dealer, asked", [("A", "C"), ("B", "A"), ("D", "C")])
def test_simultaneous_small_tichus(dealer: str, asked: str) -> None:
    """S2, N78, C21: two of three partners; any other call stands."""
    match = table("TURN B", variant="tientsin", trick="F S9", dealer=dealer, started="F")
    match = after(match, "B tichu", "A tichu", "C tichu:same")
    assert round_of(match).asked == 1 << seat_of(asked)
    refused(match, "E tichu", "withdrawal-first", "N78")
    match = after(match, f"{asked} withdraw:yes")
    other = "A" if asked == "C" else "C"
    assert round_of(match).calls[seat_of(other)] is Call.TICHU
    match = after(match, "E tichu:same")
    order = [SIX[seat] for seat in round_of(match).seating.order]
    later = max(other, "E", key=order.index)
    assert round_of(match).asked == 1 << seat_of(later)


HANDS = {"A": "J2 J3", "B": "S2 S3", "C": "P2 P3", "D": "T2 T3", "E": "J5 S5", "F": "P5 T5"}


@each(
    "dealer, calls, asked",
    [
        ("A", "A tichu, C tichu, E tichu:same", "E"),
        ("D", "A tichu, C tichu, E tichu:same", "C"),
        ("A", "A tichu, B tichu, C tichu:same, C withdraw:no, E tichu:same", "E"),
        ("A", "E tichu, C tichu:same, E withdraw:no, A tichu:same", "C"),
        ("A", "A tichu, C tichu:same, C withdraw:yes, E tichu:same", "E"),
    ],
)
def test_an_older_call_is_final(dealer: str, calls: str, asked: str) -> None:
    """N78, C21: at the same time as the last call; nobody is asked about an earlier one."""
    match = table("TURN B", variant="tientsin", trick="F S9", dealer=dealer, started="F")
    match = after(match, *calls.split(", "))
    assert round_of(match).asked == 1 << seat_of(asked)
    assert read_position(write_position(match)) == match


@each(
    "giver, partners",
    [("A", "CE"), ("B", "DF"), ("C", "AE"), ("D", "BF"), ("E", "AC"), ("F", "BD")],
)
def test_the_exchange(giver: str, partners: str) -> None:
    """S5: one card to each partner, nothing to opponents; nobody's number of cards changes."""
    match = after(dealt(variant="tientsin", hands=HANDS), *NO)
    one, two = HANDS[giver].split()
    rivals = [name for name in SIX if name not in partners + giver]
    for wrong in (
        f"{one}>{partners[0]},{two}>{rivals[0]}",
        f"{one}>{rivals[0]},{two}>{rivals[1]}",
        f"{one}>{partners[0]}",
        f"{one}>{partners[0]},{two}>{giver}",
    ):
        refused(match, f"{giver} pass-cards:{wrong}", "exchange-receivers", "N9")
    match = exchanged(match, f"{giver} pass-cards:{one}>{partners[0]},{two}>{partners[1]}")
    assert one in hand_of(match, partners[0]).split()
    assert two in hand_of(match, partners[1]).split()
    givers = [SIX[by] for by, _ in round_of(match).opening.received[seat_of(giver)]]
    assert givers == list(partners)
    assert [hand.size for hand in round_of(match).hands] == [10, 10, 9, 9, 9, 9]


# --- the Dog ------------------------------------------------------------------------------------


@each(
    "player, out, partners",
    [("A", "", "CE"), ("D", "", "BF"), ("A", "C", "E"), ("E", "AB", "C"), ("B", "D", "F")],
)
def test_the_dogs_player_chooses(player: str, out: str, partners: str) -> None:
    """S6, S12: among the partners who still hold cards."""
    match = table(f"LEAD {player}", variant="tientsin", hands={player: "DOG +3"}, out=out)
    for partner in partners:
        led, events = outcome(match, f"{player} play:DOG to={partner}")
        assert events[-1] == LeadGiven(seat_of(player), seat_of(partner))
        assert phase_of(led) == f"LEAD {partner}"
    refused(match, f"{player} play:DOG", "dog-target", "N39")
    for other in SIX:
        if other not in partners:
            refused(match, f"{player} play:DOG to={other}", "dog-target", "N39")
    refused(match, f"{player} play:S8 to={partners[0]}", "not-held", "N13")


def test_only_the_dog_has_a_target() -> None:
    """S6."""
    match = table("LEAD A", variant="tientsin", hands={"A": "DOG S8 +3"})
    refused(match, "A play:S8 to=C", "dog-target", "N39")


@each(
    "direction, player, out, leader",
    [
        ("anticlockwise", "A", "CE", "D"),
        ("anticlockwise", "A", "CED", "F"),
        ("anticlockwise", "A", "CEDF", "A"),
        ("anticlockwise", "B", "DF", "E"),
        ("anticlockwise", "E", "AC", "B"),
        ("clockwise", "A", "CE", "D"),
        ("clockwise", "A", "CED", "B"),
        ("clockwise", "A", "CEDB", "A"),
        ("clockwise", "B", "DF", "E"),
        ("clockwise", "C", "AE", "F"),
    ],
)
def test_the_dog_without_a_partner(direction: str, player: str, out: str, leader: str) -> None:
    """S12, C7; section 5: the walk starts at the next partner in turn order."""
    match = table(
        f"LEAD {player}",
        variant="tientsin",
        hands={player: "DOG S8 +2"},
        out=out,
        options={"direction": direction},
    )
    refused(match, f"{player} play:DOG to={out[0]}", "dog-target", "N39")
    assert phase_of(after(match, f"{player} play:DOG")) == f"LEAD {leader}"


@each(
    "player, out, step, leader",
    [
        ("A", "", "play:DOG to=E", "E"),
        ("A", "C", "play:DOG to=E", "E"),
        ("A", "BCD", "play:DOG to=E", "E"),
        ("A", "BCE", "play:DOG", "D"),
    ],
)
def test_the_dog_as_last_card(player: str, out: str, step: str, leader: str) -> None:
    """S6, S12: its player is out first, then the lead goes on."""
    match = table(f"LEAD {player}", variant="tientsin", hands={player: "DOG"}, out=out)
    match = after(match, f"{player} {step}")
    assert phase_of(match) == f"LEAD {leader}"
    assert round_of(match).out[-1] == seat_of(player)


def test_a_triple_victory_with_the_dog_as_last_card() -> None:
    """S9, S12: nobody leads any more."""
    match = table("LEAD A", variant="tientsin", hands={"A": "DOG"}, out="CE")
    match, events = outcome(match, "A play:DOG")
    assert isinstance(events[-1], RoundEnded)
    assert result_of(match).sweep
    assert result_of(match).cards == (300, 0)


def test_the_dog_as_the_fifth_players_last_card() -> None:
    """S12, N64."""
    match = table(
        "LEAD A", variant="tientsin", hands={"A": "DOG", "F": "SK"}, out="BCDE", piles={"B": "S10"}
    )
    match = after(match, "A play:DOG")
    assert result_of(match).out == (1, 2, 3, 4, 0)
    assert result_of(match).cards == (10, 10)  # the king in hand goes to A's team


# --- the Dragon and the passes ------------------------------------------------------------------


@each("player, rivals", [("A", "BDF"), ("D", "ACE")])
@each("gone", [0, 1, 2])
def test_the_dragons_trick(player: str, rivals: str, gone: int) -> None:
    """S13, N49, N50: to any of three opponents, out or not."""
    out = rivals[:gone]
    match = table(f"LEAD {player}", variant="tientsin", hands={player: "DRAGON +4"}, out=out)
    match = everybody_passes(after(match, f"{player} play:DRAGON"))
    assert phase_of(match) == f"GIFT {player}"
    assert plays_of(match, player) == [f"give:{seat_of(name)}" for name in rivals]
    for name in SIX:
        if name not in rivals:
            refused(match, f"{player} give:{name}", "gift-to-opponent", "N49")
    for name in rivals:
        given = after(match, f"{player} give:{name}")
        assert pile_of(given, name) == "DRAGON"
        assert phase_of(given) == f"LEAD {player}"


@each_direction
@each("out, passes", [("", 5), ("D", 4), ("DA", 4), ("CDE", 2)])
def test_passes_that_end_a_trick(direction: str, out: str, passes: int) -> None:
    """S11, N20, N23: those of all other active players; A is the one who has led."""
    match = table(
        "LEAD A" if "A" not in out else "WINDOW B",
        variant="tientsin",
        trick="" if "A" not in out else "A S9",
        hands={"A": "S9 +3"} if "A" not in out else {},
        out=out,
        options={"direction": direction},
    )
    if "A" not in out:
        match = after(match, "A play:S9")
    match = after(match, "clock close")
    for _ in range(passes):
        name = phase_of(match).removeprefix("TURN ")
        assert name in SIX
        assert name not in out
        match = after(match, f"{name} pass")
    match = after(match, "clock close")
    following = "A" if "A" not in out else {"anticlockwise": "B", "clockwise": "F"}[direction]
    assert phase_of(match) == f"LEAD {following}"


# --- the end of a round -------------------------------------------------------------------------


@each("out, ends", [("A", 0), ("AC", 300), ("AB", 0), ("BA", 0), ("CA", 300)])
def test_only_a_triple_victory_ends_a_round(out: str, ends: int) -> None:
    """S9, S10: first and second of a team play on."""
    match = table("LEAD E", variant="tientsin", hands={"E": "S3"}, out=out, piles={"B": "JK SK"})
    match = after(match, "E play:S3")
    if ends:
        assert result_of(match).cards == (300, 0)
        assert result_of(match).sweep
        assert result_of(match).out == (*map(seat_of, out), seat_of("E"))
    else:
        assert phase_of(match) == "WINDOW F"


def test_a_triple_victory_of_the_others_with_calls() -> None:
    """S9, N75."""
    match = table(
        "TURN F",
        variant="tientsin",
        hands={"F": "DRAGON"},
        trick="E SK",
        out="DB",
        calls={"D": "grand", "B": "tichu", "A": "tichu", "C": "grand"},
    )
    result = result_of(after(match, "F play:DRAGON"))
    assert result.cards == (0, 300)
    assert result.score == (-300, 400)


PILES = {"A": "J10", "B": "J5 S5", "C": "S10", "D": "P5", "E": "JK SK PK", "F": "P10 T10"}


@each(
    "out, fifth, cards",
    [
        # A, C and E have 20 and 30; F's 20 in tricks and 15 in hand go across
        ("ABCD", "E", (20 + 30 + 20 + 15, 15)),
        # an opponent was first, and the fifth is E, whose 30 go to B
        ("BACD", "E", (20 + 20 + 15, 15 + 30)),
        # an opponent of the fifth was first: D's 5 go to A
        ("ABCE", "D", (20 + 30 + 5 + 20 + 15, 10)),
        # a partner of the fifth was first: the 5 stay with the team
        ("BACE", "D", (20 + 30 + 20 + 15, 15)),
    ],
)
def test_the_fifth_and_the_last_player(out: str, fifth: str, cards: tuple[int, int]) -> None:
    """S7, S8, N64, N69: F is the tailender with tricks worth 20 and a hand worth 15."""
    match = table(
        f"LEAD {fifth}",
        variant="tientsin",
        hands={fifth: "S3", "F": "TK T5 DRAGON PHOENIX S2"},
        out=out,
        piles=PILES,
    )
    match = after(match, f"{fifth} play:S3")
    assert result_of(match).cards == cards
    assert sum(cards) == 100


def test_the_fifths_last_trick_and_the_dragon() -> None:
    """S7, S8, S13, N52, N67: what the tailender is given goes across again."""

    def ended(receiver: str) -> Match:
        match = table(
            "TURN E",
            variant="tientsin",
            hands={"E": "DRAGON", "F": "S4"},
            trick="D SK",
            out="ABCD",
        )
        match = after(match, "E play:DRAGON")
        assert phase_of(match) == "GIFT E"
        return after(match, f"E give:{receiver}")

    assert result_of(ended("B")).cards == (0, 35)
    assert result_of(ended("F")).cards == (35, 0)
    match = table(
        "TURN E", variant="tientsin", hands={"E": "SA", "F": "S4"}, trick="D SK", out="BCDA"
    )
    assert result_of(after(match, "E play:SA")).cards == (0, 10)


def test_the_winner_deals_next() -> None:
    """S2, N5: and the surplus cards are the dealer's and the next player's."""
    match = table("LEAD E", variant="tientsin", hands={"E": "S3", "F": "S4"}, out="CABD")
    match = after(match, "E play:S3")
    match, _ = deal(match, match.variant.deck(match.options))
    assert round_of(match).dealer == seat_of("C")
    match = after(match, *NO)
    assert [hand.size for hand in round_of(match).hands] == [9, 9, 10, 10, 9, 9]


def test_a_missed_wish_costs_as_in_nanjing() -> None:
    """S2, N37, O6."""
    match = table(
        "TURN B",
        variant="tientsin",
        hands={"B": "J8 +3"},
        trick="A MAHJONG wish=8",
        wish="8",
        options={"wishPolicy": "penalty"},
    )
    assert result_of(after(match, "B pass")).score == (200, 0)


def test_the_match_ends_at_the_target() -> None:
    """S2, N80, O4."""
    match = table("LEAD E", variant="tientsin", hands={"E": "S3"}, out="AC", totals="690 900")
    assert after(match, "E play:S3").winners == ()
    match = table("LEAD E", variant="tientsin", hands={"E": "S3"}, out="AC", totals="700 900")
    assert after(match, "E play:S3").winners == (0,)
