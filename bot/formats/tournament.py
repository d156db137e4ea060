"""Files with the standings of a tournament: CSV for spreadsheets, and JSON with the matches."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from bot.club.competition import EntrantNumber
from bot.club.event import ClubEvent
from bot.club.formats import FORMATS, league
from bot.formats.spreadsheets import csv_file

Names = Mapping[EntrantNumber, str]
"""Names of all entrants."""


def tournament_csv(event: ClubEvent, names: Names) -> bytes:
    """Return a table with the standings."""
    lines = list(_standings(event, names))
    return csv_file(tuple(lines[0]), lines)


def tournament_json(event: ClubEvent, names: Names) -> bytes:
    """Return an object with the standings, and with the matches of all rounds."""
    content = {
        "format": "tichu-tournament 1",
        "title": event.settings.title,
        "system": event.settings.format,
        "status": event.status,
        "standings": list(_standings(event, names)),
        "rounds": [
            [
                {
                    "sides": [names[side[0]] for side in match.sides],
                    "table": match.table_id,
                    "result": None if match.result is None else match.result._asdict(),
                }
                for match in each.matches
            ]
            for each in event.rounds
        ],
    }
    return json.dumps(content, ensure_ascii=False, indent=1).encode()


def _standings(event: ClubEvent, names: Names) -> Iterator[dict[str, Any]]:
    """Yield the values of each line, in a league with its division."""
    format_, competition = FORMATS[event.settings.format], event.competition
    is_league = event.settings.format == "league"
    tables = league.tables(competition) if is_league else (format_.standings(competition),)
    for number, table in enumerate(tables, start=1):
        for line in table:
            yield {
                **({"division": number} if is_league else {}),
                "place": line.place,
                "name": names[line.entrant],
                "played": line.played,
                "score": float(line.score),
                **dict(zip(format_.tie_breaks, map(float, line.tie_breaks), strict=True)),
                "withdrawn": event.entrants[line.entrant - 1].withdrawn,
            }
