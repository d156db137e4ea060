"""Generated combinations against brute force: every subset, judged by the definitions."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement

from hypothesis import given
from hypothesis import strategies as st

from engine import (
    CARDS_OF_RANK,
    DECK_SIZE,
    DOGS,
    DRAGON,
    DRAGONS,
    MAHJONGS,
    PHOENIXES,
    RANKS,
    Combination,
    Hand,
    Kind,
    beats,
    bits,
    card_set,
    indices,
    rank_of,
    readings,
    suit_of,
    with_key_on,
)
from engine.combinations import LED_PHOENIX_KEY
from tests.campaign import examples

OFTEN = examples(25)
SPECIALS = (52, 53, 54, 55)


@st.composite
def hands(draw: st.DrawFn, decks: int = 1, most: int = 9) -> int:
    """Return a hand of a few neighbouring ranks, so that it is full of combinations."""
    low = draw(st.integers(2, 14))
    high = min(14, low + draw(st.integers(0, 6)))
    faces = [*range(4 * (low - 2), 4 * (high - 1)), *SPECIALS]
    pool = [face + copy * DECK_SIZE for copy in range(decks) for face in faces]
    size = draw(st.integers(0, min(most, len(pool))))
    return card_set(draw(st.sets(st.sampled_from(pool), min_size=size, max_size=size)))


def by_definition(cards: int) -> set[Combination]:
    """Return the readings of these cards by section 2, tried with every rank of the Phoenixes."""
    size = cards.bit_count()
    if size == 1:
        return {_single(cards)}
    if cards & (DOGS | DRAGONS):
        return set()
    naturals = [rank_of(card) for card in indices(cards & ~PHOENIXES)]
    helpers = (cards & PHOENIXES).bit_count()
    found = set()
    for phoenix in combinations_with_replacement(RANKS, helpers):
        for kind, rank in _shapes(cards, naturals, phoenix):
            found.add(Combination(kind, size, 2 * rank, cards, phoenix))
    return found


def _single(cards: int) -> Combination:
    if cards & DOGS:
        return Combination(Kind.DOG, 1, 0, cards)
    (card,) = indices(cards)
    key = 50 if cards & DRAGONS else LED_PHOENIX_KEY if cards & PHOENIXES else 2 * rank_of(card)
    return Combination(Kind.SINGLE, 1, key, cards)


def _shapes(cards: int, naturals: list[int], phoenix: tuple[int, ...]) -> list[tuple[Kind, int]]:
    counts = Counter([*naturals, *phoenix])
    ranks = sorted(counts)
    size = counts.total()
    suits = {suit_of(card) for card in indices(cards)}
    in_a_row = ranks == list(range(ranks[0], ranks[-1] + 1))
    every_rank_natural = set(phoenix) <= set(naturals)
    shape = sorted(counts.values())
    if not phoenix and shape == [4] and len(suits) == 4:
        return [(Kind.FOUR_BOMB, ranks[0])]
    if in_a_row and size >= 5 and set(shape) == {1} and naturals:
        if not phoenix and len(suits) == 1 and None not in suits:
            return [(Kind.STRAIGHT_BOMB, ranks[-1])]
        return [(Kind.STRAIGHT, ranks[-1])]
    if 1 in counts or not every_rank_natural:
        return []
    if shape in ([2], [3]):
        return [(Kind.PAIR if size == 2 else Kind.TRIPLE, ranks[0])]
    if shape == [2, 3]:
        return [(Kind.FULL_HOUSE, max(counts, key=lambda rank: counts[rank]))]
    if in_a_row and size >= 4 and set(shape) == {2}:
        return [(Kind.STAIRS, ranks[-1])]
    return []


def all_by_definition(cards: int) -> set[Combination]:
    held = tuple(bits(cards))
    return {
        reading
        for size in range(1, len(held) + 1)
        for chosen in combinations(held, size)
        for reading in by_definition(sum(chosen))
    }


@given(hands())
@OFTEN
def test_a_hand_lists_what_its_subsets_are(cards: int) -> None:
    """Section 2; N13-N16, N25, N38, N43, N48, N53, N54, N62."""
    found = Hand(cards).all()
    assert len(found) == len(set(found))
    assert set(found) == all_by_definition(cards)


@given(hands(decks=2, most=7))
@OFTEN
def test_a_hand_of_two_decks_lists_what_its_subsets_are(cards: int) -> None:
    """G5, G28, G29."""
    assert set(Hand(cards).all()) == all_by_definition(cards)


@given(hands(decks=2, most=6))
@OFTEN
def test_a_hand_with_two_phoenixes_lists_what_its_subsets_are(cards: int) -> None:
    """G5, G28, G29: both Phoenixes with every hand."""
    cards |= PHOENIXES
    found = Hand(cards).all()
    assert len(found) == len(set(found))
    assert set(found) == all_by_definition(cards)


@given(hands(decks=2, most=8))
@OFTEN
def test_readings_come_highest_first(cards: int) -> None:
    """N46: they are those of the definitions, highest first."""
    found = readings(cards)
    assert list(found) == sorted(found, key=lambda reading: -reading.key)
    assert set(found) == (by_definition(cards) if cards else set())


@given(st.one_of(hands(most=14), hands(decks=2, most=10)), st.data())
@OFTEN
def test_a_thinned_hand_is_like_a_new_one(cards: int, data: st.DataObject) -> None:
    """A hand's cache stays right when cards leave it, regardless of earlier queries."""
    hand = Hand(cards)
    while hand.size:
        for question in data.draw(st.lists(st.integers(0, 3), max_size=2)):
            plays = hand.all() if question == 0 else hand.bombs()
            if question > 1 and plays:
                hand.beating(data.draw(st.sampled_from(plays)))
        gone = data.draw(st.sets(st.sampled_from(list(bits(hand.cards))), min_size=1))
        hand = hand.without(sum(gone))
        fresh = Hand(hand.cards)
        assert hand.size == fresh.size == hand.cards.bit_count()
        if data.draw(st.booleans()):
            assert set(hand.all()) == set(fresh.all())
        assert hand.bombs() == fresh.bombs()


@given(hands(), hands())
@OFTEN
def test_what_is_above_a_play(cards: int, other: int) -> None:
    """N17, N44, N45, N55: the same as comparing every combination with it."""
    check_above(cards, other & ~cards)


@given(hands(decks=2, most=7), hands(decks=2, most=6))
@OFTEN
def test_what_is_above_a_play_with_two_decks(cards: int, other: int) -> None:
    """G4, G5, G28, G29: the second Dragon, and a Phoenix on any single."""
    check_above(cards | 1 << DRAGON + DECK_SIZE, (other | 1 << DRAGON) & ~cards)


def check_above(cards: int, other: int) -> None:
    """Check that a hand lists exactly the plays that beat each play of the other hand."""
    known = all_by_definition(cards)
    for top in Hand(other & ~DOGS).all():
        hand = Hand(cards)
        valued = {with_key_on(play, top) for play in known}
        expected = {play for play in valued if higher(play, top)}
        assert {play for play in valued if beats(play, top)} == expected
        assert set(hand.beating(top)) == expected
        hand.all()
        assert set(hand.beating(top)) == expected


def higher(new: Combination, top: Combination) -> bool:
    """Return whether one play may be laid on the other, by an independent definition."""
    if top.is_bomb or new.is_bomb:
        return new.is_bomb and (not top.is_bomb or (new.size, new.rank) > (top.size, top.rank))
    if (new.kind, new.size) != (top.kind, top.size):
        return False
    if top.cards & DRAGONS:
        return bool(new.cards & DRAGONS)
    return new.kind is not Kind.DOG and new.key > top.key


@given(hands(decks=2, most=12))
@OFTEN
def test_shapes_are_listed_from_the_lowest(cards: int) -> None:
    """Shapes and bombs are listed in ascending order, which callers rely on."""
    hand = Hand(cards)
    for kind, size in ((Kind.SINGLE, 1), (Kind.PAIR, 2), (Kind.STRAIGHT, 5), (Kind.STAIRS, 4)):
        keys = [play.key for play in hand.of_kind(kind, size)]
        assert keys == sorted(keys)
    strengths = [(bomb.size, bomb.key) for bomb in hand.bombs()]
    assert strengths == sorted(strengths)


def test_the_mahjong_is_the_only_one() -> None:
    """N25."""
    assert CARDS_OF_RANK[1] == MAHJONGS
