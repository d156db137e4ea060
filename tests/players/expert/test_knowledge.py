"""The Expert's knowledge of hidden hands, and deals consistent with it."""

from __future__ import annotations

from itertools import islice
from random import Random

import numpy as np
import pytest

from bench.walks import random_options, walks
from engine import (
    CARDS_OF_RANK,
    AnswerGrand,
    CloseWindow,
    Match,
    Options,
    Pass,
    PassCards,
    Phase,
    Play,
    View,
    apply,
    deal,
    new_match,
    read_cards,
    view,
)
from players.expert import layout
from players.expert.deals import deal_unseen
from players.expert.knowledge import Knowledge
from players.expert.rows import row_of
from tests.campaign import SOAK, sample

SKIPPED = (Phase.GRAND, Phase.ROUND_END)


def dealt_row(seen: View, rng: int) -> list[int]:
    """Return the hands of one deal of the hidden cards."""
    known, row = Knowledge(seen), row_of(seen)
    for seat, cards in enumerate(known.held):
        row[layout.HAND + seat] = cards
    row[layout.RNG] = rng
    room = np.zeros(layout.CARDS, np.int64)
    deal_unseen(row, known.free, known.sizes, known.barred, room)
    return [int(row[layout.HAND + seat]) for seat in range(len(seen.seats))]


@pytest.mark.parametrize("game", ["nanjing", "trichu", "tientsin", "grandseigneur"])
@pytest.mark.parametrize("seed", sample(range(6), 2))
def test_deals_keep_to_what_is_seen(game: str, seed: int) -> None:
    """True hands are possible, and every deal has hands of the right sizes from the rest."""
    rng = Random(seed)
    options = random_options(rng, game)
    if game == "grandseigneur":
        options = Options.from_values(game, {"players": rng.choice([5, 6])})
    for walk in islice(walks(rng, options), 0, 200, 1 if SOAK else 3):
        round_ = walk.match.round
        if round_ is None or round_.asked or round_.phase in SKIPPED:
            continue
        seat = rng.randrange(len(round_.hands))
        seen = view(walk.match, seat)
        known = Knowledge(seen)
        for other, held in enumerate(round_.hands):
            assert not known.held[other] & ~held.cards
            assert not held.cards & int(known.barred[other])
        hands = dealt_row(seen, rng.getrandbits(60))
        assert hands[seat] == round_.hands[seat].cards
        assert [hand.bit_count() for hand in hands] == [hand.size for hand in round_.hands]
        together = 0
        for hand in hands:
            assert not together & hand
            together |= hand
        true = 0
        for held in round_.hands:
            true |= held.cards
        assert together == true


HANDS = (
    "J2 S2 P2 T2 J3 S3 P3 T3 J4 S4 P4 T4 J5 MAHJONG",
    "S5 P5 T5 J6 S6 P6 T6 J7 S7 P7 T7 J8 S8 DOG",
    "P8 T8 J9 S9 P9 T9 J10 S10 P10 T10 JJ SJ PJ PHOENIX",
    "TJ JQ SQ PQ TQ JK SK PK TK JA SA PA TA DRAGON",
)


def after_exchange() -> Match:
    """Return a position: seat 0 passed the 5 right, a 4 to its partner and another 4 left."""
    match = new_match(Options())
    decks = [sorted_cards(hand) for hand in HANDS]
    order = deal(match, range(layout.CARDS))[0].round
    assert order is not None
    deck = [decks[seat][place] for place in range(14) for seat in order.seating.order]
    match, _ = deal(match, deck)
    for seat in range(4):
        match, _ = apply(match, AnswerGrand(seat, False))
    gifts = {
        0: ("J5", "T4", "P4"),
        1: ("S5", "P5", "T5"),
        2: ("P8", "T8", "J9"),
        3: ("JQ", "SQ", "PQ"),
    }
    for seat, cards in gifts.items():
        others = [other for other in range(4) if other != seat]
        given = tuple((to, read_cards(card)) for to, card in zip(others, cards, strict=True))
        match, _ = apply(match, PassCards(seat, given))
    return match


def sorted_cards(hand: str) -> list[int]:
    cards = read_cards(hand)
    return [card for card in range(layout.CARDS) if cards >> card & 1]


def test_cards_that_were_passed_on_are_known_until_they_are_laid() -> None:
    match = after_exchange()
    known = Knowledge(view(match, 0))
    assert known.held[1] == read_cards("J5")
    assert known.held[2] == read_cards("T4")
    assert known.held[3] == read_cards("P4")
    assert not known.free & read_cards("J5 T4 P4")


def test_the_first_leader_holds_the_mah_jong() -> None:
    match = after_exchange()
    assert Knowledge(view(match, 2)).held[0] & read_cards("MAHJONG")
    match, _ = apply(match, Play(0, read_cards("J2")))
    match, _ = apply(match, CloseWindow())
    assert Knowledge(view(match, 2)).held[0] & read_cards("MAHJONG")


def test_who_passes_on_a_low_single_does_not_have_the_wished_rank() -> None:
    match = after_exchange()
    match, _ = apply(match, Play(0, read_cards("MAHJONG"), wish=14))
    match, _ = apply(match, CloseWindow())
    assert match.round is not None
    turn = match.round.turn
    match, _ = apply(match, Pass(turn))
    known = Knowledge(view(match, 0))
    assert int(known.barred[turn]) == CARDS_OF_RANK[14] & layout.DECK
    for rng in range(30):
        assert not dealt_row(view(match, 0), rng)[turn] & CARDS_OF_RANK[14]


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_no_deal_gives_a_seat_what_it_cannot_have(seat: int) -> None:
    row, room = row_of(view(after_exchange(), 0)), np.zeros(layout.CARDS, np.int64)
    barred, sizes = np.zeros(layout.SEATS, np.int64), np.zeros(layout.SEATS, np.int64)
    sizes[:4] = 14
    barred[seat] = CARDS_OF_RANK[9] & layout.DECK
    free = layout.DECK & ~int(row[layout.HAND])
    for rng in range(200):
        trial = row.copy()
        trial[layout.RNG] = rng
        deal_unseen(trial, free, sizes, barred, room)
        assert not int(trial[layout.HAND + seat]) & CARDS_OF_RANK[9]
        assert [int(trial[layout.HAND + other]).bit_count() for other in range(4)] == [14] * 4


def test_the_tables_seat_knows_the_dealers_cards_and_gifts() -> None:
    """T6, T8: it plays on with both hands as they are."""
    match, _ = deal(new_match(Options.from_values("trichu", {})), range(layout.CARDS))
    dealer, rivals, table = 0, (1, 2), 3
    for seat in rivals:
        match, _ = apply(match, AnswerGrand(seat, False))
    for seat in (dealer, *rivals, table):
        seen = view(match, seat)
        cards = [1 << card for card in range(layout.CARDS) if seen.hand.cards >> card & 1]
        passed = [(gift.receiver, card) for gift, card in zip(seen.gifts, cards, strict=False)]
        match, _ = apply(match, PassCards(seat, tuple(passed)))
    assert match.round is not None
    hands = [hand.cards for hand in match.round.hands]
    for seat in (dealer, table):
        held = Knowledge(view(match, seat)).held
        assert (held[dealer], held[table]) == (hands[dealer], hands[table])
        for rival in rivals:
            assert held[rival].bit_count() >= 2, "one card of each hand"
            assert not held[rival] & ~hands[rival]
    assert Knowledge(view(match, rivals[0])).held[dealer].bit_count() < 3
