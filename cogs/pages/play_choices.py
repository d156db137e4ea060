"""The plays a hand view offers: which ones, in which order, and how a click carries one.

Order is a matter of taste, not of rules: everything offered comes from the view's legal actions.
"""

from __future__ import annotations

from engine.actions import Play
from engine.cards import DRAGONS, NATURALS, OF_RANK, PHOENIXES, RANKS
from engine.combinations import Combination, Kind, on_top, readings
from engine.errors import NotationError
from engine.view import View

MOST_OFFERED = 25
"""Options that fit into one select; anything else goes through the choice of cards."""


def write_choice(cards: int, phoenix: tuple[int, ...] = ()) -> str:
    """A combination as short text for a button: the cards as a number, Phoenix ranks behind."""
    return f"{cards:x}" + "".join(f".{rank}" for rank in phoenix)


def read_choice(text: str) -> tuple[int, tuple[int, ...]]:
    """Cards and Phoenix ranks of `write_choice`; `NotationError` for anything else."""
    cards, *ranks = text.split(".")
    try:
        found = int(cards, 16), tuple(int(rank) for rank in ranks)
    except ValueError:
        raise NotationError("not a choice of cards") from None
    if not 0 < found[0] < 1 << 112:
        raise NotationError("not a choice of cards")
    return found


def legal_combinations(view: View) -> list[Combination]:
    """The different combinations among the view's legal plays."""
    seen: dict[tuple[int, tuple[int, ...]], Combination] = {}
    for action in view.actions:
        if isinstance(action, Play):
            phoenix = action.phoenix or ()
            if (action.cards, phoenix) not in seen:
                for reading in readings(action.cards):
                    if reading.phoenix == phoenix:
                        seen[action.cards, phoenix] = on_top(reading, view.top)
    return list(seen.values())


def offered(view: View) -> list[Combination]:
    """One play of each shape and rank, the most natural first, at most 25."""
    best: dict[tuple[Kind, int, int], tuple[float, Combination]] = {}
    held = view.hand.cards
    for play in legal_combinations(view):
        shape = (play.kind, play.size, play.key)
        cost = _cost(play, held, leading=view.top is None)
        if shape not in best or cost < best[shape][0]:
            best[shape] = cost, play
    return [play for _, play in sorted(best.values(), key=lambda entry: entry[0])[:MOST_OFFERED]]


def _cost(play: Combination, held: int, *, leading: bool) -> float:
    """How unnatural a play looks: tearing equal cards apart, jokers, bombs, high cards."""
    cost = 0.0
    for rank in RANKS:
        group = held & OF_RANK[rank]
        taken = (play.cards & group).bit_count()
        if taken and taken < group.bit_count():
            cost += 3.0 if group.bit_count() >= 4 and not play.is_bomb else 1.0
    cost += 2.5 * (play.cards & PHOENIXES).bit_count()
    cost += 2.0 * bool(play.cards & DRAGONS)
    if play.is_bomb:
        cost += 8.0
    cost += play.key / 10
    if leading:
        cost -= 0.9 * (play.cards & NATURALS).bit_count()
        if play.kind is Kind.DOG:
            cost += 2.0
    return cost


def chosen_readings(view: View, cards: int) -> list[Combination]:
    """What the chosen cards can be played as now, the highest first; empty if nothing."""
    legal = {
        (action.cards, action.phoenix or ()) for action in view.actions if isinstance(action, Play)
    }
    return [
        on_top(reading, view.top)
        for reading in readings(cards)
        if (reading.cards, reading.phoenix) in legal
    ]
