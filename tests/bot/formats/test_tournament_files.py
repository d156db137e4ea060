"""Files with the standings of tournaments."""

from __future__ import annotations

import csv
import io
import json

from bot.club.event import ClubEvent
from bot.club.formats import league
from bot.formats.tournament import tournament_csv, tournament_json
from tests.bot.pictures.tournaments import TOURNAMENTS


def rows_of(event: ClubEvent) -> list[dict[str, str]]:
    """Return the rows of the CSV file, with numbers as the names of pairs."""
    names = {each.number: str(each.number) for each in event.entrants}
    content = tournament_csv(event, names).decode("utf-8-sig")
    (found, *_) = json.loads(tournament_json(event, names))["standings"]
    rows = list(csv.DictReader(io.StringIO(content)))
    assert list(found) == list(rows[0])
    return rows


def test_lines_of_a_league_have_their_division_and_their_place_in_it() -> None:
    event = TOURNAMENTS["league of 3 divisions"]
    expected = [
        (str(number), str(line.place), str(line.entrant))
        for number, table in enumerate(league.tables(event.competition), start=1)
        for line in table
    ]
    rows = rows_of(event)
    assert [(row["division"], row["place"], row["name"]) for row in rows] == expected


def test_other_tournaments_have_no_divisions() -> None:
    assert list(rows_of(TOURNAMENTS["swiss of 14"])[0])[:2] == ["place", "name"]
