"""Start a match, deal a round, check and apply actions.

All functions are pure and deterministic. A refused action raises `IllegalAction` and changes
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from . import opening, trick
from .actions import (
    CLOCK,
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    CallTichu,
    CloseWindow,
    GiveTrick,
    Pass,
    PassCards,
    Play,
    StopMatch,
    Waive,
)
from .calls import call_tichu, check_call
from .errors import IllegalAction, Reason
from .events import Event
from .options import Options
from .round import Phase, Round
from .scoring import check_stop, stop_match
from .state import Match
from .types import Card, Seat
from .variants import VARIANTS


def new_match(options: Options, first_dealer: Seat = 0) -> Match:
    """Return a match before its first deal; the caller chooses the first dealer (N5).

    Raises `IllegalAction` if `first_dealer` is not a person's seat.
    """
    variant = VARIANTS[options.variant]
    if first_dealer not in range(variant.chair_count(options)):
        raise IllegalAction(Reason.NO_SUCH_SEAT, "N5", seat=first_dealer)
    return Match(
        options=options,
        variant=variant,
        first_dealer=first_dealer,
        totals=(0,) * variant.column_count(options) if variant.scored else (),
        results=(),
        round=None,
        winners=(),
    )


def deal(
    match: Match, deck: Sequence[Card], dealer: Seat | None = None
) -> tuple[Match, list[Event]]:
    """Deal the next round; return the new match and its events (N5, N6).

    `deck` are all cards of the game in dealing order. With `dealer` this seat deals, and not the
    one that follows from the match. Raises `IllegalAction` while a round is being played, after the
    end of the match, and if `deck` is not the deck of the game.
    """
    return opening.deal(match, deck, dealer)


def apply(match: Match, action: Action) -> tuple[Match, list[Event]]:
    """Carry out an action; return the new match and its events (section 3).

    Raises `IllegalAction` if the rules forbid the action in this position.
    """
    round_ = _check_common(match, action)
    check, carry_out = _RULES[type(action)]
    events: list[Event] = []
    return carry_out(match, round_, action, check(match, round_, action), events), events


def verify(match: Match, action: Action) -> None:
    """Raise the `IllegalAction` that `apply` would raise, if any."""
    round_ = _check_common(match, action)
    check, _ = _RULES[type(action)]
    check(match, round_, action)


def can(match: Match, action: Action) -> bool:
    """Return whether `apply` would accept the action."""
    try:
        verify(match, action)
    except IllegalAction:
        return False
    return True


_OF_THE_CLOCK = (CloseWindow, StopMatch)


def _check_common(match: Match, action: Action) -> Round:
    """Return the current round after the checks that all actions share.

    Raises `IllegalAction` unless a round is being played and the seat exists, and when simultaneous
    calls have to be settled first (N3, N64, N78).
    """
    round_ = match.round
    if round_ is not None and isinstance(action, StopMatch):
        return round_
    if round_ is None or round_.phase is Phase.ROUND_END:
        raise IllegalAction(Reason.WRONG_PHASE, "N64", phase=match.phase.value)
    seats = (CLOCK,) if type(action) in _OF_THE_CLOCK else range(len(round_.hands))
    if action.seat not in seats:
        raise IllegalAction(Reason.NO_SUCH_SEAT, "N3", seat=action.seat)
    if round_.asked and not isinstance(action, AnswerWithdraw):
        raise IllegalAction(Reason.WITHDRAWAL_FIRST, "N78")
    return round_


_Check = Callable[[Match, Round, Any], Any]
"""Checks an action: raises `IllegalAction` or returns the input of its `_CarryOut`.

That is the combination of a play or bomb, and `None` for all other actions.
"""
_CarryOut = Callable[[Match, Round, Any, Any, list[Event]], Match]
"""Carries out a checked action: returns the new match and appends to the list of events.

Its parameters are the match, the round, the action, the result of the check, and the events.
"""

_RULES: dict[type, tuple[_Check, _CarryOut]] = {
    AnswerGrand: (opening.check_grand, opening.answer_grand),
    AnswerWithdraw: (opening.check_withdraw, opening.answer_withdraw),
    CallTichu: (check_call, call_tichu),
    PassCards: (opening.check_exchange, opening.pass_cards),
    Play: (trick.check_play, trick.play),
    Pass: (trick.check_pass, trick.pass_turn),
    Bomb: (trick.check_bomb, trick.bomb),
    Waive: (trick.check_waive, trick.waive),
    CloseWindow: (trick.check_close, trick.close_window),
    GiveTrick: (trick.check_gift, trick.give_trick),
    StopMatch: (check_stop, stop_match),
}
"""The functions that check and carry out each kind of action."""
