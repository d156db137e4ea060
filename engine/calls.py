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
    if action.same and not _fresh_partners(round_, seat):
        raise IllegalAction("no-partner-call", "N78")


def _fresh_partners(round_: Round, seat: int) -> tuple[int, ...]:
    """The partner whose call is the last of this team, if any."""
    return tuple(p for p in round_.seating.partners(seat) if round_.fresh >> p & 1)


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
    others = round_.fresh & ~sum(1 << partner for partner in round_.seating.partners(seat))
    if not action.same:
        return round_._replace(fresh=others | 1 << seat)
    # Who is asked has answered before a third partner can come: he is compared with the other one.
    group = (seat, *_fresh_partners(round_, seat))
    asked = later_partners(round_.seating, group)
    fresh = sum(1 << caller for caller in group) & ~asked
    return round_._replace(asked=asked, fresh=others | fresh)
