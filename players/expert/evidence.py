"""Evidence about hidden hands: the actions of other seats as rows of numbers.

Each answer, lead, gift and call of a hidden hand is a row for `players.expert.likelihood`: the
seat, the context, the choice, and the cards that the seat had then besides those that it has now.
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
)
from players.expert import habits
from players.expert.likelihood import (
    DRAGON,
    GIFT,
    GRAND,
    HOUSE,
    KEPT,
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
_OTHERS = {Kind.DOG: habits.DOG, Kind.STRAIGHT: habits.STRAIGHT, Kind.STAIRS: habits.STAIRS}
_FEW, _SOME = 4, 9
"""Maximum cards of a small and of a medium hand."""
_CLOSE = 3
"""Maximum cards of a seat that is close to going out."""


class _Done(NamedTuple):
    """Step of a trick, with the public state before it."""

    seat: Seat
    """Seat of the step."""
    play: Combination | None
    """Play that was laid; `None` for a pass."""
    top: TrickStep | None
    """Play to beat; `None` before a lead."""
    wished: bool
    """True if a wish was open."""


def evidence(view: View, hidden: list[Seat]) -> Any:
    """Return the actions of these hidden seats, a row each, in the order of the seats."""
    if view.phase in (Phase.GRAND, Phase.EXCHANGE):
        return np.zeros((0, 8), np.int64)
    laid = [0] * len(view.seats)
    rows: list[tuple[int, ...]] = [
        (*row, cards, 0) for *row, cards in _of_tricks(view, hidden, laid)
    ]
    for seat in hidden:
        rows += [(seat, *row) for row in _opening(view, seat, laid[seat])]
    rows.sort(key=lambda row: row[0])
    return np.array(rows, np.int64).reshape(-1, 8)


def evidence_of_tricks(view: View, hidden: list[Seat]) -> list[tuple[int, ...]]:
    """Return the actions of these seats since the first lead, as rows like `evidence`.

    The last value of a row is the set of cards that the seat had then besides those that it has
    now. It may be of two decks.
    """
    return sorted(_of_tricks(view, hidden, [0] * len(view.seats)), key=lambda row: row[0])


def _of_tricks(view: View, hidden: list[Seat], laid: list[CardSet]) -> list[tuple[int, ...]]:
    """Return the rows of `evidence_of_tricks`, unsorted.

    Writes to `laid` all cards that each seat has laid.
    """
    rows: list[tuple[int, ...]] = []
    for done in reversed(list(_steps(view))):
        after = [
            seen.cards + cards.bit_count() for seen, cards in zip(view.seats, laid, strict=True)
        ]
        if done.play is not None:
            laid[done.seat] |= done.play.cards
        if done.seat in hidden and not done.wished:
            row = _row_of(view, done, after)
            if row is not None:
                rows.append((done.seat, *row, laid[done.seat]))
    return rows


def _steps(view: View) -> Iterator[_Done]:
    """Yield all steps of the round in order, including bombs out of turn."""
    wish: Rank | None = None
    for steps in (*(trick.steps for trick in view.past), view.trick):
        top: TrickStep | None = None
        for step in steps:
            play = step.combination
            yield _Done(step.seat, play, top, wish is not None)
            if play is not None:
                top = step
                if wish is not None and play.cards & CARDS_OF_RANK[wish]:
                    wish = None
            wish = step.wish if step.wish is not None else wish


def _row_of(view: View, done: _Done, left: list[int]) -> tuple[int, int, int, int, int] | None:
    """Return the middle of a row for a step; `None` if the step reveals nothing.

    `left` are the numbers of cards in all hands after the step.
    """
    if done.play is not None and done.play.is_bomb:
        return None
    if done.top is None:
        return None if done.play is None else _lead(view, done.seat, done.play, left)
    top = done.top.combination
    if top is None or top.kind not in _ANSWERS or top.cards & DRAGONS:
        return None
    held = left[done.seat] + (done.play.size if done.play is not None else 0)
    context = 6 * _size(held) + _urgency(view, done.seat, done.top.seat, left)
    if done.play is None:
        chosen = PASSED, 0
    elif done.play.cards & PHOENIXES:
        chosen = WILD, done.play.key >> 1
    elif done.play.cards & DRAGONS:
        chosen = DRAGON, 0
    else:
        chosen = NATURAL, done.play.key >> 1
    return _ANSWERS[top.kind], context, top.key >> 1, *chosen


def _size(left: int) -> int:
    """Return the size class of a hand: 0 for small, 1 for medium, 2 for large."""
    return (left > _FEW) + (left > _SOME)


def _urgency(view: View, seat: Seat, top_seat: Seat, left: list[int]) -> int:
    """Return the context of beating a play of `top_seat`, a number from 0 to 5.

    Higher numbers are more urgent; 3 to 5 are plays of the seat's own team.
    """
    mine = view.seats[seat].team
    friendly = view.seats[top_seat].team == mine
    if view.seats[seat].call is not None:
        level = 2
    elif friendly:
        level = int(
            any(_close(view, other.seat, left) for other in view.seats if other.team != mine)
        )
    else:
        level = int(_close(view, top_seat, left))
    return 3 * friendly + level


def _close(view: View, seat: Seat, left: list[int]) -> bool:
    """Return whether a seat has called or has few cards left."""
    return view.seats[seat].call is not None or left[seat] <= _CLOSE


def _lead(
    view: View, seat: Seat, play: Combination, left: list[int]
) -> tuple[int, int, int, int, int]:
    """Return a lead as the middle of a row."""
    mine = view.seats[seat].team
    opponents = [other.seat for other in view.seats if other.team != mine]
    if view.seats[seat].call is not None:
        level = 3
    elif any(other.call is not None for other in view.seats if other.team == mine):
        level = 2
    else:
        level = int(any(0 < left[other] <= _CLOSE for other in opponents))
    context = 4 * _size(left[seat] + play.size) + level
    if play.kind in _OTHERS:
        return LEAD, context, 0, OTHER, _OTHERS[play.kind]
    if play.kind is Kind.SINGLE and play.cards & ~NATURALS:
        return LEAD, context, 0, OTHER, _special(play.cards)
    if play.cards & PHOENIXES:
        return LEAD, context, 0, OTHER, habits.WILD
    return LEAD, context, 0, _LEADS[play.kind], play.key >> 1


def _special(card: CardSet) -> int:
    """Return the number of a special card in `habits`."""
    if card & PHOENIXES:
        return habits.PHOENIX
    if card & DRAGONS:
        return habits.DRAGON
    return habits.MAHJONG if card & MAHJONGS else habits.DOG


def _opening(view: View, seat: Seat, laid: CardSet) -> Iterator[tuple[int, ...]]:
    """Yield the gifts, the rest of the exchange and the calls of a seat, as rows without it."""
    seen = view.seats[seat]
    helped = any(
        other.call is not None
        for other in view.seats
        if other.team == seen.team and other.seat != seat
    )
    opposed = any(other.call is not None for other in view.seats if other.team != seen.team)
    grand = seen.call is Call.GRAND
    if view.variant.may_call_grand(view.seating, seat):
        yield GRAND, 0, 0, int(grand), 0, laid, 0
    if view.variant.scored and not grand and not helped and (laid or seen.call is not None):
        yield TICHU, int(opposed), 0, int(seen.call is not None), 0, laid, 0
    if view.variant.scored and view.received:
        # Only the current cards: with those that were laid, guesses are worse.
        yield KEPT, 0, 0, 0, 0, 0, 0
    gave = got = 0
    for giver, receiver, cards in view.known_gifts:
        gave |= cards if giver == seat else 0
        got |= cards if receiver == seat else 0
    for giver, _, cards in view.known_gifts:
        if giver == seat and cards.bit_count() == 1:
            same = view.seats[view.seat or 0].team == seen.team
            mine = view.seats[view.seat or 0].call is Call.GRAND
            context = 3 * (not same) + (1 if grand else 2 if mine else 0)
            rank = (cards.bit_length() - 1) // 4 + 2 if cards & NATURALS else _special(cards)
            how = NATURAL if cards & NATURALS else OTHER
            yield GIFT, context, 0, how, rank, laid | gave, got
