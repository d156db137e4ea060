"""Stored puzzles: one answer counts, ratings of people and puzzles, streaks, erasure."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.ids import UserId
from bot.score_records import PuzzleAnswer, PuzzlePlayer, Rating
from bot.storage import Store
from tests.bot.databases import PATIENT_MS, open_store
from tests.bot.storage.samples import NOON
from tests.bot.storage.test_forgetting import Rewriting

ANN, BEN = UserId(1), UserId(2)
START, INITIAL = Rating(1500.0, 350.0), Rating(1200.0, 100.0)
POOL = ("a", "b", "c")


def rate(person: Rating, puzzle: Rating, solved: bool) -> tuple[Rating, Rating]:
    """Move ten points from the loser to the winner."""
    change = 10 if solved else -10
    return Rating(person.mu + change, person.sigma), Rating(puzzle.mu - change, puzzle.sigma)


def fewest(_: Rating, ratings: Mapping[str, Rating], times: Mapping[str, int]) -> str:
    """Choose the first of the puzzles that were answered least often."""
    return min(POOL, key=lambda name: (times.get(name, 0), name))


async def begin(store: Store, user_id: UserId = ANN) -> PuzzlePlayer:
    return await store.puzzles.begin(user_id, START, POOL.__contains__, fewest)


async def answer(
    store: Store, puzzle: str, *, solved: bool, user_id: UserId = ANN
) -> tuple[PuzzlePlayer, PuzzlePlayer] | None:
    return await store.puzzles.answer(
        user_id, puzzle, INITIAL, "pass", solved=solved, at=NOON, rate=rate
    )


async def test_a_begun_puzzle_comes_again_until_it_is_answered(store: Store) -> None:
    assert await store.puzzles.player(ANN) is None
    begun = await begin(store)
    assert begun == PuzzlePlayer(START, puzzle="a")
    assert await begin(store) == begun
    assert await answer(store, "b", solved=True) is None, "it was not begun"
    assert await answer(store, "a", solved=True, user_id=BEN) is None
    assert await store.puzzles.player(ANN) == begun
    changed = await answer(store, "a", solved=True)
    assert changed == (begun, PuzzlePlayer(Rating(1510.0, 350.0), 1, 1, 1, 1))
    assert await answer(store, "a", solved=False) is None, "one try"
    assert await store.puzzles.player(ANN) == changed[1]
    assert await store.puzzles.answer_to(ANN, "a") == PuzzleAnswer("pass", True, 1)
    assert await store.puzzles.answer_to(BEN, "a") is None
    assert (await begin(store)).puzzle == "b"


async def test_counts_one_of_two_answers_at_once(store: Store) -> None:
    await begin(store)
    both = [answer(store, "a", solved=solved) for solved in (False, True)]
    counted = [each for each in await asyncio.gather(*both) if each is not None]
    assert len(counted) == 1
    player = await store.puzzles.player(ANN)
    assert player is not None
    assert (player.tried, player.rating.mu) == (1, 1490.0)


async def test_counts_streaks(store: Store) -> None:
    streaks = []
    for solved in (True, True, False, True):
        begun = await begin(store)
        changed = await answer(store, begun.puzzle or "", solved=solved)
        assert changed is not None
        streaks.append((changed[1].streak, changed[1].best_streak))
    assert streaks == [(1, 1), (2, 2), (0, 2), (1, 2)]


async def test_puzzles_keep_their_ratings_and_repeated_ones_change_none(store: Store) -> None:
    seen: list[Mapping[str, Rating]] = []

    def choose(_: Rating, ratings: Mapping[str, Rating], times: Mapping[str, int]) -> str:
        seen.append(dict(ratings))
        return "a"

    for user_id in (ANN, BEN, ANN):
        await store.puzzles.begin(user_id, START, POOL.__contains__, choose)
        await answer(store, "a", solved=True, user_id=user_id)
    assert seen == [{}, {"a": Rating(1190.0, 100.0)}, {"a": Rating(1180.0, 100.0)}]
    ann = await store.puzzles.player(ANN)
    assert ann == PuzzlePlayer(Rating(1510.0, 350.0), 2, 2, 2, 2)
    repeated = await store.puzzles.answer_to(ANN, "a")
    assert repeated == PuzzleAnswer("pass", True, 2)


async def test_replaces_a_puzzle_that_is_not_known_any_more(store: Store) -> None:
    await begin(store)
    after = await store.puzzles.begin(ANN, START, lambda name: name != "a", lambda *_: "b")
    assert after.puzzle == "b"


async def test_nothing_is_stored_if_the_rating_fails(store: Store) -> None:
    begun = await begin(store)

    def fail(*_: object) -> tuple[Rating, Rating]:
        raise ZeroDivisionError

    with pytest.raises(Exception, match="storing an answer"):
        await store.puzzles.answer(ANN, "a", INITIAL, "pass", solved=True, at=NOON, rate=fail)
    assert await store.puzzles.player(ANN) == begun


async def test_several_processes_lose_no_answer(tmp_path: Path) -> None:
    stores = [
        await open_store(tmp_path / "shared" / "bot.db", busy_ms=PATIENT_MS) for _ in range(3)
    ]
    people = [UserId(number) for number in range(1, 10)]
    try:
        for user_id in people:
            await begin(stores[0], user_id)
        answers = [
            answer(store, "a", solved=True, user_id=user_id)
            for user_id in people
            for store in stores
        ]
        counted = [each for each in await asyncio.gather(*answers) if each is not None]
        assert len(counted) == len(people)
        found: list[float] = []

        def choose(_: Rating, ratings: Mapping[str, Rating], times: Mapping[str, int]) -> str:
            found.append(ratings["a"].mu)
            return "b"

        await stores[1].puzzles.begin(ANN, START, POOL.__contains__, choose)
        assert found == [INITIAL.mu - 10 * len(people)]
        for user_id in people:
            player = await stores[2].puzzles.player(user_id)
            assert player is not None
            assert (player.tried, player.solved) == (1, 1)
    finally:
        for store in stores:
            await store.close()


async def test_is_known_and_erased_with_its_person(store: Store) -> None:
    await begin(store)
    await answer(store, "a", solved=True)
    known = await store.people.known(ANN)
    assert known is not None
    assert known.others == 2
    assert await store.people.forget(ANN, Rewriting()) is not None
    assert await store.puzzles.player(ANN) is None
    assert await store.puzzles.answer_to(ANN, "a") is None
    assert await store.people.known(ANN) is None
