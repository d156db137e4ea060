"""Customs: a bonus for what people do, which decides between about equally good choices.

Partners notice such choices, although playouts see no difference.
"""

from __future__ import annotations

from engine import PassCards, View
from players.expert import layout, search
from players.expert.choices import Choice
from players.expert.kernels import Kernels
from players.manners import rank_as_gift

_CUSTOM = 1.0
"""Points that a custom is worth."""
_GIVEN_RANK = 0.1
"""Points that each rank of a gift to a partner is worth."""
_CHEAP = 2 * 11
"""Highest key of a card or pair that costs little: the jack's."""
_ACE = 2 * 14
"""Key of an ace."""
_LOOSE = 0.5
"""Minimum effort saved by a card that belongs to no combination."""


def custom(view: View, choice: Choice, kernels: Kernels) -> float:
    """Return the bonus of a choice in a game with points; negative for what people avoid.

    People give good cards to a partner, go out when they can, and answer with loose low cards.
    """
    assert view.seat is not None
    if isinstance(choice.action, PassCards):
        partners = view.seating.partners(view.seat)
        gifts = [card for receiver, card in choice.action.gifts if receiver in partners]
        return _GIVEN_RANK * sum(map(rank_as_gift, gifts))
    if choice.numbers[search.CARDS] == view.hand.cards or _is_cheap_answer(view, choice, kernels):
        return _CUSTOM
    return -_CUSTOM if _is_avoided(view, choice) else 0.0


def _is_cheap_answer(view: View, choice: Choice, kernels: Kernels) -> bool:
    """Return whether a low card that belongs to no combination beats an opponent's card."""
    _, cards, _, size, key = choice.numbers[: search.WISH]
    hand = view.hand.cards
    return bool(
        not (view.top is None or _partner_has_trick(view))
        and size == 1
        and key <= _CHEAP
        and kernels.effort(hand) - kernels.effort(hand & ~cards) >= _LOOSE
    )


def _is_avoided(view: View, choice: Choice) -> bool:
    """Return whether people avoid a play.

    They do not break bombs, and beat a partner's trick only with a low card or pair. They lead
    neither a card that an opponent's last card may beat nor the Dog without a partner to lead.
    """
    code, cards, kind, size, key = choice.numbers[: search.WISH]
    seats, seat = view.seats, view.seat
    assert seat is not None
    if code == search.DOG:
        return not any(seats[partner].cards for partner in view.seating.partners(seat))
    if code != search.PLAY:
        return False
    if kind < layout.FOUR_BOMB and any(bomb.cards & cards for bomb in view.hand.bombs()):
        return True
    if view.top is not None:
        is_low = size <= 2 and key <= _CHEAP and not cards & layout.PHOENIX
        return _partner_has_trick(view) and not is_low
    has_last_card = any(seats[other].cards == 1 for other in view.seating.opponents(seat))
    return bool(has_last_card and size == 1 and key < _ACE)


def _partner_has_trick(view: View) -> bool:
    """Return whether a partner has laid the play to beat."""
    assert view.seat is not None
    return view.top_seat in view.seating.partners(view.seat)
