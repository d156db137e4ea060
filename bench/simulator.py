"""Speed of the Expert's compiled rules: random rounds of a game on one core.

Called by `python -m bench`. As in `bench.engine`, the rounds have Grand Tichu answers, exchange,
calls, wishes, bombs in windows and the Dragon's gift, each a random legal choice.
"""

from __future__ import annotations

from random import Random
from time import perf_counter

import numpy as np

from bench.engine import Speed
from bench.rounds import shuffled
from engine import Options, deal, new_match, view
from players.expert import layout
from players.expert.plays import make_plays
from players.expert.rows import row_of
from tools.random_rounds import play_rounds

_AT_ONCE = 200
"""The number of rounds between two readings of the clock."""


def simulated_rounds_per_second(options: Options, seconds: float, seed: int) -> Speed:
    """Play random rounds for `seconds` seconds, not counting the time to compile."""
    match = new_match(options)
    match, _ = deal(match, shuffled(match, Random(seed)))
    round_ = match.round
    assert round_ is not None
    base, receivers, asked = row_of(view(match, None)), np.zeros(layout.SEATS, np.int64), 0
    base[layout.RNG] = seed
    for seat in range(len(round_.hands)):
        receivers[seat] = sum(1 << other for other in match.variant.receivers(round_, seat))
        asked |= match.variant.may_call_grand(round_.seating, seat) << seat
    cards = np.array([1 << card for card in match.variant.deck(options)], np.int64)
    plays = make_plays()
    play_rounds(base, 1, cards, asked, receivers, plays)
    rounds = choices = 0
    start, passed = perf_counter(), 0.0
    while passed < seconds:
        choices += play_rounds(base, _AT_ONCE, cards, asked, receivers, plays)
        rounds += _AT_ONCE
        passed = perf_counter() - start
    return Speed(rounds, choices, passed)
