"""Files with a leaderboard of the deal of the day."""

from __future__ import annotations

import csv
import io
import json

import pytest

from bot.formats.daily_standings import standings_csv, standings_json
from bot.ids import UserId
from bot.standings.daily_standings import DailyLine, Standing

STANDING = Standing(4, 200.0, 10_000.0, 4 * 833.0)
"""Four days with 50 match points."""


def lines(*names: str) -> list[DailyLine]:
    """Return lines with these names."""
    return [
        DailyLine(place, UserId(place), name, STANDING, within_chance=place == 1)
        for place, name in enumerate(names, start=1)
    ]


def read_csv(content: bytes) -> list[dict[str, str]]:
    """Return the rows of a file as a spreadsheet reads them."""
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def test_files_have_the_number_of_boards_and_the_interval() -> None:
    first, second = read_csv(standings_csv(lines("Ada", "Бен")))
    assert (first["name"], second["name"]) == ("Ada", "Бен")
    assert first == {
        "place": "1",
        "name": "Ada",
        "boards": "4",
        "match_points": "50.0",
        "low": first["low"],
        "high": first["high"],
        "lead_within_chance": "True",
    }
    assert (float(first["low"]) + float(first["high"])) / 2 == pytest.approx(50)
    content = json.loads(standings_json(lines("Ada", "Бен"), "2026-11", everywhere=False))
    assert (content["period"], content["servers"], content["confidence"]) == (
        "2026-11",
        "this",
        0.95,
    )
    for person, row in zip(content["people"], (first, second), strict=True):
        assert {key: str(value) for key, value in person.items()} == row


@pytest.mark.parametrize(
    "name",
    ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "\u00a0=1", "＝1"],
)
def test_names_are_no_formulas_in_spreadsheets(name: str) -> None:
    (row,) = read_csv(standings_csv(lines(name)))
    assert row["name"] == f"'{name}"


def test_names_with_separators_are_one_cell() -> None:
    (row,) = read_csv(standings_csv(lines('Ada, "the\nbest"')))
    assert row["name"] == 'Ada, "the\nbest"'
