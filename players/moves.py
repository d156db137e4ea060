"""The plays a seat may choose from, as combinations together with their actions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from engine.actions import Play
from engine.cards import OF_RANK, indices, rank_of
from engine.combinations import Combination, on_top, readings
from engine.hand import Hand
from engine.view import View


class Move(NamedTuple):
    """A combination, with its value on the trick, and the action that lays it."""

    play: Combination
    action: Play


def moves(view: View) -> list[Move]:
    """Every play the seat may make now, wishes fulfilled; the Mah Jong without a new wish."""
    found = [
        Move(on_top(reading, view.top), action)
        for action in view.actions
        if isinstance(action, Play) and action.wish is None
        for reading in readings(action.cards)
        if reading.phoenix == (action.phoenix or ())
    ]
    if view.wish is not None and view.options.wish_penalty:  # legal to miss, but dear
        return [move for move in found if move.play.cards & OF_RANK[view.wish]] or found
    return found


def must_play(view: View, options: Iterable[Move]) -> bool:
    """Whether one of `moves(view)` has to be made for the wish, although passing is offered."""
    if view.wish is None or not view.options.wish_penalty:
        return False
    return any(move.play.cards & OF_RANK[view.wish] for move in options)


def distinct(hand: Hand, options: Iterable[Move]) -> list[Move]:
    """One move of each sort: suits do not matter, except that bombs are left whole if possible."""
    spared = 0
    for bomb in hand.bombs():
        spared |= bomb.cards
    best: dict[object, Move] = {}
    for move in options:
        play = move.play
        ranks = tuple(sorted(map(rank_of, indices(play.cards))))
        sort = (play.kind, play.key, play.phoenix, ranks)
        known = best.get(sort)
        if known is None or _count(play, spared) < _count(known.play, spared):
            best[sort] = move
    return list(best.values())


def _count(play: Combination, cards: int) -> int:
    return (play.cards & cards).bit_count()
