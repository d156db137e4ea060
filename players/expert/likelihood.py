"""How likely a deal of the hidden cards is, judged by what the others have done: passes and calls.

Example: a seat has passed on an opponent's pair of sixes. A deal that gives it a spare pair of
eights is unlikely, because with that hand it would rather have beaten the sixes.
"""

from __future__ import annotations

from typing import Any

from engine import CardSet
from players.expert import layout
from players.expert.compiled import compiled, count
from players.expert.layout import Row
from players.expert.partition import Runs, split_effort
from players.expert.rules import of_rank
from players.expert.weights import Weights

SEAT, KIND, SIZE, KEY, LATER = range(5)
"""A pass as numbers: the seat, kind, size and key of the play that it passed on, and the cards
that it has laid since."""

_EASY, _DEAR, _BROKEN = 0.3, 0.6, 0.75
"""How often a seat passes although it holds a spare card (or set) that beats the play, a high one,
or one that it would have to take out of a larger set."""
_CALL_EFFORT, _CALL_SHARP = 2.6, 2.5
"""With a hand of this effort a Tichu is called half of the time; how sharp that limit is."""
_GRAND_HIGH, _GRAND_SHARP = 2.5, 4.5
"""With so many aces, Dragon and Phoenix in the whole hand a Grand Tichu is called half of the time;
how sharp that limit is."""


@compiled
def pass_likelihood(hand: CardSet, kind: int, size: int, key: int) -> float:
    """How likely it is that a seat with this hand passes on an opponent's play, from 0 to 1."""
    if kind == layout.SINGLE:
        return _pass_on_single(hand, key)
    if kind == layout.PAIR or kind == layout.TRIPLE:
        best = 1.0
        for rank in range(key // 2 + 1, 15):
            held = count(hand & of_rank(rank))
            if held == size:
                best = min(best, _EASY if rank < 13 else _DEAR)
            elif held > size and held < 4:
                best = min(best, _BROKEN)
        return best
    if kind == layout.FULL_HOUSE:
        pair = False
        for rank in range(2, 15):
            pair = pair or count(hand & of_rank(rank)) == 2
        for rank in range(key // 2 + 1, 15):
            if pair and count(hand & of_rank(rank)) == 3:
                return _EASY
    return 1.0


@compiled
def _pass_on_single(hand: CardSet, key: int) -> float:
    """The same for a single on the table."""
    best = 1.0
    if key < layout.DRAGON_KEY and hand & layout.DRAGON:
        best = _DEAR
    for rank in range(key // 2 + 1, 15):
        held = count(hand & of_rank(rank))
        if held == 1:
            best = min(best, _EASY if rank < 13 else _DEAR)
        elif held == 2 or held == 3:
            best = min(best, _BROKEN)
    return best


@compiled
def likelihood(row: Row, passes: Any, callers: Any, weights: Weights, runs: Runs) -> float:
    """How well the hands in a row fit what the others have done, from 0 to 1.

    `passes` has a row for each pass. `callers[seat]` are the cards that a seat has laid which has
    called, -1 for seats that have not. Without any passes and calls the result is 1.
    """
    likely = 1.0
    for place in range(len(passes)):
        hand = row[layout.HAND + passes[place, SEAT]] | passes[place, LATER]
        likely *= pass_likelihood(
            hand, passes[place, KIND], passes[place, SIZE], passes[place, KEY]
        )
    for seat in range(row[layout.GAME_SEATS]):
        if callers[seat] >= 0:
            hand = row[layout.HAND + seat] | callers[seat]
            if row[layout.CALL + seat] == 200:
                high = count(hand & (of_rank(14) | layout.DRAGON | layout.PHOENIX))
                likely *= 1.0 / (1.0 + _GRAND_SHARP ** (_GRAND_HIGH - high))
            else:
                effort = split_effort(hand, weights, runs)
                likely *= 1.0 / (1.0 + _CALL_SHARP ** (2.0 * (effort - _CALL_EFFORT)))
    return likely
