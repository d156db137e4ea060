"""Reviews read back from their JSON text."""

from __future__ import annotations

import json
import random

import pytest

from bot.coach.stored_review import read_review, write_review
from engine import Action
from players.coach.decisions import Decision, decisions
from players.coach.estimates import Chances, Estimate
from players.coach.review import Judged, Review, Turn
from players.reasons import Cause, Explanation
from tests.campaign import SOAK
from tests.players.coach.rounds import random_round

ROUNDS = 40 if SOAK else 6


def points(chance: random.Random) -> float:
    return round(chance.uniform(-200, 200), 1)


def judged(decision: Decision, chance: random.Random) -> Judged:
    better: Action = chance.choice([decision.action, *decision.view.actions])
    cause = chance.choice(list(Cause))
    why = Explanation(cause, chance.randrange(-1, 4), chance.randrange(100))
    cost = Estimate(points(chance), points(chance), points(chance))
    explanation = chance.choice([None, why])
    return Judged(decision.at, decision.kind, cost, decision.action, better, explanation)


def some_review(game: str, seed: int) -> Review:
    """Return a review of a random round with made-up numbers."""
    chance = random.Random(seed)
    played = random_round(game, seed)
    found = [judged(each, chance) for each in decisions(*played, chance.randrange(3))]
    marks = tuple(chance.sample(found, min(3, len(found))))
    chances = [round(chance.random(), 3) for _ in range(8)]
    curve = tuple(Turn(at, Chances(*chances[at : at + 2])) for at in range(7))
    return Review(tuple(found), marks, tuple(each.at for each in found[:2]), curve)


@pytest.mark.parametrize("game", ["nanjing", "trichu", "tientsin"])
def test_reads_what_it_has_written(game: str) -> None:
    kinds = set[str]()
    for seed in range(ROUNDS):
        review = some_review(game, seed)
        kinds |= {each.kind for each in review.judged}
        assert read_review(write_review(review)) == review
    assert {"call", "exchange", "lead", "follow", "pass"} <= kinds


def test_rounds_costs_and_chances() -> None:
    review = some_review("nanjing", 1)
    first = review.judged[0]._replace(cost=Estimate(12.3456, -0.04, 99.95001))
    curve = (Turn(3, Chances(0.12345, 1.0)),)
    found = read_review(write_review(review._replace(judged=(first,), curve=curve)))
    assert found.judged[0].cost == (12.3, 0.0, 100.0)
    assert found.curve == ((3, (0.123, 1.0)),)


def test_a_review_of_many_decisions_is_small() -> None:
    text = write_review(some_review("nanjing", 2))
    stored = json.loads(text)
    assert len(text) < 250 * (len(stored["judged"]) + len(stored["marks"]) + len(stored["curve"]))
