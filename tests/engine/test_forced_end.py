"""The rest of a round in which nobody has a choice: found only where all ways give one result."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from bench.rounds import END_PHASES, RandomPlayer, play_round, shuffled
from bench.walks import random_action
from engine import VARIANTS, Match, Options, apply, new_match, only_course, write_action
from tests.campaign import SOAK
from tests.engine.positions import table

_ROUNDS = 60 if SOAK else 6


def _note(positions: list[Match], match: Match, *_: object) -> None:
    positions.append(match)


def _result(match: Match) -> object:
    return match.results[-1]


@pytest.mark.parametrize("game", tuple(VARIANTS))
def test_any_way_to_play_on_gives_the_same_result(game: str) -> None:
    found = 0
    for seed in range(_ROUNDS):
        rng = Random(f"{game} {seed}")
        match = new_match(Options(game, players=6) if game == "grandseigneur" else Options(game))
        positions: list[Match] = []
        watch = partial(_note, positions)
        end = play_round(match, [RandomPlayer()] * 12, shuffled(match, rng), rng, watch)
        for position in positions:
            course = only_course(position)
            if not course:
                continue
            found += 1
            after = position
            for action in course:
                after, _ = apply(after, action)
            assert after.phase in END_PHASES
            assert _result(after) == _result(end)
            for _ in range(3):
                other = position
                while other.phase not in END_PHASES:
                    other, _ = apply(other, random_action(other, rng))
                assert _result(other) == _result(end)
    assert found


LAST = table("TURN B", trick="C SK", hands={"B": "J2", "C": "S9"}, out="AD", started="ABCD")


def written(match: Match) -> list[str]:
    """Return the rest of the round as text."""
    return [f"{action.seat} {write_action(action)}" for action in only_course(match)]


def test_last_trick_is_decided_where_every_hand_has_one_card() -> None:
    assert written(LAST) == ["1 pass", "2 play:S9"]


@pytest.mark.parametrize(
    "at",
    [
        pytest.param(
            table("TURN B", trick="C S8", hands={"B": "J9", "C": "S9"}, out="AD", started="ABCD"),
            id="may beat",
        ),
        pytest.param(
            table(
                "TURN B", trick="C SK", hands={"B": "J2 J3", "C": "S9 S8"}, out="AD", started="ABCD"
            ),
            id="may lead either of two cards",
        ),
        pytest.param(
            table(
                "TURN B",
                trick="C SK",
                hands={"B": "J2", "C": "J4 S4 P4 T4"},
                out="AD",
                started="ABCD",
            ),
            id="may bomb",
        ),
        pytest.param(table("LEAD A"), id="begins"),
    ],
)
def test_no_course_where_somebody_has_a_choice(at: Match) -> None:
    assert only_course(at) == ()
