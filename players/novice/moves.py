"""The plays that a seat may choose from, out of its hand and the wish.

They are plays that are in `view.actions`, too; but some hands have so many that they cannot be
weighed one by one. `distinct` takes one of each sort.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine import NATURALS, OF_RANK, CardSet, Combination, Hand, Kind, Play, Rank, View, rank_of


def moves(view: View) -> list[Combination]:
    """Every play that the seat may make now.

    A wish is fulfilled even under the option that lets players miss one and be punished.
    """
    hand, top = view.hand, view.top
    found = hand.all() if top is None else hand.above(top)
    if _bound(view):
        return _with_rank(found, view.wish) or found
    return found


def must_play(view: View, options: Iterable[Combination]) -> bool:
    """Whether the seat must make one of its plays and may not pass: a lead, or for the wish."""
    return view.top is None or (_bound(view) and bool(_with_rank(options, view.wish)))


def _bound(view: View) -> bool:
    """Whether there is an open wish, and wishes bind the seat."""
    return view.wish is not None and view.bound_by_wish


def _with_rank(options: Iterable[Combination], rank: Rank | None) -> list[Combination]:
    """The plays that have a natural card of this rank."""
    wished = OF_RANK[rank or 0]
    return [play for play in options if play.cards & wished]


def distinct(hand: Hand, options: Iterable[Combination]) -> list[Combination]:
    """One play of each sort, lower ones first within each size.

    Plays that differ by their suits alone are one sort; of those, the one is taken that uses the
    fewest cards of bombs.
    """
    spared = 0
    for bomb in hand.bombs():
        spared |= bomb.cards
    best: dict[object, Combination] = {}
    for play in options:
        pair = 0
        if play.kind is Kind.FULL_HOUSE:
            others = play.cards & NATURALS & ~OF_RANK[play.rank]
            pair = rank_of(others.bit_length() - 1)
        sort = (play.kind, play.size, play.key, play.phoenix, pair)
        known = best.get(sort)
        if known is None or _cost(play, spared) < _cost(known, spared):
            best[sort] = play
    return sorted(best.values(), key=lambda play: (play.size, play.key, play.cards))


def _cost(play: Combination, spared: CardSet) -> tuple[int, CardSet]:
    """Sort key of plays of one sort: the number of `spared` cards in it, then the cards."""
    return (play.cards & spared).bit_count(), play.cards


def action_of(view: View, play: Combination) -> Play:
    """The action that lays this play, the Mah Jong without a wish."""
    return Play(view.seat if view.seat is not None else -1, play.cards, play.phoenix or None)
