"""The information one seat or a spectator may see (N8, N10).

`view(match, seat)` is the only way for a position to leave the engine, `view(match, None)` for a
spectator. Computer players see exactly the same as a person in their seat.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import NamedTuple

from .actions import Action, CallTichu
from .cards import points_of
from .combinations import Combination
from .hand import Hand
from .legal import can_call, legal_actions, possible_bombs
from .options import Options
from .round import Call, Opening, Phase, Round, RoundResult, Seating, Trick, TrickStep
from .state import Match
from .types import CardSet, Column, Gifts, Points, Rank, Seat, SeatSet, Team
from .variants import VARIANTS, Gift, Variant


class SeatView(NamedTuple):
    """The public facts of a seat."""

    seat: Seat
    """The seat."""
    team: Team
    """Its team in this round."""
    cards: int
    """The number of cards in its hand."""
    call: Call | None
    """Its call, if any; answers to the Grand Tichu question stay sealed until all are in."""
    place: int | None
    """Its place in the order of going out, 1 for the first; `None` while it has cards."""
    waited_for: bool
    """True if it still has to answer a question or pass cards; its choice stays hidden."""


@dataclass(frozen=True, slots=True, repr=False)
class View:
    """A position as one seat sees it. Its `repr` hides the hands.

    For a spectator the fields about the viewer are empty, false or `None`.
    """

    seat: Seat | None
    """The viewer; `None` for a spectator."""
    options: Options
    """The options of the match."""
    totals: tuple[Points, ...]
    """The total of each column so far; empty in a game without points."""
    results: tuple[RoundResult, ...]
    """The finished rounds, oldest first."""
    winners: tuple[Column, ...]
    """The winning columns of a finished match."""
    phase: Phase
    """The current phase."""
    number: int
    """The number of the round, counted from 1."""
    dealer: Seat
    """The seat that dealt."""
    seating: Seating
    """Turn order and teams of the round."""
    turn: Seat
    """The seat on turn; in a window the seat that will be next."""
    seats: tuple[SeatView, ...]
    """The public facts of each seat."""
    trick: tuple[TrickStep, ...]
    """The steps of the open trick, beginning with the lead."""
    trick_points: Points
    """The card points in the open trick (N68)."""
    top: Combination | None
    """The play to beat; `None` before a lead."""
    top_seat: Seat
    """The seat that laid `top`; -1 if there is none."""
    wish: Rank | None
    """The open wish (N28)."""
    out: tuple[Seat, ...]
    """The order of going out so far."""
    past: tuple[Trick, ...]
    """The finished tricks of the round, oldest first."""
    hierarchy: tuple[Seat, ...]
    """The seats by rank, best first; empty without ranks (G12)."""
    left_over: CardSet
    """The cards that were not dealt and are visible to all (G7)."""
    hands: tuple[tuple[Seat, Hand], ...]
    """The hands that the viewer may see, with their seats (N8, T5, T7)."""
    answer: bool | None
    """The viewer's own sealed answer to the Grand Tichu question (N11)."""
    started: SeatSet
    """The seats that have laid a card this round and may no longer call (N71)."""
    asked: SeatSet
    """The seats that are asked to withdraw a simultaneous call (N78)."""
    asked_to_withdraw: bool
    """True if the viewer is asked to withdraw a simultaneous call (N78)."""
    gifts: tuple[Gift, ...]
    """The gifts that the viewer owes in the exchange."""
    given: Gifts | None
    """The viewer's committed gifts with their receivers; `None` before (N9)."""
    received: Gifts
    """The gifts received by the viewer with their givers (N12)."""
    known_gifts: tuple[tuple[Seat, Seat, CardSet], ...]
    """All gifts known to the viewer: giver, receiver and cards (N12).

    Where one person decides for two hands, those of the other hand are included (T6, T8).
    """
    submitted: Combination | None
    """The viewer's sealed bomb of the open window (N61)."""
    waived: bool
    """True if the viewer has declined to bomb in the open window."""
    bombs: tuple[Combination, ...]
    """The viewer's bombs that beat the trick, even if they may not be thrown now."""
    bound_by_wish: bool
    """True if wishes bind the viewer (N36, T9)."""
    _actions: tuple[Action, ...] | None = field(default=None, compare=False)
    """Cache of `actions`."""

    def __repr__(self) -> str:
        who = "a spectator" if self.seat is None else f"seat {self.seat}"
        return f"<view of {who}: round {self.number}, {self.phase.value} {self.turn}>"

    @property
    def variant(self) -> Variant:
        """The rules of the game being played."""
        return VARIANTS[self.options.variant]

    @property
    def hand(self) -> Hand:
        """The viewer's own hand."""
        return Hand(0) if self.seat is None else dict(self.hands)[self.seat]

    @property
    def actions(self) -> tuple[Action, ...]:
        """The viewer's legal actions except exchanges, which `gifts` describes instead."""
        found = self._actions
        if found is None:
            found = () if self.seat is None else _actions(self, self.seat)
            object.__setattr__(self, "_actions", found)
        return found

    def with_actions(self, actions: tuple[Action, ...]) -> View:
        """Return the view restricted to these actions."""
        return replace(self, _actions=actions)


def view(match: Match, seat: Seat | None) -> View:
    """Return the position as `seat` sees it; `None` is a spectator.

    Raises `ValueError` before the first deal.
    """
    round_ = match.round
    if round_ is None:
        raise ValueError("nothing is dealt yet")
    variant = match.variant
    is_seat, exchange = seat is not None, round_.phase is Phase.EXCHANGE
    viewer = seat if seat is not None else 0
    opening = round_.opening
    submitted = dict(round_.submitted)
    return View(
        seat=seat,
        options=match.options,
        totals=match.totals,
        results=match.results,
        winners=match.winners,
        phase=match.phase,
        number=round_.number,
        dealer=round_.dealer,
        seating=round_.seating,
        turn=round_.turn,
        seats=tuple(_seat_views(round_)),
        trick=round_.trick,
        trick_points=points_of(round_.trick_cards) if variant.scored else 0,
        top=round_.top,
        top_seat=round_.top_seat,
        wish=round_.wish,
        out=round_.out,
        past=round_.past,
        hierarchy=variant.hierarchy(match),
        left_over=opening.left_over,
        hands=tuple((other, round_.hands[other]) for other in variant.visible_hands(round_, seat)),
        answer=opening.answers[viewer] if is_seat else None,
        started=round_.started,
        asked=round_.asked,
        asked_to_withdraw=is_seat and bool(round_.asked >> viewer & 1),
        gifts=variant.gifts(round_, viewer) if is_seat and exchange else (),
        given=opening.given[viewer] if is_seat else None,
        received=opening.received[viewer] if is_seat else (),
        known_gifts=tuple(_known_gifts(round_, variant, viewer)) if is_seat else (),
        submitted=submitted.get(viewer) if is_seat else None,
        waived=is_seat and bool(round_.waived >> viewer & 1),
        bombs=tuple(possible_bombs(round_, viewer)) if is_seat else (),
        bound_by_wish=is_seat and variant.bound_by_wish(round_, viewer),
    )


def _known_gifts(
    round_: Round, variant: Variant, viewer: Seat
) -> Iterator[tuple[Seat, Seat, CardSet]]:
    """Yield the gifts to or from the hands of the person who decides for `viewer`."""
    person = variant.actor(round_, viewer)
    seats = [seat for seat in range(len(round_.hands)) if variant.actor(round_, seat) == person]
    for seat in seats:
        for receiver, cards in round_.opening.given[seat] or ():
            yield seat, receiver, cards
        for giver, cards in round_.opening.received[seat]:
            if giver not in seats:
                yield giver, seat, cards


def _seat_views(round_: Round) -> Iterator[SeatView]:
    """Yield the public facts of each seat."""
    phase, opening, out = round_.phase, round_.opening, round_.out
    for seat, hand in enumerate(round_.hands):
        waited_for = (
            round_.asked >> seat & 1 == 1
            or (phase is Phase.GRAND and opening.answers[seat] is None)
            or (phase is Phase.EXCHANGE and opening.given[seat] is None)
        )
        yield SeatView(
            seat,
            team=round_.seating.teams[seat],
            cards=hand.size,
            call=round_.calls[seat],
            place=out.index(seat) + 1 if seat in out else None,
            waited_for=waited_for,
        )


def _actions(view_: View, seat: Seat) -> tuple[Action, ...]:
    """Return the legal actions of a seat without its thousands of exchanges."""
    if view_.phase in (Phase.ROUND_END, Phase.MATCH_END):
        return ()
    match = _match_as_seen(view_, seat)
    if view_.phase is Phase.EXCHANGE and not view_.asked:
        return (CallTichu(seat),) if can_call(match, seat) else ()
    return tuple(legal_actions(match, seat))


def _match_as_seen(view_: View, seat: Seat) -> Match:
    """Return a match with the facts that the viewer knows.

    The viewer's legal actions depend on no other facts.
    """
    seats = view_.seats
    hands = [_placeholder_hand(other.cards) for other in seats]
    hands[seat] = view_.hand
    answers: list[bool | None] = [None] * len(seats)
    given: list[Gifts | None] = [None] * len(seats)
    answers[seat], given[seat] = view_.answer, view_.given
    round_ = Round(
        number=view_.number,
        dealer=view_.dealer,
        seating=view_.seating,
        hands=tuple(hands),
        opening=Opening((), tuple(answers), tuple(given), (), view_.left_over),
        calls=tuple([other.call for other in seats]),
        asked=view_.asked,
        last_callers=0,
        started=view_.started,
        trick_cards=0,
        top=view_.top,
        top_seat=view_.top_seat,
        submitted=() if view_.submitted is None else ((seat, view_.submitted),),
        waived=view_.waived << seat,
        wish=view_.wish,
        out=view_.out,
        piles=(),
        discards=0,
        past=(),
        phase=view_.phase,
        turn=view_.turn,
        trick=(),
        passes=0,
    )
    return Match(
        options=view_.options,
        variant=view_.variant,
        first_dealer=view_.dealer,
        totals=view_.totals,
        results=view_.results,
        round=round_,
        winners=(),
    )


@cache
def _placeholder_hand(size: int) -> Hand:
    """Return a hand of this size in place of a hidden one; only its size is used."""
    return Hand((1 << size) - 1)
