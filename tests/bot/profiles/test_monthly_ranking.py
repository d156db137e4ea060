"""Monthly rankings: figures, the best by rating, and shared awards."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.ids import GuildId, UserId
from bot.profiles.monthly_ranking import MOST_NAMES, GameRanking
from bot.profiles.seasons import monthly_ranking_of
from bot.score_records import Amount, LeaderboardLine, Preferences
from bot.storage import Store
from tests.bot.databases import open_store
from tests.bot.states import GUILD
from tests.bot.won_matches import play

SEASON = "2031-11"
AT = datetime(2031, 11, 12, 12, tzinfo=UTC)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """Yield a store on a new file."""
    opened = await open_store(tmp_path / "tichu.db")
    yield opened
    await opened.close()


def users(lines: Iterable[LeaderboardLine]) -> set[int]:
    return {line.user_id for line in lines}


async def of_nanjing(store: Store) -> GameRanking:
    """Return the only game of a guild's monthly ranking."""
    found = await monthly_ranking_of(store, GUILD, SEASON)
    assert found is not None
    assert found.season == SEASON
    (game,) = found.games
    return game


async def test_no_ranking_without_a_match(store: Store) -> None:
    await play(
        store, GUILD, AT - timedelta(days=40), [UserId(1), UserId(2)], [UserId(3), UserId(4)]
    )
    await play(store, GuildId(GUILD + 1), AT, [UserId(1), UserId(2)], [UserId(3), UserId(4)])
    assert await monthly_ranking_of(store, GUILD, SEASON) is None


async def test_partners_share_their_honours(store: Store) -> None:
    await play(
        store, GUILD, AT, [UserId(1), UserId(2)], [UserId(3), UserId(4)], rounds=20, calls=12
    )
    game = await of_nanjing(store)
    assert game.played == Amount(rounds=20, matches=1)
    assert [line.place for line in game.rating] == [1, 1, 3, 3]
    assert users(game.rating[:2]) == users(game.wins) == users(game.points) == {1, 2}
    assert users(game.calls) == {1, 2}
    assert {place.tally.wins for place in game.wins} == {1}
    assert {place.value for place in game.points} == {120.0 / 2}


async def test_limits_places_and_names(store: Store) -> None:
    for first in range(0, 40, 4):
        team = [UserId(first + 1), UserId(first + 2)]
        await play(store, GUILD, AT, team, [UserId(first + 3), UserId(first + 4)], rounds=20)
    game = await of_nanjing(store)
    assert len(game.rating) == len(game.wins) == len(game.points) == MOST_NAMES
    assert {line.place for line in game.rating} == {1}, "all who won are equal"


async def test_lists_only_the_first_three_by_rating(store: Store) -> None:
    await play(store, GUILD, AT, [UserId(1), None], [UserId(2), None], rounds=60)
    await play(store, GUILD, AT, [UserId(3), None], [UserId(2), None], rounds=30)
    await play(store, GUILD, AT, [UserId(4), None], [UserId(2), None], rounds=20)
    game = await of_nanjing(store)
    assert [(line.place, line.user_id) for line in game.rating] == [(1, 1), (2, 3), (3, 4)]
    assert users(game.points) == {1, 3, 4}


async def test_hidden_users_and_those_with_few_rounds_get_no_awards(store: Store) -> None:
    await play(store, GUILD, AT, [UserId(1), UserId(2)], [UserId(3), UserId(4)], rounds=19)
    game = await of_nanjing(store)
    assert game.played == Amount(rounds=19, matches=1)
    assert game[2:] == ((), (), (), ())
    await play(store, GUILD, AT, [UserId(1), UserId(2)], [UserId(3), UserId(4)], rounds=1)
    await store.preferences.choose(UserId(1), Preferences(hidden=True))
    game = await of_nanjing(store)
    assert users(game.rating) == {2, 3, 4}
    assert users(game.wins) == users(game.points) == {2}


async def test_later_season_does_not_change_a_past_one(store: Store) -> None:
    await play(store, GUILD, AT, [UserId(1), UserId(2)], [UserId(3), UserId(4)], calls=10)
    before = await monthly_ranking_of(store, GUILD, SEASON)
    await play(
        store,
        GUILD,
        AT + timedelta(days=30),
        [UserId(3), UserId(4)],
        [UserId(1), UserId(2)],
        rounds=90,
        calls=90,
    )
    assert await monthly_ranking_of(store, GUILD, SEASON) == before


async def test_games_are_in_the_order_of_the_rule_book(store: Store) -> None:
    await play(
        store,
        GUILD,
        AT,
        [UserId(1), UserId(2), UserId(3)],
        [UserId(4), UserId(5), UserId(6)],
        variant="tientsin",
        rounds=3,
    )
    await play(store, GUILD, AT, [UserId(1), UserId(2)], [UserId(3), UserId(4)], rounds=2)
    found = await monthly_ranking_of(store, GUILD, SEASON)
    assert found is not None
    assert [game.variant for game in found.games] == ["nanjing", "tientsin"]
    assert found.played == Amount(rounds=5, matches=2)
