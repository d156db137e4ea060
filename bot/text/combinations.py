"""Ranks, special cards and combinations in words: long for sentences, short for buttons."""

from __future__ import annotations

from bot.text import Say, capital
from engine import (
    DOGS,
    DRAGONS,
    MAHJONGS,
    PHOENIXES,
    CardSet,
    Combination,
    Kind,
    Rank,
    indices,
    rank_of,
    rank_text,
)


def rank_label(say: Say, rank: Rank) -> str:
    """Return a rank as printed on the cards of this language, such as 8 or K.

    Rank 1 is the Mah Jong.
    """
    if rank <= 10:
        return rank_text(rank)
    return {11: say("J"), 12: say("Q"), 13: say("K"), 14: say("A")}[rank]


def rank_plural(say: Say, rank: Rank) -> str:
    """Return the plural of a rank, such as 8s or kings."""
    if rank <= 10:
        return say("{rank}s", rank=rank_text(rank))
    return {11: say("jacks"), 12: say("queens"), 13: say("kings"), 14: say("aces")}[rank]


def special_name(say: Say, cards: CardSet) -> str | None:
    """Return the name of the special card in a set of one card; `None` for any other card."""
    if cards & DRAGONS:
        return say("Dragon")
    if cards & PHOENIXES:
        return say("Phoenix")
    if cards & DOGS:
        return say("Dog")
    return say("Mah Jong") if cards & MAHJONGS else None


def combination_name(say: Say, combination: Combination) -> str:
    """Return a combination within a sentence, such as “pair of 8s”, “straight 4–9” or “ace”."""
    kind = combination.kind
    if kind in (Kind.SINGLE, Kind.DOG):
        return _single_name(say, combination)
    ranks = rank_plural(say, combination.rank)
    # Translators: names of combinations stand within sentences, such as “beat Ben's pair of 8s”,
    # and on their own, where the code makes the first letter a capital. {ranks} and {pair} are
    # “{rank}s”, “jacks”, “queens”, “kings” or “aces”; where these would have to be inflected they
    # may be “{rank}”, J, Q, K, A, as on the cards
    if kind is Kind.PAIR:
        return say("pair of {ranks}", ranks=ranks)
    if kind is Kind.TRIPLE:
        return say("three {ranks}", ranks=ranks)
    if kind is Kind.FULL_HOUSE:
        pair = rank_plural(say, _pair_rank(combination))
        return say("full house ({ranks} over {pair})", ranks=ranks, pair=pair)
    if kind is Kind.FOUR_BOMB:
        return say("four-of-a-kind bomb ({ranks})", ranks=ranks)
    low, high = _end_ranks(say, combination)
    if kind is Kind.STAIRS:
        return say("stairs {low}–{high}", low=low, high=high)
    if kind is Kind.STRAIGHT:
        return say("straight {low}–{high}", low=low, high=high)
    return say("straight flush bomb ({low}–{high})", low=low, high=high)


def short_name(say: Say, combination: Combination) -> str:
    """Return a short name of a combination for a button, such as “Pair 8” or “Bomb 3”.

    It has at most 16 characters in English, so two such buttons fit side by side.
    """
    kind = combination.kind
    rank = rank_label(say, combination.rank) if 1 <= combination.rank <= 14 else ""
    if kind in (Kind.SINGLE, Kind.DOG):
        return special_name(say, combination.cards) or rank
    if kind is Kind.PAIR:
        return say("Pair {rank}", rank=rank)
    if kind is Kind.TRIPLE:
        return say("Three {rank}", rank=rank)
    if kind is Kind.FULL_HOUSE:
        pair = rank_label(say, _pair_rank(combination))
        # Translators: such as “Full 777 22” or “Full KKK 10·10”
        return say("Full {triple} {pair}", triple=_repeated(rank, 3), pair=_repeated(pair, 2))
    if kind is Kind.FOUR_BOMB:
        return say("Bomb {rank}", rank=rank)
    if kind in (Kind.STAIRS, Kind.STRAIGHT):
        return capital(combination_name(say, combination))  # already short
    low, high = _end_ranks(say, combination)
    return say("Bomb {low}–{high}", low=low, high=high)


def _repeated(rank: str, times: int) -> str:
    """Return a rank several times, such as “777” or “10·10”."""
    return ("" if len(rank) == 1 else "·").join([rank] * times)


def _single_name(say: Say, combination: Combination) -> str:
    """Return the name of a single card.

    A Phoenix has its value in brackets: half a rank more than the card under it (N44).
    """
    if combination.cards & PHOENIXES:
        value = rank_label(say, combination.rank) + ("½" if combination.key % 2 else "")
        return say("Phoenix ({rank})", rank=value)
    special = special_name(say, combination.cards)
    if special:
        return special
    rank = combination.rank
    if rank <= 10:
        return say("single {rank}", rank=rank_text(rank))
    return {11: say("jack"), 12: say("queen"), 13: say("king"), 14: say("ace")}[rank]


def _pair_rank(combination: Combination) -> Rank:
    """Return the rank of the pair in a full house; a Phoenix counts as its rank."""
    ranks = {rank_of(card) for card in indices(combination.cards & ~PHOENIXES)}
    (pair,) = (ranks | set(combination.phoenix)) - {combination.rank}
    return pair


def _end_ranks(say: Say, combination: Combination) -> tuple[str, str]:
    """Return the lowest and the highest rank of a straight or of stairs."""
    is_stairs = combination.kind is Kind.STAIRS
    length = combination.size // 2 if is_stairs else combination.size
    lowest = combination.rank - length + 1
    return rank_label(say, lowest), rank_label(say, combination.rank)
