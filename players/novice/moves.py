"""The plays a seat may choose from: found in its hand, thinned by the wish, one of each sort.

They are the plays among `view.actions`, which for some hands are too many to look at one by one.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine import NATURALS, OF_RANK, Combination, Hand, Kind, Play, View, rank_of


def moves(view: View) -> list[Combination]:
    """Every play the seat may make now, wishes fulfilled even where missing one is possible."""
    hand, top = view.hand, view.top
    found = hand.all() if top is None else hand.above(top)
    if _bound(view):
        return _with_rank(found, view.wish) or found
    return found


def must_play(view: View, options: Iterable[Combination]) -> bool:
    """Whether one of `moves(view)` has to be made: on a lead, or for the wish."""
    return view.top is None or (_bound(view) and bool(_with_rank(options, view.wish)))


def _bound(view: View) -> bool:
    """Whether the seat has to heed an open wish."""
    return view.wish is not None and view.bound_by_wish


def _with_rank(options: Iterable[Combination], rank: int | None) -> list[Combination]:
    wished = OF_RANK[rank or 0]
    return [play for play in options if play.cards & wished]


def distinct(hand: Hand, options: Iterable[Combination]) -> list[Combination]:
    """One play of each sort: suits do not matter, except that bombs are left whole if possible."""
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


def _cost(play: Combination, spared: int) -> tuple[int, int]:
    return (play.cards & spared).bit_count(), play.cards


def action_of(view: View, play: Combination) -> Play:
    """The action that lays this play, the Mah Jong without a wish."""
    return Play(view.seat if view.seat is not None else -1, play.cards, play.phoenix or None)
