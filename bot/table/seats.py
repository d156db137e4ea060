"""At a running table a seat gets another owner: a computer player, a member, a newcomer.

Pure functions from a table state to the next; `Refused` when it is not possible. Whoever had the
seat before leaves nothing behind in it: no choice that is kept, no offer, no time that has run.
And he knows a hand of this round: another seat is his only when it is over.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.errors import Reason, Refused
from bot.table.presence import somebody_came
from bot.table.state import Chair, TableState, seats_waited_for
from engine.state import Phase


def leave_to_computer(state: TableState, user_id: int, name: str) -> TableState:
    """The table with a computer player of this name in this person's seat, for good."""
    seat = _seat(state, user_id)
    if sum(1 for _ in state.people()) == 1:
        raise Refused(Reason.LAST_PERSON)
    return _reseated(state, Chair(seat=seat, kind="computer", name=name))


def offer(state: TableState, user_id: int, member_id: int, name: str) -> TableState:
    """The table with this person's seat offered to a member, in place of anybody before him."""
    seat = _seat(state, user_id)
    if state.seat_of(member_id) is not None:
        raise Refused(Reason.MEMBER_SEATED, name=name)
    return _with_offers(state, {**state.desk.offers, seat: member_id})


def take_back(state: TableState, user_id: int) -> TableState:
    """The table without this person's offer; as it is if there is none."""
    seat = _seat(state, user_id)
    if seat not in state.desk.offers:
        return state
    return _without_offer(state, seat)


def decline(state: TableState, user_id: int, seat: int) -> TableState:
    """The table after whom the seat was offered to has said no."""
    _require_offer(state, user_id, seat)
    return _without_offer(state, seat)


def accept(state: TableState, user_id: int, name: str, seat: int, now: datetime) -> TableState:
    """The table with the person whom this seat was offered to sitting there."""
    _require_offer(state, user_id, seat)
    return _seated(state, user_id, name, seat, now)


def take_over(state: TableState, user_id: int, name: str, seat: int, now: datetime) -> TableState:
    """The table with a newcomer in place of a computer player; only between two rounds."""
    _require_running(state)
    if state.seat_of(user_id) is not None:
        raise Refused(Reason.ALREADY_SEATED)
    if state.phase is not Phase.ROUND_END:
        raise Refused(Reason.BETWEEN_ROUNDS_ONLY)
    if seat not in free_seats(state):
        raise Refused(Reason.SEAT_TAKEN)
    return _seated(state, user_id, name, seat, now)


def free_seats(state: TableState) -> tuple[int, ...]:
    """The seats that a newcomer can have: those of computer players."""
    return tuple(chair.seat for chair in state.chairs if chair.kind == "computer")


def _require_running(state: TableState) -> None:
    if not state.running:
        raise Refused(Reason.NOT_STARTED if state.status == "lobby" else Reason.TABLE_OVER)


def _seat(state: TableState, user_id: int) -> int:
    """The seat of a person at a running table."""
    _require_running(state)
    seat = state.seat_of(user_id)
    if seat is None:
        raise Refused(Reason.NOT_SEATED)
    return seat


def _require_offer(state: TableState, user_id: int, seat: int) -> None:
    _require_running(state)
    if state.desk.offers.get(seat) != user_id:
        raise Refused(Reason.NO_OFFER)


def _seated(state: TableState, user_id: int, name: str, seat: int, now: datetime) -> TableState:
    """The table with a person in this seat, whoever had it before."""
    if state.seat_of(user_id) is not None:
        raise Refused(Reason.ALREADY_SEATED)
    if user_id in state.desk.left and state.phase is not Phase.ROUND_END:
        raise Refused(Reason.LEFT_THIS_ROUND)
    chair = Chair(seat=seat, kind="person", user_id=user_id, name=name)
    return somebody_came(state, _reseated(state, chair), now)


def _reseated(state: TableState, chair: Chair) -> TableState:
    """The table with this chair; if it is waited for, its time starts anew."""
    hands = state.seats_of_chair(chair.seat)
    before = state.chairs[chair.seat].user_id
    desk, match = state.desk, state.match
    times = desk.deadlines
    if match is not None and set(hands).intersection(seats_waited_for(match)):
        times = {name: when for name, when in times.items() if name not in ("turn", "nudge")}
    update = {
        "deadlines": times,
        "premoves": {at: kept for at, kept in desk.premoves.items() if at not in hands},
        "auto_pass": tuple(at for at in desk.auto_pass if at not in hands),
        "dropped": tuple(at for at in desk.dropped if at not in hands),
        "left": desk.left if before is None else (*desk.left, before),
        "away": tuple(at for at in desk.away if at != chair.seat),
        "offers": {
            at: user_id
            for at, user_id in desk.offers.items()
            if at != chair.seat and user_id != chair.user_id
        },
    }
    chairs = (*state.chairs[: chair.seat], chair, *state.chairs[chair.seat + 1 :])
    return replace(state, chairs=chairs, desk=desk.model_copy(update=update))


def _without_offer(state: TableState, seat: int) -> TableState:
    return _with_offers(state, {at: to for at, to in state.desk.offers.items() if at != seat})


def _with_offers(state: TableState, offers: dict[int, int]) -> TableState:
    return replace(state, desk=state.desk.model_copy(update={"offers": offers}))
