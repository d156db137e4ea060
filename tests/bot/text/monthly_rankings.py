"""Monthly rankings: empty, of one game, of all games with the most names."""

from __future__ import annotations

from bot.ids import UserId
from bot.profiles.monthly_ranking import MOST_NAMES, GameRanking, MonthlyRanking
from bot.score_records import Amount, LeaderboardLine, Tally
from bot.standings.daily_standings import DailyLine, Standing
from bot.text.cards import Speaker
from cogs.pages.profiles.monthly_ranking import monthly_ranking_page
from engine import VARIANTS
from tests.bot.text.pages import Named

SEASON = "2026-09"
"""The month with the longest name in English."""


def monthly_ranking_pages(to: Speaker) -> Named:
    """Yield monthly rankings: empty, of one game, of all games with the most names."""
    tally = Tally(1200, 654_321, 340, 330, 512, 498)
    for value in (1234.5678, -1.25, 0.0):
        several = tuple(
            LeaderboardLine(min(3, place), UserId(10**18 + place), "_n*", value, tally, value)
            for place in range(1, MOST_NAMES + 1)
        )
        games = tuple(
            GameRanking(variant, Amount(1200, 340), several, several, several, several)
            for variant in VARIANTS
        )
        yield "monthly ranking", monthly_ranking_page(MonthlyRanking(SEASON, games), to)
        yield (
            "monthly ranking, one game",
            monthly_ranking_page(MonthlyRanking(SEASON, games[:1]), to),
        )
    standing = Standing(31, 3100.0, 310_000.0, 26_000.0)
    best = tuple(
        DailyLine(1, UserId(10**18 + number), "", standing, within_chance=True)
        for number in range(MOST_NAMES)
    )
    yield "monthly ranking, daily", monthly_ranking_page(MonthlyRanking(SEASON, (), best), to)
    nobody = tuple(GameRanking(variant, Amount(1, 1), (), (), (), ()) for variant in VARIANTS)
    yield "monthly ranking, nobody", monthly_ranking_page(MonthlyRanking(SEASON, nobody), to)
