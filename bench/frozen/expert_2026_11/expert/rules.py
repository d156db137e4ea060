"""The rules from the first lead to the result, on a row of numbers; proven equal to the engine's.

Nothing is checked here: whoever calls these functions chooses among legal plays.
"""

from __future__ import annotations

from typing import Any

from bench.frozen.expert_2026_11.expert import layout as at
from bench.frozen.expert_2026_11.expert.compiled import compiled, count

Row = Any
"""A row of numbers: `numpy.int64`, `layout.WIDTH` of them."""


@compiled
def copy(row: Row, other: Row) -> None:
    """Make a row the same as another one."""
    for place in range(len(row)):
        row[place] = other[place]


@compiled
def random_below(row: Row, limit: int) -> int:
    """A number from 0 to below `limit`, from the chance kept in the row."""
    row[at.CHANCE] = row[at.CHANCE] * 6364136223846793005 + 1442695040888963407
    return ((row[at.CHANCE] >> 33) & 0x7FFFFFFF) % limit


@compiled
def of_rank(rank: int) -> int:
    """The four cards of a rank from 2 to 14; of rank 1 the Mah Jong."""
    if rank == 1:
        return 1 << 52
    return 0xF << 4 * (rank - 2)


@compiled
def points_of(cards: int) -> int:
    """Card points of a set."""
    points = 5 * count(cards & at.FIVES) + 10 * count(cards & (at.TENS | at.KINGS))
    if cards & at.DRAGON:
        points += 25
    if cards & at.PHOENIX:
        points -= 25
    return points


@compiled
def next_active(row: Row, seat: int) -> int:
    """The next seat in turn order that holds cards."""
    seat = row[at.NEXT + seat]
    while row[at.HAND + seat] == 0:
        seat = row[at.NEXT + seat]
    return seat


@compiled
def _remove(row: Row, seat: int, cards: int) -> bool:
    """Take cards out of a hand; whether the seat goes out by that."""
    row[at.HAND + seat] &= ~cards
    row[at.STARTED] |= 1 << seat
    row[at.PLAYED] |= cards
    if row[at.HAND + seat]:
        return False
    row[at.OUT + row[at.OUT_COUNT]] = seat
    row[at.OUT_COUNT] += 1
    return True


@compiled
def _is_over(row: Row) -> bool:
    """Whether the round has ended; notes the team of a sweep."""
    out = row[at.OUT_COUNT]
    if out == row[at.SWEEP_SIZE] and out > 0:
        team = row[at.TEAM + row[at.OUT]]
        together = True
        for place in range(1, out):
            together = together and row[at.TEAM + row[at.OUT + place]] == team
        if together:
            row[at.SWEEP_TEAM] = team
            return True
    return out >= row[at.GAME_SEATS] - 1


@compiled
def _open_window(row: Row) -> None:
    """A bomb window, over at once when nobody has four cards."""
    for seat in range(row[at.GAME_SEATS]):
        if count(row[at.HAND + seat]) >= 4:
            return
    close_window(row)


@compiled
def close_window(row: Row) -> None:
    """Play goes on after a window in which nobody bombs."""
    if row[at.PHASE] == at.WINDOW:
        row[at.PHASE] = at.TURN
    else:
        _gather(row)


@compiled
def lay(row: Row, seat: int, cards: int, kind: int, size: int, key: int, wish: int) -> None:
    """Lay a play or a bomb, but no Dog; `wish` is 0 for none."""
    out = _remove(row, seat, cards)
    row[at.TRICK] |= cards
    row[at.PASSES] = 0
    row[at.TOP_SEAT] = seat
    row[at.TOP_KIND] = kind
    row[at.TOP_SIZE] = size
    row[at.TOP_KEY] = key
    row[at.PHASE] = at.WINDOW
    if wish:
        row[at.WISH] = wish
    elif row[at.WISH] and cards & of_rank(row[at.WISH]):
        row[at.WISH] = 0
    if out and _is_over(row):
        if row[at.SWEEP_TEAM] >= 0:
            _finish(row)
        else:
            _gather(row)
        return
    row[at.ON_TURN] = next_active(row, seat)
    _open_window(row)


@compiled
def lay_dog(row: Row, seat: int, to: int) -> None:
    """Lead the Dog to a partner (-1: where the choice is not the player's)."""
    if _remove(row, seat, at.DOG_CARD) and _is_over(row):
        _finish(row)
        return
    leader = to
    if leader < 0:
        leader = row[at.NEXT + seat]
        while row[at.TEAM + leader] != row[at.TEAM + seat]:
            leader = row[at.NEXT + leader]
        if row[at.HAND + leader] == 0:
            leader = next_active(row, leader)
    row[at.PHASE] = at.LEAD
    row[at.ON_TURN] = leader


@compiled
def pass_turn(row: Row) -> None:
    """The seat on turn passes."""
    top_seat = row[at.TOP_SEAT]
    row[at.PASSES] += 1
    needed = row[at.GAME_SEATS] - row[at.OUT_COUNT]
    if row[at.HAND + top_seat]:
        needed -= 1
    if row[at.PASSES] < needed:
        row[at.ON_TURN] = next_active(row, row[at.ON_TURN])
        return
    row[at.PHASE] = at.CLOSING
    row[at.ON_TURN] = top_seat if row[at.HAND + top_seat] else next_active(row, top_seat)
    _open_window(row)


@compiled
def _gather(row: Row) -> None:
    """The trick goes to its winner; a Dragon's has to be given away first."""
    if row[at.TOP_KEY] == at.DRAGON_KEY and row[at.SCORED]:
        row[at.PHASE] = at.GIFT
        row[at.ON_TURN] = row[at.TOP_SEAT]
        return
    give_trick(row, row[at.TOP_SEAT])


@compiled
def give_trick(row: Row, owner: int) -> None:
    """The trick goes to `owner`, its winner or whoever is given it; the winner leads."""
    winner = row[at.TOP_SEAT]
    if row[at.SCORED]:
        row[at.PILE + owner] |= row[at.TRICK]
    row[at.TRICK] = 0
    row[at.TOP_SEAT] = -1
    row[at.PASSES] = 0
    if row[at.OUT_COUNT] and _is_over(row):
        _finish(row)
        return
    row[at.PHASE] = at.LEAD
    row[at.ON_TURN] = winner if row[at.HAND + winner] else next_active(row, winner)


@compiled
def _finish(row: Row) -> None:
    """Settle the round: what each seat's team has won, calls included, or each seat's place."""
    row[at.PHASE] = at.OVER
    seats = row[at.GAME_SEATS]
    if not row[at.SCORED]:
        for place in range(row[at.OUT_COUNT]):
            row[at.RESULT + row[at.OUT + place]] = seats - 1 - place
        return
    won = 0  # of team 0; without a sweep the other team has the rest of 100
    first = row[at.OUT]
    if row[at.SWEEP_TEAM] >= 0:
        won = row[at.SWEEP_POINTS] * (1 - row[at.SWEEP_TEAM])
        lost = row[at.SWEEP_POINTS] * row[at.SWEEP_TEAM]
    else:
        lost = 0
        for seat in range(seats):
            if row[at.TEAM + _pile_owner(row, seat)] == 0:
                won += points_of(row[at.PILE + seat])
            else:
                lost += points_of(row[at.PILE + seat])
            if row[at.TEAM + seat] == 1:
                won += points_of(row[at.HAND + seat])
            else:
                lost += points_of(row[at.HAND + seat])
    for seat in range(seats):
        stake = row[at.CALL + seat] if seat == first else -row[at.CALL + seat]
        if row[at.TEAM + seat] == 0:
            won += stake
        else:
            lost += stake
    for seat in range(seats):
        row[at.RESULT + seat] = won if row[at.TEAM + seat] == 0 else lost


@compiled
def _pile_owner(row: Row, seat: int) -> int:
    """A seat of the team that the tricks of `seat` count for."""
    first = row[at.OUT]
    if row[at.LAST_ACROSS]:
        if row[at.HAND + seat]:
            return row[at.NEXT + seat]  # teams alternate
        return first if row[at.OUT + 4] == seat else seat
    return first if row[at.HAND + seat] else seat
