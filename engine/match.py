"""The door of the engine: start a match, deal a round, check and apply actions.

Same input, same output, for ever; a refused action raises `IllegalAction` and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine import opening, trick
from engine.actions import (
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
from engine.calls import call_tichu, check_call
from engine.errors import IllegalAction
from engine.events import Event
from engine.options import Options
from engine.scoring import check_stop, end_match
from engine.state import Match, Phase, Round
from engine.variants import VARIANTS


def new_match(options: Options, first_dealer: int = 0) -> Match:
    """A match before its first deal; the first dealer is chosen outside (N5).

    Raises `IllegalAction` when nobody can sit there.
    """
    variant = VARIANTS[options.variant]
    if first_dealer not in range(variant.chairs(options)):
        raise IllegalAction("no-such-seat", "N5", seat=first_dealer)
    return Match(
        options=options,
        variant=variant,
        first_dealer=first_dealer,
        totals=(0,) * variant.columns(options) if variant.scored else (),
        results=(),
        round=None,
        winners=(),
    )


def deal(match: Match, deck: Sequence[int]) -> tuple[Match, list[Event]]:
    """Deal the next round; see `engine.opening.deal`."""
    return opening.deal(match, deck)


def apply(match: Match, action: Action) -> tuple[Match, list[Event]]:
    """The match after an action, and what it caused. Raises `IllegalAction` (section 3)."""
    round_ = _verify_common(match, action)
    return _HANDLERS[type(action)](match, round_, action)


def verify(match: Match, action: Action) -> None:
    """Raise the `IllegalAction` that `apply` would raise, or return."""
    round_ = _verify_common(match, action)
    _CHECKS[type(action)](match, round_, action)


def can(match: Match, action: Action) -> bool:
    """Whether `apply` would accept the action."""
    try:
        verify(match, action)
    except IllegalAction:
        return False
    return True


_OF_THE_CLOCK = (CloseWindow, StopMatch)


def _verify_common(match: Match, action: Action) -> Round:
    """Checks that all actions share: a round is on, the seat exists, a withdrawal comes first."""
    round_ = match.round
    if round_ is not None and isinstance(action, StopMatch):
        return round_
    if round_ is None or round_.phase is Phase.ROUND_END:
        raise IllegalAction("wrong-phase", "N64", phase=match.phase.value)
    seats = (CLOCK,) if type(action) in _OF_THE_CLOCK else range(len(round_.hands))
    if action.seat not in seats:
        raise IllegalAction("no-such-seat", "N3", seat=action.seat)
    if round_.asked and not isinstance(action, AnswerWithdraw):
        raise IllegalAction("withdrawal-first", "N78")
    return round_


Handled = tuple[Match, list[Event]]


def _grand(match: Match, round_: Round, action: AnswerGrand) -> Handled:
    opening.check_grand(match, round_, action)
    events: list[Event] = []
    return match.with_round(opening.answer_grand(match, round_, action, events)), events


def _withdraw(match: Match, round_: Round, action: AnswerWithdraw) -> Handled:
    opening.check_withdraw(round_, action)
    events: list[Event] = []
    return match.with_round(opening.answer_withdraw(match, round_, action, events)), events


def _tichu(match: Match, round_: Round, action: CallTichu) -> Handled:
    check_call(match, round_, action)
    events: list[Event] = []
    return match.with_round(call_tichu(round_, action, events)), events


def _exchange(match: Match, round_: Round, action: PassCards) -> Handled:
    opening.check_exchange(match, round_, action)
    events: list[Event] = []
    return match.with_round(opening.pass_cards(round_, action, events)), events


def _play(match: Match, round_: Round, action: Play) -> Handled:
    found = trick.check_play(match, round_, action)
    events: list[Event] = []
    return trick.play(match, round_, action, found, events), events


def _pass(match: Match, round_: Round, action: Pass) -> Handled:
    trick.check_pass(match, round_, action)
    events: list[Event] = []
    return trick.pass_turn(match, round_, action, events), events


def _bomb(match: Match, round_: Round, action: Bomb) -> Handled:
    found = trick.check_bomb(round_, action)
    events: list[Event] = []
    return trick.bomb(match, round_, action, found, events), events


def _waive(match: Match, round_: Round, action: Waive) -> Handled:
    trick.check_waive(round_, action)
    events: list[Event] = []
    return trick.waive(match, round_, action, events), events


def _close(match: Match, round_: Round, action: CloseWindow) -> Handled:
    trick.check_close(round_, action)
    events: list[Event] = []
    return trick.close_window(match, round_, events), events


def _gift(match: Match, round_: Round, action: GiveTrick) -> Handled:
    trick.check_gift(match, round_, action)
    events: list[Event] = []
    return trick.give_trick(match, round_, action, events), events


def _stop(match: Match, round_: Round, action: StopMatch) -> Handled:
    check_stop(match, round_, action)
    events: list[Event] = []
    return end_match(match, events), events


_HANDLERS: dict[type, Callable[[Match, Round, Any], Handled]] = {
    AnswerGrand: _grand,
    AnswerWithdraw: _withdraw,
    CallTichu: _tichu,
    PassCards: _exchange,
    Play: _play,
    Pass: _pass,
    Bomb: _bomb,
    Waive: _waive,
    CloseWindow: _close,
    GiveTrick: _gift,
    StopMatch: _stop,
}

_CHECKS: dict[type, Callable[[Match, Round, Any], object]] = {
    AnswerGrand: opening.check_grand,
    AnswerWithdraw: lambda m, r, a: opening.check_withdraw(r, a),
    CallTichu: check_call,
    PassCards: opening.check_exchange,
    Play: trick.check_play,
    Pass: trick.check_pass,
    Bomb: lambda m, r, a: trick.check_bomb(r, a),
    Waive: lambda m, r, a: trick.check_waive(r, a),
    CloseWindow: lambda m, r, a: trick.check_close(r, a),
    GiveTrick: trick.check_gift,
    StopMatch: check_stop,
}
