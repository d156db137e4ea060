"""What one seat may know, and nothing else: the only way a position leaves the engine (N8, N10).

`view(match, seat)` for a player, `view(match, None)` for a spectator. Computer players see exactly
what a person in their seat sees.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.actions import Action, CallTichu
from engine.cards import points_of
from engine.combinations import Combination
from engine.hand import Hand
from engine.legal import can_call, legal, possible_bombs
from engine.options import Options
from engine.state import Call, Laid, Match, Phase, Round, RoundResult, Seating, Trick
from engine.variants import VARIANTS, Gift, Variant


@dataclass(frozen=True, slots=True)
class SeatView:
    """What everybody sees of a seat.

    `cards` is the number of cards in hand, `place` 1 for the first out, `waited_for` whether the
    seat still has to answer, to withdraw or to commit its exchange (not what it answered or gave).
    """

    seat: int
    team: int
    cards: int
    call: Call | None
    place: int | None
    waited_for: bool


@dataclass(frozen=True, slots=True)
class View:
    """A position as one seat sees it; `seat` is `None` for a spectator.

    `hands` holds the hands this seat may see, by seat; `answer` its own sealed Grand Tichu answer,
    `given` its committed exchange, `received` what it got and from whom; `submitted` its sealed
    bomb of the open window, `waived` whether it waived. `actions` are its legal actions; in the
    exchange the right choices are too many to list, there `gifts` tells what is owed to whom.
    `hierarchy` are the seats by rank, best first, `left_over` the cards lying face up (G7, G12).
    `turn` is the seat asked now or, in a window, next. `bombs` are those of its bombs that beat
    the trick, whether or not they may be thrown this moment. `bound_by_wish` is false where a seat
    never has to fulfil a wish (T9).
    """

    seat: int | None
    options: Options
    totals: tuple[int, ...]
    results: tuple[RoundResult, ...]
    winners: tuple[int, ...]
    phase: Phase
    number: int
    dealer: int
    seating: Seating
    turn: int
    seats: tuple[SeatView, ...]
    trick: tuple[Laid, ...]
    trick_points: int
    top: Combination | None
    top_seat: int
    wish: int | None
    out: tuple[int, ...]
    past: tuple[Trick, ...]
    hierarchy: tuple[int, ...]
    left_over: int
    hands: tuple[tuple[int, Hand], ...]
    answer: bool | None
    asked_to_withdraw: bool
    gifts: tuple[Gift, ...]
    given: tuple[tuple[int, int], ...] | None
    received: tuple[tuple[int, int], ...]
    submitted: Combination | None
    waived: bool
    bombs: tuple[Combination, ...]
    bound_by_wish: bool
    actions: tuple[Action, ...]

    @property
    def variant(self) -> Variant:
        """The rules of the game that is played."""
        return VARIANTS[self.options.variant]

    @property
    def hand(self) -> Hand:
        """The viewer's own hand."""
        return dict(self.hands)[self.seat if self.seat is not None else -1]


def view(match: Match, seat: int | None) -> View:
    """The position as `seat` sees it (`None`: a spectator). Raises `ValueError` without a round."""
    round_ = match.round
    if round_ is None:
        raise ValueError("nothing is dealt yet")
    variant = match.variant
    own, exchange = seat is not None, round_.phase is Phase.EXCHANGE
    at = seat if seat is not None else 0
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
        seats=tuple(_seat_view(round_, other) for other in range(len(round_.hands))),
        trick=round_.trick,
        trick_points=points_of(round_.trick_cards) if variant.scored else 0,
        top=round_.top,
        top_seat=round_.top_seat,
        wish=round_.wish,
        out=round_.out,
        past=round_.past,
        hierarchy=variant.hierarchy(match),
        left_over=opening.left_over,
        hands=tuple((s, round_.hands[s]) for s in variant.sees(round_, seat)),
        answer=opening.answers[at] if own else None,
        asked_to_withdraw=own and bool(round_.asked >> at & 1),
        gifts=variant.gifts(round_, at) if own and exchange else (),
        given=opening.given[at] if own else None,
        received=opening.received[at] if own else (),
        submitted=submitted.get(at) if own else None,
        waived=own and bool(round_.waived >> at & 1),
        bombs=tuple(possible_bombs(round_, at)) if own else (),
        bound_by_wish=own and variant.bound_by_wish(round_, at),
        actions=_actions(match, round_, at) if own else (),
    )


def _seat_view(round_: Round, seat: int) -> SeatView:
    opening = round_.opening
    waited_for = (
        bool(round_.asked >> seat & 1)
        or (round_.phase is Phase.GRAND and opening.answers[seat] is None)
        or (round_.phase is Phase.EXCHANGE and opening.given[seat] is None)
    )
    return SeatView(
        seat=seat,
        team=round_.seating.teams[seat],
        cards=round_.hands[seat].size,
        call=round_.calls[seat],
        place=round_.out.index(seat) + 1 if seat in round_.out else None,
        waited_for=waited_for,
    )


def _actions(match: Match, round_: Round, seat: int) -> tuple[Action, ...]:
    if round_.phase is Phase.EXCHANGE and not round_.asked:
        return (CallTichu(seat),) if can_call(match, seat) else ()
    return tuple(legal(match, seat))
