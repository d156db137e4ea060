"""A slow, independent implementation of combinations and their comparison.

It shares only the data type with `engine.combinations`. Used by `bench.invariants`.
"""

from __future__ import annotations

from collections import Counter

from engine import DECK_SIZE, DOG, DRAGON, MAHJONG, PHOENIX, Combination, Kind, Rank, indices

_BOMBS = (Kind.FOUR_BOMB, Kind.STRAIGHT_BOMB)


def is_right(play: Combination) -> bool:
    """Return whether the cards, with the stated Phoenixes, form the stated combination."""
    faces = [card % DECK_SIZE for card in indices(play.cards)]
    if len(faces) != play.size:
        return False
    if play.size == 1:
        return play.kind is (Kind.DOG if faces[0] == DOG else Kind.SINGLE) and not play.phoenix
    helpers = faces.count(PHOENIX)
    if DOG in faces or DRAGON in faces or helpers != len(play.phoenix):
        return False
    if MAHJONG in faces and play.kind is not Kind.STRAIGHT:
        return False
    if any(rank not in range(2, 15) for rank in play.phoenix):
        return False
    suits = {face % 4 for face in faces if face < 52}
    natural = Counter(1 if face == MAHJONG else face // 4 + 2 for face in faces if face != PHOENIX)
    ranks = natural + Counter(play.phoenix)
    if play.kind in _BOMBS and (helpers or MAHJONG in faces):
        return False
    if play.key != 2 * _compared_by(play.kind, ranks) or not natural:
        return False
    return _has_shape(play, ranks, natural, suits)


def _compared_by(kind: Kind, ranks: Counter[Rank]) -> Rank:
    """Return the rank that a combination is compared by; `ranks` counts its cards by rank."""
    if kind is Kind.FULL_HOUSE:
        return max(ranks, key=lambda rank: ranks[rank])
    return max(ranks)


def _has_shape(
    play: Combination, ranks: Counter[Rank], natural: Counter[Rank], suits: set[int]
) -> bool:
    """Return whether cards of these ranks have the shape of a play.

    `natural` counts the cards without Phoenixes.
    """
    counts = sorted(ranks.values())
    unbroken = max(ranks) - min(ranks) == len(ranks) - 1
    has_naturals = all(natural[rank] for rank in ranks)
    match play.kind:
        case Kind.PAIR:
            return counts == [2] and has_naturals
        case Kind.TRIPLE:
            return counts == [3] and has_naturals
        case Kind.FULL_HOUSE:
            return counts == [2, 3] and has_naturals
        case Kind.STAIRS:
            return set(counts) == {2} and len(counts) > 1 and unbroken and has_naturals
        case Kind.STRAIGHT:
            one_suited = len(suits) == 1 and not play.phoenix and 1 not in natural
            return set(counts) == {1} and len(counts) > 4 and unbroken and not one_suited
        case Kind.FOUR_BOMB:
            return counts == [4] and len(suits) == 4
        case Kind.STRAIGHT_BOMB:
            return set(counts) == {1} and len(counts) > 4 and unbroken and len(suits) == 1
    return False


def value(play: Combination, top: Combination | None) -> float:
    """Return the value of a single on this top in ranks; a Phoenix adds half a rank (N44)."""
    face = (play.cards.bit_length() - 1) % DECK_SIZE
    if face == PHOENIX:
        return 1.5 if top is None else top.key / 2 + 0.5
    if face == DRAGON:
        return 25.0
    return 1.0 if face == MAHJONG else face // 4 + 2.0


def may_follow(play: Combination, top: Combination) -> bool:
    """Return whether this play may be laid on `top` (N17, N45, N55, G4, G29)."""
    if play.kind in _BOMBS:
        if top.kind not in _BOMBS:
            return True
        return play.size > top.size or (play.size == top.size and play.key > top.key)
    if play.kind is not top.kind or play.size != top.size or play.kind is Kind.DOG:
        return False
    if play.kind is Kind.SINGLE:
        faces = [(single.cards.bit_length() - 1) % DECK_SIZE for single in (play, top)]
        if faces[1] == DRAGON:
            return faces[0] == DRAGON
        return value(play, top) == play.key / 2 > top.key / 2
    return play.key > top.key
