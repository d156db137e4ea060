"""Ratings of people and puzzles, and the choice of the next puzzle."""

from __future__ import annotations

import random

import pytest

from bot.puzzles.choosing import next_puzzle
from bot.rating.puzzle_ratings import PUZZLE_BEGINNER, initial_rating, rate_answer
from bot.score_records import Rating


def test_the_winner_rises_and_the_loser_falls() -> None:
    puzzle = initial_rating(1400.0)
    for solved in (True, False):
        person, after = rate_answer(PUZZLE_BEGINNER, puzzle, solved)
        assert (person.mu > PUZZLE_BEGINNER.mu) == solved
        assert (after.mu < puzzle.mu) == solved
        assert person.sigma < PUZZLE_BEGINNER.sigma
        assert abs(person.mu - PUZZLE_BEGINNER.mu) > 3 * abs(after.mu - puzzle.mu)


def test_surprises_change_more() -> None:
    person = Rating(1500.0, 100.0)
    hard, easy = (rate_answer(person, initial_rating(mu), True)[0].mu for mu in (1900.0, 1100.0))
    assert hard - person.mu > 3 * (easy - person.mu) > 0


@pytest.mark.slow
def test_ratings_find_the_skill_of_a_person() -> None:
    """After 60 answers it is less than three standard deviations away, for 19 of 20 people."""
    rng, found = random.Random(7), 0
    for number in range(20):
        skill = 1000.0 + 50.0 * number
        person, answered = PUZZLE_BEGINNER, dict[str, int]()
        puzzles = {str(each): initial_rating(800.0 + 5 * each) for each in range(280)}
        for _ in range(60):
            name = next_puzzle(person, puzzles, answered, rng)
            answered[name] = 1
            chance = 1 / (1 + 10 ** ((puzzles[name].mu - skill) / 400))
            person, puzzles[name] = rate_answer(person, puzzles[name], rng.random() < chance)
        found += abs(person.mu - skill) < 3 * person.sigma
    assert found >= 19


def test_new_people_begin_with_easy_puzzles() -> None:
    puzzles = {str(mu): initial_rating(float(mu)) for mu in range(800, 2200, 10)}
    rng = random.Random(1)
    begun = [int(next_puzzle(PUZZLE_BEGINNER, puzzles, {}, rng)) for _ in range(50)]
    assert max(begun) < 1250
    assert len(set(begun)) > 5
    sure = [int(next_puzzle(Rating(1800.0, 60.0), puzzles, {}, rng)) for _ in range(50)]
    assert all(1650 < mu < 1850 for mu in sure)


def test_equally_hard_puzzles_come_in_any_order() -> None:
    puzzles = {str(each): initial_rating(1200.0) for each in range(100)}
    rng = random.Random(3)
    assert len({next_puzzle(PUZZLE_BEGINNER, puzzles, {}, rng) for _ in range(100)}) > 30


def test_least_often_answered_puzzles_come_first() -> None:
    puzzles = {name: initial_rating(1000.0) for name in "abcd"}
    rng = random.Random(2)
    assert next_puzzle(PUZZLE_BEGINNER, puzzles, {"a": 1, "b": 1, "d": 2}, rng) == "c"
    assert next_puzzle(PUZZLE_BEGINNER, puzzles, {"a": 2, "b": 1, "c": 2, "d": 2}, rng) == "b"
