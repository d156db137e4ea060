"""Pages of leaderboards: full and empty, with and without the reader, and shared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import product
from typing import get_args

from bot.ids import UserId
from bot.score_records import EVER, BoardPage, LeaderboardLine, Leaders, Order, Preferences, Tally
from bot.standings.daily_standings import DailyLeaders, DailyLine, Standing
from bot.text.cards import Speaker
from cogs.pages.controls import Page
from cogs.pages.daily.leaderboard import DailyQuery, daily_leaderboard_page
from cogs.pages.profiles.leaderboard import (
    PEOPLE_PER_PAGE,
    BoardQuery,
    last_seasons,
    leaderboard_page,
    shared_leaderboard_page,
)
from engine import VARIANTS

SEASONS = last_seasons("2026-09")
MANY = Tally(10**6, -(10**8), 10**6, 10**6, 10**6, 10**6)


def leaderboard_pages(names: Sequence[str], to: Speaker) -> Iterator[tuple[str, Page]]:
    """Yield all orders of all games, then one board for every kind of reader."""
    places = tuple(
        LeaderboardLine(
            at + 1, UserId(10**18 + at), names[at % len(names)] if at else "", -0.5, MANY, 1000.0
        )
        for at in range(PEOPLE_PER_PAGE)
    )
    full, empty = Leaders(10**6, places), Leaders(0, ())
    choices = [Preferences(hidden, world) for hidden, world in product((False, True), repeat=2)]
    elsewhere = places[0]._replace(place=10**6, user_id=UserId(1))
    nowhere = elsewhere._replace(place=0, value=None, tally=Tally())
    lost = nowhere._replace(tally=Tally(rounds=20, matches=1))
    orders: tuple[Order, ...] = get_args(Order)
    for variant, order, everywhere in product(VARIANTS, orders, (False, True)):
        query = BoardQuery(variant, EVER, order, everywhere)
        for own in (places[1], elsewhere, nowhere, lost, None):
            page = BoardPage(5, full, own, Preferences())
            yield f"leaderboard: {order}", leaderboard_page(query, page, SEASONS, to)
        shared = shared_leaderboard_page(query, page, SEASONS, to, UserId(10**18))
        yield f"leaderboard: {order}, shared", shared
    for chosen, period, leaders in product(choices, (EVER, *SEASONS), (full, empty)):
        query = BoardQuery("nanjing", period, "rating")
        page = BoardPage(0, leaders, None, chosen)
        yield f"leaderboard: {period}, {chosen}", leaderboard_page(query, page, SEASONS, to)


def daily_leaderboard_pages(names: Sequence[str], to: Speaker) -> Iterator[tuple[str, Page]]:
    """Yield leaderboards of the deal of the day for every kind of reader, full and empty."""
    today, standing = date(2026, 9, 30), Standing(31, 1550.0, 80_000.0, 26_000.0)
    lines = tuple(
        DailyLine(
            at + 1,
            UserId(10**18 + at),
            names[at % len(names)] if at else "",
            standing,
            within_chance=True,
        )
        for at in range(PEOPLE_PER_PAGE)
    )
    elsewhere = lines[0]._replace(place=10**6, user_id=UserId(1))
    few = elsewhere._replace(place=0, standing=Standing(1, 50.0, 2500.0, 833.0))
    choices = [Preferences(hidden, world) for hidden, world in product((False, True), repeat=2)]
    for own, chosen, everywhere in product((lines[1], elsewhere, few, None), choices, (0, 1)):
        leaders = DailyLeaders(5, 10**6, lines, own, chosen)
        query = DailyQuery("month", everywhere=bool(everywhere))
        page = daily_leaderboard_page(query, today, leaders, to, in_server=not everywhere)
        yield f"leaderboard of days, {chosen}", page
    nobody = DailyLeaders(0, 0, (), None, Preferences())
    for period in ("week", "last-week", "month", "last-month"):
        page = daily_leaderboard_page(DailyQuery(period), today, nobody, to, in_server=True)
        yield f"leaderboard of days, {period}", page
