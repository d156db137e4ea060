"""Exact search of the end of a round.

Every seat is assumed to know all hands and to do the best for its team: choices of the seat's own
team maximize the worth, all others minimize it (alpha-beta search). The result is exact where every
card is known. Plays that differ by their suits alone are one choice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine import Points, Seat
from players.expert import layout
from players.expert.compiled import compiled, count
from players.expert.layout import Row
from players.expert.leads import choose_partner
from players.expert.move_classes import MOST, list_move_classes
from players.expert.odds import place_of
from players.expert.plays import CARDS, KEY, KIND, SIZE, bound, list_bombs_above
from players.expert.rules import (
    close_window,
    copy,
    give_trick,
    lay,
    lay_dog,
    of_rank,
    pass_turn,
)

MOST_CARDS, MOST_KNOWN = 9, 13
"""Maximum cards in all hands for a search, with hidden and with known hands."""
POSITIONS, KNOWN_POSITIONS = 1_500, 150_000
"""Maximum positions to search.

The first number is for each choice in one deal. The second is for all choices with known hands,
which takes some 20 ms.
"""
_DEPTH = 4 * MOST_KNOWN
"""Upper bound of the number of successive choices."""
_PASS, _WAIVE, _GIVE = -1, -2, -3
"""Choices besides plays, in place of their kind; for a gift the key is the receiver."""
ASKED, MOVER, LEFT, OURS = range(4)
"""Indices of the state at a depth.

The number of seats that have waived a bomb in the window, the seat that chooses, the number of
choices not tried yet, and whether the seat's team chooses.
"""
LOW, HIGH, VALUE, BRINGS = range(4)
"""Alpha-beta bounds, the best worth so far, and the points with it."""
_OTHER_CHOICES = 32
"""Rows at each depth beside those for classes of plays."""
_HIGHEST = 1e9
"""Upper bound of any worth."""


class Stake(NamedTuple):
    """Value of the round in the match."""

    odds: Any
    """Chance to win by both scores (`players.expert.odds`); empty if points alone count."""
    ours: Points
    """Score of the seat's team before the round, as in a match to `odds.TARGET`."""
    theirs: Points
    """Score of the other team."""


class Search(NamedTuple):
    """Work arrays of a search."""

    rows: Any
    """Position at each depth."""
    plays: Any
    """Choices at each depth, mostly plays."""
    chosen: Any
    """Numbers `ASKED` to `OURS` at each depth."""
    worth: Any
    """Numbers `LOW` to `BRINGS` at each depth."""
    left: Any
    """Number of positions that may still be searched, as an array of one."""


def make_search() -> Search:
    """Return a new set of arrays."""
    return Search(
        np.zeros((_DEPTH, layout.WIDTH), np.int64),
        np.zeros((_DEPTH, MOST + _OTHER_CHOICES, 4), np.int64),
        np.zeros((_DEPTH, 4), np.int64),
        np.zeros((_DEPTH, 4)),
        np.zeros(1, np.int64),
    )


@compiled
def can_be_solved(row: Row, known: bool) -> bool:
    """Return whether the hands of a deal are small enough to search, with no Mah Jong in them.

    `known` is true if there is only one possible deal.
    """
    cards = 0
    for seat in range(row[layout.GAME_SEATS]):
        cards += count(row[layout.HAND + seat])
        if row[layout.HAND + seat] & layout.MAHJONG:
            return False
    return cards <= (MOST_KNOWN if known else MOST_CARDS)


@compiled
def worth_of(row: Row, seat: Seat, stake: Stake) -> tuple[float, float]:
    """Return the result of a finished round for a seat: worth for the match, and points.

    In games without points both are places.
    """
    if not row[layout.SCORED]:
        return float(row[layout.RESULT + seat]), float(row[layout.RESULT + seat])
    won, other = row[layout.RESULT + seat], row[layout.NEXT + seat]
    while row[layout.TEAM + other] == row[layout.TEAM + seat]:
        other = row[layout.NEXT + other]
    lost = row[layout.RESULT + other]
    points = float(won - lost)
    if not stake.odds.shape[0]:
        return points, points
    mine, theirs = place_of(stake.odds, stake.ours + won), place_of(stake.odds, stake.theirs + lost)
    return stake.odds[mine, theirs], points


@compiled
def solve(row: Row, seat: Seat, stake: Stake, search: Search) -> tuple[float, float]:
    """Return the worth of a position for a seat, and the points (or places) of the round.

    Both are valid only if `search.left` is not negative afterwards. Otherwise there were too many
    positions.
    """
    copy(search.rows[0], row)
    search.chosen[0, ASKED] = 0
    search.worth[0, LOW], search.worth[0, HIGH] = -_HIGHEST, _HIGHEST
    depth = 0
    while True:
        if _begin(depth, seat, search):
            worth, points = worth_of(search.rows[depth], seat, stake)
            depth -= 1
            while depth >= 0 and _record_worth(depth, worth, points, search):
                worth, points = search.worth[depth, VALUE], search.worth[depth, BRINGS]
                depth -= 1
            if depth < 0:
                return worth, points
        if search.left[0] < 0 or depth + 1 == _DEPTH:
            search.left[0] = -1
            return 0.0, 0.0
        _go_deeper(depth, search)
        depth += 1


@compiled
def _begin(depth: int, seat: Seat, search: Search) -> bool:
    """List the choices at a depth. Returns true if the round is over and there are none."""
    row, chosen, worth = search.rows[depth], search.chosen[depth], search.worth[depth]
    number, mover, asked = 0, -1, chosen[ASKED]
    while row[layout.PHASE] == layout.WINDOW or row[layout.PHASE] == layout.CLOSING:
        asked, mover, number = _next_bomber(row, asked, search.plays[depth])
        if number:
            break
        close_window(row)
    if row[layout.PHASE] == layout.OVER:
        return True
    if not number:
        mover = row[layout.ON_TURN]
        number = _list_choices(row, search.plays[depth])
    search.left[0] -= 1
    chosen[ASKED], chosen[MOVER], chosen[LEFT] = asked, mover, number
    chosen[OURS] = row[layout.TEAM + mover] == row[layout.TEAM + seat]
    worth[VALUE] = -_HIGHEST if chosen[OURS] else _HIGHEST
    return False


@compiled
def _record_worth(depth: int, value: float, points: float, search: Search) -> bool:
    """Record the worth of the last choice at a depth. Returns true if the rest is cut off."""
    chosen, worth = search.chosen[depth], search.worth[depth]
    if chosen[OURS]:
        if value > worth[VALUE]:
            worth[VALUE], worth[BRINGS] = value, points
        worth[LOW] = max(worth[LOW], value)
    else:
        if value < worth[VALUE]:
            worth[VALUE], worth[BRINGS] = value, points
        worth[HIGH] = min(worth[HIGH], value)
    return chosen[LEFT] == 0 or worth[LOW] >= worth[HIGH]


@compiled
def _go_deeper(depth: int, search: Search) -> None:
    """Carry out the next choice of a depth: the last one listed, where long plays are."""
    chosen, row = search.chosen[depth], search.rows[depth + 1]
    chosen[LEFT] -= 1
    copy(row, search.rows[depth])
    choice = search.plays[depth, chosen[LEFT]]
    search.chosen[depth + 1, ASKED] = _carry_out(row, chosen[MOVER], choice, chosen[ASKED])
    search.worth[depth + 1, LOW] = search.worth[depth, LOW]
    search.worth[depth + 1, HIGH] = search.worth[depth, HIGH]


@compiled
def _next_bomber(row: Row, asked: int, plays: Any) -> tuple[int, Seat, int]:
    """Return the next seat in a window that can bomb, after the first `asked` seats.

    The values are the number of seats asked so far, this seat, and the number of its choices: a
    waiver and bombs.
    """
    seat = row[layout.TOP_SEAT]
    for place in range(row[layout.GAME_SEATS] - 1):
        seat = row[layout.NEXT + seat]
        if place >= asked and count(row[layout.HAND + seat]) >= 4:
            number = list_bombs_above(row, row[layout.HAND + seat], plays)
            if number:
                plays[number, KIND] = _WAIVE
                return place + 1, seat, number + 1
    return 0, -1, 0


@compiled
def _list_choices(row: Row, plays: Any) -> int:
    """Write the choices of the seat on turn: plays, a pass, receivers of a trick.

    An open wish restricts them.
    """
    seat = row[layout.ON_TURN]
    if row[layout.PHASE] == layout.GIFT:
        return _list_receivers(row, seat, plays)
    lead = row[layout.PHASE] == layout.LEAD
    top = -1 if lead else row[layout.TOP_KIND]
    hand = row[layout.HAND + seat]
    number = list_move_classes(hand, top, row[layout.TOP_SIZE], row[layout.TOP_KEY], plays)
    kept = 0
    if bound(row, seat):
        wished = of_rank(row[layout.WISH])
        for place in range(number):
            if plays[place, CARDS] & wished:
                for part in range(4):
                    plays[kept, part] = plays[place, part]
                kept += 1
    if kept:
        return kept
    if not lead:
        plays[number, KIND] = _PASS
        number += 1
    return number


@compiled
def _list_receivers(row: Row, seat: Seat, plays: Any) -> int:
    """Write the opponents to whom a seat may give a trick."""
    number = 0
    for other in range(row[layout.GAME_SEATS]):
        if row[layout.TEAM + other] != row[layout.TEAM + seat]:
            plays[number, KIND] = _GIVE
            plays[number, KEY] = other
            number += 1
    return number


@compiled
def _carry_out(row: Row, seat: Seat, choice: Any, asked: int) -> int:
    """Carry out a choice. Returns how many seats were asked in the open window."""
    kind = choice[KIND]
    if kind == _WAIVE:
        return asked
    if kind == _PASS:
        pass_turn(row)
    elif kind == _GIVE:
        give_trick(row, choice[KEY])
    elif kind == layout.DOG:
        lay_dog(row, seat, choose_partner(row, seat))
    else:
        lay(row, seat, choice[CARDS], kind, choice[SIZE], choice[KEY], 0)
    return 0
