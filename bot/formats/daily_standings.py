"""Files with a leaderboard of the deal of the day: CSV for spreadsheets, and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from bot.formats.spreadsheets import csv_file
from bot.score_records import Period
from bot.standings.daily_standings import DailyLine

_COLUMNS = ("place", "name", "boards", "match_points", "low", "high", "lead_within_chance")


def standings_csv(lines: Sequence[DailyLine]) -> bytes:
    """Return a table with all lines."""
    return csv_file(_COLUMNS, _rows(lines))


def standings_json(lines: Sequence[DailyLine], period: Period, *, everywhere: bool) -> bytes:
    """Return an object with all lines."""
    content = {
        "format": "tichu-daily-standings 1",
        "period": period,
        "servers": "all" if everywhere else "this",
        "confidence": 0.95,
        "people": list(_rows(lines)),
    }
    return json.dumps(content, ensure_ascii=False, indent=1).encode()


def _rows(lines: Sequence[DailyLine]) -> Iterator[dict[str, Any]]:
    """Yield the values of each line; match points and their interval are in percent."""
    for each in lines:
        low, high = each.standing.interval
        values = (
            each.place,
            each.name,
            each.standing.days,
            *(round(value, 2) for value in (each.standing.mean, low, high)),
            each.within_chance,
        )
        yield dict(zip(_COLUMNS, values, strict=True))
