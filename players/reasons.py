"""Reasons why an action is better than the next best one.

A reason is derived from the view and both actions. It is a value without words; `bot.text` has the
sentences. There are only reasons that fit in a few words.
"""

from __future__ import annotations

from enum import Enum, auto
from functools import reduce
from operator import or_
from typing import NamedTuple

from engine import (
    CARDS_OF_RANK,
    DOGS,
    DRAGONS,
    MAHJONGS,
    PHOENIXES,
    Action,
    AnswerGrand,
    Bomb,
    CallTichu,
    CardSet,
    Combination,
    GiveTrick,
    Pass,
    PassCards,
    Play,
    Points,
    Rank,
    Seat,
    View,
    Waive,
    readings,
    with_key_on,
)
from players.novice.outlook import Outlook
from players.novice.partition import plan


class Cause(Enum):
    """Kinds of reasons for an action."""

    OUT = auto()
    """It takes the seat out."""
    TEAM_OUT = auto()
    """It takes the last of a team out before any of its opponents."""
    PARTNERS_TRICK = auto()
    """The trick is a partner's already."""
    OWN_TRICK = auto()
    """The trick is the seat's own already."""
    ONE_CARD = auto()
    """An opponent has one card left."""
    CALLED = auto()
    """The trick would go to an opponent whose call may still succeed."""
    LEAD_TO_PARTNER = auto()
    """A partner gets the lead."""
    KEEPS_BOMB = auto()
    """The next best action would spend or break up a bomb."""
    KEEPS_DRAGON = auto()
    """The next best action would spend the Dragon."""
    KEEPS_PHOENIX = auto()
    """The next best action would spend the Phoenix."""
    KEEPS_ACE = auto()
    """The next best action would spend an ace."""
    POINTS = auto()
    """There are many points in the trick."""
    HIGHEST = auto()
    """No play that an opponent may hold beats it, bombs aside."""
    MANY_CARDS = auto()
    """Many cards are laid at once."""
    LOW_CARDS = auto()
    """Low cards are laid on the lead."""
    KEEPS_TOGETHER = auto()
    """The next best action would take cards from a combination of the best plan for the hand."""
    KEEPS_HIGHER = auto()
    """The next best action would spend higher cards on the trick."""
    HARDER_TO_BEAT = auto()
    """The next best action is the same play with lower cards."""
    LIKELY = auto()
    """The play probably wins the trick."""
    MOST_CARDS = auto()
    """The opponent who gets the trick has the most cards left."""
    CHANCE = auto()
    """The call succeeds with this chance."""
    HIGH_TO_PARTNER = auto()
    """A partner gets a high card in the exchange."""
    LOW_TO_OTHERS = auto()
    """Opponents get only low cards in the exchange."""
    WISH_FOR_GIFT = auto()
    """The wish is for a card that an opponent got in the exchange."""


class Explanation(NamedTuple):
    """Reason for an action."""

    cause: Cause
    """Kind of the reason."""
    seat: Seat = -1
    """Other seat that the reason mentions; -1 for none."""
    number: int = 0
    """Number of points, cards or per cent that the reason mentions; 0 for none."""


_MANY_POINTS: Points = 15
"""Minimum points of a trick that a reason mentions."""
_MANY_CARDS = 4
"""Minimum cards of a play that a reason mentions."""
_LOW = 7
"""Highest rank of low cards."""
_HIGH = 12
"""Lowest rank of high cards."""
_WEAK = frozenset(
    {
        Cause.POINTS,
        Cause.HIGHEST,
        Cause.MANY_CARDS,
        Cause.LOW_CARDS,
        Cause.HIGH_TO_PARTNER,
        Cause.LOW_TO_OTHERS,
    }
)
"""Reasons that come after that of sparing a valuable card."""
_FACE = 11
"""Lowest rank that is worth keeping on a trick of few points."""
_LIKELY = 0.7
"""Minimum chance that a play wins the trick for which a reason mentions it."""
_STEP = 5
"""Step to which chances are rounded, in per cent. They are never rounded to 0 or 100."""


def explain(
    view: View, best: Action, next_best: Action | None, chance: float | None = None
) -> Explanation | None:
    """Return the reason why `best` is better than the next best action, if there is a clear one.

    `next_best` is `None` if there is no other action. `chance` is the chance that a weighed call
    succeeds. What is also true of the next best action is no reason.
    """
    if view.seat is None:
        return None
    if isinstance(best, AnswerGrand | CallTichu):
        if chance is None:
            return None
        percent = _STEP * round(100 * chance / _STEP)
        return Explanation(Cause.CHANCE, number=min(100 - _STEP, max(_STEP, percent)))
    reason = _explain_alone(view, view.seat, best)
    other_reason = _explain_alone(view, view.seat, next_best) if next_best is not None else None
    comparison = _explain_plan(view, view.seat, best, next_best)
    if reason is not None and other_reason is not None and reason.cause is other_reason.cause:
        is_stronger = comparison is not None and comparison.cause is Cause.HARDER_TO_BEAT
        if not (is_stronger and reason.cause in (Cause.ONE_CARD, Cause.CALLED)):
            reason = None
    if reason is not None and reason.cause is Cause.LOW_CARDS:
        reason = None if _cards_spent(next_best) & _LOW_CARDS else reason
    if reason is not None and reason.cause not in _WEAK:
        return reason
    return _explain_spared_cards(view, best, next_best) or reason or comparison


def _explain_alone(view: View, seat: Seat, action: Action) -> Explanation | None:
    """Return the reason for an action that does not depend on other actions."""
    match action:
        case Play():
            return _explain_play(Outlook(view, seat), action)
        case Pass() | Waive() | Bomb():
            return _explain_trick(view, seat, action)
        case GiveTrick():
            return _explain_trick_receiver(view, seat, action.receiver)
        case PassCards():
            return _explain_exchange(view, seat, action)
    return None


def _explain_play(outlook: Outlook, best: Play) -> Explanation | None:
    """Return the reason for a play."""
    view, seat = outlook.view, outlook.seat
    partners = view.seating.partners(seat)
    play = _combination(view, best)
    if reason := _explain_last_cards(view, seat, best.cards) or _explain_stopped_opponent(
        view, seat
    ):
        return reason
    if reason := _explain_wish(view, seat, best.wish):
        return reason
    if best.cards & DOGS:
        receiver = best.partner if best.partner is not None else _next_partner(view, seat)
        return None if receiver is None else Explanation(Cause.LEAD_TO_PARTNER, receiver)

    is_opponents_trick = view.top is not None and view.top_seat not in partners
    if is_opponents_trick and view.trick_points >= _MANY_POINTS and not play.is_dragon:
        return Explanation(Cause.POINTS, number=view.trick_points)
    if not play.is_bomb and outlook.win_chance(play) >= 1.0:
        return Explanation(Cause.HIGHEST)
    if play.size >= _MANY_CARDS:
        return Explanation(Cause.MANY_CARDS, number=play.size)
    if view.top is None and play.rank <= _LOW and not play.cards & (MAHJONGS | PHOENIXES):
        return Explanation(Cause.LOW_CARDS)
    return None


def _explain_plan(
    view: View, seat: Seat, best: Action, next_best: Action | None
) -> Explanation | None:
    """Return the reason if the next best action leaves a worse hand, or is weaker."""
    if next_best is None or isinstance(best, PassCards):
        return None
    if isinstance(next_best, Play) and not next_best.cards & (DOGS | DRAGONS | MAHJONGS):
        hand = view.hand.cards
        now, after_best, after_next = (
            len(plan(hand & ~_cards_spent(action)).plays) for action in (None, best, next_best)
        )
        if after_next >= now and (after_best < now or not isinstance(best, Play)):
            return Explanation(Cause.KEEPS_TOGETHER)
        other = _combination(view, next_best)
        if isinstance(best, Play):
            play = _combination(view, best)
            if (play.kind, play.size) == (other.kind, other.size) and play.key != other.key:
                keeps = play.key < other.key and view.top is not None
                if keeps or play.key > other.key:
                    return Explanation(Cause.KEEPS_HIGHER if keeps else Cause.HARDER_TO_BEAT)
        elif view.top is not None and other.rank >= _FACE:
            return Explanation(Cause.KEEPS_HIGHER)
    if isinstance(best, Play) and not best.cards & DOGS:
        outlook = Outlook(view, seat)
        chance = outlook.win_chance(_combination(view, best))
        is_own = view.top is not None and view.top_seat in view.seating.partners(seat)
        if chance >= _LIKELY and not is_own:
            return Explanation(Cause.LIKELY)
    return None


def _explain_last_cards(view: View, seat: Seat, cards: CardSet) -> Explanation | None:
    """Return the reason if these are the last cards of the hand."""
    if cards != view.hand.cards:
        return None
    partners = view.seating.partners(seat)
    is_last_of_team = bool(partners) and sorted(view.out) == sorted(partners)
    return Explanation(Cause.TEAM_OUT if is_last_of_team else Cause.OUT)


def _explain_stopped_opponent(view: View, seat: Seat) -> Explanation | None:
    """Return the reason if an opponent is close to going out, whom a play or bomb may stop."""
    if view.top is None:
        return None
    opponents = view.seating.opponents(seat)
    for other in opponents:
        if view.seats[other].cards == 1:
            return Explanation(Cause.ONE_CARD, other)
    if view.top_seat in opponents and view.seats[view.top_seat].call and not view.out:
        return Explanation(Cause.CALLED, view.top_seat)
    return None


def _explain_wish(view: View, seat: Seat, wish: Rank | None) -> Explanation | None:
    """Return the reason for a wish for this rank."""
    if wish is None:
        return None
    opponents = view.seating.opponents(seat)
    for giver, receiver, cards in view.known_gifts:
        if giver == seat and receiver in opponents and cards & CARDS_OF_RANK[wish]:
            return Explanation(Cause.WISH_FOR_GIFT, receiver)
    return None


def _explain_trick(view: View, seat: Seat, best: Action) -> Explanation | None:
    """Return the reason to pass on the trick or to bomb it."""
    if isinstance(best, Bomb):
        reason = _explain_last_cards(view, seat, best.cards) or _explain_stopped_opponent(
            view, seat
        )
        is_partners = view.top_seat in view.seating.partners(seat)
        if reason is None and view.trick_points >= _MANY_POINTS and not is_partners:
            reason = Explanation(Cause.POINTS, number=view.trick_points)
        return reason
    if view.top_seat == seat:
        return Explanation(Cause.OWN_TRICK)
    if view.top_seat in view.seating.partners(seat):
        return Explanation(Cause.PARTNERS_TRICK, view.top_seat)
    return None


def _explain_trick_receiver(view: View, seat: Seat, receiver: Seat) -> Explanation | None:
    """Return the reason to give the Dragon's trick to this opponent."""
    cards = {other: view.seats[other].cards for other in view.seating.opponents(seat)}
    has_most = cards[receiver] == max(cards.values())
    return Explanation(Cause.MOST_CARDS, receiver) if has_most else None


def _explain_exchange(view: View, seat: Seat, best: PassCards) -> Explanation | None:
    """Return the reason to pass these cards to these players."""
    partners = view.seating.partners(seat)
    for receiver, cards in best.gifts:
        if receiver in partners and cards & _HIGH_CARDS:
            return Explanation(Cause.HIGH_TO_PARTNER, receiver)
    cards_to_others = [cards for receiver, cards in best.gifts if receiver not in partners]
    all_low = cards_to_others and all(cards & _LOW_CARDS == cards for cards in cards_to_others)
    return Explanation(Cause.LOW_TO_OTHERS) if all_low else None


def _explain_spared_cards(view: View, best: Action, next_best: Action | None) -> Explanation | None:
    """Return the reason if only the next best action would spend a bomb or a valuable card."""
    bombs = [bomb.cards for bomb in view.hand.bombs()]

    def spends(action: Action | None, cause: Cause) -> bool:
        cards = _cards_spent(action)
        if cause is Cause.KEEPS_BOMB:
            return any(cards & bomb for bomb in bombs)
        return bool(cards & _TREASURES[cause])

    for cause in (Cause.KEEPS_BOMB, *_TREASURES):
        if spends(best, cause):
            return None
        if spends(next_best, cause):
            return Explanation(cause)
    return None


def _cards_spent(action: Action | None) -> CardSet:
    """Return the cards that leave the hand with an action."""
    match action:
        case Play(cards=cards) | Bomb(cards=cards):
            return cards
        case PassCards(gifts=gifts):
            return reduce(or_, (cards for _, cards in gifts), 0)
    return 0


_HIGH_CARDS = reduce(or_, (CARDS_OF_RANK[rank] for rank in range(_HIGH, 15)), DRAGONS | PHOENIXES)
_LOW_CARDS = reduce(or_, (CARDS_OF_RANK[rank] for rank in range(2, _LOW + 1)))
_TREASURES = {
    Cause.KEEPS_DRAGON: DRAGONS,
    Cause.KEEPS_PHOENIX: PHOENIXES,
    Cause.KEEPS_ACE: CARDS_OF_RANK[14],
}
"""Cards worth keeping, the most valuable ones first; bombs are even more valuable."""


def _next_partner(view: View, seat: Seat) -> Seat | None:
    """Return the partner who gets the lead from the Dog, if only one can get it."""
    partners = [
        other for other in view.seating.partners(seat) if view.seats[other].cards and other != seat
    ]
    return partners[0] if len(partners) == 1 else None


def _combination(view: View, play: Play) -> Combination:
    """Return the combination that a play forms on the current trick."""
    ranks = play.phoenix or ()
    combinations = readings(play.cards)
    stated = next((each for each in combinations if each.phoenix == ranks), combinations[0])
    return with_key_on(stated, view.top)
