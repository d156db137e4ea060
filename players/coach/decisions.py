"""The choices that a seat had in a round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, get_args

from engine import (
    WINDOW_PHASES,
    Action,
    AnswerGrand,
    Bomb,
    CallTichu,
    CloseWindow,
    GiveTrick,
    Match,
    Pass,
    PassCards,
    Phase,
    Play,
    Points,
    Seat,
    View,
    Waive,
    apply,
    can,
    possible_bombs,
    view,
)

Kind = Literal["call", "exchange", "lead", "follow", "pass", "bomb", "gift"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""All kinds of decisions, in the order of a round."""


class Decision(NamedTuple):
    """A choice that a seat had, and what it chose."""

    at: int
    """Index of the action in the round that ended the choice, from 0 after the deal."""
    kind: Kind
    """Kind of what was chosen.

    A ``call`` is a Grand Tichu or Tichu, also one that was not made: then `action` is an
    `AnswerGrand`, or the play with which the seat gave up its right to call. A ``bomb`` is one
    out of turn, also one that was not thrown: then `action` is a `Waive`.
    """
    view: View
    """View of the seat before the choice."""
    action: Action
    """Action of the seat."""
    penalty: tuple[Points, Points] | None = None
    """Points of the seat's side and of the other if the action broke a wish (N37)."""


def decisions(dealt: Match, actions: Iterable[Action], seat: Seat) -> Iterator[Decision]:
    """Yield the decisions of a person in a round that begins with `dealt`, in their order.

    They are those of the person's `seat`, and in Trichu those of the Table if they play for it.

    An exchange can be changed until all are in; only the last one counts. Actions without an
    alternative are no decisions, and neither is a withdrawal of a call.
    """
    exchanges: dict[Seat, Decision] = {}
    match = dealt
    for index, action in enumerate(actions):
        seats = _seats_of(match, seat)
        if isinstance(action, PassCards) and action.seat in seats:
            earlier = exchanges.get(action.seat)
            before = view(match, action.seat) if earlier is None else earlier.view
            exchanges[action.seat] = Decision(index, "exchange", before, action)
        else:
            for each in seats:
                yield from _decisions_at(match, index, action, each)
        match, _ = apply(match, action)
        if match.phase is not Phase.EXCHANGE:
            yield from exchanges.values()
            exchanges.clear()


def _seats_of(match: Match, seat: Seat) -> list[Seat]:
    """Return the seats that the person on `seat` decides for."""
    round_ = match.round
    assert round_ is not None
    return [
        other for other in range(len(round_.hands)) if match.variant.actor(round_, other) == seat
    ]


def _decisions_at(match: Match, index: int, action: Action, seat: Seat) -> Iterator[Decision]:
    """Yield the decisions of a seat that this action ends; the action may be of another seat."""
    waives = isinstance(action, Waive) and action.seat == seat
    if isinstance(action, CloseWindow) or waives:
        if _could_bomb(match, seat):
            yield Decision(index, "bomb", view(match, seat), Waive(seat))
        return
    if getattr(action, "seat", None) != seat:
        return
    match action:
        case CallTichu() | AnswerGrand():
            yield Decision(index, "call", view(match, seat), action)
        case Bomb():
            yield Decision(index, "bomb", view(match, seat), action)
        case Play() | Pass() | GiveTrick():
            seen = view(match, seat)
            may_call = any(isinstance(other, CallTichu) for other in seen.actions)
            if may_call and isinstance(action, Play):  # after a pass the seat may still call
                yield Decision(index, "call", seen, action)
            others = [act for act in seen.actions if not isinstance(act, CallTichu)]
            if len(others) > 1:
                kind = _kind_of_turn(seen, action)
                yield Decision(index, kind, seen, action, _penalty(match, action))


def _could_bomb(match: Match, seat: Seat) -> bool:
    """Return whether a seat that has not answered could bomb in the open window."""
    round_ = match.round
    return (
        round_ is not None
        and match.phase in WINDOW_PHASES
        and bool(possible_bombs(round_, seat))
        and can(match, Waive(seat))
    )


def _kind_of_turn(seen: View, action: Action) -> Kind:
    """Return the kind of an action on turn."""
    if isinstance(action, GiveTrick):
        return "gift"
    if isinstance(action, Pass):
        return "pass"
    return "lead" if seen.phase is Phase.LEAD else "follow"


def is_call(action: Action) -> bool:
    """Return whether an action makes a call."""
    return isinstance(action, CallTichu) or (isinstance(action, AnswerGrand) and action.call)


def _penalty(match: Match, action: Play | Pass | GiveTrick) -> tuple[Points, Points] | None:
    """Return the scores of a round that this action ends by a missed wish, else `None` (N37)."""
    if not match.options.wish_penalty:
        return None
    after, _ = apply(match, action)
    is_over = len(after.results) > len(match.results)
    return scores(after, action.seat) if is_over and after.results[-1].penalty is not None else None


def scores(over: Match, seat: Seat) -> tuple[Points, Points]:
    """Return the points of the last round for the side of a seat, and for the other one."""
    round_ = over.round
    assert round_ is not None
    team, score = round_.seating.teams[seat], over.results[-1].score
    own, other = (over.variant.columns_of(round_, side)[0] for side in (team, 1 - team))
    return score[own], score[other]
