"""Small Tichu calls (N71-N78, C20, C21)."""

from __future__ import annotations

from .actions import CallTichu
from .errors import IllegalAction, Reason
from .events import Called, Event
from .opening import later_partners
from .round import PLAY_PHASES, Call, Phase, Round
from .state import Match
from .types import Seat


def check_call(match: Match, round_: Round, action: CallTichu) -> None:
    """Raise `IllegalAction` unless this seat may call now (N71, N73, N76).

    The hand must be full, and the seat may neither have laid a card nor called before.
    """
    seat, phase = action.seat, round_.phase
    if not match.variant.scored:
        raise IllegalAction(Reason.NO_CALLS, "G2")
    if phase is Phase.GRAND:
        raise IllegalAction(Reason.CALL_BEFORE_FULL_HAND, "N73")
    if round_.calls[seat] is not None:
        raise IllegalAction(Reason.ALREADY_CALLED, "N76")
    if phase is Phase.EXCHANGE and round_.opening.given[seat] is not None:
        raise IllegalAction(Reason.CALL_AFTER_COMMITMENT, "N73")
    if phase is not Phase.EXCHANGE and (phase not in PLAY_PHASES or not round_.has_cards(seat)):
        raise IllegalAction(Reason.WRONG_PHASE, "N71", phase=phase.value)
    if round_.started >> seat & 1:
        raise IllegalAction(Reason.CALL_AFTER_FIRST_CARD, "N71")
    if action.same and not _last_calling_partners(round_, seat):
        raise IllegalAction(Reason.NO_PARTNER_CALL, "N78")


def _last_calling_partners(round_: Round, seat: Seat) -> tuple[Seat, ...]:
    """Return the partners whose call can be simultaneous with this seat's (N78)."""
    partners = round_.seating.partners(seat)
    return tuple(partner for partner in partners if round_.last_callers >> partner & 1)


def call_tichu(
    match: Match, round_: Round, action: CallTichu, _: None, events: list[Event]
) -> Match:
    """Record a call. During the exchange it makes all committed exchanges void (C20).

    After a simultaneous call all callers but the first in turn order are asked whether they
    withdraw (N78).
    """
    seat = action.seat
    calls = (*round_.calls[:seat], Call.TICHU, *round_.calls[seat + 1 :])
    round_ = round_._replace(calls=calls)
    reopened = round_.phase is Phase.EXCHANGE and any(round_.opening.given)
    if reopened:
        nothing = (None,) * len(calls)
        round_ = round_._replace(opening=round_.opening._replace(given=nothing))
    events.append(Called(seat, Call.TICHU, reopened))
    others = round_.last_callers & ~sum(1 << partner for partner in round_.seating.partners(seat))
    if not action.same:
        return match.with_round(round_._replace(last_callers=others | 1 << seat))
    # A question is answered before a third partner can call, so at most two seats are in it.
    group = (seat, *_last_calling_partners(round_, seat))
    asked = later_partners(round_.seating, group)
    unasked = sum(1 << caller for caller in group) & ~asked
    return match.with_round(round_._replace(asked=asked, last_callers=others | unasked))
