"""Order of choices with equal results, as people would prefer them."""

from __future__ import annotations

from engine import DRAGONS, PHOENIXES, Action, Bomb, Pass, Play, View, Waive

Order = tuple[int, ...]
"""Sort key of choices; of equally good ones the lowest is chosen."""


def tie_order(view: View, action: Action) -> Order:
    """Return the sort key of an action among equally good ones.

    First come passes on a partner's trick, and not bombing. Then come plays, then bombs, and last
    passes on an opponent's trick. Among plays, those without Dragon and Phoenix come first, then
    those with many cards, then low ones.
    """
    if isinstance(action, Pass):
        top_team = view.seats[view.top_seat].team
        own_team = view.seats[action.seat].team
        return (0,) if top_team == own_team else (3,)
    if isinstance(action, Waive):
        return (0,)
    if not isinstance(action, Play | Bomb):
        return (1,)
    cards = action.cards
    bomb = any(bomb.cards == cards for bomb in view.hand.bombs())
    special_cards = bool(cards & DRAGONS) + bool(cards & PHOENIXES)
    return (2 if bomb else 1, special_cards, -cards.bit_count(), cards)
