"""Small Tichu calls (N71-N78, C20, C21)."""

from __future__ import annotations

from engine.actions import CallTichu
from engine.errors import IllegalAction
from engine.events import Called, Event
from engine.opening import later_partners
from engine.state import PLAYING, Call, Match, Phase, Round


def check_call(match: Match, round_: Round, action: CallTichu) -> None:
    """Raise unless this seat may call now: full hand, no card laid, no call yet (N71, N73, N76)."""
    seat = action.seat
    if not match.variant.scored:
        raise IllegalAction("no-calls", "G2")
    if round_.phase is Phase.GRAND:
        raise IllegalAction("call-before-full-hand", "N73")
    if round_.calls[seat] is not None:
        raise IllegalAction("already-called", "N76")
    if round_.phase is Phase.EXCHANGE:
        if round_.opening.given[seat] is not None:
            raise IllegalAction("call-after-commitment", "N73")
    elif round_.phase not in PLAYING or not round_.active(seat):
        raise IllegalAction("wrong-phase", "N71", phase=round_.phase.value)
    if round_.started >> seat & 1:
        raise IllegalAction("call-after-first-card", "N71")
    if action.same and not any(
        round_.calls[partner] is Call.TICHU for partner in round_.seating.partners(seat)
    ):
        raise IllegalAction("no-partner-call", "N78")


def call_tichu(round_: Round, action: CallTichu, events: list[Event]) -> Round:
    """Record a call; before the reveal it voids committed exchanges (C20)."""
    seat = action.seat
    calls = (*round_.calls[:seat], Call.TICHU, *round_.calls[seat + 1 :])
    round_ = round_._replace(calls=calls)
    reopened = round_.phase is Phase.EXCHANGE and any(round_.opening.given)
    if reopened:
        nothing = (None,) * len(calls)
        round_ = round_._replace(opening=round_.opening._replace(given=nothing))
    events.append(Called(seat, Call.TICHU, reopened))
    if action.same:
        callers = [
            partner
            for partner in (seat, *round_.seating.partners(seat))
            if calls[partner] is Call.TICHU
        ]
        round_ = round_._replace(asked=later_partners(round_.seating, callers))
    return round_
