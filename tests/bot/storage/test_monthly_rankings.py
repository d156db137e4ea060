"""Monthly rankings to post by guild and season, and the matches they count."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.ids import ChannelId, GuildId, UserId
from bot.rating.tallies import last_season, season_of, span_of
from bot.score_records import Amount
from bot.storage import Store
from tests.bot.won_matches import play

pytestmark = pytest.mark.usefixtures("one_thread")

OCTOBER, NOVEMBER = "2031-10", "2031-11"
IN_NOVEMBER = datetime(2031, 11, 12, 12, tzinfo=UTC)
MOMENT = timedelta(microseconds=1)


@pytest.mark.parametrize("season", ["2026-11", "2026-12", "2027-01", "2028-02"])
def test_season_is_a_calendar_month(season: str) -> None:
    begin, end = span_of(season)
    assert season_of(begin) == season_of(end - MOMENT) == season
    assert season_of(begin - MOMENT) < season < season_of(end)
    assert (begin.day, begin.hour, end.day, end.hour) == (1, 0, 1, 0)
    assert last_season(end) == season
    assert last_season(end - MOMENT) == season_of(begin - MOMENT)


async def test_guild_gets_one_ranking_for_each_season(store: Store) -> None:
    await store.monthly_rankings.choose_channel(
        GuildId(10), ChannelId(77), last_season(IN_NOVEMBER)
    )
    assert await store.monthly_rankings.channel(GuildId(10)) == 77
    assert await store.monthly_rankings.due_servers(NOVEMBER) == {10: 77}
    assert await store.monthly_rankings.mark_posted(GuildId(10), NOVEMBER)
    assert not await store.monthly_rankings.mark_posted(GuildId(10), NOVEMBER)
    assert not await store.monthly_rankings.mark_posted(GuildId(10), OCTOBER)
    assert await store.monthly_rankings.due_servers(NOVEMBER) == {}
    assert await store.monthly_rankings.due_servers("2031-12") == {10: 77}


async def test_season_before_the_choice_gets_no_ranking(store: Store) -> None:
    await store.monthly_rankings.choose_channel(
        GuildId(10), ChannelId(77), last_season(IN_NOVEMBER)
    )
    assert await store.monthly_rankings.due_servers(OCTOBER) == {}
    await store.monthly_rankings.choose_channel(GuildId(10), None, last_season(IN_NOVEMBER))
    assert await store.monthly_rankings.channel(GuildId(10)) is None
    assert await store.monthly_rankings.due_servers(NOVEMBER) == {}
    later = IN_NOVEMBER + timedelta(days=30)
    await store.monthly_rankings.choose_channel(GuildId(10), ChannelId(78), last_season(later))
    assert await store.monthly_rankings.due_servers(NOVEMBER) == {}
    assert await store.monthly_rankings.due_servers("2031-12") == {10: 78}


async def test_new_channel_can_get_the_ranking_its_predecessor_refused(store: Store) -> None:
    await store.monthly_rankings.choose_channel(
        GuildId(10), ChannelId(77), last_season(IN_NOVEMBER)
    )
    await store.monthly_rankings.choose_channel(
        GuildId(11), ChannelId(80), last_season(IN_NOVEMBER)
    )
    for guild_id in (10, 11):
        assert await store.monthly_rankings.mark_posted(GuildId(guild_id), NOVEMBER)
    await store.monthly_rankings.unmark_posted(GuildId(10), NOVEMBER)
    assert await store.monthly_rankings.due_servers(NOVEMBER) == {10: 77}
    await store.monthly_rankings.choose_channel(
        GuildId(10), ChannelId(78), last_season(IN_NOVEMBER + timedelta(days=30))
    )
    assert await store.monthly_rankings.due_servers(NOVEMBER) == {10: 78}
    assert await store.monthly_rankings.mark_posted(GuildId(10), NOVEMBER)


async def test_no_ranking_without_a_channel(store: Store) -> None:
    assert await store.monthly_rankings.channel(GuildId(10)) is None
    assert await store.monthly_rankings.due_servers(NOVEMBER) == {}
    assert not await store.monthly_rankings.mark_posted(GuildId(10), NOVEMBER)
    assert await store.history.amounts(GuildId(10), *span_of(NOVEMBER)) == {}


async def test_counts_matches_by_game_guild_and_month(store: Store) -> None:
    begin, end = span_of(NOVEMBER)
    await play(store, GuildId(10), begin, [UserId(1), UserId(2)], [UserId(3), UserId(4)], rounds=3)
    await play(store, GuildId(10), end - MOMENT, [UserId(1), None], [None, None], rounds=2)
    await play(
        store,
        GuildId(10),
        IN_NOVEMBER,
        [UserId(1), UserId(2), UserId(3)],
        [UserId(4), UserId(5), UserId(6)],
        variant="tientsin",
        rounds=1,
    )
    await play(
        store, GuildId(10), begin - MOMENT, [UserId(1), UserId(2)], [UserId(3), UserId(4)], rounds=5
    )
    await play(store, GuildId(10), end, [UserId(1), UserId(2)], [UserId(3), UserId(4)], rounds=7)
    await play(
        store, GuildId(11), IN_NOVEMBER, [UserId(1), UserId(2)], [UserId(3), UserId(4)], rounds=9
    )
    await play(
        store,
        GuildId(10),
        IN_NOVEMBER,
        [UserId(1), UserId(2)],
        [UserId(3), UserId(4)],
        rounds=4,
        stopped=True,
    )
    assert await store.history.amounts(GuildId(10), *span_of(NOVEMBER)) == {
        "nanjing": Amount(rounds=9, matches=2),
        "tientsin": Amount(rounds=1, matches=1),
    }
    assert await store.history.amounts(GuildId(10), *span_of(OCTOBER)) == {
        "nanjing": Amount(rounds=5, matches=1)
    }
