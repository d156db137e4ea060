"""Exact search of the end of a round.

All seats are assumed to know all hands and to play perfectly: the team of the searching seat
maximizes the worth, the others minimize it (alpha-beta search). The result is exact if all cards
are known. Of plays that differ by their suits alone, only one is tried.
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
from players.expert.odds import score_index
from players.expert.plays import CARDS, KEY, KIND, SIZE, bound_by_wish, list_bombs_above
from players.expert.rules import (
    cards_of_rank,
    close_window,
    copy_row,
    give_trick,
    lay,
    lay_dog,
    pass_turn,
)

MOST_CARDS, MOST_KNOWN = 9, 13
"""Maximum cards in all hands for a search, with hidden and with known hands."""
POSITIONS, KNOWN_POSITIONS = 1_500, 150_000
"""Maximum positions to search.

The first number is for each choice in one deal. The second is for all choices together if all
hands are known; such a search takes about 20 ms.
"""
_DEPTH = 4 * MOST_KNOWN
"""Upper bound of the number of successive choices."""
_PASS, _WAIVE, _GIVE = -1, -2, -3
"""Codes of other choices, in place of the kind of a play; the key of a gift is its receiver."""
ASKED, MOVER, UNTRIED, OURS = range(4)
"""Indices of the state at a depth.

The number of seats asked for a bomb so far in the open window; the seat that chooses; the number of
its choices that are not tried yet; whether it is of the searching seat's team.
"""
LOW, HIGH, VALUE, POINTS = range(4)
"""Indices of the results at a depth: alpha-beta bounds, best worth so far, and its points."""
_OTHER_CHOICES = 32
"""Space at each depth for choices that are not plays."""
_INFINITE = 1e9
"""Upper bound of the worth of any position."""


class Stake(NamedTuple):
    """Value of a round in the match, as a function of its points."""

    odds: Any
    """Chance to win the match by both scores (`players.expert.odds`); empty if points count."""
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
    state: Any
    """State at each depth: the numbers from `ASKED` to `OURS`."""
    worth: Any
    """Results at each depth: the numbers from `LOW` to `POINTS`."""
    positions_left: Any
    """Number of positions that may still be searched, as an array of one number."""


def make_search() -> Search:
    """Return new work arrays."""
    return Search(
        np.zeros((_DEPTH, layout.WIDTH), np.int64),
        np.zeros((_DEPTH, MOST + _OTHER_CHOICES, 4), np.int64),
        np.zeros((_DEPTH, 4), np.int64),
        np.zeros((_DEPTH, 4)),
        np.zeros(1, np.int64),
    )


@compiled
def can_be_solved(row: Row, known: bool) -> bool:
    """Return whether a deal can be searched: the hands are small and have no Mah Jong.

    `known` is true if there is only one possible deal.
    """
    cards = 0
    for seat in range(row[layout.GAME_SEATS]):
        cards += count(row[layout.HAND + seat])
        if row[layout.HAND + seat] & layout.MAHJONG:
            return False
    return cards <= (MOST_KNOWN if known else MOST_CARDS)


@compiled
def result_for(row: Row, seat: Seat, stake: Stake) -> tuple[float, float]:
    """Return the result of a finished round for a seat: its worth for the match, and its points.

    In games without points both are the place of the seat.
    """
    if not row[layout.SCORED]:
        return float(row[layout.RESULT + seat]), float(row[layout.RESULT + seat])
    our_points, opponent = row[layout.RESULT + seat], row[layout.NEXT + seat]
    while row[layout.TEAM + opponent] == row[layout.TEAM + seat]:
        opponent = row[layout.NEXT + opponent]
    their_points = row[layout.RESULT + opponent]
    points = float(our_points - their_points)
    if not stake.odds.shape[0]:
        return points, points
    our_index, their_index = (
        score_index(stake.odds, stake.ours + our_points),
        score_index(stake.odds, stake.theirs + their_points),
    )
    return stake.odds[our_index, their_index], points


@compiled
def solve(row: Row, seat: Seat, stake: Stake, search: Search) -> tuple[float, float]:
    """Return the worth of a position for a seat, and the points (or place) that come with it.

    They are invalid if `search.positions_left` is negative afterwards, because then there were too
    many positions.
    """
    copy_row(search.rows[0], row)
    search.state[0, ASKED] = 0
    search.worth[0, LOW], search.worth[0, HIGH] = -_INFINITE, _INFINITE
    depth = 0
    while True:
        if _prepare_depth(depth, seat, search):
            worth, points = result_for(search.rows[depth], seat, stake)
            depth -= 1
            # Go back to the last choice that has another way to try.
            while depth >= 0 and _record_result(depth, worth, points, search):
                worth, points = search.worth[depth, VALUE], search.worth[depth, POINTS]
                depth -= 1
            if depth < 0:
                return worth, points
        if search.positions_left[0] < 0 or depth + 1 == _DEPTH:
            search.positions_left[0] = -1
            return 0.0, 0.0
        _try_next_choice(depth, search)
        depth += 1


@compiled
def _prepare_depth(depth: int, seat: Seat, search: Search) -> bool:
    """List the choices at a depth. Returns true if the round is over instead."""
    row, state, worth = search.rows[depth], search.state[depth], search.worth[depth]
    choice_count, mover, asked = 0, -1, state[ASKED]
    while row[layout.PHASE] == layout.WINDOW or row[layout.PHASE] == layout.CLOSING:
        asked, mover, choice_count = _next_bomber(row, asked, search.plays[depth])
        if choice_count:
            break
        close_window(row)
    if row[layout.PHASE] == layout.OVER:
        return True
    if not choice_count:
        mover = row[layout.ON_TURN]
        choice_count = _list_choices(row, search.plays[depth])
    search.positions_left[0] -= 1
    state[ASKED], state[MOVER], state[UNTRIED] = asked, mover, choice_count
    state[OURS] = row[layout.TEAM + mover] == row[layout.TEAM + seat]
    worth[VALUE] = -_INFINITE if state[OURS] else _INFINITE
    return False


@compiled
def _record_result(depth: int, value: float, points: float, search: Search) -> bool:
    """Record the result of the last choice at a depth.

    Returns true if the depth is finished, because all choices are tried or the rest is cut off.
    """
    state, worth = search.state[depth], search.worth[depth]
    if state[OURS]:
        if value > worth[VALUE]:
            worth[VALUE], worth[POINTS] = value, points
        worth[LOW] = max(worth[LOW], value)
    else:
        if value < worth[VALUE]:
            worth[VALUE], worth[POINTS] = value, points
        worth[HIGH] = min(worth[HIGH], value)
    return state[UNTRIED] == 0 or worth[LOW] >= worth[HIGH]


@compiled
def _try_next_choice(depth: int, search: Search) -> None:
    """Carry out the next choice of a depth, from the end of the list, where long plays are."""
    state, row = search.state[depth], search.rows[depth + 1]
    state[UNTRIED] -= 1
    copy_row(row, search.rows[depth])
    choice = search.plays[depth, state[UNTRIED]]
    search.state[depth + 1, ASKED] = _carry_out(row, state[MOVER], choice, state[ASKED])
    search.worth[depth + 1, LOW] = search.worth[depth, LOW]
    search.worth[depth + 1, HIGH] = search.worth[depth, HIGH]


@compiled
def _next_bomber(row: Row, asked: int, plays: Any) -> tuple[int, Seat, int]:
    """Find the next seat that can bomb in a window, after the `asked` seats that had the chance.

    Returns the number of seats asked so far, this seat, and the number of its choices, which are
    bombs and a waiver. If no seat can bomb, the number of choices is 0 and the others mean nothing.
    """
    seat = row[layout.TOP_SEAT]
    for place in range(row[layout.GAME_SEATS] - 1):
        seat = row[layout.NEXT + seat]
        if place >= asked and count(row[layout.HAND + seat]) >= 4:
            bomb_count = list_bombs_above(row, row[layout.HAND + seat], plays)
            if bomb_count:
                plays[bomb_count, KIND] = _WAIVE
                return place + 1, seat, bomb_count + 1
    return 0, -1, 0


@compiled
def _list_choices(row: Row, plays: Any) -> int:
    """Write the choices of the seat on turn: plays and a pass, or receivers of a trick.

    An open wish restricts them. Returns their number.
    """
    seat = row[layout.ON_TURN]
    if row[layout.PHASE] == layout.GIFT:
        return _list_receivers(row, seat, plays)
    lead = row[layout.PHASE] == layout.LEAD
    top = -1 if lead else row[layout.TOP_KIND]
    hand = row[layout.HAND + seat]
    choice_count = list_move_classes(hand, top, row[layout.TOP_SIZE], row[layout.TOP_KEY], plays)
    wished_count = 0
    if bound_by_wish(row, seat):
        wished = cards_of_rank(row[layout.WISH])
        for place in range(choice_count):
            if plays[place, CARDS] & wished:
                for value in range(4):
                    plays[wished_count, value] = plays[place, value]
                wished_count += 1
    if wished_count:
        return wished_count
    if not lead:
        plays[choice_count, KIND] = _PASS
        choice_count += 1
    return choice_count


@compiled
def _list_receivers(row: Row, seat: Seat, plays: Any) -> int:
    """Write the opponents to whom a seat may give a trick. Returns their number."""
    receiver_count = 0
    for other in range(row[layout.GAME_SEATS]):
        if row[layout.TEAM + other] != row[layout.TEAM + seat]:
            plays[receiver_count, KIND] = _GIVE
            plays[receiver_count, KEY] = other
            receiver_count += 1
    return receiver_count


@compiled
def _carry_out(row: Row, seat: Seat, choice: Any, asked: int) -> int:
    """Carry out a choice. Returns the number of seats asked so far in the open window."""
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
