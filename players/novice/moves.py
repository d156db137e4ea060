"""The plays that a seat may choose from, by its hand and the wish.

These are the plays in `view.actions`, but as combinations. Some hands have too many to weigh all of
them, so `distinct` selects one of each class of plays that differ by their suits alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine import (
    CARDS_OF_RANK,
    NATURALS,
    CardSet,
    Combination,
    Hand,
    Kind,
    Play,
    Rank,
    View,
    rank_of,
)


def moves(view: View) -> list[Combination]:
    """Return all plays that the seat may make now.

    A wish is fulfilled even with the option that lets players break it for a penalty.
    """
    hand, top = view.hand, view.top
    plays = hand.all() if top is None else hand.beating(top)
    if _is_bound_by_wish(view):
        return _with_rank(plays, view.wish) or plays
    return plays


def must_play(view: View, options: Iterable[Combination]) -> bool:
    """Return whether the seat must not pass, because it leads or must fulfil a wish."""
    return view.top is None or (_is_bound_by_wish(view) and bool(_with_rank(options, view.wish)))


def _is_bound_by_wish(view: View) -> bool:
    """Return whether there is an open wish that binds the seat."""
    return view.wish is not None and view.bound_by_wish


def _with_rank(options: Iterable[Combination], rank: Rank | None) -> list[Combination]:
    """Return the plays with a natural card of this rank."""
    wished = CARDS_OF_RANK[rank or 0]
    return [play for play in options if play.cards & wished]


def distinct(hand: Hand, options: Iterable[Combination]) -> list[Combination]:
    """Return one play of each class, lower ones first within each size.

    Plays that differ by their suits alone form a class. Of each class the play with the fewest
    cards of bombs is returned.
    """
    bomb_cards = 0
    for bomb in hand.bombs():
        bomb_cards |= bomb.cards
    best: dict[object, Combination] = {}
    for play in options:
        pair_rank = 0
        if play.kind is Kind.FULL_HOUSE:
            others = play.cards & NATURALS & ~CARDS_OF_RANK[play.rank]
            pair_rank = rank_of(others.bit_length() - 1)
        play_class = (play.kind, play.size, play.key, play.phoenix, pair_rank)
        chosen = best.get(play_class)
        if chosen is None or _class_order(play, bomb_cards) < _class_order(chosen, bomb_cards):
            best[play_class] = play
    return sorted(best.values(), key=lambda play: (play.size, play.key, play.cards))


def _class_order(play: Combination, bomb_cards: CardSet) -> tuple[int, CardSet]:
    """Return the sort key of plays of one class: the number of bomb cards, then the cards."""
    return (play.cards & bomb_cards).bit_count(), play.cards


def action_of(view: View, play: Combination) -> Play:
    """Return the action for this play; a Mah Jong is played without a wish."""
    return Play(view.seat if view.seat is not None else -1, play.cards, play.phoenix or None)
