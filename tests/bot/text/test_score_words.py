"""Texts of leaderboards, settings, profiles and monthly rankings, word by word.

Tests in `tests/cogs` check with clicks that the right values reach these pages.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.art.emojis import Emojis
from bot.ids import ChannelId, UserId
from bot.profiles.careers import Calls, Career, Nemesis, Partner
from bot.profiles.monthly_ranking import GameRanking, MonthlyRanking
from bot.records import PersonalSettings, ServerSettings
from bot.score_records import (
    EVER,
    LATELY,
    Amount,
    BoardPage,
    LeaderboardLine,
    Leaders,
    Preferences,
    Tally,
)
from bot.standings.daily_standings import DailyLine, Standing
from bot.text import speech
from bot.text.cards import Speaker
from bot.text.people import channel_mention, mention
from cogs.pages.controls import Page
from cogs.pages.profiles.leaderboard import BoardQuery, leaderboard_page
from cogs.pages.profiles.monthly_ranking import monthly_ranking_page
from cogs.pages.profiles.profile import empty_profile_page, profile_page
from cogs.pages.settings.page import settings_page
from cogs.pages.settings.server import RankingChannel, look_page
from tests.bot.text.pages import parts
from tests.bot.text.profiles import OTHER, THIRD, USER, Careers
from tests.bot.text.settings_pages import view_of

WORDS = Speaker(speech("en"), Emojis.plain())
SEASONS = ["2026-11", "2026-10"]
MONTHS = ("this season (November 2026)", "October 2026")
PLACE = LeaderboardLine(1, UserId(7), "Ada", -60.0, Tally(20, -120_000, 1, 1, 20, 5), 1000.0)
HIDDEN = Preferences(hidden=True)


def blocks(page: Page) -> list[str]:
    """Return the blocks of text on a page."""
    return [part["content"] for part in parts(page) if "content" in part]


def board(
    query: BoardQuery, own: LeaderboardLine | None, preferences: Preferences, *on: LeaderboardLine
) -> list[str]:
    """Return the heading, the lines, and the text about the reader."""
    page = BoardPage(0, Leaders(len(on), on), own, preferences)
    return blocks(leaderboard_page(query, page, SEASONS, WORDS))


def test_leaderboard_describes_its_order_and_period() -> None:
    query = BoardQuery("nanjing", EVER, "points")
    heading, lines, own = board(
        query, PLACE._replace(place=3, user_id=UserId(8)), Preferences(), PLACE
    )
    assert heading == (
        "## 🏆 Leaderboard: Tichu (4 players)\n"
        "-# Points per round · all time · this server · 1 player"
    )
    assert lines == "🥇 **Ada** · **−60** · 20 rounds"
    assert own == "You're #3 · **−60** · 20 rounds"
    heading, lines = board(query, PLACE, Preferences(), PLACE, PLACE._replace(user_id=UserId(8)))
    assert lines.splitlines() == [
        "👉 🥇 **Ada** · **−60** · 20 rounds",
        "🥇 **Ada** · **−60** · 20 rounds",
    ]
    for period, named in ((LATELY, "last 30 days"), *zip(SEASONS, MONTHS, strict=True)):
        heading, lines, _ = board(replace(query, period=period), None, Preferences())
        assert f" · {named} · this server · 0 players" in heading
        assert lines == "Nobody is ranked for this period."
    heading, lines, _ = board(BoardQuery("trichu", EVER, "rating", True), None, Preferences())
    assert heading.endswith("Rating · all time · all servers · 0 players")
    assert lines == "Nobody is ranked yet. Play with someone and be the first."


def test_unlisted_reader_gets_the_reason(subtests: pytest.Subtests) -> None:
    unlisted = PLACE._replace(place=0, value=None, tally=Tally())
    joined = Preferences(worldwide=True)
    by_choice = "You're hidden (see /tichu settings)."
    cases = (
        ("rating", False, Preferences(), "20 more rounds with another person to be ranked."),
        ("wins", False, Preferences(), "20 more rounds with another person to be ranked."),
        ("win_rate", False, Preferences(), "5 more matches to be ranked."),
        ("calls", False, Preferences(), "10 more calls to be ranked."),
        ("calls", True, joined, "10 more calls to be ranked."),
        ("rating", False, HIDDEN, by_choice),
        ("rating", True, Preferences(True, True), by_choice),
        (
            "rating",
            True,
            Preferences(),
            "You're not on this board. Join it in /tichu settings.",
        ),
    )
    for order, everywhere, preferences, told in cases:
        with subtests.test(order=order, everywhere=everywhere, preferences=preferences):
            query = BoardQuery("nanjing", EVER, order, everywhere)  # type: ignore[arg-type]
            for own in (None, unlisted):
                assert board(query, own, preferences)[-1] == told
    lost = unlisted._replace(tally=Tally(rounds=20, matches=1))
    told = board(BoardQuery("nanjing", EVER, "wins"), lost, Preferences())[-1]
    assert told == "Win a match to be ranked."


def test_settings_show_the_chosen_values() -> None:
    listed = "You're on this server's leaderboards, and others can see your profile."
    hidden = "You're hidden: no leaderboards, private profile, no name in past matches."
    joined = "You're on the leaderboard of all servers."
    absent = "You're not on the leaderboard of all servers."
    for preferences, here, world in (
        (Preferences(), listed, absent),
        (Preferences(worldwide=True), listed, joined),
        (HIDDEN, hidden, absent),
        (Preferences(hidden=True, worldwide=True), hidden, absent),
    ):
        page = settings_page(PersonalSettings(), preferences, WORDS, manages=False)
        assert blocks(page)[-1].endswith(f"{here}\n{world}")
    off = "Off until you choose a channel."
    for ranking, told in (
        (RankingChannel(), off),
        (RankingChannel(ChannelId(77)), f"Posted in {channel_mention(77)}."),
    ):
        page = look_page(view_of(ServerSettings(), ranking=ranking), WORDS)
        assert blocks(page)[-1].endswith(told)


def test_profile_names_its_figures() -> None:
    career = a_career()
    page = profile_page(career, (), (), {OTHER: "Cai", THIRD: "Ben"}, Preferences(), WORDS)
    lines = "\n".join(blocks(page)).splitlines()
    for line in (
        "**10 rounds** · 999,999 count on the leaderboard · +200 points per round",
        "**10 matches** · 9 won (90%)",
        "Winning streak: 3 (best 6)",
        "Tichu: 8 of 10 made (+600 points)",
        "Grand Tichu: never called",
        "Bombs: 4",
        "Favourite partner: **Cai** (10 rounds, 50% won)",
        "Best partner: **Ben** (2 rounds, 100% won)",
        "Nemesis: **Ben** (−200 per round over 7 rounds)",
    ):
        assert line in lines


def a_career() -> Career:
    """Return statistics with a different number in every field."""
    return (
        Careers("nanjing")
        .longest()
        ._replace(
            rounds=10,
            points=200.0,
            matches=10,
            wins=9,
            streak=3,
            longest_streak=6,
            tichus=Calls(10, 8, 600),
            grands=Calls(0, 0, 0),
            bombs=4,
            favourite=Partner(OTHER, 10, 0.5),
            best_partner=Partner(THIRD, 2, 1.0),
            nemesis=Nemesis(THIRD, 7, 200.0),
        )
    )


def test_empty_profile_is_explained() -> None:
    for own, game, told in (
        (True, None, "You haven't finished a round here yet."),
        (False, None, f"{mention(USER)} hasn't finished a round here yet."),
        (True, "trichu", "You haven't finished a round of Tichu (3 players) here yet."),
        (
            False,
            "trichu",
            f"{mention(USER)} hasn't finished a round of Tichu (3 players) here yet.",
        ),
    ):
        (words,) = blocks(empty_profile_page(USER, ("nanjing",), WORDS, own=own, variant=game))
        first, how = words.splitlines()
        assert first == told
        assert how.startswith("Open a table with **/tichu new**")


def test_monthly_ranking_names_its_awards() -> None:
    best = (PLACE._replace(value=60.0),)
    game = GameRanking("nanjing", Amount(20, 1), best, best, best, best)
    nobody = game._replace(variant="trichu", rating=(), wins=(), points=(), calls=())
    lords = nobody._replace(variant="grandseigneur", points=best)
    head, nanjing, trichu, seigneur = blocks(
        monthly_ranking_page(MonthlyRanking("2026-01", (game, nobody, lords)), WORDS)
    )
    assert head == "# 🏆 Hall of fame · January 2026\n-# 60 rounds · 3 finished matches"
    assert nanjing.splitlines() == [
        "### Tichu (4 players)",
        "-# 20 rounds · 1 finished match",
        f"🥇 {mention(7)} · **1,000**",
        f"Most matches won: {mention(7)} (1)",
        f"Most points per round: {mention(7)} (+60)",
        f"Most Tichus made: {mention(7)} (5 of 20)",
    ]
    assert trichu.endswith("\nNobody was ranked this month.")
    assert seigneur.endswith(f"\nAhead of most others: {mention(7)} (60% on average)")


def test_monthly_ranking_has_the_best_of_the_deal_of_the_day() -> None:
    standing = Standing(20, 1200.0, 72_000.0, 16_660.0)
    best = DailyLine(1, UserId(7), "", standing, within_chance=True)
    head, daily = blocks(monthly_ranking_page(MonthlyRanking("2026-01", (), (best,)), WORDS))
    assert head == "# 🏆 Hall of fame · January 2026"
    assert daily.splitlines() == [
        "### Deal of the day",
        f"🥇 {mention(7)} · **60%** (46% to 74%) · 20 deals · lead could be chance",
    ]
