"""The rules on a row of numbers, from the first lead to the result.

Nothing is validated here, because callers choose among legal plays. A test plays the same rounds by
these rules and by the engine's, and compares every step.
"""

from __future__ import annotations

from engine import CardSet, Points, Rank, Seat
from players.expert import layout
from players.expert.compiled import compiled, count
from players.expert.layout import Row


@compiled
def copy(row: Row, source: Row) -> None:
    """Overwrite `row` with the numbers in `source`."""
    for place in range(len(row)):
        row[place] = source[place]


@compiled
def random_below(row: Row, limit: int) -> int:
    """Return a random number below `limit`; the state of the generator is in the row."""
    row[layout.RNG] = row[layout.RNG] * 6364136223846793005 + 1442695040888963407
    return ((row[layout.RNG] >> 33) & 0x7FFFFFFF) % limit


@compiled
def of_rank(rank: Rank) -> CardSet:
    """Return the four cards of a rank from 2 to 14; of rank 1 the Mah Jong."""
    if rank == 1:
        return 1 << 52
    return 0xF << 4 * (rank - 2)


@compiled
def points_of(cards: CardSet) -> Points:
    """Return the card points of a set."""
    points = 5 * count(cards & layout.FIVES) + 10 * count(cards & (layout.TENS | layout.KINGS))
    if cards & layout.DRAGON:
        points += 25
    if cards & layout.PHOENIX:
        points -= 25
    return points


@compiled
def next_with_cards(row: Row, seat: Seat) -> Seat:
    """Return the next seat in turn order that holds cards."""
    seat = row[layout.NEXT + seat]
    while row[layout.HAND + seat] == 0:
        seat = row[layout.NEXT + seat]
    return seat


@compiled
def _remove(row: Row, seat: Seat, cards: CardSet) -> bool:
    """Remove cards from a hand. Returns whether the seat goes out."""
    row[layout.HAND + seat] &= ~cards
    row[layout.STARTED] |= 1 << seat
    row[layout.PLAYED] |= cards
    if row[layout.HAND + seat]:
        return False
    row[layout.OUT + row[layout.OUT_COUNT]] = seat
    row[layout.OUT_COUNT] += 1
    return True


@compiled
def _is_over(row: Row) -> bool:
    """Return whether the round has ended; write the team of a sweep into the row."""
    out = row[layout.OUT_COUNT]
    if out == row[layout.SWEEP_SIZE] and out > 0:
        team = row[layout.TEAM + row[layout.OUT]]
        together = True
        for place in range(1, out):
            together = together and row[layout.TEAM + row[layout.OUT + place]] == team
        if together:
            row[layout.SWEEP_TEAM] = team
            return True
    return out >= row[layout.GAME_SEATS] - 1


@compiled
def _open_window(row: Row) -> None:
    """Open a bomb window; close it at once if nobody has four cards."""
    for seat in range(row[layout.GAME_SEATS]):
        if count(row[layout.HAND + seat]) >= 4:
            return
    close_window(row)


@compiled
def close_window(row: Row) -> None:
    """Close a window without a bomb: the next seat is on turn, or the trick is taken."""
    if row[layout.PHASE] == layout.WINDOW:
        row[layout.PHASE] = layout.TURN
    else:
        _gather(row)


@compiled
def lay(row: Row, seat: Seat, cards: CardSet, kind: int, size: int, key: int, wish: Rank) -> None:
    """Lay a play or a bomb, but no Dog; `wish` is 0 for none."""
    out = _remove(row, seat, cards)
    row[layout.TRICK] |= cards
    row[layout.PASSES] = 0
    row[layout.TOP_SEAT] = seat
    row[layout.TOP_KIND] = kind
    row[layout.TOP_SIZE] = size
    row[layout.TOP_KEY] = key
    row[layout.PHASE] = layout.WINDOW
    if wish:
        row[layout.WISH] = wish
    elif row[layout.WISH] and cards & of_rank(row[layout.WISH]):
        row[layout.WISH] = 0
    if out and _is_over(row):
        if row[layout.SWEEP_TEAM] >= 0:
            _finish(row)
        else:
            _gather(row)
        return
    row[layout.ON_TURN] = next_with_cards(row, seat)
    _open_window(row)


@compiled
def lay_dog(row: Row, seat: Seat, partner: Seat) -> None:
    """Lead the Dog to `partner`; -1 where the player has no choice."""
    if _remove(row, seat, layout.DOG_CARD) and _is_over(row):
        _finish(row)
        return
    leader = partner
    if leader < 0:
        leader = row[layout.NEXT + seat]
        while row[layout.TEAM + leader] != row[layout.TEAM + seat]:
            leader = row[layout.NEXT + leader]
        if row[layout.HAND + leader] == 0:
            leader = next_with_cards(row, leader)
    row[layout.PHASE] = layout.LEAD
    row[layout.ON_TURN] = leader


@compiled
def pass_turn(row: Row) -> None:
    """Make the seat on turn pass."""
    top_seat = row[layout.TOP_SEAT]
    row[layout.PASSES] += 1
    needed = row[layout.GAME_SEATS] - row[layout.OUT_COUNT]
    if row[layout.HAND + top_seat]:
        needed -= 1
    if row[layout.PASSES] < needed:
        row[layout.ON_TURN] = next_with_cards(row, row[layout.ON_TURN])
        return
    row[layout.PHASE] = layout.CLOSING
    row[layout.ON_TURN] = (
        top_seat if row[layout.HAND + top_seat] else next_with_cards(row, top_seat)
    )
    _open_window(row)


@compiled
def _gather(row: Row) -> None:
    """Give the trick to its winner, or wait for a choice if the Dragon won it."""
    if row[layout.TOP_KEY] == layout.DRAGON_KEY and row[layout.SCORED]:
        row[layout.PHASE] = layout.GIFT
        row[layout.ON_TURN] = row[layout.TOP_SEAT]
        return
    give_trick(row, row[layout.TOP_SEAT])


@compiled
def give_trick(row: Row, owner: Seat) -> None:
    """Put the trick on the pile of `owner`; its winner leads.

    The owner is the winner, or the opponent who gets a Dragon's trick.
    """
    winner = row[layout.TOP_SEAT]
    if row[layout.SCORED]:
        row[layout.PILE + owner] |= row[layout.TRICK]
    row[layout.TRICK] = 0
    row[layout.TOP_SEAT] = -1
    row[layout.PASSES] = 0
    if row[layout.OUT_COUNT] and _is_over(row):
        _finish(row)
        return
    row[layout.PHASE] = layout.LEAD
    row[layout.ON_TURN] = winner if row[layout.HAND + winner] else next_with_cards(row, winner)


@compiled
def _finish(row: Row) -> None:
    """Finish the round: write the points of each seat's team with calls, or its place."""
    row[layout.PHASE] = layout.OVER
    seats = row[layout.GAME_SEATS]
    if not row[layout.SCORED]:
        for place in range(row[layout.OUT_COUNT]):
            row[layout.RESULT + row[layout.OUT + place]] = seats - 1 - place
        return
    won, lost = _points_of_teams(row)
    first = row[layout.OUT]
    for seat in range(seats):
        stake = row[layout.CALL + seat] if seat == first else -row[layout.CALL + seat]
        if row[layout.TEAM + seat] == 0:
            won += stake
        else:
            lost += stake
    for seat in range(seats):
        row[layout.RESULT + seat] = won if row[layout.TEAM + seat] == 0 else lost


@compiled
def _points_of_teams(row: Row) -> tuple[Points, Points]:
    """Return the points of teams 0 and 1 in a round that is over, without calls."""
    team = row[layout.SWEEP_TEAM]
    if team >= 0:
        return row[layout.SWEEP_POINTS] * (1 - team), row[layout.SWEEP_POINTS] * team
    won = lost = 0
    for seat in range(row[layout.GAME_SEATS]):
        if row[layout.TEAM + _pile_owner(row, seat)] == 0:
            won += points_of(row[layout.PILE + seat])
        else:
            lost += points_of(row[layout.PILE + seat])
        if row[layout.TEAM + seat] == 1:  # the cards still in hand go to the opponents
            won += points_of(row[layout.HAND + seat])
        else:
            lost += points_of(row[layout.HAND + seat])
    return won, lost


@compiled
def _pile_owner(row: Row, seat: Seat) -> Seat:
    """Return a seat of the team that gets the points of `seat`'s tricks."""
    first, seats = row[layout.OUT], row[layout.GAME_SEATS]
    if row[layout.LAST_PILES_CROSS]:
        if row[layout.HAND + seat]:
            return row[layout.NEXT + seat]  # teams alternate
        return first if row[layout.OUT + seats - 2] == seat else seat
    return first if row[layout.HAND + seat] else seat
