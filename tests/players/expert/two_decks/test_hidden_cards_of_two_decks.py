"""Knowledge about the hidden cards of two decks, and deals consistent with it."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random
from statistics import mean

import pytest

from bench.walks import walks
from engine import (
    CARDS_OF_RANK,
    PHOENIXES,
    VARIANTS,
    CardSet,
    Match,
    Options,
    Phase,
    bits,
    card_set,
    cards_text,
    read_cards,
    read_position,
    view,
)
from players.expert import layout
from players.expert.two_decks.deals import as_of_one_deck, next_deal
from players.expert.two_decks.hands import Cards, count_by_rank, from_engine_set, hand_of, size_of
from players.expert.two_decks.layout import DECKS, GONE
from players.expert.two_decks.policy import make_workspace
from players.expert.two_decks.position import deal_arrays, place_known_cards, row_of

WORK = make_workspace()
TEN = read_cards("S10").bit_length() - 1
GAMES = ({"players": 7}, {"players": 10}, {"players": 12}, {"players": 6, "decks": 2})


def faces(cards: CardSet) -> Counter[int]:
    """Return a card set of the engine with the second deck's cards mapped to the first's."""
    return Counter((card.bit_length() - 1) % layout.CARDS for card in bits(cards))


def faces_of(hand: Cards) -> Counter[int]:
    """Return the same for a card set of compiled code."""
    return Counter(card.bit_length() - 1 for part in hand for card in bits(int(part)))


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_deals_keep_to_what_is_seen(game: dict[str, int]) -> None:
    """True hands are possible, and every deal has hands of the right sizes from the rest."""
    rng, checked = Random(4), 0
    for walk in islice(walks(rng, Options.from_values("grandseigneur", game)), 0, 200, 2):
        round_ = walk.match.round
        if round_ is None or round_.phase in (Phase.EXCHANGE, Phase.ROUND_END):
            continue
        seat = rng.randrange(len(round_.hands))
        seen = view(walk.match, seat)
        row = row_of(seen)
        hidden = place_known_cards(seen, row)
        unseen: Counter[int] = Counter()
        for other, held in enumerate(round_.hands):
            assert faces_of(hand_of(row, other)) <= faces(held.cards)
            assert not from_engine_set(held.cards).ones & int(hidden.barred[other])
            unseen += faces(held.cards)
        row[layout.RNG] = rng.getrandbits(60)
        deal = deal_arrays(row, hidden)
        for _ in range(2):
            next_deal(row, deal, hidden, WORK)
        hands = [hand_of(deal.row, other) for other in range(len(round_.hands))]
        for other, hand in enumerate(hands):
            assert not hand.ones & int(hidden.barred[other])
            assert faces_of(hand_of(row, other)) <= faces_of(hand)
        assert [size_of(hand) for hand in hands] == [held.size for held in round_.hands]
        assert faces_of(hands[seat]) == faces(round_.hands[seat].cards)
        dealt = sum((faces_of(hand) for hand in hands), Counter[int]())
        assert dealt == unseen
        assert DECKS - row[GONE] == sum(count_by_rank(hand) for hand in hands)
        checked += 1
    assert checked > 40


def three_pass() -> Match:
    """Return a position of seven seats with three cards each: 4 to 6 passed on a 10, 0 is next."""
    game = VARIANTS["grandseigneur"]
    deck = [
        card for card in game.deck(Options.from_values(game.name, {"players": 7})) if card != TEN
    ]
    Random(1).shuffle(deck)
    hands = [deck[3 * seat : 3 * seat + 3] for seat in range(7)]
    return read_position(
        "\n".join(
            [
                'variant grandseigneur {"players": 7}',
                "phase TURN 0",
                "started 0 1 2 3 4 5 6",
                "trick 3 S10 | 4 pass | 5 pass | 6 pass",
                *(f"hand {seat} {cards_text(card_set(hand))}" for seat, hand in enumerate(hands)),
                f"left-over {cards_text(card_set(deck[21:]))}",
            ]
        )
    )


def lone_high_cards(hand: Cards) -> int:
    """Return the ranks above the ten with one card in a hand."""
    naturals = (card for card in faces_of(hand).elements() if 1 << card & layout.NATURALS)
    ranks = Counter(card // 4 + 2 for card in naturals)
    return sum(ranks[rank] == 1 for rank in range(11, 15))


@pytest.mark.parametrize("infers", [True, False])
def test_who_has_passed_is_believed_to_have_fewer_cards_that_beat(infers: bool) -> None:
    """Deals use past actions; 60 of them from the start, because swaps change the first."""
    seen = view(three_pass(), 0)
    row = row_of(seen)
    hidden = place_known_cards(seen, row, infers=infers)
    found: dict[int, list[int]] = {seat: [] for seat in range(1, 7)}
    for chain in range(60):
        row[layout.RNG] = chain + 1
        deal = deal_arrays(row, hidden)
        for _ in range(10):
            next_deal(row, deal, hidden, WORK)
            for seat, counts in found.items():
                counts.append(lone_high_cards(hand_of(deal.row, seat)))
    silent = [mean(found[seat]) for seat in (1, 2)]
    passed = [mean(found[seat]) for seat in (4, 5, 6)]
    if infers:
        assert max(passed) < 0.75 * min(silent)
    else:
        assert min(passed) > 0.85 * max(silent)


@pytest.mark.parametrize(
    "cards, expected",
    [("J8 J8#2 S8 S8#2", 3), ("J8 S8 P8 T8", 4), ("J8 J8#2 S8 P8 T8", 4), ("J8 J8#2", 2)],
)
def test_four_cards_are_evidence_of_a_bomb_only_with_all_suits(cards: str, expected: int) -> None:
    """G5."""
    hand = as_of_one_deck(from_engine_set(read_cards(f"{cards} J9 PHOENIX")))
    assert (hand & CARDS_OF_RANK[8]).bit_count() == expected
    assert hand & PHOENIXES
