"""Computer players see no hidden cards: a new deal of those never changes their choice.

Hypothesis looks for a position of any game in which a level would reveal such knowledge.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from itertools import cycle, islice
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from bench.redealing import redeal
from bench.walks import random_deck, random_options, walks
from engine import (
    AnswerGrand,
    Match,
    Options,
    Phase,
    Round,
    after_quiet_window,
    apply,
    can,
    deal,
    new_match,
    view,
    write_position,
)
from players.levels import LEVELS, Level, advise, choose
from players.manners import TASTES

SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
EXAMPLES: Mapping[Level, int] = (
    {"novice": 60, "regular": 20, "expert": 40}
    if SOAK
    else {"novice": 1, "regular": 1, "expert": 1}
)
PLAYOUTS = 40
"""The Expert's playouts; with a time limit two answers could not be compared."""

Moment = Callable[[Round], bool]


def during(phase: Phase) -> Moment:
    return lambda round_: round_.phase is phase and not round_.asked


def with_bombs(phase: Phase) -> Moment:
    return lambda round_: round_.phase is phase and any(hand.bombs() for hand in round_.hands)


MOMENTS: Mapping[str, Moment] = {
    **{phase.value: during(phase) for phase in (Phase.GRAND, Phase.EXCHANGE, Phase.LEAD)},
    "withdrawal": lambda round_: bool(round_.asked),
    "turn": during(Phase.TURN),
    "turn after a call": lambda round_: round_.phase is Phase.TURN and any(round_.calls),
    "turn with a wish": lambda round_: round_.phase is Phase.TURN and bool(round_.wish),
    "window": with_bombs(Phase.WINDOW),
    "closing window": with_bombs(Phase.CLOSING),
    "gift": during(Phase.GIFT),
}
POINTLESS = ("GRAND", "withdrawal", "gift", "turn after a call")
"""Moments that do not exist in a game without points."""
GAMES = ("nanjing", "trichu", "tientsin", "grandseigneur")
CASES = [
    (level, game, moment)
    for level in LEVELS
    for game in GAMES
    for moment in MOMENTS
    if game != "grandseigneur" or moment not in POINTLESS
    if SOAK or level != "regular" or game == "nanjing"
    if SOAK
    or level == "regular"
    or (GAMES.index(game) + [*MOMENTS].index(moment) + LEVELS.index(level))
    % (3 if moment in POINTLESS else 4)
    == 0
]
"""A normal run tests each level in each kind of moment once, each in another game."""


def position(game: str, moment: str, seed: int) -> Match | None:
    """Return a position of this kind on a random walk, not always the first one."""
    rng = Random(seed)
    options = random_options(rng, game)
    if moment == "withdrawal":
        return all_call_grand(options, rng)
    skipped = rng.randrange(4)
    for match, _ in islice(walks(rng, options), 1, 700):
        if match.phase is Phase.MATCH_END:
            return None
        if match.round is not None and MOMENTS[moment](match.round):
            if not skipped:
                return match
            skipped -= 1
    return None


def all_call_grand(options: Options, rng: Random) -> Match:
    """Return a match in which partners have called together, so that one is asked."""
    match = new_match(options, rng.randrange(3))
    match, _ = deal(match, random_deck(match, rng))
    for seat in range(match.variant.seat_count(options)):
        if can(match, AnswerGrand(seat, True)):
            match, _ = apply(match, AnswerGrand(seat, True))
    return match


@pytest.mark.parametrize("level, game, moment", CASES)
def test_hidden_cards_change_no_choice(level: Level, game: str, moment: str) -> None:
    said = 0
    manners = cycle(TASTES)

    @settings(
        deadline=None,
        max_examples=EXAMPLES[level],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    @given(st.integers(0, 2**32 - 1))
    def in_many_positions(seed: int) -> None:
        nonlocal said
        match = position(game, moment, seed)
        assume(match is not None)
        assert match is not None
        note(write_position(match))
        for seat in range(match.variant.seat_count(match.options)):
            seen, manner = view(match, seat), next(manners)
            known = {hand for hand, _ in seen.hands}
            redealt = redeal(match, known, Random(seed))
            other = view(redealt, seat)
            chosen = choose(level, seen, seed, 0.0, PLAYOUTS, manner=manner)
            assert choose(level, other, seed, 0.0, PLAYOUTS, manner=manner) == chosen
            said += chosen is not None
            if level == "expert":
                assert advise(other, seed, 0.0, PLAYOUTS) == advise(seen, seed, 0.0, PLAYOUTS)
            assert view(after_quiet_window(redealt), seat) == view(after_quiet_window(match), seat)

    in_many_positions()
    assert said
