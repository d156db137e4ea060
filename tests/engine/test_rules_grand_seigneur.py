"""Rules of Grand Seigneur: deal, ranks, exchange, end (rules section 10)."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, takewhile
from math import comb
from random import Random

import pytest

from bench.walks import walks
from engine import (
    MAHJONG,
    CardsPassed,
    IllegalAction,
    Match,
    MatchEnded,
    Options,
    TrickTaken,
    cards_text,
    deal,
    indices,
    new_match,
    view,
)
from tests.cases import each
from tests.engine.positions import (
    NAMES,
    after,
    dealt,
    exchanged,
    hand_of,
    outcome,
    phase_of,
    plays_of,
    ranks_of,
    refused,
    result_of,
    round_of,
    seat_of,
    table,
)

GS = "grandseigneur"
SIX = "P4 P2 P6 P1 P5 P3"
"""A hierarchy of six, the Great Lord first."""
each_direction = each("direction", ["anticlockwise", "clockwise"])


# --- cards and deal -----------------------------------------------------------------------------


@each("players", range(5, 13))
@each("decks", [0, 2])
def test_the_deck(players: int, decks: int) -> None:
    """G1, G3, O7: no Dog, one Mah Jong, a second deck from seven players on or when wanted."""
    options = Options(GS, players=players, decks=decks)
    match = new_match(options)
    deck = match.variant.deck(options)
    two = players >= 7 or decks == 2
    assert len(deck) == len(set(deck)) == (109 if two else 55)
    faces = Counter(card % 56 for card in deck)
    assert faces[52] == 1
    assert 53 not in faces
    assert all(faces[face] == 1 + two for face in (*range(52), 54, 55))
    assert len(match.variant.seating(match, 0).order) == players
    assert match.variant.seating(match, 0).teams == tuple(range(players))


@each(
    "players, decks, count",
    [(6, 0, 1), (5, 2, 49), (6, 2, 37), (7, 0, 25), (8, 0, 13), (9, 0, 1), (10, 0, 1)],
)
def test_the_mahjong_is_never_left_over(players: int, decks: int, count: int) -> None:
    """G10: though it is the last card of the deck."""
    match = new_match(Options(GS, players=players, decks=decks))
    cards = match.variant.deck(match.options)
    deck = [*(card for card in cards if card != MAHJONG), MAHJONG]
    match, _ = deal(match, deck)
    assert list(indices(round_of(match).opening.left_over)) == sorted(deck[-1 - count : -1])
    takers = [*range(1, players), 0]
    leader = takers[(len(deck) - count - 1) % players]
    assert phase_of(match) == f"LEAD {NAMES[GS][leader]}"


def test_left_over_cards_are_out_of_play() -> None:
    """G7: nobody can lay one, they stay where they are."""
    match = dealt(variant=GS, options={"players": 7}, left_over="S8 P8 DRAGON#2")
    aside = round_of(match).opening.left_over
    assert {"S8", "P8", "DRAGON#2"} <= set(cards_text(aside).split())
    leader = phase_of(match).split()[1]
    refused(match, f"{leader} play:S8", "not-held", "N13")
    match = after(match, f"{leader} {plays_of(match, leader)[0]}")
    assert round_of(match).opening.left_over == aside


# --- ranks and seats ----------------------------------------------------------------------------


@each_direction
def test_the_first_round_has_no_exchange(direction: str) -> None:
    """G6, G11, G12, G21: somebody is picked to deal; the Mah Jong's holder leads at once."""
    hands = {"P2": "MAHJONG"}
    match = new_match(Options(GS, direction=direction), 3)
    _, events = deal(match, match.variant.deck(match.options))
    assert isinstance(events[-1], CardsPassed)
    match = dealt(variant=GS, options={"direction": direction}, dealer="P4", hands=hands)
    assert phase_of(match) == "LEAD P2"
    assert round_of(match).dealer == seat_of("P4")
    assert view(match, 0).hierarchy == ()
    refused(match, "P1 pass-cards:J2>P2", "wrong-phase", "N9")


@each("players", range(5, 13))
@each_direction
def test_seats_by_rank(players: int, direction: str) -> None:
    """G6, G12, G13, G14: after the Great Lord comes the Wretch, then upwards; the Wretch deals.

    The direction does not matter: a turn order of ranks is one, wherever the chairs stand.
    """
    ranks = ranks_of(players)
    match = dealt(variant=GS, options={"players": players, "direction": direction}, ranks=ranks)
    seats = tuple(map(seat_of, ranks.split()))
    assert view(match, None).hierarchy == seats
    assert round_of(match).dealer == seats[-1]
    after_lord = round_of(match).seating.after(seats[0])
    assert after_lord == (*reversed(seats[1:]), seats[0])


def test_the_order_of_going_out_is_the_hierarchy() -> None:
    """G12, G26: the one who is left with cards is the Wretch and deals."""
    match = table("LEAD P5", variant=GS, hands={"P5": "S3", "P3": "S4"}, out="P4 P2 P6 P1")
    match = after(match, "P5 play:S3")
    assert view(match, None).hierarchy == tuple(map(seat_of, SIX.split()))
    match, _ = deal(match, match.variant.deck(match.options))
    assert round_of(match).dealer == seat_of("P3")
    assert phase_of(match) == "EXCHANGE"


# --- the exchange -------------------------------------------------------------------------------


@each("players", range(5, 13))
def test_levels_of_the_exchange(players: int) -> None:
    """G15, G17, C28: 3, 2, 1 cards, with five players 2 and 1; the middle gives nothing."""
    ranks = ranks_of(players).split()
    match = dealt(variant=GS, options={"players": players}, ranks=" ".join(ranks))
    levels = [2, 1] if players == 5 else [3, 2, 1]
    for place, number in enumerate(levels):
        high, low = ranks[place], ranks[-1 - place]
        (up,) = view(match, seat_of(low)).gifts
        (down,) = view(match, seat_of(high)).gifts
        assert (up.receiver, up.number) == (seat_of(high), number)
        assert (down.receiver, down.number) == (seat_of(low), number)
    for name in ranks[len(levels) : -len(levels)]:
        assert view(match, seat_of(name)).gifts == ()
        assert not view(match, None).seats[seat_of(name)].waited_for
        card = hand_of(match, name).split()[0]
        refused(match, f"{name} pass-cards:{card}>{ranks[0]}", "nothing-to-give", "G15")
    sizes = [hand.size for hand in round_of(match).hands]
    match = exchanged(match)
    assert phase_of(match).startswith("LEAD")
    assert [hand.size for hand in round_of(match).hands] == sizes


@each(
    "hand, forced, free",
    [
        ("DRAGON PHOENIX MAHJONG SA PA", "MAHJONG PHOENIX DRAGON", ""),
        ("DRAGON MAHJONG SA PA TK", "MAHJONG DRAGON", "SA PA"),
        ("PHOENIX SA TK PQ T9", "SA TK PHOENIX", ""),
        ("SA PA TA JA SK", "", "JA SA PA TA"),
        ("SA PK TK J9 S9 P9", "SA PK TK", ""),
        ("S10 J10 P10 T9", "J10 S10 P10", ""),
        ("MAHJONG SQ PQ JQ TJ", "MAHJONG", "JQ SQ PQ"),
    ],
)
def test_the_wretch_gives_the_best_cards(hand: str, forced: str, free: str) -> None:
    """G15, G16, G20: Dragon, Phoenix, Mah Jong, then by rank; among equals the giver chooses."""
    high = "J2 S2 P2 T2 J3 S3 P3 T3 J4"
    match = dealt(
        variant=GS, ranks=SIX, hands={"P3": filled_up(hand, 9), "P4": high}, left_over="T8"
    )
    (gift,) = view(match, seat_of("P3")).gifts
    assert (gift.receiver, gift.number) == (seat_of("P4"), 3)
    assert set(cards_text(gift.forced).split()) == set(forced.split())
    assert set(cards_text(gift.free).split()) == set(free.split())


def filled_up(hand: str, number: int) -> str:
    """Return the hand filled up with low cards to this size."""
    words = hand.split()
    low = [f"{suit}{rank}" for rank in (5, 6, 7) for suit in "JSPT"]
    return " ".join(words + low[: number - len(words)])


TIES = {
    "two Dragons": ("DRAGON DRAGON#2 PHOENIX SA", "PHOENIX DRAGON DRAGON#2", ""),
    "three and one": ("DRAGON PHOENIX PHOENIX#2 MAHJONG", "PHOENIX DRAGON PHOENIX#2", ""),
    "two Phoenixes": ("PHOENIX PHOENIX#2 MAHJONG SA SA#2", "MAHJONG PHOENIX PHOENIX#2", ""),
    "two copies": ("DRAGON DRAGON#2 SA SA#2", "DRAGON DRAGON#2", "SA SA#2"),
    "four specials": ("DRAGON DRAGON#2 PHOENIX PHOENIX#2", "DRAGON DRAGON#2", "PHOENIX PHOENIX#2"),
    "aces": ("SA SA#2 PA TA#2 SK", "", "SA SA#2 PA TA#2"),
}


@each("name", TIES)
def test_forced_cards_with_two_decks(name: str) -> None:
    """G16, G20: copies are equals, and the giver chooses which of them."""
    hand, forced, free = TIES[name]
    match = dealt(
        variant=GS,
        options={"players": 7},
        ranks="P1 P2 P3 P4 P5 P6 P7",
        hands={"P7": filled_up(hand, 12)},
    )
    (gift,) = view(match, seat_of("P7")).gifts
    assert gift.number == 3
    assert set(cards_text(gift.forced).split()) == set(forced.split())
    assert set(cards_text(gift.free).split()) == set(free.split())
    chosen = 3 - len(forced.split())
    listed = list(match.variant.possible_gifts(round_of(match), seat_of("P7")))
    assert len(listed) == comb(len(free.split()), chosen)


def test_what_is_forced_is_forced() -> None:
    """G15, G16, G20."""
    hands = {"P3": "DRAGON SA PA TA SK J5 S5 P5 T5", "P5": "SQ PQ JQ J6", "P1": "S9 P9 J7"}
    low = {"P4": "J2 S2 P2 T2 J3 S3 P3 T3 J4", "P6": "S4 P4 T4", "P2": "J8 S8 P8"}
    match = dealt(variant=GS, ranks=SIX, hands={**hands, **low}, left_over="T8")
    for pair in ("SA>P4,PA>P4", "SA>P4,TA>P4", "PA>P4,TA>P4"):
        after(match, f"P3 pass-cards:DRAGON>P4,{pair}")
    for wrong in ("SA>P4,PA>P4,TA>P4", "DRAGON>P4,SA>P4,SK>P4", "SK>P4,J5>P4,S5>P4"):
        refused(match, f"P3 pass-cards:{wrong}", "exchange-forced", "G16")
    for wrong in ("DRAGON>P4,SA>P4", "DRAGON>P4,SA>P4,PA>P4,TA>P4", "DRAGON>P4,SA>P4,PA>P2"):
        refused(match, f"P3 pass-cards:{wrong}", "exchange-receivers", "N9")
    refused(match, "P3 pass-cards:DRAGON>P4,SA>P4,SQ>P4", "not-held", "N9")
    listed = list(match.variant.possible_gifts(round_of(match), seat_of("P3")))
    assert len(listed) == 3


def test_the_exchange_is_returned_blindly() -> None:
    """G18, G19: the receiver chooses freely, and sees nothing before all have committed."""
    hands = {"P3": "DRAGON PHOENIX SA SK", "P4": "MAHJONG J2 S2 P2 T2"}
    match = dealt(variant=GS, ranks=SIX, hands=hands)
    before = view(match, seat_of("P4"))
    assert before.gifts[0].forced == 0
    assert before.gifts[0].free == round_of(match).hands[seat_of("P4")].cards
    match = after(match, "P3 pass-cards:DRAGON>P4,PHOENIX>P4,SA>P4")
    seen = view(match, seat_of("P4"))
    assert (seen.hand, seen.received, seen.gifts) == (before.hand, (), before.gifts)
    refused(match, "P4 pass-cards:DRAGON>P3,J2>P3,S2>P3", "not-held", "N9")
    match = after(match, "P4 pass-cards:J2>P3,S2>P3,P2>P3")
    assert phase_of(match) == "EXCHANGE"
    match = after(match, "P4 pass-cards:MAHJONG>P3,S2>P3,T2>P3")  # replaced, N10
    match = exchanged(match)
    assert {"MAHJONG", "S2", "T2", "SK"} <= set(hand_of(match, "P3").split())
    assert {"DRAGON", "PHOENIX", "SA", "J2", "P2"} <= set(hand_of(match, "P4").split())
    assert [giver for giver, _ in view(match, seat_of("P4")).received] == [seat_of("P3")]
    assert phase_of(match) == "LEAD P3"  # G21: after the exchange


@each("holder", ["P4", "P2", "P6", "P1", "P5"])
def test_the_mahjong_leads_at_any_rank(holder: str) -> None:
    """G15, G16, G21, C31: from lower ranks it is given upwards first if among the best."""
    match = exchanged(dealt(variant=GS, ranks=SIX, hands={holder: "MAHJONG"}))
    leader = {"P1": "P6", "P5": "P2"}.get(holder, holder)
    assert "MAHJONG" in hand_of(match, leader).split()
    assert phase_of(match) == f"LEAD {leader}"


# --- play ---------------------------------------------------------------------------------------


def test_no_calls_and_no_points() -> None:
    """G2."""
    match = table("LEAD P1", variant=GS, hands={"P1": "SK S10 S5 +3"})
    for step in ("P1 tichu", "P2 tichu", "P1 tichu:same", "P1 grand:yes", "P1 grand:no"):
        refused(match, step, "no-calls", "G2")
    assert match.totals == ()
    match, events = outcome(
        everybody_passes_but_the_clock(after(match, "P1 play:SK")), "clock close"
    )
    assert events == [TrickTaken(0, 0)]
    assert round_of(match).discards == 1 << 4 * 11 + 1
    assert round_of(match).piles == (0,) * 6
    assert view(match, 0).trick_points == 0


def everybody_passes_but_the_clock(match: Match) -> Match:
    """Return the match in the closing window of its trick."""
    match = after(match, "clock close")
    while phase_of(match).startswith("TURN"):
        match = after(match, f"{phase_of(match).split()[1]} pass")
    return match


@each("players", [5, 12])
@each("out", ["", "P1", "P1 P2", "P3"])
def test_passes_and_the_next_lead(players: int, out: str) -> None:
    """G24, G25, N20, N22: all other active players pass; a Dragon's trick is not given away."""
    gone = out.split()
    names = NAMES[GS][:players]
    match = table(
        "WINDOW P2" if "P2" not in gone else "WINDOW P3",
        variant=GS,
        options={"players": players},
        trick="P1 DRAGON",
        out=out,
        hands={name: "+4" for name in names if name not in gone},
    )
    match = after(match, "clock close")
    passes = 0
    while phase_of(match).startswith("TURN"):
        match, passes = after(match, f"{phase_of(match).split()[1]} pass"), passes + 1
    assert passes == players - len(gone) - ("P1" not in gone)
    match = after(match, "clock close")
    leader = next(name for name in names if name not in gone)
    assert phase_of(match) == f"LEAD {leader}"
    assert cards_text(round_of(match).discards) == "DRAGON"


@each_direction
def test_play_goes_to_the_right(direction: str) -> None:
    """G22, N24, O2: round the table in the first round, by rank later."""
    options = {"direction": direction}
    match = table("LEAD P1", variant=GS, hands={"P1": "S5 +3"}, options=options)
    following = "P2" if direction == "anticlockwise" else "P6"
    assert phase_of(after(match, "P1 play:S5", "clock close")) == f"TURN {following}"
    match = table("LEAD P4", variant=GS, hands={"P4": "S5 +3"}, options=options, ranks=SIX)
    assert phase_of(after(match, "P4 play:S5", "clock close")) == "TURN P3"


def test_bombs_out_of_turn() -> None:
    """G22, N56, N61, N63: in a window the nearer one by rank, in a turn the first."""
    hands = {"P6": "J3 S3 P3 T3 +2", "P5": "J2 S2 P2 T2 +2", "P4": "S9 +3"}
    match = table("LEAD P4", variant=GS, hands=hands, ranks=SIX)
    refused(match, "P6 bomb:J3,S3,P3,T3", "lead-not-bombable", "N58")
    match = after(match, "P4 play:S9", "P6 bomb:J3,S3,P3,T3", "P5 bomb:J2,S2,P2,T2")
    match = after(match, "clock close")
    assert round_of(match).top_seat == seat_of("P5")
    match = after(match, "clock close", "P1 pass")
    assert phase_of(match) == "TURN P6"
    match = after(match, "P6 play:J3,S3,P3,T3")
    assert phase_of(match) == "WINDOW P2"


def test_the_wish() -> None:
    """G23, N26, N28, N32."""
    hands = {"P1": "MAHJONG +5", "P2": "JJ +5", "P3": "SJ +5"}
    match = table("LEAD P1", variant=GS, hands=hands)
    match = after(match, "P1 play:MAHJONG wish=J", "clock close")
    refused(match, "P2 pass", "wish-duty", "N28")
    match = after(match, "P2 play:JJ", "clock close")
    assert round_of(match).wish is None
    after(match, "P3 pass")


@each("players", [5, 6, 9])
def test_the_round_ends_with_the_wretch(players: int) -> None:
    """G2, G26, N64, N67: nobody has swept before, the last trick needs no window."""
    names = NAMES[GS][:players]
    *out, second, last = names
    match = table(
        f"LEAD {second}",
        variant=GS,
        options={"players": players},
        hands={second: "S3", last: "J4 S4 P4 T4"},
        out=" ".join(out),
    )
    match = after(match, f"{second} play:S3")
    assert phase_of(match) == "ROUND_END"
    assert result_of(match).out == tuple(range(players - 1))
    assert not result_of(match).sweep
    assert result_of(match).cards == result_of(match).score == ()
    early = table("LEAD P2", variant=GS, hands={"P2": "S3"}, out="P1")
    assert phase_of(after(early, "P2 play:S3")) == "WINDOW P3"


# --- the match ----------------------------------------------------------------------------------


@each("rounds", [1, 3])
def test_a_number_of_rounds(rounds: int) -> None:
    """G12, G27, G30, O7: then it is over and the Great Lord has won, with nothing but the name."""
    steps = list(walks(Random(rounds), Options(GS, players=5, rounds=rounds)))
    match = steps[-1].match
    assert len(match.results) == rounds
    assert match.winners == view(match, None).hierarchy[:1] == match.results[-1].out[:1]
    assert match.totals == ()
    for earlier, _ in steps[:-1]:
        assert earlier.winners == ()
    refused(match, "clock stop", "no-stop-vote", "G27")
    between = [step.match for step in steps if step.match.phase.value == "ROUND_END"]
    for earlier in between:
        if earlier.round is not None:
            refused(earlier, "clock stop", "no-stop-vote", "G27")


def test_an_open_ended_match_stops_by_vote() -> None:
    """G27, C30: between two rounds and not before the first has ended."""
    match = dealt(variant=GS)
    refused(match, "clock stop", "no-stop-vote", "G27")
    refused(new_match(Options(GS)), "clock stop", "wrong-phase", "N64")
    steps = takewhile(
        lambda step: len(step.match.results) < 5, walks(Random(1), Options(GS, players=5), stops=0)
    )
    found = [step.match for step in steps]
    ends = 0
    for earlier, later in pairwise(found):
        assert later.winners == ()
        if earlier.results and earlier.phase.value != "ROUND_END":
            refused(earlier, "clock stop", "wrong-phase", "G27")
        elif earlier.results:
            ends += 1
            stopped, events = outcome(earlier, "clock stop")
            lord = earlier.results[-1].out[0]
            assert events == [MatchEnded((lord,))]
            assert stopped.winners == (lord,)
            assert stopped.phase.value == "MATCH_END"
            refused(stopped, "clock stop", "wrong-phase", "G27")
            with pytest.raises(IllegalAction):
                deal(stopped, stopped.variant.deck(stopped.options))
        if ends == 2:
            break
    assert ends == 2


def test_no_other_game_knows_the_stop_vote() -> None:
    """G27."""
    for variant, names in NAMES.items():
        if variant != GS:
            match = table(f"LEAD {names[0]}", variant=variant)
            refused(match, "clock stop", "no-stop-vote", "G27")


def test_ranks_change_no_rule() -> None:
    """G30: the same cards, the same legal actions, for a Great Lord and for a Wretch."""
    for name in ("P4", "P3"):
        match = table(f"LEAD {name}", variant=GS, hands={name: "S3 P3 TA"}, ranks=SIX)
        assert plays_of(match, name) == ["play:P3", "play:S3", "play:S3,P3", "play:TA"]
