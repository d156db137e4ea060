"""Evidence about hidden hands: the actions of other seats as rows of numbers.

Each answer, lead, gift, wish and call of a seat whose hand is hidden is a row for
`players.expert.likelihood`: the seat, the action and its context, and the cards that the seat had
then but has no longer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from engine import (
    CARDS_OF_RANK,
    DRAGONS,
    MAHJONGS,
    NATURALS,
    PHOENIXES,
    Call,
    CardSet,
    Combination,
    Kind,
    Phase,
    Rank,
    Seat,
    TrickStep,
    View,
    rank_of,
)
from players.expert import habits
from players.expert.likelihood import (
    BOMB,
    DRAGON,
    EXCHANGED,
    GIFT,
    GRAND,
    HOUSE,
    LEAD,
    NATURAL,
    ON_HOUSE,
    ON_PAIR,
    ON_SINGLE,
    ON_TRIPLE,
    OTHER,
    PAIR,
    PASSED,
    SINGLE,
    TICHU,
    TRIPLE,
    WILD,
    WISH,
)

_ANSWERS = {
    Kind.SINGLE: ON_SINGLE,
    Kind.PAIR: ON_PAIR,
    Kind.TRIPLE: ON_TRIPLE,
    Kind.FULL_HOUSE: ON_HOUSE,
}
_LEADS = {
    Kind.SINGLE: SINGLE,
    Kind.PAIR: PAIR,
    Kind.TRIPLE: TRIPLE,
    Kind.FULL_HOUSE: HOUSE,
}
_OTHER_LEADS = {Kind.DOG: habits.DOG, Kind.STRAIGHT: habits.STRAIGHT, Kind.STAIRS: habits.STAIRS}
_SMALL, _MEDIUM = 4, 9
"""Maximum cards of a small and of a medium hand."""
_FEW_CARDS = 3
"""Maximum cards of a seat that is close to going out."""
_URGENCY_LEVELS = 3
"""Number of urgencies of an answer, against opponents and against partners each."""
_LEAD_LEVELS = 4
"""Number of contexts of a lead for each size class of the hand."""
_GRAND_LEVELS = 3
"""Number of contexts of a gift, to partners and to opponents each."""
EVIDENCE_ROW = 8
"""Number of values in a row."""


class _Step(NamedTuple):
    """Step of a trick, with the public state before it."""

    seat: Seat
    """Seat of the step."""
    play: Combination | None
    """Play that was laid; `None` for a pass."""
    top: TrickStep | None
    """Play to beat; `None` before a lead."""
    fulfils: bool
    """True if the play fulfilled a wish."""
    wish: Rank | None
    """Wish made with the play."""


def evidence(view: View, hidden: list[Seat]) -> Any:
    """Return the actions of these seats with hidden hands, a row each, sorted by seat."""
    if view.phase in (Phase.GRAND, Phase.EXCHANGE):
        return np.zeros((0, EVIDENCE_ROW), np.int64)
    laid = [0] * len(view.seats)
    rows: list[tuple[int, ...]] = [
        (*row, cards, 0) for *row, cards in _trick_rows(view, hidden, laid)
    ]
    for seat in hidden:
        rows += [(seat, *row) for row in _opening_rows(view, seat, laid[seat])]
    rows.sort(key=lambda row: row[0])
    return np.array(rows, np.int64).reshape(-1, EVIDENCE_ROW)


def evidence_of_tricks(view: View, hidden: list[Seat]) -> list[tuple[int, ...]]:
    """Return the actions of these seats since the first lead, as rows like those of `evidence`.

    The last value of a row is the set of cards that the seat had then but has no longer. It may be
    a set of two decks.
    """
    return sorted(_trick_rows(view, hidden, [0] * len(view.seats)), key=lambda row: row[0])


def _trick_rows(view: View, hidden: list[Seat], laid: list[CardSet]) -> list[tuple[int, ...]]:
    """Return the rows of `evidence_of_tricks`, the last action first.

    Adds to `laid` the cards that each seat has laid, by seat.
    """
    rows: list[tuple[int, ...]] = []
    # Backwards, so that `laid` has the cards that each seat laid from this step on.
    for step in reversed(list(_steps_of_round(view))):
        sizes = [
            seat_view.cards + cards.bit_count()
            for seat_view, cards in zip(view.seats, laid, strict=True)
        ]
        if step.play is not None:
            laid[step.seat] |= step.play.cards
        if step.seat not in hidden:
            continue
        row = None if step.fulfils else _step_row(view, step, sizes)
        if row is not None:
            rows.append((step.seat, *row, laid[step.seat]))
        if step.wish is not None:
            rows.append((step.seat, WISH, 0, 0, 0, step.wish, laid[step.seat]))
    return rows


def _steps_of_round(view: View) -> Iterator[_Step]:
    """Yield the steps of all tricks of the round in order."""
    wish: Rank | None = None
    for steps in (*(trick.steps for trick in view.past), view.trick):
        top: TrickStep | None = None
        for step in steps:
            play = step.combination
            fulfils = (
                wish is not None and play is not None and bool(play.cards & CARDS_OF_RANK[wish])
            )
            yield _Step(step.seat, play, top, fulfils, step.wish)
            if play is not None:
                top = step
            if fulfils:
                wish = None
            wish = step.wish if step.wish is not None else wish


def _step_row(view: View, step: _Step, sizes: list[int]) -> tuple[int, int, int, int, int] | None:
    """Return the action, its context, the rank to beat, the option and its rank for a step.

    The result is `None` if the step reveals nothing. `sizes` are the numbers of cards in all hands
    after the step.
    """
    play = step.play
    if step.top is None:
        if play is None or play.is_bomb:
            return None
        return _lead_row(view, step.seat, play, sizes)
    if play is not None and play.kind is Kind.STRAIGHT_BOMB:
        return None
    top = step.top.combination
    if top is None or top.kind not in _ANSWERS or top.cards & DRAGONS:
        return None
    size_before = sizes[step.seat] + (play.size if play is not None else 0)
    context = 2 * _URGENCY_LEVELS * _size_class(size_before)
    context += _urgency(view, step.seat, step.top.seat, sizes)
    if play is None:
        chosen = PASSED, 0
    elif play.is_bomb:
        chosen = BOMB, 0
    elif play.cards & PHOENIXES:
        chosen = WILD, play.key >> 1
    elif play.cards & DRAGONS:
        chosen = DRAGON, 0
    else:
        chosen = NATURAL, play.key >> 1
    return _ANSWERS[top.kind], context, top.key >> 1, *chosen  # a key is twice the rank


def _size_class(cards: int) -> int:
    """Return the size class of a hand: 0 for small, 1 for medium, 2 for large."""
    return (cards > _SMALL) + (cards > _MEDIUM)


def _urgency(view: View, seat: Seat, top_seat: Seat, sizes: list[int]) -> int:
    """Return how urgent it is for a seat to beat a play of `top_seat`.

    The result is 0 to 2 if `top_seat` is an opponent, and 3 to 5 if it is a partner. A seat that
    has called has the highest urgency.
    """
    team = view.seats[seat].team
    friendly = view.seats[top_seat].team == team
    if view.seats[seat].call is not None:
        level = 2
    elif friendly:
        level = int(
            any(
                _is_close_to_going_out(view, other.seat, sizes)
                for other in view.seats
                if other.team != team
            )
        )
    else:
        level = int(_is_close_to_going_out(view, top_seat, sizes))
    return _URGENCY_LEVELS * friendly + level


def _is_close_to_going_out(view: View, seat: Seat, sizes: list[int]) -> bool:
    """Return whether a seat is about to go out: it has called, or has few cards left."""
    return view.seats[seat].call is not None or sizes[seat] <= _FEW_CARDS


def _lead_row(
    view: View, seat: Seat, play: Combination, sizes: list[int]
) -> tuple[int, int, int, int, int]:
    """Return the values of a lead; see `_step_row`."""
    team = view.seats[seat].team
    opponents = [other.seat for other in view.seats if other.team != team]
    # 3 after the seat's own call, 2 after a partner's, 1 if an opponent has few cards, else 0.
    if view.seats[seat].call is not None:
        level = 3
    elif any(other.call is not None for other in view.seats if other.team == team):
        level = 2
    else:
        level = int(any(0 < sizes[other] <= _FEW_CARDS for other in opponents))
    context = _LEAD_LEVELS * _size_class(sizes[seat] + play.size) + level
    if play.kind in _OTHER_LEADS:
        return LEAD, context, 0, OTHER, _OTHER_LEADS[play.kind]
    if play.kind is Kind.SINGLE and play.cards & ~NATURALS:
        return LEAD, context, 0, OTHER, _special_number(play.cards)
    if play.cards & PHOENIXES:
        return LEAD, context, 0, OTHER, habits.WILD
    return LEAD, context, 0, _LEADS[play.kind], play.key >> 1


def _special_number(card: CardSet) -> int:
    """Return the number that a special card has in `habits`."""
    if card & PHOENIXES:
        return habits.PHOENIX
    if card & DRAGONS:
        return habits.DRAGON
    return habits.MAHJONG if card & MAHJONGS else habits.DOG


def _opening_rows(view: View, seat: Seat, laid: CardSet) -> Iterator[tuple[int, ...]]:
    """Yield the calls, the exchange and the gifts of a seat, as rows without the seat.

    `laid` are the cards that the seat has laid. The values are those of `players.expert.likelihood`
    from `ACTION` to `NOW_ONLY`.
    """
    seat_view = view.seats[seat]
    partner_called = any(
        other.call is not None
        for other in view.seats
        if other.team == seat_view.team and other.seat != seat
    )
    opponent_called = any(
        other.call is not None for other in view.seats if other.team != seat_view.team
    )
    grand = seat_view.call is Call.GRAND
    if view.variant.may_call_grand(view.seating, seat):
        yield GRAND, 0, 0, int(grand), 0, laid, 0
    if (
        view.variant.scored
        and not grand
        and not partner_called
        and (laid or seat_view.call is not None)
    ):
        yield TICHU, int(opponent_called), 0, int(seat_view.call is not None), 0, laid, 0
    given = received = 0
    for giver, receiver, cards in view.known_gifts:
        given |= cards if giver == seat else 0
        received |= cards if receiver == seat else 0
    if view.variant.scored and view.received:
        # The row has only the current cards. With the laid cards, guesses are worse.
        yield EXCHANGED, 0, 0, 0, 0, 0, received
    yield from _gift_rows(view, seat, laid | given, received)


def _gift_rows(
    view: View, seat: Seat, then_only: CardSet, received: CardSet
) -> Iterator[tuple[int, ...]]:
    """Yield the gifts of a seat to the viewer's hands; see `_opening_rows`."""
    seat_view, own = view.seats[seat], view.seats[view.seat or 0]
    for giver, _, cards in view.known_gifts:
        if giver == seat and cards.bit_count() == 1:
            context = _GRAND_LEVELS * (own.team != seat_view.team)
            if seat_view.call is Call.GRAND:
                context += 1
            elif own.call is Call.GRAND:
                context += 2
            if cards & NATURALS:
                chosen = NATURAL, rank_of(cards.bit_length() - 1)
            else:
                chosen = OTHER, _special_number(cards)
            yield GIFT, context, 0, *chosen, then_only, received
