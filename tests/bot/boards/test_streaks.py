"""Streaks of days, with a day that may be missed in each month."""

from __future__ import annotations

import random
from collections import Counter
from datetime import date, timedelta

import pytest

from bot.board_records import Streak
from bot.boards.streaks import streak

FIRST = date(2026, 1, 20)


def days(*numbers: int) -> set[date]:
    """Return days of November 2026 by number; the 31st is the first of December."""
    return {date(2026, 11, 1) + timedelta(days=number - 1) for number in numbers}


def november(*numbers: int, today: int, excused: tuple[int, ...] = ()) -> Streak:
    """Return the streak of a person who played on these days of November 2026."""
    (now,) = days(today)
    return streak(days(*numbers), days(*excused), now)


def longest_run(played: set[date], excused: set[date], first: date, last: date) -> int:
    """Return by definition the longest streak that ends on the day `last`."""
    best = 0
    run = [last - timedelta(days=back) for back in range((last - first).days + 1)]
    for length in range(1, len(run) + 1):
        missed = [day for day in run[:length] if day not in played and day not in excused]
        if max(Counter((day.year, day.month) for day in missed).values(), default=0) <= 1:
            best = max(best, sum(day in played for day in run[:length]))
    return best


@pytest.mark.parametrize("share", [0.7, 0.9, 0.97])
def test_streaks_are_the_longest_runs_with_one_missed_day_a_month(share: float) -> None:
    rng = random.Random(3)
    for _ in range(60):
        run = [FIRST + timedelta(days=number) for number in range(rng.randint(1, 75))]
        played = {day for day in run if rng.random() < share} | {FIRST}
        excused = {day for day in run if rng.random() < 0.05}
        today = run[-1]
        found = streak(played, excused, today)
        # Today is not missed yet.
        assert found.days == longest_run(played, excused | {today}, FIRST, today)
        runs = [longest_run(played, excused | {day}, FIRST, day) for day in run]
        assert found.longest == max(runs)


def test_nobody_has_a_streak_before_the_first_deal() -> None:
    assert november(today=3) == Streak(0, 0)


def test_today_counts_once_it_is_played() -> None:
    assert november(1, 2, 3, today=4) == Streak(3, 3)
    assert november(1, 2, 3, 4, today=4) == Streak(4, 4)


def test_second_missed_day_of_a_month_breaks_a_streak() -> None:
    assert november(1, 2, 4, 5, today=6) == Streak(4, 4)
    assert november(1, 2, 4, 5, today=7) == Streak(2, 4)
    assert november(1, 2, today=5) == Streak(0, 2)


def test_each_month_has_its_own_missed_day() -> None:
    assert november(28, 29, 32, today=32) == Streak(3, 3), "30 November and 1 December"


def test_days_on_which_the_computers_were_updated_are_not_missed() -> None:
    assert november(1, 2, 5, today=6, excused=(3,)) == Streak(3, 3)
    assert november(1, 2, 6, today=6, excused=(3,)) == Streak(1, 2)
