"""What a seat makes of the public position: which plays hold, who is close to going out.

The row holds all hands; of those of the others only the number of cards is read here. The Novice
has the same judgement in `players.novice.outlook`; a test holds both to agree.
"""

from __future__ import annotations

from typing import Any

from players.expert import layout as at
from players.expert import weights as by
from players.expert.compiled import compiled, count
from players.expert.rules import of_rank


@compiled
def unseen(row: Any, seat: int) -> int:
    """The cards that are in other hands."""
    return at.DECK & ~row[at.PLAYED] & ~row[at.HAND + seat]


@compiled
def _run_ways(left: int, top: int, length: int, each: int, wild: int) -> int:
    """Whether unseen cards make a run of this length up to `top`, `each` of every rank."""
    missing = 0
    for rank in range(max(2, top - length + 1), top + 1):
        missing += max(0, each - count(left & of_rank(rank)))
    return 1 if missing <= wild else 0


@compiled
def _ways(left: int, kind: int, size: int, key: int) -> int:
    """In how many ways unseen cards could beat a play: single cards, else ranks."""
    wild = 1 if left & at.PHOENIX else 0
    if kind == at.SINGLE:
        if key == at.DRAGON_KEY:
            return 0
        rank = max(2, key // 2 + 1)
        higher = count((left & at.NATURALS) >> 4 * (rank - 2))
        return higher + wild + (1 if left & at.DRAGON else 0)
    ways, rank = 0, key // 2
    if kind == at.STRAIGHT:
        for top in range(rank + 1, 15):
            ways += _run_ways(left, top, size, 1, wild)
        return ways
    if kind == at.STAIRS:
        for top in range(rank + 1, 15):
            ways += _run_ways(left, top, size // 2, 2, wild)
        return ways
    needed = 2 if kind == at.PAIR else 3
    for higher in range(rank + 1, 15):
        held = count(left & of_rank(higher))
        if held and held + wild >= needed:
            ways += 1
    return ways


@compiled
def holds(row: Any, seat: int, kind: int, size: int, key: int, weights: Any) -> float:
    """How likely no opponent beats this play, bombs aside; 1 when none can."""
    if kind == at.DOG:
        return 0.0
    if kind >= at.FOUR_BOMB:
        return 1.0
    left, theirs, able = unseen(row, seat), 0, False
    for other in range(row[at.GAME_SEATS]):
        if row[at.TEAM + other] != row[at.TEAM + seat]:
            held = count(row[at.HAND + other])
            theirs += held
            able = able or held >= size
    if not able:
        return 1.0
    if kind == at.SINGLE:
        step = weights[by.BEAT_SINGLE]
    elif kind == at.PAIR:
        step = weights[by.BEAT_PAIR]
    elif kind == at.TRIPLE:
        step = weights[by.BEAT_TRIPLE]
    elif kind == at.FULL_HOUSE:
        step = weights[by.BEAT_FULL_HOUSE]
    else:
        step = weights[by.BEAT_RUN]
    share = min(1.0, theirs / max(1, count(left)))
    return (1.0 - step * share) ** _ways(left, kind, size, key)


@compiled
def call_open(row: Any, seat: int) -> bool:
    """Whether a call of this seat can still succeed."""
    return row[at.CALL + seat] > 0 and row[at.OUT_COUNT] == 0


@compiled
def partner_may_make_it(row: Any, seat: int) -> bool:
    """Whether a partner's call is open, so that going out first would cost it."""
    if row[at.OUT_COUNT]:
        return False
    for other in range(row[at.GAME_SEATS]):
        if (
            other != seat
            and row[at.TEAM + other] == row[at.TEAM + seat]
            and row[at.CALL + other] > 0
        ):
            return True
    return False


@compiled
def danger(row: Any, seat: int, weights: Any) -> float:
    """How much it matters to stop this opponent now: 0 for not at all, 1 and more for a lot."""
    cards = count(row[at.HAND + seat])
    if not cards:
        return 0.0
    if call_open(row, seat):
        stake = 1.0 if row[at.CALL + seat] == 100 else weights[by.GRAND]
        return stake * max(0.0, weights[by.CALLED] + weights[by.CALLED_CARD] * cards)
    near = max(0.0, weights[by.NEAR] + weights[by.NEAR_CARD] * cards)
    if not row[at.SCORED]:
        return weights[by.ALONE] * near
    if row[at.OUT_COUNT] and row[at.TEAM + row[at.OUT]] == row[at.TEAM + seat]:
        return weights[by.NEAR_SECOND] * near
    return near
