"""How likely a deal of the hidden cards is, by what the others have done: passes and calls.

A seat that passed on a play of an opponent, though a hand would have let it beat that cheaply,
most likely has another hand.
"""

from __future__ import annotations

from typing import Any

from players.expert import layout as at
from players.expert.compiled import compiled, count
from players.expert.partition import split_effort
from players.expert.rules import of_rank

SEAT, KIND, SIZE, KEY, LATER = range(5)
"""A pass as numbers: the seat, the play that it passed on, and the cards it has laid since."""

_EASY, _DEAR, _BROKEN = 0.3, 0.6, 0.75
"""How often a seat passes that could have laid a spare card, a high one, or part of a set."""
_CALL_EFFORT, _CALL_SHARP = 2.6, 2.5
"""The effort of a hand that is called with half of the time, and how sharp that limit is."""
_GRAND_HIGH, _GRAND_SHARP = 2.5, 4.5
"""The number of Aces, Dragon and Phoenix in a whole hand with which a Grand Tichu is called half
of the time, and how sharp that limit is."""


@compiled
def pass_likelihood(hand: int, kind: int, size: int, key: int) -> float:
    """How likely whoever holds this hand passes on an opponent's play."""
    if kind == at.SINGLE:
        return _pass_on_single(hand, key)
    if kind == at.PAIR or kind == at.TRIPLE:
        best = 1.0
        for rank in range(key // 2 + 1, 15):
            held = count(hand & of_rank(rank))
            if held == size:
                best = min(best, _EASY if rank < 13 else _DEAR)
            elif held > size and held < 4:
                best = min(best, _BROKEN)
        return best
    if kind == at.FULL_HOUSE:
        pair = False
        for rank in range(2, 15):
            pair = pair or count(hand & of_rank(rank)) == 2
        for rank in range(key // 2 + 1, 15):
            if pair and count(hand & of_rank(rank)) == 3:
                return _EASY
    return 1.0


@compiled
def _pass_on_single(hand: int, key: int) -> float:
    best = 1.0
    if key < at.DRAGON_KEY and hand & at.DRAGON:
        best = _DEAR
    for rank in range(key // 2 + 1, 15):
        held = count(hand & of_rank(rank))
        if held == 1:
            best = min(best, _EASY if rank < 13 else _DEAR)
        elif held == 2 or held == 3:
            best = min(best, _BROKEN)
    return best


@compiled
def likelihood(row: Any, passes: Any, callers: Any, weights: Any, runs: Any) -> float:
    """How well a deal fits to what was done, from 0 to 1; 1 when nothing is known.

    `passes` has a row for each pass. `callers[seat]` are the cards that a seat which has called has
    laid, -1 for other seats.
    """
    likely = 1.0
    for place in range(len(passes)):
        hand = row[at.HAND + passes[place, SEAT]] | passes[place, LATER]
        likely *= pass_likelihood(
            hand, passes[place, KIND], passes[place, SIZE], passes[place, KEY]
        )
    for seat in range(row[at.GAME_SEATS]):
        if callers[seat] >= 0:
            hand = row[at.HAND + seat] | callers[seat]
            if row[at.CALL + seat] == 200:
                high = count(hand & (of_rank(14) | at.DRAGON | at.PHOENIX))
                likely *= 1.0 / (1.0 + _GRAND_SHARP ** (_GRAND_HIGH - high))
            else:
                effort = split_effort(hand, weights, runs)
                likely *= 1.0 / (1.0 + _CALL_SHARP ** (2.0 * (effort - _CALL_EFFORT)))
    return likely
