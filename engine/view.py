"""What one seat may know, and nothing else: the only way a position leaves the engine (N8, N10).

`view(match, seat)` for a player, `view(match, None)` for a spectator. Computer players see exactly
what a person in their seat sees.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import NamedTuple

from engine.actions import Action, CallTichu
from engine.cards import points_of
from engine.combinations import Combination
from engine.hand import Hand
from engine.legal import can_call, legal, possible_bombs
from engine.options import Options
from engine.round import Call, Laid, Opening, Phase, Round, RoundResult, Seating, Trick
from engine.state import Match
from engine.types import CardSet, Column, Gifts, Points, Rank, Seat, SeatSet, Team
from engine.variants import VARIANTS, Gift, Variant


class SeatView(NamedTuple):
    """What everybody sees of a seat."""

    seat: Seat
    """The seat itself."""
    team: Team
    """Its team in this round."""
    cards: int
    """The number of cards in its hand."""
    call: Call | None
    """Its call, if any; answers to the Grand Tichu question are sealed until all are in."""
    place: int | None
    """1 if it was the first to go out, 2 for the second ...; `None` while it has cards."""
    waited_for: bool
    """Whether it still has to answer, to withdraw or to pass cards; not what it chose."""


@dataclass(frozen=True, slots=True, repr=False)
class View:
    """A position as one seat sees it. Its hands are secret, so its `repr` does not show them.

    What is about the viewer alone is empty, false or `None` for a spectator.
    """

    seat: Seat | None
    """The viewer; `None` for a spectator."""
    options: Options
    """The options of the match."""
    totals: tuple[Points, ...]
    """Points of each column so far; empty in a game without points."""
    results: tuple[RoundResult, ...]
    """The finished rounds, the first one first."""
    winners: tuple[Column, ...]
    """The winning columns of a match that is over."""
    phase: Phase
    """Who is waited for."""
    number: int
    """The number of the round, from 1 on."""
    dealer: Seat
    """Who dealt."""
    seating: Seating
    """Turn order and teams of the round."""
    turn: Seat
    """The seat asked now or, in a window, next."""
    seats: tuple[SeatView, ...]
    """What everybody sees of each seat, by seat."""
    trick: tuple[Laid, ...]
    """The steps of the open trick, the lead first."""
    trick_points: Points
    """The card points in the open trick (N68)."""
    top: Combination | None
    """The play to beat; `None` when a lead is waited for."""
    top_seat: Seat
    """Who laid `top`; -1 without one."""
    wish: Rank | None
    """The open wish (N28)."""
    out: tuple[Seat, ...]
    """The order of going out so far."""
    past: tuple[Trick, ...]
    """The finished tricks of the round, the first one first."""
    hierarchy: tuple[Seat, ...]
    """The seats by rank, best first; empty without ranks (G12)."""
    left_over: CardSet
    """The cards that were not dealt and lie face up (G7)."""
    hands: tuple[tuple[Seat, Hand], ...]
    """The hands that the viewer may see: seat and hand (N8, T5, T7)."""
    answer: bool | None
    """The viewer's own answer to the Grand Tichu question, which is sealed (N11)."""
    started: SeatSet
    """The seats that have laid a card this round and may no longer call (N71)."""
    asked: SeatSet
    """The seats that are asked to withdraw a simultaneous call (N78)."""
    asked_to_withdraw: bool
    """Whether the viewer is asked to withdraw a simultaneous call (N78)."""
    gifts: tuple[Gift, ...]
    """In the exchange: what the viewer owes to whom."""
    given: Gifts | None
    """The viewer's committed exchange: receivers and cards; `None` before it (N9)."""
    received: Gifts
    """What the viewer got in the exchange: givers and cards (N12)."""
    known_gifts: tuple[tuple[Seat, Seat, CardSet], ...]
    """All gifts that the viewer knows: giver, receiver and cards (N12).

    Those of the viewer and, where one person decides for two hands, of the other one (T6, T8).
    """
    submitted: Combination | None
    """The viewer's sealed bomb of the open window (N61)."""
    waived: bool
    """Whether the viewer has said not to bomb in the open window."""
    bombs: tuple[Combination, ...]
    """The viewer's bombs that beat the trick, though perhaps not allowed at this moment."""
    bound_by_wish: bool
    """Whether the viewer has to fulfil wishes at all (N36, T9)."""
    _actions: tuple[Action, ...] | None = field(default=None, compare=False)
    """The actions, once somebody has asked for them."""

    def __repr__(self) -> str:
        who = "a spectator" if self.seat is None else f"seat {self.seat}"
        return f"<view of {who}: round {self.number}, {self.phase.value} {self.turn}>"

    @property
    def variant(self) -> Variant:
        """The rules of the game that is played."""
        return VARIANTS[self.options.variant]

    @property
    def hand(self) -> Hand:
        """The viewer's own hand."""
        return dict(self.hands)[self.seat if self.seat is not None else -1]

    @property
    def actions(self) -> tuple[Action, ...]:
        """The viewer's legal actions; exchanges are too many, see `gifts` instead."""
        found = self._actions
        if found is None:
            found = () if self.seat is None else _actions(self, self.seat)
            object.__setattr__(self, "_actions", found)
        return found

    def with_actions(self, actions: tuple[Action, ...]) -> View:
        """The same view with these actions to choose from."""
        return replace(self, _actions=actions)


def view(match: Match, seat: Seat | None) -> View:
    """The position as `seat` sees it; `None` stands for a spectator.

    Raises `ValueError` before the first deal.
    """
    round_ = match.round
    if round_ is None:
        raise ValueError("nothing is dealt yet")
    variant = match.variant
    own, exchange = seat is not None, round_.phase is Phase.EXCHANGE
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
        hands=tuple((other, round_.hands[other]) for other in variant.sees(round_, seat)),
        answer=opening.answers[viewer] if own else None,
        started=round_.started,
        asked=round_.asked,
        asked_to_withdraw=own and bool(round_.asked >> viewer & 1),
        gifts=variant.gifts(round_, viewer) if own and exchange else (),
        given=opening.given[viewer] if own else None,
        received=opening.received[viewer] if own else (),
        known_gifts=tuple(_known_gifts(round_, variant, viewer)) if own else (),
        submitted=submitted.get(viewer) if own else None,
        waived=own and bool(round_.waived >> viewer & 1),
        bombs=tuple(possible_bombs(round_, viewer)) if own else (),
        bound_by_wish=own and variant.bound_by_wish(round_, viewer),
    )


def _known_gifts(
    round_: Round, variant: Variant, viewer: Seat
) -> Iterator[tuple[Seat, Seat, CardSet]]:
    """The gifts that were given or received by a hand of the person who decides for `viewer`."""
    person = variant.actor(round_, viewer)
    seats = [seat for seat in range(len(round_.hands)) if variant.actor(round_, seat) == person]
    for seat in seats:
        for receiver, cards in round_.opening.given[seat] or ():
            yield seat, receiver, cards
        for giver, cards in round_.opening.received[seat]:
            if giver not in seats:
                yield giver, seat, cards


def _seat_views(round_: Round) -> Iterator[SeatView]:
    """What everybody sees of the seats."""
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


def _actions(seen: View, seat: Seat) -> tuple[Action, ...]:
    """The legal actions of a seat, without its thousands of exchanges."""
    if seen.phase in (Phase.ROUND_END, Phase.MATCH_END):
        return ()
    match = _as_seen(seen, seat)
    if seen.phase is Phase.EXCHANGE and not seen.asked:
        return (CallTichu(seat),) if can_call(match, seat) else ()
    return tuple(legal(match, seat))


def _as_seen(seen: View, seat: Seat) -> Match:
    """A match with what the viewer knows of it, which is all that their actions depend on."""
    seats = seen.seats
    hands = [_hidden(other.cards) for other in seats]
    hands[seat] = seen.hand
    answers: list[bool | None] = [None] * len(seats)
    given: list[Gifts | None] = [None] * len(seats)
    answers[seat], given[seat] = seen.answer, seen.given
    round_ = Round(
        number=seen.number,
        dealer=seen.dealer,
        seating=seen.seating,
        hands=tuple(hands),
        opening=Opening((), tuple(answers), tuple(given), (), seen.left_over),
        calls=tuple([other.call for other in seats]),
        asked=seen.asked,
        fresh=0,
        started=seen.started,
        trick_cards=0,
        top=seen.top,
        top_seat=seen.top_seat,
        submitted=() if seen.submitted is None else ((seat, seen.submitted),),
        waived=seen.waived << seat,
        wish=seen.wish,
        out=seen.out,
        piles=(),
        discards=0,
        past=(),
        phase=seen.phase,
        turn=seen.turn,
        trick=(),
        passes=0,
    )
    return Match(
        options=seen.options,
        variant=seen.variant,
        first_dealer=seen.dealer,
        totals=seen.totals,
        results=seen.results,
        round=round_,
        winners=(),
    )


@cache
def _hidden(size: int) -> Hand:
    """A hand of this size in place of one that the viewer may not see."""
    return Hand((1 << size) - 1)
