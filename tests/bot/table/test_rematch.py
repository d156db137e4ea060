"""Teams of a rematch: as even as possible by rating, seldom the same partners again."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import AsyncIterator
from itertools import combinations
from pathlib import Path

import pytest

from bot.errors import Refused
from bot.ids import GuildId, UserId
from bot.rating.ratings import BEGINNER, FIXED
from bot.storage import Store
from bot.table.options import TableOptions
from bot.table.rematch import CLEARLY_WORSE, NEARLY_EVEN, Teams, divisions, draw_teams, new_partners
from engine import Options
from tests.bot.databases import open_store
from tests.bot.states import GUILD, NOON, PEOPLE, chairs, state
from tests.bot.won_matches import play

FOUR: Teams = ((0, 2), (1, 3))
SIX: Teams = ((0, 2, 4), (1, 3, 5))


def gap(strengths: list[float], teams: Teams) -> float:
    first, second = teams
    return abs(sum(strengths[seat] for seat in first) - sum(strengths[seat] for seat in second))


def often(strengths: list[float], before: Teams, times: int = 200) -> Counter[Teams]:
    chance = random.Random(1)
    return Counter(draw_teams(strengths, before, chance) for _ in range(times))


def test_four_chairs_have_three_pairs_of_teams() -> None:
    assert list(divisions(4)) == [((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2))]


def test_six_chairs_have_ten_pairs_of_teams() -> None:
    found = list(divisions(6))
    assert len(set(found)) == 10
    assert SIX in found
    for first, second in found:
        assert sorted((*first, *second)) == list(range(6))
        assert first[0] == 0
    assert {team for teams in found for team in teams} == set(combinations(range(6), 3))


@pytest.mark.parametrize("before", [FOUR, SIX], ids=["four", "six"])
def test_chooses_the_most_even_teams(before: Teams) -> None:
    chance = random.Random(5)
    for _ in range(300):
        strengths = [chance.gauss(1500, 150) for seat in range(2 * len(before[0]))]
        found = draw_teams(strengths, before, chance)
        gaps = {teams: gap(strengths, teams) for teams in divisions(len(strengths))}
        others = [worth for teams, worth in gaps.items() if teams != before]
        if found == before:
            assert gaps[before] + CLEARLY_WORSE < min(others)
        else:
            assert gaps[found] <= min(others) + NEARLY_EVEN


def test_best_player_gets_the_weakest_partner() -> None:
    assert set(often([1900, 1800, 1400, 1300], FOUR)) == {((0, 3), (1, 2))}


def test_equal_players_get_random_new_partners() -> None:
    found = often([1500] * 4, FOUR)
    assert set(found) == {((0, 1), (2, 3)), ((0, 3), (1, 2))}
    assert min(found.values()) > 60
    assert set(often([1500] * 6, SIX)) == set(divisions(6)) - {SIX}


@pytest.mark.parametrize("worse, same", [(99, False), (101, True)])
def test_keeps_partners_only_if_the_alternatives_are_clearly_worse(
    worse: float, same: bool
) -> None:
    strengths = [1500 + worse / 2, 1500 - worse / 2, 1500, 1500]
    before: Teams = ((0, 1), (2, 3))
    gaps = [gap(strengths, teams) for teams in divisions(4)]
    assert gaps == [0, worse, worse]
    assert (set(often(strengths, before)) == {before}) == same


async def test_uses_ratings_of_the_guild_and_of_computers(store: Store) -> None:
    for _ in range(3):
        await play(store, GUILD, NOON, [UserId(101), UserId(103)], [UserId(102), None])
    await play(
        store,
        GuildId(GUILD + 1),
        NOON,
        [UserId(102), UserId(104)],
        [UserId(101), UserId(103)],
        rounds=60,
    )
    ratings = await store.rankings.ratings(
        GUILD, "nanjing", [UserId(101), UserId(102), UserId(103), UserId(104)]
    )
    assert (
        ratings[UserId(101)].mu
        == ratings[UserId(103)].mu
        > FIXED["expert"].mu
        > ratings[UserId(102)].mu
    )
    seats = chairs(PEOPLE[:4], computers=(3,))
    found = new_partners(state(chairs=seats), ratings, random.Random(1))
    assert [chair.seat for chair in found] == [0, 1, 2, 3]
    assert {chair.name for chair in found} == {chair.name for chair in seats}
    # Ada and Cleo played together and won: now each has one of the others.
    assert {found[0].name, found[2].name} in ({"Ada", "Ben"}, {"Ada", "Dan"})


async def test_user_without_rating_counts_as_a_beginner(store: Store) -> None:
    await play(store, GUILD, NOON, [UserId(101), None], [UserId(102), None], rounds=80)
    ratings = await store.rankings.ratings(GUILD, "nanjing", [UserId(101), UserId(102)])
    assert ratings[UserId(101)].mu > BEGINNER.mu > ratings[UserId(102)].mu
    options = TableOptions(rules=Options(variant="tientsin"))
    await play(
        store, GUILD, NOON, [UserId(101), None, None], [UserId(102), None, None], variant="tientsin"
    )
    ratings = await store.rankings.ratings(GUILD, "tientsin", [*map(UserId, range(101, 107))])
    seats = chairs(PEOPLE[:6])
    for seed in range(20):
        found = new_partners(state(chairs=seats, options=options), ratings, random.Random(seed))
        teams = {chair.name for chair in found[::2]}, {chair.name for chair in found[1::2]}
        assert {"Ada", "Ben"} <= teams[0], "the best and the weakest: the four others are alike"
        assert teams[0] != {"Ada", "Cleo", "Eve"}


def test_keeps_seats_in_games_without_partners() -> None:
    for variant in ("trichu", "grandseigneur"):
        over = state(options=TableOptions(rules=Options(variant=variant)))
        with pytest.raises(Refused, match="unknown-button"):
            new_partners(over, {}, random.Random(1))


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """Yield a store on a new file."""
    opened = await open_store(tmp_path / "tichu.db")
    yield opened
    await opened.close()
