"""Order of equally good choices, as a person would prefer them."""

from __future__ import annotations

from engine import DRAGONS, PHOENIXES, Action, Bomb, Pass, Play, View, Waive

Order = tuple[int, ...]
"""Sort key of choices; the lowest is chosen."""


def order_of(view: View, action: Action) -> Order:
    """Return the sort key of an action among equally good ones.

    A pass on a partner's trick and no bomb come first. Then come plays: those without the Dragon
    and the Phoenix first, then those of many cards, then low ones. Then come bombs, in turn or out
    of it, and last a pass on an opponent's trick.
    """
    if isinstance(action, Pass):
        top = view.seats[view.top_seat].team
        mine = view.seats[action.seat].team
        return (0,) if top == mine else (3,)
    if isinstance(action, Waive):
        return (0,)
    if not isinstance(action, Play | Bomb):
        return (1,)
    cards = action.cards
    bomb = any(bomb.cards == cards for bomb in view.hand.bombs())
    special = bool(cards & DRAGONS) + bool(cards & PHOENIXES)
    return (2 if bomb else 1, special, -cards.bit_count(), cards)
