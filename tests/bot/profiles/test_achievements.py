"""Achievements: for each, matches that earn it and matches that just fail to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.profiles.achievements import RULES, Achievement, Key, achievements
from bot.storage import Store
from bot.text import speech
from bot.text.achievements import ACHIEVEMENTS
from engine import VARIANTS
from tests.bot.databases import NoScores, open_store
from tests.bot.played import ADA, BEN, CAI, DAN, EVENING, GUILD, Evening, Made, Sketch

WON, LOST = Sketch((200, 0), out=(0, 1, 2)), Sketch((0, 100), out=(1, 3, 0))
ROUND = Sketch((60, 40), out=(1, 0, 3))


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await open_store(tmp_path / "tichu.db", NoScores())
    yield opened
    await opened.close()


def on_day(day: int, rounds: Sequence[Sketch], **given: Any) -> Evening:
    """Return a match on some day; by default Ada's team wins it."""
    return Evening(rounds, at=EVENING + timedelta(days=day), **given)


def called(made: bool, call: Made = "tichu") -> Sketch:
    """Return a round with a call of Ada's."""
    return Sketch((60, 40), calls={0: (call, made)})


def bombs(number: int) -> Sketch:
    """Return a round with `number` bombs of Ada's, and one of Ben's."""
    return Sketch((60, 40), bombs={0: number, 1: 1})


def lords(*places: int) -> list[Sketch]:
    """Return rounds of Grand Seigneur that Ada finishes at these places, from 1."""
    return [Sketch(out=[*(1, 2, 3)[: place - 1], 0, *(1, 2, 3)[place - 1 :]]) for place in places]


GRAND_SEIGNEUR = {"variant": "grandseigneur", "alone": True}
Case = tuple[str, Sequence[Evening], int, Sequence[Evening], int]
"""Key; insufficient matches with the progress reached; sufficient ones and which earns it."""
CASES: dict[str, Case] = {
    "present": ("present", [], 0, [on_day(0, [ROUND])], 0),
    "tichu": (
        "tichu",
        [on_day(0, [called(False), called(True, "grand")])],
        0,
        [on_day(0, [called(False)]), on_day(1, [called(True)]), on_day(2, [called(True)])],
        1,
    ),
    "grand": (
        "grand",
        [on_day(0, [called(True), called(False, "grand")])],
        0,
        [on_day(0, [called(True, "grand")])],
        0,
    ),
    "three-calls": (
        "three-calls",
        [on_day(0, [called(True)] * 2), on_day(1, [called(True), called(False)])],
        2,
        [on_day(0, [called(True)]), on_day(1, [called(True, "grand"), *[called(True)] * 2])],
        1,
    ),
    "optimist": (
        "optimist",
        [on_day(0, [called(False), called(True), called(False)]), on_day(1, [called(False)])],
        2,
        [on_day(0, [called(False), called(False, "grand"), called(False)])],
        0,
    ),
    "silence, one call": ("silence", [on_day(0, [*[ROUND] * 5, called(True)])], 0, [], 0),
    "silence, lost": ("silence", [on_day(0, [ROUND] * 5, winners=(1,))], 0, [], 0),
    "silence": (
        "silence",
        [on_day(0, [ROUND] * 4)],
        0,
        [on_day(0, [*[ROUND] * 4, Sketch((60, 40), calls={2: ("tichu", True)})])],
        0,
    ),
    "almost": (
        "almost",
        [
            on_day(0, [Sketch((995, 1005))], winners=(0,)),
            on_day(1, [Sketch((990, 1010))], winners=(1,)),
        ],
        0,
        [on_day(0, [Sketch((500, 500)), Sketch((495, 505))], winners=(1,))],
        0,
    ),
    "comeback": (
        "comeback",
        [
            on_day(0, [Sketch((0, 395)), Sketch((600, 0))]),
            on_day(1, [Sketch((0, 500)), Sketch((100, 0))], winners=(1,)),
        ],
        395,
        [on_day(0, [Sketch((0, 395)), WON]), on_day(1, [Sketch((0, 400)), Sketch((500, 0))])],
        1,
    ),
    "short, too long": ("short", [on_day(0, [WON] * 5)], 0, [], 0),
    "short": (
        "short",
        [
            on_day(0, [Sketch((995, 0))]),
            on_day(1, [Sketch((500, 0))] * 2, winners=(1,)),
        ],
        0,
        [on_day(0, [Sketch((250, 0))] * 4)],
        0,
    ),
    "flood": (
        "flood",
        [on_day(0, [Sketch((395, 0)), Sketch((0, 500)), Sketch((450, 100))])],
        395,
        [on_day(0, [ROUND]), on_day(1, [LOST, Sketch((400, 0))])],
        1,
    ),
    "sweeps": (
        "sweeps",
        [on_day(0, [Sketch((200, 0), sweep=0)] * 9 + [Sketch((0, 200), sweep=1)])],
        9,
        [on_day(day, [Sketch((200, 0), sweep=0)] * 5) for day in range(3)],
        1,
    ),
    "rise-and-fall": (
        "rise-and-fall",
        [
            on_day(0, lords(1, 2, 3), **GRAND_SEIGNEUR),
            on_day(1, lords(2, 4), **GRAND_SEIGNEUR),
        ],
        0,
        [on_day(0, lords(1), **GRAND_SEIGNEUR), on_day(1, lords(4, 2, 1), **GRAND_SEIGNEUR)],
        1,
    ),
    "long": (
        "long",
        [on_day(0, [ROUND] * 19), on_day(1, [ROUND] * 20, reason="stopped")],
        19,
        [on_day(0, [ROUND] * 5), on_day(1, [ROUND] * 20, winners=(1,))],
        1,
    ),
    "two-bombs": (
        "two-bombs",
        [on_day(0, [bombs(1), bombs(1)])],
        1,
        [on_day(0, [bombs(1), bombs(2)])],
        0,
    ),
    "bombs": (
        "bombs",
        [on_day(0, [bombs(3)] * 33)],
        99,
        [on_day(day, [bombs(2)] * 40) for day in range(3)],
        1,
    ),
    "firsts": (
        "firsts",
        [on_day(0, [WON] * 99 + [ROUND])],
        99,
        [on_day(day, [WON] * 50) for day in range(3)],
        1,
    ),
    "wins": (
        "wins",
        [on_day(day, [ROUND], winners=(0,) if day != 4 else (1,)) for day in range(8)],
        4,
        [on_day(day, [ROUND]) for day in range(6)],
        4,
    ),
    "losses": (
        "losses",
        [on_day(day, [ROUND], winners=(1,) if day != 4 else (0,)) for day in range(8)],
        4,
        [on_day(day, [ROUND], winners=(1,)) for day in range(6)],
        4,
    ),
    "company": (
        "company",
        [on_day(day, [ROUND], people=(ADA, 5, None, 6 + day)) for day in range(18)],
        19,
        [on_day(day, [ROUND], people=(ADA, 5, None, 6 + day)) for day in range(20)],
        18,
    ),
    "rounds": (
        "rounds",
        [on_day(0, [ROUND] * 999)],
        999,
        [on_day(0, [ROUND] * 600), on_day(9, [ROUND] * 400)],
        1,
    ),
}


async def reached(store: Store, key: str, played: Sequence[Evening]) -> Achievement | None:
    """Return Ada's progress on a guild with these matches, where others play as well."""
    others = Evening([WON], (BEN, CAI, DAN, None), EVENING - timedelta(days=3))
    await asyncio.gather(*(evening.store(store) for evening in (*played, others)))
    found = await store.history.played(GUILD, ADA)
    if found is None:
        return None
    return next(each for each in achievements(found) if each.key == key)


@pytest.mark.parametrize("case", CASES)
async def test_unearned_achievement_has_its_progress(store: Store, case: str) -> None:
    key, played, far, _, _ = CASES[case]
    found = await reached(store, key, played)
    if not played:
        assert found is None
        return
    goal = next(rule.goal for rule in RULES if rule.key == key)
    assert far < goal
    assert found == Achievement(Key(key), goal, far, None)


@pytest.mark.parametrize("case", [name for name, case in CASES.items() if case[3]])
async def test_achievement_is_earned_at_the_end_of_a_match(store: Store, case: str) -> None:
    key, _, _, played, last = CASES[case]
    found = await reached(store, key, played)
    goal = next(rule.goal for rule in RULES if rule.key == key)
    if key == "company":  # earned together with the first round
        at = played[last].ended_at(1)
    else:
        at = played[last].ended_at(len(played[last].rounds))
    assert found == Achievement(Key(key), goal, goal, at)


def test_every_achievement_is_tested_and_has_texts() -> None:
    keys = [rule.key for rule in RULES]
    assert len(set(keys)) == len(keys) >= 15
    assert {case[0] for case in CASES.values()} == set(keys)
    assert list(ACHIEVEMENTS) == keys
    words = [ACHIEVEMENTS[key](speech("en")) for key in keys]
    assert len({each.name for each in words}) == len({each.reason for each in words}) == len(keys)


def keys_of(game: str) -> set[str]:
    """Return the keys of the achievements of a game."""
    return {rule.key for rule in RULES if rule.applies_to(VARIANTS[game])}


def test_achievements_fit_their_game() -> None:
    everywhere = {"present", "long", "two-bombs", "bombs", "firsts", "wins", "losses", "company"}
    assert keys_of("grandseigneur") == {*everywhere, "rounds", "rise-and-fall"}
    assert (
        keys_of("nanjing")
        == keys_of("tientsin")
        == {rule.key for rule in RULES} - {"rise-and-fall"}
    )
    assert keys_of("trichu") == keys_of("nanjing") - {"almost", "short"}


async def test_each_game_has_its_own_achievements(store: Store) -> None:
    await on_day(0, [called(True)]).store(store)
    await on_day(1, lords(1, 2), **GRAND_SEIGNEUR).store(store)
    earned: Mapping[str, set[str]] = {
        game: {
            each.key
            for played in [await store.history.played(GUILD, ADA, game)]
            if played is not None
            for each in achievements(played)
            if each.earned_at is not None
        }
        for game in ("nanjing", "grandseigneur")
    }
    assert earned == {"nanjing": {"present", "tichu"}, "grandseigneur": {"present"}}
