"""The rules of a round for rows of numbers, from the first lead to the result.

Nothing is validated here, because callers choose among legal plays. A test plays the same rounds by
these rules and by the engine's, and compares every step.
"""

from __future__ import annotations

from engine import CardSet, Points, Rank, Seat
from players.expert import layout
from players.expert.compiled import compiled, count
from players.expert.layout import Row

_MULTIPLIER, _INCREMENT = 6364136223846793005, 1442695040888963407
"""Parameters of the random generator (Knuth's MMIX)."""


@compiled
def copy_row(row: Row, source: Row) -> None:
    """Overwrite `row` with the numbers in `source`."""
    for place in range(len(row)):
        row[place] = source[place]


@compiled
def random_below(row: Row, limit: int) -> int:
    """Return a random number below `limit`, from the generator in the row (linear congruential)."""
    row[layout.RNG] = row[layout.RNG] * _MULTIPLIER + _INCREMENT
    return ((row[layout.RNG] >> 33) & 0x7FFFFFFF) % limit  # the high bits are the most random


@compiled
def cards_of_rank(rank: Rank) -> CardSet:
    """Return the four cards of a rank from 2 to 14; of rank 1 the Mah Jong."""
    if rank == 1:
        return layout.MAHJONG
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
def _remove_from_hand(row: Row, seat: Seat, cards: CardSet) -> bool:
    """Remove cards that a seat lays from its hand. Returns whether it goes out."""
    row[layout.HAND + seat] &= ~cards
    row[layout.STARTED] |= 1 << seat
    row[layout.PLAYED] |= cards
    if row[layout.HAND + seat]:
        return False
    row[layout.OUT + row[layout.OUT_COUNT]] = seat
    row[layout.OUT_COUNT] += 1
    row[layout.RESULT + seat] = row[layout.GAME_SEATS] - row[layout.OUT_COUNT]
    return True


@compiled
def _is_over(row: Row) -> bool:
    """Return whether the round has ended. Writes the team of a sweep, if any, into the row."""
    out_count = row[layout.OUT_COUNT]
    if out_count == row[layout.SWEEP_SIZE] and out_count > 0:
        team = row[layout.TEAM + row[layout.OUT]]
        one_team = True
        for place in range(1, out_count):
            one_team = one_team and row[layout.TEAM + row[layout.OUT + place]] == team
        if one_team:
            row[layout.SWEEP_TEAM] = team
            return True
    return out_count >= row[layout.GAME_SEATS] - 1


@compiled
def _open_window(row: Row) -> None:
    """Keep the bomb window open, unless nobody has the four cards that a bomb needs."""
    for seat in range(row[layout.GAME_SEATS]):
        if count(row[layout.HAND + seat]) >= 4:
            return
    close_window(row)


@compiled
def close_window(row: Row) -> None:
    """Close a bomb window: the next seat is on turn, or the trick ends."""
    if row[layout.PHASE] == layout.WINDOW:
        row[layout.PHASE] = layout.TURN
    else:
        _end_trick(row)


@compiled
def lay(row: Row, seat: Seat, cards: CardSet, kind: int, size: int, key: int, wish: Rank) -> None:
    """Lay a play or a bomb, but not the Dog. `wish` is the rank wished for with it, or 0."""
    goes_out = _remove_from_hand(row, seat, cards)
    row[layout.TRICK] |= cards
    row[layout.PASSES] = 0
    row[layout.TOP_SEAT] = seat
    row[layout.TOP_KIND] = kind
    row[layout.TOP_SIZE] = size
    row[layout.TOP_KEY] = key
    row[layout.PHASE] = layout.WINDOW
    if wish:
        row[layout.WISH] = wish
    elif row[layout.WISH] and cards & cards_of_rank(row[layout.WISH]):
        row[layout.WISH] = 0
    if goes_out and _is_over(row):
        if row[layout.SWEEP_TEAM] >= 0:
            _finish(row)
        else:
            _end_trick(row)
        return
    row[layout.ON_TURN] = next_with_cards(row, seat)
    _open_window(row)


@compiled
def lay_dog(row: Row, seat: Seat, partner: Seat) -> None:
    """Lead the Dog to `partner`; -1 if the rules determine the partner."""
    if _remove_from_hand(row, seat, layout.DOG_CARD) and _is_over(row):
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
    """Let the seat on turn pass."""
    top_seat = row[layout.TOP_SEAT]
    row[layout.PASSES] += 1
    # The trick ends when all others who hold cards have passed.
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
def _end_trick(row: Row) -> None:
    """End the trick: its winner gets it, or has to give it away if the Dragon has won it."""
    if row[layout.TOP_KEY] == layout.DRAGON_KEY and row[layout.SCORED]:
        row[layout.PHASE] = layout.GIFT
        row[layout.ON_TURN] = row[layout.TOP_SEAT]
        return
    give_trick(row, row[layout.TOP_SEAT])


@compiled
def give_trick(row: Row, owner: Seat) -> None:
    """Put the trick on the pile of `owner`. The winner of the trick leads next.

    The owner is the winner, or the opponent who gets a trick won by the Dragon.
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
    """Finish the round. In games with points the result of each seat is those of its team."""
    row[layout.PHASE] = layout.OVER
    seats = row[layout.GAME_SEATS]
    if not row[layout.SCORED]:
        return
    team_0, team_1 = _points_of_teams(row)
    first = row[layout.OUT]
    for seat in range(seats):
        stake = row[layout.CALL + seat] if seat == first else -row[layout.CALL + seat]
        if row[layout.TEAM + seat] == 0:
            team_0 += stake
        else:
            team_1 += stake
    for seat in range(seats):
        row[layout.RESULT + seat] = team_0 if row[layout.TEAM + seat] == 0 else team_1


@compiled
def _points_of_teams(row: Row) -> tuple[Points, Points]:
    """Return the points of teams 0 and 1 in a finished round, without those of calls."""
    sweep_team = row[layout.SWEEP_TEAM]
    if sweep_team >= 0:
        return row[layout.SWEEP_POINTS] * (1 - sweep_team), row[layout.SWEEP_POINTS] * sweep_team
    team_0 = team_1 = 0
    for seat in range(row[layout.GAME_SEATS]):
        if row[layout.TEAM + _pile_owner(row, seat)] == 0:
            team_0 += points_of(row[layout.PILE + seat])
        else:
            team_1 += points_of(row[layout.PILE + seat])
        if row[layout.TEAM + seat] == 1:  # the cards still in hand go to the opponents
            team_0 += points_of(row[layout.HAND + seat])
        else:
            team_1 += points_of(row[layout.HAND + seat])
    return team_0, team_1


@compiled
def _pile_owner(row: Row, seat: Seat) -> Seat:
    """Return a seat of the team that gets the points in the tricks of `seat`.

    The tricks of a seat that still holds cards go to the first seat that went out, or with
    `LAST_PILES_CROSS` to the opponents. Those of the last seat to go out then go to the first one.
    """
    first, seats = row[layout.OUT], row[layout.GAME_SEATS]
    if row[layout.LAST_PILES_CROSS]:
        if row[layout.HAND + seat]:
            return row[layout.NEXT + seat]  # teams alternate
        return first if row[layout.OUT + seats - 2] == seat else seat
    return first if row[layout.HAND + seat] else seat
